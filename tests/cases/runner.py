"""The cases, which of them can run now, and running one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, final

from attrs import asdict, frozen
from returns.result import Failure, Success

from chatadt import DIALECTS, Arguments, ChatResponse, Content, convert, fold
from chatadt.result import closed

__all__ = ("ABILITIES", "NOT_YET", "Case", "cases", "existing", "needs", "run")

_CASES: Final = Path(__file__).with_name("cases.jsonl")

NOT_YET: Final[Mapping[str, str]] = {
    **dict.fromkeys(("hf_chat", "mcp", "otel", "a2a", "langchain", "vercel_ui", "sharegpt", "alpaca"), "frameworks and data sets"),
}
"""Dialects and kinds that the library does not have yet; an entry must go when it has."""

ABILITIES: Final[Mapping[str, str]] = {
    "request": "read_request",
    "stream": "read_stream",
    "response": "read_response",
    "usage": "read_response",
    "stop": "read_response",
}
"""What a dialect must have for a kind."""

_FRAGMENT: Final[Mapping[str, tuple[str, ...]]] = {
    "openai_responses": ("input",),
    "anthropic": ("system", "messages"),
    "gemini": ("systemInstruction", "contents"),
    "bedrock": ("system", "messages", "toolConfig"),
}
"""Which fields of a request a case's input and output stand for, where these are not the messages."""

_OPTIONS: Final[Mapping[str, str]] = {
    "repair": "repair",
    "target_model": "model",
    "inline_system": "inline_system",
    "model_supports_prefill": "prefill",
    "thinking": "thinking",
    "store": "store",
    "strip_item_ids": "strip_item_ids",
    "mistral_strict_order": "strict_order",
}
_IGNORED: Final[Mapping[str, str]] = {
    "now": "the library has no clock: whether an id has expired is for the caller to know",
    "tools": "that the caller hands over no tools shows in the input",
}


@final
@frozen
class Case:
    """One hard conversion: what goes in, and what is expected."""

    id: str
    source: str
    target: str
    input: Any
    expected: Mapping[str, Any]
    options: Mapping[str, Any]
    why: str


@cache
def cases() -> tuple[Case, ...]:
    """Every case of the file, in its order."""
    with _CASES.open(encoding="utf-8", newline="\n") as file:
        return tuple(_case(json.loads(line)) for line in file)


def needs(case: Case) -> set[str]:
    """The dialects that a case takes, and which of them with what beside requests; `neutral` is our own words and no dialect."""
    sides = [side.partition(":") for side in (case.source, case.target)]
    kinds = {f"{name}:{_whole(kind)}" for name, _, kind in sides if kind and name != "neutral"}
    return ({name for name, _, _ in sides} - {"neutral"}) | kinds


def _whole(kind: str) -> str:
    """The kind of body of which something is a part."""
    return "response" if kind in ("usage", "stop") else kind


def existing() -> set[str]:
    """The dialects that the library has, and which of them with what beside requests."""
    return {
        *DIALECTS,
        *(
            f"{name}:{kind}"
            for name, dialect in DIALECTS.items()
            for kind, ability in ABILITIES.items()
            if getattr(dialect, ability, None) is not None
        ),
    }


def run(case: Case) -> tuple[Any, object | None]:
    """The part of the result that a case speaks of, or the error; ValueError for an option that has no parameter yet."""
    if ":" in case.source:
        return _run_answer(case)
    match closed(convert(case.input, case.source, case.target, **_parameters(case))):
        case Success(converted):
            fields = _FRAGMENT.get(case.target, ("messages",))
            return {field: converted.value[field] for field in fields if field in converted.value}, None
        case Failure(error):
            return None, error


def _run_answer(case: Case) -> tuple[Any, object | None]:
    """Of an answer, a case tells only the part that matters; what every answer has is put beside it."""
    (name, _, _), (target, _, part) = case.source.partition(":"), case.target.partition(":")
    if "events" in case.input:
        response = fold(DIALECTS[name].read_stream(case.input["events"]))
    else:
        response = DIALECTS[name].read_response({**_EMPTY[name], **case.input}).unwrap()
    written = neutral(response) if target == "neutral" else DIALECTS[target].write_response(response).value
    return (written[part] if part else written), None


_EMPTY: Final[Mapping[str, Mapping[str, Any]]] = {
    "openai_chat": {"choices": []},
    "xai": {"choices": []},
    "anthropic": {"content": []},
    "openai_responses": {"output": []},
    "gemini": {},
    "bedrock": {"output": {"message": {"role": "assistant", "content": []}}},
}


def neutral(response: ChatResponse) -> dict[str, Any]:
    """An answer in the words of the cases."""
    metadata = response.metadata
    usage = (
        {}
        if metadata.usage is None
        else asdict(metadata.usage, filter=lambda field, count: field.name != "extras" and count is not None)
    )
    return {
        "message": {"role": "assistant", "contents": [_content(content) for content in response.message.contents]},
        "stop": None if metadata.stop is None else metadata.stop.kind.value,
        "usage": usage,
    }


def _content(content: Content.Output) -> dict[str, Any]:
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(content).__name__).lower()
    match content:
        case Content.Text() | Content.Refusal():
            return {"kind": kind, "text": content.text}
        case Content.Reasoning():
            encrypted = content.extras.of("openai_responses").get("item", {}).get("encrypted_content")
            beside = {} if encrypted is None else {"encrypted": encrypted}
            return {"kind": kind, "text": content.text, **content.extras.of("anthropic"), **beside}
        case Content.ToolRequest(arguments=Arguments.Parsed(json=document)):
            return {"kind": kind, "id": content.id, "name": content.name, "arguments": document.text}
        case Content.ToolRequest(arguments=Arguments.Malformed(text=text)):
            return {"kind": kind, "id": content.id, "name": content.name, "malformed": text}
        case other:
            raise ValueError(f"no case speaks of {other!r}")


def _parameters(case: Case) -> dict[str, Any]:
    unknown = case.options.keys() - _OPTIONS.keys() - _IGNORED.keys()
    if unknown:
        raise ValueError(f"case {case.id} sets {sorted(unknown)}: say in _OPTIONS which parameter of convert that is")
    return {_OPTIONS[name]: value for name, value in case.options.items() if name in _OPTIONS}


def _case(row: dict[str, Any]) -> Case:
    return Case(row["id"], row["from"], row["to"], row["input"], row["expect"], row.get("opts") or {}, row["why"])
