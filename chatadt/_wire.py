"""How one field stands on the wire: a line of a table; and the readers and writers of values that have no fields.

A reader takes what JSON gives and coerces nothing. It raises `Unexpected` with the path below its value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar, cast

from attrs import NOTHING, frozen

from chatadt.error import Problem, Unexpected, stranger
from chatadt.json import NO_EXTRAS, Extras, Json, dump, too_long

__all__ = (
    "ALWAYS_KNOWN",
    "NO_NOTES",
    "QUICK",
    "UNKNOWN",
    "Wire",
    "absent",
    "boolean",
    "each",
    "fields_of",
    "integer",
    "is_note",
    "json",
    "leftover",
    "number",
    "plain_json",
    "restore",
    "same",
    "string",
    "wire_key",
)

T = TypeVar("T")


@frozen
class Wire:
    """How one field of a class stands on the wire.

    `key` is the wire's key; `outer.inner` names a key inside an object. `read` turns the wire's value into the field's and raises
    `Unexpected`; `write` turns it back. An optional field is left out where it is None (or its default).
    `default` is what an optional field is where the wire leaves it out, if not the default of its class.
    `plain` says that a string stands for contents of one plain text.
    An optional field whose `read` answers `UNKNOWN` keeps its default, and the wire's value stays among the extras.
    A field that is made of several keys has `read` of the whole object and an empty `key`; where there are `keys` or `maybe`,
    `read` answers how many of them it used up besides. It uses up `keys` unless they hold an
    empty list, those of `maybe` unless they hold an empty list or null, and `always` whatever they hold.
    A field with `write=None` is written by hand.
    """

    key: str = ""
    read: Callable[[Any], Any] = NotImplemented
    write: Callable[[Any], Any] | None = NotImplemented
    optional: bool = False
    default: Any = NotImplemented
    plain: bool = False
    keys: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()
    always: tuple[str, ...] = ()


def same(value: Any) -> Any:
    """Write a value as it is."""
    return value


NO_NOTES: Final[Mapping[str, Any]] = {}
"""Nothing to note on a spelling."""

UNKNOWN: Any = NotImplemented
"""What a `read` answers for a value that it has no word for."""


def string(value: Any) -> str:
    """Read a string."""
    if not isinstance(value, str):
        raise Unexpected.of("a string", value)
    return value


def boolean(value: Any) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise Unexpected.of("true or false", value)
    return value


def integer(value: Any) -> int:
    """Read an integer."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Unexpected.of("an integer", value)
    return _short(value)


def number(value: Any) -> float:
    """Read a number: an integer stays one, NaN and Infinity are refused."""
    if value.__class__ is int:
        return _short(value)
    if value.__class__ is float and value - value == 0:
        return value
    raise Unexpected.of("a number", value)


def _short(value: int) -> int:
    if too_long(value):
        raise Unexpected(stranger(value) or Problem("", "an integer", "one that is too long"))
    return value


def json(value: Any) -> Json:
    """Read any JSON as a document."""
    try:
        return Json.trusted(dump(value))
    except (TypeError, ValueError) as error:
        raise Unexpected(stranger(value) or Problem("", "JSON data", f"{type(value).__name__} ({error})")) from None


QUICK: Final[dict[Callable[[Any], Any], str]] = {
    string: "{0}.__class__ is str",
    boolean: "{0}.__class__ is bool",
    integer: "{0}.__class__ is int and -1e18 < {0} < 1e18",
}
"""By reader: an expression that is true of a value which the reader would return as it is; generated code need not call it then."""


def plain_json(value: Json) -> Any:
    """Write a document as plain JSON."""
    return value.value


ALWAYS_KNOWN: Final = frozenset({string, boolean, integer, number, json})
"""The readers that never answer `UNKNOWN`."""


def each(read: Callable[[Any], T], items: Any) -> tuple[T, ...]:
    """Read a list, element by element. Only when one fails is the list walked again, to say which ones and why."""
    if items.__class__ is not list:
        raise Unexpected.of("a list", items)
    try:
        return tuple(map(read, items))
    except Unexpected:
        raise Unexpected(*_problems(read, items)) from None


def _problems(read: Callable[[Any], T], items: Iterable[Any]) -> Iterable[Problem]:
    for index, item in enumerate(items):
        try:
            read(item)
        except Unexpected as error:
            yield from error.under(f"[{index}]").problems


def leftover(value: Mapping[str, Any], dialect: str, notes: Mapping[str, Any] = NO_NOTES) -> Extras:
    """What nobody used up, as the extras of `dialect`, with notes on how it was spelt.

    A key that begins with `$` marks a note; one of the wire's own is kept with a second `$`, so that no body can forge a note.
    """
    if not value and not notes:
        return NO_EXTRAS
    try:
        said = {_marked(key): item for key, item in value.items()}
        return Extras.trusted(((dialect, json({**said, **notes} if notes else said)),))
    except (Unexpected, AttributeError):
        json(value)  # the same problem, where it is on the wire
        raise


def restore(written: dict[str, Any], extras: Extras, dialect: str) -> None:
    """Put the extras of `dialect` back into what was written; a field that is written already keeps its new value."""
    if extras is NO_EXTRAS:
        return
    own = extras.of(dialect)
    if not own:
        return
    _merge(written, dict(fields_of(own)))
    if isinstance(kept := own.get("$kept"), dict):
        _merge(written, cast("dict[str, Any]", kept))
    for key in absent(own):
        written.pop(key, None)


def absent(own: Mapping[str, Any]) -> list[str]:
    """The keys that the wire did not have, though a writer would add them."""
    keys: object = own.get("$absent")
    return [key for key in cast("list[object]", keys) if isinstance(key, str)] if isinstance(keys, list) else []


def is_note(key: str) -> bool:
    """Whether a key of extras is a dialect's note, and no field of the wire."""
    return key.startswith("$") and not key.startswith("$$")


def fields_of(own: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields among extras, without the notes, as they are called on the wire."""
    return ((wire_key(key), value) for key, value in own.items() if not is_note(key))


def _marked(key: str) -> str:
    return f"${key}" if key.startswith("$") else key


def wire_key(key: str) -> str:
    """What a field of extras is called on the wire."""
    return key[1:] if key.startswith("$$") else key


def _merge(written: dict[str, Any], own: Mapping[str, Any]) -> None:
    for key, value in own.items():
        there = written.get(key, NOTHING)
        if there is NOTHING:
            written[key] = value
        elif isinstance(there, dict) and isinstance(value, dict):
            _merge(cast("dict[str, Any]", there), cast("dict[str, Any]", value))
