"""Why a template could not be filled, as values."""

from __future__ import annotations

from typing import TypeAlias, final

from attrs import frozen

from chatadt._sum import Sum, terse

__all__ = ("Misfit", "Unfilled")


@final
class Misfit(metaclass=Sum):
    """One thing that keeps a template from being filled; `Misfit.T` is the closed union of the cases.

    `path` is the name of a hole, or leads to one inside the examples that fill another (`examples[2].question`).
    """

    @final
    @frozen(repr=False)
    class Missing:
        """A hole that has no default was given nothing."""

        path: str
        expected: str
        __repr__ = terse

        def __str__(self) -> str:
            return f"expected {self.expected} for {self.path}, got nothing"

    @final
    @frozen(repr=False)
    class Extra:
        """No hole has this name; `known` are those that there are."""

        path: str
        known: tuple[str, ...]
        __repr__ = terse

        def __str__(self) -> str:
            return f"expected one of the holes that there are ({', '.join(self.known) or 'none'}), got a value for {self.path}"

    @final
    @frozen(repr=False)
    class IllTyped:
        """The value is not what the hole takes."""

        path: str
        expected: str
        got: str
        __repr__ = terse

        def __str__(self) -> str:
            return f"expected {self.expected} for {self.path}, got {self.got}"

    @final
    @frozen(repr=False)
    class Unrenderable:
        """The text of a template that computes (mustache, Jinja2) came to no end with these values."""

        source: str
        why: str
        __repr__ = terse

        def __str__(self) -> str:
            return f"expected values with which {self.source!r} can be rendered, got {self.why}"

    T: TypeAlias = Missing | Extra | IllTyped | Unrenderable


@final
@frozen(repr=False)
class Unfilled:
    """All that keeps a template from being filled."""

    misfits: tuple[Misfit.T, ...]
    __repr__ = terse

    def __str__(self) -> str:
        head = "cannot fill the template"
        lines = [str(misfit) for misfit in self.misfits]
        return f"{head}: {lines[0]}" if len(lines) == 1 else "\n  ".join([f"{head}:", *lines])
