"""A stream that is converted as it comes: an event goes out as soon as its input came, and the target decides what is kept."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final, NoReturn, final

from chatadt.cli._convert import Wish, Writer
from chatadt.cli._events import Coming
from chatadt.cli._records import Form, Record
from chatadt.cli._report import Bug
from chatadt.cli._run import ExitCode
from chatadt.cli._terminal import Say, Terminal, silence
from chatadt.cli._work import Failed
from chatadt.delta import Delta
from chatadt.dialects import DIALECTS
from chatadt.error import ConversionError
from chatadt.loss import Loss

__all__ = ("flow",)

_WHOLE: Final = Record(1, b"", Form.DOCUMENT)
"""The record that a stream is, to tell of: its events are not records."""


def flow(coming: Coming, wish: Wish, writer: Writer, size: int | None) -> ExitCode:
    """Convert a stream that comes in; `size` is that of the input in bytes, where it is known. The exit code says how it went.

    A line or an event that is no strict JSON, or that the end cuts off, is told and left out; an error of the provider is told, and
    stands in the stream. A loss that the policy does not allow ends the conversion where it is found: what was written before has
    gone out.
    """
    with Terminal(size, bar=sys.stderr.isatty() and not sys.stdout.isatty()) as terminal:
        converting = _Converting(wish, writer, terminal.say)

        def ready(read: int) -> None:
            sys.stdout.buffer.flush()  # before more is waited for
            terminal.advance(read)

        try:
            for piece in coming.encode(converting.events(coming.events(ready))):
                sys.stdout.buffer.write(piece)
            sys.stdout.flush()
        except _GivenUp:
            pass  # it was told why
        except BrokenPipeError:
            silence()
        except OSError:
            raise
        except Exception as error:  # a bug
            converting.failed(Failed(1, Bug.of(error)))
    return converting.code


@final
class _GivenUp(Exception):
    """There is a reason why the stream is not converted any further."""


@final
class _Converting:
    """The conversion of one stream, and how it went so far."""

    def __init__(self, wish: Wish, writer: Writer, say: Say) -> None:
        self._wish = wish
        self._writer = writer
        self._say = say
        self.code = ExitCode.WELL

    def events(self, came: Iterator[Any]) -> Iterator[Any]:
        """The events of the target, while those of the source come in; losses are told in between."""
        source, target = DIALECTS[self._wish.source], DIALECTS[self._wish.target]
        if source.read_stream is None or target.write_stream is None:
            self._give_up(ConversionError.Unavailable((target if source.read_stream else source).name, "stream"))
        step, end = target.write_stream.begin()
        for delta in source.read_stream(self._good(came)):
            if isinstance(delta, Delta.Failed):
                self.failed(Failed(1, ConversionError.Refused(source.name, delta.error)))
            yield from self._kept(step(delta))
        yield from self._kept(end())

    def failed(self, failure: Failed) -> None:
        """Tell what went wrong."""
        self.code = ExitCode.SOME_FAILED
        self._writer.failed(_WHOLE, failure, self._say)

    def _good(self, came: Iterator[Any]) -> Iterator[Any]:
        for event in came:
            if isinstance(event, Failed):
                self.failed(event)
            else:
                yield event

    def _kept(self, written: Any) -> Iterator[Any]:
        for item in written:
            if not isinstance(item, Loss):
                yield item
            elif self._wish.policy.allows(item):
                self._writer.lost(_WHOLE, (item,), self._say)
            else:
                self._give_up(ConversionError.Lossy(self._wish.target, self._wish.policy, (item,)))

    def _give_up(self, error: ConversionError.T) -> NoReturn:
        self.failed(Failed(1, error))
        raise _GivenUp
