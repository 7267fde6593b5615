"""Standard error as a person sees it: messages, and a progress bar once a run takes long."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from io import TextIOWrapper
from types import TracebackType
from typing import Final, TypeAlias, final

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.text import Text

from chatadt.cli._report import printable

__all__ = ("Page", "Say", "Terminal", "prepare", "silence")

Say: TypeAlias = Callable[[str], None]
"""Tell the person who runs the command something."""

PATIENCE: Final = 1.0
"""Seconds that a run may take before a progress bar appears."""


@final
class Page(Console):
    """A console of rich that leaves a broken pipe to `chatadt.cli._run`, as everything else that writes does."""

    def on_broken_pipe(self) -> None:
        """Raise the error that is being handled, where rich would exit with code 1."""
        raise


@final
class Terminal:
    """Messages on standard error, and how far the input has been read: a bar where `bar` is true, after a second.

    `total` is the size of the input in bytes, or None where it is not known. Messages appear above the bar.
    """

    def __init__(self, total: int | None, *, bar: bool) -> None:
        self._total = total
        self._bar = bar
        self._read = 0
        self._records = 0
        self._due = time.monotonic() + PATIENCE
        self._shown: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._shown is not None:
            self._update()
            self._shown[0].stop()
            self._shown = None

    def advance(self, read: int) -> None:
        """One more record, of `read` bytes, has been dealt with."""
        self._read += read
        self._records += 1
        if self._bar and time.monotonic() >= self._due:
            self._due = time.monotonic() + 0.1
            self._shown = self._shown or _progress(self._total)
            self._update()

    def say(self, message: str) -> None:
        """A message to the person who runs the command."""
        if self._shown is None:
            sys.stderr.write(f"{printable(message)}\n")
        else:
            self._shown[0].console.print(Text(printable(message)), soft_wrap=True)

    def _update(self) -> None:
        if self._shown is not None:
            progress, task = self._shown
            progress.update(task, completed=self._read, records=f"{self._records:,}")


def _progress(total: int | None) -> tuple[Progress, TaskID]:
    progress = Progress(
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TextColumn("{task.fields[records]} read"),
        TimeRemainingColumn(),
        console=Page(stderr=True),
        transient=True,
    )
    progress.start()
    return progress, progress.add_task("", total=total, records="0")


def prepare() -> None:
    """Make the standard streams take anything that they can: what an encoding lacks is spelt out.

    Of closed ones, standard input is empty, standard error takes all and keeps nothing, and to write to standard output fails: who
    waits for results must not be told that all went well.
    """
    for name, mode, access in (("stdin", "r", os.O_RDWR), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_RDWR)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, access), mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def silence() -> None:
    """Send whatever is still to be written nowhere: the reader of a pipe has gone, and Python would complain of it at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
