"""The loss tables of Mistral, Cohere and Ollama, row by row: which losses a row speaks of, and words that bring them about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dialects.examples import CONTENT, DETAIL, DROPPED, INVENTED, MOVED, PNG, REWRITTEN, TEXT, WAV
from dialects.loss_rows import (
    A_CSV,
    A_PDF,
    A_ZIP,
    BUCKET,
    CALL,
    CUSTOM,
    FAR,
    FREE,
    IMAGE,
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
    Extras,
    Json,
    Message,
    Outcome,
    ProviderTool,
    Resource,
    ResponseFormat,
    Thinking,
    Tool,
    ToolChoice,
)
from chatadt.content import Detail
from chatadt.dialects._media import file_reference

__all__ = ("ROWS",)

ODD: Final = Resource.Binary(TEXT, "image/bmp")
TYPED: Final = Resource.Ref("https://example.org/a", "image/png")
SOUND: Final = Content.Audio(Resource.Binary(WAV, "audio/wav"), "hello")
A_DOCX: Final = Resource.Binary("UEsDBA==", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
SILENT: Final = Content.Audio(FAR)
LOOSE: Final = ChatRequest([Message.ToolResult("c1", "f", "a")])
PLAN: Final = Extras({"cohere": {"$key": "tool_plan"}})


def by_value(content: str, kind: str) -> Resource.Binary:
    return Resource.Binary(content, kind)


def formed(schema: Json, **fields: Any) -> ChatRequest:
    return params(response_format=ResponseFormat.JsonSchema(schema, **fields))


def other(dialect: str) -> Row:
    """What other dialects had said."""
    return row(rf".* \((?!{dialect}\)).+\)", DROPPED, DETAIL, user(Content.Text("a", STRANGE)), params(extras=STRANGE))


ANY: Final = Json('{"type":"object"}')
LIST: Final = Json("[]")
TOOLLESS: Final[Mapping[str, Any]] = {"tools": [ProviderTool("gemini", {"a": 1})], "tool_choice": ToolChoice.Required()}
NO_FORMAT: Final = params(response_format=ResponseFormat.Custom("gemini", {"a": 1}))
NO_CHOICE: Final = params(tools=[Tool("f")], tool_choice=ToolChoice.Custom("gemini", {"a": 1}))
NO_THOUGHT: Final = params(thinking=Thinking.Custom("gemini", {"a": 1}))
FULL: Final = formed(ANY, name="n", description="d", strict=True)
SPOKEN_TEXT: Final = Row(
    (Kind("audio", REWRITTEN, DETAIL), Kind("audio of an assistant", DROPPED, CONTENT)), (assistant(SPOKEN), assistant(SILENT))
)
HIGH: Final = user(Content.Image(FAR, Detail.ORIGINAL))

ALIKE: Final[Mapping[str, Row]] = {
    "`Image`, `Video`, `PDF`, `File` of an assistant": row(
        "(image|video|pdf|file) of an assistant", DROPPED, CONTENT, *(assistant(medium) for medium in MEDIA)
    ),
    "`Audio` of an assistant": SPOKEN_TEXT,
    "`Reasoning` without text": row("reasoning", DROPPED, DETAIL, assistant("a", Content.Reasoning(""))),
    "`Refusal`": row("refusal", REWRITTEN, DETAIL, assistant(Content.Refusal("no"))),
    "a call of a tool that takes any text": row(
        "a call of free-form text", REWRITTEN, DETAIL, assistant(Content.ToolRequest("c1", "f", '"a"', FREE))
    ),
    "contents after a `ToolRequest`": row("contents", MOVED, DETAIL, assistant(CALL, "a")),
    "`outcome` of a `ToolResult`": row(
        "the outcome", DROPPED, DETAIL, *(result("a", outcome=outcome) for outcome in (Outcome.ERROR, Outcome.DENIED))
    ),
    "`name` of a `User` or an `Assistant`": row(
        "the name of the (user|assistant)", DROPPED, DETAIL, user("a", name="ann"), assistant("a", name="bob")
    ),
    "a message of which nothing could be said": row("a text", INVENTED, DETAIL, user(VIDEO), result(VIDEO)),
    "`ProviderTool` of another dialect": row("a tool", DROPPED, CONTENT, params(tools=[ProviderTool("gemini", {"a": 1})])),
    "`Tool.parameters` that are no JSON object": row("the schema", DROPPED, CONTENT, params(tools=[Tool("f", None, LIST)])),
}
BLOCKS: Final = row("a block|a message", DROPPED, CONTENT, user(CUSTOM), ChatRequest([Message.Custom({"a": 1}, "gemini")]))
SCHEMA_ALONE: Final = row("the (name|description|strict) of the format", DROPPED, DETAIL, FULL)
FORMATS: Final = row("the response format|the schema", DROPPED, CONTENT, NO_FORMAT, formed(LIST))

MISTRAL: Final[Mapping[str, Row]] = {
    **ALIKE,
    "`Image`, `Audio`, `PDF`, `File` of a tool result of another dialect": row(
        "(image|audio|pdf|file) of a tool result",
        MOVED,
        DETAIL,
        *(result(medium) for medium in (IMAGE, SOUND, Content.PDF(A_PDF), Content.File(A_DOCX, "a.docx"))),
    ),
    "`Image`, `Audio`, `PDF`, `File` by a URL that is not http(s)": row(
        "image|audio|pdf|file",
        DROPPED,
        CONTENT,
        *(user(case(BUCKET)) for case in (Content.Image, Content.Audio, Content.PDF, Content.File)),
    ),
    "a media type of what is taken by URL": row(
        "the media type", DROPPED, DETAIL, user(Content.Image(TYPED)), user(Content.PDF(TYPED))
    ),
    "a media type of `Audio` other than its first bytes show": Row(
        (Kind("the media type", REWRITTEN, DETAIL), Kind("the media type", DROPPED, DETAIL)),
        (user(Content.Audio(by_value(WAV, "audio/x-wav"))), user(Content.Audio(by_value(TEXT, "audio/x-wav")))),
    ),
    "`Image` by value of a type that is not taken": row(
        "image", DROPPED, CONTENT, user(Content.Image(by_value(TEXT, "image/bmp")))
    ),
    "`detail` ORIGINAL of an `Image`": row("the detail", REWRITTEN, DETAIL, HIGH),
    "`transcript` of the `Audio` of a user or a tool": row("the transcript", DROPPED, DETAIL, user(SOUND), result(SOUND)),
    "`Video`": row("video", DROPPED, CONTENT, user(VIDEO)),
    "`File` of text from another dialect": row("file", REWRITTEN, DETAIL, user(Content.File(A_CSV, "a.csv"))),
    "`PDF`, `File` that is no PDF, Word or PowerPoint document": row(
        "pdf|file", DROPPED, CONTENT, user(Content.File(A_ZIP)), user(Content.PDF(by_value(PNG, "image/png")))
    ),
    "the name of a file that the provider keeps": row(
        "the name of the file", DROPPED, DETAIL, user(Content.File(Resource.Ref(file_reference("mistral", "f1")), "a"))
    ),
    "`Custom` of another dialect": BLOCKS,
    "`ToolChoice.Custom` of another dialect": row("the tool choice", DROPPED, DETAIL, NO_CHOICE),
    "`tool_choice` that is about no tool that is there, `parallel_tool_calls` where no tool is left": row(
        "the tool choice|parallel_tool_calls", DROPPED, DETAIL, params(**TOOLLESS, parallel_tool_calls=True)
    ),
    "`ResponseFormat.Custom` of another dialect": row("the response format", DROPPED, CONTENT, NO_FORMAT),
    "`ResponseFormat.JsonSchema` without a name": row("a name", INVENTED, DETAIL, formed(ANY)),
    "`user`": row("user", DROPPED, DETAIL, params(user="ann")),
    "`Thinking.Budget`": Row(
        (Kind("the budget for thinking", REWRITTEN, DETAIL), Kind("the budget for thinking", DROPPED, DETAIL)),
        (params(thinking=Thinking.Budget(1024)), params(thinking=Thinking.Budget(1024), effort=Effort.HIGH)),
    ),
    "`Thinking.Off`, `Thinking.Adaptive`, `Thinking.Custom`": row(
        "thinking", DROPPED, DETAIL, *(params(thinking=thinking) for thinking in (Thinking.Off(), Thinking.Adaptive())), NO_THOUGHT
    ),
    "material for the model in `extras` of another dialect (documents, a cache, a search)": row(
        r"(cachedContent|documents|context|mcp_servers|plugins|promptVariables|(search_param|web_search_op).+) \(.+\)",
        DROPPED,
        CONTENT,
        params(extras=Extras({"gemini": {"cachedContent": "c"}, "cohere": {"documents": ["d"]}})),
    ),
    "`extras` of another dialect": other("mistral"),
}

COHERE: Final[Mapping[str, Row]] = {
    **ALIKE,
    "`Image` of a tool result": row("image of a tool result", MOVED, DETAIL, result(IMAGE)),
    "`Image` by a URL that is not http(s)": row("image", DROPPED, CONTENT, user(Content.Image(BUCKET))),
    "`Image` by value of a type that is not taken": row(
        "image", DROPPED, CONTENT, user(Content.Image(by_value(TEXT, "image/bmp")))
    ),
    "a media type of an `Image` by URL": row("the media type", DROPPED, DETAIL, user(Content.Image(TYPED))),
    "`detail` ORIGINAL of an `Image`": row("the detail", REWRITTEN, DETAIL, HIGH),
    "`Audio`, `Video`, `PDF` of a user or a tool": row(
        "audio|video|pdf",
        DROPPED,
        CONTENT,
        *(user(medium) for medium in (SOUND, VIDEO, Content.PDF(FAR))),
        result(Content.PDF(A_PDF)),
    ),
    "`File` of text": row("file", REWRITTEN, DETAIL, user(Content.File(A_CSV)), result(Content.File(A_CSV))),
    "`File` that is no text": row("file", DROPPED, CONTENT, user(Content.File(A_ZIP)), user(Content.File(FAR))),
    "several plans of one message": row(
        "reasoning", REWRITTEN, DETAIL, assistant(*(Content.Reasoning(text, PLAN) for text in ("a", "b")), CALL)
    ),
    "`tool` of a `ToolResult` that is not the name in its call": row("the name of the tool", DROPPED, DETAIL, LOOSE),
    "`Custom` of another dialect": BLOCKS,
    "`Tool.strict` that not all tools have alike": row(
        "strict", DROPPED, DETAIL, params(tools=[Tool("f", None, ANY, True), Tool("g", None, ANY)])
    ),
    "`ToolChoice.One`": row("the tool choice", REWRITTEN, DETAIL, params(tools=[Tool("f")], tool_choice=ToolChoice.One("f"))),
    "`ToolChoice.Custom` of another dialect": row("the tool choice", DROPPED, DETAIL, NO_CHOICE),
    "`tool_choice` that is about no tool that is there": row("the tool choice", DROPPED, DETAIL, params(**TOOLLESS)),
    "`ResponseFormat.Custom` of another dialect, a schema that is no JSON object": FORMATS,
    "`name`, `description`, `strict` of a `ResponseFormat.JsonSchema`": SCHEMA_ALONE,
    "`temperature`, `top_p`, `top_k`, a penalty out of its range": row(
        "temperature|top_p|top_k|(presence|frequency)_penalty",
        REWRITTEN,
        DETAIL,
        params(top_p=1),
        params(top_k=501),
        params(presence_penalty=-1),
        params(temperature=-1),
        params(frequency_penalty=2),
    ),
    "stop sequences after the fifth": row("stop sequences", DROPPED, DETAIL, params(stop=list("abcdef"))),
    "`parallel_tool_calls`, `user`": row(
        "parallel_tool_calls|user", DROPPED, DETAIL, params(parallel_tool_calls=False), params(user="ann")
    ),
    "`effort`": Row(
        (Kind("effort", DROPPED, DETAIL), Kind("effort", REWRITTEN, DETAIL)),
        (params(effort=Effort.LOW), params(effort=Effort.NONE)),
    ),
    "`Thinking.Custom` of another dialect": row("thinking", DROPPED, DETAIL, NO_THOUGHT),
    "material for the model in `extras` of another dialect (documents, a cache, a search)": row(
        r"(cachedContent|documents|context|mcp_servers|plugins|promptVariables|(search_param|web_search_op).+) \(.+\)",
        DROPPED,
        CONTENT,
        params(extras=Extras({"gemini": {"cachedContent": "c"}, "cohere": {"documents": ["d"]}})),
    ),
    "`extras` of another dialect": other("cohere"),
}

OLLAMA: Final[Mapping[str, Row]] = {
    **ALIKE,
    "several `Text` of a message": row("texts", REWRITTEN, DETAIL, user("a", "b"), assistant("a", "b"), result("a", "b")),
    "an empty `Text` beside anything else": row("an empty text", DROPPED, DETAIL, user("", IMAGE), assistant("", CALL)),
    "`Text` after an `Image` or `Audio`": row("contents", MOVED, DETAIL, user(IMAGE, "a")),
    "`Image`, `Audio` by URL": row("image|audio", DROPPED, CONTENT, user(Content.Image(FAR)), result(SILENT)),
    "`Audio` that its first bytes do not show, `Image` that is no png, jpeg or webp": row(
        "image|audio",
        DROPPED,
        CONTENT,
        user(Content.Audio(by_value(TEXT, "audio/wav"))),
        user(Content.Image(by_value(WAV, "image/png"))),
        user(Content.Image(ODD)),
    ),
    "a media type other than the first bytes show": Row(
        (Kind("the media type", REWRITTEN, DETAIL), Kind("the media type", DROPPED, DETAIL)),
        (user(Content.Image(by_value(PNG, "image/jpeg"))), user(Content.Image(by_value(TEXT, "image/png")))),
    ),
    "`detail` of an `Image`, `transcript` of the `Audio` of a user or a tool": row(
        "the detail|the transcript",
        DROPPED,
        DETAIL,
        user(Content.Image(by_value(PNG, "image/png"), Detail.LOW)),
        user(SOUND),
        result(SOUND),
    ),
    "`Video`, `PDF`": row("video|pdf", DROPPED, CONTENT, user(VIDEO), result(Content.PDF(A_PDF))),
    "`File` of text": row("file", REWRITTEN, DETAIL, user(Content.File(A_CSV)), result(Content.File(A_CSV))),
    "`File` that is no text": row("file", DROPPED, CONTENT, user(Content.File(A_ZIP)), user(Content.File(FAR))),
    "several `Reasoning` of a message": row(
        "reasoning", REWRITTEN, DETAIL, assistant(Content.Reasoning("a"), Content.Reasoning("b"))
    ),
    "`Reasoning` after a text": row("reasoning", MOVED, DETAIL, assistant("a", Content.Reasoning("b"))),
    "`id` of a `ToolRequest` or a `ToolResult`": row("tool id", DROPPED, DETAIL, assistant(CALL), LOOSE),
    "a `ToolResult` in another order than the calls of its tool": row(
        "a tool result",
        MOVED,
        DETAIL,
        ChatRequest(
            [
                Message.Assistant([Content.ToolRequest(id, "f", {}) for id in ("c1", "c2")]),
                Message.ToolResult("c2", "f", "b"),
                Message.ToolResult("c1", "f", "a"),
            ]
        ),
    ),
    "`Arguments` that are no JSON object": row(
        "arguments", REWRITTEN, CONTENT, *(assistant(Content.ToolRequest("c1", "f", text)) for text in ("[1]", '{"a": '))
    ),
    "`Arguments` that say a key twice": row(
        "arguments", REWRITTEN, DETAIL, assistant(Content.ToolRequest("c1", "f", '{"a": 1, "b": {"c": 2, "c": ":"}}'))
    ),
    "`Custom`": row(
        "a block|a message",
        DROPPED,
        CONTENT,
        user(CUSTOM),
        assistant("a", Content.Custom("ollama", {"a": 1})),
        ChatRequest([Message.Custom({"a": 1}, "gemini")]),
    ),
    "`Tool.strict`": row("strict", DROPPED, DETAIL, params(tools=[Tool("f", None, ANY, True)])),
    "`ToolChoice` other than `Auto`": row(
        "the tool choice",
        DROPPED,
        DETAIL,
        NO_CHOICE,
        *(params(tool_choice=choice) for choice in (ToolChoice.Never(), ToolChoice.Required(), ToolChoice.One("f"))),
    ),
    "`tool_choice` that is about no tool that is there": row("the tool choice", DROPPED, DETAIL, params(**TOOLLESS)),
    "`ResponseFormat.Custom` of another dialect, a schema that is no JSON object": FORMATS,
    "`name`, `description`, `strict` of a `ResponseFormat.JsonSchema`": SCHEMA_ALONE,
    "`parallel_tool_calls`, `user`": row(
        "parallel_tool_calls|user", DROPPED, DETAIL, params(parallel_tool_calls=False), params(user="ann")
    ),
    "`Thinking.Budget`": row("the budget for thinking", REWRITTEN, DETAIL, params(thinking=Thinking.Budget(1024))),
    "`effort` NONE, MINIMAL, XHIGH": Row(
        (Kind("effort", REWRITTEN, DETAIL), Kind("effort", DROPPED, DETAIL)),
        (
            *(params(effort=effort) for effort in (Effort.NONE, Effort.MINIMAL, Effort.XHIGH)),
            params(thinking=Thinking.Off(), effort=Effort.LOW),
        ),
    ),
    "`Thinking.Custom` of another dialect": row("thinking", DROPPED, DETAIL, NO_THOUGHT),
    "material for the model in `extras` of another dialect (documents, a cache, a search)": row(
        r"(cachedContent|documents|context|mcp_servers|plugins|promptVariables|(search_param|web_search_op).+) \(.+\)",
        DROPPED,
        CONTENT,
        params(extras=Extras({"gemini": {"cachedContent": "c"}, "cohere": {"documents": ["d"]}})),
    ),
    "`extras` of another dialect": other("ollama"),
}

ROWS: Final = {"mistral": MISTRAL, "cohere": COHERE, "ollama": OLLAMA}
"""By dialect, by the first cell of a row."""
