"""A request of generateContent in the field names that the ledger of tests/wire walks: a second pair of eyes, no reader.

It knows the wire and nothing of this library. What it has no other word for stays under its own name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

from tests.wire.evidence import Reported

__all__ = ("DUMMY", "as_chat", "readable")

DUMMY: Final = "skip_thought_signature_validator"
_SNAKE: Final = re.compile(r"_([a-z0-9])")
_VALUES: Final = frozenset(
    {"args", "response", "parameters", "parametersJsonSchema", "responseSchema", "responseJsonSchema", "labels"}
)
_SAMPLING: Final[Mapping[str, str]] = {
    "temperature": "temperature",
    "topP": "top_p",
    "topK": "top_k",
    "maxOutputTokens": "max_tokens",
    "stopSequences": "stop_sequences",
    "seed": "seed",
    "presencePenalty": "presence_penalty",
    "frequencyPenalty": "frequency_penalty",
}
_MODES: Final[Mapping[str, str]] = {"AUTO": "auto", "ANY": "any", "NONE": "none"}


def readable(losses: tuple[Reported, ...]) -> tuple[Reported, ...]:
    """The losses with the address of each file that Google keeps as it is, not as a part of a urn."""
    return tuple(loss._replace(original=_addresses(loss.original)) for loss in losses)


def _addresses(value: Any) -> Any:
    match value:
        case str() if value.startswith("urn:chatadt:google:file:"):
            return unquote(value.removeprefix("urn:chatadt:google:file:"))
        case list():
            return [_addresses(item) for item in value]
        case dict():
            return {key: _addresses(item) for key, item in value.items()}
        case _:
            return value


def as_chat(body: dict[str, Any]) -> dict[str, Any]:
    """The body as the ledger reads it."""
    plain = _camel(body)
    known = {"contents", "systemInstruction", "tools", "generationConfig", "toolConfig"}
    out: dict[str, Any] = {key: value for key, value in plain.items() if key not in known}
    names = dict(_calls(plain["contents"]))
    out["messages"] = [_turn(turn, names) for turn in _listed(plain["contents"])]
    if plain.get("systemInstruction"):
        out["system"] = [_part(part, names) for part in _listed(plain["systemInstruction"].get("parts"))]
    if plain.get("tools"):
        out["tools"] = [tool for entry in _listed(plain["tools"]) for tool in _tools(entry)]
    return {**out, **_config(plain.get("generationConfig") or {}), **_choice(plain.get("toolConfig") or {})}


def _camel(value: Any) -> Any:
    if isinstance(value, list):
        return [_camel(item) for item in value]
    if not isinstance(value, dict):
        return value
    renamed = {_SNAKE.sub(lambda found: found[1].upper(), key): item for key, item in value.items()}
    return {key: item if key in _VALUES else _camel(item) for key, item in renamed.items()}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _calls(contents: Any) -> Iterator[tuple[Any, str]]:
    for turn in _listed(contents):
        for part in _listed(turn.get("parts")):
            if "functionCall" in part:
                call = part["functionCall"]
                yield call.get("id") or call["name"], call["name"]


def _turn(turn: dict[str, Any], names: Mapping[Any, str]) -> dict[str, Any]:
    return {"role": turn.get("role", "user"), "content": [_part(part, names) for part in _listed(turn.get("parts"))]}


def _part(part: dict[str, Any], names: Mapping[Any, str]) -> dict[str, Any]:
    fields = dict(part)
    out: dict[str, Any] = {}
    signature = fields.pop("thoughtSignature", None)
    out |= {"signature": signature} if signature not in (None, DUMMY) else {}
    match fields:
        case {"text": text, "thought": True, **rest}:
            return {"type": "thinking", "thinking": text, **out, **rest}
        case {"text": text, **rest}:
            return {"type": "text", "text": text, **out, **rest}
        case {"inlineData": data, **rest}:
            return {"type": "document", **_inline(data), **out, **rest}
        case {"fileData": {"fileUri": uri, **inner}, **rest}:
            inner.pop("mimeType", None)
            return {"type": "document", "source": {"type": "url", "url": uri}, **inner, **out, **rest}
        case {"functionCall": call, **rest}:
            more = {key: item for key, item in call.items() if key not in ("id", "name", "args")}
            return {
                "type": "tool_use",
                "id": call.get("id"),
                "name": call["name"],
                "input": call.get("args", {}),
                **more,
                **out,
                **rest,
            }
        case {"functionResponse": told, **rest}:
            return {**_result(told, names), **out, **rest}
        case {"thought": True, **rest} if not rest:
            return {"type": "thinking", "thinking": "", **out}
        case _:  # a part of another kind
            return {"type": next(iter(fields), ""), **out, **fields}


def _inline(data: dict[str, Any]) -> dict[str, Any]:
    payload = data["data"].translate(str.maketrans("-_", "+/"))
    named = {"title": data["displayName"]} if "displayName" in data else {}
    return {"source": {"type": "base64", "media_type": data.get("mimeType", ""), "data": payload}, **named}


def _result(told: dict[str, Any], names: Mapping[Any, str]) -> dict[str, Any]:
    response = told.get("response") or {}
    match response:
        case {"output": str(text)} | {"error": str(text)} if len(response) == 1:
            said = [text]
        case {"output": value} | {"error": value} if len(response) == 1 and value is not None:
            said = [json.dumps(value, ensure_ascii=False, separators=(",", ":"))]
        case _:
            said = [json.dumps(response, ensure_ascii=False, separators=(",", ":"))] if response else []
    content = [{"type": "text", "text": text} for text in said] + [_part(part, names) for part in _listed(told.get("parts"))]
    echo = names.get(told.get("id") or told["name"]) == told["name"]
    return {
        "type": "tool_result",
        "tool_use_id": told.get("id"),
        "content": content,
        **({} if echo else {"name": told["name"]}),
        **({"is_error": True} if response.get("error") is not None else {}),
        **{key: item for key, item in told.items() if key not in ("id", "name", "response", "parts")},
    }


def _tools(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for function in _listed(entry.get("functionDeclarations")):
        schema = function.get("parametersJsonSchema", _schema(function.get("parameters")))
        rest = {key: item for key, item in function.items() if key not in ("parameters", "parametersJsonSchema")}
        yield {**rest, **({} if schema is None else {"input_schema": schema})}
    others = {key: item for key, item in entry.items() if key != "functionDeclarations"}
    if others:
        yield others


_KEYWORDS: Final[Mapping[str, str]] = {"any_of": "anyOf", "property_ordering": "propertyOrdering"}


_NUMBERED: Final = {1: "string", 2: "number", 3: "integer", 4: "boolean", 5: "array", 6: "object", 7: "null"}


def _type(item: Any) -> Any:
    match item:
        case str():
            return item.lower()
        case int():
            return _NUMBERED[item]
        case _:  # the schema of a property that is called type
            return _schema(item)


def _schema(value: Any) -> Any:
    """A schema as JSON Schema has it: keywords in camelCase, types in lower case."""
    match value:
        case list():
            return [_schema(item) for item in value]
        case dict():
            named = {_KEYWORDS.get(key, key): item for key, item in value.items()}
            lowered = {key: _type(item) if key == "type" else _schema(item) for key, item in named.items()}
            if lowered.get("nullable") is True and isinstance(lowered.get("type"), str):
                lowered["type"] = [lowered["type"], "null"]
                del lowered["nullable"]
            return lowered
        case _:
            return value


def _config(config: dict[str, Any]) -> dict[str, Any]:
    rest = dict(config)
    out = {_SAMPLING[key]: rest.pop(key) for key in config if key in _SAMPLING}
    schema = rest.pop("responseJsonSchema", None) or _schema(rest.pop("responseSchema", None))
    media = rest.pop("responseMimeType", None)
    if schema is not None:
        out["response_format"] = {"type": "json_schema", "schema": schema}
    elif media is not None:
        out["response_format"] = {"type": {"application/json": "json_object", "text/plain": "text"}.get(media, media)}
    thinking = dict(rest.pop("thinkingConfig", {}))
    tokens = thinking.pop("thinkingBudget", None)
    if tokens is not None:
        kinds: dict[int, dict[str, Any]] = {0: {"type": "disabled"}, -1: {"type": "adaptive"}}
        out["thinking"] = kinds.get(tokens, {"type": "enabled", "budget_tokens": tokens})
    if "thinkingLevel" in thinking:
        out["reasoning_effort"] = thinking.pop("thinkingLevel").lower()
    rest |= {"thinkingConfig": thinking} if thinking else {}
    return {**out, **({"generationConfig": rest} if rest else {})}


def _choice(config: dict[str, Any]) -> dict[str, Any]:
    calling = dict(config.get("functionCallingConfig") or {})
    names = calling.get("allowedFunctionNames")
    out: dict[str, Any] = {key: value for key, value in config.items() if key != "functionCallingConfig"}
    match calling:
        case {"mode": str(mode), "allowedFunctionNames": [str(name)]} if mode.upper() == "ANY":
            out["tool_choice"] = {"type": "tool", "name": name}
        case {"mode": str(mode)} if mode.upper() in _MODES:
            out["tool_choice"] = {"type": _MODES[mode.upper()]}
            out |= {"allowedFunctionNames": names} if names else {}
        case _:
            out |= {"functionCallingConfig": calling} if calling else {}
    return out
