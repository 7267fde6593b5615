"""The loss table in the page and the writer say the same: neither can change without the other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import pytest
from hypothesis import given

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
    strategies,
)
from chatadt.content import Detail
from chatadt.dialects.bedrock import DIALECT
from chatadt.loss import Action, Weight

Kind = tuple[str, Action, Weight]

DROPPED, REWRITTEN, MOVED, INVENTED = Action.DROPPED, Action.REWRITTEN, Action.MOVED, Action.INVENTED
CONTENT, DETAIL = Weight.CONTENT, Weight.DETAIL
VERBS: Final = {"dropped": DROPPED, "rewritten": REWRITTEN, "moved": MOVED, "invented": INVENTED}

OLD: Final = "anthropic.claude-3-haiku-20240307-v1:0"
FAR: Final = Resource.Ref("https://example.org/a")
PNG: Final = Resource.Binary("iVBORw0KGgo=", "image/png")
A_PDF: Final = Resource.Binary("JVBERi0xLjQ=", "application/pdf")
SOUND: Final = Content.Audio(Resource.Binary("UklGRgAAAABXQVZF", "audio/wav"), "hello")
STRANGE: Final = Extras({"gemini": {"a": 1}})
FREE: Final = Extras({"openai_responses": {"$type": "custom"}})
CUSTOM: Final = Content.Custom("gemini", {"a": 1})
CALL: Final = Content.ToolRequest("c1", "f", {})
MEDIA: Final = (Content.Image(PNG), Content.Video(FAR), Content.PDF(A_PDF, "a"), Content.File(A_PDF, "a"))


def user(*contents: Any, name: str | None = None) -> ChatRequest:
    return ChatRequest([Message.User(contents, name)])


def assistant(*contents: Any, name: str | None = None) -> ChatRequest:
    return ChatRequest([Message.Assistant(contents, name)])


def result(*contents: Any, outcome: Outcome = Outcome.OK, tool: str = "f") -> ChatRequest:
    return ChatRequest([Message.Assistant([CALL]), Message.ToolResult("c1", tool, contents, outcome)])


def params(**fields: Any) -> ChatRequest:
    return ChatRequest([Message.User("a")], ModelParams(**fields))


ROWS: Final[Mapping[str, tuple[tuple[Kind, ...], tuple[ChatRequest, ...]]]] = {
    "`Image`, `Video`, `PDF`, `File` of an assistant": (
        (("(image|video|pdf|file) of an assistant", DROPPED, CONTENT),),
        tuple(map(assistant, MEDIA)),
    ),
    "`Image`, `Audio`, `Video`, `PDF`, `File` by a URL that is not s3://": (
        (("image|audio|video|pdf|file", DROPPED, CONTENT),),
        (
            user(Content.Image(FAR)),
            user(Content.Audio(FAR)),
            user(Content.Video(FAR)),
            user(Content.PDF(FAR)),
            user(Content.File(FAR)),
        ),
    ),
    "a medium of a format that there is not": (
        (("image|audio|video|pdf|file", DROPPED, CONTENT),),
        (user(Content.Image(Resource.Binary("AAAA", "image/bmp"))), user(Content.File(Resource.Binary("AAAA", "application/zip")))),
    ),
    "a media type that is not the one of its format": (
        (("the media type", REWRITTEN, DETAIL),),
        (
            user(Content.Image(Resource.Binary("AAAA", "image/jpg"))),
            user(Content.File(Resource.Binary("YQ==", "text/x-python"), "a")),
        ),
    ),
    "`detail` of an `Image`": ((("the detail", DROPPED, DETAIL),), (user(Content.Image(PNG, Detail.LOW)),)),
    "`transcript` of an `Audio`": ((("the transcript", DROPPED, DETAIL),), (user(SOUND),)),
    "`Audio` of an assistant": (
        (("audio", REWRITTEN, DETAIL), ("audio of an assistant", DROPPED, CONTENT)),
        (assistant(SOUND), assistant(Content.Audio(FAR))),
    ),
    "`Audio` of a tool result": ((("audio of a tool result", MOVED, DETAIL),), (result(SOUND),)),
    "`PDF`, `File` without a name": (
        (("a name", INVENTED, DETAIL), ("a name", REWRITTEN, DETAIL)),
        (user(Content.PDF(A_PDF)), user(Content.PDF(A_PDF, ""))),
    ),
    "`Reasoning` without a signature of a Claude, or for another model": (
        (("reasoning", DROPPED, DETAIL),),
        (
            assistant(Content.Reasoning("hm")),
            ChatRequest(
                [Message.Assistant([Content.Reasoning("hm", Extras({"anthropic": {"signature": "s"}}))])],
                ModelParams(model="amazon.nova-pro-v1:0"),
            ),
        ),
    ),
    "`Refusal`": ((("refusal", REWRITTEN, DETAIL),), (assistant(Content.Refusal("no")),)),
    "`Arguments` that are no JSON object": (
        (("arguments", REWRITTEN, CONTENT),),
        tuple(assistant(Content.ToolRequest("c1", "f", text)) for text in ("[1]", '{"a": ')),
    ),
    "a call of a tool that takes any text": (
        (("a call of free-form text", REWRITTEN, DETAIL),),
        (assistant(Content.ToolRequest("c1", "f", '"a"', FREE)),),
    ),
    "`Arguments` that say a key twice": (
        (("arguments", REWRITTEN, DETAIL),),
        (assistant(Content.ToolRequest("c1", "f", '{"a": 1, "b": {"c": 2, "c": ":"}}')),),
    ),
    "`System` after the first turn": (
        (("a system message", MOVED, DETAIL),),
        (ChatRequest([Message.User("a"), Message.System("b"), Message.User("c")]),),
    ),
    "`outcome` DENIED": ((("the outcome", REWRITTEN, DETAIL),), (result("a", outcome=Outcome.DENIED),)),
    "`name` of a `User` or an `Assistant`": (
        (("the name of the (user|assistant)", DROPPED, DETAIL),),
        (user("a", name="ann"), assistant("a", name="bob")),
    ),
    "`tool` of a `ToolResult` that is not the tool of its call": (
        (("the name of the tool", DROPPED, DETAIL),),
        (result("a", tool="g"), ChatRequest([Message.ToolResult("c1", "f", "a")])),
    ),
    "a user message of which nothing could be said": ((("a text", INVENTED, DETAIL),), (user(Content.Video(FAR)),)),
    "`Custom` of another dialect": (
        (("a block|a message", DROPPED, CONTENT),),
        (user(CUSTOM), ChatRequest([Message.Custom({"a": 1}, "gemini")])),
    ),
    "`ProviderTool` of another dialect": ((("a tool", DROPPED, CONTENT),), (params(tools=[ProviderTool("gemini", {"a": 1})]),)),
    "`Tool.parameters` without type object": ((("the schema", REWRITTEN, DETAIL),), (params(tools=[Tool("f", None, {})]),)),
    "`Tool.parameters` that are no JSON object": (
        (("the schema", DROPPED, CONTENT),),
        (params(tools=[Tool("f", None, Json("[]"))]),),
    ),
    "`ToolChoice.Never`": (
        (
            ("the tool choice", REWRITTEN, DETAIL),
            ("a tool that must not be called", DROPPED, DETAIL),
            ("the tool choice", DROPPED, DETAIL),
        ),
        (
            params(tools=[Tool("f")], tool_choice=ToolChoice.Never()),
            ChatRequest(result("a").messages, ModelParams(tools=[Tool("f")], tool_choice=ToolChoice.Never())),
        ),
    ),
    "`ToolChoice.Custom` of another dialect, `tool_choice` that is about no tool that is there": (
        (("the tool choice", DROPPED, DETAIL),),
        (params(tools=[Tool("f")], tool_choice=ToolChoice.Custom("gemini", {"a": 1})), params(tool_choice=ToolChoice.Auto())),
    ),
    "`ResponseFormat.JsonObject`, `ResponseFormat.Custom` of another dialect": (
        (("the response format", DROPPED, CONTENT),),
        (
            params(response_format=ResponseFormat.JsonObject()),
            params(response_format=ResponseFormat.Custom("gemini", {"a": 1})),
        ),
    ),
    "`strict` of a `ResponseFormat.JsonSchema`": (
        (("the strict of the format", DROPPED, DETAIL),),
        (params(response_format=ResponseFormat.JsonSchema({"type": "object"}, strict=True)),),
    ),
    "`parallel_tool_calls`, `seed`, `presence_penalty`, `frequency_penalty`, `stream`, `user`": (
        (("parallel_tool_calls|seed|presence_penalty|frequency_penalty|stream|user", DROPPED, DETAIL),),
        (params(parallel_tool_calls=False, seed=1, presence_penalty=1, frequency_penalty=1, stream=True, user="u"),),
    ),
    "`temperature`, `top_p`, `top_k`, for the newest models of Claude": (
        (("temperature|top_p|top_k", DROPPED, DETAIL),),
        (params(model="us.anthropic.claude-sonnet-5", temperature=1, top_p=1, top_k=1),),
    ),
    "`temperature`, `top_p`, `max_output_tokens` out of its range": (
        (("temperature|top_p|max_output_tokens", REWRITTEN, DETAIL),),
        (params(model=OLD, temperature=1.5, top_p=-1, max_output_tokens=0),),
    ),
    "`top_k`, `thinking`, for a model that does not take it": (
        (("top_k|thinking", DROPPED, DETAIL),),
        (
            params(model="meta.llama3-8b-instruct-v1:0", top_k=3),
            params(model="amazon.nova-pro-v1:0", thinking=Thinking.Budget(1024)),
        ),
    ),
    "`effort` NONE, MINIMAL": (
        (("effort", REWRITTEN, DETAIL),),
        tuple(params(effort=effort) for effort in (Effort.NONE, Effort.MINIMAL)),
    ),
    "`Thinking.Custom` of another dialect": (
        (("thinking", DROPPED, DETAIL),),
        (params(thinking=Thinking.Custom("gemini", {"a": 1})),),
    ),
    "material for the model in `extras` of another dialect (documents, a cache, a search)": (
        (
            (
                r"(cachedContent|documents|context|mcp_servers|plugins|promptVariables|(search_param|web_search_op).+) \(.+\)",
                DROPPED,
                CONTENT,
            ),
        ),
        (params(extras=Extras({"gemini": {"cachedContent": "c"}, "cohere": {"documents": ["d"]}})),),
    ),
    "`extras` of another dialect": (
        ((r"(?s).* \((?!bedrock\)).+\)", DROPPED, DETAIL),),
        (
            user(Content.Text("a", STRANGE)),
            params(extras=STRANGE),
            user(Content.Image(Resource.Binary("AAAA", "image/png", STRANGE))),
        ),
    ),
}
"""By the first cell of a row: the losses that it speaks of, and requests that bring them about."""


def _table() -> list[list[str]]:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in DIALECT.page.splitlines() if line.startswith("|")]
    assert rows[0] == ["word", "what becomes of it", "weight"]
    return rows[2:]


def _is_of(loss: Loss, kind: Kind) -> bool:
    what, action, weight = kind
    return loss.action is action and loss.weight is weight and re.fullmatch(what, loss.what) is not None


def _losses(request: ChatRequest) -> tuple[Loss, ...]:
    return DIALECT.write_request(request).losses


def test_the_table_and_the_examples_have_the_same_rows() -> None:
    assert [word for word, _, _ in _table()] == list(ROWS)


@pytest.mark.parametrize(("word", "becomes", "weight"), _table())
def test_a_row_states_what_is_done_and_how_much_it_matters_and_an_example_shows_it(word: str, becomes: str, weight: str) -> None:
    kinds, requests = ROWS[word]
    assert {action for verb, action in VERBS.items() if re.search(rf"\b{verb}\b", becomes)} == {action for _, action, _ in kinds}
    assert set(weight.split("; ")) == {each.value for _, _, each in kinds}
    shown = [loss for request in requests for loss in _losses(request)]
    assert [kind for kind in kinds if not any(_is_of(loss, kind) for loss in shown)] == []
    for request in requests:
        assert any(_is_of(loss, kind) for kind in kinds for loss in _losses(request)), request


@given(strategies.chat_requests())
def test_every_loss_of_any_request_stands_in_the_table(request: ChatRequest) -> None:
    kinds = [kind for row, _ in ROWS.values() for kind in row]
    assert [loss for loss in _losses(request) if not any(_is_of(loss, kind) for kind in kinds)] == []
