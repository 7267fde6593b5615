"""Every word is a value: frozen, slotted, hashable, picklable, copyable, and shown as the text that makes it."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Any

import pytest
from attrs import evolve, fields, has
from attrs.exceptions import FrozenInstanceError
from hypothesis import HealthCheck, Phase, given, settings

from chatadt._sum import Named, Sum
from chatadt.chat import ModelParams, Usage
from chatadt.content import Content, Detail
from chatadt.history import History
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.tool import Tool, ToolChoice

from .values import MODULES, NAMESPACE, VALUES

CASES = sorted(VALUES, key=lambda case: case.__qualname__)
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.__qualname__)


def words() -> Iterator[type]:
    """The attrs classes of floors 0 and 1, found in their modules and in the namespaces of the unions there."""
    for module in MODULES:
        for _, found in inspect.getmembers(module, inspect.isclass):
            if found.__module__ == module.__name__:
                for case in vars(found).values() if isinstance(found, Sum) else (found,):
                    if inspect.isclass(case) and has(case):
                        yield case


@cache
def examples(case: type) -> tuple[Any, ...]:
    """Examples of a case, drawn once for all the claims: as many as the profile says."""
    drawn: list[Any] = []

    @settings(database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(VALUES[case])
    def draw(value: Any) -> None:
        drawn.append(value)

    draw()
    assert drawn
    return tuple(drawn)


def names(case: Any) -> list[str]:
    return [field.name for field in fields(case)]


def test_every_word_of_floors_0_and_1_is_tested_here() -> None:
    assert {case.__qualname__ for case in words()} == {case.__qualname__ for case in CASES}
    assert len(CASES) > 40


@every_case
def test_a_word_is_frozen(case: type) -> None:
    for value in examples(case):
        for name in names(case):
            with pytest.raises(FrozenInstanceError):
                setattr(value, name, getattr(value, name))
            with pytest.raises(FrozenInstanceError):
                delattr(value, name)
        with pytest.raises(FrozenInstanceError):
            value.something_else = 1


@every_case
def test_a_word_is_slotted(case: type) -> None:
    assert not any(hasattr(value, "__dict__") for value in examples(case))


@every_case
def test_a_word_is_final(case: type) -> None:
    assert case.__name__ in ("Json", "Extras") or getattr(case, "__final__", False)


@every_case
def test_equal_words_have_equal_hashes_and_nothing_else_is_equal(case: type) -> None:
    for value in examples(case):
        again = copy.deepcopy(value)
        assert value == again
        assert hash(value) == hash(again)
        assert value != object()
        assert value != tuple(getattr(value, name) for name in names(case))


@every_case
def test_a_word_survives_pickling_in_every_protocol(case: type) -> None:
    for value in examples(case):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(value, protocol))
            assert type(again) is case
            assert again == value


@every_case
def test_a_word_survives_copying(case: type) -> None:
    for value in examples(case):
        for again in (copy.copy(value), copy.deepcopy(value)):
            assert type(again) is case
            assert again == value
            assert repr(again) == repr(value)


@every_case
def test_the_repr_of_a_word_evaluates_to_it(case: type) -> None:
    for value in examples(case):
        again = eval(repr(value), dict(NAMESPACE))
        assert type(again) is case
        assert again == value
        assert repr(again) == repr(value)


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        (Content.Text("a"), "Content.Text('a')"),
        (Content.Image(Resource.Ref("urn:a")), "Content.Image(Resource.Ref('urn:a'))"),
        (Content.Image(Resource.Ref("urn:a"), Detail.LOW), "Content.Image(Resource.Ref('urn:a'), Detail.LOW)"),
        (Resource.Ref("urn:a", extras={"x": {"b": 1}}), """Resource.Ref('urn:a', extras=Extras({'x': Json('{"b":1}')}))"""),
        (Message.User("hi"), "Message.User((Content.Text('hi'),))"),
        (Message.User([]), "Message.User(())"),
        (Message.ToolResult("1", None, []), "Message.ToolResult('1', None, ())"),
        (Message.ToolResult("1", "f", [], Outcome.DENIED), "Message.ToolResult('1', 'f', (), Outcome.DENIED)"),
        (ToolChoice.Auto(), "ToolChoice.Auto()"),
        (Tool("f", strict=True), "Tool('f', strict=True)"),
        (ModelParams(), "ModelParams()"),
        (ModelParams(model="m", top_k=1), "ModelParams(model='m', top_k=1)"),
        (Usage(input=1), "Usage(input=1)"),
        (Usage(output=1), "Usage(output=1)"),
        (History().user("hi")[:0], "History()"),
    ],
    ids=repr,
)
def test_the_repr_of_a_word_leaves_out_what_holds_its_default(word: object, shown: str) -> None:
    assert repr(word) == shown


@every_case
def test_a_word_matches_by_position_and_by_keyword(case: type) -> None:
    positional = [field.name for field in fields(case) if not field.kw_only and not field.name.startswith("_")]
    keywords = [name for name in names(case) if not name.startswith("_")]
    assert [name for name in case.__match_args__ if not name.startswith("_")] == positional
    by_position = f"{case.__qualname__}({', '.join(positional)})"
    by_keyword = f"{case.__qualname__}({', '.join(f'{name}={name}' for name in keywords)})"

    for value in examples(case):
        for pattern, bound in ((by_position, positional), (by_keyword, keywords)):
            scope: dict[str, Any] = {**NAMESPACE, "value": value}
            exec(f"match value:\n case {pattern}:\n  matched = True\n case _:\n  matched = False", scope)
            assert scope["matched"]
            assert all(scope[name] == getattr(value, name) for name in bound)


@pytest.mark.parametrize("case", [case for case in CASES if case.__name__ != "Extras"], ids=lambda case: case.__qualname__)
def test_a_word_that_evolves_by_nothing_is_itself(case: type) -> None:
    assert all(evolve(value) == value for value in examples(case))


def test_words_of_different_cases_with_the_same_fields_differ() -> None:
    assert len({Content.Text("a"), Content.Reasoning("a"), Content.Refusal("a")}) == 3
    assert ToolChoice.Auto() != ToolChoice.Required()


# The namespaces and the enumerations.

NAMESPACES = [found for found in NAMESPACE.values() if isinstance(found, Sum)]
ENUMERATIONS = [found for found in NAMESPACE.values() if inspect.isclass(found) and issubclass(found, Enum)]


@pytest.mark.parametrize("namespace", NAMESPACES, ids=lambda namespace: namespace.__name__)
def test_a_namespace_makes_no_values_and_says_what_does(namespace: Any) -> None:
    with pytest.raises(
        TypeError, match=rf"{namespace.__name__} is a closed union: construct one of its cases, such as {namespace.__name__}\.\w+\("
    ):
        namespace()
    with pytest.raises(TypeError, match=rf"test isinstance\(x, {namespace.__name__}\.T\)"):
        isinstance(1, namespace)
    assert not isinstance(1, namespace.T)


@pytest.mark.parametrize("namespace", NAMESPACES, ids=lambda namespace: namespace.__name__)
def test_the_union_of_a_namespace_has_all_its_cases(namespace: Any) -> None:
    cases = {value for value in vars(namespace).values() if inspect.isclass(value)}
    assert set(namespace.T.__args__) == cases


def test_there_are_namespaces_and_enumerations_to_test() -> None:
    assert {namespace.__name__ for namespace in NAMESPACES} == {
        *("Arguments", "Content", "ConversionError", "Delta", "Message", "Resource", "ResponseFormat", "Thinking", "ToolChoice"),
        *("Hole", "Line", "Misfit", "Value"),
    }
    assert {found.__name__ for found in ENUMERATIONS} == {
        *("Action", "Detail", "Effort", "Outcome", "Policy", "Severity", "StopKind", "Weight"),
        *("Kind", "Syntax"),
    }


@pytest.mark.parametrize("enumeration", ENUMERATIONS, ids=lambda enumeration: enumeration.__name__)
def test_the_members_of_an_enumeration_are_values(enumeration: type[Enum]) -> None:
    assert issubclass(enumeration, Named)
    for member in enumeration:
        assert eval(repr(member), dict(NAMESPACE)) is member
        assert pickle.loads(pickle.dumps(member)) is member
        assert copy.deepcopy(member) is member
        assert member.value == member.name.lower()
