"""Which call a tool result answers, where the wire does not say.

Calls of Ollama need no ids. A result answers the first call of the last assistant message that is still open and has its tool's
name, or the first open one where the result names no tool; calls are counted through the conversation, which gives them ids.
Reader and writer count alike, so that a result finds its call again.
"""

from __future__ import annotations

__all__ = ("Ties",)


class Ties:
    """The calls of a conversation, as far as it has been walked."""

    __slots__ = ("_count", "_open", "_taken")

    def __init__(self) -> None:
        self._count = 0
        self._open: list[tuple[str, str]] = []  # id and name of each call that waits for its result
        self._taken: set[str] = set()

    def turn(self) -> None:
        """An assistant message begins: results answer its calls from now on."""
        self._open = []

    def ask(self, name: str, given: str = "") -> str:
        """The id of the next call: the one that it was given, or its number."""
        id_ = given or f"call_{self._count}"
        while not given and id_ in self._taken:
            id_ += "_"
        self._count += 1
        self._taken.add(id_)
        self._open.append((id_, name))
        return id_

    def answers(self, name: str, id_: str) -> bool:
        """Whether a result that names its tool answers the call with that id; if so, the call is open no more."""
        for index, (open_id, asked) in enumerate(self._open):
            if name == asked:
                if open_id != id_:
                    return False
                del self._open[index]
                return True
        return False

    def answer(self, name: str | None, given: str = "") -> str:
        """The id of the call that a result answers: the one that it gives, or that of the first open call of its tool, or ""."""
        for index, (id_, asked) in enumerate(self._open):
            if id_ == given if given else name is None or name == asked:
                del self._open[index]
                return id_
        return given
