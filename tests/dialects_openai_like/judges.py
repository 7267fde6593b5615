"""What the servers of Mistral, Cohere and Ollama refuse: the official SDKs' types, made strict, and rules that no type tells.

A judge answers the complaints it has about a whole request. It knows the wire, and nothing of this library.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

import cohere
import ollama
from mistral_common.exceptions import MistralCommonException
from mistral_common.protocol.instruct.request import ChatCompletionRequest as CommonRequest
from mistral_common.protocol.instruct.validator import ValidationMode, get_validator
from mistral_common.tokens.tokenizers.base import TokenizerVersion
from mistralai.client import models
from pydantic import TypeAdapter, ValidationError
from wire.openai_rules import RULES as OPENAI_RULES
from wire.rules import lone_surrogates
from wire.values import leaves, place

__all__ = ("JUDGES", "Judge", "judge_cohere", "judge_mistral", "judge_ollama")

Judge: TypeAlias = Callable[[Mapping[str, Any]], list[str]]

_ID: Final = re.compile(r"[a-zA-Z0-9]{9}")
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def _validated(model: Any, value: Any, path: str) -> tuple[Any, list[str]]:
    try:
        return TypeAdapter(model).validate_python(value), []
    except ValidationError as error:
        found = error.errors(include_url=False)[0]
        return None, [f"type: {found['msg']} at {path}{place(tuple(found['loc']))[1:]}"]


def unknown(given: Any, known: Any, path: str) -> Iterator[str]:
    """The keys of a body that a model, dumped again, does not have any more: it did not know them."""
    match given, known:
        case dict(), dict():
            for key, value in given.items():
                if value is not None and key not in known:
                    yield f"unknown key at {path}.{key}"
                elif value is not None:
                    yield from unknown(value, known[key], f"{path}.{key}")
        case list(), list():
            for at, (value, other) in enumerate(zip(given, known, strict=True)):
                yield from unknown(value, other, f"{path}[{at}]")
        case _:  # scalars
            return


# --- Mistral -------------------------------------------------------------------------------------------------------------------


def judge_mistral(body: Mapping[str, Any]) -> list[str]:
    """The complaints about a request to POST /v1/chat/completions of Mistral: its SDK's models, and its servers' validator."""
    request = body if "model" in body else {**body, "model": "m"}
    made, complaints = _validated(models.ChatCompletionRequest, request, "$")
    if made is not None:
        complaints += unknown(request, made.model_dump(mode="json", by_alias=True, exclude_unset=True), "$")
    return complaints or [*_mistral_rules(request), *_common(request), *_surrogates(request)]


def _mistral_rules(body: Mapping[str, Any]) -> Iterator[str]:
    for at, message in enumerate(body["messages"]):
        path = f"$.messages[{at}]"
        for call in message.get("tool_calls") or ():
            if not _ID.fullmatch(call.get("id", "")):
                yield f"tool call id {call.get('id')!r} at {path}"
        if message["role"] == "tool" and not _ID.fullmatch(message.get("tool_call_id") or ""):
            yield f"tool call id {message.get('tool_call_id')!r} at {path}"
        if message.get("content") == [] and not message.get("tool_calls"):
            yield f"an empty list at {path}"
        for chunk in message["content"] if isinstance(message.get("content"), list) else ():
            yield from _mistral_chunk(chunk, message["role"], path)


_CHUNKS: Final = {
    "system": {"text"},
    "user": {"text", "image_url", "document_url", "input_audio", "file"},
    "assistant": {"text", "thinking"},
    "tool": {"text"},
}


def _mistral_chunk(chunk: Mapping[str, Any], role: str, path: str) -> Iterator[str]:
    if chunk["type"] not in _CHUNKS[role]:
        yield f"a chunk of type {chunk['type']} from {role} at {path}"
    if chunk["type"] == "input_audio":
        sound = chunk["input_audio"]
        if not sound.startswith(("http://", "https://", "data:")):
            b64decode(sound, validate=True)


@cache
def _validators() -> tuple[Any, ...]:
    versions = (TokenizerVersion.v11, TokenizerVersion.v13, TokenizerVersion.v15)
    return tuple(get_validator(version, ValidationMode.serving) for version in versions)


def _common(body: Mapping[str, Any]) -> Iterator[str]:
    """What the validators of mistral-common say, which know no documents, no files, and tools of functions only."""
    plain = {
        "model": body["model"],
        "messages": [_plain(message) for message in body["messages"]],
        "tools": [_plain_tool(tool) for tool in body.get("tools") or ()],
    }
    try:
        request: Any = CommonRequest.model_validate(plain)
    except ValidationError as error:
        yield f"mistral-common: {error.errors(include_url=False)[0]}"
        return
    for validator in _validators():
        try:
            validator.validate_request(request)
        except (MistralCommonException, ValueError) as error:
            yield f"{type(validator).__name__}: {error}"


def _plain(message: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(message)
    if isinstance(out.get("content"), list):
        out["content"] = [_plain_chunk(chunk) for chunk in out["content"]]
    if "tool_calls" in out:
        out["tool_calls"] = [{key: value for key, value in call.items() if key != "index"} for call in out["tool_calls"]]
    return out


def _plain_chunk(chunk: Mapping[str, Any]) -> dict[str, Any]:
    match chunk["type"]:
        case "document_url" | "file" | "input_audio":
            return {"type": "text", "text": "a medium"}
        case "thinking":
            return {"type": "thinking", "thinking": "".join(item.get("text", "") for item in chunk["thinking"])}
        case _:  # a chunk that mistral-common has
            return dict(chunk)


def _plain_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = {key: value for key, value in tool["function"].items() if value is not None}
    return {"type": "function", "function": function}


# --- Cohere --------------------------------------------------------------------------------------------------------------------


def judge_cohere(body: Mapping[str, Any]) -> list[str]:
    """The complaints about a request to POST /v2/chat: the SDK's models, closed, and the bounds that its docstrings name."""
    complaints: list[str] = []
    for at, message in enumerate(body["messages"]):
        complaints += _closed(cohere.ChatMessageV2, message, f"$.messages[{at}]")
    for at, tool in enumerate(body.get("tools") or ()):
        complaints += _closed(cohere.ToolV2, tool, f"$.tools[{at}]")
    if body.get("response_format") is not None:
        complaints += _closed(cohere.ResponseFormatV2, body["response_format"], "$.response_format")
    if body.get("thinking") is not None:
        complaints += _closed(cohere.Thinking, body["thinking"], "$.thinking")
    return complaints or [*_cohere_rules(body), *_paired(body), *_surrogates(body)]


def _closed(model: Any, value: Any, path: str) -> list[str]:
    made, complaints = _validated(model, value, path)
    return complaints or [f"unknown key at {path}{key}" for key in extras(made)]


def extras(model: Any, path: str = "") -> Iterator[str]:
    if hasattr(type(model), "model_fields"):
        yield from (f"{path}.{key}" for key in model.model_extra or {})
        for key in type(model).model_fields:
            yield from extras(getattr(model, key), f"{path}.{key}")
    elif isinstance(model, list):
        for at, item in enumerate(model):
            yield from extras(item, f"{path}[{at}]")


_FIELDS: Final = frozenset(
    {"model", "messages", "tools", "strict_tools", "documents", "citation_options", "response_format", "safety_mode", "max_tokens"}
    | {"stop_sequences", "temperature", "seed", "frequency_penalty", "presence_penalty", "k", "p", "logprobs", "tool_choice"}
    | {"thinking", "priority", "stream"}
)
_BOUNDS: Final = {"p": (0.01, 0.99), "k": (0, 500), "frequency_penalty": (0, 1), "presence_penalty": (0, 1), "temperature": (0, 9)}


def _cohere_rules(body: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"unknown key at $.{key}" for key in body.keys() - _FIELDS)
    for key, (least, most) in _BOUNDS.items():
        if body.get(key) is not None and not least <= body[key] <= most:
            yield f"{key} {body[key]} is out of bounds"
    if len(body.get("stop_sequences") or ()) > 5:
        yield "more than five stop sequences"
    if body.get("tool_choice", "NONE") not in {"REQUIRED", "NONE"}:
        yield f"tool_choice {body['tool_choice']!r}"
    if body.get("tool_choice") == "REQUIRED" and not body.get("tools"):
        yield "tool_choice without tools"
    for at, message in enumerate(body["messages"]):
        if message["role"] == "assistant" and not message.get("content") and not message.get("tool_calls"):
            yield f"neither content nor tool calls at $.messages[{at}]"
        if message.get("content") == [] or message.get("tool_calls") == []:
            yield f"an empty list at $.messages[{at}]"
        for part in message["content"] if isinstance(message.get("content"), list) else ():
            url = part.get("image_url", {"url": "https://"})["url"]
            if not url.startswith(("http://", "https://", "data:image/")):
                yield f"an image at {url[:40]!r} at $.messages[{at}]"


def _paired(body: Mapping[str, Any]) -> Iterator[str]:
    """Results stand directly behind their calls: OpenAI's rule, which Cohere has in the same words (oracle/langchain-oracle#10)."""
    bare = [{key: value for key, value in message.items() if value is not None} for message in body["messages"]]
    yield from (f"{what} at {path}" for path, what in OPENAI_RULES["pairing"]({"messages": bare}))


# --- Ollama --------------------------------------------------------------------------------------------------------------------


def judge_ollama(body: Mapping[str, Any]) -> list[str]:
    """The complaints about a request to POST /api/chat: the SDK's models, which ignore what they do not know."""
    complaints: list[str] = []
    for at, message in enumerate(body["messages"]):
        path = f"$.messages[{at}]"
        wrapped = {**message, "images": [{"value": image} for image in message["images"]]} if message.get("images") else message
        made, errors = _validated(ollama.Message, wrapped, path)  # the SDK's class of an image has no wire of its own
        complaints += errors or unknown(message, made.model_dump(mode="json", exclude_none=True), path)
    made, errors = _validated(ollama._types.ChatRequest, {**body, "model": body.get("model", "m")}, "$")
    complaints += errors
    fields = {*ollama._types.ChatRequest.model_fields, "truncate", "shift"}
    complaints += [f"unknown key at $.{key}" for key in body.keys() - fields]
    complaints += [f"unknown option {key}" for key in (body.get("options") or {}).keys() - ollama.Options.model_fields.keys()]
    return complaints or [*_ollama_rules(body), *_surrogates(body)]


def _ollama_rules(body: Mapping[str, Any]) -> Iterator[str]:
    for at, message in enumerate(body["messages"]):
        path = f"$.messages[{at}]"
        if message["role"] not in {"system", "user", "assistant", "tool"}:
            yield f"role {message['role']!r} at {path}"
        if not isinstance(message.get("content"), str):
            yield f"no text at {path}"
        for image in message.get("images") or ():
            b64decode(image, validate=True)
            if not image:
                yield f"an empty image at {path}"
    if body.get("think") not in {None, True, False, "low", "medium", "high", "max"}:
        yield f"think {body['think']!r}"


def _surrogates(body: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{what} at {path}" for path, what in lone_surrogates(body))
    yield from (f"a number that JSON has not at {place(where)}" for where, leaf in leaves(body) if leaf != leaf)


JUDGES: Final[Mapping[str, Judge]] = {"mistral": judge_mistral, "cohere": judge_cohere, "ollama": judge_ollama}
