"""OpenAI Chat: POST /v1/chat/completions, and the servers that speak it.

Spellings that mean the same, and that `canonical` folds:

- `content` as a string, and as a list of one text part that has nothing but its text;
- the `content` of an assistant as null, and left out.

What the dialect cannot say:

| word | what becomes of it | weight |
|---|---|---|
| `Image`, `Video`, `PDF`, `File` of an assistant | dropped | content |
| `Image`, `Audio`, `PDF`, `File` of a tool result | moved to a user message behind the results | detail |
| `Image` by a URL that is not http(s) | dropped | content |
| `Image` by value of a type that is not taken | dropped | content |
| `Audio` by URL, or not wav or mp3 | dropped | content |
| `transcript` of an `Audio` that is sent | dropped | detail |
| what an `Audio` says beside its id | dropped | detail |
| `Audio` of an assistant without its id | rewritten as its transcript; dropped without one | detail; content |
| `Video` | dropped | content |
| `PDF`, `File` by URL | dropped | content |
| the media type of a medium by reference | dropped | detail |
| `File` of text from another dialect | rewritten as text | detail |
| `PDF`, `File` without a name | a name is invented; a blank one is rewritten | detail |
| the name of a file that the provider keeps | dropped | detail |
| `Reasoning` | back to the field it came from, and several of one field are joined; else dropped | detail |
| what a `Reasoning` says beside its text | dropped | detail |
| a call of a tool that takes any text, unless OpenAI made it | rewritten as one of a function | detail |
| contents after a `ToolRequest` | moved before the tool calls | detail |
| `outcome` of a `ToolResult` | dropped | detail |
| `tool` of a `ToolResult` that is not the name in its call | dropped | detail |
| a message of which nothing could be said | a text is invented, or the message is dropped | detail |
| `Custom` of another dialect | dropped | content |
| `ProviderTool` of another dialect | dropped | content |
| `ToolChoice.Custom` of another dialect | dropped | detail |
| `tool_choice`, `parallel_tool_calls` that are about no tool that is there | dropped | detail |
| `ResponseFormat.Custom` of another dialect | dropped | content |
| `ResponseFormat.JsonSchema` without a name | a name is invented | detail |
| `top_k` | dropped | detail |
| `Thinking.Budget` | rewritten as an effort; dropped beside one | detail |
| `Thinking.Off` | rewritten as the effort none; dropped beside another | detail |
| `Thinking.Adaptive`, `Thinking.Custom` | dropped | detail |
| material for the model in `extras` of another dialect (documents, a cache, a search) | dropped | content |
| `extras` of another dialect | dropped | detail |

In answers the same holds but for this. Reasoning stands in `reasoning_content`, several texts are joined to one, and so are
refusals; audio comes with its payload. What an answer must have and nobody said is invented: `id`, `created` (0, for there is no
clock here), `model`, counts of tokens. A stop reason without a word becomes the nearest: `length` where the answer is not
complete, else `stop`. The error that broke an answer off is lost with weight content. An empty `refusal`, `audio` or
`function_call` that a server filled in says nothing.

In a stream each delta is a chunk; a tool call begins with its whole name, usage comes last. Reading keeps the first id and the
first `created`; what a chunk says again replaces what it said; `obfuscation` says nothing, nor does the message so far beside a
delta. A block that comes in one piece and only another dialect knows is dropped, with weight content; further texts and refusals
are said, and a client joins them to the first.
"""

from __future__ import annotations

from typing import Any, Final

from chatadt.dialects._dialect import Dialect
from chatadt.dialects._openai_like.framing import FRAMING
from chatadt.dialects._openai_like.read import folding, plain_content
from chatadt.dialects.openai_chat.codec import NAME
from chatadt.dialects.openai_chat.read import read_request
from chatadt.dialects.openai_chat.response import read_response, write_response
from chatadt.dialects.openai_chat.rules import RULES
from chatadt.dialects.openai_chat.stream import read_stream, write_stream
from chatadt.dialects.openai_chat.write import write_request

__all__ = ("DIALECT", "canonical")


def _message(message: Any) -> Any:
    match message:
        case {"role": "assistant", "content": None}:
            return {key: value for key, value in message.items() if key != "content"}
        case _:
            return plain_content(message)


canonical: Final = folding(_message)
"""Fold the spellings that the page calls the same, and nothing else, in the body of a request or of an answer."""


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
    framing=FRAMING,
)
