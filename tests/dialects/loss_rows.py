"""The loss table of each dialect, row by row: which losses a row speaks of, and words that bring them about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, final

from attrs import field, frozen

from chatadt import (
    ChatRequest,
    Content,
    Effort,
    Extras,
    Json,
    Loss,
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
from chatadt.content import Detail
from chatadt.loss import Action, Weight

from .examples import CONTENT, DETAIL, DROPPED, INVENTED, MOVED, PDF, PNG, REWRITTEN, TEXT, WAV

__all__ = ("ROWS", "Kind", "Row")


@final
@frozen
class Kind:
    """The losses that are alike: `what` is a regular expression."""

    what: re.Pattern[str] = field(converter=lambda text: re.compile(text, re.DOTALL))
    action: Action
    weight: Weight

    def is_of(self, loss: Loss) -> bool:
        """Whether a loss is of this kind."""
        return self.action is loss.action and self.weight is loss.weight and self.what.fullmatch(loss.what) is not None


@final
@frozen
class Row:
    """What one row of a table speaks of, and the requests that show it."""

    kinds: tuple[Kind, ...]
    shown_by: tuple[ChatRequest, ...]


def user(*contents: Any, name: str | None = None) -> ChatRequest:
    return ChatRequest([Message.User(contents, name)])


def assistant(*contents: Any, name: str | None = None) -> ChatRequest:
    return ChatRequest([Message.Assistant(contents, name)])


def result(*contents: Any, outcome: Outcome = Outcome.OK) -> ChatRequest:
    return ChatRequest([Message.Assistant([CALL]), Message.ToolResult("c1", "f", contents, outcome)])


def params(**fields: Any) -> ChatRequest:
    return ChatRequest([Message.User("a")], ModelParams(**{"max_output_tokens": 7, **fields}))


def row(what: str, action: Action, weight: Weight, *shown_by: ChatRequest) -> Row:
    return Row((Kind(what, action, weight),), shown_by)


CALL: Final = Content.ToolRequest("c1", "f", {})
TYPED: Final = Resource.Ref("https://example.org/a", "image/png")
FAR: Final = Resource.Ref("https://example.org/a")
BUCKET: Final = Resource.Ref("gs://bucket/a")
IMAGE: Final = Content.Image(Resource.Binary(PNG, "image/png"))
A_PDF: Final = Resource.Binary(PDF, "application/pdf")
A_CSV: Final = Resource.Binary(TEXT, "text/csv")
A_ZIP: Final = Resource.Binary(PNG, "application/zip")
VIDEO: Final = Content.Video(FAR)
SPOKEN: Final = Content.Audio(FAR, "hello")
FREE: Final = Extras({"openai_responses": {"$type": "custom"}})
GROQ: Final = Extras({"groq": {"$type": "custom"}})
STRANGE: Final = Extras({"gemini": {"a": 1}})
CUSTOM: Final = Content.Custom("gemini", {"a": 1})
MEDIA: Final = (IMAGE, VIDEO, Content.PDF(A_PDF, "a.pdf"), Content.File(A_ZIP, "a.zip"))

OPENAI_CHAT: Final[Mapping[str, Row]] = {
    "`Image`, `Video`, `PDF`, `File` of an assistant": row(
        "(image|video|pdf|file) of an assistant", DROPPED, CONTENT, *(assistant(medium) for medium in MEDIA)
    ),
    "`Image`, `Audio`, `PDF`, `File` of a tool result": row(
        "(image|audio|video|pdf|file) of a tool result",
        MOVED,
        DETAIL,
        *(result(medium) for medium in (IMAGE, Content.PDF(A_PDF, "a"), Content.File(A_ZIP, "a"))),
        result(Content.Audio(Resource.Binary(WAV, "audio/wav"))),
    ),
    "`Image` by a URL that is not http(s)": row("image", DROPPED, CONTENT, user(Content.Image(BUCKET))),
    "`Image` by value of a type that is not taken": row(
        "image", DROPPED, CONTENT, user(Content.Image(Resource.Binary(TEXT, "image/bmp")))
    ),
    "`Audio` by URL, or not wav or mp3": row(
        "audio", DROPPED, CONTENT, user(Content.Audio(FAR)), user(Content.Audio(Resource.Binary(WAV, "audio/flac")))
    ),
    "`transcript` of an `Audio` that is sent": row(
        "the transcript",
        DROPPED,
        DETAIL,
        user(Content.Audio(Resource.Binary(WAV, "audio/wav"), "hello")),
        assistant(Content.Audio(Resource.Ref("urn:chatadt:openai:file:audio_1"), "hello")),
    ),
    "what an `Audio` says beside its id": row(
        "(.+ of )?the audio",
        DROPPED,
        DETAIL,
        assistant(Content.Audio(Resource.Ref("urn:chatadt:openai:file:a"), None, Extras({"openai_chat": {"expires_at": 1}}))),
        assistant(Content.Audio(Resource.Binary(WAV), None, Extras({"openai_chat": {"id": "audio_1"}}))),
    ),
    "`Audio` of an assistant without its id": Row(
        (Kind("audio", REWRITTEN, DETAIL), Kind("audio", DROPPED, CONTENT)), (assistant(SPOKEN), assistant(Content.Audio(FAR)))
    ),
    "`Video`": row("video", DROPPED, CONTENT, user(VIDEO)),
    "`PDF`, `File` by URL": row("pdf|file", DROPPED, CONTENT, user(Content.PDF(FAR)), user(Content.File(FAR))),
    "the media type of a medium by reference": row("the media type", DROPPED, DETAIL, user(Content.Image(TYPED))),
    "`File` of text from another dialect": row("file", REWRITTEN, DETAIL, user(Content.File(A_CSV))),
    "`PDF`, `File` without a name": Row(
        (Kind("a file name", INVENTED, DETAIL), Kind("a file name", REWRITTEN, DETAIL)),
        (user(Content.PDF(A_PDF)), user(Content.File(A_ZIP)), user(Content.PDF(A_PDF, " "))),
    ),
    "the name of a file that the provider keeps": row(
        "the name of a file", DROPPED, DETAIL, user(Content.File(Resource.Ref("urn:chatadt:openai:file:f1"), "a.pdf"))
    ),
    "`Reasoning`": Row(
        (Kind("reasoning", DROPPED, DETAIL), Kind("reasoning", REWRITTEN, DETAIL)),
        (
            assistant(Content.Reasoning("hm")),
            assistant(*(Content.Reasoning(text, Extras({"openai_chat": {"$key": "reasoning"}})) for text in ("a", "b"))),
        ),
    ),
    "what a `Reasoning` says beside its text": row(
        ".+ of the reasoning", DROPPED, DETAIL, assistant(Content.Reasoning("hm", Extras({"openai_chat": {"id": "r1"}})))
    ),
    "a call of a tool that takes any text, unless OpenAI made it": row(
        "a call of free-form text", REWRITTEN, DETAIL, assistant(Content.ToolRequest("c1", "f", '"a"', GROQ))
    ),
    "contents after a `ToolRequest`": row("contents", MOVED, DETAIL, assistant(CALL, "a")),
    "`outcome` of a `ToolResult`": row(
        "the outcome", DROPPED, DETAIL, *(result("a", outcome=o) for o in (Outcome.ERROR, Outcome.DENIED))
    ),
    "`tool` of a `ToolResult` that is not the name in its call": row(
        "the name of the tool",
        DROPPED,
        DETAIL,
        ChatRequest([Message.ToolResult("c1", "f", "a")]),
        ChatRequest([Message.Assistant([CALL]), Message.ToolResult("c1", "g", "a")]),
    ),
    "a message of which nothing could be said": Row(
        (Kind("a text", INVENTED, DETAIL), Kind("a message", DROPPED, DETAIL)),
        (user(VIDEO), result(IMAGE), assistant(VIDEO, name="bob"), ChatRequest([Message.System([CUSTOM], STRANGE)])),
    ),
    "`Custom` of another dialect": row(
        "a block|a message", DROPPED, CONTENT, user(CUSTOM), ChatRequest([Message.Custom({"a": 1}, "gemini")])
    ),
    "`ProviderTool` of another dialect": row("a tool", DROPPED, CONTENT, params(tools=[ProviderTool("gemini", {"a": 1})])),
    "`ToolChoice.Custom` of another dialect": row(
        "the tool choice", DROPPED, DETAIL, params(tool_choice=ToolChoice.Custom("gemini", {"a": 1}))
    ),
    "`tool_choice`, `parallel_tool_calls` that are about no tool that is there": row(
        "the tool choice|parallel_tool_calls",
        DROPPED,
        DETAIL,
        params(tool_choice=ToolChoice.Auto()),
        params(parallel_tool_calls=False),
        params(tools=[Tool("f")], tool_choice=ToolChoice.One("g")),
        params(tools=[ProviderTool("gemini", {})], tool_choice=ToolChoice.Required(), parallel_tool_calls=True),
    ),
    "`ResponseFormat.Custom` of another dialect": row(
        "the response format", DROPPED, CONTENT, params(response_format=ResponseFormat.Custom("gemini", {"a": 1}))
    ),
    "`ResponseFormat.JsonSchema` without a name": row(
        "a name", INVENTED, DETAIL, params(response_format=ResponseFormat.JsonSchema({"type": "object"}))
    ),
    "`top_k`": row("top_k", DROPPED, DETAIL, params(top_k=3)),
    "`Thinking.Budget`": Row(
        (Kind("the budget for thinking", REWRITTEN, DETAIL), Kind("the budget for thinking", DROPPED, DETAIL)),
        (params(thinking=Thinking.Budget(1024)), params(thinking=Thinking.Budget(1024), effort=Effort.HIGH)),
    ),
    "`Thinking.Off`": Row(
        (Kind("thinking", REWRITTEN, DETAIL), Kind("thinking", DROPPED, DETAIL)),
        (params(thinking=Thinking.Off()), params(thinking=Thinking.Off(), effort=Effort.HIGH)),
    ),
    "`Thinking.Adaptive`, `Thinking.Custom`": row(
        "thinking",
        DROPPED,
        DETAIL,
        *(params(thinking=thinking) for thinking in (Thinking.Adaptive(), Thinking.Custom("gemini", {"a": 1}))),
    ),
    "material for the model in `extras` of another dialect (documents, a cache, a search)": row(
        r"(cachedContent|documents|context|mcp_servers|plugins|promptVariables|(search_param|web_search_op).+) \(.+\)",
        DROPPED,
        CONTENT,
        params(extras=Extras({"gemini": {"cachedContent": "c"}, "cohere": {"documents": ["d"]}})),
    ),
    "`extras` of another dialect": row(
        r".* \((?!openai_chat\)).+\)", DROPPED, DETAIL, user(Content.Text("a", STRANGE)), params(extras=STRANGE)
    ),
}

ANTHROPIC: Final[Mapping[str, Row]] = {
    "`Image`, `Video`, `PDF`, `File` of an assistant": row(
        "(image|video|pdf|file) of an assistant", DROPPED, CONTENT, *(assistant(medium) for medium in MEDIA)
    ),
    "`Image` that is not png, jpeg, gif or webp": row(
        "image",
        DROPPED,
        CONTENT,
        user(Content.Image(Resource.Binary(PNG, "image/bmp"))),
        user(Content.Image(Resource.Binary("AAAA"))),
    ),
    "`Image` by a URL that is not http(s)": row("image", DROPPED, CONTENT, user(Content.Image(BUCKET))),
    "`Image`, `PDF`, `File` of a failed tool result": row(
        "(image|document) of a tool result",
        MOVED,
        DETAIL,
        *(result(medium, outcome=Outcome.ERROR) for medium in (IMAGE, Content.PDF(A_PDF), Content.File(A_CSV))),
    ),
    "`detail` of an `Image`": row("the detail", DROPPED, DETAIL, user(Content.Image(FAR, Detail.LOW))),
    "a media type in common use (image/jpg)": row(
        "the media type", REWRITTEN, DETAIL, user(Content.Image(Resource.Binary(PNG, "image/x-png")))
    ),
    "the media type of a medium by reference": row("the media type", DROPPED, DETAIL, user(Content.Image(TYPED))),
    "`Audio` of an assistant": Row(
        (Kind("audio", REWRITTEN, DETAIL), Kind("audio of an assistant", DROPPED, CONTENT)),
        (assistant(SPOKEN), assistant(Content.Audio(FAR))),
    ),
    "`Audio` of a user or a tool": row("audio", DROPPED, CONTENT, user(SPOKEN), result(SPOKEN)),
    "`Video`": row("video", DROPPED, CONTENT, user(VIDEO), result(VIDEO)),
    "`PDF`, `File` by a URL that is not http(s)": row(
        "pdf|file", DROPPED, CONTENT, user(Content.PDF(BUCKET)), user(Content.File(BUCKET))
    ),
    "`PDF` by value of another media type": row(
        "the media type", REWRITTEN, DETAIL, user(Content.PDF(Resource.Binary(PDF, "application/zip")))
    ),
    "`File` that is text": row("the media type", REWRITTEN, DETAIL, user(Content.File(A_CSV))),
    "`File` that is neither PDF nor text": row("file", DROPPED, CONTENT, user(Content.File(A_ZIP)), user(Content.File(FAR))),
    "`Reasoning` without a signature of this provider": row("reasoning", DROPPED, DETAIL, assistant(Content.Reasoning("hm"))),
    "`Refusal`": row("refusal", REWRITTEN, DETAIL, assistant(Content.Refusal("no"))),
    "`Arguments` that are no JSON object": row(
        "arguments", REWRITTEN, CONTENT, *(assistant(Content.ToolRequest("c1", "f", text)) for text in ("[1]", '{"a": '))
    ),
    "a call of a tool that takes any text": row(
        "a call of free-form text", REWRITTEN, DETAIL, assistant(Content.ToolRequest("c1", "f", '"a"', FREE))
    ),
    "`Arguments` that say a key twice": row(
        "arguments", REWRITTEN, DETAIL, assistant(Content.ToolRequest("c1", "f", '{"a": 1, "b": {"c": 2, "c": ":"}}'))
    ),
    "`System` after the first turn, where the model takes none": row(
        "a system message",
        MOVED,
        DETAIL,
        ChatRequest([Message.User("a"), Message.System("b"), Message.User("c")], ModelParams(model="claude-3-5-haiku-latest")),
    ),
    "`outcome` DENIED": row("the outcome", REWRITTEN, DETAIL, result("a", outcome=Outcome.DENIED)),
    "`name` of a `User` or an `Assistant`": row(
        "the name of the (user|assistant)", DROPPED, DETAIL, user("a", name="ann"), assistant("a", name="bob")
    ),
    "`tool` of a `ToolResult` that is not the name in its call": row(
        "the name of the tool",
        DROPPED,
        DETAIL,
        ChatRequest([Message.ToolResult("c1", "f", "a")]),
        ChatRequest([Message.Assistant([CALL]), Message.ToolResult("c1", "g", "a")]),
    ),
    "a message of which nothing could be said": Row(
        (Kind("a text", INVENTED, DETAIL), Kind("a message", DROPPED, DETAIL)),
        (user(VIDEO), assistant(VIDEO, name="bob"), ChatRequest([Message.System([CUSTOM], STRANGE)])),
    ),
    "`Custom` of another dialect": row(
        "a block|a message", DROPPED, CONTENT, user(CUSTOM), ChatRequest([Message.Custom({"a": 1}, "gemini")])
    ),
    "`ProviderTool` of another dialect": row("a tool", DROPPED, CONTENT, params(tools=[ProviderTool("gemini", {"a": 1})])),
    "`Tool` without `parameters`": row("a schema", INVENTED, DETAIL, params(tools=[Tool("f")])),
    "`Tool.parameters` without type object": row("the schema", REWRITTEN, DETAIL, params(tools=[Tool("f", None, {})])),
    "`Tool.parameters` that are no JSON object": row("the schema", DROPPED, CONTENT, params(tools=[Tool("f", None, Json("[]"))])),
    "`ToolChoice.Custom` of another dialect": row(
        "the tool choice", DROPPED, DETAIL, params(tool_choice=ToolChoice.Custom("gemini", {"a": 1}))
    ),
    "`tool_choice` that is about no tool that is there": row(
        "the tool choice",
        DROPPED,
        DETAIL,
        params(tool_choice=ToolChoice.Auto()),
        params(tools=[ProviderTool("gemini", {})], tool_choice=ToolChoice.Required()),
        params(tools=[Tool("f", None, {"type": "object"})], tool_choice=ToolChoice.One("g")),
    ),
    "`parallel_tool_calls` without tools": row("parallel_tool_calls", DROPPED, DETAIL, params(parallel_tool_calls=False)),
    "`ResponseFormat.JsonObject`, `ResponseFormat.Custom` of another dialect": row(
        "the response format",
        DROPPED,
        CONTENT,
        params(response_format=ResponseFormat.JsonObject()),
        params(response_format=ResponseFormat.Custom("gemini", {"a": 1})),
    ),
    "`name`, `description`, `strict` of a `ResponseFormat.JsonSchema`": row(
        "the (name|description|strict) of the format",
        DROPPED,
        DETAIL,
        params(response_format=ResponseFormat.JsonSchema({"type": "object"}, "n", "d", True)),
    ),
    "a blank text in `stop`": row("a stop sequence", DROPPED, DETAIL, params(stop=["\n"]), params(stop=["", "a"])),
    "`seed`, `presence_penalty`, `frequency_penalty`": row(
        "seed|presence_penalty|frequency_penalty", DROPPED, DETAIL, params(seed=1, presence_penalty=1, frequency_penalty=1)
    ),
    "`temperature`, `top_p`, `top_k`, for the newest models": row(
        "temperature|top_p|top_k", DROPPED, DETAIL, params(temperature=1, top_p=1, top_k=1)
    ),
    "`temperature` out of its range": row(
        "temperature", REWRITTEN, DETAIL, params(model="claude-3-5-haiku-latest", temperature=1.5)
    ),
    "`max_output_tokens` that is not given beside other parameters": row(
        "max_tokens", INVENTED, DETAIL, params(max_output_tokens=None, model="claude-3-5")
    ),
    "`effort` NONE, MINIMAL": row(
        "effort", REWRITTEN, DETAIL, *(params(effort=effort) for effort in (Effort.NONE, Effort.MINIMAL))
    ),
    "`Thinking.Budget` below 1024": row("the budget for thinking", REWRITTEN, DETAIL, params(thinking=Thinking.Budget(1_023))),
    "`Thinking.Custom` of another dialect": row("thinking", DROPPED, DETAIL, params(thinking=Thinking.Custom("gemini", {"a": 1}))),
    "material for the model in `extras` of another dialect (documents, a cache, a search)": row(
        r"(cachedContent|documents|context|mcp_servers|plugins|promptVariables|(search_param|web_search_op).+) \(.+\)",
        DROPPED,
        CONTENT,
        params(extras=Extras({"gemini": {"cachedContent": "c"}, "cohere": {"documents": ["d"]}})),
    ),
    "`extras` of another dialect": row(
        r".* \((?!anthropic\)).+\)", DROPPED, DETAIL, user(Content.Text("a", STRANGE)), params(extras=STRANGE)
    ),
}

ROWS: Final = {"openai_chat": OPENAI_CHAT, "anthropic": ANTHROPIC}
"""By dialect, by the first cell of a row."""
