"""Each rule finds what breaks it and nothing else, says what would make it right, and mends it with the losses that it names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, final

import pytest
from attrs import frozen
from hypothesis import given
from returns.result import Failure, Success

from chatadt import (
    DIALECTS,
    Action,
    Arguments,
    ChatRequest,
    Content,
    ConversionError,
    Extras,
    History,
    Message,
    ModelParams,
    Outcome,
    Policy,
    Severity,
    Thinking,
    Tool,
    ToolChoice,
    check,
    convert,
    laws,
    repair,
    strategies,
)
from chatadt.check import RULES

BOTH: Final = ("openai_chat", "anthropic")
ANTHROPIC: Final = ("anthropic",)
NAMES: Final = tuple(strategies.SPEECHES)


def request(*messages: Message.T, **params: Any) -> ChatRequest:
    return ChatRequest(messages, ModelParams(**params))


def call(id: str = "c1", name: str = "f", arguments: Any = None) -> Content.ToolRequest:
    return Content.ToolRequest(id, name, {} if arguments is None else arguments)


def calls(*contents: Any) -> Message.Assistant:
    return Message.Assistant(contents)


def result(id: str = "c1", text: str = "4", name: str = "f") -> Message.ToolResult:
    return Message.ToolResult(id, name, text)


def marked(text: str) -> Content.Text:
    return Content.Text(text, Extras({"anthropic": {"cache_control": {"type": "ephemeral"}}}))


ASKED: Final = Message.User("go")
SIGNED: Final = Content.Reasoning("hm", Extras({"anthropic": {"signature": "sig"}}))
LATE: Final = Message.User("and?")


@final
@frozen
class Breach:
    """A conversation that breaks a rule, and what is left when it is mended."""

    name: str
    rule: str
    dialects: tuple[str, ...]
    broken: ChatRequest
    paths: tuple[str, ...]
    """Of the violations."""
    mended: ChatRequest | None
    """None where the mended conversation holds a derived text, which other tests look at."""
    steps: tuple[tuple[str, Action], ...]
    """Path and action of each loss."""


NOTHING_TO_SHOW: Final = frozenset({"an empty message", "a lone surrogate"})
DROPPED, REWRITTEN, MOVED, INVENTED = Action.DROPPED, Action.REWRITTEN, Action.MOVED, Action.INVENTED
NO_RESULT: Final = Message.ToolResult("c1", "f", "There is no result: the call was not carried out.", Outcome.ERROR)

BREACHES: Final = (
    Breach(
        "a call that nobody answers",
        "tool-pairing",
        BOTH,
        request(ASKED, calls(call()), LATE),
        ("$.messages[1].contents[0]",),
        request(ASKED, calls(call()), NO_RESULT, LATE),
        (("$.messages[2]", INVENTED),),
    ),
    Breach(
        "a call at the end",
        "tool-pairing",
        BOTH,
        request(ASKED, calls(call())),
        ("$.messages[1].contents[0]",),
        request(ASKED, calls(call()), NO_RESULT),
        (("$.messages[2]", INVENTED),),
    ),
    Breach(
        "one of two calls in parallel",
        "tool-pairing",
        BOTH,
        request(ASKED, calls(call("c2"), call()), result("c2")),
        ("$.messages[1].contents[1]",),
        request(ASKED, calls(call("c2"), call()), result("c2"), NO_RESULT),
        (("$.messages[3]", INVENTED),),
    ),
    Breach(
        "a result without a call",
        "tool-pairing",
        BOTH,
        request(ASKED, result()),
        ("$.messages[1]",),
        request(ASKED),
        (("$.messages[1]", DROPPED),),
    ),
    Breach(
        "a result that came twice",
        "tool-pairing",
        BOTH,
        request(ASKED, calls(call()), result(), result(text="5")),
        ("$.messages[3]",),
        request(ASKED, calls(call()), result()),
        (("$.messages[3]", DROPPED),),
    ),
    Breach(
        "a result that came late",
        "tool-pairing",
        BOTH,
        request(ASKED, calls(call()), LATE, result()),
        ("$.messages[1].contents[0]", "$.messages[3]"),
        request(ASKED, calls(call()), result(), LATE),
        (("$.messages[3]", MOVED),),
    ),
    Breach(
        "an id that comes again in a later turn, its result late",
        "tool-pairing",
        ("openai_chat",),  # anthropic wants each id once in a request
        request(ASKED, calls(call()), LATE, result(text="1"), calls(call()), result(text="2")),
        ("$.messages[1].contents[0]", "$.messages[3]"),
        request(ASKED, calls(call()), result(text="1"), LATE, calls(call()), result(text="2")),
        (("$.messages[3]", MOVED),),
    ),
    Breach(
        "an id with characters that are not taken",
        "tool-id",
        ANTHROPIC,
        request(ASKED, calls(call("a.b")), result("a.b")),
        ("$.messages[1].contents[0].id", "$.messages[2].id"),
        None,
        (("$.messages[1].contents[0].id", REWRITTEN),),
    ),
    Breach(
        "an id that is too long",
        "tool-id",
        BOTH,
        request(ASKED, calls(call("x" * 70)), result("x" * 70)),
        ("$.messages[1].contents[0].id", "$.messages[2].id"),
        None,
        (("$.messages[1].contents[0].id", REWRITTEN),),
    ),
    Breach(
        "a blank id",
        "tool-id",
        BOTH,
        request(ASKED, calls(call("")), result("")),
        ("$.messages[1].contents[0].id", "$.messages[2].id"),
        None,
        (("$.messages[1].contents[0].id", REWRITTEN),),
    ),
    Breach(
        "an id twice in one message",
        "tool-id",
        BOTH,
        request(ASKED, calls(call(), call()), result(text="1"), result(text="2")),
        ("$.messages[1].contents[1].id",),
        None,
        (("$.messages[1].contents[1].id", REWRITTEN),),
    ),
    Breach(
        "a name with a dot",
        "tool-name",
        BOTH,
        request(ASKED, calls(call(name="a.b")), result(name="a.b")),
        ("$.messages[1].contents[0].name", "$.messages[2].tool"),
        None,
        (("$.messages[1].contents[0].name", REWRITTEN), ("$.messages[2].tool", REWRITTEN)),
    ),
    Breach(
        "a name that is too long",
        "tool-name",
        BOTH,
        request(ASKED, tools=[Tool("x" * 65)]),
        ("$.params.tools[0].name",),
        None,
        (("$.params.tools[0].name", REWRITTEN),),
    ),
    Breach(
        "a choice with a dot",
        "tool-name",
        BOTH,
        request(ASKED, tools=[Tool("a.b")], tool_choice=ToolChoice.One("a.b")),
        ("$.params.tools[0].name", "$.params.tool_choice.name"),
        None,
        (("$.params.tools[0].name", REWRITTEN), ("$.params.tool_choice.name", REWRITTEN)),
    ),
    Breach(
        "half of a surrogate pair in a text",
        "lone-surrogate",
        BOTH,
        request(Message.User("a\ud800b")),
        ("$.messages[0].contents[0]",),
        request(Message.User("a\ufffdb")),
        (("$.messages[0].contents[0]", REWRITTEN),),
    ),
    Breach(
        "half of a surrogate pair in a value and a key of arguments",
        "lone-surrogate",
        BOTH,
        request(ASKED, calls(call(arguments='{"\\ud800": "\\udfff"}')), result()),
        ("$.messages[1].contents[0]",),
        request(ASKED, calls(call(arguments={"\ufffd": "\ufffd"})), result()),
        (("$.messages[1].contents[0]", REWRITTEN),),
    ),
    Breach(
        "half of a surrogate pair in arguments that are no JSON",
        "lone-surrogate",
        BOTH,
        request(ASKED, calls(call(arguments='{"\ud800')), result()),
        ("$.messages[1].contents[0]",),
        None,
        (("$.messages[1].contents[0]", REWRITTEN),),
    ),
    Breach(
        "a blank text",
        "blank-text",
        ANTHROPIC,
        request(Message.User(["go", " \n"])),
        ("$.messages[0].contents[1].text",),
        request(ASKED),
        (("$.messages[0].contents[1]", DROPPED),),
    ),
    Breach(
        "a message without contents",
        "blank-text",
        ANTHROPIC,
        request(ASKED, Message.Assistant([]), LATE),
        ("$.messages[1]",),
        request(ASKED, LATE),
        (("$.messages[1]", DROPPED),),
    ),
    Breach(
        "a message of nothing but a blank text",
        "blank-text",
        ANTHROPIC,
        request(ASKED, Message.Assistant(""), LATE),
        ("$.messages[1].contents[0].text",),
        request(ASKED, LATE),
        (("$.messages[1].contents[0]", DROPPED),),
    ),
    Breach(
        "an empty conversation",
        "needs-turn",
        BOTH,
        request(),
        ("$.messages",),
        request(Message.User(".")),
        (("$.messages[0]", INVENTED),),
    ),
    Breach(
        "only system",
        "needs-turn",
        ANTHROPIC,
        request(Message.System("a")),
        ("$.messages",),
        request(Message.System("a"), Message.User(".")),
        (("$.messages[1]", INVENTED),),
    ),
    Breach(
        "an assistant at the end",
        "prefill",
        ANTHROPIC,
        request(ASKED, Message.Assistant("so")),
        ("$.messages[1]",),
        request(ASKED, Message.Assistant("so"), Message.User("Please go on.")),
        (("$.messages[2]", INVENTED),),
    ),
    Breach(
        "five cache marks",
        "cache-marks",
        ANTHROPIC,
        request(Message.User([marked(str(number)) for number in range(5)])),
        ("$.messages[0].contents[4]",),
        request(Message.User([Content.Text("0"), *(marked(str(number)) for number in range(1, 5))])),
        (("$.messages[0].contents[0]", DROPPED),),
    ),
    Breach(
        "sampling that the newest models do not take",
        "sampling",
        ANTHROPIC,
        request(ASKED, model="claude-opus-4-8", temperature=0.5),
        ("$.params.temperature",),
        request(ASKED, model="claude-opus-4-8"),
        (("$.params.temperature", DROPPED),),
    ),
    Breach(
        "a temperature that no model takes",
        "range",
        ANTHROPIC,
        request(ASKED, model="claude-3-5-sonnet-20241022", temperature=1.5),
        ("$.params.temperature",),
        request(ASKED, model="claude-3-5-sonnet-20241022", temperature=1.0),
        (("$.params.temperature", REWRITTEN),),
    ),
    Breach(
        "an open tool loop without signed reasoning",
        "thinking-first",
        ANTHROPIC,
        request(ASKED, calls(call()), result(), thinking=Thinking.Budget(1024)),
        ("$.messages[1]",),
        request(ASKED, calls(call()), result()),
        (("$.params.thinking", DROPPED),),
    ),
    Breach(
        "an open tool loop without signed reasoning, and the user said more beside the result",
        "thinking-first",
        ANTHROPIC,
        request(ASKED, calls(call()), result(), LATE, thinking=Thinking.Budget(1024)),
        ("$.messages[1]",),
        request(ASKED, calls(call()), result(), LATE),
        (("$.params.thinking", DROPPED),),
    ),
)

SOUND: Final = {
    "one question": request(ASKED),
    "a call and its result": request(ASKED, calls(call()), result()),
    "calls in parallel, answered out of order": request(
        ASKED, calls("I look.", call("c1"), call("c2")), result("c2"), result("c1")
    ),
    "system first": request(Message.System("a"), ASKED),
    "four cache marks": request(Message.User([marked(str(number)) for number in range(4)])),
    "names and ids as they should be": request(
        ASKED, calls(call("toolu_-9", "F-2_")), result("toolu_-9", name="F-2_"), tools=[Tool("x" * 64)]
    ),
    "an id of 40 characters": request(ASKED, calls(call("x" * 40)), result("x" * 40)),
    "a whole surrogate pair": request(Message.User("\U0001f600")),
    "escapes that are whole": request(ASKED, calls(call(arguments='{"a": "\\ud83d\\ude00"}')), result()),
    "a tool result that says nothing": request(ASKED, calls(call()), Message.ToolResult("c1", "f", [])),
    "thinking in an open tool loop": request(ASKED, calls(SIGNED, call()), result(), thinking=Thinking.Budget(1024)),
    "thinking where the loop is closed": request(
        ASKED, calls(call()), result(), Message.Assistant("Done."), LATE, thinking=Thinking.Budget(1024)
    ),
}

every_breach = pytest.mark.parametrize(
    ("breach", "dialect"),
    [pytest.param(breach, name, id=f"{name}-{breach.name}") for breach in BREACHES for name in breach.dialects],
)


@every_breach
def test_a_breach_is_found_where_it_is(breach: Breach, dialect: str) -> None:
    found = check(breach.broken, dialect)
    own = [violation for violation in found if violation.rule == breach.rule]
    assert {violation.path for violation in found} == set(breach.paths)
    assert own
    for violation in found:
        assert violation.what
        assert violation.fix
        assert violation.severity in Severity
        assert violation.path in str(violation)


@every_breach
def test_a_breach_is_mended_by_the_steps_that_are_named(breach: Breach, dialect: str) -> None:
    mended = repair(breach.broken, dialect)
    assert check(mended.value, dialect) == ()
    assert [(loss.path, loss.action) for loss in mended.losses] == list(breach.steps)
    assert all(loss.reason and loss.what for loss in mended.losses)
    assert all(loss.original is not None or loss.action is INVENTED for loss in mended.losses if loss.what not in NOTHING_TO_SHOW)
    if breach.mended is not None:
        assert mended.value == breach.mended


@every_breach
def test_a_history_is_mended_as_a_request_is(breach: Breach, dialect: str) -> None:
    if breach.broken.params == ModelParams():
        history = repair(History(breach.broken.messages), dialect)
        assert isinstance(history.value, History)
        assert tuple(history.value) == repair(breach.broken, dialect).value.messages


@pytest.mark.parametrize("dialect", BOTH)
@pytest.mark.parametrize("name", SOUND)
def test_what_is_sound_breaks_no_rule_and_is_left_alone(name: str, dialect: str) -> None:
    assert check(SOUND[name], dialect) == ()
    mended = repair(SOUND[name], dialect)
    assert mended.value is SOUND[name]
    assert mended.losses == ()


ELSEWHERE: Final = frozenset(
    {
        "media",
        "media-size",
        "media-count",
        "tool-count",
        "format-name",
        "speaker-name",
        "results-in-order",
        "system-first",
        "first-user",
        "last-user",
    }
    | {
        "says-or-calls",
        "media-address",
        "trailing-space",
        "answer-limit",
        "document-name",
        "document-needs-text",
        "needs-tools",
        "tool-definitions",
        "tool-description",
        "forced-tool",
    }
    | {
        "media-type",
        "cache-points",
        "empty-assistant",
        "reasoning-leads",
        "results-apart",
        "thinking-budget",
        "stop",
        "prefix-last",
        "result-name",
        "tool-choice",
    }
)
"""Rules that hold for other dialects first of all, and are shown with them."""


def test_every_rule_has_a_breach() -> None:
    assert {rule.name for rule in RULES} - ELSEWHERE == {breach.rule for breach in BREACHES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.name}{'' if rule.automatic else ', on request'}")
def test_what_convert_mends_of_itself_is_a_matter_of_spelling(rule: Any) -> None:
    """An automatic rule invents nothing and drops nothing that somebody said."""
    for breach in BREACHES:
        if breach.rule == rule.name and rule.automatic and rule.name != "tool-pairing":
            assert INVENTED not in {action for _, action in breach.steps}


# --- ids -----------------------------------------------------------------------------------------------------------------------


def ids(request: ChatRequest) -> tuple[list[str], list[str]]:
    """The ids of calls, and of results."""
    asked = [c.id for message in request.messages if isinstance(message, Message.Assistant) for c in message.tool_requests]
    return asked, [message.id for message in request.messages if isinstance(message, Message.ToolResult)]


def test_two_ids_that_careless_cleaning_makes_one_stay_two() -> None:
    """The case of Kimi: `functions.write:0` beside `functions_write_0`."""
    broken = request(
        ASKED,
        calls(call("functions.write:0"), call("functions_write_0")),
        result("functions.write:0", "A"),
        result("functions_write_0", "B"),
    )
    mended = repair(broken, "anthropic").value
    asked, answered = ids(mended)
    assert len(set(asked)) == 2
    assert asked == answered
    assert asked[1] == "functions_write_0"
    assert [message.text for message in mended.messages[2:]] == ["A", "B"]


def test_many_ids_that_clean_alike_stay_as_many() -> None:
    names = [f"a{sign}b" for sign in ".:/ |+é#"]
    broken = request(ASKED, calls(*map(call, names)), *(result(name, name) for name in reversed(names)))
    asked, answered = ids(repair(broken, "anthropic").value)
    assert len(set(asked)) == len(names)
    assert asked == answered[::-1]


@pytest.mark.parametrize("dialect", BOTH)
def test_long_ids_that_differ_at_their_end_stay_two(dialect: str) -> None:
    one, other = "x" * 70 + "1", "x" * 70 + "2"
    asked, answered = ids(repair(request(ASKED, calls(call(one), call(other)), result(one), result(other)), dialect).value)
    assert len(set(asked)) == 2
    assert asked == answered


@pytest.mark.parametrize("dialect", BOTH)
def test_ids_are_derived_alike_every_time_and_whatever_comes_later(dialect: str) -> None:
    short = request(ASKED, calls(call("é" * 50)), result("é" * 50))
    longer = request(*short.messages, LATE, calls(call("ü" * 50)), result("ü" * 50))
    assert ids(repair(short, dialect).value) == ids(repair(short, dialect).value)
    assert ids(repair(longer, dialect).value)[0][:1] == ids(repair(short, dialect).value)[0]


@pytest.mark.parametrize("dialect", ["openai_chat"])
def test_an_id_of_many_turns_is_rewritten_to_the_same_id_everywhere(dialect: str) -> None:
    broken = request(ASKED, *(message for _ in range(3) for message in (calls(call("x" * 70)), result("x" * 70))), LATE)
    asked, answered = ids(repair(broken, dialect).value)
    assert len({*asked, *answered}) == 1


def test_an_id_that_comes_again_is_another_one_where_each_may_stand_once() -> None:
    broken = request(ASKED, *(message for _ in range(3) for message in (calls(call()), result())), LATE)
    assert {found.rule for found in check(broken, "anthropic")} == {"tool-id"}
    asked, answered = ids(repair(broken, "anthropic").value)
    assert asked == answered
    assert len(set(asked)) == 3


@pytest.mark.parametrize("dialect", BOTH)
def test_calls_of_one_id_in_one_message_get_ids_of_their_own_and_keep_their_results(dialect: str) -> None:
    broken = request(ASKED, calls(*(call("c", arguments={"n": n}) for n in range(3))), *(result("c", str(n)) for n in range(3)))
    mended = repair(broken, dialect).value
    asked, answered = ids(mended)
    assert len(set(asked)) == 3
    assert asked == answered
    assert [message.text for message in mended.messages[2:]] == ["0", "1", "2"]


# --- names ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", BOTH)
def test_a_name_is_rewritten_to_the_same_name_in_tools_choice_calls_and_results(dialect: str) -> None:
    broken = request(
        ASKED, calls(call(name="a.b")), result(name="a.b"), tools=[Tool("a.b"), Tool("a_b")], tool_choice=ToolChoice.One("a.b")
    )
    mended = repair(broken, dialect).value
    first, second = (tool.name for tool in mended.params.tools if isinstance(tool, Tool))
    assert second == "a_b"
    assert first != second
    assert isinstance(mended.params.tool_choice, ToolChoice.One)
    assert isinstance(mended.messages[1], Message.Assistant)
    assert isinstance(mended.messages[2], Message.ToolResult)
    assert {mended.params.tool_choice.name, mended.messages[1].tool_requests[0].name, mended.messages[2].tool} == {first}


# --- prefill -------------------------------------------------------------------------------------------------------------------

BODY: Final = {"messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": "so"}]}


@pytest.mark.parametrize(
    ("model", "is_taken"),
    [
        (None, False),
        ("claude-opus-4-8", False),
        ("claude-opus-4-6", False),
        ("claude-sonnet-4-6", False),
        ("a model of tomorrow", False),
        ("claude-3-5-haiku-latest", True),
        ("claude-opus-4-1-20250805", True),
        ("claude-sonnet-4-5", True),
        ("claude-sonnet-4-20250514", True),
        ("anthropic.claude-3-haiku-20240307-v1:0", True),
    ],
)
def test_whether_an_assistant_may_be_last_depends_on_the_model(model: str | None, is_taken: bool) -> None:
    history = History(request(ASKED, Message.Assistant("so")).messages)
    assert (check(history, "anthropic", model) == ()) is is_taken
    assert (check(ChatRequest(history, ModelParams(model=model)), "anthropic") == ()) is is_taken
    assert isinstance(convert(BODY, "openai_chat", "anthropic", model=model), Success) is is_taken


@pytest.mark.parametrize("model", ["claude-opus-4-8", "claude-3-5-haiku-latest"])
@pytest.mark.parametrize("prefill", [True, False])
def test_the_parameter_overrules_what_is_known_of_the_model(model: str, prefill: bool) -> None:
    assert isinstance(convert(BODY, "openai_chat", "anthropic", model=model, prefill=prefill), Success) is prefill


def test_what_is_refused_names_the_rule_and_the_message_and_is_mended_on_request() -> None:
    match convert(BODY, "openai_chat", "anthropic"):
        case Failure(ConversionError.Invalid() as error):
            assert [violation.rule for violation in error.violations] == ["prefill"]
            assert "$.messages[1]" in str(error)
        case other:
            pytest.fail(f"expected a refusal, got {other}")
    converted = convert(BODY, "openai_chat", "anthropic", repair=True).unwrap()
    assert converted.value["messages"][-1]["role"] == "user"
    assert INVENTED in {loss.action for loss in converted.losses}
    assert isinstance(convert(BODY, "openai_chat", "anthropic", policy=Policy.LENIENT), Success)
    assert isinstance(convert(BODY, "openai_chat", "anthropic", policy=Policy.LENIENT, repair=False), Failure)


# --- turns ---------------------------------------------------------------------------------------------------------------------


def test_two_assistant_messages_in_a_row_are_one_turn_where_turns_are_merged() -> None:
    conversation = request(ASKED, calls(call("c1")), calls(call("c2")), result("c1"), result("c2"))
    assert check(conversation, "anthropic") == ()
    written = DIALECTS["anthropic"].write_request(conversation).value
    assert [[block["type"] for block in message["content"]] for message in written["messages"]] == [
        ["text"],
        ["tool_use", "tool_use"],
        ["tool_result", "tool_result"],
    ]
    assert [violation.path for violation in check(conversation, "openai_chat")] == ["$.messages[1].contents[0]", "$.messages[3]"]


def test_results_stand_first_in_their_turn() -> None:
    conversation = request(ASKED, calls(call("c1"), call("c2")), result("c2"), result("c1"), LATE)
    turn = DIALECTS["anthropic"].write_request(conversation).value["messages"][-1]
    assert [block["type"] for block in turn["content"]] == ["tool_result", "tool_result", "text"]


def test_thinking_that_is_not_signed_does_not_count() -> None:
    unsigned = request(ASKED, calls(Content.Reasoning("hm"), call()), result(), thinking=Thinking.Budget(1024))
    assert [violation.rule for violation in check(unsigned, "anthropic")] == ["thinking-first"]
    assert check(unsigned, "openai_chat") == ()


# --- any conversation ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", NAMES)
def test_anything_can_be_mended(dialect: str) -> None:
    @given(strategies.chat_requests())
    def mends(request: ChatRequest) -> None:
        laws.repairs(dialect, request)

    mends()


@pytest.mark.parametrize("dialect", NAMES)
def test_what_a_dialect_can_say_needs_no_mending(dialect: str) -> None:
    @given(strategies.requests(dialect))
    def is_sound(request: ChatRequest) -> None:
        laws.checks(dialect, request)

    is_sound()


def test_a_dialect_that_there_is_not_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="expected the name of a dialect"):
        check([ASKED], "latin")


def test_check_takes_any_iterable_of_messages() -> None:
    messages: Iterable[Message.T] = iter([ASKED])
    assert check(messages, "anthropic") == ()


def test_arguments_that_were_cut_off_are_no_matter_of_rules() -> None:
    """What becomes of them is a loss of the writer, which says so."""
    cut = request(ASKED, calls(call(arguments=Arguments.of('{"a": '))), result())
    assert all(check(cut, dialect) == () for dialect in BOTH)
