"""Events whose fields hold any JSON, or are gone: no reader raises, and no writer of what is read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import pytest
from wire.corpus import present, recordings

from chatadt import DIALECTS, ChatResponse, Content, Delta, Message, Metadata, StopKind, StopReason, Usage, deltas_of
from chatadt.dialects import FOLDERS

NAMES: Final = tuple(name for name in FOLDERS if DIALECTS[name].read_stream is not None)
by_name = pytest.mark.parametrize("name", NAMES)

Path = tuple[Any, ...]

GONE: Final = object()
ANYTHING: Final[tuple[Any, ...]] = (
    *(None, True, 0, -1, 1.5, "", "0", [], [1], [[]], [{}], {}, {"a": 1}, GONE),
    *({"type": []}, [{"type": {}}], {"type": "message", "content": 1}, {"type": "function_call"}, {"type": "reasoning"}),
)

ANSWER: Final = ChatResponse(
    Message.Assistant(
        [
            Content.Reasoning("hm", {"openai_responses": {"item": {"id": "rs_1"}}}),  # type: ignore[arg-type]
            Content.Text("Hello."),
            Content.ToolRequest("a", "look", {"at": "it"}),
            Content.ToolRequest("b", "write_sql", '"select 1"', {"openai_responses": {"$type": "custom"}}),  # type: ignore[arg-type]
            Content.Refusal("No."),
        ]
    ),
    Metadata(id="id", model="model", usage=Usage(input=1, output=2), stop=StopReason(StopKind.TOOL_CALLS)),
)


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place of a value, but the whole of it."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ():
        yield (*path, key)
        yield from paths(inner, (*path, key))


def having(value: Any, path: Path, new: Any) -> Any:
    """The value with something else at a place."""
    (key, *rest), changed = path, value.copy()
    if rest or new is not GONE:
        changed[key] = having(value[key], tuple(rest), new) if rest else new
    else:
        del changed[key]
    return changed


def changed(events: list[Any]) -> Iterator[list[Any]]:
    """The stream, and what follows or comes alone, with anything at each place of each event."""
    for at, event in enumerate(events):
        for path in paths(event):
            for new in ANYTHING:
                other = having(event, path, new)
                yield [other]
                yield [*events[:at], other, *events[at + 1 :]]
                yield [other, *events[at + 1 : at + 3]]


def look(name: str, events: list[Any], *targets: str) -> None:
    read: Any = DIALECTS[name].read_stream
    deltas = list(read(events))
    for target in targets:
        list(DIALECTS[target].write_stream(deltas, []))  # type: ignore[misc]


@by_name
def test_a_stream_with_anything_in_the_place_of_a_field_is_read_and_written(name: str) -> None:
    write: Any = DIALECTS[name].write_stream
    every = 7 if name == "openai_responses" else 3
    for number, events in enumerate(islice(changed(list(write(deltas_of(ANSWER)))), 0, None, every)):
        look(name, events, name, NAMES[number % len(NAMES)])


@present
@pytest.mark.deep
@by_name
def test_a_recorded_stream_with_anything_in_the_place_of_a_field_is_read_and_written(name: str) -> None:
    for row in recordings(name, "stream"):
        for number, events in enumerate(islice(changed(row.body[:30]), 0, None, 997)):
            look(name, events, name, NAMES[number % len(NAMES)])


@pytest.mark.parametrize("number", [None, "0", 1.5, [], {}, GONE])
def test_what_ends_a_call_that_nobody_announced_is_the_call(number: Any) -> None:
    event = {"type": "response.function_call_arguments.done", "item_id": "fc_1", "output_index": number, "arguments": "{}"}
    told = {key: value for key, value in event.items() if value is not GONE}
    read: Any = DIALECTS["openai_responses"].read_stream
    assert list(read([told])) == [Delta.ToolRequest(0, ""), Delta.ToolRequest(0, "{}")]


def test_pieces_of_one_item_that_only_its_id_tells_are_of_one_block() -> None:
    read: Any = DIALECTS["openai_responses"].read_stream
    pieces = [{"type": "response.output_text.delta", "item_id": "m", "content_index": 0, "delta": text} for text in "ab"]
    assert [
        delta.index for delta in read([{**each, "output_index": None} for each in pieces]) if isinstance(delta, Delta.Text)
    ] == [
        0,
        0,
    ]


@pytest.mark.parametrize("name", ["openai_chat", "mistral"])
@pytest.mark.parametrize("field", ["said", "choice", "word", "self", "choices"])
def test_a_field_of_a_choice_may_have_any_name(name: str, field: str) -> None:
    chunk: Any = {"id": "1", "choices": [{"index": 0, "delta": {"content": "hi"}, field: {"a": 1}}]}
    read: Any = DIALECTS[name].read_stream
    write: Any = DIALECTS[name].write_stream
    assert any(choice.get(field) == {"a": 1} for event in write(read([chunk])) for choice in event["choices"])


@by_name
@pytest.mark.parametrize("value", [None, True, 1.5, "x", [], [1], {"a": 1}])
def test_notes_of_an_answer_may_be_any_json(name: str, value: Any) -> None:
    for key in ("$kept", "$own", "$choices", "$absent", "choices", "candidates", "created", "output", "status"):
        list(DIALECTS[name].write_stream([Delta.Start("i", "m", {name: {key: value}}), Delta.Text(0, "hi")]))  # type: ignore
