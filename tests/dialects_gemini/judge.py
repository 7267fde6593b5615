"""What Gemini's server would refuse of a whole request: the official SDK's types, strictly, and the rules that no type tells.

It knows the wire and nothing of this library. Its blind spot: the SDK takes both spellings of a name, so a rule asks for camelCase.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from google.genai import types
from pydantic import BaseModel, ValidationError

from tests.wire.rules import Complaint, Found, broken_base64, lone_surrogates
from tests.wire.values import place, subtrees

__all__ = ("complaints",)

_FIELDS: Final[Mapping[str, tuple[type[BaseModel], bool]]] = {
    "contents": (types.Content, True),
    "systemInstruction": (types.Content, False),
    "tools": (types.Tool, True),
    "toolConfig": (types.ToolConfig, False),
    "generationConfig": (types.GenerationConfig, False),
    "safetySettings": (types.SafetySetting, True),
}
"""The fields of a request, their types, and which of them are lists."""

_DATA: Final = frozenset(
    {"text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult"}
)
_NAME: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}")
_OWN_JSON: Final = ("args", "response", "parametersJsonSchema", "responseJsonSchema", "parameters", "responseSchema")
_INLINE: Final = re.compile(r"image/(png|jpeg|webp|heic|heif)|audio/.+|video/.+|application/pdf|text/.+")


def complaints(body: Any) -> list[Complaint]:
    """The complaints about a request to generateContent."""
    return [*_types(body)] or [Complaint(name, path, what) for name, rule in RULES.items() for path, what in rule(body)]


def _types(body: Any) -> Iterator[Complaint]:
    for field, value in body.items():
        if field not in _FIELDS:
            yield Complaint("type", f"$.{field}", "no such field")
            continue
        model, is_list = _FIELDS[field]
        for at, item in enumerate(value if is_list else [value]):
            yield from _typed(model, item, f"$.{field}[{at}]" if is_list else f"$.{field}")


def _typed(model: type[BaseModel], value: Any, path: str) -> Iterator[Complaint]:
    try:
        model.model_validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        for each in error.errors(include_url=False, include_context=False)[:2]:
            yield Complaint("type", path + "".join(f".{step}" for step in each["loc"]), each["msg"])


def _turns(body: dict[str, Any]) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    for at, content in enumerate(body["contents"]):
        yield f"$.contents[{at}]", content["role"], content["parts"]


def _parts(body: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, role, parts in _turns(body):
        yield from ((f"{path}.parts[{at}]", role, part) for at, part in enumerate(parts))


def turns(body: dict[str, Any]) -> Found:
    """R1, R3, E3: roles are user and model, the user begins, nothing is empty."""
    if not body["contents"]:
        yield "$.contents", "no content"
    for path, role, parts in _turns(body):
        if role not in {"user", "model"}:
            yield path, f"role {role}"
        if not parts:
            yield path, "no parts"
    if body["contents"] and body["contents"][0]["role"] != "user":
        yield "$.contents[0]", "the first content is not the user's"


def one_data(body: dict[str, Any]) -> Found:
    """A part is one thing, and text is not empty (router-for-me/CLIProxyAPI#1292)."""
    for path, _, part in _parts(body):
        if len(_DATA & part.keys()) != 1:
            yield path, f"data fields {sorted(_DATA & part.keys())}"
        if part.get("text") == "":
            yield path, "an empty text"


def speakers(body: dict[str, Any]) -> Found:
    """Calls and thoughts are the model's, results the user's."""
    owners = {"functionCall": "model", "thought": "model", "functionResponse": "user"}
    for path, role, part in _parts(body):
        for key in owners.keys() & part.keys():
            if owners[key] != role:
                yield path, f"{key} of role {role}"


def pairing(body: dict[str, Any]) -> Found:
    """P1, P3, P5: as many results as calls, in the next content, under their names and ids (google-gemini/gemini-cli#4217).

    What else stands in that content, and where, is not asked: that results come first (P4) is Anthropic's rule (case A05).
    """
    rows = [("$", "user", list[dict[str, Any]]()), *_turns(body), ("$.contents[end]", "user", [])]
    for (_, _, before), (path, _, parts) in pairwise(rows):
        asked = [(part["functionCall"].get("id"), part["functionCall"]["name"]) for part in before if "functionCall" in part]
        told = [
            (part["functionResponse"].get("id"), part["functionResponse"]["name"]) for part in parts if "functionResponse" in part
        ]
        if sorted(asked, key=str) != sorted(told, key=str):
            yield path, f"calls {asked}, results {told}"
        if len({id_ for id_, _ in asked}) != len(asked):
            yield path, f"ids {asked}"


def signatures(body: dict[str, Any]) -> Found:
    """T3: the first call of a turn is signed (langgenius/dify-official-plugins#2088)."""
    for path, _, parts in _turns(body):
        calls = [part for part in parts if "functionCall" in part]
        if calls and not calls[0].get("thoughtSignature"):
            yield path, "the first call has no thoughtSignature"


def names(body: dict[str, Any]) -> Found:
    """N2: names begin with a letter or _ (cline/cline#7339)."""
    for where, value in subtrees(body):
        if where[-2:-1] in {("functionCall",), ("functionResponse",)} and where[-1] == "name" and not _NAME.fullmatch(value):
            yield place(where), f"name {value}"
    for at, entry in enumerate(body.get("tools", ())):
        for function in entry.get("functionDeclarations", ()):
            if not _NAME.fullmatch(function["name"]):
                yield f"$.tools[{at}]", f"name {function['name']}"


def media(body: dict[str, Any]) -> Found:
    """M2, M6: base64 that is whole, of a media type that is taken; a file has a media type."""
    for where, value in subtrees(body):
        if where[-1:] == ("inlineData",):
            yield from broken_base64(place(where), value["data"].translate(str.maketrans("-_", "+/")))
            if not _INLINE.fullmatch(value.get("mimeType", "")):
                yield place(where), f"media type {value.get('mimeType')}"
        if where[-1:] == ("fileData",) and "mimeType" not in value and "youtu" not in value["fileUri"]:
            yield place(where), "no media type"


def one_spelling(body: dict[str, Any]) -> Found:
    """Names of the dialect are in camelCase."""
    for where, value in subtrees(body):
        if isinstance(value, dict) and not any(step in _OWN_JSON for step in where):
            yield from ((place((*where, key)), "snake_case") for key in value if "_" in key)


def thinking(body: dict[str, Any]) -> Found:
    """A budget or a level (QwenLM/qwen-code#9094)."""
    config = body.get("generationConfig", {}).get("thinkingConfig", {})
    if {"thinkingBudget", "thinkingLevel"} <= config.keys():
        yield "$.generationConfig.thinkingConfig", "both a budget and a level"


def schemas(body: dict[str, Any]) -> Found:
    """A schema of the answer needs the media type of JSON."""
    config = body.get("generationConfig", {})
    if config.keys() & {"responseSchema", "responseJsonSchema"} and config.get("responseMimeType") != "application/json":
        yield "$.generationConfig", "a schema without responseMimeType"


RULES: Final[Mapping[str, Callable[[dict[str, Any]], Found]]] = {
    "turns": turns,
    "one data": one_data,
    "speakers": speakers,
    "pairing": pairing,
    "signatures": signatures,
    "names": names,
    "media": media,
    "one spelling": one_spelling,
    "thinking": thinking,
    "schemas": schemas,
    "no lone surrogates": lone_surrogates,
}
