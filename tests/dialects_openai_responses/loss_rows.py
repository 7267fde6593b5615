"""The loss table in the page, row by row: which losses a row speaks of, and words that bring them about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dialects.examples import CONTENT, DETAIL, DROPPED, INVENTED, PDF, REWRITTEN, WAV
from dialects.loss_rows import (
    A_PDF,
    A_ZIP,
    BUCKET,
    CUSTOM,
    FAR,
    GROQ,
    MEDIA,
    SPOKEN,
    STRANGE,
    VIDEO,
    Kind,
    Row,
    assistant,
    params,
    result,
    row,
    user,
)

from chatadt import (
    ChatRequest,
    Content,
    Effort,
    Json,
    Message,
    ModelParams,
    Outcome,
    ProviderTool,
    Resource,
    ResponseFormat,
    Thinking,
    Tool,
    ToolChoice,
)
from chatadt.dialects.openai_responses.codec import NAME

__all__ = ("ROWS",)

TYPED: Final = Resource.Ref("https://example.org/a", "image/png")

ROWS: Final[Mapping[str, Row]] = {
    "`Image`, `Video`, `PDF`, `File` of an assistant": row(
        "(image|video|pdf|file) of an assistant", DROPPED, CONTENT, *(assistant(medium) for medium in MEDIA)
    ),
    "`Image` that is not png, jpeg, gif or webp": row(
        "image",
        DROPPED,
        CONTENT,
        user(Content.Image(Resource.Binary(PDF, "image/bmp"))),
        user(Content.Image(Resource.Binary("AAAA"))),
    ),
    "`Image`, `PDF`, `File` by a URL that is not http(s)": row(
        "image|pdf|file",
        DROPPED,
        CONTENT,
        *(user(medium) for medium in (Content.Image(BUCKET), Content.PDF(BUCKET), Content.File(BUCKET))),
    ),
    "`name` of a `PDF` or a `File` by reference": row(
        "the name of a file", DROPPED, DETAIL, user(Content.PDF(FAR, "a")), user(Content.File(FAR, "a"))
    ),
    "`mime_type` of an `Image`, a `PDF` or a `File` by reference": row(
        "the media type",
        DROPPED,
        DETAIL,
        *(user(medium) for medium in (Content.Image(TYPED), Content.PDF(TYPED), Content.File(TYPED))),
    ),
    "`PDF`, `File` by value without a name": Row(
        (Kind("a file name", INVENTED, DETAIL), Kind("a file name", REWRITTEN, DETAIL)),
        (user(Content.PDF(A_PDF)), user(Content.File(A_ZIP)), user(Content.PDF(A_PDF, " "))),
    ),
    "`Audio` of an assistant": Row(
        (Kind("audio", REWRITTEN, DETAIL), Kind("audio of an assistant", DROPPED, CONTENT)),
        (assistant(SPOKEN), assistant(Content.Audio(FAR))),
    ),
    "`Audio` of a user or a tool": row(
        "audio", DROPPED, CONTENT, user(SPOKEN), result(Content.Audio(Resource.Binary(WAV, "audio/wav")))
    ),
    "`Video`": row("video", DROPPED, CONTENT, user(VIDEO), result(VIDEO)),
    "`Reasoning` that this provider did not make": row("reasoning", DROPPED, DETAIL, assistant(Content.Reasoning("hm"))),
    "a call of a tool that takes any text, unless OpenAI made it": row(
        "a call of free-form text", REWRITTEN, DETAIL, assistant(Content.ToolRequest("c1", "f", '"a"', GROQ))
    ),
    "`outcome` of a `ToolResult`": row(
        "the outcome", DROPPED, DETAIL, *(result("a", outcome=outcome) for outcome in (Outcome.ERROR, Outcome.DENIED))
    ),
    "`tool` of a `ToolResult` whose call does not name it": row(
        "the name of the tool", DROPPED, DETAIL, ChatRequest([Message.ToolResult("c1", "f", "a")])
    ),
    "`name` of a `User` or an `Assistant`": row(
        "the name of the (user|assistant)", DROPPED, DETAIL, user("a", name="ann"), assistant("a", name="bob")
    ),
    "an `Assistant` without contents": row("a message", DROPPED, DETAIL, assistant()),
    "a user message or a result of which nothing could be said": row("a text", INVENTED, DETAIL, user(VIDEO), result(VIDEO)),
    "`Custom` of another dialect": row(
        "a block|a message",
        DROPPED,
        CONTENT,
        *(user(CUSTOM), assistant(CUSTOM), ChatRequest([Message.Custom({"a": 1}, "gemini")])),
        *(user(Content.Custom(NAME, [1])), ChatRequest([Message.Custom([1], NAME)])),
    ),
    "`ProviderTool` of another dialect": row("a tool", DROPPED, CONTENT, params(tools=[ProviderTool("gemini", {"a": 1})])),
    "`Tool.parameters` that are no JSON object": row("the schema", DROPPED, CONTENT, params(tools=[Tool("f", None, Json("[]"))])),
    "`ToolChoice.Custom` of another dialect": row(
        "the tool choice", DROPPED, DETAIL, params(tool_choice=ToolChoice.Custom("gemini", {"a": 1}))
    ),
    "`tool_choice` that is about no tool that is there, `parallel_tool_calls` where no tool is left": row(
        "the tool choice|parallel_tool_calls",
        DROPPED,
        DETAIL,
        params(tools=[ProviderTool("gemini", {})], tool_choice=ToolChoice.Required(), parallel_tool_calls=True),
    ),
    "`ResponseFormat.Custom` of another dialect": row(
        "the response format", DROPPED, CONTENT, params(response_format=ResponseFormat.Custom("gemini", {"a": 1}))
    ),
    "`ResponseFormat.JsonSchema` without a name": row(
        "a name", INVENTED, DETAIL, params(response_format=ResponseFormat.JsonSchema({"type": "object"}))
    ),
    "`top_k`, `stop`, `seed`, `presence_penalty`, `frequency_penalty`": row(
        "top_k|stop|seed|presence_penalty|frequency_penalty",
        DROPPED,
        DETAIL,
        *(params(**{name: 1}) for name in ("top_k", "seed", "presence_penalty", "frequency_penalty")),
        params(stop=["a"]),
    ),
    "`temperature`, `max_output_tokens` out of its range": row(
        "temperature|max_output_tokens", REWRITTEN, DETAIL, params(temperature=2.5, max_output_tokens=15)
    ),
    "`Thinking.Budget`": Row(
        (Kind("the budget for thinking", REWRITTEN, DETAIL), Kind("the budget for thinking", DROPPED, DETAIL)),
        (
            *(params(thinking=Thinking.Budget(tokens)) for tokens in (1_024, 9_999, 99_999)),
            params(thinking=Thinking.Budget(1_024), effort=Effort.LOW),
        ),
    ),
    "`Thinking.Off`, `Thinking.Adaptive`, `Thinking.Custom`": row(
        "thinking",
        DROPPED,
        DETAIL,
        *(params(thinking=thinking) for thinking in (Thinking.Off(), Thinking.Adaptive(), Thinking.Custom("gemini", 1))),
    ),
    "material for the model in `extras` of another dialect (documents, a cache, a search)": row(
        r"(cachedContent|documents|context|mcp_servers|plugins|promptVariables|(search_param|web_search_op).+) \(.+\)",
        DROPPED,
        CONTENT,
        params(extras={"gemini": {"cachedContent": "c"}, "cohere": {"documents": ["d"]}}),
    ),
    "`extras` of another dialect": row(
        rf".* \((?!{NAME}\)).+\)",
        DROPPED,
        DETAIL,
        *(user(Content.Text("a", STRANGE)), assistant(Content.Text("a", STRANGE)), params(extras=STRANGE)),
        *(ChatRequest([Message.System("a", STRANGE)]), ChatRequest([Message.User("a", extras=STRANGE)], ModelParams())),
    ),
}
"""By the first cell of a row. What of another dialect is like what of this one is no JSON object."""
