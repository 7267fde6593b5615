"""What writers of answers lose of calls that were cut off before their arguments, where nothing that is written says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chatadt._cut import cuts_off
from chatadt.chat import StopReason
from chatadt.content import Arguments, Content
from chatadt.delta import Delta
from chatadt.dialects._losses import rewritten
from chatadt.dialects._open import Open
from chatadt.loss import Loss, Weight

__all__ = ("cut_call_lost", "cut_calls_lost", "last_call_lost")


def cut_calls_lost(contents: Sequence[Content.Output], read: StopReason | None) -> list[Loss]:
    """The losses of calls of whose arguments nothing came, and which are read as complete in an answer that stops as `read`."""
    is_done = not cuts_off(read)
    return [
        cut_call_lost(f".contents[{index}]")
        for index, content in enumerate(contents)
        if isinstance(content, Content.ToolRequest) and _is_cut(content.arguments) and (is_done or index < len(contents) - 1)
    ]


def _is_cut(arguments: Arguments.T) -> bool:
    return isinstance(arguments, Arguments.Malformed) and not arguments.text.strip()


def last_call_lost(blocks: Iterable[Open], opened: int, stop: StopReason | None, read: StopReason | None) -> list[Loss]:
    """The same in a stream that stops as `stop`, of which `opened` blocks were opened and these are open."""
    return [
        cut_call_lost(f"$.message.contents[{block.place}]")
        for block in blocks
        if cuts_off(stop) and not cuts_off(read) and block.order == opened - 1 and _is_bare_call(block)
    ]


def _is_bare_call(block: Open) -> bool:
    return block.case is Delta.ToolRequest and "".join(block.name).strip() != "" and not block.said.text.strip()


def cut_call_lost(path: str) -> Loss:
    """The loss of a call of whose arguments nothing came, and which is said to be one without arguments."""
    reason = "nothing came of the arguments, and the call is read as one that has none"
    return rewritten("arguments", "", reason, weight=Weight.CONTENT, path=path)
