"""What fills the holes of a template, once it has been checked; and the check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import NoneType
from typing import Any, Final, TypeAlias, assert_never, cast, final

from attrs import field, frozen
from returns.result import Failure, Result, Success

from chatadt._sum import Sum, holds, terse
from chatadt.content import TEXT, Content
from chatadt.error import show
from chatadt.history import to_messages
from chatadt.json import Json, to_json
from chatadt.message import Message
from chatadt.result import closed
from chatadt.templates._hole import KINDS, Hole, Kind, described, described_kinds, identifier, named_holes
from chatadt.templates._misfit import Misfit

__all__ = ("Binding", "Value", "as_given", "bound", "checked", "to_bindings")


def _contents(value: Iterable[Content.T]) -> tuple[Content.T, ...]:
    contents = tuple(value)
    for index, content in enumerate(contents):
        if not isinstance(cast("object", content), Content.T):
            raise TypeError(f"contents[{index}] of Value.Contents is {content!r}: expected a content")
    return contents


def _rows(value: Iterable[Iterable[Binding]]) -> tuple[tuple[Binding, ...], ...]:
    return tuple(to_bindings(row) for row in value)


@final
class Value(metaclass=Sum):
    """What fills a hole, for good or by default; `Value.T` is the closed union of the cases. `Template.partial` makes them."""

    @final
    @frozen(repr=False)
    class Text:
        """Of a text hole."""

        text: str = field(validator=TEXT)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Data:
        """Of a hole for JSON data."""

        json: Json = field(converter=to_json)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Contents:
        """Of a content hole."""

        contents: tuple[Content.T, ...] = field(converter=_contents)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Messages:
        """Of a message hole."""

        messages: tuple[Message.T, ...] = field(converter=to_messages)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Rows:
        """Of a hole for examples."""

        rows: tuple[tuple[Binding, ...], ...] = field(converter=_rows)
        __repr__ = terse

    T: TypeAlias = Text | Data | Contents | Messages | Rows


@final
@frozen(repr=False)
class Binding:
    """The name of a hole, and what fills it."""

    name: str = field(validator=identifier)
    value: Value.T = field(validator=holds("a Value", Value.T))
    __repr__ = terse


def to_bindings(value: Iterable[Binding]) -> tuple[Binding, ...]:
    """Take any iterable of bindings, in the order of their names. Raises TypeError, and ValueError where a name stands twice."""
    bindings = tuple(value)
    for index, binding in enumerate(bindings):
        if not isinstance(cast("object", binding), Binding):
            raise TypeError(f"bindings[{index}] is {binding!r}: expected a Binding")
    names = [binding.name for binding in bindings]
    if len(set(names)) < len(names):
        raise ValueError(f"expected each name once, got {', '.join(sorted(names))}")
    return tuple(sorted(bindings, key=lambda binding: binding.name))


def as_given(bindings: Iterable[Binding]) -> dict[str, object]:
    """Bindings as a caller would give them to `fill`."""
    return {binding.name: _as_given(binding.value) for binding in bindings}


def _as_given(value: Value.T) -> object:
    match value:
        case Value.Text(text):
            return text
        case Value.Data(json):
            return json
        case Value.Contents((content,)):
            return content
        case Value.Contents(contents):
            return contents
        case Value.Messages(messages):
            return messages
        case Value.Rows(rows):
            return tuple(as_given(row) for row in rows)
        case _:
            assert_never(value)


# --- the check -----------------------------------------------------------------------------------------------------------------


Checked: TypeAlias = "Result[dict[str, Value.T], tuple[Misfit.T, ...]]"


def checked(holes: Iterable[Hole.T], given: Mapping[str, object], path: str = "", *, partly: bool = False) -> Checked:
    """The values for holes by their names, or all that is missing, extra or ill-typed. What fills a part leaves nothing missing."""
    known = {hole.name: hole for hole in holes}
    values: dict[str, Value.T] = {}
    misfits: list[Misfit.T] = [
        Misfit.Extra(f"{path}{name}", tuple(known))
        for name in given
        if name not in known or not isinstance(cast("object", name), str)
    ]
    for name, hole in known.items():
        if name not in given:
            misfits.extend(() if partly or hole.optional else (Misfit.Missing(f"{path}{name}", described(hole)),))
        elif given[name] is None and hole.optional and not isinstance(hole, Hole.Data):
            continue
        else:
            match closed(_value(hole, given[name], f"{path}{name}")):
                case Success(value):
                    values[name] = value
                case Failure(found):
                    misfits.extend(found)
    return Failure(tuple(misfits)) if misfits else Success(values)


def _value(hole: Hole.T, given: object, path: str) -> Result[Value.T, tuple[Misfit.T, ...]]:
    wrong = Misfit.IllTyped(path, described(hole), _shown(given))
    match hole:
        case Hole.Text():
            return (
                Success(Value.Text(str.__str__(given))) if isinstance(given, str) else Failure((wrong,))
            )  # not as it shows itself
        case Hole.Data():
            return _data(given, wrong)
        case Hole.Content(kinds=kinds, many=many):
            return _of_kinds(given, kinds, wrong, many=many)
        case Hole.Messages(anyone=anyone):
            return _messages(given, wrong, anyone=anyone)
        case Hole.Rows(holes=holes):
            return _rows_of(holes, given, wrong, path)
        case _:
            assert_never(hole)


_LONGEST: Final = 60
_PLAIN: Final = frozenset({NoneType, bool, str, int, float, list, dict})


def _shown(value: Any) -> str:
    """A value as a person reads it in an error message: plain data as JSON, anything else as it shows itself, if it can."""
    try:
        is_plain = type(value) in _PLAIN
        text = show(value) if is_plain else repr(value)
    except Exception:  # how a value shows itself is not ours, and no reason to leave a question unanswered
        return f"a value of type {type(value).__name__} that cannot be shown"
    return text if is_plain or len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _data(given: object, wrong: Misfit.IllTyped) -> Result[Value.T, tuple[Misfit.T, ...]]:
    try:
        return Success(Value.Data(Json.of(given)))
    except (TypeError, ValueError):
        return Failure((wrong,))


def _of_kinds(
    given: object, kinds: tuple[Kind, ...], wrong: Misfit.IllTyped, *, many: bool
) -> Result[Value.T, tuple[Misfit.T, ...]]:
    is_one = not many or isinstance(given, str | Content.T)
    items = (given,) if is_one else _items(given)
    if items is None:
        return Failure((wrong,))
    allowed = frozenset(KINDS[kind] for kind in kinds)
    contents = tuple(Content.Text(item) if isinstance(item, str) else item for item in items)
    misfits = [
        wrong if is_one else Misfit.IllTyped(f"{wrong.path}[{index}]", described_kinds(kinds), _shown(content))
        for index, content in enumerate(contents)
        if type(content) not in allowed
    ]
    return Failure(tuple(misfits)) if misfits else Success(Value.Contents(cast("tuple[Content.T, ...]", contents)))


def _messages(given: object, wrong: Misfit.IllTyped, *, anyone: bool) -> Result[Value.T, tuple[Misfit.T, ...]]:
    messages = _items(given)
    if messages is None:
        return Failure((wrong,))
    misfits = [
        Misfit.IllTyped(
            f"{wrong.path}[{index}]",
            "a message"
            if anyone
            else "a message of a user, an assistant or a tool (only a hole that is open to anyone takes others)",
            _shown(message),
        )
        for index, message in enumerate(messages)
        if not isinstance(message, Message.T if anyone else _SPEAKERS)
    ]
    return Failure(tuple(misfits)) if misfits else Success(Value.Messages(cast("tuple[Message.T, ...]", messages)))


_SPEAKERS: Final = Message.User | Message.Assistant | Message.ToolResult


def _rows_of(holes: Iterable[Hole.T], given: object, wrong: Misfit.IllTyped, path: str) -> Result[Value.T, tuple[Misfit.T, ...]]:
    rows = _items(given)
    if rows is None:
        return Failure((wrong,))
    checks = [_row(tuple(holes), row, f"{path}[{index}]") for index, row in enumerate(rows)]
    misfits = tuple(chain.from_iterable(check.failure() for check in checks if isinstance(check, Failure)))
    return Failure(misfits) if misfits else Success(Value.Rows(tuple(tuple(bound(check.unwrap())) for check in checks)))


def _row(holes: tuple[Hole.T, ...], row: object, path: str) -> Checked:
    if isinstance(row, Mapping):
        return checked(holes, cast("Mapping[str, object]", row), f"{path}.")
    return Failure((Misfit.IllTyped(path, f"a mapping with {named_holes(holes)}", _shown(row)),))


def bound(values: Mapping[str, Value.T]) -> Iterator[Binding]:
    """Values by their names as bindings."""
    return (Binding(name, value) for name, value in values.items())


def _items(given: object) -> tuple[Any, ...] | None:
    """The items of an iterable; None for what is none, and for text and mappings, which are one thing."""
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        return None
    return tuple(cast("Any", given))
