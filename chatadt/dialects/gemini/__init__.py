"""Gemini: POST /v1beta/models/{model}:generateContent, of the Gemini API and of Vertex AI.

Spellings that mean the same, and that `canonical` folds:

- the names of fields in camelCase and in snake_case;
- a field that is null, and one that is left out;
- one object where a list is meant (`contents`, `parts`, `tools`, `functionDeclarations`), and a list of it.

How a body was spelt is noted, and mostly it goes home as it was; a name that was spelt in both ways goes home in one of them.

What differs between generations of models goes by the name of the model (`rules.py`), which stands in the URL; none that is known
stands for the newest. A call without an id gets one that is made up from its place (`call_1`, …), goes home without, and so do the
results that answer it.

What the dialect cannot say:

| word | what becomes of it | weight |
|---|---|---|
| `Image`, `Audio`, `Video`, `File` by value of a media type that is not taken | dropped | content |
| `Image`, `Audio`, `Video`, `PDF`, `File` by a URL that is not http(s), gs or of the Files API | dropped | content |
| `Audio` that is not taken and has a transcript | rewritten as its transcript | detail |
| `Image`, `Audio`, `Video`, `PDF`, `File` of a tool result that does not take it | moved behind the results of the turn | detail |
| a media type in common use (image/jpg), a text under another name (application/json) | rewritten as one that is taken | detail |
| a medium by URL without a media type | a media type is invented | detail |
| `detail` of an `Image`, `transcript` of an `Audio`, `name` of a `PDF` or a `File` | dropped | detail |
| `Reasoning` without a text | dropped | detail |
| `Refusal` | rewritten as text | detail |
| `Arguments` that are no JSON object | rewritten as an object | content |
| a call of a tool that takes any text | rewritten as one of a function | detail |
| `Arguments` that say a key twice | rewritten with the last one, where they are not spliced as text | detail |
| the first `ToolRequest` of a message from another model, from Gemini 3 on | a thought signature is invented | detail |
| `id` of a `ToolRequest` or a `ToolResult`, for Gemini 1 | dropped | detail |
| texts of a `ToolResult`, more than one | rewritten as one | detail |
| `tool` of a `ToolResult` that no call says | a name is invented | detail |
| `outcome` DENIED | rewritten as an error | detail |
| `System` after the first turn | moved into the user turn before it, or the next one | detail |
| `name` of a `User` or an `Assistant` | dropped | detail |
| a user message of which nothing could be said | a text is invented | detail |
| `Custom` of another dialect | dropped | content |
| `ProviderTool` of another dialect | dropped | content |
| `Tool.strict` | dropped | detail |
| `ToolChoice.Custom` of another dialect, `tool_choice` that is about no tool that is there | dropped | detail |
| `ResponseFormat.Custom` of another dialect | dropped | content |
| `name`, `description`, `strict` of a `ResponseFormat.JsonSchema` | dropped | detail |
| `model`, `stream`: they stand in the URL | dropped | detail |
| `user`, `parallel_tool_calls` | dropped | detail |
| `Thinking.Custom` of another dialect; a budget where there is an effort; any `Thinking` before Gemini 2.5 | dropped | detail |
| `Thinking.Budget` of 0 or -1 | rewritten as thinking that is off or adaptive | detail |
| `effort` NONE, XHIGH, MAX, and any before Gemini 3 | rewritten as the nearest level or budget | detail |
| `effort` where thinking is off, or has a budget before Gemini 3; any before Gemini 2.5 | dropped | detail |
| material for the model in `extras` of another dialect (documents, a cache, a search) | dropped | content |
| `extras` of another dialect, or of this one where they have no place | dropped | detail |

In answers the same holds but for this. No signature is invented. Nothing needs to be there, so that nothing else is invented
either. A stop reason without a word becomes the nearest: `MAX_TOKENS` for a context that overflowed, `STOP` for a stop sequence,
`SAFETY` for a refusal, none where the answer was interrupted, else `OTHER`. `cache_write` of the usage is dropped. The error that
broke an answer off is lost with weight content.

A call without an id gets one of the answer's id and its place (`call_`, the id, `_1`), and goes home without. A prompt that was
blocked is an answer without contents that a filter stopped. What is said of the first candidate besides its content (citations,
grounding, safety ratings, log probabilities) is in the extras of the metadata under `candidates`, that of the others in their
own.

In a stream each part is a chunk; the stop reason, the counts and what is said of a candidate besides come in the last one, and a
stream of another dialect that ends without a reason is said to end with `STOP`. A call stands whole, when its arguments are
complete: a text that came before that overtakes it. A client joins texts of one kind that follow each other, and parts one that
goes on after something else. Reading joins them too, unless one is signed, which then is a block of its own. It goes by the first
id and the first model (another one that a later chunk says is in the extras), the last stop reason, and the scores of the last of
the safety ratings that say the same in words; an empty text, and how names are spelt, say nothing. Arguments in pieces
(`partialArgs`) are read when they are complete and written whole.
"""

from __future__ import annotations

from typing import Any, Final

from chatadt.dialects._dialect import Dialect
from chatadt.dialects.gemini.codec import NAME, OPAQUE, in_camel
from chatadt.dialects.gemini.read import read_request
from chatadt.dialects.gemini.response import read_response, write_response
from chatadt.dialects.gemini.rules import RULES
from chatadt.dialects.gemini.stream import read_stream, write_stream
from chatadt.dialects.gemini.write import encode_request, write_request
from chatadt.framing import NAMELESS

__all__ = ("DIALECT", "canonical")

_REPEATED: Final = frozenset({"contents", "parts", "tools", "functionDeclarations"})


def canonical(body: object) -> object:
    """Fold the spellings that the page calls the same, and nothing else, in the body of a request or of an answer."""
    try:
        return _folded(in_camel(body, {}))
    except RecursionError:  # so deep that no server reads it, and nothing of it is spelt in two ways
        return body


def _folded(value: Any) -> Any:
    if value.__class__ is list:
        return [_folded(item) for item in value]
    if value.__class__ is dict:
        return {key: _field(key, item) for key, item in value.items() if item is not None}
    return value


def _field(key: str, item: Any) -> Any:
    if key in OPAQUE:
        return item
    return _folded([item] if key in _REPEATED and isinstance(item, dict) else item)


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
    framing=NAMELESS,
)
