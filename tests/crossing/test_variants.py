"""The servers that speak OpenAI Chat: each body comes home as it was, and what one server says reaches no other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import pytest
from returns.result import Success
from streams.test_recorded import OTHERWISE, said_of, silent_between
from wire.answers import as_request, complaints, tokens
from wire.corpus import WIRE, Recording, present, read_file, recorded, recordings, report, sample
from wire.evidence import Reported
from wire.ledger import silent
from wire.values import compact, leaves, same
from wire.views import VIEWS

from chatadt import (
    DIALECTS,
    ChatRequest,
    ChatResponse,
    Content,
    ConversionError,
    Delta,
    Effort,
    Loss,
    Message,
    ModelParams,
    Policy,
    Thinking,
    convert,
    deltas_of,
    fold,
    fold_each,
)
from chatadt.dialects import VARIANTS
from chatadt.dialects.openai_chat.variants import VARIANTS as ROWS, Variant, variant

ENDPOINTS: Final[Mapping[str, tuple[str, ...]]] = {
    "azure": ("azure_openai_chat", "azure_ai_inference"),
    "xai": ("xai_chat",),
    **{
        name: (name,)
        for name in (
            "groq",
            "deepseek",
            "openrouter",
            "huggingface",
            "perplexity",
            "together",
            "cerebras",
            "zai",
            "ollama_openai",
            "vercel_gateway",
        )
    },
}
"""By variant: the endpoints of the corpus that are its server's. `openai_compatible` reads all of them."""

by_name = pytest.mark.parametrize("name", VARIANTS)


@cache
def bodies(name: str) -> tuple[Recording, ...]:
    rows = recorded("openai_chat", "request")
    return tuple(row for row in rows if name == "openai_compatible" or row.dialect in ENDPOINTS[name])


def test_every_variant_is_a_row_and_has_traffic() -> None:
    assert tuple(row.name for row in ROWS) == VARIANTS
    assert {*ENDPOINTS, "openai_compatible"} == {*VARIANTS}


@present
@by_name
def test_what_was_read_is_written_back(name: str) -> None:
    dialect, failures = DIALECTS[name], list[str]()
    for row in bodies(name):
        written = dialect.write_request(dialect.read_request(row.body).unwrap())
        if written.losses or not same(dialect.canonical(written.value), dialect.canonical(row.body)):
            failures.append(f"{row.id} {written.losses}")
    assert bodies(name)
    assert not failures, report(f"{name} does not come back", failures, len(bodies(name)))


@present
@by_name
def test_every_body_crosses_to_anthropic_and_to_openai(name: str) -> None:
    for target in ("anthropic", "openai_chat"):
        results = [(row.id, convert(row.body, name, target, policy=Policy.LENIENT)) for row in bodies(name)]
        failures = [f"{id_} {result}" for id_, result in results if not isinstance(result, Success)]
        assert not failures, report(f"{name} to {target}", failures, len(results))


# Answers and streams.


@cache
def answers(name: str, kind: str) -> tuple[Recording, ...]:
    """The handwritten ones too."""
    rows = recordings("openai_chat", kind)
    return tuple(row for row in rows if name == "openai_compatible" or row.dialect in ENDPOINTS[name])


@present
@by_name
def test_an_answer_comes_home_as_it_was(name: str) -> None:
    dialect, failures = DIALECTS[name], list[str]()
    for row in answers(name, "response"):
        written = convert(row.body, name, name, kind="response", policy=Policy.STRICT)
        if not isinstance(written, Success) or not same(dialect.canonical(written.unwrap().value), dialect.canonical(row.body)):
            failures.append(f"{row.id} {written}")
    assert answers(name, "response")
    assert not failures, report(f"{name} does not come home", failures, len(answers(name, "response")))


@present
@by_name
def test_a_stream_comes_home_up_to_rechunking(name: str) -> None:
    dialect, failures = DIALECTS[name], list[str]()
    assert dialect.read_stream is not None
    assert dialect.write_stream is not None
    for row in answers(name, "stream"):
        losses: list[Loss] = []
        deltas = list(dialect.read_stream(row.body))
        again = dialect.read_stream(dialect.write_stream(deltas, losses))
        failures += [f"{row.id} {loss}" for loss in losses]
        failures += [] if list(fold_each(again)) == list(fold_each(deltas)) else [f"{row.id} folds otherwise"]
    assert answers(name, "stream") or name == "cerebras"
    assert not failures, report(f"{name} does not come home", failures, len(answers(name, "stream")))


@present
@by_name
def test_each_answer_crosses_and_is_valid_there(name: str) -> None:
    failures: list[str] = []
    for target in ("anthropic", "openai_chat"):
        for row in answers(name, "response"):
            written = convert(row.body, name, target, kind="response", policy=Policy.LENIENT).unwrap()
            failures += [f"{row.id} {target} {found}" for found in complaints(target, written.value)]
    assert not failures, report(f"{name} is not of the type", failures, len(answers(name, "response")))


CROSSED: Final = 25
"""How many bodies of a kind cross from a variant, and to it."""


@cache
def crossing(name: str, kind: str) -> tuple[tuple[str, str, Recording], ...]:
    """Answers or streams of a variant to Anthropic, and of Anthropic to it: where from, where to, and what."""
    own = answers(name, kind)
    return (
        *((name, "anthropic", row) for row in own[:: max(1, len(own) // CROSSED)]),
        *(("anthropic", name, row) for row in sample("anthropic", kind, CROSSED)),
    )


@present
@by_name
def test_an_answer_crosses_to_anthropic_and_back_with_nothing_lost_in_silence(name: str) -> None:
    failures: list[str] = []
    for source, target, row in crossing(name, "response"):
        written = convert(row.body, source, target, kind="response", policy=Policy.LENIENT).unwrap()
        before, after = (
            with_details(as_request(spelling(source), row.body)),
            with_details(as_request(spelling(target), written.value)),
        )
        failures += [f"{row.id} {target} {each}" for each in silent(before, after, told(written.losses))]
        counts = [tokens(spelling(at), body.get("usage")) for at, body in ((source, row.body), (target, written.value))]
        gone = {loss.what.removeprefix("the count ") for loss in written.losses}
        failures += [f"{row.id} {target} {counts}" for key in counts[0].keys() - gone if counts[1].get(key) != counts[0][key]]
    assert not failures, report(f"{name} loses in silence", failures, len(crossing(name, "response")))


@present
@by_name
def test_a_stream_crosses_to_anthropic_and_back_with_nothing_lost_in_silence(name: str) -> None:
    failures: list[str] = []
    for source, target, row in crossing(name, "stream"):
        written = convert(row.body, source, target, kind="stream", policy=Policy.LENIENT).unwrap()
        view, there = VIEWS[spelling(source)], VIEWS[spelling(target)]
        failures += [f"{row.id} {target} {found}" for event in written.value for found in there.event_complaints(event)]
        try:
            before = view.accumulated(row.body)
            after = there.accumulated([event for event in written.value if "error" not in event])
        except Exception:  # whatever a client raises
            continue
        if row.id not in OTHERWISE and len(list(fold_each(DIALECTS[source].read_stream(row.body)))) == 1:
            said = said_of(spelling(source), before), said_of(spelling(target), after)
            failures += [f"{row.id} {target} {each}" for each in silent_between(*said, told(written.losses))]
    assert not failures, report(f"{name} loses in silence", failures, len(crossing(name, "stream")))


SAID: Final = ("text", "summary", "data", "signature")
"""What details of reasoning say; their other fields tell whose they are, and where they stand."""


def with_details(request: Mapping[str, Any]) -> dict[str, Any]:
    """The request with details of reasoning that say what is said in plain beside them, and without what is said twice."""
    return {**request, "messages": [_with_details(message) for message in request["messages"]]}


def _with_details(message: dict[str, Any]) -> dict[str, Any]:
    if not message.get("reasoning_details"):
        return message
    details = [detail[key] for detail in message["reasoning_details"] for key in SAID if detail.get(key)]
    texts = "".join(detail.get("text", detail.get("summary", "")) for detail in message["reasoning_details"])
    twice = [key for key in ("reasoning", "reasoning_content") if texts == message.get(key)]
    return {key: value for key, value in {**message, "reasoning_details": details}.items() if key not in twice}


def spelling(name: str) -> str:
    """The dialect in whose fields a variant speaks."""
    return name if name in VIEWS else "openai_chat"


def told(losses: tuple[Loss, ...]) -> tuple[Reported, ...]:
    return tuple(
        Reported(loss.path, loss.what, loss.action.value, None if loss.original is None else loss.original.value) for loss in losses
    )


@present
def test_a_recorded_error_of_a_variant_is_refused_in_its_name() -> None:
    rows = [row for row in read_file(WIRE / "errors.jsonl") if row.family == "openai_chat"]
    assert len(rows) >= 10
    for row in rows:
        name = next((name for name, endpoints in ENDPOINTS.items() if row.dialect in endpoints), "openai_compatible")
        error = convert(row.body, name, "anthropic", kind="response").failure()
        assert isinstance(error, ConversionError.Refused), f"{row.id} {error}"
        assert error.dialect == name
        assert same(error.error.extras.of(name), row.body)


ANSWER: Final = {"id": "a", "model": "m", "object": "chat.completion", "created": 1, "own_field": "a field of ours"}
SAID: Final = {"role": "assistant", "content": "hi", "own_mark": "a mark of ours"}


@by_name
def test_what_a_server_says_beyond_an_answer_reaches_no_other(name: str) -> None:
    answer = {**ANSWER, "choices": [{"index": 0, "message": SAID, "finish_reason": "stop"}]}
    chunk = {**ANSWER, "choices": [{"index": 0, "delta": SAID, "finish_reason": "stop"}]}
    for kind, body in (("response", answer), ("stream", [chunk])):
        for other in ({*VARIANTS} | {"openai_chat", "anthropic"}) - {name}:
            crossed = convert(body, name, other, kind=kind, policy=Policy.LENIENT).unwrap()
            said = compact(crossed.value)
            assert not {mark for mark in ("a mark of ours", "a field of ours") if mark in said}, other
            assert {f"own_mark ({name})", f"own_field ({name})"} <= {loss.what for loss in crossed.losses}, (kind, other)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_reasoning_in_an_answer_stands_where_the_row_says(row: Variant) -> None:
    field = row.reasoning or row.shows
    dialect, thought = DIALECTS[row.name], ChatResponse(Message.Assistant([Content.Reasoning("hm"), "b"]))
    assert dialect.write_response is not None
    assert dialect.write_stream is not None
    assert dialect.read_stream is not None
    written = dialect.write_response(thought)
    assert written.value["choices"][0]["message"][field] == "hm"
    events = list(dialect.write_stream(deltas_of(thought)))
    assert [event["choices"][0]["delta"][field] for event in events if field in str(event)] == ["hm"]
    assert [type(each) for each in fold(dialect.read_stream(events)).message.contents] == [Content.Reasoning, Content.Text]
    assert not [loss for loss in written.losses if "reasoning" in loss.what]


SIGNED: Final = {"type": "reasoning.text", "text": "hm, yes", "signature": "c2ln", "format": "anthropic-claude-v1", "index": 0}


@pytest.mark.parametrize("name", [row.name for row in ROWS if row.details])
def test_a_signed_detail_of_a_stream_is_the_signature_of_what_was_told(name: str) -> None:
    pieces = [{**SIGNED, "text": "hm, ", "signature": None}, {**SIGNED, "text": "yes"}]
    said = [{"reasoning": piece["text"], "reasoning_details": [piece]} for piece in pieces] + [{"content": "b"}]
    chunks = [{**ANSWER, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in said]
    dialect = DIALECTS[name]
    assert dialect.read_stream is not None
    assert dialect.write_stream is not None
    deltas: list[Delta.T] = list(dialect.read_stream(chunks))
    thought, text = fold(deltas).message.contents
    assert isinstance(thought, Content.Reasoning)
    assert (thought.text, text) == ("hm, yes", Content.Text("b"))
    assert thought.extras.of("anthropic") == {"signature": "c2ln"}
    losses: list[Loss] = []
    assert fold(dialect.read_stream(dialect.write_stream(deltas, losses))) == fold(deltas)
    assert losses == []
    crossed = convert(chunks, name, "anthropic", kind="stream", policy="lenient").unwrap()
    anthropic = DIALECTS["anthropic"].read_stream
    assert anthropic is not None
    assert fold(anthropic(crossed.value)).message.contents[0] == Content.Reasoning("hm, yes", {"anthropic": {"signature": "c2ln"}})


# What reaches no other.


OWN: Final = {
    "model": "m",
    "messages": [{"role": "user", "content": "hi", "own_mark": "a mark of ours"}],
    "own_field": "a field of ours",
}


@by_name
def test_what_a_server_says_beyond_the_words_reaches_no_other(name: str) -> None:
    for other in {*DIALECTS} - {name}:
        crossed = convert(OWN, name, other, policy=Policy.LENIENT).unwrap()
        assert not [leaf for _, leaf in leaves(crossed.value) if leaf in ("a mark of ours", "a field of ours")], other
        assert {f"own_mark ({name})", f"own_field ({name})"} <= {loss.what for loss in crossed.losses}, other


THOUGHT: Final = ChatRequest([Message.User("a"), Message.Assistant([Content.Reasoning("hm"), "b"]), Message.User("c")])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_reasoning_stands_where_the_row_says_or_is_a_loss(row: Variant) -> None:
    written = DIALECTS[row.name].write_request(THOUGHT)
    said = {key: value for key, value in written.value["messages"][1].items() if key not in ("role", "content")}
    assert said == ({row.reasoning: "hm"} if row.reasoning else {})
    assert [loss.what for loss in written.losses] == ([] if row.reasoning else ["reasoning"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_length_of_the_answer_stands_where_the_row_says(row: Variant) -> None:
    written = DIALECTS[row.name].write_request(ChatRequest([Message.User("a")], ModelParams(max_output_tokens=7)))
    assert {key: value for key, value in written.value.items() if key != "messages"} == {row.max_tokens: 7}


def test_a_row_of_ones_own_is_a_dialect() -> None:
    mine = variant(Variant("cellar", "the server in the cellar", reasoning="thoughts"))
    body = {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b", "thoughts": "hm", "x": [1]}]}
    assert convert(body, mine, mine).unwrap().value == body
    assert convert(body, mine, "groq").unwrap().losses
    error = convert([], mine, "groq").failure()
    assert "cellar" in str(error)


def test_an_error_of_a_variant_names_it() -> None:
    assert "groq" in str(convert({"messages": 5}, "groq", "anthropic").failure())


@by_name
def test_no_thinking_is_the_least_effort_and_says_so(name: str) -> None:
    """No row of the reference tells of another word for it."""
    written = DIALECTS[name].write_request(ChatRequest([Message.User("a")], ModelParams(thinking=Thinking.Off())))
    assert written.value["reasoning_effort"] == "none"
    assert [(loss.path, str(loss.action)) for loss in written.losses] == [("$.params.thinking", "Action.REWRITTEN")]
    asked = ModelParams(thinking=Thinking.Off(), effort=Effort.MINIMAL)
    written = DIALECTS[name].write_request(ChatRequest([Message.User("a")], asked))
    assert written.value["reasoning_effort"] == "minimal"
    assert [(loss.path, str(loss.action)) for loss in written.losses] == [("$.params.thinking", "Action.DROPPED")]
