"""A memory in any database that SQLAlchemy knows (the extra `sql`, and the driver of the database)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, cast, final

from attrs import frozen
from sqlalchemy import Column, Connection, Engine, Integer, MetaData, String, Table, Text, create_engine, text
from sqlalchemy.dialects.mysql import LONGTEXT
from sqlalchemy.exc import (
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    SQLAlchemyError,
    StatementError,
)

from chatadt.clients.memory._memory import LONGEST_ID, Memory
from chatadt.clients.memory._tables import Done, TableMemory, Transaction

__all__ = ("sql_memory",)

_TABLES: Final = MetaData()
Table(
    "chatadt_conversation",
    _TABLES,
    Column("id", String(LONGEST_ID), primary_key=True),
    Column("length", Integer, nullable=False),
)
Table(
    "chatadt_message",
    _TABLES,
    Column("conversation", String(LONGEST_ID), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("message", Text().with_variant(LONGTEXT(), "mysql", "mariadb"), nullable=False),
)


def sql_memory(database: str | Engine) -> Memory:
    """The memory in a database, by its URL (`postgresql+psycopg://…`) or by an engine of yours. Its two tables,
    `chatadt_conversation` and `chatadt_message`, are made where there are none.

    Raises what SQLAlchemy raises where the database cannot be reached at first; later that is `Unavailable`.
    """
    engine = create_engine(database) if isinstance(database, str) else database
    _TABLES.create_all(engine)

    @contextmanager
    def begin() -> Generator[Transaction]:
        with engine.begin() as connection:
            yield _Transaction(connection)

    return TableMemory(begin, IntegrityError, SQLAlchemyError, _words)


_SILENT: Final = (OperationalError, ProgrammingError, InterfaceError, InternalError)
"""Errors of a database in whose first line no value stands."""


def _words(error: Exception) -> str:
    """What a database says, without the values of the statement: SQLAlchemy adds them all, and drivers may quote some."""
    if not isinstance(error, StatementError):
        return str(error)
    said = str(error.orig).partition("\n")[0] if isinstance(error, _SILENT) else "it does not take what it was given"
    return f"{type(error.orig).__name__}: {said}"


@final
@frozen
class _Transaction:
    connection: Connection

    def run(self, statement: str, values: Mapping[str, object]) -> Done:
        return cast("Done", self.connection.execute(text(statement), dict(values)))

    def run_each(self, statement: str, rows: Sequence[Mapping[str, object]]) -> None:
        self.connection.execute(text(statement), [dict(row) for row in rows])
