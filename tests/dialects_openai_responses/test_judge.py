"""The judge of this dialect takes what the server takes, and complains of each thing that it refuses."""

from __future__ import annotations

from typing import Any, Final

import pytest
from wire.corpus import present, recorded, report

from .responses_rules import RULES, openai_responses

CALL: Final = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
OUTPUT: Final = {"type": "function_call_output", "call_id": "c1", "output": "4"}
PNG: Final = "data:image/png;base64,iVBORw0KGgo="


def asked(*items: Any, **fields: Any) -> dict[str, Any]:
    return {"model": "m", "input": list(items), **fields}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(parts)}


def image(**fields: Any) -> dict[str, Any]:
    return asked(user({"type": "input_image", "detail": "auto", **fields}))


def file(**fields: Any) -> dict[str, Any]:
    return asked(user({"type": "input_file", **fields}))


TAKEN: Final[list[dict[str, Any]]] = [
    {"model": "m", "input": "hi"},
    asked({"role": "user", "content": "hi"}),
    asked({"role": "user", "content": "hi"}, CALL, OUTPUT),
    asked({"type": "reasoning", "summary": [], "encrypted_content": "E"}, {"role": "assistant", "content": "hi"}),
    image(image_url=PNG),
    file(file_data="data:application/pdf;base64,JVBERi0xLjQ=", filename="a.pdf"),
]

REFUSED: Final[list[tuple[str, dict[str, Any]]]] = [
    ("type", asked({"role": "robot", "content": "hi"})),
    ("assistant parts", asked({"role": "assistant", "content": [{"type": "input_text", "text": "hi"}]})),
    ("type", asked({"type": "reasoning", "id": "rs_1"})),
    ("type", asked({"role": "user", "content": "hi", "name": "ann"})),
    ("type", asked(user({"type": "text", "text": "hi"}))),
    ("something asked", asked()),
    ("something asked", asked(user())),
    ("pairing", asked(CALL)),
    ("pairing", asked(OUTPUT)),
    ("pairing", asked(CALL, OUTPUT, OUTPUT)),
    ("pairing", asked(CALL, {"type": "custom_tool_call_output", "call_id": "c1", "output": "4"})),
    ("call ids", asked({**CALL, "call_id": "a:b"}, {**OUTPUT, "call_id": "a:b"})),
    ("call ids", asked({**CALL, "call_id": "a_"}, {**OUTPUT, "call_id": "a_"})),
    ("item ids", asked({**CALL, "id": "call_1"}, OUTPUT)),
    ("tool names", asked({**CALL, "name": "a b"}, OUTPUT)),
    ("thoughts", asked({"type": "reasoning", "summary": [], "encrypted_content": "E"}, user({"type": "input_text", "text": "hi"}))),
    ("images", image(image_url="gs://a/b")),
    ("images", image(image_url="data:image/bmp;base64,AAAA")),
    ("images", image()),
    ("files", file(file_url="https://example.org/a.pdf", filename="a.pdf")),
    ("files", file(file_data="data:application/pdf;base64,JVBERi0xLjQ=")),
    ("files", file(file_data="JVBERi0xLjQ=", filename="a.pdf")),
    ("tool options", asked(user({"type": "input_text", "text": "hi"}), tool_choice="required")),
    ("limits", asked(user({"type": "input_text", "text": "hi"}), max_output_tokens=7)),
    ("no lone surrogates", asked({"role": "user", "content": "\ud800"})),
]


@pytest.mark.parametrize("body", TAKEN)
def test_it_takes_what_is_right(body: dict[str, Any]) -> None:
    assert openai_responses(body) == []


@pytest.mark.parametrize(("rule", "body"), REFUSED)
def test_it_names_the_rule_that_is_broken(rule: str, body: dict[str, Any]) -> None:
    assert rule in {complaint.rule for complaint in openai_responses(body)}


def test_each_rule_is_broken_by_an_example() -> None:
    assert RULES.keys() <= {rule for rule, _ in REFUSED}


@present
def test_its_rules_hold_for_what_the_provider_accepted() -> None:
    """Of OpenAI itself; other servers name calls in their own way, and what the server had before is not in the body."""
    rows = [row for row in recorded("openai_responses", "request") if row.dialect == "openai_responses"]
    failures = [
        f"{row.id} {path} {what}"
        for row in rows
        for name, rule in RULES.items()
        if name not in {"pairing", "something asked"}
        for path, what in rule(row.body)
    ]
    assert rows
    assert not failures, report("accepted by the provider, refused here", failures, len(rows))
