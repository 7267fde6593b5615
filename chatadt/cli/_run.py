"""The loop that every command runs: open the input, deal with each record, report what failed, leave with the exit code earned."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from enum import IntEnum
from pathlib import Path
from typing import BinaryIO, Final, TypeVar, assert_never

import typer

from chatadt.cli._records import Form, Record, records
from chatadt.cli._terminal import Say, Terminal, silence
from chatadt.cli._work import Done, Failed, Work, attempt, place

__all__ = ("STDIN", "ExitCode", "complain", "noting", "quietly", "reading", "run", "size_of")

V = TypeVar("V")

STDIN: Final = "-"
"""The name of standard input among files."""

_BUFFER: Final = 1 << 20


class ExitCode(IntEnum):
    """What the exit code of the command says."""

    WELL = 0
    SOME_FAILED = 1
    WRONG_USE = 2
    INTERRUPTED = 130


@contextmanager
def quietly() -> Generator[None, None, None]:
    """Leave without a traceback: where the reader of a pipe has gone (`| head`), after Ctrl-C, and when a disk is full."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
        raise typer.Exit(ExitCode.WELL) from None
    except KeyboardInterrupt:
        silence()
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    except OSError as error:
        why = "standard output is closed" if error.errno == errno.EBADF else error
        sys.stderr.write(f"cannot go on: {why}\n")
        silence()
        raise typer.Exit(ExitCode.SOME_FAILED) from None


@contextmanager
def reading(file: str) -> Generator[BinaryIO, None, None]:
    """The bytes of a file, or of standard input. What cannot be opened is wrong use."""
    if file == STDIN:
        yield _standard_input()
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(file).open("rb", buffering=_BUFFER))
        except OSError as error:
            raise typer.BadParameter(f"cannot read {file}: {error.strerror}", param_hint="FILE") from None
        yield stream


@contextmanager
def noting(file: str | None, source: str) -> Generator[BinaryIO | None, None, None]:
    """A file to write losses to, if one is wished, that is not the one they come from."""
    if file is None:
        yield None
        return
    if file == STDIN:
        raise typer.BadParameter("standard output is taken by the results: name a file", param_hint="--losses")
    if source != STDIN and Path(file).exists() and Path(file).samefile(source):
        raise typer.BadParameter(f"{file} is the input itself", param_hint="--losses")
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(file).open("wb", buffering=_BUFFER))
        except OSError as error:
            raise typer.BadParameter(f"cannot write {file}: {error.strerror}", param_hint="--losses") from None
        yield stream


def run(
    stream: BinaryIO,
    form: Form | None,
    work: Work[V],
    done: Callable[[Record, V, Say], bool],
    failed: Callable[[Record, Failed, Say], None],
) -> ExitCode:
    """Do `work` with each record of a stream, until its end or until nobody reads any more; the exit code says how it went so far.

    Nothing but white space is bad input, unless the form says that there are any number of lines.
    `done` gets what came of a record, writes it, and says whether the record passes; `failed` gets why nothing came of it.
    """
    code = ExitCode.WELL
    is_empty = form is not Form.LINES
    try:
        with Terminal(size_of(stream), bar=sys.stderr.isatty() and not sys.stdout.isatty()) as terminal:
            for record in records(stream, form):
                is_empty = False
                attempted = attempt(record, work)
                match attempted:
                    case Done(value):
                        code = code if done(record, value, terminal.say) else ExitCode.SOME_FAILED
                    case Failed() as failure:
                        code = ExitCode.SOME_FAILED
                        failed(record, failure, terminal.say)
                    case _:
                        assert_never(attempted)
                terminal.advance(len(record.text))
            if is_empty:
                code = ExitCode.SOME_FAILED
                terminal.say("not JSON: the input is empty")
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
    return code


def complain(record: Record, failure: Failed, say: Say) -> None:
    """Tell the person why nothing came of a record."""
    say(f"{place(record, failure.line)}{failure.reason}")


def _standard_input() -> BinaryIO:
    if sys.stdin.isatty():
        sys.stderr.write("reading from the terminal: end with Ctrl-D, or name a file\n")
    return sys.stdin.buffer


def size_of(stream: BinaryIO) -> int | None:
    """The size of the input where it is a file; a pipe's is not known."""
    try:
        status = os.fstat(stream.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
