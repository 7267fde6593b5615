"""The loss table in Gemini's page, row by row: which losses a row speaks of, and words that bring them about."""

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
from chatadt.content import Arguments, Detail
from chatadt.loss import Action, Weight

__all__ = ("ROWS", "Kind", "Row")

CONTENT, DETAIL = Weight.CONTENT, Weight.DETAIL
DROPPED, REWRITTEN, MOVED, INVENTED = Action.DROPPED, Action.REWRITTEN, Action.MOVED, Action.INVENTED


@final
@frozen
class Kind:
    """The losses that are alike: `what` is a regular expression."""

    what: re.Pattern[str] = field(converter=re.compile)
    action: Action
    weight: Weight

    def is_of(self, loss: Loss) -> bool:
        return self.action is loss.action and self.weight is loss.weight and self.what.fullmatch(loss.what) is not None


@final
@frozen
class Row:
    """What one row speaks of, the requests that show it, and the model for which they are written."""

    kind: Kind
    shown_by: tuple[ChatRequest, ...]
    model: str = ""


def row(what: str, action: Action, weight: Weight, *shown_by: ChatRequest, model: str = "") -> Row:
    return Row(Kind(what, action, weight), shown_by, model)


def user(*contents: Any, name: str | None = None) -> ChatRequest:
    return ChatRequest([Message.User(contents, name)])


def assistant(*contents: Any, name: str | None = None) -> ChatRequest:
    return ChatRequest([Message.Assistant(contents, name)])


def result(*contents: Any, outcome: Outcome = Outcome.OK) -> ChatRequest:
    return ChatRequest([Message.Assistant([SIGNED]), Message.ToolResult("c1", "f", contents, outcome)])


def params(**fields: Any) -> ChatRequest:
    return ChatRequest([Message.User("a")], ModelParams(**fields))


SIGNED: Final = Content.ToolRequest("c1", "f", {}, Extras({"gemini": {"thoughtSignature": "c2ln"}}))
CALL: Final = Content.ToolRequest("c1", "f", {})
BYTES: Final = "iVBORw0KGgo="
FAR: Final = Resource.Ref("https://example.org/a")
BUCKET: Final = Resource.Ref("s3://bucket/a.png")
FREE: Final = Extras({"openai_responses": {"$type": "custom"}})
IMAGE: Final = Content.Image(Resource.Binary(BYTES, "image/png"))
WAV: Final = Resource.Binary("UklGRgAAAABXQVZF", "audio/wav")
GIF, FLI, ZIP, MIDI = (Resource.Binary(BYTES, kind) for kind in ("image/gif", "video/fli", "application/zip", "audio/midi"))
A_PDF: Final = Resource.Binary("JVBERi0xLjQ=", "application/pdf")
EVERY: Final = (Content.Image, Content.Audio, Content.Video, Content.PDF, Content.File)
CUSTOM: Final = Content.Custom("elsewhere", {"a": 1})

ROWS: Final[Mapping[str, Row]] = {
    "`Image`, `Audio`, `Video`, `File` by value of a media type that is not taken": row(
        "image|audio|video|file",
        DROPPED,
        CONTENT,
        *map(user, (Content.Image(GIF), Content.Audio(MIDI), Content.Video(FLI), Content.File(ZIP))),
        assistant(Content.Image(GIF)),
    ),
    "`Image`, `Audio`, `Video`, `PDF`, `File` by a URL that is not http(s), gs or of the Files API": row(
        "image|audio|video|pdf|file", DROPPED, CONTENT, *(user(case(BUCKET)) for case in EVERY)
    ),
    "`Audio` that is not taken and has a transcript": row(
        "audio", REWRITTEN, DETAIL, user(Content.Audio(BUCKET, "hello")), assistant(Content.Audio(MIDI, "hello"))
    ),
    "`Image`, `Audio`, `Video`, `PDF`, `File` of a tool result that does not take it": row(
        "(image|audio|video|pdf|file) of a tool result", MOVED, DETAIL, result(Content.Audio(WAV)), result("a", Content.Audio(WAV))
    ),
    "a media type in common use (image/jpg), a text under another name (application/json)": row(
        "the media type",
        REWRITTEN,
        DETAIL,
        user(Content.Image(Resource.Binary(BYTES, "image/jpg"))),
        user(Content.File(Resource.Binary("e30=", "application/json"))),
        user(Content.File(Resource.Binary("e30=", "text/x-python"))),
    ),
    "a medium by URL without a media type": row("a media type", INVENTED, DETAIL, user(Content.Image(FAR)), user(Content.PDF(FAR))),
    "`detail` of an `Image`, `transcript` of an `Audio`, `name` of a `PDF` or a `File`": row(
        "the (detail|transcript|name)",
        DROPPED,
        DETAIL,
        user(Content.Image(IMAGE.resource, Detail.LOW)),
        user(Content.Audio(WAV, "hello")),
        user(Content.PDF(A_PDF, "a.pdf")),
    ),
    "`Reasoning` without a text": row(
        "reasoning", DROPPED, DETAIL, assistant(Content.Reasoning("", Extras({"anthropic": {"data": "x"}})))
    ),
    "`Refusal`": row("refusal", REWRITTEN, DETAIL, assistant(Content.Refusal("no"))),
    "`Arguments` that are no JSON object": row(
        "arguments",
        REWRITTEN,
        CONTENT,
        assistant(Content.ToolRequest("c1", "f", "[1]")),
        assistant(Content.ToolRequest("c1", "f", Arguments.of('{"a'))),
    ),
    "a call of a tool that takes any text": row(
        "a call of free-form text", REWRITTEN, DETAIL, assistant(Content.ToolRequest("c1", "f", '"a"', FREE))
    ),
    "`Arguments` that say a key twice": row(
        "arguments", REWRITTEN, DETAIL, assistant(Content.ToolRequest("c1", "f", '{"a": 1, "b": {"c": 2, "c": ":"}}'))
    ),
    "the first `ToolRequest` of a message from another model, from Gemini 3 on": row(
        "a thought signature", INVENTED, DETAIL, assistant(CALL), assistant("a", CALL)
    ),
    "`id` of a `ToolRequest` or a `ToolResult`, for Gemini 1": row(
        "the id", DROPPED, DETAIL, assistant(CALL), result("a"), model="gemini-1.5-flash"
    ),
    "texts of a `ToolResult`, more than one": row("the texts of a result", REWRITTEN, DETAIL, result("a", "b")),
    "`tool` of a `ToolResult` that no call says": row(
        "the name of a tool", INVENTED, DETAIL, ChatRequest([Message.ToolResult("c1", None, "a")])
    ),
    "`outcome` DENIED": row("the outcome", REWRITTEN, DETAIL, result("a", outcome=Outcome.DENIED)),
    "`System` after the first turn": row(
        "a system message", MOVED, DETAIL, ChatRequest([Message.User("a"), Message.System("b"), Message.User("c")])
    ),
    "`name` of a `User` or an `Assistant`": row(
        "the name of the (user|assistant)", DROPPED, DETAIL, user("a", name="Ann"), assistant("a", name="Bob")
    ),
    "a user message of which nothing could be said": row("a text", INVENTED, DETAIL, user(Content.Image(GIF)), user(CUSTOM)),
    "`Custom` of another dialect": row(
        "a block|a message",
        DROPPED,
        CONTENT,
        user(CUSTOM),
        assistant(CUSTOM),
        ChatRequest([Message.System([CUSTOM])]),
        ChatRequest([Message.Custom({"a": 1}, "elsewhere")]),
    ),
    "`ProviderTool` of another dialect": row("a tool", DROPPED, CONTENT, params(tools=[ProviderTool("elsewhere", {"a": 1})])),
    "`Tool.strict`": row("strict", DROPPED, DETAIL, params(tools=[Tool("f", strict=True)])),
    "`ToolChoice.Custom` of another dialect, `tool_choice` that is about no tool that is there": row(
        "the tool choice",
        DROPPED,
        DETAIL,
        params(tools=[Tool("f")], tool_choice=ToolChoice.Custom("elsewhere", {"a": 1})),
        params(tools=[ProviderTool("elsewhere", {})], tool_choice=ToolChoice.Required()),
        params(tools=[Tool("f")], tool_choice=ToolChoice.One("g")),
    ),
    "`ResponseFormat.Custom` of another dialect": row(
        "the response format", DROPPED, CONTENT, params(response_format=ResponseFormat.Custom("elsewhere", {"a": 1}))
    ),
    "`name`, `description`, `strict` of a `ResponseFormat.JsonSchema`": row(
        "the (name|description|strict) of the format",
        DROPPED,
        DETAIL,
        params(response_format=ResponseFormat.JsonSchema({}, "a", "b", True)),
    ),
    "`model`, `stream`: they stand in the URL": row("the model|stream", DROPPED, DETAIL, params(model="m"), params(stream=True)),
    "`user`, `parallel_tool_calls`": row(
        "user|parallel_tool_calls", DROPPED, DETAIL, params(user="ann"), params(parallel_tool_calls=False)
    ),
    "`Thinking.Custom` of another dialect; a budget where there is an effort; any `Thinking` before Gemini 2.5": row(
        "thinking",
        DROPPED,
        DETAIL,
        params(thinking=Thinking.Custom("elsewhere", {"a": 1})),
        params(thinking=Thinking.Budget(2_000), effort=Effort.LOW),
    ),
    "`Thinking.Budget` of 0 or -1": row(
        "thinking", REWRITTEN, DETAIL, params(thinking=Thinking.Budget(0)), params(thinking=Thinking.Budget(-1))
    ),
    "`effort` NONE, XHIGH, MAX, and any before Gemini 3": row(
        "effort", REWRITTEN, DETAIL, *(params(effort=effort) for effort in (Effort.NONE, Effort.XHIGH, Effort.MAX))
    ),
    "`effort` where thinking is off, or has a budget before Gemini 3; any before Gemini 2.5": row(
        "effort", DROPPED, DETAIL, params(thinking=Thinking.Off(), effort=Effort.LOW)
    ),
    "material for the model in `extras` of another dialect (documents, a cache, a search)": row(
        r"(cachedContent|documents|context|mcp_servers|plugins|promptVariables|(search_param|web_search_op).+) \(.+\)",
        DROPPED,
        CONTENT,
        params(extras=Extras({"gemini": {"cachedContent": "c"}, "cohere": {"documents": ["d"]}})),
    ),
    "`extras` of another dialect, or of this one where they have no place": row(
        r"(?s).* \(.+\)",
        DROPPED,
        DETAIL,
        user(Content.Text("a", Extras({"elsewhere": {"a": 1}}))),
        ChatRequest([Message.User("a", extras={"gemini": {"a": 1}}), Message.User("b", extras={"gemini": {"a": 2}})]),
        result(Content.Text("a", Extras({"gemini": {"a": 1}}))),
    ),
}
