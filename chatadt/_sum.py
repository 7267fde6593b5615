"""How this library spells a closed union: a namespace of cases that is itself never constructed."""

from __future__ import annotations

from enum import Enum
from typing import NoReturn

from attrs import NOTHING, fields

__all__ = ("Named", "Sum", "terse")


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
            shown.append(repr(value) if positional else f"{field.name}={value!r}")
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _example(namespace: type) -> str:
    case = next(name for name, value in vars(namespace).items() if isinstance(value, type))
    return f"{namespace.__name__}.{case}(...)"
