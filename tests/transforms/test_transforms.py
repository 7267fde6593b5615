"""What each transform does, where the laws leave it open."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from hypothesis import given
from returns.pipeline import flow, pipe
from returns.pointfree import bind
from returns.result import Failure, Result, Success

from chatadt import (
    DIALECTS,
    Arguments,
    ChatRequest,
    Content,
    Extras,
    History,
    Json,
    Message,
    Outcome,
    Resource,
    Severity,
    strategies,
)
from chatadt.transforms import (
    Change,
    Missing,
    NoMessage,
    address_of,
    branch,
    close_calls,
    concat,
    cost_of,
    diff,
    drop_contents,
    drop_messages,
    edit,
    exchanges,
    externalise,
    fit,
    inline,
    is_summary,
    map_contents,
    older,
    put_summary,
    redact,
    relabel,
    summarise,
    try_summarise,
    validate,
    window,
    without_reasoning,
)


def call(id_: str, name: str = "f", arguments: Any = None) -> Content.ToolRequest:
    return Content.ToolRequest(id_, name, arguments or {})


AGENT: Final = (
    History()
    .system("s")
    .user("go")
    .assistant([call("1")])
    .result("1", "f", "a")
    .assistant([call("2"), call("3")])
    .result("3", "f", "b")
    .result("2", "f", "c")
    .assistant("done")
)
"""One long exchange."""

TALK: Final = History().system("s").user("a").assistant("b").user("c").assistant("d")


# --- composing -------------------------------------------------------------------------------------------------------------------


def test_transforms_compose_by_flow_and_pipe() -> None:
    left: History = flow(AGENT, window(1), without_reasoning)
    assert left == AGENT
    fitting: Result[History, Any] = flow(TALK, window(2), without_reasoning, fit(100), bind(fit(50)))
    assert fitting == Success(TALK)
    together = pipe(window(1), relabel(), close_calls())
    assert together(TALK) == History().system("s").user("c").assistant("d")


# --- exchanges and windows -------------------------------------------------------------------------------------------------------


def test_user_messages_in_a_row_open_one_exchange() -> None:
    history = History().system("s").user("a").user("b").system("late").user("c").assistant("d").user("e")
    assert [len(part) for part in exchanges(history)] == [6, 1]


def test_what_stands_before_the_first_user_belongs_to_the_first_exchange() -> None:
    history = History().system("s").assistant("Hello!").user("a").assistant("b").user("c")
    assert exchanges(history) == (history[:4], history[4:])
    assert window(1)(history) == History().system("s").user("c")


def test_an_exchange_does_not_end_between_a_call_and_its_late_result() -> None:
    history = History().user("a").assistant([call("1")]).user("well?").result("1", "f", "b").assistant("c").user("d")
    assert exchanges(history) == (history[:5], history[5:])
    assert window(1)(history) == history[5:]


def test_no_exchange_ends_between_a_call_that_only_a_dialect_knows_and_its_result() -> None:
    shell = Message.Custom({"type": "local_shell_call", "call_id": "7"}, "openai_responses")
    history = History([Message.User("a"), shell, Message.User("b"), Message.ToolResult("7", None, "c"), Message.User("d")])
    assert exchanges(history) == (history[:4], history[4:])


def test_there_is_no_exchange_in_nothing_and_one_where_nobody_asked() -> None:
    assert exchanges(History()) == ()
    assert exchanges(History().system("s").assistant("b")) == (History().system("s").assistant("b"),)


def test_a_long_exchange_loses_its_first_steps_and_keeps_the_question() -> None:
    assert window(messages=6)(AGENT) == AGENT[:2] + AGENT[4:]
    assert window(messages=5)(AGENT) == AGENT[:2] + AGENT[4:]
    assert window(messages=4)(AGENT) == AGENT[:2] + AGENT[7:]
    assert window(messages=1)(AGENT) == AGENT[:2] + AGENT[7:]
    assert fit(6, lambda _: 1, steps=True)(AGENT) == Success(AGENT[:2] + AGENT[4:])
    assert fit(2, lambda _: 1, steps=True)(AGENT).failure().least == AGENT[:2] + AGENT[7:]
    assert fit(6, lambda _: 1)(AGENT).failure().least == AGENT


def test_no_step_begins_between_a_call_and_its_result() -> None:
    history = History().user("a").assistant([call("1")]).assistant("more").result("1", "f", "b").assistant("done")
    assert window(messages=4)(history) == History().user("a").assistant("done")


def test_older_exchanges_go_before_the_last_one_loses_steps() -> None:
    history = TALK + AGENT[1:]
    assert window(messages=7)(history) == AGENT
    assert window(messages=5)(history) == AGENT[:2] + AGENT[4:]


@pytest.mark.parametrize("wrong", [{"exchanges": -1}, {"messages": -1}])
def test_a_negative_window_is_an_error(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="a window holds 0 or more, got -1"):
        window(**wrong)  # type: ignore[call-overload]


@pytest.mark.parametrize("wrong", [{}, {"exchanges": 1, "messages": 1}])
def test_a_window_is_of_exchanges_or_of_messages(wrong: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="one of the two"):
        window(**wrong)  # type: ignore[call-overload]


def test_each_message_is_weighed_once() -> None:
    weighed: list[Message.T] = []

    def cost(message: Message.T) -> int:
        weighed.append(message)
        return 1

    fit(3, cost, steps=True)(AGENT)
    assert weighed == list(AGENT)


# --- dropping and changing -------------------------------------------------------------------------------------------------------


def test_a_result_that_was_emptied_stays_and_a_message_goes() -> None:
    image = Content.Image(Resource.Ref("https://example.org/cat.png"))
    history = History().user([image]).assistant([call("1")]).result("1", "f", [image]).assistant([])
    assert drop_messages(lambda message: False)(history) is history
    left = drop_contents(lambda content: isinstance(content, Content.Image))(history)
    assert left == History().assistant([call("1")]).result("1", "f", []).assistant([])


def test_what_only_a_dialect_knows_goes_with_its_call() -> None:
    output = Message.Custom({"type": "computer_call_output", "call_id": "1"}, "openai_responses")
    history = History([Message.User("a"), Message.Assistant(["x", call("1")]), output])
    assert validate(history) == ()
    assert drop_messages(lambda message: isinstance(message, Message.Custom))(history) == History().user("a").assistant("x")
    assert drop_messages(lambda message: isinstance(message, Message.Assistant))(history) == History().user("a")


def test_results_follow_their_request_to_another_id() -> None:
    def renamed(content: Content.T) -> Content.T:
        return Content.ToolRequest(f"x{content.id}", "g", {}) if isinstance(content, Content.ToolRequest) else content

    mapped = map_contents(renamed)(AGENT)
    assert [(each.id, each.tool) for each in mapped if isinstance(each, Message.ToolResult)] == [
        ("x1", "g"),
        ("x3", "g"),
        ("x2", "g"),
    ]


def test_a_result_goes_where_its_request_has_become_something_else() -> None:
    def told(content: Content.T) -> Content.T:
        return Content.Text(f"called {content.name}") if isinstance(content, Content.ToolRequest) else content

    assert [type(message).__name__ for message in map_contents(told)(AGENT)] == ["System", "User", *["Assistant"] * 3]


def test_a_content_in_a_message_that_cannot_hold_it_is_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"contents\[0\] of a system message"):
        map_contents(lambda _: call("1"))(TALK)


# --- redacting -------------------------------------------------------------------------------------------------------------------

SECRET: Final = "4111-1111"
EVERYWHERE: Final = History(
    [
        Message.System(f"s {SECRET}", Extras({"nobody": {SECRET: [SECRET, {"a": SECRET}]}})),
        Message.User(
            [
                Content.Audio(Resource.Binary(b"a"), SECRET, Extras({"nobody": {"a": SECRET}})),
                Content.PDF(Resource.Ref(f"https://example.org/{SECRET}?a", extras=Extras({"nobody": {"a": SECRET}})), SECRET),
                Content.File(Resource.Binary(f"a {SECRET}".encode(), "text/plain"), SECRET),
                Content.Image(Resource.Binary(b"a", extras=Extras({"nobody": {"a": SECRET}}))),
                Content.Custom("nobody", {"a": SECRET}),
            ],
            SECRET,
            Extras({"nobody": {"a": SECRET}}),
        ),
        Message.Assistant(
            [
                Content.Reasoning(f"think {SECRET}", Extras({"anthropic": {"signature": "x"}})),
                Content.Refusal(SECRET),
                call("1", "f", {SECRET: {"a": [f"\\{SECRET}\n"]}}),
                Content.ToolRequest("2", "f", f'{{"a": "{SECRET}'),
            ],
            SECRET,
        ),
        Message.ToolResult("1", "f", SECRET, extras=Extras({"nobody": {"a": SECRET}})),
        Message.ToolResult("2", "f", [Content.File(Resource.Ref(SECRET))], Outcome.DENIED),
        Message.Custom({"a": [SECRET]}, "nobody"),
    ]
)


def test_a_pattern_is_found_wherever_something_is_said() -> None:
    left = redact(SECRET)(EVERYWHERE)
    assert SECRET in repr(EVERYWHERE)
    assert SECRET not in repr(left)
    files = [c for c in left[1].contents if isinstance(c, Content.File)]  # type: ignore[union-attr]
    assert [each.resource.bytes for each in files if isinstance(each.resource, Resource.Binary)] == [b"a [redacted]"]
    assert validate(left) == validate(EVERYWHERE) == ()


def test_an_escape_hides_nothing_and_the_rest_of_a_document_stays_as_it_was() -> None:
    document = Json('{ "mail": "a\\u0040example.org",  "n": 1.50, "card": 4111111111111111 , "b": true}')
    history = History().assistant([Content.ToolRequest("1", "f", document)]).result("1", "f", "ok")
    left = redact(r"\w+@[\w.]+", r"\b\d{16}\b")(history)
    assert left[0].tool_requests[0].arguments == Arguments.Parsed(  # type: ignore[union-attr]
        Json('{"mail": "[redacted]", "n": 1.50, "card": "[redacted]", "b": true}')
    )
    assert '"n": 1.50' in left[0].tool_requests[0].arguments.json.text  # type: ignore[union-attr]


def test_two_keys_that_become_one_lose_no_value() -> None:
    history = History([Message.Custom({"k1": 1, "k2": 2, "*": 3})])
    assert redact("k[0-9]", marker="*")(history) == History([Message.Custom({"*_": 1, "*__": 2, "*": 3})])


def test_reasoning_that_was_changed_has_no_signature() -> None:
    left = redact(SECRET)(EVERYWHERE)[2]
    assert isinstance(left, Message.Assistant)
    assert left.contents[0] == Content.Reasoning("think [redacted]")


def test_notes_on_spelling_stay_and_what_is_noted_is_redacted() -> None:
    noted = History([Message.User("a", extras=Extras({"openai_chat": {"$kept": {"secret": "secret"}, "$$secret": 1}}))])
    left = redact("secret|kept", marker="*")(noted)[0]
    assert left == Message.User("a", extras=Extras({"openai_chat": {"$kept": {"*": "*"}, "$$*": 1}}))


def test_ids_and_names_of_tools_stay() -> None:
    left = redact("[a-z0-9]+", marker="")(EVERYWHERE)
    assert [(each.id, each.tool) for each in left if isinstance(each, Message.ToolResult)] == [("1", "f"), ("2", "f")]
    assert validate(left) == ()


def test_an_address_of_which_nothing_is_left_says_so() -> None:
    history = History().user([Content.Image(Resource.Ref("https://example.org"))])
    left = redact(".*", marker="")(history)
    assert left == History().user([Content.Image(Resource.Ref("urn:chatadt:redacted"))])


def test_a_pattern_that_finds_nothing_between_letters_puts_nothing_there() -> None:
    assert redact("x*", marker="!")(History().user("axxb")) == History().user("a!b")


def test_whole_kinds_are_taken_out() -> None:
    history = (
        History().user(["a", Content.Image(Resource.Ref("urn:a"))]).assistant([call("1", "f", {"a": 1})]).result("1", "f", "b")
    )
    left = redact(kinds=[Content.Image, Content.ToolRequest, Message.ToolResult], marker="gone")(history)
    assert left == History().user(["a", "gone"]).assistant([call("1")]).result("1", "f", "gone")


def test_a_compiled_pattern_keeps_its_flags() -> None:
    assert redact(re.compile("ann", re.IGNORECASE))(History().user("Ann")) == History().user("[redacted]")


# --- media -----------------------------------------------------------------------------------------------------------------------

CAT: Final = Resource.Binary(b"a cat", "image/png", Extras({"nobody": {"a": 1}}))
SHOWN: Final = (
    History().user([Content.Image(CAT), Content.PDF(CAT, "cat")]).user([Content.Image(Resource.Ref("https://example.org"))])
)


def test_a_medium_is_stored_once_and_referred_to_by_its_hash() -> None:
    put: list[tuple[str, bytes]] = []
    left = externalise(lambda address, content: put.append((address, content)))(SHOWN)
    assert put == [(address_of(b"a cat"), b"a cat")]
    assert left[0] == Message.User(
        [
            Content.Image(Resource.Ref(put[0][0], "image/png", CAT.extras)),
            Content.PDF(Resource.Ref(put[0][0], "image/png", CAT.extras), "cat"),
        ]
    )
    assert left[1] is SHOWN[1]


def test_small_media_stay_and_so_does_base64_that_would_come_back_otherwise() -> None:
    odd = History().user([Content.Image(Resource.Binary("QR=="))])
    assert externalise(lambda address, content: None)(odd) is odd
    assert externalise(lambda address, content: None, least=6)(SHOWN) is SHOWN
    assert externalise(lambda address, content: None, least=5)(SHOWN) != SHOWN


def test_what_the_store_lost_or_altered_is_named() -> None:
    store: dict[str, bytes] = {}
    moved = externalise(store.__setitem__)(SHOWN)
    address = address_of(b"a cat")
    paths = ("$.messages[0].contents[0].resource", "$.messages[0].contents[1].resource")
    assert inline(lambda _: None)(moved) == Failure(Missing(tuple((path, address) for path in paths), ()))
    assert inline(lambda _: b"dog")(moved) == Failure(Missing((), tuple((path, address) for path in paths)))
    assert "got others from the store (their hash differs)" in str(inline(lambda _: b"dog")(moved).failure())
    assert inline(store.get)(moved) == Success(SHOWN)


# --- summaries -------------------------------------------------------------------------------------------------------------------


def test_a_summary_may_fail() -> None:
    assert try_summarise(lambda told: Failure("no model"))(TALK) == Failure("no model")
    assert try_summarise(lambda told: Failure("no model"), keep=2)(TALK) == Success(TALK)
    summed: Result[History, str] = try_summarise(lambda told: Success(f"{len(told)}"))(TALK)
    assert [message.text for message in summed.unwrap()] == ["s", "2", "c", "d"]


def test_a_summary_can_be_made_by_other_means() -> None:
    assert older(1)(TALK) == TALK[1:3]
    assert put_summary("so far", keep=1)(TALK) == summarise(lambda told: "so far")(TALK)
    assert older(2)(TALK) == History()
    assert put_summary("so far", keep=2)(TALK) is TALK


def test_a_summary_says_how_many_messages_it_stands_for_and_no_provider_sees_that() -> None:
    once = summarise(lambda told: "one")(TALK)
    twice = summarise(lambda told: "two")(once.user("e").assistant("f"))
    assert [message.extras.of("chatadt") for message in twice if is_summary(message)] == [{"$summary": 4}]
    for name in ("openai_chat", "anthropic", "gemini", "cohere"):
        written = DIALECTS[name].write_request(ChatRequest(once))
        assert "summary" not in str(written.value)
        assert [loss for loss in written.losses if "chatadt" in str(loss)] == []


def test_nobody_is_asked_where_nothing_would_go_but_a_summary() -> None:
    asked: list[History] = []

    def tell(told: History) -> str:
        asked.append(told)
        return "so far"

    once = summarise(tell, keep=0)(TALK)
    assert summarise(tell, keep=0)(once) is once
    assert summarise(tell, keep=1)(once.assistant("e")) == once.assistant("e")
    assert len(asked) == 1


def test_a_negative_number_of_exchanges_to_keep_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 exchanges or more, got -1"):
        summarise(lambda told: "", keep=-1)


# --- calls -----------------------------------------------------------------------------------------------------------------------


def test_calls_are_closed_behind_the_results_of_their_speech() -> None:
    history = History().user("a").assistant([call("1"), call("2")]).result("2", "f", "b").user("c").assistant([call("3")])
    closed = close_calls("denied", Outcome.DENIED)(history)
    assert closed == (
        History()
        .user("a")
        .assistant([call("1"), call("2")])
        .result("2", "f", "b")
        .result("1", "f", "denied", Outcome.DENIED)
        .user("c")
        .assistant([call("3")])
        .result("3", "f", "denied", Outcome.DENIED)
    )
    assert validate(closed) == ()


def test_a_call_with_a_late_result_is_not_open() -> None:
    history = History().user("a").assistant([call("1")]).user("b").result("1", "f", "c")
    assert close_calls()(history) is history


@given(strategies.histories())
def test_relabelled_calls_are_numbered_in_order(history: History) -> None:
    ids = [
        request.id for message in relabel()(history) if isinstance(message, Message.Assistant) for request in message.tool_requests
    ]
    assert ids == [f"call_{number}" for number in range(1, len(ids) + 1)]


def test_ids_that_are_used_twice_become_two() -> None:
    history = History().assistant([call("1")]).result("1", "f", "a").assistant([call("1")]).result("1", "f", "b")
    ids = [getattr(message, "id", None) for message in relabel("c{}".format)(history)]
    assert ids == [None, "c1", None, "c2"]


def test_the_id_of_a_result_without_a_request_is_given_to_nobody() -> None:
    history = History().result("call_1", None, "a").assistant([call("x")]).result("x", "f", "b")
    assert [getattr(message, "id", None) for message in relabel()(history)] == ["call_1", None, "call_2"]


def test_a_request_that_is_answered_by_what_only_a_dialect_knows_keeps_its_id() -> None:
    output = Message.Custom({"type": "computer_call_output", "call_id": "x"}, "openai_responses")
    history = History([Message.Assistant([call("x")]), output, Message.Assistant([call("y")])]).result("y", "f", "b")
    assert relabel()(history)[:2] == history[:2]
    assert relabel()(history)[3] == Message.ToolResult("call_1", "f", "b")


def test_a_label_that_makes_one_id_of_two_is_an_error() -> None:
    with pytest.raises(ValueError, match="label makes 'x' of 1 and of 2"):
        relabel(lambda _: "x")(AGENT)
    with pytest.raises(ValueError, match="label makes"):
        relabel(lambda _: "x")(AGENT.result("x", None, "a"))


# --- branching and editing -------------------------------------------------------------------------------------------------------


def test_a_branch_ends_before_a_call_that_would_be_parted_from_its_result() -> None:
    assert [len(branch(at)(AGENT)) for at in range(9)] == [0, 1, 2, 2, 4, 4, 4, 7, 8]
    assert branch(99)(AGENT) is AGENT
    assert branch(-1)(AGENT) == AGENT[:7]
    assert branch(-99)(AGENT) == History()


@pytest.mark.parametrize("said", [Message.Assistant("new"), Message.User("new"), Message.System("new")])
def test_an_edit_parts_no_other_results_from_their_requests(said: Message.T) -> None:
    asked, results = Message.Assistant([call(id) for id in "abc"]), [Message.ToolResult(id, "f", id) for id in "abc"]
    left = edit(2, lambda _: said)(History([asked, *results])).unwrap()
    assert left == History([Message.Assistant([call("a"), call("c")]), results[0], results[2], said])
    two = History([Message.Assistant([call("a")]), Message.Assistant("and"), results[0]])
    assert edit(1, lambda _: Message.User("new"))(two).unwrap() == History([two[0], two[2], Message.User("new")])
    assert edit(-2, lambda _: Message.Assistant("new"))(two).unwrap() == History([two[0], Message.Assistant("new"), two[2]])


def test_an_edit_takes_what_belongs_to_it_along() -> None:
    def quiet(_: Message.T) -> Message.T:
        return Message.Assistant("never mind")

    assert edit(2, quiet)(AGENT) == Success(AGENT[:2] + (Message.Assistant("never mind"),) + AGENT[4:])
    assert edit(3, lambda _: Message.User("oh"))(AGENT) == Success(AGENT[:2] + (Message.User("oh"),) + AGENT[4:])
    assert edit(1, lambda message: message)(AGENT).unwrap() is AGENT


@pytest.mark.parametrize(("at", "length"), [(5, 5), (-6, 5), (0, 0)])
def test_there_is_no_message_beyond_the_end(at: int, length: int) -> None:
    failure = edit(at, lambda message: message)(TALK[:length]).failure()
    assert failure == NoMessage(at, length)
    assert f"got {at}" in str(failure)


def test_histories_put_together_have_no_seam() -> None:
    assert concat()(TALK) == concat(History())(TALK) == concat(TALK)(History()) == TALK
    assert concat(AGENT, TALK)(TALK) == concat(concat(TALK)(AGENT))(TALK) == TALK + AGENT + TALK
    assert concat([Message.User("x")])(TALK) == TALK.user("x")


# --- differences -----------------------------------------------------------------------------------------------------------------


def test_differences_are_shown_line_by_line() -> None:
    other = History().system("s").user("a").assistant(["B", "c"]).assistant("d").user("e")
    changes = diff(TALK, other)
    assert changes == (
        Change.Changed(2, 2, Message.Assistant("b"), Message.Assistant(["B", "c"])),
        Change.Removed(3, Message.User("c")),
        Change.Added(4, Message.User("e")),
    )
    assert "\n".join(map(str, changes)).splitlines() == [
        "~ $.messages[2].contents[0].text: 'b' -> 'B'",
        "~ $.messages[2].contents[1]: Content.Text('c') is new",
        "- $.messages[3]: Message.User((Content.Text('c'),))",
        "+ $.messages[4]: Message.User((Content.Text('e'),))",
    ]


def test_messages_of_two_kinds_are_not_one_that_changed() -> None:
    changes = diff(History().user("a"), History().assistant("a"))
    assert changes == (Change.Removed(0, Message.User("a")), Change.Added(0, Message.Assistant("a")))


def test_what_is_shown_of_a_difference_is_short() -> None:
    change = diff(History(), History().user("a" * 1_000))[0]
    assert len(str(change)) < 200


# --- what is wrong ---------------------------------------------------------------------------------------------------------------


def found(history: History) -> list[tuple[str, str, Severity]]:
    return [(violation.rule, violation.path, violation.severity) for violation in validate(history)]


def test_what_is_wrong_for_anyone_is_listed_with_its_place() -> None:
    error, warning = Severity.ERROR, Severity.WARNING
    assert found(History().assistant([call("1")])) == [("tool-pairing", "$.messages[0].contents[0]", error)]
    assert found(History().result("1", None, "a")) == [("tool-pairing", "$.messages[0]", error)]
    assert found(History().assistant([call("1")]).result("1", "f", "a").result("1", "f", "a")) == [
        ("tool-pairing", "$.messages[2]", error)
    ]
    late = History().assistant([call("1")]).user("a").result("1", "f", "b")
    assert found(late) == [("tool-pairing", "$.messages[2]", warning)]
    later = History().assistant([call("1")]).user("a").assistant("b").result("1", "f", "b")
    assert found(later) == [("tool-pairing", "$.messages[3]", error)]
    twice = History().assistant([call("1"), call("1")]).result("1", "f", "a").result("1", "f", "b")
    assert found(twice) == [("tool-id", "$.messages[0].contents[1].id", error)]
    other = History().assistant([call("1")]).result("1", "g", "a")
    assert found(other) == [("tool-name", "$.messages[1].tool", warning)]
    assert found(History().user("\ud83d")) == [("lone-surrogate", "$.messages[0].contents[0].text", error)]


def test_a_result_answers_the_latest_request_of_its_id() -> None:
    history = History().assistant([call("1")]).user("a").assistant([call("1")]).result("1", "f", "b")
    assert found(history) == [("tool-pairing", "$.messages[0].contents[0]", Severity.ERROR)]


def test_what_only_a_dialect_knows_answers_no_request_whose_id_was_used_again_before_it() -> None:
    output = Message.Custom({"type": "computer_call_output", "call_id": "1"}, "openai_responses")
    history = History().assistant([call("1")]).user("a").assistant([call("1")]).result("1", "f", "b") + [output]
    assert found(history) == [("tool-pairing", "$.messages[0].contents[0]", Severity.ERROR)]


def test_a_call_that_only_a_dialect_knows_stands_before_its_result() -> None:
    shell = Message.Custom({"type": "local_shell_call", "call_id": "7"}, "openai_responses")
    result = Message.ToolResult("7", None, "a")
    assert found(History([shell, Message.Assistant("b"), result])) == []
    assert found(History([result, shell])) == [("tool-pairing", "$.messages[0]", Severity.ERROR)]


def test_what_is_wrong_comes_with_what_would_make_it_right() -> None:
    for history in (History().assistant([call("1")]), History().result("1", None, "a"), History().user("\ud83d")):
        for violation in validate(history):
            assert violation.what
            assert violation.fix


def test_a_run_of_assistant_messages_is_one_speech() -> None:
    custom = Message.Custom({"type": "reasoning"}, "openai_responses")
    history = (
        History([Message.Assistant([call("1")]), custom, Message.Assistant([call("2")])])
        .result("1", "f", "a")
        .result("2", "f", "b")
    )
    assert validate(history) == ()
    assert cost_of(history) > 0
