"""Answers that are kept: a cache, and recordings that are replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from returns.result import Failure, Result, Success

from chatadt.chat import ChatRequest, ChatResponse
from chatadt.clients.error import ChatError
from chatadt.clients.function import AsyncChat, Chat
from chatadt.codec import dumps, loads
from chatadt.json import Json

__all__ = ("Store", "async_cached", "async_recorded", "cached", "key_of", "recorded", "replayed")

Store: TypeAlias = MutableMapping[str, bytes]
"""Where answers are kept, by `key_of` their request, as the library's own JSON: a dict, a `shelve`, a directory, …"""


def key_of(request: ChatRequest) -> str:
    """The name under which the answer to a request is kept: equal for equal requests, in whatever process."""
    return sha256(Json.trusted(dumps(request).decode()).canonical.encode("utf-8", "surrogatepass")).hexdigest()


def cached(chat: Chat, store: Store) -> Chat:
    """The chat, which is asked the same only once: answers come from the store, where they are there. Failures are not kept.

    What stands in the store and is no answer is asked anew.
    """

    def caching(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        key = key_of(request)
        if (kept := _kept(store.get(key))) is not None:
            return Success(kept)
        return chat(request).map(_keeping(store, key))

    return caching


def async_cached(chat: AsyncChat, store: Store) -> AsyncChat:
    """The asynchronous twin of `cached`."""

    async def caching(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        key = key_of(request)
        if (kept := _kept(store.get(key))) is not None:
            return Success(kept)
        return (await chat(request)).map(_keeping(store, key))

    return caching


def _kept(stored: bytes | None) -> ChatResponse | None:
    response = None if stored is None else loads(stored).value_or(None)
    return response if isinstance(response, ChatResponse) else None


def _keeping(store: Store, key: str) -> Callable[[ChatResponse], ChatResponse]:
    def keep(response: ChatResponse) -> ChatResponse:
        store[key] = dumps(response)
        return response

    return keep


# --- recordings ----------------------------------------------------------------------------------------------------------------

_LOCK = Lock()


def recorded(chat: Chat, path: Path) -> Chat:
    """The chat, whose answers are added to a file, for `replayed`: two lines for each, the request and the answer, as own JSON."""

    def recording(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        return chat(request).map(lambda response: _record(path, request, response))

    return recording


def async_recorded(chat: AsyncChat, path: Path) -> AsyncChat:
    """The asynchronous twin of `recorded`."""

    async def recording(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        return (await chat(request)).map(lambda response: _record(path, request, response))

    return recording


def _record(path: Path, request: ChatRequest, response: ChatResponse) -> ChatResponse:
    with _LOCK, path.open("ab") as file:
        file.write(dumps(request) + b"\n" + dumps(response) + b"\n")
    return response


def replayed(path: Path) -> Chat:
    """The chat that answers as the recording says; a request that was recorded more than once is answered in the order of the
    recording, and again by the last. Any other is `Unrecorded`. Raises OSError where there is no such file, and ValueError that
    names the line where it is no recording.
    """
    answers: dict[str, list[ChatResponse]] = {}
    for request, response in _pairs(path):
        answers.setdefault(key_of(request), []).append(response)
    lock = Lock()

    def replaying(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        key = key_of(request)
        with lock:
            waiting = answers.get(key)
            if waiting:
                return Success(waiting.pop(0) if len(waiting) > 1 else waiting[0])
        return Failure(ChatError.Unrecorded(f"{path} has no answer to this request (key {key[:12]}…): record it first"))

    return replaying


def _pairs(path: Path) -> Iterator[tuple[ChatRequest, ChatResponse]]:
    lines = path.read_bytes().removesuffix(b"\n").split(b"\n") if path.stat().st_size else []
    for number in range(0, len(lines), 2):
        found = [loads(line).value_or(None) for line in lines[number : number + 2]]
        request, response = found if len(found) == 2 else (None, None)
        if not isinstance(request, ChatRequest) or not isinstance(response, ChatResponse):
            raise ValueError(f"expected a request and its answer at line {number + 1} of {path}, got something else")
        yield request, response
