"""What every memory owes its user, and that two who write at the same time lose nothing."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any, Final

import pytest
from hypothesis import given
from returns.result import Failure, Success
from sqlalchemy import create_engine, text

from chatadt import History, Message, strategies
from chatadt.clients import Memory, MemoryFault, in_memory
from chatadt.clients.memory.sql import sql_memory
from chatadt.clients.memory.sqlite import sqlite_memory

HELLO: Final = History().user("hi").assistant("Hello.")

KINDS: Final[dict[str, Callable[[Path], Memory]]] = {
    "in memory": lambda folder: in_memory(),
    "sqlite": lambda folder: sqlite_memory(folder / "memory.db", patience=30),
    "sqlalchemy over sqlite": lambda folder: sql_memory(
        create_engine(f"sqlite:///{folder / 'other.db'}", connect_args={"timeout": 30})
    ),
}


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a server of PostgreSQL that these tests started."""
    programs = [shutil.which(name) or _installed(name) for name in ("initdb", "pg_ctl")]
    if None in programs:
        pytest.skip("no server of PostgreSQL is installed: initdb and pg_ctl are not found")
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []  # the server refuses to run as root
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    initdb, pg_ctl = map(str, programs)
    with TemporaryDirectory(prefix="chatadt-") as folder:  # pytest lets no other user into its own
        Path(folder).chmod(0o777)
        data = f"{folder}/data"
        begun = [
            [*as_user, initdb, "-D", data, "-A", "trust", "-U", "chatadt", "-E", "UTF8"],
            [*as_user, pg_ctl, "-D", data, "-w", "-l", f"{data}/log", "-o", f"-h 127.0.0.1 -p {port} -k {folder} -F", "start"],
        ]
        for command in begun:
            ran = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, cwd="/")
            if ran.returncode:
                pytest.skip(f"no server of PostgreSQL could be started: {ran.stderr[-200:]}")
        yield f"postgresql+psycopg://chatadt@127.0.0.1:{port}/postgres"
        subprocess.run([*as_user, pg_ctl, "-D", data, "-m", "immediate", "stop"], stdout=subprocess.DEVNULL, check=True, cwd="/")


def _installed(name: str) -> str | None:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else None


@pytest.fixture(params=[*KINDS, "postgresql"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    if request.param != "postgresql":
        yield KINDS[request.param](tmp_path)
        return
    engine = create_engine(request.getfixturevalue("postgresql"))
    yield sql_memory(engine)
    with engine.begin() as connection:
        for table in ("chatadt_message", "chatadt_conversation"):
            connection.execute(text(f"DROP TABLE {table}"))
    engine.dispose()


def test_what_was_put_in_comes_out(memory: Memory) -> None:
    assert memory.create("a", HELLO) == Success(None)
    assert memory.create("b") == Success(None)
    assert memory.read("a") == Success(HELLO)
    assert memory.read("b") == Success(History())


def test_messages_are_added_at_the_end_in_order(memory: Memory) -> None:
    memory.create("a", HELLO)
    assert memory.add("a", [Message.User("one"), Message.Assistant("two")]) == Success(None)
    assert memory.add("a", []) == Success(None)
    assert memory.add("a", [Message.User("three")]) == Success(None)
    assert memory.read("a") == Success(HELLO.user("one").assistant("two").user("three"))


def test_a_conversation_can_be_replaced_and_added_to_after_that(memory: Memory) -> None:
    memory.create("a", HELLO)
    assert memory.replace("a", History().system("Summary.")) == Success(None)
    memory.add("a", [Message.User("more")])
    assert memory.read("a") == Success(History().system("Summary.").user("more"))


def test_a_conversation_that_was_deleted_is_gone_and_its_id_is_free(memory: Memory) -> None:
    memory.create("a", HELLO)
    assert memory.delete("a") == Success(None)
    assert memory.read("a") == Failure(MemoryFault.Missing("a"))
    assert memory.create("a") == Success(None)
    assert memory.read("a") == Success(History())


def test_what_is_not_there_is_missing_and_what_is_there_is_not_made_again(memory: Memory) -> None:
    missing = Failure(MemoryFault.Missing("a"))
    assert [memory.read("a"), memory.add("a", HELLO), memory.replace("a", HELLO), memory.delete("a")] == [missing] * 4
    memory.create("a", HELLO)
    assert memory.create("a", History().user("other")) == Failure(MemoryFault.Exists("a"))
    assert memory.read("a") == Success(HELLO)


def test_what_is_no_message_is_a_mistake_and_changes_nothing(memory: Memory) -> None:
    memory.create("a", HELLO)
    for write in (memory.add, memory.replace):
        with pytest.raises(TypeError):
            write("a", [Message.User("one"), "two"])  # type: ignore[list-item]
    assert memory.read("a") == Success(HELLO)


def test_ids_of_any_kind_are_kept_apart(memory: Memory) -> None:
    ids = ["a", "A", "a ", "", "'; DROP TABLE chatadt_message; --", "ä", "%"]
    for id in ids:
        memory.create(id, History().user(f"of {id}"))
    assert [memory.read(id) for id in ids] == [Success(History().user(f"of {id}")) for id in ids]


@pytest.mark.parametrize("id", ["a" * 256, "\0", "a\ud800"], ids=["too long", "NUL", "half of a pair"])
def test_an_id_that_some_database_cannot_keep_is_unfit_for_each(memory: Memory, id: str) -> None:
    operations = (
        memory.create,
        memory.read,
        memory.delete,
        lambda name: memory.add(name, HELLO),
        lambda name: memory.replace(name, HELLO),
    )
    for operation in operations:
        fault = operation(id).failure()
        assert isinstance(fault, MemoryFault.Unfit)
        assert fault.id == id
        assert "expected" in str(fault).encode().decode()
    longest = "\U0001f600" * 255
    assert memory.create(longest, HELLO) == Success(None)
    assert memory.read(longest) == Success(HELLO)


def test_an_id_that_is_no_text_is_a_mistake(memory: Memory) -> None:
    with pytest.raises(TypeError, match="a string, got 5"):
        memory.read(5)  # type: ignore[arg-type]


def test_a_reader_sees_a_conversation_whole_or_not_at_all(memory: Memory) -> None:
    done = Event()

    def write() -> None:
        for _ in range(150):
            memory.create("a", HELLO)
            memory.replace("a", HELLO.user("more"))
            memory.delete("a")
        done.set()

    def read() -> set[Any]:
        seen: set[Any] = set()
        while not done.is_set():
            found = memory.read("a")
            seen.add(found.value_or(None) if isinstance(found, Success) else type(found.failure()))
        return seen

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        pool.submit(write).result()
    assert {seen for reader in readers for seen in reader.result()} <= {HELLO, HELLO.user("more"), MemoryFault.Missing}


def test_writers_at_the_same_time_lose_nothing_and_keep_what_belongs_together(memory: Memory) -> None:
    writers, rounds = 4, 12
    memory.create("a", HELLO)

    def write(writer: int) -> None:
        for number in range(rounds):
            pair: list[Message.T] = [Message.User(f"{writer} asks {number}"), Message.Assistant(f"{writer} hears {number}")]
            assert memory.add("a", pair) == Success(None)

    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(write, range(writers)))
    said = [message.text for message in memory.read("a").unwrap()[2:]]
    assert len(said) == writers * rounds * 2
    assert [second for first, second in zip(said[::2], said[1::2], strict=True) if second != first.replace("asks", "hears")] == []
    for writer in range(writers):
        own = [line for line in said if line.startswith(f"{writer} asks")]
        assert own == [f"{writer} asks {number}" for number in range(rounds)]


def test_of_many_who_begin_the_same_conversation_one_does(memory: Memory) -> None:
    with ThreadPoolExecutor(4) as pool:
        begun = list(pool.map(lambda number: memory.create("a", [Message.User(str(number))]), range(4)))
    assert sorted(isinstance(result, Success) for result in begun) == [False, False, False, True]
    assert len(memory.read("a").unwrap()) == 1


@given(strategies.histories())
def test_any_conversation_comes_out_as_it_was_put_in(tmp_path_factory: pytest.TempPathFactory, history: History) -> None:
    for make in KINDS.values():
        memory = make(tmp_path_factory.mktemp("memory"))
        memory.create("a", history[:1])
        memory.add("a", history[1:])
        assert memory.read("a") == Success(history)


def test_any_text_is_kept_by_postgresql(postgresql: str) -> None:
    engine = create_engine(postgresql)
    memory = sql_memory(engine)
    odd = History().user("a\0b").assistant("\ud83d lone").user("☀ \u2028 '\" \\")
    memory.create("odd", odd)
    assert memory.read("odd") == Success(odd)
    memory.delete("odd")
    engine.dispose()


def test_two_processes_of_one_file_see_each_other(tmp_path: Path) -> None:
    first, second = sqlite_memory(tmp_path / "memory.db"), sqlite_memory(tmp_path / "memory.db")
    first.create("a", HELLO)
    second.add("a", [Message.User("there")])
    assert first.read("a") == Success(HELLO.user("there"))


def test_a_file_that_is_busy_is_unavailable_and_nothing_is_changed(tmp_path: Path) -> None:
    memory = sqlite_memory(tmp_path / "memory.db", patience=0.05)
    memory.create("a", HELLO)
    with closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        failure = memory.add("a", HELLO).failure()
        other.execute("ROLLBACK")
    assert isinstance(failure, MemoryFault.Unavailable)
    assert "locked" in str(failure)
    assert memory.read("a") == Success(HELLO)


def test_a_table_that_somebody_else_changed_is_no_conversation_that_exists(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'memory.db'}"
    engine = create_engine(url)
    for memory in (sqlite_memory(tmp_path / "memory.db"), sql_memory(engine)):
        memory.create("a", HELLO)
        with engine.begin() as connection:
            connection.execute(text("UPDATE chatadt_conversation SET length = 0"))
        assert isinstance(memory.add("a", HELLO).failure(), MemoryFault.Unavailable)
        assert memory.create("a").failure() == MemoryFault.Exists("a")
        assert memory.read("a") == Success(HELLO)
        memory.delete("a")
    engine.dispose()


SECRET: Final = "my secret"


@pytest.mark.parametrize("broken", ["DROP TABLE chatadt_message", "ALTER TABLE chatadt_message RENAME message TO other"])
def test_what_a_database_says_holds_nothing_of_what_was_said(tmp_path: Path, postgresql: str, broken: str) -> None:
    for url in (f"sqlite:///{tmp_path / 'memory.db'}", postgresql):
        engine = create_engine(url)
        memory = sql_memory(engine)
        memory.create("a")
        with engine.begin() as connection:
            connection.execute(text(broken))
        failure = memory.add("a", [Message.User(SECRET)]).failure()
        with engine.begin() as connection:
            for table in ("chatadt_message", "chatadt_conversation"):
                connection.execute(text(f"DROP TABLE IF EXISTS {table}"))
        engine.dispose()
        assert isinstance(failure, MemoryFault.Unavailable)
        assert SECRET not in failure.why
        assert "chatadt_message" in failure.why
        assert "INSERT" not in failure.why


def test_what_a_database_says_of_a_value_that_it_does_not_take_is_left_out(postgresql: str) -> None:
    engine = create_engine(postgresql)
    memory = sql_memory(engine)
    memory.create("a")
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE chatadt_message ALTER message TYPE integer USING length(message)"))
    failure = memory.add("a", [Message.User(SECRET)]).failure()
    with engine.begin() as connection:
        for table in ("chatadt_message", "chatadt_conversation"):
            connection.execute(text(f"DROP TABLE {table}"))
    engine.dispose()
    assert isinstance(failure, MemoryFault.Unavailable)
    assert SECRET not in failure.why


@pytest.mark.parametrize("stored", ['{"type": "usr"}', "[]", "no json"])
def test_what_is_no_message_in_the_database_is_told(tmp_path: Path, stored: str) -> None:
    memory = sqlite_memory(tmp_path / "memory.db")
    memory.create("a", HELLO)
    with closing(sqlite3.connect(tmp_path / "memory.db")) as other, other:
        other.execute("UPDATE chatadt_message SET message = ? WHERE position = 1", [stored])
    failure = memory.read("a").failure()
    assert isinstance(failure, MemoryFault.Unreadable)
    assert "'a'" in str(failure)


def test_a_memory_in_no_file_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="in_memory"):
        sqlite_memory(":memory:")
