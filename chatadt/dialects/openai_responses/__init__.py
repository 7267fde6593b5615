"""OpenAI Responses: POST /v1/responses.

The items of a model that follow each other are one message of the assistant; they are written back as the same items. What an
item says beyond its words (id, status, phase, encrypted content) stands in the extras of its first content, under `item`. Items
that there are no words for are `Custom`, within the message of the assistant where a model said them. What only the server has
(`previous_response_id`, `conversation`, `prompt`, an `item_reference`) is a `Message.Custom`: no other dialect can say it.

Spellings that mean the same, and that `canonical` folds:

- the `content` of a user, system or developer message and the `output` of a call as a string, and as a list of one text part that
  has nothing but its text.

What the dialect cannot say:

| word | what becomes of it | weight |
|---|---|---|
| `Image`, `Video`, `PDF`, `File` of an assistant | dropped | content |
| `Image` that is not png, jpeg, gif or webp | dropped | content |
| `Image`, `PDF`, `File` by a URL that is not http(s) | dropped | content |
| `name` of a `PDF` or a `File` by reference | dropped | detail |
| `mime_type` of an `Image`, a `PDF` or a `File` by reference | dropped | detail |
| `PDF`, `File` by value without a name | a name is invented; a blank one is rewritten | detail |
| `Audio` of an assistant | rewritten as its transcript; dropped without one | detail; content |
| `Audio` of a user or a tool | dropped | content |
| `Video` | dropped | content |
| `Reasoning` that this provider did not make | dropped | detail |
| a call of a tool that takes any text, unless OpenAI made it | rewritten as one of a function | detail |
| `outcome` of a `ToolResult` | dropped | detail |
| `tool` of a `ToolResult` whose call does not name it | dropped | detail |
| `name` of a `User` or an `Assistant` | dropped | detail |
| an `Assistant` without contents | dropped | detail |
| a user message or a result of which nothing could be said | a text is invented | detail |
| `Custom` of another dialect | dropped | content |
| `ProviderTool` of another dialect | dropped | content |
| `Tool.parameters` that are no JSON object | dropped | content |
| `ToolChoice.Custom` of another dialect | dropped | detail |
| `tool_choice` that is about no tool that is there, `parallel_tool_calls` where no tool is left | dropped | detail |
| `ResponseFormat.Custom` of another dialect | dropped | content |
| `ResponseFormat.JsonSchema` without a name | a name is invented | detail |
| `top_k`, `stop`, `seed`, `presence_penalty`, `frequency_penalty` | dropped | detail |
| `temperature`, `max_output_tokens` out of its range | rewritten as the nearest that is taken | detail |
| `Thinking.Budget` | rewritten as an effort; dropped beside one | detail |
| `Thinking.Off`, `Thinking.Adaptive`, `Thinking.Custom` | dropped | detail |
| material for the model in `extras` of another dialect (documents, a cache, a search) | dropped | content |
| `extras` of another dialect | dropped | detail |

Where nothing is stored, or no id may be named, a reasoning item without its encrypted content is dropped (detail), and the items
that it led to go without their ids (detail); where nothing is stored, a reference to an item is dropped (content).

In answers the same holds but for this. Reasoning that this provider did not make is shown, in an item of its own. Further choices
are dropped, with weight content. What an answer must have and nobody said is invented: `id`, `created_at`, `model`,
`parallel_tool_calls`, `tool_choice`, `tools`, the id of a message or of a reasoning item, and each count of `usage` where there is
one. A stop reason without a word becomes the nearest: the answer is `incomplete` where it broke off, was paused or its call was
malformed, and for `content_filter` where the model refused without a refusal; else it is `completed`. An error whose code is none
of this provider's becomes a `server_error`.

In a stream everything is said several times. What an end repeats is not told again; what it has beyond the pieces is, and a text
that it has otherwise is kept as `final_text` beside the one that came. An item of the server's own tools comes whole when it begins
and again when it is done; the events between tell nothing else, and are left out unless the stream breaks off before. Events are
numbered anew. A text that goes on after something else stands in several items. A call begins once its name is known, and stays
open while its arguments are not complete; the text of a tool that takes any comes at its end. A stream that breaks off has no last
event.
"""

from __future__ import annotations

from typing import Any, Final

from chatadt.dialects._dialect import Dialect
from chatadt.dialects.openai_responses.codec import NAME
from chatadt.dialects.openai_responses.read import read_request
from chatadt.dialects.openai_responses.response import read_response, write_response
from chatadt.dialects.openai_responses.rules import RULES
from chatadt.dialects.openai_responses.stream import read_stream, write_stream
from chatadt.dialects.openai_responses.write import write_request
from chatadt.framing import NAMED

__all__ = ("DIALECT", "canonical")


def canonical(body: object) -> object:
    """Fold the spellings that the page calls the same, and nothing else, in a request body."""
    folded: Any = body
    match folded:
        case {"input": [*items]}:
            return {**folded, "input": [_item(item) for item in items]}
        case _:
            return folded


def _item(item: Any) -> Any:
    match item:
        case {"role": "user" | "system" | "developer", "content": content}:
            return {**item, "content": _text(content)}
        case {"type": "function_call_output" | "custom_tool_call_output", "output": output}:
            return {**item, "output": _text(output)}
        case _:
            return item


def _text(content: Any) -> Any:
    """A list of one plain text as that text."""
    match content:
        case [{"type": "input_text", "text": str() as text, **rest}] if not rest:
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
    read_response=read_response,
    write_response=write_response,
    read_stream=read_stream,
    write_stream=write_stream,
    framing=NAMED,
)
