"""Ollama: POST /api/chat.

Spellings that mean the same, and that `canonical` folds:

- the `content` of a message as null, left out, and as an empty string.

What the dialect cannot say:

| word | what becomes of it | weight |
|---|---|---|
| several `Text` of a message | rewritten as one | detail |
| an empty `Text` beside anything else | dropped | detail |
| `Text` after an `Image` or `Audio` | moved before them | detail |
| `Image`, `Audio` by URL | dropped | content |
| `Audio` that its first bytes do not show, `Image` that is no png, jpeg or webp | dropped | content |
| a media type other than the first bytes show | rewritten as that; dropped where they show none | detail |
| `detail` of an `Image`, `transcript` of the `Audio` of a user or a tool | dropped | detail |
| `Image`, `Video`, `PDF`, `File` of an assistant | dropped | content |
| `Audio` of an assistant | rewritten as its transcript; dropped without one | detail; content |
| `Video`, `PDF` | dropped | content |
| `File` of text | rewritten as text | detail |
| `File` that is no text | dropped | content |
| `Reasoning` without text | dropped | detail |
| several `Reasoning` of a message | rewritten as one | detail |
| `Reasoning` after a text | moved before it | detail |
| `Refusal` | rewritten as text | detail |
| contents after a `ToolRequest` | moved before the tool calls | detail |
| `id` of a `ToolRequest` or a `ToolResult` | dropped | detail |
| a `ToolResult` in another order than the calls of its tool | moved | detail |
| `Arguments` that are no JSON object | rewritten as an object | content |
| a call of a tool that takes any text | rewritten as one of a function | detail |
| `Arguments` that say a key twice | rewritten with the last one, where they are not spliced as text | detail |
| `outcome` of a `ToolResult` | dropped | detail |
| `name` of a `User` or an `Assistant` | dropped | detail |
| a message of which nothing could be said | a text is invented | detail |
| `Custom` | dropped | content |
| `ProviderTool` of another dialect | dropped | content |
| `Tool.parameters` that are no JSON object | dropped | content |
| `Tool.strict` | dropped | detail |
| `ToolChoice` other than `Auto` | dropped | detail |
| `tool_choice` that is about no tool that is there | dropped | detail |
| `ResponseFormat.Custom` of another dialect, a schema that is no JSON object | dropped | content |
| `name`, `description`, `strict` of a `ResponseFormat.JsonSchema` | dropped | detail |
| `parallel_tool_calls`, `user` | dropped | detail |
| `Thinking.Budget` | rewritten: the model thinks | detail |
| `effort` NONE, MINIMAL, XHIGH | rewritten as the nearest; dropped where thinking is off | detail |
| `Thinking.Custom` of another dialect | dropped | detail |
| material for the model in `extras` of another dialect (documents, a cache, a search) | dropped | content |
| `extras` of another dialect | dropped | detail |

In answers the same holds but for this. What an answer must have and nobody said is invented: `model`, `created_at` (the beginning
of 1970, for there is no clock here). An answer has no id. A stop reason without a word becomes the nearest: `length` where the
answer is not complete, else `stop`. Only what went in and what came out is counted. A further choice is lost with weight content,
and so is the error that broke an answer off.

A stream is lines of JSON (`chatadt.ndjson`): text and thinking are told as they come, tool calls whole before the last line,
which says why the model stopped and counts. One that goes on when something else has begun stands in several parts: a loss.
Reading keeps the time of the first line; the code of an error is dropped.
"""

from __future__ import annotations

from typing import Any, Final

from chatadt.dialects._dialect import Dialect
from chatadt.dialects._openai_like.read import folding
from chatadt.dialects.ollama.codec import NAME
from chatadt.dialects.ollama.read import read_request
from chatadt.dialects.ollama.response import read_response, write_response
from chatadt.dialects.ollama.rules import RULES
from chatadt.dialects.ollama.stream import read_stream, write_stream
from chatadt.dialects.ollama.write import encode_request, write_request
from chatadt.framing import LINES

__all__ = ("DIALECT", "canonical")


def _message(message: Any) -> Any:
    match message:
        case {"role": "system" | "user" | "assistant" | "tool"} if message.get("content") is None:
            return {**message, "content": ""}
        case _:
            return message


canonical: Final = folding(_message)
"""Fold the spellings that the page calls the same, and nothing else, in a request body."""

DIALECT: Final = Dialect(
    NAME,
    str(__doc__),
    RULES,
    read_request,
    write_request,
    canonical,
    encode_request,
    read_response=read_response,
    write_response=write_response,
    read_stream=read_stream,
    write_stream=write_stream,
    framing=LINES,
)
