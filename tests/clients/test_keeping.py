"""A cache and recordings: what is kept of answers, under which name, and what of them comes back."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import Any, Final

import pytest
from attrs import evolve
from hypothesis import given
from returns.result import Failure, Success

from chatadt import (
    ChatRequest,
    ChatResponse,
    Content,
    History,
    Message,
    Metadata,
    ModelParams,
    ProviderError,
    StopKind,
    StopReason,
    dumps,
    strategies,
)
from chatadt.clients import (
    AsyncChat,
    ChatError,
    async_cached,
    async_recorded,
    cached,
    echo,
    in_thread,
    key_of,
    recorded,
    replayed,
    scripted,
)

from .test_combinators import BROKEN, REQUEST, counted, later, text


def test_the_same_is_asked_only_once_and_failures_are_asked_again() -> None:
    store: dict[str, bytes] = {}
    chat, seen = counted(scripted(BROKEN, "Hello.", "Another."))
    caching = cached(chat, store)
    assert caching(REQUEST) == Failure(BROKEN)
    assert caching(REQUEST) == caching(REQUEST)
    assert text(caching(REQUEST)) == "Hello."
    assert len(seen) == 2
    assert text(caching(evolve(REQUEST, params=ModelParams(model="other")))) == "Another."


def test_what_is_no_answer_in_the_store_is_asked_anew() -> None:
    store = {key_of(REQUEST): b"broken"}
    assert text(cached(scripted("Hello."), store)(REQUEST)) == "Hello."
    assert text(later(async_cached(in_thread(scripted()), store))) == "Hello."


@given(strategies.chat_requests())
def test_the_key_of_a_request_is_that_of_its_equals(request: ChatRequest) -> None:
    assert key_of(evolve(request)) == key_of(request)
    assert key_of(ChatRequest((*request.messages, Message.User("more")), request.params)) != key_of(request)


def answers(t: Any) -> ChatRequest:
    return ChatRequest(History().user("q").assistant([Content.ToolRequest("1", "f", t)]).result("1", "f", "ok"))


EQUALS: Final[list[tuple[ChatRequest, ChatRequest]]] = [
    *[
        (ChatRequest(REQUEST.messages, ModelParams(temperature=one)), ChatRequest(REQUEST.messages, ModelParams(temperature=other)))
        for one, other in ((1, 1.0), (0.0, -0.0), (0, -0.0), (2**60, float(2**60)))
    ],
    *[
        (answers(one), answers(other))
        for one, other in (
            ('{"a":1,"b":2}', '{ "b":2,"a":1}'),
            ('{"a":1.0}', '{"a":1.00}'),
            ('{"a":10e-1}', '{"a":1.0}'),
            ('{"a":0}', '{"a":-0}'),
            ('{"a":"\\u0041"}', '{"a":"A"}'),
            ('{"a":1,"a":2}', '{"a":2}'),
        )
    ],
]


@pytest.mark.parametrize(("one", "other"), EQUALS)
def test_equal_requests_have_one_key_however_they_are_spelt(tmp_path: Path, one: ChatRequest, other: ChatRequest) -> None:
    assert one == other
    assert key_of(one) == key_of(other)
    recorded(scripted("x"), tmp_path / "answers.jsonl")(one)
    assert text(replayed(tmp_path / "answers.jsonl")(other)) == "x"


def test_requests_that_differ_in_what_they_say_have_keys_of_their_own() -> None:
    said = [answers(each) for each in ('{"a":1}', '{"a":1.0}', '{"a":true}', '{"a":"1"}', '{"a":null}', "{}", '{"a":', "[]")]
    flags = [evolve(REQUEST, params=ModelParams(stream=flag)) for flag in (None, True, False)]
    names = [ChatRequest([case("a")]) for case in (Message.User, Message.System, Message.Assistant)]
    requests = [*said, *flags, *names, REQUEST]
    assert len(set(map(key_of, requests))) == len(requests)


BROKEN_OFF: Final = [
    Metadata(stop=StopReason(StopKind.INTERRUPTED), error=ProviderError("net")),
    Metadata(error=ProviderError("net")),
    *[Metadata(stop=StopReason(kind)) for kind in (StopKind.INTERRUPTED, StopKind.ERROR, StopKind.CANCELLED)],
]


@pytest.mark.parametrize("metadata", BROKEN_OFF)
def test_an_answer_that_broke_off_is_not_kept(metadata: Metadata) -> None:
    broken = ChatResponse(Message.Assistant("Hel"), metadata)
    store: dict[str, bytes] = {}
    caching = cached(scripted(broken, "Hello."), store)
    assert [text(caching(REQUEST)) for _ in range(3)] == ["Hel", "Hello.", "Hello."]
    later_store = {key_of(REQUEST): dumps(broken)}
    assert text(later(async_cached(in_thread(scripted("Hello.")), later_store))) == "Hello."
    assert text(cached(scripted(), later_store)(REQUEST)) == "Hello."


@given(strategies.chat_responses())
def test_whatever_was_answered_is_kept_as_it_was(response: ChatResponse) -> None:
    whole = evolve(response, metadata=evolve(response.metadata, stop=StopReason(StopKind.LENGTH), error=None))
    store: dict[str, bytes] = {}
    cached(scripted(whole), store)(REQUEST)
    assert cached(scripted(), store)(REQUEST) == Success(whole)


def test_who_asks_the_same_at_the_same_time_gets_the_same_answer() -> None:
    async def ten(chat: AsyncChat) -> list[str]:
        return [
            answer.map(lambda found: found.message.text).value_or("-")
            for answer in await asyncio.gather(*[chat(REQUEST) for _ in range(10)])
        ]

    chat, seen = counted(scripted("Hello.", BROKEN, "Again."))
    caching = async_cached(in_thread(chat), {})
    assert [asyncio.run(ten(caching)) for _ in range(2)] == [["Hello."] * 10] * 2
    failing = async_cached(in_thread(chat), {})
    assert [asyncio.run(ten(failing)) for _ in range(2)] == [["-"] * 10, ["Again."] * 10]
    assert len(seen) == 3

    began = Barrier(4)
    slow, asked = counted(lambda request: (time.sleep(0.2), scripted("Hello.")(request))[1])
    threaded = cached(slow, {})

    def ask(number: int) -> str:
        began.wait()
        return text(threaded(REQUEST))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == ["Hello."] * 4
    assert len(asked) == 1


def test_who_waits_for_an_answer_asks_itself_where_the_one_who_asked_is_gone() -> None:
    asked: list[int] = []

    async def chat(request: ChatRequest) -> Any:
        asked.append(len(asked))
        if len(asked) == 2:
            raise RuntimeError("a mistake")
        await asyncio.sleep(10 if len(asked) == 1 else 0)
        return scripted("Hello.")(request)

    async def run() -> list[Any]:
        caching = async_cached(chat, {})
        first, *others = [asyncio.ensure_future(caching(REQUEST)) for _ in range(4)]
        await asyncio.sleep(0)
        first.cancel()
        return await asyncio.gather(first, *others, return_exceptions=True)

    gone, wrong, *fine = asyncio.run(run())
    assert isinstance(gone, asyncio.CancelledError)
    assert isinstance(wrong, RuntimeError)
    assert [text(each) for each in fine] == ["Hello."] * 2
    assert len(asked) == 3


def test_a_record_that_broke_off_takes_nothing_with_it(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    other = evolve(REQUEST, messages=[Message.User("ä" * 9)])
    recorded(scripted("One."), path)(REQUEST)
    whole = path.read_bytes()
    recorded(scripted("Two."), path)(other)
    broken = path.read_bytes()[len(whole) :]
    for length in range(len(broken)):
        path.write_bytes(whole + broken[:length])
        assert text(replayed(path)(REQUEST)) == "One."
        recorded(scripted("Three."), path)(evolve(REQUEST, messages=[Message.User("three")]))
        replaying = replayed(path)
        assert text(replaying(REQUEST)) == "One."
        assert text(replaying(evolve(REQUEST, messages=[Message.User("three")]))) == "Three."
        is_whole = length == len(broken) - 1
        assert isinstance(replaying(other), Success) is is_whole


@pytest.mark.parametrize(
    ("lines", "line"),
    [(b"{}", 1), (b"no json", 1), (b'{"a": 1', 1), (dumps(ChatResponse(Message.Assistant("a"))), 1), (b"\n[]", 2)],
)
def test_a_file_that_is_no_recording_is_told_with_the_line(tmp_path: Path, lines: bytes, line: int) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(lines)
    with pytest.raises(ValueError, match=f"line {line} of"):
        replayed(path)


def test_a_recording_is_replayed_in_order(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    recording = recorded(scripted("One.", BROKEN, "Two."), path)
    assert [recording(REQUEST).map(lambda answer: answer.message.text).value_or("-") for _ in range(3)] == ["One.", "-", "Two."]
    assert text(later(async_recorded(in_thread(echo()), path), evolve(REQUEST, messages=[Message.User("echo")]))) == "echo"
    replaying = replayed(path)
    assert [text(replaying(REQUEST)) for _ in range(3)] == ["One.", "Two.", "Two."]
    assert text(replaying(evolve(REQUEST, messages=[Message.User("echo")]))) == "echo"


def test_what_was_not_recorded_is_said_to_be_so(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b"")
    assert isinstance(replayed(path)(REQUEST).failure(), ChatError.Unrecorded)
    path.write_bytes(b"{}\n")
    with pytest.raises(ValueError, match="line 1"):
        replayed(path)


class _Full(dict[str, bytes]):
    """A store that takes nothing the first time."""

    def __init__(self) -> None:
        super().__init__()
        self.refusals = 1

    def __setitem__(self, key: str, value: bytes) -> None:
        if self.refusals:
            self.refusals -= 1
            raise OSError("no space left")
        super().__setitem__(key, value)


@pytest.mark.parametrize("is_store", [False, True], ids=["the chat raises", "the store raises"])
def test_where_the_asker_raises_the_others_who_wait_ask_again(is_store: bool) -> None:
    begun = Event()
    asked: list[int] = []

    def chat(request: ChatRequest) -> Any:
        asked.append(len(asked))
        if len(asked) == 1:
            begun.set()
            time.sleep(0.2)
            if not is_store:
                raise OSError("no network")
        return scripted("well")(request)

    caching = cached(chat, _Full() if is_store else {})
    request = ChatRequest([Message.User("hi")], ModelParams(model="m"))
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(caching, request)
        begun.wait(5)
        others = [pool.submit(caching, request) for _ in range(2)]
        assert isinstance(first.exception(5), OSError)
        assert [other.result(5).unwrap().message.text for other in others] == ["well", "well"]
    assert len(asked) == 2
