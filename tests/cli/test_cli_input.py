"""One JSON text, read strictly: every kind of bad input is a value that says what and where."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, strategies as st
from returns.result import Failure, Success

from chatadt.cli._input import BadInput, parse_document

SPACES = st.text(" \t\r\n", max_size=2)
TRICKY = st.text(':"\\ \nau\U0001f600\ud800', max_size=3)


@st.composite
def spelt(draw: st.DrawFn, text: str) -> str:
    """A string as JSON spells it: as it is, or with its colons (or all of it) as escapes."""
    plain = json.dumps(text, ensure_ascii=draw(st.booleans()))
    plain = plain.encode("utf-8", "backslashreplace").decode()
    return plain.replace(":", "\\u003" + draw(st.sampled_from("aA"))) if draw(st.booleans()) else plain


@st.composite
def documents(draw: st.DrawFn, depth: int = 3) -> tuple[str, bool]:
    """A JSON text, and whether one of its objects has a key twice."""
    kind = draw(st.sampled_from(["string", "number", "list", "object", "object"])) if depth else "string"
    match kind:
        case "string":
            return draw(TRICKY.flatmap(spelt)), False
        case "number":
            return draw(st.sampled_from(["0", "-1.5e3", "123456789012345678901234567890", "null", "true"])), False
        case "list":
            items = draw(st.lists(documents(depth - 1), max_size=3))
            return f"[{','.join(text for text, _ in items)}]", any(twice for _, twice in items)
        case _:
            keys = draw(st.lists(TRICKY, max_size=3))
            values = [draw(documents(depth - 1)) for _ in keys]
            members = [
                f"{draw(SPACES)}{draw(spelt(key))}{draw(SPACES)}:{draw(SPACES)}{text}"
                for key, (text, _) in zip(keys, values, strict=True)
            ]
            return f"{{{','.join(members)}}}", len(set(keys)) < len(keys) or any(twice for _, twice in values)


@given(documents())
@example((r'{"a":1, "a":"\u003a"}', True))
@example((r'{"a":1, "a":"\u003A"}', True))
@example((r'{"a" :1, "a":":"}', True))
@example((r'{"a":1, "b":"\":"}', False))
@example(('{"a":{"b":1,"b":2},"a":{}}', True))
def test_a_key_that_stands_twice_is_found_exactly(document: tuple[str, bool]) -> None:
    text, twice = document
    found = parse_document(text.encode())
    if twice:
        assert isinstance(found, Failure)
        assert "stands twice" in found.failure().what
    else:
        assert found == Success(json.loads(text))


@given(st.binary() | st.text().map(str.encode) | documents().map(lambda document: document[0].encode()[:-1]))
def test_no_bytes_make_it_raise(text: bytes) -> None:
    assert isinstance(parse_document(text), Success | Failure)


BAD: dict[str, tuple[bytes, str, str | None]] = {
    "blank": (b"  \n", "nothing but white space", None),
    "cut off": (b'{"a": [1, 2', "not JSON: Expecting ',' delimiter", None),
    "more after the end": (b"{} {}", "not JSON: Extra data", None),
    "a control character": (b'{"a": "\x01"}', "not JSON: Invalid control character", None),
    "bytes that are not UTF-8": (b'{"a": "\xff"}', "not UTF-8: invalid start byte at byte 7", None),
    "a surrogate in UTF-8": (b'{"a": "\xed\xa0\x80"}', "not UTF-8", None),
    "NaN": (b'{"a": [0, {"b c": NaN}]}', "NaN is not a JSON number", '$.a[1]["b c"]'),
    "Infinity": (b'{"a": -Infinity}', "-Infinity is not a JSON number", "$.a"),
    "a number beyond a double": (b'[{"a": 1e999}]', "beyond the largest number", "$[0].a"),
    "lists in lists": (b"[" * 10_000 + b"]" * 10_000, "nested too deeply", None),
    "objects in objects": (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "nested too deeply", None),
    "a key twice": (b'{"m": [{"a": 1, "b": 2, "a": 3}]}', "the key 'a' stands twice", "$.m[0]"),
    "a key twice, once in what was lost": (b'{"a": {"b": 1, "b": 2}, "a": 3}', "the key 'a' stands twice", "$"),
    "a key twice below deep lists": (b"[" * 100 + b'{"a":1,"a":2}' + b"]" * 100, "the key 'a' stands twice", "$" + "[0]" * 100),
}


@pytest.mark.parametrize(("text", "what", "path"), BAD.values(), ids=BAD)
def test_bad_input_says_what_and_where(text: bytes, what: str, path: str | None) -> None:
    bad = parse_document(text).failure()
    assert bad.what.startswith(what) or what in bad.what
    assert bad.path == path


def test_bad_input_tells_the_line_of_the_text() -> None:
    assert parse_document(b'{\n"a": 1,\n"b" 2\n}').failure() == BadInput("not JSON: Expecting ':' delimiter at column 5", 3)


GOOD: dict[str, tuple[bytes, Any]] = {
    "an integer of any length": (b'{"a": 123456789012345678901234567890}', {"a": 123456789012345678901234567890}),
    "a lone surrogate": (b'{"a": "\\ud800"}', {"a": "\ud800"}),
    "a line separator in a string": ('{"a": "x\u2028y"}'.encode(), {"a": "x\u2028y"}),
    "the same key in two objects": (b'[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
    "JSON in a string": (b'{"a": "{\\"b\\": 1, \\"b\\": 2}"}', {"a": '{"b": 1, "b": 2}'}),
    "a carriage return at the end": (b'{"a": 1}\r\n', {"a": 1}),
    "a scalar": (b"7", 7),
}


@pytest.mark.parametrize(("text", "value"), GOOD.values(), ids=GOOD)
def test_unusual_but_good_input_is_exact(text: bytes, value: Any) -> None:
    assert parse_document(text) == Success(value)


def test_a_string_of_50_megabytes_is_read() -> None:
    assert len(parse_document(b'{"a": "' + b"x" * 50_000_000 + b'"}').unwrap()["a"]) == 50_000_000
