"""A document keeps its text and compares by value; what is no JSON is refused, what is rare is exact."""

from __future__ import annotations

import json
import math
from typing import Any

import orjson
import pytest
from hypothesis import given, strategies as st

from chatadt import strategies
from chatadt.json import NO_EXTRAS, Extras, Json, dump, parse, to_extras, to_json

DEEP = 100_000


@given(strategies.json())
def test_a_value_survives(value: Any) -> None:
    document = Json.of(value)
    assert document.value == value
    assert types(document.value) == types(value)
    assert parse(dump(value)) == value
    assert json.loads(document.text) == value


def types(value: Any) -> Any:
    """The types within a value: 1 and 1.0 and True are equal, and not the same."""
    match value:
        case dict():
            return {key: types(item) for key, item in value.items()}
        case list():
            return [types(item) for item in value]
        case _:
            return type(value)


@given(strategies.json())
def test_a_document_of_text_keeps_the_text(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=2), json.dumps(value, ensure_ascii=False)):
        assert Json(text).text is text
        assert Json(text).value == value


@given(strategies.json())
def test_spacing_order_and_escapes_do_not_matter(value: Any) -> None:
    spelt = Json.of(value)
    for other in (Json(json.dumps(value, indent=1)), Json(json.dumps(value)), Json.of(backwards(value))):
        assert other == spelt
        assert hash(other) == hash(spelt)
        assert other.canonical == spelt.canonical


def backwards(value: Any) -> Any:
    match value:
        case dict():
            return {key: backwards(value[key]) for key in reversed(value)}
        case list():
            return [backwards(item) for item in value]
        case _:
            return value


@given(strategies.json(), strategies.json())
def test_documents_are_equal_when_they_say_the_same(a: Any, b: Any) -> None:
    same = (a, types(a)) == (b, types(b)) and not (is_zero(a) or is_zero(b))
    if same:
        assert Json.of(a) == Json.of(b)
    if a != b:
        assert Json.of(a) != Json.of(b)


def is_zero(value: object) -> bool:
    return isinstance(value, float) and value == 0


@pytest.mark.parametrize(
    ("a", "b"),
    [("1", "1.0"), ("1", "true"), ("0", "false"), ("0.0", "-0.0"), ("null", "0"), ('""', "null"), ("[]", "{}"), ('"1"', "1")],
)
def test_values_that_python_confuses_differ(a: str, b: str) -> None:
    assert Json(a) != Json(b)
    assert Json(f"[{a}]") != Json(f"[{b}]")


@pytest.mark.parametrize(
    ("a", "b"),
    [("1e2", "100.0"), ("0.10", "0.1"), ("-0", "0"), ('"\\u00e9"', '"é"'), ('"\\/"', '"/"'), ('"\\ud83d\\ude00"', '"😀"')],
)
def test_spellings_of_one_value_are_equal(a: str, b: str) -> None:
    assert Json(a) == Json(b)
    assert hash(Json(a)) == hash(Json(b))


def test_a_document_is_nothing_but_a_document() -> None:
    assert Json("1") != 1
    assert Json('"a"') != '"a"'
    assert (Json("1") == object()) is False


@given(strategies.documents())
def test_the_canonical_text_is_canonical(document: Json) -> None:
    assert Json(document.canonical) == document
    assert Json(document.canonical).canonical == document.canonical


def test_the_canonical_text_has_sorted_keys_and_no_spaces() -> None:
    assert Json('{ "b" : [ 1 , 2 ], "a" : {"d":1,"c":2} }').canonical == '{"a":{"c":2,"d":1},"b":[1,2]}'


# Numbers.


@pytest.mark.parametrize(
    "number", [2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30, -(2**63), -(2**63) - 1, -(10**100), 9007199254740993]
)
def test_integers_of_any_size_are_exact(number: int) -> None:
    for value in (number, [number], {"a": [number, 0.1, "é"]}):
        assert Json(json.dumps(value)).value == value
        assert Json.of(value).value == value
    assert Json(str(number)) != Json(str(number + 1))


@pytest.mark.parametrize(
    "text",
    ["1E5", "0.1", "1e-7", "5e-324", "1.7976931348623157e308", "123456789012345678901234567890.5", "0.12345678901234567890123"],
)
def test_floats_are_what_python_reads(text: str) -> None:
    assert Json(text).value == float(text)
    assert Json.of(float(text)).value == float(text)


@pytest.mark.parametrize(
    "text",
    ["NaN", "[NaN]", "Infinity", "-Infinity", '{"a": NaN}', "nan", "1e999", "[-1e999]", "[123456789012345678901, NaN]", "1e400"],
)
def test_what_is_no_number_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Json(text)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_python_numbers_that_json_lacks_are_a_value_error(value: float) -> None:
    for within in (value, [value], {"a": value}, [None, {"a": [value]}], [2**70, value], ["\ud800", value]):
        with pytest.raises(ValueError, match="not JSON compliant"):
            Json.of(within)


@pytest.mark.parametrize("digits", [4_000, 4_400, 100_000])
def test_an_integer_beyond_what_python_converts_is_exact_or_a_value_error(digits: int) -> None:
    text = "1" * digits
    try:
        document = Json(text)
    except ValueError:
        assert digits > 4_300
    else:
        assert document.value == int(text)
        assert hash(document) == hash(Json(f" {text}"))


# Text.


@pytest.mark.parametrize("text", ["\ud800", "\udfffz", "a\ud800b", "\udc00\ud800"])
def test_lone_surrogates_are_kept(text: str) -> None:
    for value in (text, [text], {text: text}, {"a": [text, 2**70]}):
        document = Json.of(value)
        assert document.value == value
        document.text.encode()
        assert document == Json(json.dumps(value))
        assert hash(document) == hash(Json(json.dumps(value)))


def test_a_lone_surrogate_in_the_text_itself_is_kept_too() -> None:
    document = Json('"\ud800"')
    assert document.value == "\ud800"
    assert document == Json.of("\ud800")


@pytest.mark.parametrize("text", ["\u2028\u2029", "\x00\x1f\x7f", '"\\', "\ufeff", "\uffff", "\U0010ffff", "</script>"])
def test_any_text_survives(text: str) -> None:
    assert Json.of({text: [text]}).value == {text: [text]}


def test_a_document_begins_with_no_byte_order_mark() -> None:
    with pytest.raises(ValueError, match="BOM"):
        Json("\ufeff{}")


@pytest.mark.parametrize("data", [b"\xff", b'"\xff"', b'"\xed\xa0\x80"', b'{"a": "\xc3("}'])
def test_bytes_that_are_not_utf8_are_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match="UTF-8"):
        parse(data)


# Objects.


def test_repeated_keys_keep_their_text_and_mean_the_last() -> None:
    document = Json('{"a":1,"a":2}')
    assert document.text == '{"a":1,"a":2}'
    assert document.value == {"a": 2}
    assert document == Json('{"a":2}')
    assert repr(document) == """Json('{"a":1,"a":2}')"""


@pytest.mark.parametrize("key", [1, 1.0, None, True, b"a", (1,)])
def test_keys_that_are_no_strings_are_a_type_error(key: object) -> None:
    for value in ({key: 1}, [{key: 1}], {"a": {key: 1}}, [2**70, {key: 1}], [None, {key: 1}]):
        with pytest.raises(TypeError):
            Json.of(value)


@pytest.mark.parametrize("value", [{1}, object(), b"a", 1j, [{1}], {"a": object()}])
def test_what_json_cannot_say_is_a_type_error(value: object) -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        Json.of(value)


def test_tuples_are_lists() -> None:
    assert Json.of((1, (2,))) == Json("[1,[2]]")


@given(strategies.objects())
def test_the_value_is_yours_to_change(value: dict[str, Any]) -> None:
    document = Json.of(value)
    document.value["something else"] = 1
    value["something else"] = 1
    assert "something else" not in document.value or len(document.value) == len(value)


# Depth.


@pytest.mark.parametrize(
    "text",
    ["[" * DEEP + "]" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP, "[" * DEEP, '[{"a":' * DEEP],
    ids=["lists", "objects", "cut", "cut objects"],
)
def test_bottomless_text_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Json(text)


@pytest.mark.parametrize("depth", [100, 250, 260, 500, 900, 990, 1_000, 1_010, 1_023, 1_024, 1_030, 2_000, 10_000])
def test_a_document_of_any_depth_is_whole_or_a_value_error(depth: int) -> None:
    text = "[" * depth + "]" * depth
    try:
        document = Json(text)
    except ValueError:
        assert depth > 500
        return
    assert document == Json(f" {text}")
    assert hash(document) == hash(Json(f" {text}"))
    assert Json(document.canonical) == document


def test_a_python_value_that_is_bottomless_is_a_value_error() -> None:
    value: list[Any] = []
    for _ in range(DEEP):
        value = [value]
    with pytest.raises(ValueError, match="nested too deeply"):
        Json.of(value)


def test_a_python_value_that_holds_itself_is_a_value_error() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(ValueError, match=r"."):
        Json.of(value)


# Making one.


@given(strategies.documents())
def test_a_document_of_a_document_is_itself(document: Json) -> None:
    assert Json.of(document) is document
    assert to_json(document) is document


@given(st.text(max_size=6))
def test_a_text_is_a_document_exactly_when_python_reads_it_too(text: str) -> None:
    def refuse(name: str) -> object:
        raise ValueError(name)

    try:
        expected = json.loads(text, parse_constant=refuse)
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            Json(text)
    else:
        assert Json(text).value == expected


def test_a_long_text_is_checked_once_and_kept() -> None:
    text = '"' + "a" * 5_000_000 + '"'
    assert Json(text).text is text


def test_the_fast_parser_alone_would_be_wrong() -> None:
    """Why documents are not simply what orjson reads."""
    assert orjson.loads("18446744073709551617") != 18446744073709551617
    assert orjson.dumps(math.nan) == b"null"


# Extras.


def test_extras_are_a_mapping_from_dialect_to_document() -> None:
    extras = Extras({"b": {"x": 1}, "a": {"y": [2]}})
    assert list(extras) == ["a", "b"]
    assert len(extras) == 2
    assert extras["b"] == Json('{"x":1}')
    assert dict(extras) == {"a": Json('{"y":[2]}'), "b": Json('{"x":1}')}
    assert "a" in extras
    assert "c" not in extras
    assert extras.get("c") is None


@given(strategies.extras())
def test_the_order_in_which_extras_are_given_does_not_matter(extras: Extras) -> None:
    assert Extras(dict(reversed(list(extras.items())))) == extras
    assert Extras(extras) == extras
    assert hash(Extras(dict(extras))) == hash(extras)


@given(strategies.extras(), strategies.objects())
def test_fields_are_added_to_what_a_dialect_said(extras: Extras, fields: dict[str, Any]) -> None:
    more = extras.having("anthropic", fields)
    assert more.of("anthropic") == {**extras.of("anthropic"), **fields}
    assert all(more[name] == extras[name] for name in extras if name != "anthropic")
    assert fields or more is extras


@given(strategies.extras())
def test_what_a_dialect_said_is_yours_to_change(extras: Extras) -> None:
    extras.of("anthropic")["something else"] = 1
    assert "something else" not in extras.of("anthropic")
    assert extras.of("a dialect that said nothing") == {}


def test_no_extras_are_one_value() -> None:
    assert to_extras({}) is NO_EXTRAS
    assert to_extras(NO_EXTRAS) is NO_EXTRAS
    assert Extras() == NO_EXTRAS == Extras({})
    assert not NO_EXTRAS


@pytest.mark.parametrize("value", [None, 5, "a", [("a", {})], object()])
def test_extras_are_made_of_a_mapping(value: object) -> None:
    with pytest.raises(TypeError, match="extras are a mapping from the name of a dialect to its fields"):
        to_extras(value)  # type: ignore[arg-type]
