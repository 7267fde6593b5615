"""What `redact` sees through: a secret is found however it is spelt, and what is JSON stays JSON."""

from __future__ import annotations

import codecs
import json
from typing import Any, Final
from urllib.parse import quote

import pytest

from chatadt import Arguments, Content, History, Json, Message, Resource
from chatadt.transforms import redact

from .given import lines_run

NAME: Final = "M\u00fcller"


def told(text: str, *patterns: str, marker: str = "*") -> str:
    """A text, redacted."""
    return redact(*patterns, marker=marker)(History().user(text))[0].text


def nested(value: object, levels: int) -> str:
    text = json.dumps(value)
    for _ in range(levels):
        text = json.dumps({"body": text})
    return text


TEXTS: Final[dict[str, tuple[str, str]]] = {
    "as it stands": (NAME, "*"),
    "JSON": ('{"name": "M\\u00fcller"}', '{"name": "*"}'),
    "a JSON string": ('"M\\u00fcller"', '"*"'),
    "JSON in prose": ('It says {"name": "M\\u00fcller"}.', 'It says {"name": "*"}.'),
    "JSON Lines": ('{"a": "M\\u00fcller"}\n{"a": "M\\u00FCller"}', '{"a": "*"}\n{"a": "*"}'),
    "JSON that was cut off": ('{"name": "M\\u00fcller", "b', '{"name": "*", "b'),
    "a key": ('{"M\\u00fcller": 1}', '{"*": 1}'),
    "a part of a string": ('{"a": "to M\\u00fcller\\n"}', '{"a": "to *\\n"}'),
    "a line before it": ('{"a": "to\\nM\\u00fcller"}', '{"a": "to\\n*"}'),
    "percent-encoding": ("see https://example.org/?q=M%C3%BCller&a=1", "see https://example.org/?q=*&a=1"),
    "a character reference": ("<p>M&uuml;ller, M&#252;ller, M&#xFC;ller</p>", "<p>*, *, *</p>"),
    "an address in JSON": ('{"u": "?q=M%C3%BCller"}', '{"u": "?q=*"}'),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_secret_is_found_however_it_is_spelt(name: str) -> None:
    before, after = TEXTS[name]
    assert told(before, r"\bM\u00fcller\b") == after
    assert told(before, "nobody") == before


@pytest.mark.parametrize("levels", range(4))
def test_a_secret_is_found_in_json_in_json(levels: int) -> None:
    assert told(nested({"name": NAME}, levels), NAME) == nested({"name": "*"}, levels)


def test_what_stands_alone_in_a_string_or_a_number_of_a_text_is_found_alone() -> None:
    assert told('{"a": "ann", "b": "anna", "n": 12}', "^ann$", r"^\d+$") == '{"a": "*", "b": "anna", "n": "*"}'
    assert told('{"a": "ann", "n": 12, "b": "an', "^ann?$", r"^\d+$") == '{"a": "*", "n": *, "b": "*'


def test_a_text_that_is_json_keeps_its_keys_apart_and_stays_json() -> None:
    assert told('{"ann1": 1, "ann2": 20}', r"ann\d", "0") == '{"*": 1, "*_": "2*"}'
    assert told(nested({"ann1": 1, "ann2": 2}, 1), r"ann\d") == nested({"*": 1, "*_": 2}, 1)
    assert told('{"a": "x"}', "x", marker='"') == '{"a": "\\""}'


def test_a_pattern_may_reach_beyond_one_string_and_reads_what_stands_around_it() -> None:
    said = '{"card": "4111", "sum": 12, "ok": true}'
    assert told(said, r'"card": "\d+"') == '{*, "sum": 12, "ok": true}'
    assert told(said, "true", "^4111$") == '{"card": "*", "sum": 12, "ok": *}'
    assert told(said, r'(?<="sum": )\d+') == '{"card": "4111", "sum": "*", "ok": true}'
    assert told('{"a": "\\u00fc"}', "u00fc") == '{"a": "*"}'


def test_a_marker_is_not_looked_into() -> None:
    assert told("ann 12", "ann", r"\w+", marker="[redacted]") == "[redacted] [redacted]"


@pytest.mark.parametrize("text", ["&amp;", "&nobody; %zz %ed%a0%80 &#0; &nGt; \\q \\ud800", "C:\\new", "100 % & more"])
def test_what_only_looks_like_another_spelling_stays(text: str) -> None:
    assert told(text, "ann") == text
    assert told(text + "ann", "ann") == text + "*"


def test_what_is_spelt_over_and_over_costs_as_much_as_its_length() -> None:
    def steps(length: int, piece: str) -> int:
        return lines_run(lambda: told(piece * length, "ann"))

    for piece in ("25", "amp;", "u005c", "\\", '\\"', '{"a":"'):
        assert steps(4_000, piece) < 3 * steps(2_000, piece) + 1_000


def test_arguments_that_are_no_json_are_seen_through_too() -> None:
    said = Arguments.Malformed('{"a":"\\u0073ecret', "cut off")
    left = redact("^secret", marker="*")(History().assistant([Content.ToolRequest("1", "f", said)]).result("1", "f", "ok"))
    assert left[0].tool_requests[0].arguments == Arguments.Malformed('{"a":"*', "cut off")  # type: ignore[union-attr]


def test_a_string_that_is_json_is_seen_through_in_arguments_and_extras() -> None:
    before, after = {"body": '{"name": "M\\u00fcller"}'}, {"body": '{"name": "*"}'}
    history = History([Message.User([Content.Custom("nobody", before)], extras={"nobody": before})])
    assert redact(NAME, marker="*")(history)[0] == Message.User([Content.Custom("nobody", after)], extras={"nobody": after})


def test_a_number_stays_no_secret_because_it_is_an_id() -> None:
    left = redact("1", marker="*")(History().assistant([Content.ToolRequest("1", "f", {"a": 1})]).result("1", "f", "ok"))
    assert left[0].tool_requests[0].arguments == Arguments.Parsed(Json('{"a": "*"}'))  # type: ignore[union-attr]


def file(content: bytes, kind: str | None) -> History:
    return History().user([Content.File(Resource.Binary(content, kind), "a")])


def held(history: History) -> bytes:
    content: Any = history[0].contents[0]  # type: ignore[union-attr]
    return content.resource.bytes  # type: ignore[no-any-return]


FILES: Final[dict[str, tuple[bytes, str | None, bytes]]] = {
    "the charset that is said": (f"{NAME} secret".encode("latin-1"), "text/plain; charset=latin-1", b"M\xfcller *"),
    "a charset in quotes": (f"{NAME} secret".encode("utf-16-le"), 'text/csv; charset="utf-16-le"', f"{NAME} *".encode("utf-16-le")),
    "UTF-16": (codecs.BOM_UTF16_BE + "a secret".encode("utf-16-be"), "text/plain", codecs.BOM_UTF16_BE + "a *".encode("utf-16-be")),
    "UTF-32": (codecs.BOM_UTF32_LE + "secret".encode("utf-32-le"), "text/plain", codecs.BOM_UTF32_LE + "*".encode("utf-32-le")),
    "UTF-8 with a mark": (codecs.BOM_UTF8 + b"secret", "text/plain", codecs.BOM_UTF8 + b"*"),
    "no charset said": (f"{NAME} secret".encode("latin-1"), "text/plain", b"M\xfcller *"),
    "another charset said": (f"{NAME} secret".encode("latin-1"), "text/plain; charset=utf-8", b"M\xfcller *"),
    "a charset that is none": (b"a secret", "text/plain; charset=base64", b"a *"),
    "a charset nobody knows": (b"a secret", "text/plain; charset=x-nobody", b"a *"),
    "JSON": (b'{"a": "\\u0073ecret"}', "application/json", b'{"a": "*"}'),
    "JSON Lines": (b'{"a": "\\u0073ecret"}\n{"b": "secret"}', "application/x-ndjson", b'{"a": "*"}\n{"b": "*"}'),
    "HTML": (b"&#115;ecret", "text/html", b"*"),
    "letters of another size": (b"secret", "TEXT/Plain", b"*"),
    "no type": (b"a secret", None, b"a *"),
    "a type of nobody": (b"a secret", "application/octet-stream", b"a *"),
}


@pytest.mark.parametrize("name", FILES)
def test_text_files_are_read_in_their_encoding_and_keep_it(name: str) -> None:
    before, kind, after = FILES[name]
    assert held(redact("^secret|secret$|secret", marker="*")(file(before, kind))) == after
    assert redact("nobody")(file(before, kind)) == file(before, kind)


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"a secret", "image/png"), (b"a secret", "application/pdf"), (b"\xff secret", None), (b"\0 secret", None)],
)
def test_what_is_no_text_stays(content: bytes, kind: str | None) -> None:
    assert redact("secret")(file(content, kind)) == file(content, kind)


def test_a_marker_that_an_encoding_cannot_say_does_not_keep_the_secret() -> None:
    assert held(redact("secret", marker="\u2026")(file(b"\xfc secret", "text/plain; charset=latin-1"))) == b"\xfc ?"


@pytest.mark.parametrize(
    "uri",
    [
        "https://example.org/M%C3%BCller?a=1",
        "https://example.org/?q=M%c3%bcller",
        "data:text/plain;charset=latin-1;base64,TfxsbGVy",
        "data:text/plain;charset=latin-1,M%FCller",
    ],
)
def test_an_address_is_seen_through(uri: str) -> None:
    content: Any = redact(NAME, marker="x")(History().user([Content.Image(Resource.Ref(uri))]))[0].contents[0]  # type: ignore[union-attr]
    assert content.resource.uri != uri
    assert quote(NAME) not in content.resource.uri
    assert "TfxsbGVy" not in content.resource.uri
    assert redact("nobody")(History().user([Content.Image(Resource.Ref(uri))]))[0] == Message.User(
        [Content.Image(Resource.Ref(uri))]
    )
