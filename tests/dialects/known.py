"""What is known to be wrong and waits to be mended: a test of it is an expected failure, and fails when it is mended."""

from __future__ import annotations

from typing import Final

__all__ = ("LOST_AT_HOME", "PAGES_BEHIND", "ROWS_BEHIND")

_SNIFFED: Final = "an empty media type comes back as the one that the bytes show"
_HOME: Final = "the writer drops or rewrites what its own reader read"

LOST_AT_HOME: Final = {
    ("openai_chat", "image by value without a media type"): _SNIFFED,
    ("openai_chat", "image at an address that is not http"): _HOME,
    ("openai_chat", "audio as flac"): _HOME,
    ("openai_chat", "a file that is text"): _HOME,
    ("openai_chat", "a tool call of a type that nobody else has"): "a loss says that it was moved behind itself",
    ("anthropic", "no max_tokens, which the server refuses"): "max_tokens is invented at home",
}
"""By dialect and example: what is not written back as it was."""

PAGES_BEHIND: Final = {
    "openai_chat": "rows are missing: transcript, a message of which nothing could be said, tool choice without tools",
    "anthropic": "rows are missing: parameters that are no object, tool choice without tools",
}
"""By dialect: why the table of its page is not that of the examples."""

ROWS_BEHIND: Final = {
    ("openai_chat", "`Image` of an assistant"): "Video, PDF and File of an assistant are dropped as well",
    ("openai_chat", "`Reasoning`"): "several that came from one field are joined",
    ("openai_chat", "`Thinking.Budget`"): "beside an effort it is dropped",
}
"""By dialect and row: what the row does not say."""
