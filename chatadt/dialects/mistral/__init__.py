"""Mistral: POST /v1/chat/completions of Mistral AI.

Spellings that mean the same, and that `canonical` folds:

- `content` as a string, and as a list of one text chunk that has nothing but its text.

What the dialect cannot say:

| word | what becomes of it | weight |
|---|---|---|
| `Image`, `Audio`, `PDF`, `File` of a tool result of another dialect | moved to a user message behind the results | detail |
| `Image`, `Video`, `PDF`, `File` of an assistant | dropped | content |
| `Image`, `Audio`, `PDF`, `File` by a URL that is not http(s) | dropped | content |
| `Image` by value of a type that is not taken | dropped | content |
| `detail` ORIGINAL of an `Image` | rewritten as high | detail |
| a media type of what is taken by URL | dropped | detail |
| a media type of `Audio` other than its first bytes show | rewritten as that; dropped where they show none | detail |
| `transcript` of the `Audio` of a user or a tool | dropped | detail |
| `Audio` of an assistant | rewritten as its transcript; dropped without one | detail; content |
| `Video` | dropped | content |
| `File` of text from another dialect | rewritten as text | detail |
| `PDF`, `File` that is no PDF, Word or PowerPoint document | dropped | content |
| the name of a file that the provider keeps | dropped | detail |
| `Reasoning` without text | dropped | detail |
| `Refusal` | rewritten as text | detail |
| a call of a tool that takes any text | rewritten as one of a function | detail |
| contents after a `ToolRequest` | moved before the tool calls | detail |
| `outcome` of a `ToolResult` | dropped | detail |
| `name` of a `User` or an `Assistant` | dropped | detail |
| a message of which nothing could be said | a text is invented | detail |
| `Custom` of another dialect | dropped | content |
| `ProviderTool` of another dialect | dropped | content |
| `Tool.parameters` that are no JSON object | dropped | content |
| `ToolChoice.Custom` of another dialect | dropped | detail |
| `tool_choice` that is about no tool that is there, `parallel_tool_calls` where no tool is left | dropped | detail |
| `ResponseFormat.Custom` of another dialect | dropped | content |
| `ResponseFormat.JsonSchema` without a name | a name is invented | detail |
| `user` | dropped | detail |
| `Thinking.Budget` | rewritten as an effort; dropped where there is one | detail |
| `Thinking.Off`, `Thinking.Adaptive`, `Thinking.Custom` | dropped | detail |
| material for the model in `extras` of another dialect (documents, a cache, a search) | dropped | content |
| `extras` of another dialect | dropped | detail |

In answers the same holds but for this. A refusal is a text, so that a client cannot tell it. What an answer must have and nobody
said is invented: `id`, `created` (0, for there is no clock here), `model`, counts of tokens. A stop reason without a word becomes
the nearest: `error` where the answer is not complete, else `stop`. Tokens that went to a cache, that the model thought with, and
of audio that it said are not counted. The error that broke an answer off is lost with weight content.

In a stream text and thinking are told as they come, tool calls whole, in the chunk that says why the model stopped and counts.
Two texts that follow each other are joined, and so is one that goes on when something else has begun: a loss. Reading keeps the
first id and the first `created`; thinking that holds anything but texts is a block of its own.
"""

from __future__ import annotations

from typing import Final

from chatadt.dialects._dialect import Dialect
from chatadt.dialects._openai_like.framing import FRAMING
from chatadt.dialects._openai_like.read import canonical
from chatadt.dialects.mistral.codec import NAME
from chatadt.dialects.mistral.read import read_request
from chatadt.dialects.mistral.response import read_response, write_response
from chatadt.dialects.mistral.rules import RULES
from chatadt.dialects.mistral.stream import read_stream, write_stream
from chatadt.dialects.mistral.write import write_request

__all__ = ("DIALECT", "canonical")

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
