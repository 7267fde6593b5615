"""For each rule: a server that has it, a request that breaks it, one that keeps it, and what a repair makes of the first."""

from __future__ import annotations

import re
from typing import Any, Final, final

from attrs import field, frozen

from chatadt import (
    Arguments,
    ChatRequest,
    Content,
    Message,
    ModelParams,
    Outcome,
    Resource,
    ResponseFormat,
    Thinking,
    Tool,
    ToolChoice,
)
from chatadt.checks.pairing import NO_RESULT
from chatadt.dialects._dialect import IdScope, ModelProfile, Range
from rules.servers import CAPABILITIES, DOCUMENT_NAME, LETTER_FIRST, LETTERS, MARKS, NAME, NINE, SPEAKER_NAME, holds_calls


@final
@frozen
class Example:
    """`path` is where the first violation is found; `becomes` is what a repair gives, None where that is `keeps`."""

    rule: str
    demands: dict[str, Any]
    breaks: ChatRequest
    keeps: ChatRequest
    path: str
    becomes: ChatRequest | None = None
    model: str | None = None
    losses: tuple[str, ...] = field(default=())
    """What the losses of the repair do, and to what."""


def said(*messages: Message.T, **params: Any) -> ChatRequest:
    return ChatRequest(messages, ModelParams(**params))


def calls(*ids: str, name: str = "f") -> Message.Assistant:
    return Message.Assistant([Content.ToolRequest(id_, name, {"n": number}) for number, id_ in enumerate(ids)])


def answer(id_: str, text: str = "done", name: str = "f") -> Message.ToolResult:
    return Message.ToolResult(id_, name, text)


def no_answer(id_: str) -> Message.ToolResult:
    return Message.ToolResult(id_, "f", NO_RESULT, Outcome.ERROR)


ASK: Final = Message.User("What is the weather?")
WELL: Final = Message.User("Well?")
BRIEF: Final = Message.System("Be brief.")
HELLO: Final = Message.Assistant("Hello.")
PNG: Final = Resource.Binary(b"\x89PNG\r\n\x1a\n", "image/png")
BMP: Final = Resource.Binary(b"BM12", "image/bmp")
IMAGE: Final = Content.Image(PNG)
SCAN: Final = Resource.Binary(b"%PDF-1.7", "application/pdf")
MARK: Final = {NAME: {"cache_control": {"type": "ephemeral"}}}
SIGNED: Final = Content.Reasoning("I look it up.", {NAME: {"signature": "c2ln"}})
BUDGET: Final = Thinking.Budget(2_048)
ANY_OBJECT: Final = {"type": "object"}

INSIDE: Final = Resource.Ref("DATA:text/plain;charset=utf-8,a%20b", extras={NAME: {"$own": True, "a": 1}})

PAIRS: Final = {"pairs_tool_calls": True}
MERGES: Final = {**PAIRS, "merges_turns": True}

POINT: Final = Content.Custom(NAME, {"point": {}})
POINTS: Final = {"marks": ((NAME, "$points"),), "cache_point": "point"}
POINTED: Final = Content.Text("pointed", {NAME: {"$points": [1]}})
TWICE: Final = Content.Text("pointed", {NAME: {"$points": [1, 2]}})
STOPS: Final = ("dropped a stop sequence",) * 2

EXAMPLES: Final = (
    # ids and names
    Example(
        "tool-id",
        {"tool_id": LETTERS},
        said(ASK, calls("a b", "a.b"), answer("a b"), answer("a.b")),
        said(ASK, calls("a_b_522207d281", "a_b_fc7d33be47"), answer("a_b_522207d281"), answer("a_b_fc7d33be47")),
        "$.messages[1].contents[0].id",
        losses=("rewritten tool id",) * 2,
    ),
    Example(
        "tool-id",
        {"tool_id": NINE},
        said(ASK, calls("x", "x"), answer("x", "first"), answer("x", "second")),
        said(ASK, calls("c3c7e9bc9", "cc08c6500"), answer("c3c7e9bc9", "first"), answer("cc08c6500", "second")),
        "$.messages[1].contents[0].id",
        losses=("rewritten tool id",) * 2,
    ),
    Example(  # a call of old, without an id
        "tool-id",
        PAIRS,
        said(ASK, calls(""), answer(""), WELL),
        said(ASK, calls("c6e340b9cff"), answer("c6e340b9cff"), WELL),
        "$.messages[1].contents[0].id",
        losses=("rewritten tool id",),
    ),
    Example(  # twice in one message: the second call gets the second result
        "tool-id",
        PAIRS,
        said(ASK, calls("x", "x"), answer("x", "first"), answer("x", "second")),
        said(ASK, calls("x", "x_c08c6500f9"), answer("x", "first"), answer("x_c08c6500f9", "second")),
        "$.messages[1].contents[1].id",
        losses=("rewritten tool id",),
    ),
    Example(  # twice in what becomes one turn
        "tool-id",
        MERGES,
        said(ASK, calls("x"), calls("x"), answer("x", "first"), answer("x", "second")),
        said(ASK, calls("x"), calls("x_c08c6500f9"), answer("x", "first"), answer("x_c08c6500f9", "second")),
        "$.messages[2].contents[0].id",
        losses=("rewritten tool id",),
    ),
    Example(
        "tool-id",
        {**PAIRS, "unique_ids": IdScope.REQUEST},
        said(ASK, calls("x"), answer("x", "first"), WELL, calls("x"), answer("x", "second")),
        said(ASK, calls("x"), answer("x", "first"), WELL, calls("x_c08c6500f9"), answer("x_c08c6500f9", "second")),
        "$.messages[4].contents[0].id",
        losses=("rewritten tool id",),
    ),
    Example(
        "tool-name",
        {"tool_name": LETTER_FIRST},
        said(
            calls("x", name="1st"),
            answer("x", name="1st"),
            tools=[Tool("1st"), Tool("weather.today")],
            tool_choice=ToolChoice.One("1st"),
        ),
        said(
            calls("x", name="_1st_a4b16c4bff"),
            answer("x", name="_1st_a4b16c4bff"),
            tools=[Tool("_1st_a4b16c4bff"), Tool("weather.today")],
            tool_choice=ToolChoice.One("_1st_a4b16c4bff"),
        ),
        "$.params.tools[0].name",
        losses=("rewritten tool name",) * 4,
    ),
    Example(
        "result-name",
        {**PAIRS, "results_by_name": True},
        said(ASK, calls("x", "y"), answer("x", name="g"), answer("y")),
        said(ASK, calls("x", "y"), answer("x"), answer("y")),
        "$.messages[2].tool",
        losses=("rewritten the name of the tool",),
    ),
    Example(
        "tool-choice",
        {"choice_needs_tool": True},
        said(ASK, tools=[Tool("f")], tool_choice=ToolChoice.One("g")),
        said(ASK, tools=[Tool("f")]),
        "$.params.tool_choice",
        losses=("dropped the tool choice",),
    ),
    Example(
        "speaker-name",
        {"speaker_name": SPEAKER_NAME},
        said(Message.User("Hi", "Ada L"), Message.Assistant("Hi", "Ada_L"), Message.User("And?", "Ada L")),
        said(Message.User("Hi", "Ada_L_cfd514e58a"), Message.Assistant("Hi", "Ada_L"), Message.User("And?", "Ada_L_cfd514e58a")),
        "$.messages[0].name",
        losses=("rewritten name of a speaker",) * 2,
    ),
    # texts
    Example(
        "lone-surrogate",
        {},
        said(Message.User("half \ud83d", "\ude00"), tools=[Tool("f", "\ud83d")], stop=["\ud83d"]),
        said(Message.User("half \ufffd", "\ufffd"), tools=[Tool("f", "\ufffd")], stop=["\ufffd"]),
        "$.messages[0].contents[0]",
        losses=("rewritten a lone surrogate",) * 4,
    ),
    Example(  # as it is, in JSON too; in an address; in what names a model and a format
        "lone-surrogate",
        {},
        said(
            Message.User([Content.Image(Resource.Ref("https://x/\ud800.png"))]),
            Message.Assistant([Content.ToolRequest("x", "f", Arguments.of('{"k":"\ud800"}'))]),
            answer("x"),
            model="\ud800",
            response_format=ResponseFormat.JsonSchema({"title": "\ud800"}, "\ud800"),
        ),
        said(
            Message.User([Content.Image(Resource.Ref("https://x/\ufffd.png"))]),
            Message.Assistant([Content.ToolRequest("x", "f", {"k": "\ufffd"})]),
            answer("x"),
            model="\ufffd",
            response_format=ResponseFormat.JsonSchema({"title": "\ufffd"}, "\ufffd"),
        ),
        "$.messages[0].contents[0]",
        losses=("rewritten a lone surrogate",) * 4,
    ),
    Example(
        "blank-text",
        {"blank_text": False},
        said(Message.System([]), Message.User(["Look:", " "]), Message.Assistant("\n"), WELL),
        said(Message.User(["Look:"]), WELL),
        "$.messages[0]",
        losses=("dropped an empty message", "dropped a blank text", "dropped a blank text"),
    ),
    Example(  # a refusal stands as text
        "blank-text",
        {"blank_text": False, "capabilities": CAPABILITIES},
        said(ASK, Message.Assistant([Content.Text("no"), Content.Refusal(" ")]), Message.Assistant([Content.Refusal("")]), WELL),
        said(ASK, Message.Assistant([Content.Text("no")]), WELL),
        "$.messages[1].contents[1].text",
        losses=("dropped a blank refusal",) * 2,
    ),
    Example(
        "blank-text",
        {"no_contents": False},
        said(Message.User([]), Message.Assistant([]), WELL, calls("x"), Message.ToolResult("x", "f", []), Message.System([])),
        said(Message.User(""), Message.Assistant(""), WELL, calls("x"), Message.ToolResult("x", "f", []), Message.System("")),
        "$.messages[0]",
        losses=("invented a text",) * 3,
    ),
    Example(
        "blank-text",
        {"blank_text": False, "empty_result": False},
        said(ASK, calls("x", "y"), answer("x", " "), Message.ToolResult("y", "f", []), WELL),
        said(ASK, calls("x", "y"), answer("x", "."), answer("y", "."), WELL),
        "$.messages[2].contents[0].text",
        losses=("dropped a blank text", "invented a text", "invented a text"),
    ),
    Example(
        "trailing-space",
        {"trailing_space": False},
        said(ASK, Message.Assistant(["It ", "is \n"])),
        said(ASK, Message.Assistant(["It ", "is"])),
        "$.messages[1].contents[1].text",
        losses=("rewritten white space",),
    ),
    # pairs
    Example(
        "tool-pairing",
        PAIRS,
        said(ASK, calls("x", "y"), answer("y"), WELL),
        said(ASK, calls("x", "y"), answer("y"), no_answer("x"), WELL),
        "$.messages[1].contents[0]",
        losses=("invented a tool result",),
    ),
    Example(
        "tool-pairing",
        PAIRS,
        said(ASK, answer("x"), calls("y"), answer("y"), answer("y", "again")),
        said(ASK, calls("y"), answer("y")),
        "$.messages[1]",
        losses=("dropped a tool result",) * 2,
    ),
    Example(  # a system message between a call and its result
        "tool-pairing",
        PAIRS,
        said(ASK, calls("x", "y"), answer("x"), BRIEF, answer("y"), WELL),
        said(ASK, calls("x", "y"), answer("x"), answer("y"), BRIEF, WELL),
        "$.messages[1].contents[1]",
        losses=("moved a tool result",),
    ),
    Example(  # two late results of one call: the first is moved, the second has nothing to answer
        "tool-pairing",
        PAIRS,
        said(ASK, calls("x"), WELL, answer("x"), answer("x", "again")),
        said(ASK, calls("x"), answer("x"), WELL),
        "$.messages[1].contents[0]",
        losses=("moved a tool result", "dropped a tool result"),
    ),
    Example(  # two messages, then all results: one turn to some servers, and to others not
        "tool-pairing",
        PAIRS,
        said(ASK, calls("x"), calls("y"), answer("x"), answer("y")),
        said(ASK, calls("x"), answer("x"), calls("y"), answer("y")),
        "$.messages[1].contents[0]",
        losses=("moved a tool result",),
    ),
    Example(  # one id twice, answered once
        "tool-pairing",
        PAIRS,
        said(ASK, calls("x", "x"), answer("x"), WELL),
        said(ASK, calls("x", "x_c08c6500f9"), answer("x"), no_answer("x_c08c6500f9"), WELL),
        "$.messages[1].contents[1]",
        losses=("rewritten tool id", "invented a tool result"),
    ),
    Example(
        "results-in-order",
        {**PAIRS, "results_in_order": True},
        said(ASK, calls("x", "y", "z"), answer("z", "3"), answer("y", "2"), answer("x", "1")),
        said(ASK, calls("x", "y", "z"), answer("x", "1"), answer("y", "2"), answer("z", "3")),
        "$.messages[2]",
        losses=("moved a tool result",) * 2,
    ),
    Example(  # an invented result stands in its place too
        "tool-pairing",
        {**PAIRS, "results_in_order": True},
        said(ASK, calls("x", "y"), answer("y")),
        said(ASK, calls("x", "y"), no_answer("x"), answer("y")),
        "$.messages[1].contents[0]",
        losses=("invented a tool result",) + ("moved a tool result",) * 2,
    ),
    # turns
    Example("needs-turn", {}, said(), said(Message.User(".")), "$.messages", losses=("invented a user message",)),
    Example(
        "needs-turn",
        {"needs_turn": True},
        said(BRIEF),
        said(BRIEF, Message.User(".")),
        "$.messages",
        losses=("invented a user message",),
    ),
    Example(
        "first-user",
        {"first_user": True},
        said(BRIEF, HELLO, WELL),
        said(BRIEF, Message.User("."), HELLO, WELL),
        "$.messages[1]",
        losses=("invented a user message",),
    ),
    Example(
        "system-first",
        {"system_first": True},
        said(BRIEF, ASK, HELLO, Message.System("In French."), Message.System("Please."), WELL, BRIEF, HELLO, BRIEF),
        said(BRIEF, ASK, HELLO, Message.User(["In French.", "Please.", "Well?"]), BRIEF, HELLO, Message.User("Be brief.")),
        "$.messages[3]",
        losses=("moved a system message",) * 3,
    ),
    Example(
        "prefill",
        {"models": (ModelProfile(re.compile("new"), False, True), ModelProfile(re.compile(""), True, True))},
        said(ASK, HELLO),
        said(ASK, HELLO, Message.User("Please go on.")),
        "$.messages[1]",
        model="new-1",
        losses=("invented a user message",),
    ),
    Example(
        "last-user",
        {"last_user": True, "prefix_field": "prefix"},
        said(ASK, HELLO),
        said(ASK, Message.Assistant("Hello.", extras={NAME: {"prefix": True}})),
        "$.messages[1]",
        becomes=said(ASK, HELLO, Message.User("Please go on.")),
        losses=("invented a user message",),
    ),
    Example(
        "last-user",
        {"last_user": True},
        said(ASK, Message.Assistant("Hello.", extras={NAME: {"prefix": True}}), WELL, BRIEF),
        said(ASK, HELLO, WELL),
        "$.messages[3]",
        becomes=said(ASK, Message.Assistant("Hello.", extras={NAME: {"prefix": True}}), WELL, BRIEF, Message.User("Please go on.")),
        losses=("invented a user message",),
    ),
    Example(
        "prefix-last",
        {"last_user": True, "prefix_field": "prefix"},
        said(ASK, Message.Assistant("Hello.", extras={NAME: {"prefix": True, "b": 1}, "a": {"b": 1}}), WELL),
        said(ASK, Message.Assistant("Hello.", extras={NAME: {"b": 1}, "a": {"b": 1}}), WELL),
        "$.messages[1]",
        losses=("dropped prefix",),
    ),
    # media
    Example(
        "media",
        {"capabilities": CAPABILITIES, "media_types": {"image": frozenset({"image/png"})}},
        said(Message.User([Content.Image(BMP), Content.Video(BMP), "both"]), Message.Assistant([IMAGE])),
        said(Message.User([IMAGE, "both"]), HELLO),
        "$.messages[0].contents[0]",
        becomes=said(Message.User(["both"]), Message.Assistant("[image omitted]")),
        losses=("dropped image", "dropped video", "dropped image", "invented a text"),
    ),
    Example(
        "media-size",
        {"largest": {"image": 7}},
        said(Message.User([IMAGE, Content.Image(Resource.Ref("https://example.org/large.png"))])),
        said(Message.User([Content.Image(BMP), Content.Image(Resource.Ref("https://example.org/large.png"))])),
        "$.messages[0].contents[0]",
        becomes=said(Message.User([Content.Image(Resource.Ref("https://example.org/large.png"))])),
        losses=("dropped image",),
    ),
    Example(
        "media-size",
        {"largest_said": {"document": 7}},
        said(Message.User([Content.PDF(SCAN), "read"])),
        said(Message.User([Content.PDF(BMP), "read"])),
        "$.messages[0].contents[0]",
        becomes=said(Message.User("read")),
        losses=("dropped pdf",),
    ),
    Example(  # the oldest go
        "media-count",
        {"most": {"image": 1}},
        said(Message.User([IMAGE, IMAGE, "one"]), Message.User([Content.Image(BMP)])),
        said(Message.User([IMAGE, Content.PDF(SCAN), Content.PDF(SCAN)])),
        "$.messages[0].contents[0]",
        becomes=said(Message.User(["one"]), Message.User([Content.Image(BMP)])),
        losses=("dropped image",) * 2,
    ),
    Example(
        "media-count",
        {"most_said": {"document": 1}},
        said(Message.User([Content.PDF(SCAN)]), Message.User([Content.File(SCAN)])),
        said(Message.User([IMAGE, IMAGE, Content.PDF(SCAN)])),
        "$.messages[0].contents[0]",
        becomes=said(Message.User("[pdf omitted]"), Message.User([Content.File(SCAN)])),
        losses=("dropped pdf", "invented a text"),
    ),
    Example(
        "document-name",
        {"document_name": DOCUMENT_NAME},
        said(
            Message.User([Content.PDF(SCAN, "Q3_report  v1.2.pdf"), Content.PDF(SCAN, "Q3_report  v1.2.pdf"), Content.File(SCAN)])
        ),
        said(
            Message.User(
                [Content.PDF(SCAN, "Q3-report v1-2-pdf"), Content.PDF(SCAN, "Q3-report v1-2-pdf 2"), Content.File(SCAN, "document")]
            )
        ),
        "$.messages[0].contents[0].name",
        losses=("rewritten name of a document",) * 2 + ("invented name of a document",),
    ),
    Example(
        "document-needs-text",
        {"document_needs_text": True},
        said(Message.User([Content.PDF(SCAN), " "]), Message.User("read")),
        said(Message.User([Content.PDF(SCAN), " ", "."]), Message.User("read")),
        "$.messages[0]",
        losses=("invented a text",),
    ),
    Example(  # a text of the same turn will do
        "document-needs-text",
        {**MERGES, "document_needs_text": True},
        said(ASK, calls("x"), answer("x"), Message.User([Content.PDF(SCAN)]), Message.User([IMAGE]), HELLO, WELL),
        said(ASK, calls("x"), answer("x"), Message.User([Content.PDF(SCAN)]), WELL),
        "$.messages[3]",
        becomes=said(ASK, calls("x"), answer("x"), Message.User([Content.PDF(SCAN), "."]), Message.User([IMAGE]), HELLO, WELL),
        losses=("invented a text",),
    ),
    # parameters
    Example(
        "needs-tools",
        {"needs_tools": True},
        said(ASK, calls("x"), answer("x"), calls("y", name="g"), answer("y", name="g"), calls("z"), answer("z")),
        said(
            *(ASK, calls("x"), answer("x"), calls("y", name="g"), answer("y", name="g"), calls("z"), answer("z")),
            tools=[Tool("f", parameters=ANY_OBJECT), Tool("g", parameters=ANY_OBJECT)],
        ),
        "$.params.tools",
        losses=("invented tool f", "invented tool g"),
    ),
    Example(
        "tool-definitions",
        {"unique_tools": True},
        said(ASK, tools=[Tool("f"), Tool("g"), Tool("f", "another")]),
        said(ASK, tools=[Tool("f"), Tool("g")]),
        "$.params.tools[2].name",
        losses=("dropped tool f",),
    ),
    Example(
        "tool-description",
        {"empty_description": False},
        said(ASK, tools=[Tool("f", "")]),
        said(ASK, tools=[Tool("f")]),
        "$.params.tools[0].description",
        losses=("dropped an empty description",),
    ),
    Example(
        "forced-tool",
        {"forces_while_thinking": False},
        said(ASK, tools=[Tool("f")], tool_choice=ToolChoice.One("f"), thinking=BUDGET),
        said(ASK, tools=[Tool("f")], tool_choice=ToolChoice.Auto(), thinking=BUDGET),
        "$.params.tool_choice",
        losses=("rewritten the tool choice",),
    ),
    Example(
        "range",
        {"ranges": {"temperature": Range(0, 1), "top_k": Range(2), "max_output_tokens": Range(most=50)}},
        said(ASK, temperature=1.5, top_k=1, top_p=7.0, max_output_tokens=51),
        said(ASK, temperature=1, top_k=2, top_p=7.0, max_output_tokens=50),
        "$.params.temperature",
        losses=("rewritten temperature", "rewritten top_k", "rewritten max_output_tokens"),
    ),
    Example(
        "range",
        {"ranges": {"temperature": Range(0, 1), "presence_penalty": Range(-2, 2, certain=False)}},
        said(ASK, temperature=-0.1, presence_penalty=-2.5),
        said(ASK, temperature=0, presence_penalty=-2),
        "$.params.temperature",
        losses=("rewritten temperature", "rewritten presence_penalty"),
    ),
    Example(
        "sampling",
        {"models": (ModelProfile(re.compile("new"), True, True, sampling=False), ModelProfile(re.compile(""), True, True))},
        said(ASK, temperature=0.5, top_k=3),
        said(ASK),
        "$.params.temperature",
        model="new-1",
        losses=("dropped temperature", "dropped top_k"),
    ),
    Example(
        "answer-limit",
        {"answer_limit": 100},
        said(ASK, extras={NAME: {"$absent": ["max_tokens", "a"]}}),
        said(ASK),
        "$.params.max_output_tokens",
        becomes=said(ASK, max_output_tokens=100, extras={NAME: {"$absent": ["a"]}}),
        losses=("invented max_tokens",),
    ),
    Example(  # the last mark holds what comes before it
        "cache-marks",
        {**MARKS, "cache_marks": 1},
        said(Message.User([Content.Text("one", MARK), Content.Text("two", MARK)]), tools=[Tool("f", extras=MARK)]),
        said(Message.User([Content.Text("one"), Content.Text("two", MARK)]), tools=[Tool("f")]),
        "$.messages[0].contents[0]",
        losses=("dropped cache_control",) * 2,
    ),
    Example(
        "thinking-first",
        {"thinks_first": (NAME,)},
        said(ASK, calls("x"), answer("x"), thinking=BUDGET),
        said(ASK, Message.Assistant([SIGNED, *calls("x").contents]), answer("x"), thinking=BUDGET),
        "$.messages[1]",
        becomes=said(ASK, calls("x"), answer("x")),
        losses=("dropped the budget for thinking",),
    ),
    Example(
        "cache-marks",
        {**MARKS, "cache_marks_said": 1},
        said(Message.User([Content.Text("one", MARK)]), Message.System([Content.Text("two", MARK)]), tools=[Tool("f")]),
        said(Message.User("one"), Message.System([Content.Text("two", MARK)]), tools=[Tool("f")]),
        "$.messages[1].contents[0]",
        losses=("dropped cache_control",),
    ),
    Example(
        "cache-marks",
        {**MARKS, "marks_reasoning": False},
        said(ASK, Message.Assistant([Content.Reasoning("hm", MARK), Content.Text("so", MARK)]), WELL),
        said(ASK, Message.Assistant([Content.Reasoning("hm"), Content.Text("so", MARK)]), WELL),
        "$.messages[1].contents[0]",
        losses=("dropped cache_control",),
    ),
    Example(  # first, twice, and behind a word that has one
        "cache-points",
        POINTS,
        said(Message.User([POINT, "one", POINT, POINT, POINTED, POINT, "two"]), Message.Assistant([TWICE])),
        said(Message.User(["one", POINT, POINTED, "two"]), Message.Assistant([POINTED])),
        "$.messages[0].contents[0]",
        losses=("dropped a cache mark",) * 3 + ("rewritten $points",),
    ),
    Example(  # in a turn of several messages it is the first only where the turn begins
        "cache-points",
        {**POINTS, "merges_turns": True},
        said(ASK, Message.User([POINT, "one"]), HELLO, Message.User([POINT])),
        said(ASK, Message.User([POINT, "one"]), HELLO),
        "$.messages[3].contents[0]",
        losses=("dropped a cache mark",),
    ),
    # what only some servers want
    Example(
        "blank-text",
        {"blank_text": False, "white_space": True},
        said(Message.User(["", " "]), HELLO, Message.User("")),
        said(Message.User([" "]), HELLO),
        "$.messages[0].contents[0].text",
        losses=("dropped a blank text",) * 2,
    ),
    Example(
        "blank-text",
        {"blank_text": False, "blank_beside_calls": True},
        said(ASK, Message.Assistant(["", *calls("x").contents]), answer("x"), Message.Assistant("")),
        said(ASK, Message.Assistant(["", *calls("x").contents]), answer("x")),
        "$.messages[3].contents[0].text",
        losses=("dropped a blank text",),
    ),
    Example(
        "empty-assistant",
        {"empty_assistant": False},
        said(ASK, Message.Assistant([]), WELL, Message.Assistant([" ", "\n", Content.Reasoning("")]), Message.User([])),
        said(ASK, WELL, Message.User([])),
        "$.messages[1]",
        losses=("dropped an empty message",) * 2,
    ),
    Example(
        "media-address",
        {},
        said(
            Message.User([Content.Image(Resource.Ref("data:image/png,%89PNG%0D%0A%1A%0A")), "Look."]),
            answer("x", "done"),
            Message.User([Content.PDF(INSIDE, "a")]),
        ),
        said(
            Message.User([IMAGE, "Look."]),
            answer("x", "done"),
            Message.User([Content.File(Resource.Binary(b"a b", "text/plain", {NAME: {"a": 1}}), "a")]),
        ),
        "$.messages[0].contents[0].resource",
        losses=("rewritten the address of a medium",) * 2,
    ),
    Example(
        "says-or-calls",
        {**PAIRS, "models": (ModelProfile(re.compile(""), True, True, says_or_calls=True),)},
        said(ASK, Message.Assistant(["I look.", *calls("x").contents, "Wait."]), answer("x"), HELLO),
        said(ASK, Message.Assistant(["I look.", "Wait."]), calls("x"), answer("x"), HELLO),
        "$.messages[1]",
        losses=("moved contents",),
    ),
    Example(
        "first-user",
        {"models": (ModelProfile(re.compile(""), True, True, first_user_said=True),)},
        said(BRIEF, HELLO, ASK),
        said(BRIEF, Message.User("."), HELLO, ASK),
        "$.messages[1]",
        losses=("invented a user message",),
    ),
    Example(
        "media-count",
        {"most_said": {"image": 3}, "models": (ModelProfile(re.compile(""), True, True, most_said={"image": 1}),)},
        said(Message.User([IMAGE, IMAGE, "Look."])),
        said(Message.User([IMAGE, "Look."])),
        "$.messages[0].contents[0]",
        losses=("dropped image",),
    ),
    Example(
        "tool-pairing",
        {**MERGES, "text_before_results": True},
        said(ASK, calls("x"), WELL, answer("x"), HELLO, answer("y")),
        said(ASK, calls("x"), WELL, answer("x"), HELLO),
        "$.messages[5]",
        losses=("dropped a tool result",),
    ),
    Example(  # a call that the server has
        "tool-pairing",
        {**PAIRS, "holds_calls": holds_calls},
        said(answer("x"), Message.Custom({"role": "keeper"}, NAME), answer("y")),
        said(Message.Custom({"role": "keeper"}, NAME), answer("y")),
        "$.messages[0]",
        losses=("dropped a tool result",),
    ),
    Example(  # a call that there is no word for
        "tool-pairing",
        {**PAIRS, "call_key": "call"},
        said(ASK, Message.Assistant([Content.Custom(NAME, {"call": "x"})]), answer("x"), answer("y")),
        said(ASK, Message.Assistant([Content.Custom(NAME, {"call": "x"})]), answer("x")),
        "$.messages[3]",
        losses=("dropped a tool result",),
    ),
    Example(  # what only another dialect knows does not come across
        "needs-turn",
        {},
        said(Message.Custom({"role": "nobody"}, "elsewhere")),
        said(Message.Custom({"role": "nobody"}, "elsewhere"), Message.User(".")),
        "$.messages",
        losses=("invented a user message",),
    ),
    Example(
        "results-apart",
        {"models": (ModelProfile(re.compile(""), True, True, apart=frozenset({"image"})),)},
        said(ASK, calls("x"), answer("x"), Message.User(["Look:", IMAGE]), HELLO, Message.User([IMAGE])),
        said(ASK, calls("x"), answer("x"), WELL, HELLO, Message.User([IMAGE])),
        "$.messages[3]",
        becomes=said(
            *(ASK, calls("x"), answer("x"), Message.Assistant("."), Message.User(["Look:", IMAGE]), HELLO, Message.User([IMAGE]))
        ),
        losses=("invented an assistant message",),
    ),
    Example(
        "media-type",
        {"checks_bytes": True},
        said(Message.User([Content.Image(Resource.Binary(PNG.content, "image/jpeg")), Content.Image(BMP)])),
        said(Message.User([IMAGE, Content.Image(BMP)])),
        "$.messages[0].contents[0].resource.mime_type",
        losses=("rewritten the media type of an image",),
    ),
    Example(  # the oldest go, as many as must
        "media-size",
        {"most_bytes": 20},
        said(Message.User([IMAGE, Content.PDF(SCAN), Content.Image(Resource.Ref("https://example.org/large.png"))]), WELL),
        said(Message.User([IMAGE, Content.PDF(BMP)]), WELL),
        "$.messages[0].contents[0]",
        becomes=said(Message.User([Content.PDF(SCAN), Content.Image(Resource.Ref("https://example.org/large.png"))]), WELL),
        losses=("dropped image",),
    ),
    Example(
        "media-size",
        {"most_bytes_said": 8},
        said(Message.User([Content.Image(BMP), Content.Image(BMP), "one"])),
        said(Message.User([Content.Image(BMP), "one"])),
        "$.messages[0].contents[0]",
        losses=("dropped image",),
    ),
    # thinking
    Example(  # below the least
        "thinking-budget",
        {"least_thinking": 1_024},
        said(ASK, thinking=Thinking.Budget(200), max_output_tokens=2_000),
        said(ASK, thinking=Thinking.Budget(1_024), max_output_tokens=2_000),
        "$.params.thinking",
        losses=("rewritten the budget for thinking",),
    ),
    Example(  # above what the answer may have
        "thinking-budget",
        {"least_thinking": 1_024},
        said(ASK, thinking=Thinking.Budget(4_000), max_output_tokens=2_000),
        said(ASK, thinking=Thinking.Budget(1_999), max_output_tokens=2_000),
        "$.params.thinking",
        losses=("rewritten the budget for thinking",),
    ),
    Example(  # no budget would do
        "thinking-budget",
        {"least_thinking": 1_024},
        said(ASK, thinking=Thinking.Budget(200), max_output_tokens=1_024),
        said(ASK, thinking=Thinking.Budget(1_024), max_output_tokens=1_025),
        "$.params.thinking",
        becomes=said(ASK, max_output_tokens=1_024),
        losses=("dropped the budget for thinking",),
    ),
    Example(  # with what else is said of it
        "thinking-budget",
        {"least_thinking": 1_024},
        said(ASK, thinking=Thinking.Budget(1_024, {NAME: {"display": "omitted"}}), max_output_tokens=5),
        said(ASK, thinking=Thinking.Budget(1_024), max_output_tokens=1_025),
        "$.params.thinking",
        becomes=said(ASK, max_output_tokens=5),
        losses=("dropped the budget for thinking",),
    ),
    Example(
        "prefill",
        {"prefill_while_thinking": False},
        said(ASK, HELLO, thinking=Thinking.Adaptive()),
        said(ASK, HELLO, thinking=Thinking.Off()),
        "$.messages[1]",
        becomes=said(ASK, HELLO, Message.User("Please go on."), thinking=Thinking.Adaptive()),
        losses=("invented a user message",),
    ),
    Example(  # the second led to a text, the third to nothing, the foreign one is not sent
        "reasoning-leads",
        {"reasoning_leads": True},
        said(
            ASK, Message.Assistant([SIGNED]), WELL, Message.Assistant([SIGNED, "so", SIGNED, Content.Reasoning("x"), IMAGE]), WELL
        ),
        said(ASK, WELL, Message.Assistant([SIGNED, "so", Content.Reasoning("x"), IMAGE]), WELL),
        "$.messages[1].contents[0]",
        losses=("dropped reasoning",) * 2,
    ),
    Example(  # a call of the next message is what it led to where turns are merged
        "reasoning-leads",
        {"reasoning_leads": True, "merges_turns": True},
        said(ASK, Message.Assistant([SIGNED]), calls("x"), answer("x"), Message.Assistant([SIGNED], "ann")),
        said(ASK, Message.Assistant([SIGNED]), calls("x"), answer("x")),
        "$.messages[4].contents[0]",
        losses=("dropped reasoning", "dropped a message"),
    ),
    # stop sequences
    Example("stop", {"most_stops": 2}, said(ASK, stop=list("abcd")), said(ASK, stop=["a", "b"]), "$.params.stop[2]", losses=STOPS),
    Example(
        "tool-count",
        {"most_tools_said": 2},
        said(ASK, tools=[Tool("f"), Tool("g"), Tool("h"), Tool("i")]),
        said(ASK, tools=[Tool("f"), Tool("g")]),
        "$.params.tools[2]",
        losses=("dropped tool h", "dropped tool i"),
    ),
    Example(
        "format-name",
        {"format_name": LETTERS},
        said(ASK, response_format=ResponseFormat.JsonSchema({}, "My schema: v1")),
        said(ASK, response_format=ResponseFormat.JsonSchema({}, "My_schema__v1")),
        "$.params.response_format.name",
        losses=("rewritten the name of a format",),
    ),
    Example(
        "stop",
        {"empty_stop": False},
        said(ASK, stop=["", " ", "end"]),
        said(ASK, stop=[" ", "end"]),
        "$.params.stop[0]",
        losses=("dropped a stop sequence",),
    ),
    Example(
        "stop", {"blank_stop": False}, said(ASK, stop=[" ", "a", "\n"]), said(ASK, stop=["a"]), "$.params.stop[0]", losses=STOPS
    ),
)
