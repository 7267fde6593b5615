"""`loads` answers whatever it is given, bytes or text, and never raises; what it refuses it refuses at a place that is there."""

from __future__ import annotations

import json
import re
import sys
import threading
from typing import Any, Final

import orjson
import pytest
from hypothesis import example, given, strategies as st
from hypothesis.strategies import SearchStrategy
from returns.pipeline import is_successful
from returns.result import Failure, Success

from chatadt.codec import Document, dumps, loads
from chatadt.content import Content
from chatadt.error import ConversionError, show
from chatadt.history import History
from chatadt.json import parse
from chatadt.message import Message

from .documents import DOCUMENTS, USUAL, broken, broken_once, rebuilt, text


def problems(data: bytes | str) -> tuple[str, ...]:
    """What is wrong with it, nothing if it is read; whatever is read could have been constructed."""
    match loads(data):
        case Success(word):
            assert rebuilt(word) == word
            return ()
        case Failure(ConversionError.Unreadable("chatadt", found)):
            assert found
            assert all(problem.path.startswith("$") for problem in found)
            return tuple(str(problem) for problem in found)
        case other:
            raise AssertionError(other)


@given(st.binary() | st.text() | st.text(st.characters()))
@example(b"")
@example("")
@example(b" \n")
@example(b"\xff")
@example(b"\xed\xa0\x80")
@example('"\ud800"')
@example("\x00")
def test_any_bytes_and_any_text_are_answered(data: bytes | str) -> None:
    problems(data)


KEYS: Final = (
    *(
        "chatadt",
        "messages",
        "message",
        "params",
        "metadata",
        "tool",
        "tool_choice",
        "type",
        "contents",
        "text",
        "resource",
        "image",
    ),
    *(
        "detail",
        "toolRequests",
        "mimeType",
        "uri",
        "content",
        "id",
        "name",
        "arguments",
        "extras",
        "dialect",
        "value",
        "attributes",
    ),
)
TAGS: Final = ("system", "user", "assistant", "tool", "custom", "text", "image", "audio", "file", "tool_request", "ref", "binary")


def objects(values: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(KEYS), values, max_size=4)


NESTED: Final = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.text(max_size=2) | st.sampled_from(TAGS),
    lambda inner: st.lists(inner, max_size=3) | objects(inner),
    max_leaves=12,
)
TAGGED: Final = st.builds(lambda tag, rest: {**rest, "type": tag}, st.sampled_from(TAGS), objects(NESTED))


@given(NESTED | TAGGED | st.lists(TAGGED, max_size=3) | st.builds(dict, messages=st.lists(TAGGED, max_size=3)))
def test_any_json_with_the_words_of_the_format_is_answered(value: Any) -> None:
    problems(text(value))


@given(DOCUMENTS, st.data())
def test_a_document_broken_in_one_place_is_answered(word: Document, data: st.DataObject) -> None:
    problems(text(data.draw(broken_once(parse(dumps(word))))))


@given(DOCUMENTS, st.data())
def test_a_document_that_was_cut_off_is_refused(word: Document, data: st.DataObject) -> None:
    written = dumps(word)
    assert problems(written[: data.draw(st.integers(0, len(written) - 1))])


@given(DOCUMENTS, st.data())
def test_a_document_with_one_byte_changed_is_answered(word: Document, data: st.DataObject) -> None:
    written = bytearray(dumps(word))
    written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.integers(0, 255))
    problems(bytes(written))


@pytest.mark.parametrize(
    "data",
    [
        "\ufeff[]",
        b"\xef\xbb\xbf[]",
        "[]".encode("utf-16"),
        b'{"type":"text","text":"\xff"}',
        '{"type":"text","text":NaN}',
        "[1e999]",
        "-",
    ],
)
def test_what_is_not_json_is_refused_at_the_root(data: bytes | str) -> None:
    assert [found.startswith("expected JSON, got text that is not (") and found.endswith(" at $") for found in problems(data)] == [
        True
    ]


@pytest.mark.parametrize("depth", [200, 1_000, 10_000, 100_000])
@pytest.mark.parametrize(
    ("head", "inner", "tail"),
    [
        ("", "[]", ""),
        ('{"type":"user","contents":', "[]", "}"),
        ("", '{"type":"image","image":}', ""),
        ("", '{"messages":[{"type":"user","contents":]}]}', ""),
        ('{"type":"text","text":"","extras":{"x":', "[]", "}}"),
        ('{"type":"custom","attributes":', '{"a":}', "}"),
    ],
)
def test_deep_nesting_is_answered(depth: int, head: str, inner: str, tail: str) -> None:
    cut = max(inner.find(":}"), inner.find(":]")) + 1 or 1
    problems(head + inner[:cut] * depth + inner[cut:] * depth + tail)
    problems(head + inner[:cut] * depth)


def test_it_answers_where_little_of_the_stack_is_left() -> None:
    data = text({"messages": [{"type": "user", "contents": [{"type": "custom", "dialect": "x", "value": [[[[1]]]]}]}]})
    answers: list[bool] = []

    def deeper(left: int) -> None:
        if left:
            deeper(left - 1)
        else:
            answers.append(is_successful(loads(data)))

    for left in range(12, 60):
        answering = threading.Thread(target=deeper, args=(sys.getrecursionlimit() - left,))
        answering.start()
        answering.join()
    assert set(answers) == {True, False}


def test_a_text_of_50_megabytes_is_read() -> None:
    word = Content.Text("x" * 50_000_000)
    assert loads(dumps(word)) == Success(word)


def test_a_conversation_of_many_messages_is_read() -> None:
    history = History([Message.User(str(at)) for at in range(20_000)])
    assert loads(dumps(history)) == Success(history)


@pytest.mark.parametrize("data", [None, 5, ["x"], {"messages": []}])
def test_what_is_neither_bytes_nor_text_is_the_programs_mistake(data: Any) -> None:
    with pytest.raises(TypeError, match="loads takes bytes or text, got "):
        loads(data)


# A key that stands twice.


def repeating(value: Any, at: int) -> tuple[str, str, str] | None:
    """The text of `value` in which the `at`-th key (from 0, in the order of the text) stands twice; its path and the key."""
    count = -1
    found: list[tuple[str, str]] = []

    def write(here: Any, path: str) -> str:
        nonlocal count
        if isinstance(here, list):
            return f"[{','.join(write(item, f'{path}[{index}]') for index, item in enumerate(here))}]"
        if not isinstance(here, dict):
            return json.dumps(here)
        members: list[str] = []
        for key, item in here.items():
            count += 1
            if count == at:
                found.append((path, key))
                members.append(f"{json.dumps(key)}:null")
            members.append(f"{json.dumps(key)}:{write(item, f'{path}.{key}')}")
        return f"{{{','.join(members)}}}"

    written = write(value, "$")
    return (written, *found[0]) if found else None


@given(DOCUMENTS, st.integers(0, 20))
def test_a_key_that_stands_twice_is_refused_with_its_path(word: Document, at: int) -> None:
    repeated = repeating(parse(dumps(word)), at)
    if repeated is not None:
        written, path, key = repeated
        assert problems(written) == (f"expected each key once, got {show(key)} twice at {path}",)


@pytest.mark.parametrize(
    "document",
    [
        '{"type":"text","text":"lost","text":"kept"}',
        '{"type":"text","text":"lost","te\\u0078t":"kept"}',
        '{"type":"text","text":"lost: colon","text":"kept"}',
        '{"type":"text","text":"lost","text":"kept\\u003a"}',
        '{"type":"text","text":"lost","text":"kept\\u003A"}',
        '{ "type" : "text", "text" : "lost", "text" : "kept" }',
        '{"type":"text","text":"same","text":"same"}',
        '{"type":"text","text":"a","extras":{"x":{"n":123456789012345678901234567890}},"text":"b"}',
    ],
)
def test_no_spelling_hides_a_key_that_stands_twice(document: str) -> None:
    assert problems(document) == problems(document.encode()) == ('expected each key once, got "text" twice at $',)


def test_each_key_that_stands_twice_is_named() -> None:
    document = '{"messages":[{"type":"user","type":"user","contents":[{"type":"text","text":"a","text":"b"}]}],"messages":[]}'
    assert problems(document) == (
        'expected each key once, got "messages" twice at $',
        'expected each key once, got "type" twice at $.messages[0]',
        'expected each key once, got "text" twice at $.messages[0].contents[0]',
    )


@given(DOCUMENTS)
def test_no_key_is_said_to_stand_twice_that_does_not(word: Document) -> None:
    value = parse(dumps(word))
    for spelt in (json.dumps(value), json.dumps(value, indent=1), json.dumps(value, ensure_ascii=False).replace(":", ": ")):
        assert not any("each key once" in problem for problem in problems(spelt))


# Where it is wrong.


@pytest.mark.parametrize("word", USUAL, ids=lambda word: type(word).__name__)
def test_every_problem_is_at_a_place_of_the_document(word: Document) -> None:
    for other in broken(orjson.loads(dumps(word))):
        for problem in problems(text(other)):
            here, steps = other, re.findall(r"\.(\w+)|\[(\d+)\]", problem.rpartition(" at $")[2])
            for key, at in steps[:-1]:
                here = here[key] if key else here[int(at)]
            assert not steps or isinstance(here, dict if steps[-1][0] else list)
