"""What a program that makes a wrong word is told: TypeError or ValueError, and in which words.

The messages stand in errors.golden.txt; after a wanted change write them anew with CHATADT_UPDATE_GOLDEN=1, and read what differs.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given

from chatadt import strategies
from chatadt.error import show
from chatadt.json import Json

from .values import NAMESPACE

GOLDEN: Final = Path(__file__).parent / "errors.golden.txt"

WRONG: Final = """
Resource()
isinstance(1, Resource)
Content()
Message()

Resource.Ref("")
Resource.Ref(" ")
Resource.Ref(5)
Resource.Ref("https://example.org", "")
Resource.Ref("https://example.org", " ")
Resource.Ref("https://example.org", 5)
Resource.Ref("https://example.org", extras=5)
Resource.Ref("https://example.org", extras=None)
Resource.Binary("QUJ")
Resource.Binary("QUJDR")
Resource.Binary("QU=D")
Resource.Binary("=QUJ")
Resource.Binary("====")
Resource.Binary("Q===")
Resource.Binary("QUJD====")
Resource.Binary("QQ==QQ==")
Resource.Binary("QUJD\\n")
Resource.Binary("QUJD\\nQUJ")
Resource.Binary("QU-_")
Resource.Binary("QU D")
Resource.Binary("QU%3D")
Resource.Binary("QU\\u00e9D")
Resource.Binary("data:image/png;base64,QUJD")
Resource.Binary("QUJD", "")
Resource.Binary(5)
Resource.Binary(None)
Resource.Binary(bytearray(b"a"))
Resource.of("")
Resource.of("cat.png")
Resource.of("/home/ann/cat.png")
Resource.of("data:image/png;base64")
Resource.of("data:image/png;base64,QUJ")
Resource.of(5)
Resource.of(None)
Resource.of(bytearray(b"a"))

Content.Text(5)
Content.Text(None)
Content.Text("a", 5)
Content.Image("https://example.org/cat.png")
Content.Image(None)
Content.Image(Content.Text("a"))
Content.Image(Resource.Ref("urn:a"), "high")
Content.Audio(Resource.Ref("urn:a"), 5)
Content.PDF(b"%PDF-")
Content.File(Resource.Ref("urn:a"), 5)
Content.ToolRequest("1", "", {})
Content.ToolRequest("1", " \\t", {})
Content.ToolRequest("1", None, {})
Content.ToolRequest("1", 5, {})
Content.ToolRequest(None, "f", {})
Content.ToolRequest("1", "f", None)
Content.ToolRequest("1", "f", 5)
Content.ToolRequest("1", "f", [1])
Content.ToolRequest("1", "f", b"{}")
Content.ToolRequest("1", "f", {"a": {1, 2}})
Content.ToolRequest("1", "f", {"a": float("nan")})
Content.ToolRequest("1", "f", {1: 2})
Content.Custom(5, {})
Content.Custom("openai_chat", {1, 2})

Message.User(None)
Message.User(5)
Message.User(b"hi")
Message.User({})
Message.User(Content.Text("hi"))
Message.User([None])
Message.User(["a", None])
Message.User(["a", 5])
Message.User(["a", Content.ToolRequest("1", "f", {})])
Message.User([Content.Reasoning("hm")])
Message.User([Message.User("hi")])
Message.User("hi", 5)
Message.System([Content.Image(Resource.Ref("urn:a"))])
Message.System([None])
Message.Assistant(["a", "b", None])
Message.Assistant([Message.User("hi")])
Message.ToolResult("1", "f", [Content.ToolRequest("1", "f", {})])
Message.ToolResult(None, "f", "a")
Message.ToolResult(5, "f", "a")
Message.ToolResult("1", "", "a")
Message.ToolResult("1", " ", "a")
Message.ToolResult("1", 5, "a")
Message.ToolResult("1", "f", "a", "error")
Message.ToolResult("1", "f", "a", None)
Message.Custom({1, 2})
Message.Custom({}, 5)

Tool("")
Tool(" ")
Tool(None)
ToolChoice.One("")
ModelParams(tools=["f"])
ModelParams(tools=[Tool("f"), None])
History([5])
History("ab")
History([Message.User("hi"), None])
History().user("hi") + ["ho"]
ChatRequest(["hi"])
ChatRequest([Message.User("hi"), {"role": "user"}])

Json("")
Json("{")
Json("{'a': 1}")
Json("NaN")
Json("[Infinity]")
Json("1e999")
Json("[-1e999]")
Json("\\ufeff1")
Json("[" * 100_000 + "]" * 100_000)
Json(b"1")
Json({"a": 1})
Json.of({1, 2})
Json.of({1: 2})
Json.of([float("nan")])
Json.of({"a": float("inf")})
Json.of(b"a")
Json.of(object)
Extras({"anthropic": {1, 2}})
"""


def told(expression: str) -> str:
    try:
        value = eval(expression, dict(NAMESPACE))
    except (TypeError, ValueError) as error:
        # The address of an object, and the place where a repr is cut, are nobody's claim.
        message = re.sub(r" at 0x[0-9a-f]+", "", str(error))
        kind = "TypeError" if isinstance(error, TypeError) else "ValueError"
        return f"{expression}\n    {kind}: {message}\n"
    return f"{expression}\n    is taken: {value!r}\n"


def test_each_wrong_word_is_refused_in_the_words_of_the_golden_file() -> None:
    expressions = [line for line in WRONG.splitlines() if line]
    messages = [told(expression) for expression in expressions]
    assert [message for message in messages if "    is taken: " in message] == []
    text = "\n".join(messages)
    if os.environ.get("CHATADT_UPDATE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        ('Message.User(["a", "b", None])', "contents[2]"),
        ("Message.System([None])", "contents[0]"),
        ('Message.Assistant(["a", Message.User("b")])', "contents[1]"),
        ('Message.ToolResult("1", "f", [None])', "contents[0]"),
        ('Message.User(x for x in ["a", None])', "contents[1]"),
        ('ModelParams(tools=[Tool("f"), None])', "tools[1]"),
        ('ChatRequest([Message.User("a"), None])', "messages[1]"),
        ('History([Message.User("a"), None])', "messages[1]"),
        ('History() + [Message.User("a"), None]', "messages[1]"),
    ],
)
def test_what_is_wrong_among_many_is_named_by_its_index(expression: str, says: str) -> None:
    with pytest.raises(TypeError, match=re.escape(says)):
        eval(expression, dict(NAMESPACE))


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        ('Content.ToolRequest(None, "f", {})', "id"),
        ("Content.Custom(5, {})", "dialect"),
        ("Message.Custom({}, 5)", "dialect"),
        ('Content.Audio(Resource.Ref("urn:a"), 5)', "transcript"),
        ('Content.PDF(Resource.Ref("urn:a"), 5)', "name"),
        ("History(None)", "messages"),
        ("ChatRequest(None)", "messages"),
        ("ModelParams(stop=[5])", "stop"),
        ('ModelParams(tool_choice="auto")', "tool_choice"),
        ('ModelParams(temperature=float("nan"))', "temperature"),
        ('ModelParams(effort="high")', "effort"),
        ("ChatRequest([], None)", "params"),
        ('ChatResponse(Message.User("hi"))', "message"),
        ('Arguments.Malformed(5, "why")', "text"),
        ("Extras([5])", "mapping"),
        ("Extras({5: {}})", "dialect"),
        ('Tool("f", parameters=[1])', "parameters"),
        ('Thinking.Budget("5")', "tokens"),
        ('StopReason("end")', "kind"),
    ],
)
def test_a_wrong_field_is_named(expression: str, says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        eval(expression, dict(NAMESPACE))


def test_the_text_of_a_key_error_of_extras_is_the_dialect() -> None:
    with pytest.raises(KeyError, match="anthropic"):
        eval('Extras({"gemini": {}})["anthropic"]', dict(NAMESPACE))


@given(strategies.json())
def test_any_json_is_shown_as_a_person_reads_it(value: Any) -> None:
    whole = Json.of(value).text
    assert show(value) == (whole if len(whole) <= 60 else f"{whole[:60]}… ({len(whole)} characters)")


@pytest.mark.parametrize("value", [{1, 2}, {1: 2}, float("nan"), b"a", "\ud800"], ids=repr)
def test_what_is_no_json_is_shown_as_well(value: object) -> None:
    assert show(value)


def test_an_integer_that_python_does_not_write_is_shown_as_well() -> None:
    assert show(10**5_000)
    assert show([{"a": 10**5_000}])
