"""A memory in a file of SQLite, by the standard library."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, final

from attrs import frozen

from chatadt.clients.memory._memory import Memory
from chatadt.clients.memory._tables import Done, TableMemory, Transaction

__all__ = ("sqlite_memory",)

_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS chatadt_conversation (id TEXT PRIMARY KEY, length INTEGER NOT NULL)",
    """CREATE TABLE IF NOT EXISTS chatadt_message (
        conversation TEXT NOT NULL, position INTEGER NOT NULL, message TEXT NOT NULL, PRIMARY KEY (conversation, position)
    )""",
)


def sqlite_memory(path: str | Path, *, patience: float = 5.0) -> Memory:
    """The memory in the file at `path`, which is made where there is none. Another writer is waited for up to `patience` seconds.

    Each operation has a connection of its own, so that threads and processes may share the file. Raises sqlite3.Error where the
    file cannot be opened or is no database, and ValueError for ":memory:", which ends with its connection: take `in_memory()`.
    """
    if str(path) == ":memory:":
        raise ValueError("expected the path of a file, got ':memory:', of which each connection has its own: take in_memory()")

    @contextmanager
    def begin() -> Generator[Transaction]:
        with closing(sqlite3.connect(path, timeout=patience, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")  # a writer that began by reading could not be let wait
            try:
                yield _Transaction(connection)
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    with begin() as transaction:
        for table in _TABLES:
            transaction.run(table, {})
    return TableMemory(begin, sqlite3.IntegrityError, sqlite3.Error)


@final
@frozen
class _Transaction:
    connection: sqlite3.Connection

    def run(self, statement: str, values: Mapping[str, object]) -> Done:
        return self.connection.execute(statement, dict(values))

    def run_each(self, statement: str, rows: Sequence[Mapping[str, object]]) -> None:
        self.connection.executemany(statement, [dict(row) for row in rows])
