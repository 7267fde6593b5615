"""Arguments of a tool request: JSON keeps its text, text that is no JSON stays visible as such."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from hypothesis import given, strategies as st

from chatadt import strategies
from chatadt.content import NO_ARGUMENTS, Arguments, Content
from chatadt.json import Json

TEXTS = ['{"a":1}', '{ "a" : 1 }', '{"a":1,"a":2}', "[1, 2]", "5", '"x"', "null", "true", "-0.0", "123456789012345678901234567890"]


@pytest.mark.parametrize("text", TEXTS)
def test_json_text_is_kept_to_the_letter(text: str) -> None:
    match Arguments.of(text):
        case Arguments.Parsed(json):
            assert json.text == text
        case Arguments.Malformed(_, why):
            pytest.fail(why)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u00a0"])
def test_blank_text_means_no_arguments(text: str) -> None:
    assert Arguments.of(text) is NO_ARGUMENTS
    assert NO_ARGUMENTS.json.value == {}


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"a"',
        '{"a":1',
        '{"a":1}}',
        "{'a':1}",
        "{a:1}",
        '{"a":1} ok',
        "NaN",
        '{"a":NaN}',
        "1e999",
        "hello",
        "\ufeff{}",
        "[" * 100_000,
        '"\\',
    ],
    ids=lambda text: text[:12],
)
def test_text_that_is_no_json_is_malformed_and_kept_to_the_letter(text: str) -> None:
    match Arguments.of(text):
        case Arguments.Malformed(kept, why):
            assert kept == text
            assert why
        case Arguments.Parsed(json):
            pytest.fail(repr(json))


@pytest.mark.parametrize("value", [{}, {"a": [1, {"b": None}]}, MappingProxyType({"a": 1})])
def test_a_mapping_is_parsed(value: dict[str, object]) -> None:
    assert Arguments.of(value) == Arguments.Parsed(Json.of(dict(value)))


@pytest.mark.parametrize("arguments", [Arguments.Parsed(Json("[1]")), Arguments.Malformed("{", "cut off"), NO_ARGUMENTS])
def test_arguments_are_themselves(arguments: Arguments.T) -> None:
    assert Arguments.of(arguments) is arguments
    assert Content.ToolRequest("1", "f", arguments).arguments is arguments


def test_a_document_is_parsed() -> None:
    document = Json("{ }")
    assert Arguments.of(document) == Arguments.Parsed(document)


@pytest.mark.parametrize("value", [None, 5, 5.0, True, [1], (1,), b"{}", object(), {1, 2}])
def test_anything_else_is_a_type_error_that_shows_it(value: object) -> None:
    with pytest.raises(TypeError, match="arguments are a mapping, JSON text or Arguments"):
        Arguments.of(value)  # type: ignore[arg-type]


@given(st.text())
def test_every_text_has_arguments(text: str) -> None:
    match Arguments.of(text):
        case Arguments.Parsed(json):
            assert json.text == text or not text.strip()
        case Arguments.Malformed(kept, _):
            assert kept == text


@given(strategies.objects())
def test_a_mapping_says_the_same_as_its_json(value: dict[str, object]) -> None:
    assert Arguments.of(value) == Arguments.of(Json.of(value).text) == Arguments.of(Json.of(value))


@given(strategies.objects())
def test_a_mapping_is_copied(value: dict[str, object]) -> None:
    arguments = Arguments.of(value)
    before = hash(arguments)
    value["something else"] = 1
    assert hash(arguments) == before
