"""Plain data as JSON text: fast where orjson can say it, exact where it cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chatadt.cli._output import encoded
from chatadt.cli._records import Form

DEEP: Any = {"a": 1}
for _ in range(400):
    DEEP = {"a": DEEP}

VALUES: dict[str, Any] = {
    "plain": {"a": [1, "é", None, 1.5]},
    "a lone surrogate": {"a": "x\ud800"},
    "an integer beyond 64 bits": {"a": 123456789012345678901234567890},
    "400 levels": DEEP,
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_whatever_is_written_is_read_back_the_same(value: Any) -> None:
    for form in Form:
        text = encoded(value, form)
        assert json.loads(text) == value
        assert text.endswith(b"\n")
        assert (text.count(b"\n") == 1) == (form is Form.LINES)


def test_a_document_is_indented_by_two() -> None:
    assert encoded({"a": 1}, Form.DOCUMENT) == b'{\n  "a": 1\n}\n'
