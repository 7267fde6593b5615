"""Bedrock Converse: POST /model/{modelId}/converse, and what Nova takes by InvokeModel, which is the same but for some names.

There are no equivalent spellings: a body is written exactly as it was read.

Media stand as base64, as in JSON, or as bytes, as the SDK (`boto3`) takes them: both are read, and what came as bytes is written as
bytes. `with_bytes` and `with_base64` turn a whole body into the other form. The model mostly stands in the URL, and is not known
then; what passes through to the model is written for a Claude in that case.

A mark of the prompt cache is a block of its own here; it is read as the `cache_control` of the nearest block before it that may
carry one, which other dialects of Claude know, and the other way round; elsewhere it is lost as a `cachePoint`. Reasoning that a
Claude signed passes between them as well.

What the dialect cannot say:

| word | what becomes of it | weight |
|---|---|---|
| `Image`, `Video`, `PDF`, `File` of an assistant | dropped | content |
| `Image`, `Audio`, `Video`, `PDF`, `File` by a URL that is not s3:// | dropped | content |
| a medium of a format that there is not | dropped | content |
| a media type that is not the one of its format | rewritten as the format | detail |
| `detail` of an `Image` | dropped | detail |
| `transcript` of an `Audio` | dropped | detail |
| `Audio` of an assistant | rewritten as its transcript; dropped without one | detail; content |
| `Audio` of a tool result | moved behind the results of the turn | detail |
| `PDF`, `File` without a name | a name is invented; an empty one is rewritten | detail |
| `Reasoning` without a signature of a Claude, or for another model | dropped | detail |
| `Refusal` | rewritten as text | detail |
| `Arguments` that are no JSON object | rewritten as an object | content |
| a call of a tool that takes any text | rewritten as one of a function | detail |
| `Arguments` that say a key twice | rewritten with the last one, where they are not spliced as text | detail |
| `System` after the first turn | moved into the user turn before it, or the next one | detail |
| `outcome` DENIED | rewritten as an error | detail |
| `name` of a `User` or an `Assistant` | dropped | detail |
| `tool` of a `ToolResult` that is not the tool of its call | dropped | detail |
| a user message of which nothing could be said | a text is invented | detail |
| `Custom` of another dialect | dropped | content |
| `ProviderTool` of another dialect | dropped | content |
| `Tool.parameters` without type object | rewritten with it | detail |
| `Tool.parameters` that are no JSON object | dropped | content |
| `ToolChoice.Never` | rewritten: the tools are dropped; where the history calls some, it is dropped itself | detail |
| `ToolChoice.Custom` of another dialect, `tool_choice` that is about no tool that is there | dropped | detail |
| `ResponseFormat.JsonObject`, `ResponseFormat.Custom` of another dialect | dropped | content |
| `strict` of a `ResponseFormat.JsonSchema` | dropped | detail |
| `parallel_tool_calls`, `seed`, `presence_penalty`, `frequency_penalty`, `stream`, `user` | dropped | detail |
| `temperature`, `top_p`, `top_k`, for the newest models of Claude | dropped | detail |
| `temperature`, `top_p`, `max_output_tokens` out of its range | rewritten as the nearest that is taken | detail |
| `top_k`, `thinking`, for a model that does not take it | dropped | detail |
| `effort` NONE, MINIMAL | rewritten as the nearest | detail |
| `Thinking.Custom` of another dialect | dropped | detail |
| material for the model in `extras` of another dialect (documents, a cache, a search) | dropped | content |
| `extras` of another dialect | dropped | detail |

In answers the same holds but for this. An answer has media by value. Reasoning without a signature is shown without one. Further
choices are dropped, with weight content; so is the error that broke an answer off. The `id` and the `model` are dropped, and the
count of reasoning tokens: the server tells none. What an answer must have and nobody said is invented: `usage`, `metrics`. A stop
reason without a word becomes the nearest: `max_tokens` where the answer is not complete, `content_filtered` for a refusal, else
`end_turn`. Ids and names of calls that the service cannot have are respelt. `usage` counts the cache apart from `inputTokens`;
what servers send under the older names of InvokeModel comes home as well.

A stream has the form that boto3 gives events, an object with one key, with blobs as base64 or bytes; `chatadt.aws_events` reads
the bytes of a response. One block follows the other, but for tool requests: one stays open while its arguments are not complete,
for several may come in together, and the number of an event tells whose it is. A text that goes on after something else stands in
several blocks. `metrics`, `trace` and what there is besides stand beside the usage, at the end, also of a stream that breaks off,
which has no `messageStop`. Audio, video and documents cannot be streamed, and are dropped, with weight content. An exception in
the stream is its error, under its name; that of another provider becomes the nearest, else `internalServerException`. InvokeModel
with a Nova closes the block after each piece of a text: those are one text. Padding says nothing.
"""

from __future__ import annotations

from typing import Final

from chatadt.dialects._dialect import Dialect
from chatadt.dialects.bedrock.blobs import with_base64, with_bytes
from chatadt.dialects.bedrock.codec import NAME
from chatadt.dialects.bedrock.read import read_request
from chatadt.dialects.bedrock.response import read_response, write_response
from chatadt.dialects.bedrock.rules import RULES
from chatadt.dialects.bedrock.stream import read_stream, write_stream
from chatadt.dialects.bedrock.write import encode_request, write_request
from chatadt.framing import AWS

__all__ = ("DIALECT", "canonical", "with_base64", "with_bytes")


def canonical(body: object) -> object:
    """Fold the spellings that the page calls the same: there are none."""
    return body


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
    framing=AWS,
)
