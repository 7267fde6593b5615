"""How this library spells a closed union: a namespace of cases that is itself never constructed."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from math import isfinite
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, cast

from attrs import NOTHING, Attribute, fields

from chatadt.json import MOST_DIGITS, too_long

__all__ = ("Named", "Sum", "Validator", "changed", "holds", "named", "numeric", "short", "terse")

T = TypeVar("T")

Validator: TypeAlias = "Callable[[Any, Attribute[Any], Any], None]"


class Sum(type):
    """The metaclass of a closed union's namespace: it has cases and a union type `T`, but no instances."""

    def __call__(cls, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError(f"{cls.__name__} is a closed union: construct one of its cases, such as {_example(cls)}")

    def __instancecheck__(cls, instance: object) -> NoReturn:
        raise TypeError(f"{cls.__name__} is a namespace of cases: test isinstance(x, {cls.__name__}.T)")


class Named(Enum):
    """An enumeration whose `repr` evaluates back to the member."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


def terse(self: object) -> str:
    """The `__repr__` of every case: fields that hold their default are left out, and the text evaluates to an equal value."""
    shown: list[str] = []
    positional = True
    for field in fields(type(self)):  # type: ignore[arg-type,misc,unused-ignore]
        value = getattr(self, field.name)
        if field.default is not NOTHING and value == field.default:
            positional = False
        else:
            shown.append(repr(value) if positional and not field.kw_only else f"{field.name}={value!r}")
    return f"{type(self).__qualname__}({', '.join(shown)})"


def changed(word: T, name: str, value: object) -> T:
    """A copy of a frozen word with another value in one field, which is known to be right: nothing is converted or checked again.

    `attrs.evolve` is for values that come from outside; it takes four times as long.
    """
    try:
        copy = _COPIES[word.__class__, name]
    except KeyError:
        copy = _COPIES[word.__class__, name] = _copying(word.__class__, name)
    return cast("T", copy(word, value))


_COPIES: Final[dict[tuple[type, str], Callable[[Any, object], Any]]] = {}


def _copying(case: type, changing: str) -> Callable[[Any, object], Any]:
    """A function that fills the slots of a copy directly."""
    names = [field.name for field in fields(cast("Any", case))]
    scope: dict[str, Any] = {"new": object.__new__, "case": case, **{f"set_{name}": getattr(case, name).__set__ for name in names}}
    lines = [f"set_{name}(copy, {'value' if name == changing else f'word.{name}'})" for name in names]
    exec("\n    ".join(["def copying(word, value):", "copy = new(case)", *lines, "return copy"]), scope)
    return cast("Callable[[Any, object], Any]", scope["copying"])


def holds(expected: str, *types: Any) -> Validator:
    """A validator for a field whose value must be of one of `types`; true and false are no integers. Raises TypeError."""

    def validate(owner: Any, attribute: Attribute[Any], value: Any) -> None:
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise TypeError(f"{attribute.name} of {type(owner).__qualname__} is {expected}, got {value!r}")

    return validate


def named(what: str, *, optional: bool = False) -> Validator:
    """A validator for a field that names something: a string that is not blank. Raises TypeError or ValueError."""

    def validate(owner: Any, attribute: Attribute[Any], value: Any) -> None:
        if optional and value is None:
            return
        where = f"{attribute.name} of {type(owner).__qualname__}"
        if not isinstance(value, str):
            raise TypeError(f"{where} is {what}, a string{' or None' if optional else ''}, got {value!r}")
        if not value or value.isspace():
            raise ValueError(f"{where} is {what}, and it is blank{': leave it None when it is not known' if optional else ''}")

    return validate


def numeric(owner: Any, attribute: Attribute[Any], value: Any) -> None:
    """A validator for an optional number that JSON can say. Raises TypeError or ValueError."""
    if value is None:
        return
    where = f"{attribute.name} of {type(owner).__qualname__}"
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{where} is a number or None, got {value!r}")
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{where} is a finite number, got {value!r}")
    if isinstance(value, int):
        short(owner, attribute, value)


def short(owner: Any, attribute: Attribute[Any], value: Any) -> None:
    """A validator for an optional integer, which must not have more digits than JSON can be read with. Raises ValueError."""
    if isinstance(value, int) and too_long(value):
        raise ValueError(f"{attribute.name} of {type(owner).__qualname__} is a number of at most {MOST_DIGITS:,} digits, got more")


def _example(namespace: type) -> str:
    case = next(name for name, value in vars(namespace).items() if isinstance(value, type))
    return f"{namespace.__name__}.{case}(...)"
