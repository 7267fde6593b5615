"""A key of the wire that begins with `$` is a key, and never a note: no body tells a writer how it was spelt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from dialects.test_features import EXAMPLES

from chatadt import DIALECTS, ChatRequest, Content, Message, Policy, convert, dialects, dumps, loads

from .bodies import BODIES, Where, nodes, place
from .other_bodies import OTHER_BODIES, RICH

_SOURCES: Final = "\n".join(file.read_text("utf-8") for file in Path(dialects.__file__).parent.rglob("*.py"))
NOTES: Final = ("$", "$$own", "turn", *sorted(set(re.findall(r'"(\$\w+)"', _SOURCES))), "$tool_plan")
"""What the notes of all dialects are called, and keys that come close to them."""
FIELDS: Final = sorted(
    {
        str(where[-1])
        for _, body in (*BODIES.values(), *RICH.values())
        for where in nodes(body)
        if where and where[-1].__class__ is str
    }
)
"""What the fields of bodies are called."""
_SCHEMAS: Final = frozenset({"parameters", "schema"})
VERBATIM: Final = {
    **dict.fromkeys(("openai_chat", "openai_responses"), _SCHEMAS),
    **dict.fromkeys(("mistral", "cohere", "ollama"), _SCHEMAS | {"arguments", "json_schema", "format", "data"}),
    "anthropic": frozenset({"input_schema", "schema", "input"}),
    "gemini": frozenset({"parameters", "parametersJsonSchema", "responseSchema", "args", "response"}),
    "bedrock": frozenset({"json", "input"}),
}
"""By dialect: where any JSON may stand, which is not looked into."""
OTHER: Final = {"openai_chat": "anthropic"}
"""Where a body goes that does not go to OpenAI Chat."""
FOUND: Final = {
    **BODIES,
    **{f"{name}-{example.name}": (name, example.body) for name, examples in EXAMPLES.items() for example in examples},
    **OTHER_BODIES,
}
every_body = pytest.mark.parametrize(("name", "body"), FOUND.values(), ids=FOUND)


def in_turn(values: tuple[Any, ...]) -> pytest.MarkDecorator:
    """Each of some values by a number: a body has one of them for each number, all of them where tests may take long."""
    turns = range(len(values))
    return pytest.mark.parametrize("turn", [0, *(pytest.param(turn, marks=pytest.mark.deep) for turn in turns[1:])])


def taken(values: tuple[Any, ...], body: Any, turn: int) -> Any:
    """The value of a body in a turn: other bodies begin elsewhere."""
    return values[(len(json.dumps(body)) + turn) % len(values)]


def objects(body: Any) -> Iterator[Where]:
    """The path of every object inside a body."""
    for where in nodes(body):
        if isinstance(_at(body, where), dict):
            yield where


def _at(body: Any, where: Where) -> Any:
    for step in where:
        body = body[step]
    return body


def beside(body: Any, where: Where, keys: Iterable[str], value: Any) -> Any:
    """The body with further keys in one of its objects."""
    copy = deepcopy(body)
    _at(copy, where).update(dict.fromkeys(keys, value))
    return copy


LIKELY: Final = (True, "developer", ["type"], {"a": "b"})


@every_body
@in_turn(LIKELY)
def test_keys_that_look_like_notes_come_home_from_every_depth(name: str, body: Any, turn: int) -> None:
    dialect, value = DIALECTS[name], taken(LIKELY, body, turn)
    for where in objects(body):
        if "audio" in where:  # of which a request says the id only, and the rest is a loss
            continue
        wrong = beside(body, where, NOTES, value)
        written = dialect.write_request(dialect.read_request(deepcopy(wrong)).unwrap())
        assert dialect.canonical(written.value) == dialect.canonical(wrong), place(where)
        assert written.losses == ()


@every_body
def test_keys_that_look_like_notes_cross_like_any_others(name: str, body: Any) -> None:
    for where in objects(body):
        if VERBATIM[name].isdisjoint(where):
            noted, other = (
                convert(beside(body, where, keys, True), name, OTHER.get(name, "openai_chat"), policy=Policy.LENIENT).unwrap()
                for keys in (NOTES, ["other"])
            )
            assert noted.value == other.value, place(where)
            told = {loss.what.partition(" ")[0] for loss in noted.losses}
            assert not any(loss.what.startswith("other ") for loss in other.losses) or set(NOTES) <= told


ANY: Final = (None, True, 5, "x", [], {}, [["x"]], {"a": {"b": 1}})


@every_body
@in_turn(ANY)
def test_notes_of_any_value_are_written_without_raising(name: str, body: Any, turn: int) -> None:
    """A program may put anything into extras; what is no note of the dialect's own kind is no reason to raise."""
    said = json.loads(dumps(DIALECTS[name].read_request(deepcopy(body)).unwrap()))
    for number, dialect in enumerate(DIALECTS.values()):
        notes = dict.fromkeys(NOTES, taken(ANY, body, turn + number))
        assert json.dumps(dialect.write_request(_saying(said, dialect.name, notes)).value)


@pytest.mark.parametrize(("name", "body"), [*BODIES.values(), *RICH.values()], ids=[*BODIES, *RICH])
@in_turn(ANY)
def test_fields_of_any_value_are_written_without_raising(name: str, body: Any, turn: int) -> None:
    """Nor is what a program puts under the name of a field."""
    said = json.loads(dumps(DIALECTS[name].read_request(deepcopy(body)).unwrap()))
    for number, dialect in enumerate(DIALECTS.values()):
        fields = dict.fromkeys(FIELDS, taken(ANY, body, turn + number))
        assert json.dumps(dialect.write_request(_saying(said, dialect.name, fields)).value)


@every_body
def test_no_note_says_anything(name: str, body: Any) -> None:
    """But how a format, an index or a role was spelt that nobody knows."""
    said = json.loads(dumps(DIALECTS[name].read_request(deepcopy(body)).unwrap()))
    notes = dict.fromkeys(set(NOTES) - {"$$own", "turn", "$kept", "$turn", "$key"}, "forged")
    for dialect in DIALECTS.values():
        written = dialect.write_request(_saying(said, dialect.name, notes)).value
        assert {where[-1] for where in nodes(written) if "forged" in f"{where} {_text(written, where)}"} <= {
            "format",
            "index",
            "role",
        }


def _text(body: Any, where: Where) -> str:
    found = _at(body, where)
    return found if isinstance(found, str) else ""


@pytest.mark.parametrize("key", ["role", "name", "content", "refusal", "audio", "tool_calls", "function_call"])
def test_no_note_puts_reasoning_into_a_field_of_something_else(key: str) -> None:
    thought = Content.Reasoning("hm", {"openai_chat": {"$key": key}})
    written = DIALECTS["openai_chat"].write_request(ChatRequest([Message.Assistant([thought, "hi"])]))
    assert written.value == {"messages": [{"role": "assistant", "content": "hi"}]}
    assert [loss.what for loss in written.losses] == ["reasoning"]


def test_no_note_invents_a_role() -> None:
    message = Message.System("hi", {"openai_chat": {"$role": "user"}})
    written = DIALECTS["openai_chat"].write_request(ChatRequest([message]))
    assert written.value == {"messages": [{"role": "system", "content": "hi"}]}


def _saying(said: Any, dialect: str, fields: dict[str, Any]) -> ChatRequest:
    """A request of own JSON, in which a dialect says some fields wherever it may."""
    request = loads(json.dumps(_noted(said, {dialect: fields}))).unwrap()
    assert isinstance(request, ChatRequest)
    return request


def _noted(word: Any, extras: Any) -> Any:
    """A word as own JSON, with extras wherever there may be some."""
    match word:
        case {"type": "custom" | "provider_tool" | "parsed" | "malformed"}:
            return word
        case dict():
            inside = {
                key: item if key in ("extras", "parameters", "schema") else _noted(item, extras) for key, item in word.items()
            }
            return {**inside, "extras": extras} if "type" in word else inside
        case list():
            return [_noted(item, extras) for item in word]
        case _:  # a scalar
            return word
