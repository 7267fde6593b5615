"""What messages cost, in tokens: an estimate by kind, and exact counts of text by a tokenizer that you bring."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Sized
from typing import Final, Protocol, TypeAlias, assert_never

from chatadt.content import Arguments, Content, Detail
from chatadt.json import Json
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("Cost", "by_huggingface", "by_kind", "by_tiktoken", "cost_of", "quarter")

Cost: TypeAlias = Callable[[Message.T], int]
"""What one message costs, in whatever unit the budget has; a history costs what its messages cost together."""


class _Tiktoken(Protocol):
    """What is asked of `tiktoken.Encoding`."""

    def encode_ordinary(self, text: str, /) -> Sized: ...


class _HuggingFace(Protocol):
    """What is asked of `tokenizers.Tokenizer` and of the tokenizers in `transformers`."""

    def encode(self, text: str, /, *, add_special_tokens: bool) -> Sized: ...


def quarter(text: str) -> int:
    """The tokens of a text, about: a quarter of its bytes in UTF-8, rounded up."""
    return -(-len(text if text.isascii() else text.encode("utf-8", "surrogatepass")) // 4)


def by_tiktoken(encoding: _Tiktoken) -> Callable[[str], int]:
    """Count text by an encoding of tiktoken, for `by_kind`: `by_tiktoken(tiktoken.get_encoding("o200k_base"))`.

    You load the encoding, because that reads files or the network. Text that looks like a special token counts as the text it is.
    """
    return lambda text: len(encoding.encode_ordinary(_sendable(text)))


def by_huggingface(tokenizer: _HuggingFace) -> Callable[[str], int]:
    """Count text by a tokenizer of Hugging Face, for `by_kind`: `by_huggingface(tokenizers.Tokenizer.from_file("tokenizer.json"))`.

    A tokenizer of `transformers` will do as well. You load it, because that reads files or the network.
    """
    return lambda text: len(tokenizer.encode(_sendable(text), add_special_tokens=False))


def by_kind(
    text: Callable[[str], int] = quarter,
    *,
    message: int = 4,
    image: int = 1_600,
    low_image: int = 85,
    audio: int = 2_000,
    video: int = 16_000,
    document: int = 8_000,
) -> Cost:
    """The cost of a message by the kinds of its contents, in tokens.

    `text` counts text, reasoning, refusals, names, and the arguments of tool requests. Each message costs `message` besides. Media
    cost what is said of their kind, however many bytes they have: base64 is never counted as text, not even in what only a dialect
    knows. A text file by value costs the tokens of its text.

    The defaults are round numbers for a large image, a minute of audio or video and a few pages, where providers count between 85
    and 1,600 tokens for an image, 32 a second of audio, 258 to 300 a second of video, and 1,500 to 3,000 for a page. Give your own
    where you know the media better.
    """

    def count(said: Message.T) -> int:
        if isinstance(said, Message.Custom):
            return message + unknown(said.attributes)
        names = [
            *([said.name] if isinstance(said, Message.User | Message.Assistant) and said.name else []),
            *([said.tool] if isinstance(said, Message.ToolResult) and said.tool else []),
        ]
        return message + sum(map(text, names)) + sum(map(counted, said.contents))

    def counted(content: Content.T) -> int:
        match content:
            case Content.Text() | Content.Reasoning() | Content.Refusal():
                return text(content.text)
            case Content.ToolRequest():
                return text(content.name) + text(_arguments(content.arguments))
            case Content.Image(detail=Detail.LOW):
                return low_image
            case Content.Image():
                return image
            case Content.Audio():
                return audio
            case Content.Video():
                return video
            case Content.PDF():
                return document
            case Content.File():
                words = _words(content.resource)
                return document if words is None else text(words)
            case Content.Custom():
                return unknown(content.value)
            case _:
                assert_never(content)

    def unknown(value: Json) -> int:
        rest, media = _ENCODED.subn("", value.text.replace("\\/", "/"))
        return text(rest) + media * image

    return count


def cost_of(messages: Iterable[Message.T], cost: Cost = by_kind()) -> int:  # noqa: B008 (pure)
    """What a history, or any messages, cost together."""
    return sum(map(cost, messages))


_RUN: Final = "[A-Za-z0-9+/_-]"
_ENCODED: Final = re.compile(
    rf"(?:(?<!{_RUN})|(?<=\\n))(?:(?:{_RUN}{{64}}(?:{_RUN}{{12}})?(?:\\r)?\\n){{3,}}{_RUN}*+={{0,2}}(?:\\n)?|{_RUN}{{256,}}+={{0,2}})"
)
"""What can only be base64 in a text of JSON, in lines of 64 or 76 letters or without any: no word and no number is that long."""


def _arguments(arguments: Arguments.T) -> str:
    match arguments:
        case Arguments.Parsed():
            return arguments.json.text
        case Arguments.Malformed():
            return arguments.text
        case _:
            assert_never(arguments)


def _words(resource: Resource.T) -> str | None:
    """The text of a file, where that is what it holds."""
    match resource:
        case Resource.Binary(mime_type=str() as kind) if kind.startswith("text/"):
            return b64decode(resource.content).decode("utf-8", "replace")
        case Resource.Binary() | Resource.Ref():
            return None
        case _:
            assert_never(resource)


def _sendable(text: str) -> str:
    """The text as UTF-8 can say it: tokenizers take no half of a surrogate pair."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
