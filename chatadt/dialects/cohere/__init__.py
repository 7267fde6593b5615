"""Cohere: POST /v2/chat.

Spellings that mean the same, and that `canonical` folds:

- `content` as a string, and as a list of one text that has nothing but its text.

What the dialect cannot say:

| word | what becomes of it | weight |
|---|---|---|
| `Image` of a tool result | moved to a user message behind the results | detail |
| `Image` by a URL that is not http(s) | dropped | content |
| `Image` by value of a type that is not taken | dropped | content |
| `detail` ORIGINAL of an `Image` | rewritten as high | detail |
| a media type of an `Image` by URL | dropped | detail |
| `Image`, `Video`, `PDF`, `File` of an assistant | dropped | content |
| `Audio` of an assistant | rewritten as its transcript; dropped without one | detail; content |
| `Audio`, `Video`, `PDF` of a user or a tool | dropped | content |
| `File` of text | rewritten as text | detail |
| `File` that is no text | dropped | content |
| `Reasoning` without text | dropped | detail |
| several plans of one message | rewritten as one | detail |
| `Refusal` | rewritten as text | detail |
| a call of a tool that takes any text | rewritten as one of a function | detail |
| contents after a `ToolRequest` | moved before the tool calls | detail |
| `outcome` of a `ToolResult` | dropped | detail |
| `tool` of a `ToolResult` that is not the name in its call | dropped | detail |
| `name` of a `User` or an `Assistant` | dropped | detail |
| a message of which nothing could be said | a text is invented | detail |
| `Custom` of another dialect | dropped | content |
| `ProviderTool` of another dialect | dropped | content |
| `Tool.parameters` that are no JSON object | dropped | content |
| `Tool.strict` that not all tools have alike | dropped | detail |
| `ToolChoice.One` | rewritten: some tool must be called | detail |
| `ToolChoice.Custom` of another dialect | dropped | detail |
| `tool_choice` that is about no tool that is there | dropped | detail |
| `ResponseFormat.Custom` of another dialect, a schema that is no JSON object | dropped | content |
| `name`, `description`, `strict` of a `ResponseFormat.JsonSchema` | dropped | detail |
| `temperature`, `top_p`, `top_k`, a penalty out of its range | rewritten as the nearest that is taken | detail |
| stop sequences after the fifth | dropped | detail |
| `parallel_tool_calls`, `user` | dropped | detail |
| `effort` | dropped; NONE is rewritten: thinking is switched off | detail |
| `Thinking.Custom` of another dialect | dropped | detail |
| material for the model in `extras` of another dialect (documents, a cache, a search) | dropped | content |
| `extras` of another dialect | dropped | detail |

In answers the same holds but for this. Citations stay what the dialect says of the message. What an answer must have and nobody
said is invented: `id`. An answer does not name its model. A stop reason without a word becomes the nearest: `ERROR` where the
answer is not complete, else `COMPLETE`. Tokens that went to a cache and those of audio are not counted; what is billed for is
never invented. A further choice is lost with weight content, and so is the error that broke an answer off.

In a stream contents, plan and tool calls are told as they come, each content started and ended; citations follow when all is
said, and an error stands in the event that ends the message. A content that goes on when something else has begun stands in
several parts: a loss. Log probabilities come one by one.
"""

from __future__ import annotations

from typing import Final

from chatadt.dialects._dialect import Dialect
from chatadt.dialects._openai_like.read import canonical
from chatadt.dialects.cohere.codec import NAME
from chatadt.dialects.cohere.read import read_request
from chatadt.dialects.cohere.response import read_response, write_response
from chatadt.dialects.cohere.rules import RULES
from chatadt.dialects.cohere.stream import read_stream, write_stream
from chatadt.dialects.cohere.write import write_request
from chatadt.framing import NAMED

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
    framing=NAMED,
)
