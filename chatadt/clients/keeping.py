"""Answers that are kept: a cache, and recordings that are replayed."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from enum import Enum
from hashlib import sha256
from os import SEEK_END
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeAlias, cast

from attrs import fields, has
from returns.result import Failure, Result, Success

from chatadt._cut import BROKE_OFF
from chatadt.chat import ChatRequest, ChatResponse
from chatadt.clients.error import ChatError
from chatadt.clients.function import AsyncChat, Chat
from chatadt.codec import dumps, loads
from chatadt.json import Json, parse

__all__ = ("Store", "async_cached", "async_recorded", "cached", "key_of", "recorded", "replayed")

Store: TypeAlias = MutableMapping[str, bytes]
"""Where answers are kept, by `key_of` their request, as the library's own JSON: a dict, a `shelve`, a directory, …"""

_Answer: TypeAlias = Result[ChatResponse, ChatError.T]


def key_of(request: ChatRequest) -> str:
    """The name under which the answer to a request is kept: equal for equal requests, in whatever process."""
    return sha256(Json.of(_plain(request)).canonical.encode("utf-8", "surrogatepass")).hexdigest()


def _plain(word: object) -> object:
    """A word as plain data that are equal where the words are: documents in one spelling, whole numbers as integers."""
    if isinstance(word, Json):
        return word.canonical
    if isinstance(word, Enum):
        return word.value
    if isinstance(word, float) and word.is_integer():
        return int(word)
    if isinstance(word, tuple):
        return [_plain(item) for item in cast("tuple[object, ...]", word)]
    if has(type(word)):
        return [type(word).__qualname__, {each.name: _plain(getattr(word, each.name)) for each in fields(cast("Any", type(word)))}]
    return word  # None, true and false, a text, another number


# --- a cache -------------------------------------------------------------------------------------------------------------------


def cached(chat: Chat, store: Store) -> Chat:
    """The chat, which is asked the same only once: answers come from the store, where they are there.

    Who asks the same while somebody waits for the answer gets that one too. Failures are not kept, nor answers that broke off
    (`StopKind.ERROR`, `CANCELLED` and `INTERRUPTED`). What stands in the store and is no answer is asked anew.
    """
    waiting: dict[str, concurrent.futures.Future[_Answer]] = {}
    lock = Lock()

    def caching(request: ChatRequest) -> _Answer:
        key = key_of(request)
        while True:
            mine: concurrent.futures.Future[_Answer] = concurrent.futures.Future()
            with lock:
                asked = waiting.setdefault(key, mine)
            if asked is mine:
                break
            with suppress(concurrent.futures.CancelledError):
                return asked.result()
        try:
            kept = _kept(store, key)
            answer = _keeping(store, key, chat(request)) if kept is None else Success(kept)
            mine.set_result(answer)
            return answer
        finally:
            del waiting[key]
            mine.cancel()  # where the chat or the store raised, the next of those who wait asks

    return caching


def async_cached(chat: AsyncChat, store: Store) -> AsyncChat:
    """The asynchronous twin of `cached`, for the tasks of one event loop."""
    waiting: dict[tuple[asyncio.AbstractEventLoop, str], asyncio.Future[_Answer]] = {}

    async def caching(request: ChatRequest) -> _Answer:
        loop = asyncio.get_running_loop()
        key = key_of(request)
        while (asked := waiting.get((loop, key))) is not None:
            await asyncio.wait([asked])
            if not asked.cancelled():
                return asked.result()
        mine = waiting[loop, key] = loop.create_future()
        try:
            kept = _kept(store, key)
            answer = _keeping(store, key, await chat(request)) if kept is None else Success(kept)
            mine.set_result(answer)
            return answer
        finally:
            del waiting[loop, key]
            mine.cancel()  # where the chat raised or its task was cancelled, the next of those who wait asks

    return caching


def _is_whole(response: ChatResponse) -> bool:
    stop = response.metadata.stop
    return response.metadata.error is None and (stop is None or stop.kind not in BROKE_OFF)


def _kept(store: Store, key: str) -> ChatResponse | None:
    stored = store.get(key)
    response = None if stored is None else loads(stored).value_or(None)
    return response if isinstance(response, ChatResponse) and _is_whole(response) else None


def _keeping(store: Store, key: str, answer: _Answer) -> _Answer:
    response = answer.value_or(None)
    if response is not None and _is_whole(response):
        store[key] = dumps(response)
    return answer


# --- recordings ----------------------------------------------------------------------------------------------------------------

_LOCK = Lock()


def recorded(chat: Chat, path: Path) -> Chat:
    """The chat, whose answers are added to a file, for `replayed`: two lines for each, the request and the answer, as own JSON."""

    def recording(request: ChatRequest) -> _Answer:
        return chat(request).map(lambda response: _record(path, request, response))

    return recording


def async_recorded(chat: AsyncChat, path: Path) -> AsyncChat:
    """The asynchronous twin of `recorded`."""

    async def recording(request: ChatRequest) -> _Answer:
        return (await chat(request)).map(lambda response: _record(path, request, response))

    return recording


def _record(path: Path, request: ChatRequest, response: ChatResponse) -> ChatResponse:
    lines = dumps(request) + b"\n" + dumps(response) + b"\n"
    with _LOCK, path.open("a+b") as file:
        is_cut_off = file.seek(0, SEEK_END) > 0 and file.seek(-1, SEEK_END) >= 0 and file.read(1) != b"\n"
        file.write(b"\n" + lines if is_cut_off else lines)  # what a process left that died while it wrote takes no line with it
    return response


def replayed(path: Path) -> Chat:
    """The chat that answers as the recording says; a request that was recorded more than once is answered in the order of the
    recording, and again by the last. Any other is `Unrecorded`, and so is one whose recording broke off because its process died.
    Raises OSError where there is no such file, and ValueError that names the line where it is no recording.
    """
    answers: dict[str, list[ChatResponse]] = {}
    for request, response in _pairs(path):
        answers.setdefault(key_of(request), []).append(response)
    lock = Lock()

    def replaying(request: ChatRequest) -> _Answer:
        key = key_of(request)
        with lock:
            waiting = answers.get(key)
            if waiting:
                return Success(waiting.pop(0) if len(waiting) > 1 else waiting[0])
        return Failure(ChatError.Unrecorded(f"{path} has no answer to this request (key {key[:12]}…): record it first"))

    return replaying


def _pairs(path: Path) -> Iterator[tuple[ChatRequest, ChatResponse]]:
    """The requests of a recording with their answers, without those that broke off."""
    request: ChatRequest | None = None
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        said = loads(line).value_or(None)
        if isinstance(said, ChatRequest):
            request = said
        elif isinstance(said, ChatResponse) and request is not None:
            yield request, said
            request = None
        elif _is_cut_off(line):
            request = None
        else:
            expected = "a request" if request is None else "its answer"
            raise ValueError(f"expected {expected} at line {number} of {path}, got something else")


def _is_cut_off(line: bytes) -> bool:
    """Whether a line is the beginning of own JSON, or nothing at all."""
    if not line.startswith(_ENVELOPE[: len(line)]):
        return False
    try:
        parse(line)
    except ValueError:
        return True
    return False


_ENVELOPE: Final = b'{"chatadt":'
