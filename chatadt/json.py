"""One immutable JSON document, and the notes that dialects keep beside the words.

A document keeps the text it came with (RFC 8259) and parses it on demand, so that tool arguments cross from one provider to
another without being parsed and written again, and integers of any size stay what they are.
"""

from __future__ import annotations

import json as _json
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias, cast

import orjson
from attrs import frozen

__all__ = (
    "MOST_DIGITS",
    "NO_EXTRAS",
    "Extras",
    "Json",
    "JsonValue",
    "dump",
    "parse",
    "parse_roughly",
    "to_extras",
    "to_json",
    "too_long",
    "why_not_json",
)

JsonValue: TypeAlias = "bool | int | float | str | list[Any] | dict[str, Any] | None"

_OPTIONS: Final = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
_SORTED: Final = _OPTIONS | orjson.OPT_SORT_KEYS
_ROUNDED: Final = 2.0**63
"""From here on orjson reads an integer as a double, rounded without a word."""


MOST_DIGITS: Final = 4_300
"""How many digits an integer may have: Python converts no more unless it is told to."""

_BEYOND: Final = 10**MOST_DIGITS


def too_long(value: object) -> bool:
    """Whether a value is an integer of more digits than are read and written."""
    return isinstance(value, int) and value.bit_length() > 3 * MOST_DIGITS and not -_BEYOND < value < _BEYOND


def parse(text: str | bytes) -> Any:
    """The Python value of a JSON text: dict, list, str, int, float, bool or None.

    Integers of up to 4,300 digits are exact and lone surrogates written as escapes are kept, which orjson alone does not do.
    Raises ValueError for what is not JSON, for longer integers, for NaN, Infinity and numbers beyond a double, for bytes that are
    not UTF-8, and for nesting of more than about 1,000 levels.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return _parse_exactly(text)
    try:
        return _parse_exactly(text) if _may_be_rounded(value) else value
    except RecursionError:
        return _parse_exactly(text)


def parse_roughly(text: str | bytes) -> Any:
    """As `parse`, to find the place of what it refuses: NaN and Infinity are read, and of an integer that is too long its digits
    are counted. Raises ValueError and RecursionError.
    """
    return _json.loads(text if isinstance(text, str) else text.decode(), parse_int=_sized)


def _sized(text: str) -> int:
    digits = len(text.lstrip("-"))
    return int(text) if digits <= MOST_DIGITS else 10 ** (digits - 1)


def why_not_json(text: str) -> str | None:
    """Why a text is not JSON, or None when it is."""
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        try:
            _parse_exactly(text)
        except ValueError as error:
            return str(error)
    return None


def dump(value: object) -> str:
    """The compact JSON text of plain Python data. Raises ValueError or TypeError for what JSON cannot say (NaN, sets, int keys)."""
    try:
        text = orjson.dumps(value, option=_OPTIONS).decode()
    except TypeError:  # integers beyond 64 bits, lone surrogates, deep nesting: slower, but exact
        return _dump_exactly(value)
    return text if "null" not in text else _dump_exactly(value)  # orjson writes NaN as null


@frozen(repr=False, eq=False)
class Json:
    """One JSON document as its text.

    Two documents are equal when they say the same value, whatever the spacing and the order of keys; 1 and 1.0 differ, as do
    1 and true. `Json('{"a":1}')` takes text and raises ValueError when it is not JSON; `Json.of(value)` takes plain Python data.
    """

    text: str

    def __attrs_post_init__(self) -> None:
        if not isinstance(cast("object", self.text), str):
            raise TypeError(f"Json takes JSON text, got {self.text!r}: use Json.of(value) for Python data")
        parse(self.text)

    @staticmethod
    def of(value: object) -> Json:
        """The document that says `value`: plain Python data. Raises ValueError or TypeError for NaN, sets and the like."""
        return value if isinstance(value, Json) else Json.trusted(dump(value))

    @staticmethod
    def trusted(text: str) -> Json:
        """The document of a text that is known to be JSON: the check is left out."""
        self = _new(Json)
        _set_text(self, text)
        return self

    @property
    def value(self) -> Any:
        """The document as fresh plain Python data, yours to change."""
        return parse(self.text)

    @property
    def canonical(self) -> str:
        """The text with sorted keys and no spaces: equal for equal documents."""
        value = self.value
        try:
            return orjson.dumps(value, option=_SORTED).decode()
        except TypeError:
            return _json.dumps(value, sort_keys=True, separators=(",", ":"))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Json):
            return NotImplemented
        return self.text == other.text or self.canonical == other.canonical

    def __hash__(self) -> int:
        return hash(self.canonical)

    def __repr__(self) -> str:
        return f"Json({self.text!r})"


_new: Final = object.__new__
_set_text: Final = cast("Any", Json).text.__set__


@frozen(repr=False, init=False)
class Extras(Mapping[str, Json]):
    """What dialects said beyond the words: from the name of a dialect to the JSON object of its own fields.

    `Extras({"anthropic": {"cache_control": {"type": "ephemeral"}}})`. Immutable and hashable. A key that begins with `$` is the
    dialect's own note on how something was spelt: its writer follows it, nobody sends it.
    """

    _items: tuple[tuple[str, Json], ...] = ()

    def __init__(self, items: Mapping[str, object] = {}) -> None:
        if not isinstance(cast("object", items), Mapping) or not all(isinstance(cast("object", name), str) for name in items):
            raise TypeError(f"extras are a mapping from the name of a dialect to its fields, got {items!r}")
        object.__setattr__(self, "_items", tuple(sorted((name, Json.of(value)) for name, value in items.items())))

    @staticmethod
    def trusted(items: tuple[tuple[str, Json], ...]) -> Extras:
        """The extras of pairs that are known to be sorted."""
        self = _new(Extras)
        _set_items(self, items)
        return self

    @property
    def documents(self) -> tuple[tuple[str, Json], ...]:
        """Each dialect with what it said, sorted: `items()` without the view that it costs."""
        return self._items

    def __getitem__(self, dialect: str) -> Json:
        for name, value in self._items:
            if name == dialect:
                return value
        raise KeyError(dialect)

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, _ in self._items])

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, dialect: object) -> bool:
        for name, _ in self._items:  # noqa: SIM110 (the shorter form takes twice the time)
            if name == dialect:
                return True
        return False

    def __repr__(self) -> str:
        return f"Extras({dict(self._items)!r})"

    def of(self, dialect: str) -> dict[str, Any]:
        """The fields that `dialect` said, as a fresh dict; empty when it said nothing (or no object)."""
        for name, document in self._items:
            if name == dialect:
                value = document.value
                return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        return {}

    def having(self, dialect: str, fields: Mapping[str, object]) -> Extras:
        """These extras with `fields` added to what `dialect` said; a field that was there is replaced."""
        if not fields:
            return self
        if self is NO_EXTRAS:
            return Extras.trusted(((dialect, Json.of(dict(fields))),))
        others = [item for item in self._items if item[0] != dialect]
        return Extras.trusted(tuple(sorted([*others, (dialect, Json.of({**self.of(dialect), **fields}))], key=_first)))


def _first(item: tuple[str, Json]) -> str:
    return item[0]


_set_items: Final = cast("Any", Extras)._items.__set__
NO_EXTRAS: Final = Extras()
"""The one value that stands for no extras: nearly every word has it."""


def to_json(value: object) -> Json:
    """Take a document, or plain Python data, as a document."""
    return Json.of(value)


def to_extras(value: Mapping[str, object]) -> Extras:
    """Take a mapping from dialect to fields as extras."""
    if isinstance(value, Extras):
        return value
    return Extras(value) if value or not isinstance(cast("object", value), Mapping) else NO_EXTRAS


def _parse_exactly(text: str | bytes) -> Any:
    try:
        decoded = text if isinstance(text, str) else text.decode()
        try:
            return _json.loads(decoded, parse_constant=_no_constant, parse_float=_finite)
        except _json.JSONDecodeError:
            raise
        except ValueError:  # again, to say of an integer that is too long what Python says in terms of its own
            return _json.loads(decoded, parse_constant=_no_constant, parse_float=_finite, parse_int=_short)
    except RecursionError:
        raise ValueError("nested too deeply: at most about 1,000 levels can be followed") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error.reason} at byte {error.start}") from None


def _short(text: str) -> int:
    digits = len(text.lstrip("-"))
    if digits > MOST_DIGITS:
        raise ValueError(f"an integer of {digits:,} digits: at most {MOST_DIGITS:,} are read, say it as a string")
    return int(text)


def _dump_exactly(value: object) -> str:
    try:
        _only_string_keys(value)
        try:
            return _json.dumps(value, separators=(",", ":"), allow_nan=False)
        except ValueError as error:
            why = f"an integer of more than {MOST_DIGITS:,} digits: say it as a string"
            raise ValueError(why if _holds_too_long(value) else str(error)) from None
    except RecursionError:
        raise ValueError("nested too deeply: at most about 1,000 levels can be followed") from None


def _only_string_keys(value: object) -> None:
    if isinstance(value, dict):
        for key, inner in cast("dict[object, object]", value).items():
            if not isinstance(key, str):
                raise TypeError(f"a JSON object has string keys, got {key!r}")
            _only_string_keys(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("list[object]", value):
            _only_string_keys(inner)


def _holds_too_long(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_too_long, cast("dict[object, object]", value).values()))
    if isinstance(value, list | tuple):
        return any(map(_holds_too_long, cast("list[object]", value)))
    return too_long(value)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:40]} is beyond the largest number that a double holds")
    return number


def _may_be_rounded(value: Any) -> bool:
    """Whether some number in what orjson read is a double so large that it may have been an integer."""
    kind = value.__class__
    if kind is dict:
        value = value.values()
    elif kind is not list:
        return kind is float and abs(value) >= _ROUNDED
    for item in value:
        kind = item.__class__
        if kind is str or kind is int:
            continue
        if kind is float:
            if item >= _ROUNDED or item <= -_ROUNDED:
                return True
        elif (kind is dict or kind is list) and _may_be_rounded(item):
            return True
    return False
