"""What Bedrock's server would refuse of a request: the SDK's service model, its patterns, and the rules that no type tells.

botocore checks types, members, lengths and that a union has one member; it leaves out patterns and enumerations.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from tests.wire.rules import Complaint, lone_surrogates

__all__ = ("complaints", "patterns", "with_bytes")


@cache
def _shape() -> Any:
    loaders = pytest.importorskip("botocore.loaders", reason="botocore is the judge of Converse requests: install it")
    model = pytest.importorskip("botocore.model")
    service = model.ServiceModel(loaders.Loader().load_service_model("bedrock-runtime", "service-2"), "bedrock-runtime")
    return service.operation_model("Converse").input_shape


def complaints(body: dict[str, Any], *, knows_first_user: bool) -> list[Complaint]:
    """The complaints about a request to Converse, base64 in it read as bytes; the model may stand in the URL."""
    validate = pytest.importorskip("botocore.validate")
    whole = {"modelId": "m", **with_bytes(body, _shape())}
    if not re.fullmatch(r"[a-zA-Z0-9-:.]+", str(whole["modelId"])):
        whole["modelId"] = "m"  # the name of another provider's model, which the user replaces
    report = validate.ParamValidator().validate(whole, _shape())
    found = [Complaint("type", "$", report.generate_report())] if report.has_errors() else []
    found += [Complaint("pattern", path, what) for path, what in patterns(whole, _shape(), "$")]
    found += [Complaint("surrogate", path, what) for path, what in lone_surrogates(body)]
    return found or [Complaint(rule, path, what) for rule, path, what in _rules(body, knows_first_user)]


def with_bytes(value: Any, shape: Any) -> Any:
    """Base64 as the bytes that a blob is; by the shape, so that nothing else is taken for one."""
    match shape.type_name:
        case "structure" if isinstance(value, dict) and not getattr(shape, "is_document_type", False):
            return {key: with_bytes(item, shape.members[key]) if key in shape.members else item for key, item in value.items()}
        case "list" if isinstance(value, list):
            return [with_bytes(item, shape.member) for item in value]
        case "blob" if isinstance(value, str):
            return b64decode(value, validate=True)
        case _:
            return value


def patterns(value: Any, shape: Any, path: str) -> Iterator[tuple[str, str]]:
    match shape.type_name:
        case "structure" if isinstance(value, dict) and not getattr(shape, "is_document_type", False):
            for key, item in value.items():
                if key in shape.members:
                    yield from patterns(item, shape.members[key], f"{path}.{key}")
        case "list" if isinstance(value, list):
            for index, item in enumerate(value):
                yield from patterns(item, shape.member, f"{path}[{index}]")
        case "string" if isinstance(value, str) and path != "$.modelId":
            pattern, most = shape.metadata.get("pattern"), shape.metadata.get("max")
            if pattern and not re.fullmatch(pattern, value):
                yield path, f"{value!r} does not match {pattern}"
            if most and len(value) > most:
                yield path, f"{value[:40]!r}… has more than {most} characters"
            if shape.enum and value not in shape.enum:
                yield path, f"{value!r} is none of {shape.enum}"
        case "float" if isinstance(value, int | float):
            if not shape.metadata.get("min", value) <= value <= shape.metadata.get("max", value):
                yield path, f"{value} is out of range"
        case _:
            return


_NAME = re.compile(r"(?!.*\s\s)[A-Za-z0-9\s\-()\[\]]{1,200}")


def _rules(body: dict[str, Any], knows_first_user: bool) -> Iterator[tuple[str, str, str]]:
    messages = body.get("messages", [])
    if not messages:
        yield "messages", "$.messages", "no message"
    elif messages[0]["role"] != "user" and knows_first_user:
        yield "first user", "$.messages[0]", "the conversation begins with an assistant"
    names = [block["document"]["name"] for message in messages for block in message["content"] if "document" in block]
    yield from (("document name", "$", f"{name!r} stands twice") for name in set(names) if names.count(name) > 1)
    yield from (("document name", "$", f"{name!r}") for name in names if not _NAME.fullmatch(name))
    called = 0
    for index, message in enumerate(messages):
        path = f"$.messages[{index}]"
        kinds = [kind for block in message["content"] for kind in block]
        called += kinds.count("toolUse") + kinds.count("toolResult")
        if not kinds:
            yield "empty content", path, "no block"
        if message["role"] == "assistant" and set(kinds) & {"image", "document", "video", "audio", "toolResult"}:
            yield "media of an assistant", path, str(kinds)
        if "document" in kinds and "text" not in kinds:
            yield "document needs text", path, str(kinds)
        for block in [*message["content"], *(b for r in message["content"] for b in r.get("toolResult", {}).get("content", []))]:
            if not block.get("text", "x").strip():
                yield "blank text", path, repr(block)
        if kinds[:1] == ["cachePoint"] or any(one == two == "cachePoint" for one, two in pairwise(kinds)):
            yield "cache point", path, str(kinds)
        asked = {b["toolUse"]["toolUseId"] for b in message["content"] if "toolUse" in b and "type" not in b["toolUse"]}
        following = messages[index + 1]["content"] if index + 1 < len(messages) else []
        answered = {block["toolResult"]["toolUseId"] for block in following if "toolResult" in block}
        if message["role"] == "assistant" and asked != answered:
            yield "pairing", path, f"asked {asked}, answered {answered}"
    for block in body.get("system", []):
        if not block.get("text", "x").strip():
            yield "blank text", "$.system", repr(block)
    if called and not (body.get("toolConfig") or {}).get("tools"):
        yield "needs tools", "$.toolConfig", "the history calls tools, and none is defined"
