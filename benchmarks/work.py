"""The pieces of work that are timed, bytes in and bytes out, and a proof that each one does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import cast

import orjson

from chatadt import DIALECTS, ChatRequest, convert, dumps, loads

__all__ = ("across", "converting", "missing", "own_json", "own_to", "parse_and_write")

Work = Callable[[bytes], bytes]


def parse_and_write(line: bytes) -> bytes:
    """The floor: what any program must do that reads JSON and writes JSON."""
    return orjson.dumps(orjson.loads(line))


def across(source: str, target: str) -> Work:
    """Bytes of one dialect to the ADT to bytes of another: a reader and a writer, no rules checked."""
    read, encode = DIALECTS[source].read_request, DIALECTS[target].encode_request

    def work(line: bytes) -> bytes:
        return encode(read(orjson.loads(line)).unwrap()).value

    return work


def converting(source: str, target: str) -> Work:
    """The same through `chatadt.convert`, which checks the target's rules and the policy too."""

    def work(line: bytes) -> bytes:
        return orjson.dumps(convert(orjson.loads(line), source, target).unwrap().value)

    return work


def own_json(line: bytes) -> bytes:
    """chatadt's own JSON to the ADT and back."""
    return dumps(loads(line).unwrap())


def own_to(target: str) -> Work:
    """chatadt's own JSON to the ADT to bytes of a dialect: for peers that begin at a format of their own."""
    encode = DIALECTS[target].encode_request

    def work(line: bytes) -> bytes:
        return encode(cast("ChatRequest", loads(line).unwrap())).value

    return work


def missing(lines: Sequence[bytes], answers: Sequence[bytes]) -> tuple[str, ...]:
    """What the OpenAI bodies say (texts, images, names, ids and values of tool calls) and the answers do not, if anything.

    White space at the ends of a text does not count.
    """
    return tuple(
        f"line {number}: {said[:60]!r}"
        for number, (line, answer) in enumerate(zip(lines, answers, strict=True), 1)
        for said in _said(orjson.loads(line)) - {text.strip() for text in _strings(orjson.loads(answer))}
    )


def _said(body: dict[str, object]) -> set[str]:
    return {_payload(text).strip() for message in body["messages"] for text in _words(message)}  # type: ignore[attr-defined]


def _words(message: dict[str, object]) -> Iterator[str]:
    for key, value in message.items():
        match key:
            case "tool_calls":
                for call in value:  # type: ignore[attr-defined]
                    yield call["id"]
                    yield call["function"]["name"]
                    yield from _strings(orjson.loads(call["function"]["arguments"]))
            case "content":
                for part in value if isinstance(value, list) else [value]:
                    match part:
                        case str() as text if text:
                            yield text
                        case {"text": str() as text} | {"image_url": {"url": str() as text}}:
                            yield text
                        case _:
                            pass
            case _:
                pass


def _parsed(text: str) -> object:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _payload(text: str) -> str:
    return text.partition(";base64,")[2] if text.startswith("data:") else text


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield _payload(value)
            if value.startswith("{"):  # arguments that stand as text
                yield from _strings(_parsed(value))
        case list():
            for item in value:
                yield from _strings(item)
        case dict():
            for item in value.values():
                yield from _strings(item)
        case _:
            pass
