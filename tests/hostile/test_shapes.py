"""A wrong value in every place of a body: an error that names the place, or nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final, NamedTuple

import pytest
from returns.result import Failure, Success

from chatadt import DIALECTS, Policy, check, convert
from chatadt.dialects import Dialect
from chatadt.error import ConversionError
from chatadt.result import closed

from .bodies import BODIES, Where, nodes, place, replaced

every_body = pytest.mark.parametrize("name", BODIES)

SHAPES: Final = (None, True, 5, "x", [], {}, [[["deep"]]])
NUMBERS: Final = (
    float("nan"),
    float("inf"),
    float("-inf"),
    -0.0,
    5e-324,
    1.7976931348623157e308,
    2**53 + 1,
    2**64,
    -(2**70),
    10**400,
)
SURROGATES: Final = ("\ud800", "a\udfffb", {"\ud800": "\udc00"}, ["\udbff", "a"])


class Strange:
    """What no JSON parser gives."""

    def __repr__(self) -> str:
        return "Strange()"


STRANGE: Final = (
    (),
    ("a",),
    {"a"},
    frozenset(),
    b"text",
    bytearray(b"x"),
    Strange(),
    Strange,
    1j,
    range(3),
    {1: "a"},
    {None: 1},
    [{(1, 2): 3}],
)


def circle() -> list[Any]:
    """A list that holds itself."""
    found: list[Any] = []
    found.append(found)
    return found


def ring() -> dict[str, Any]:
    """An object that holds itself, as text parts do not."""
    found: dict[str, Any] = {"type": "text"}
    found["text"] = found
    return found


def nested(levels: int, *, objects: bool = False) -> Any:
    """Lists or objects in each other."""
    value: Any = "deep"
    for _ in range(levels):
        value = {"a": value} if objects else [value]
    return value


class Finding(NamedTuple):
    """What went wrong where."""

    what: str
    body: str
    where: str
    value: str


def findings(name: str, values: tuple[Any, ...]) -> Iterator[Finding]:
    """What goes wrong when each of the values stands in each place of a body."""
    source, body = BODIES[name]
    dialect = DIALECTS[source]
    for where in nodes(body):
        for value in values:
            wrong = replaced(body, where, value)
            if (what := complaint(dialect, wrong, where)) is not None:
                yield Finding(what, name, place(where), _short(value))


def _short(value: object) -> str:
    try:
        return repr(value)[:80]
    except RecursionError:
        return "too deep to show"


def complaint(dialect: Dialect, body: Any, where: Where) -> str | None:
    """What is wrong with how a body with a wrong value is taken."""
    try:
        read = dialect.read_request(body)
    except Exception as error:  # whatever it is, it should have been an answer
        return f"raised {type(error).__name__}"
    match closed(read):
        case Failure(error):
            return None if names(error, place(where)) else "misplaced"
        case Success(request):
            written = dialect.write_request(request)
            same = _listed(dialect.canonical(written.value)) == _listed(dialect.canonical(body)) and not written.losses
            return None if same else "lost"


def _listed(value: Any) -> Any:
    """Tuples as the lists that they are in JSON."""
    match value:
        case dict():
            return {key: _listed(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_listed(inner) for inner in value]
        case _:  # a scalar
            return value


def names(error: ConversionError.T, path: str) -> bool:
    """Whether an error leads to a path: to it, into it, or to what lacks it now."""
    assert isinstance(error, ConversionError.Unreadable)
    paths = [problem.path for problem in error.problems]
    return any(_leads(found, path) for found in paths)


def _leads(found: str, path: str) -> bool:
    if found == "$":
        return path == "$"
    return found.startswith(path) or path.startswith(found)


@every_body
def test_the_body_itself_is_read_and_written_back(name: str) -> None:
    dialect, body = BODIES[name]
    request = DIALECTS[dialect].read_request(deepcopy(body)).unwrap()
    written = DIALECTS[dialect].write_request(request)
    assert DIALECTS[dialect].canonical(written.value) == DIALECTS[dialect].canonical(body)
    assert written.losses == ()


@every_body
def test_a_value_of_the_wrong_shape_is_named_or_kept(name: str) -> None:
    assert list(findings(name, SHAPES)) == []


@every_body
def test_a_number_of_any_size_is_named_or_kept(name: str) -> None:
    assert list(findings(name, NUMBERS)) == []


@every_body
def test_half_of_a_surrogate_pair_is_named_or_kept(name: str) -> None:
    assert list(findings(name, SURROGATES)) == []


@every_body
def test_what_is_no_json_is_named(name: str) -> None:
    assert list(findings(name, STRANGE)) == []


@every_body
def test_a_value_that_holds_itself_is_named(name: str) -> None:
    assert list(findings(name, (circle(), ring()))) == []


@every_body
@pytest.mark.parametrize("objects", [False, pytest.param(True, marks=pytest.mark.deep)], ids=["lists", "objects"])
def test_ten_thousand_levels_are_named_wherever_they_stand(name: str, objects: bool) -> None:
    assert list(findings(name, (nested(10_000, objects=objects),))) == []


@every_body
def test_a_wrong_value_is_answered_by_convert_as_well(name: str) -> None:
    source, body = BODIES[name]
    target = "anthropic" if source == "openai_chat" else "openai_chat"
    for where in nodes(body):
        for value in (None, 5, "x", [], {}, float("nan"), "\ud800", Strange()):
            wrong = replaced(body, where, value)
            answers = {policy: convert(wrong, source, target, policy=policy) for policy in Policy}
            readable = isinstance(DIALECTS[source].read_request(wrong), Success)
            assert isinstance(answers[Policy.LENIENT], Success) is readable, (place(where), value)


@every_body
def test_whatever_can_be_read_can_be_checked(name: str) -> None:
    source, body = BODIES[name]
    for where in nodes(body):
        for value in SHAPES:
            read = DIALECTS[source].read_request(replaced(body, where, value))
            if isinstance(read, Success):
                for target in DIALECTS:
                    assert all(violation.rule for violation in check(read.unwrap(), target))


@every_body
@pytest.mark.parametrize("value", [None, True, "x", [], {}, {"a": 1}], ids=str)
def test_a_key_in_the_place_of_another_is_kept_or_the_other_is_missed(name: str, value: Any) -> None:
    """As many keys as there should be are not the keys that there should be."""
    source, body = BODIES[name]
    dialect = DIALECTS[source]
    for *where, key in filter(None, nodes(body)):
        if isinstance(key, str) and "audio" not in where:
            wrong = deepcopy(body)
            owner = wrong
            for step in where:
                owner = owner[step]
            del owner[key]
            owner["stranger"] = value
            assert complaint(dialect, wrong, tuple(where)) is None, place((*where, key))


LEFT_OVER: Final = (
    ("openai_chat-0", ("metadata",), {"a": [1, {"b": float("nan")}]}, ".a[1].b"),
    ("openai_chat-0", ("messages", 1, "cache"), {"a": {"b": {1, 2}}}, ".a.b"),
    ("openai_chat-2", ("messages", 1, "tool_calls", 0, "function", "more"), [0, {"a": {3: 4}}], "[1].a"),
    ("openai_chat-4", ("messages", 1, "function_call", "more"), [b"x"], "[0]"),
    ("anthropic-0", ("metadata", "more"), ring(), ".text"),
    ("anthropic-1", ("messages", 0, "content", 3, "source", "more"), [[Strange]], "[0][0]"),
    ("anthropic-2", ("tools", 0, "more"), {"a": float("inf")}, ".a"),
    ("anthropic-4", ("messages", 5, "more"), [10**5000], "[0]"),
)


@pytest.mark.parametrize(("name", "where", "value", "inside"), LEFT_OVER, ids=range(len(LEFT_OVER)))
def test_what_is_no_json_among_what_is_left_over_is_located(name: str, where: Where, value: Any, inside: str) -> None:
    dialect, body = BODIES[name]
    wrong = deepcopy(body)
    owner = wrong
    for step in where[:-1]:
        owner = owner[step]
    owner[where[-1]] = value
    error = DIALECTS[dialect].read_request(wrong).failure()
    assert isinstance(error, ConversionError.Unreadable)
    assert [problem.path for problem in error.problems] == [place(where) + inside]


WRONG_BASE64: Final = ("A", "AAA", "A===", "AA=A", "AAAA\n", "A A=", "-_-_", "éééé", "AAAA====", "\ud800AAA")
BASE64: Final = (
    ("openai_chat-1", ("messages", 1, "content", 2, "image_url", "url"), "data:image/png;base64,"),
    ("openai_chat-1", ("messages", 1, "content", 4, "file", "file_data"), "data:application/pdf;base64,"),
    ("openai_chat-1", ("messages", 1, "content", 3, "input_audio", "data"), ""),
    ("anthropic-1", ("messages", 0, "content", 0, "source", "data"), ""),
    ("anthropic-1", ("messages", 0, "content", 3, "source", "data"), ""),
    ("anthropic-2", ("messages", 2, "content", 1, "content", 1, "source", "data"), ""),
)


@pytest.mark.parametrize(("name", "where", "prefix"), BASE64, ids=lambda part: place(part) if isinstance(part, tuple) else None)
@pytest.mark.parametrize("wrong", WRONG_BASE64, ids=ascii)
def test_wrong_base64_is_named_with_its_place(name: str, where: Where, prefix: str, wrong: str) -> None:
    dialect, body = BODIES[name]
    error = DIALECTS[dialect].read_request(replaced(body, where, prefix + wrong)).failure()
    assert names(error, place(where))
    assert "base64" in str(error)
