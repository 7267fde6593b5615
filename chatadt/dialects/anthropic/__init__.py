"""Anthropic Messages: POST /v1/messages.

Spellings that mean the same, and that `canonical` folds:

- `system`, the `content` of a message and the `content` of a tool result as a string, and as a list of one text block that has
  nothing but its text.

What the dialect cannot say:

| word | what becomes of it | weight |
|---|---|---|
| `Image`, `Video`, `PDF`, `File` of an assistant | dropped | content |
| `Image` that is not png, jpeg, gif or webp | dropped | content |
| `Image` by a URL that is not http(s) | dropped | content |
| `Image`, `PDF`, `File` of a failed tool result | moved behind the results of the turn | detail |
| `detail` of an `Image` | dropped | detail |
| a media type in common use (image/jpg) | rewritten as the registered one | detail |
| the media type of a medium by reference | dropped | detail |
| `Audio` of an assistant | rewritten as its transcript; dropped without one | detail; content |
| `Audio` of a user or a tool | dropped | content |
| `Video` | dropped | content |
| `PDF`, `File` by a URL that is not http(s) | dropped | content |
| `PDF` by value of another media type | rewritten as application/pdf | detail |
| `File` that is text | becomes a text document; a media type other than text/plain is rewritten | detail |
| `File` that is neither PDF nor text | dropped | content |
| `Reasoning` without a signature of this provider | dropped | detail |
| `Refusal` | rewritten as text | detail |
| `Arguments` that are no JSON object | rewritten as an object | content |
| a call of a tool that takes any text | rewritten as one of a function | detail |
| `Arguments` that say a key twice | rewritten with the last one, where they are not spliced as text | detail |
| `System` after the first turn, where the model takes none | moved into the user turn before it, or the next one | detail |
| `outcome` DENIED | rewritten as an error | detail |
| `name` of a `User` or an `Assistant` | dropped | detail |
| `tool` of a `ToolResult` that is not the name in its call | dropped | detail |
| a message of which nothing could be said | a text is invented, or the message is dropped | detail |
| `Custom` of another dialect | dropped | content |
| `ProviderTool` of another dialect | dropped | content |
| `Tool` without `parameters` | a schema is invented | detail |
| `Tool.parameters` without type object | rewritten with it | detail |
| `Tool.parameters` that are no JSON object | dropped | content |
| `ToolChoice.Custom` of another dialect | dropped | detail |
| `tool_choice` that is about no tool that is there | dropped | detail |
| `parallel_tool_calls` without tools | dropped | detail |
| `ResponseFormat.JsonObject`, `ResponseFormat.Custom` of another dialect | dropped | content |
| `name`, `description`, `strict` of a `ResponseFormat.JsonSchema` | dropped | detail |
| a blank text in `stop` | dropped | detail |
| `seed`, `presence_penalty`, `frequency_penalty` | dropped | detail |
| `temperature`, `top_p`, `top_k`, for the newest models | dropped | detail |
| `temperature` out of its range | rewritten as the nearest that is taken | detail |
| `max_output_tokens` that is not given beside other parameters | invented | detail |
| `effort` NONE, MINIMAL | rewritten as the nearest | detail |
| `Thinking.Budget` below 1024 | rewritten as 1024 | detail |
| `Thinking.Custom` of another dialect | dropped | detail |
| material for the model in `extras` of another dialect (documents, a cache, a search) | dropped | content |
| `extras` of another dialect | dropped | detail |

In answers the same holds but for this. Further choices are dropped, with weight content. Reasoning without a signature of this
provider is shown with an empty one, which is invented. What an answer must have and nobody said is invented: `id`, `model`,
`usage`. A stop reason without a word becomes the nearest: `max_tokens` where the answer is not complete, `refusal` where a filter
stopped it, else `end_turn`. The error that broke an answer off is lost with weight content.

In a stream one block follows the other, but for tool requests: one stays open while its arguments are not complete, for several
may come in together, and the number of an event tells whose it is. A text that goes on after something else stands in several
blocks. Usage is that of the start until the end tells it; of a stream that breaks off a `message_delta` without a stop reason
tells what was counted, and blocks stay open. Pings say nothing. Arguments that begin as an object go out as they come, any others
when all of them are there, in an object.
"""

from __future__ import annotations

from typing import Any, Final, cast

from chatadt.dialects._dialect import Dialect
from chatadt.dialects.anthropic.codec import NAME
from chatadt.dialects.anthropic.read import read_request
from chatadt.dialects.anthropic.response import read_response, write_response
from chatadt.dialects.anthropic.rules import RULES
from chatadt.dialects.anthropic.stream import read_stream, write_stream
from chatadt.dialects.anthropic.write import encode_request, write_request
from chatadt.framing import NAMED

__all__ = ("DIALECT", "canonical")


def canonical(body: object) -> object:
    """Fold the spellings that the page calls the same, and nothing else, in a request body."""
    folded: Any = dict(cast("dict[str, Any]", body)) if isinstance(body, dict) else body
    match folded:
        case {"messages": [*messages]}:
            folded["messages"] = [_message(message) for message in messages]
        case _:
            return folded
    if "system" in folded:
        folded["system"] = _text(folded["system"])
    return folded


def _message(message: Any) -> Any:
    match message:
        case {"content": [_, *_] as content}:
            return {**message, "content": _text([_result(block) for block in content])}
        case _:
            return message


def _result(block: Any) -> Any:
    match block:
        case {"type": "tool_result", "content": content}:
            return {**block, "content": _text(content)}
        case _:
            return block


def _text(content: Any) -> Any:
    """A list of one plain text as that text."""
    match content:
        case [{"type": "text", "text": str() as text, **rest}] if not rest:
            return text
        case _:
            return content


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
    framing=NAMED,
)
