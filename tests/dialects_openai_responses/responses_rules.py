"""What the Responses endpoint refuses although its types allow it. Public reports of each refusal are named beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming, ResponseCreateParamsStreaming
from pydantic import TypeAdapter
from wire.rules import Complaint, Found, Rule, broken_base64, data_url, lone_surrogates, spelt
from wire.sdk_types import closed, type_errors

__all__ = ("RULES", "openai_responses")

_FUNCTION_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_CALL_ID: Final = re.compile(r"[a-zA-Z0-9_-]{0,63}[a-zA-Z0-9-]")
_IMAGES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
_PREFIXES: Final = {"message": "msg", "reasoning": "rs", "function_call": "fc", "custom_tool_call": "ctc"}
_CALLS: Final = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"}
_NO_ANSWER: Final = frozenset({"user", "system", "developer", *_CALLS.values()})

_WHOLE: Final = {
    True: TypeAdapter[Any](closed(ResponseCreateParamsStreaming)),
    False: TypeAdapter[Any](closed(ResponseCreateParamsNonStreaming)),
}


def openai_responses(body: Any) -> list[Complaint]:
    """The complaints about a request to POST /v1/responses."""
    found = type_errors(_WHOLE[isinstance(body, dict) and body.get("stream") is True], _with_ids(body))
    if found:
        return [Complaint("type", path, what) for path, what in found]
    return [Complaint(name, path, what) for name, rule in RULES.items() for path, what in rule(body)]


def _with_ids(body: Any) -> Any:
    """The types want an id on each message of parts and on each reasoning item; recorded traffic shows both accepted without."""
    match body:
        case {"input": [*items]}:
            return {**body, "input": [_with_id(item) for item in items]}
        case _:  # an input that is a string, or a body that is wrong in another way
            return body


def _with_id(item: Any) -> Any:
    match item:
        case {"type": "message", "role": "assistant", "content": list()} | {"type": "reasoning"} if "id" not in item:
            return {"id": "msg_1", **item}
        case _:  # an item whose id may be left out
            return item


def _items(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    given = body.get("input")
    for at, item in enumerate(given if isinstance(given, list) else ()):
        yield f"$.input[{at}]", item


def _kind(item: dict[str, Any]) -> str:
    role = item.get("role")
    return str(role) if role is not None and item.get("type", "message") == "message" else str(item.get("type"))


def something_asked(body: dict[str, Any]) -> Found:
    """E3."""
    if body.get("input") == [] and not body.get("instructions"):
        yield "$.input", "no item"
    for path, item in _items(body):
        for field in ("content", "output"):
            if item.get(field) == [] and item.get("type") != "reasoning":
                yield f"{path}.{field}", "an empty list of parts"


def pairing(body: dict[str, Any]) -> Found:
    """P1, P2: each call has one output behind it, each output a call before it (NousResearch/hermes-agent#102629)."""
    calls: dict[str, str] = {}
    answered: set[str] = set()
    for path, item in _items(body):
        kind = _kind(item)
        if kind in _CALLS:
            if item["call_id"] in calls:
                yield path, f"call {item['call_id']!r} stands twice in the input"
            calls[item["call_id"]] = kind
        elif kind in _CALLS.values():
            id_ = item.get("call_id")
            if id_ in answered:
                yield path, f"a second output for call {id_!r}"
            if _CALLS.get(calls.get(id_, "")) != kind:
                yield path, f"an output for {id_!r}, which no such call before it has"
            answered.add(id_)
    for id_ in calls.keys() - answered:
        yield "$.input", f"no output for call {id_!r}"


def assistant_parts(body: dict[str, Any]) -> Found:
    """An assistant says output_text and refusal, which the types leave open (tinyhumansai/openhuman#3624)."""
    for path, item in _items(body):
        parts = item.get("content") if _kind(item) == "assistant" else None
        for at, part in enumerate(parts if isinstance(parts, list) else ()):
            if part["type"] not in {"output_text", "refusal"}:
                yield f"{path}.content[{at}].type", f"a part of type {part['type']!r} in an assistant's message"


def call_ids(body: dict[str, Any]) -> Found:
    """I5: 64 letters, digits, _ and -, no _ at the end (dyad-sh/dyad#4304, earendil-works/pi#977)."""
    for path, item in _items(body):
        if _kind(item) in _CALLS:
            yield from spelt(_CALL_ID, f"{path}.call_id", "call id", item["call_id"])


def item_ids(body: dict[str, Any]) -> Found:
    """I6: an id says what it is of (oracle/wayflow#100, langchain-ai/langchainjs#11044)."""
    for path, item in _items(body):
        kind = "message" if _kind(item) == "assistant" else _kind(item)
        if kind in _PREFIXES and "id" in item and not str(item["id"]).startswith(_PREFIXES[kind]):
            yield f"{path}.id", f"id {item['id']!r} of a {kind}, wanted {_PREFIXES[kind]}…"


def names(body: dict[str, Any]) -> Found:
    """N1: names of functions, those in history too (mcp-use/mcp-use#90)."""
    for path, item in _items(body):
        if _kind(item) in _CALLS:
            yield from spelt(_FUNCTION_NAME, f"{path}.name", "tool name", item["name"])
    for at, tool in enumerate(body.get("tools") or ()):
        if tool["type"] in {"function", "custom"}:
            yield from spelt(_FUNCTION_NAME, f"$.tools[{at}].name", "tool name", tool["name"])
    match body.get("tool_choice"):
        case {"type": "function", "name": str(name)}:
            yield from spelt(_FUNCTION_NAME, "$.tool_choice", "tool name", name)
        case _:  # another kind of choice names no function
            return


def thoughts(body: dict[str, Any]) -> Found:
    """T4: reasoning is of this provider and stands before what it led to (vercel/ai#7099, openai/openai-node#1567)."""
    items = list(_items(body))
    for at, (path, item) in enumerate(items):
        if _kind(item) == "reasoning":
            if not (item.get("id") or item.get("encrypted_content")):
                yield path, "reasoning that nobody signed"
            if at + 1 == len(items) or _kind(items[at + 1][1]) in _NO_ANSWER:
                yield path, "reasoning without the item that it led to"


def images(body: dict[str, Any]) -> Found:
    """M1, M2: an http(s) URL, a data URL of png, jpeg, webp or gif, or a file of the provider's."""
    for path, part in _parts(body, "input_image"):
        url = part.get("image_url")
        if (url is None) == (part.get("file_id") is None):
            yield path, "an image that is not exactly one of image_url and file_id"
        elif url is not None and (content := data_url(url)) is not None:
            if content[0] not in _IMAGES:
                yield path, f"an image of type {content[0]!r}, wanted one of {', '.join(sorted(_IMAGES))}"
            yield from broken_base64(path, content[1])
        elif url is not None and not url.startswith(("http://", "https://")):
            yield path, f"an image at {url[:40]!r}, wanted an http(s) or a data URL"


def files(body: dict[str, Any]) -> Found:
    """M4: one of file_data with a name, file_url, file_id (0xPlaygrounds/rig#1429, laravel/ai#321)."""
    for path, part in _parts(body, "input_file"):
        given = [key for key in ("file_data", "file_url", "file_id") if part.get(key) is not None]
        if len(given) != 1:
            yield path, f"a file with {' and '.join(given) or 'nothing'}, wanted one of file_data, file_url, file_id"
        elif given == ["file_data"]:
            content = data_url(part["file_data"])
            yield from broken_base64(path, content[1]) if content else [(path, "file_data that is no base64 data URL")]
            if not part.get("filename"):
                yield path, "file_data without a filename"
        elif part.get("filename"):
            yield path, f"{given[0]} and filename exclude each other"


def tool_options(body: dict[str, Any]) -> Found:
    """A choice of a tool without tools."""
    if body.get("tool_choice") not in (None, "auto", "none") and not body.get("tools"):
        yield "$.tool_choice", "tool_choice without tools"


def limits(body: dict[str, Any]) -> Found:
    """An answer has at least 16 tokens (vectorize-io/hindsight#58)."""
    if isinstance(most := body.get("max_output_tokens"), int) and most < 16:
        yield "$.max_output_tokens", f"{most} tokens, at least 16"


RULES: Final[Mapping[str, Rule]] = {
    "something asked": something_asked,
    "pairing": pairing,
    "assistant parts": assistant_parts,
    "call ids": call_ids,
    "item ids": item_ids,
    "tool names": names,
    "thoughts": thoughts,
    "images": images,
    "files": files,
    "tool options": tool_options,
    "limits": limits,
    "no lone surrogates": lone_surrogates,
}


def _parts(body: dict[str, Any], kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in _items(body):
        for field in ("content", "output"):
            parts = item.get(field)
            for index, part in enumerate(parts if isinstance(parts, list) else ()):
                if part["type"] == kind:
                    yield f"{path}.{field}[{index}]", part
