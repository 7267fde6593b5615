"""`loads` reads what `dumps` wrote as an equal word, and of that `dumps` writes the same bytes."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from attrs import has
from hypothesis import given, strategies as st
from returns.result import Success
from templates.parts import PARTS

from chatadt import strategies
from chatadt._converter import CONVERTER
from chatadt._template_converter import ALL_CASES, TEMPLATE_CASES
from chatadt.chat import (
    ChatRequest,
    ChatResponse,
    Choice,
    Metadata,
    ModelParams,
    ProviderError,
    ResponseFormat,
    StopKind,
    StopReason,
    Thinking,
    Usage,
)
from chatadt.codec import Document, document, dumps, loads
from chatadt.content import Arguments, Content
from chatadt.error import Unexpected
from chatadt.history import History
from chatadt.json import Json
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.templates import Binding, Template
from chatadt.tool import Tool, ToolChoice

from .documents import DOCUMENTS, KINDS, ODD_ARGUMENTS, rebuilt

kinds = pytest.mark.parametrize("kind", KINDS)


@kinds
@given(data=st.data())
def test_every_kind_of_word_comes_back(kind: str, data: st.DataObject) -> None:
    word = data.draw(KINDS[kind])
    assert loads(dumps(word)) == Success(word)
    assert loads(dumps(word).decode()) == Success(word)


@given(DOCUMENTS)
def test_what_came_back_is_of_the_same_class(word: Document) -> None:
    assert type(loads(dumps(word)).unwrap()) is type(word)


@given(DOCUMENTS)
def test_bytes_are_stable(word: Document) -> None:
    assert dumps(loads(dumps(word)).unwrap()) == dumps(word)


@given(DOCUMENTS)
def test_the_constructors_take_what_was_read(word: Document) -> None:
    """The fast path fills slots and calls no constructor; whatever it lets pass, they would have too."""
    read = loads(dumps(word)).unwrap()
    assert rebuilt(read) == read == word


@given(DOCUMENTS)
def test_it_is_json_in_utf_8(word: Document) -> None:
    written = dumps(word)
    assert Json(written.decode()) == document(word)


@given(ODD_ARGUMENTS)
def test_arguments_keep_their_text_and_their_reason(arguments: Arguments.T) -> None:
    request = Content.ToolRequest("1", "f", arguments)
    read = loads(dumps(request)).unwrap()
    assert isinstance(read, Content.ToolRequest)
    match arguments, read.arguments:
        case Arguments.Parsed(), Arguments.Parsed():
            assert read.arguments.json.text == arguments.json.text
        case _:
            assert read.arguments == arguments


def test_malformed_arguments_stand_as_their_text_unless_a_parser_would_say_something_else() -> None:
    def written(arguments: Arguments.T) -> Any:
        return document(Content.ToolRequest("1", "f", arguments)).value["arguments"]

    assert written(Arguments.of('{"a": ')) == '{"a": '
    assert written(Arguments.Malformed('{"a": ', "the answer was cut off")) == ['{"a": ', "the answer was cut off"]
    assert written(Arguments.Malformed("{}", "said twice")) == ["{}", "said twice"]
    assert written(Arguments.Malformed("", "said nothing")) == ["", "said nothing"]


@pytest.mark.parametrize("depth", [100, 300, 600])
def test_deep_json_comes_back(depth: int) -> None:
    value: Any = 1
    for _ in range(depth):
        value = {"a": [value]} if depth < 300 else [value]
    word = Content.Custom("nobody", Json.of(value))
    assert loads(dumps(word)) == Success(word)


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**40, 2**53 + 1, 1e300, -0.0, 5e-324])
def test_numbers_keep_every_digit(number: float) -> None:
    for word in (Content.Custom("nobody", Json.of([number])), Message.User("hi", extras={"nobody": {"n": number}})):
        assert loads(dumps(word)) == Success(word)


def test_an_integer_stays_one_and_so_does_a_float() -> None:
    for temperature in (1, 1.0):
        read = loads(dumps(ModelParams(temperature=temperature))).unwrap()
        assert isinstance(read, ModelParams)
        assert type(read.temperature) is type(temperature)


def test_extras_of_any_dialect_come_back() -> None:
    said = {"openai_chat": {"a": [1, None]}, "of nobody": {"": {"deep": [{}]}}, "": {"x": "\ud800"}}
    for word in (
        Message.User("hi", extras=said),
        Content.Text("hi", said),
        Resource.Ref("urn:a", extras=said),
        ModelParams(extras=said),
    ):
        read: Any = loads(dumps(word)).unwrap()
        assert read == word
        assert {name: value.value for name, value in read.extras.items()} == said


def test_defaults_are_left_out() -> None:
    assert dumps(Content.Text("hi")) == b'{"type":"text","text":"hi"}'
    assert dumps(History()) == b'{"chatadt":1,"messages":[]}'
    assert dumps(ChatRequest([])) == b'{"chatadt":1,"messages":[],"params":{}}'
    assert dumps(ChatResponse(Message.Assistant(""))) == (
        b'{"chatadt":1,"message":{"type":"assistant","contents":[{"type":"text","text":""}]},"metadata":{}}'
    )


def test_null_says_that_a_field_is_left_out() -> None:
    assert loads('{"type":"user","contents":[],"name":null,"extras":null}') == Success(Message.User([]))


def test_a_conversation_without_its_version_is_read() -> None:
    assert loads('{"messages":[]}') == Success(History())


def test_spacing_and_order_of_keys_do_not_matter() -> None:
    spaced = b' {"contents" : [ {"text": "h\\u0069", "type": "text"} ],\n "type":"user"} '
    assert loads(spaced) == loads(bytearray(spaced)) == Success(Message.User("hi"))


@pytest.mark.parametrize(
    "word", [None, 5, "hi", [Message.User("hi")], Thinking.Off(), ResponseFormat.Text(), Usage(), Arguments.of("{}"), Json("1")]
)
def test_what_is_no_document_is_the_programs_mistake(word: Any) -> None:
    with pytest.raises(TypeError, match=r"expected one of History, ChatRequest, .*, got "):
        dumps(word)


# Without the documents: one class at a time.

CLASSES: Any = {
    **strategies.MESSAGES,
    **strategies.CONTENTS,
    **strategies.TOOL_CHOICES,
    **strategies.RESPONSE_FORMATS,
    **strategies.THINKING,
    Resource.Ref: strategies.resources().filter(lambda found: isinstance(found, Resource.Ref)),
    Resource.Binary: strategies.resources().filter(lambda found: isinstance(found, Resource.Binary)),
    Tool: strategies.tools(),
    ModelParams: strategies.params(),
    Metadata: strategies.metadata(),
    Usage: strategies.metadata().map(lambda found: found.usage or Usage(input=1)),
    StopReason: st.builds(StopReason, st.sampled_from(StopKind), st.none() | st.text()),
    Choice: strategies.choices(),
    ProviderError: strategies.metadata().map(lambda found: found.error or ProviderError("no")),
    History: strategies.histories(),
    ChatRequest: strategies.chat_requests(),
    ChatResponse: strategies.chat_responses(),
    **{case: PARTS[case] for cases in TEMPLATE_CASES.values() for case in cases.values()},
    Binding: PARTS[Binding],
    Template: PARTS[Template],
}


@pytest.mark.parametrize("case", CLASSES, ids=lambda case: case.__qualname__)
@given(data=st.data())
def test_the_converter_structures_and_unstructures_each_class(case: type, data: st.DataObject) -> None:
    word = data.draw(CLASSES[case])
    wire = CONVERTER.unstructure(word)
    assert CONVERTER.structure(wire, case) == word
    assert CONVERTER.unstructure(CONVERTER.structure(wire, case)) == wire
    assert orjson.loads(Json.of(wire).text) is not None


def test_every_case_has_its_class_among_those() -> None:
    tagged = {case for cases in ALL_CASES.values() for case in cases.values()}
    assert {case.__qualname__ for case in tagged - set(CLASSES)} == {"ProviderTool"}
    assert all(has(case) for case in tagged)


@pytest.mark.parametrize(
    ("wire", "case"),
    [
        ({"type": "text", "text": 5}, Content.Text),
        ({"type": "text", "text": None}, Content.Text),
        ({"type": "text"}, Content.Text),
        ({"type": "text", "text": "hi", "colour": "red"}, Content.Text),
        ({"type": "auto", "extras": 5}, ToolChoice.Auto),
        ({"type": "budget", "tokens": 1.5}, Thinking.Budget),
        ({"type": "budget", "tokens": True}, Thinking.Budget),
        ({"temperature": "1"}, ModelParams),
        ({"stream": 1}, ModelParams),
        ([], Usage),
    ],
)
def test_the_converter_coerces_nothing(wire: Any, case: type) -> None:
    with pytest.raises(Unexpected):
        CONVERTER.structure(wire, case)
