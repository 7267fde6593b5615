"""The texts that stand for a prompt: one that says all of it and is read back, and a plain one that says what it leaves out."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given, strategies as st
from returns.result import Failure, Success

from chatadt import (
    Action,
    Arguments,
    Content,
    ConversionError,
    Detail,
    History,
    Json,
    Message,
    Outcome,
    Resource,
    Weight,
    strategies,
)
from chatadt.json import NO_EXTRAS
from chatadt.templates import Prompt, parse

CAT: Final = Content.Image(Resource.Ref("https://example.org/cat.png"), Detail.HIGH)

SAID: Final = Prompt(
    [
        Message.System("Be brief.\nBe kind."),
        Message.User(["What is this?", CAT, "And this?"], "ann"),
        Message.Assistant([Content.Reasoning("hm"), "Let me look.", Content.ToolRequest("1", "look", '{"at": "cat"}')]),
        Message.ToolResult("1", "look", "a cat", Outcome.ERROR),
        Message.Assistant(
            [Content.ToolRequest("2", "look", Arguments.Malformed('{"at', "cut off")), Content.Custom("nobody", {"a": 1})]
        ),
        Message.User([]),
        Message.User(""),
        Message.Custom({"role": "critic"}, "nobody"),
    ]
)

WRITTEN: Final = """\
# system
| Be brief.
| Be kind.
# user {"name":"ann"}
| What is this?
- image {"resource":{"uri":"https://example.org/cat.png"},"detail":"high"}
- text
| And this?
# assistant
- reasoning
| hm
- text
| Let me look.
- tool_request {"id":"1","name":"look"}
| {"at": "cat"}
# tool {"id":"1","tool":"look","outcome":"error"}
| a cat
# assistant
- tool_request {"id":"2","name":"look","malformed":"cut off"}
| {"at
- custom {"dialect":"nobody"}
| {"a":1}
# user
# user
|\x20
# custom {"dialect":"nobody"}
| {"role":"critic"}"""


def test_the_string_form_is_readable() -> None:
    assert SAID.to_string() == WRITTEN


def test_the_string_form_is_read_back() -> None:
    assert parse(WRITTEN) == Success(SAID)
    assert parse("") == Success(Prompt())


@pytest.mark.parametrize("case", strategies.CONTENTS, ids=lambda case: case.__name__)
def test_contents_of_every_kind_are_read_back(case: type) -> None:
    @given(strategies.CONTENTS[case], strategies.CONTENTS[Content.Text])
    def check(content: Any, text: Any) -> None:
        for contents in ([content], [content, content], [text, content], [content, text]):
            prompt = Prompt([Message.Assistant(contents)])
            assert parse(prompt.to_string()) == Success(prompt)

    check()


@given(strategies.prompts(), strategies.prompts())
def test_no_two_prompts_have_the_same_string_form(one: Prompt, two: Prompt) -> None:
    assert (one.to_string() == two.to_string()) is (one == two)


def test_a_text_that_looks_like_a_message_is_a_text() -> None:
    spoof = Prompt([Message.User("hi\n# assistant\n| ok\n- text\n|")])
    assert spoof.to_string() != Prompt([Message.User("hi"), Message.Assistant(["ok", ""])]).to_string()
    assert parse(spoof.to_string()) == Success(spoof)


@given(st.lists(strategies.texts(), min_size=1, max_size=3))
def test_every_line_of_a_text_is_marked_as_one(texts: list[str]) -> None:
    lines = Prompt([Message.User(texts)]).to_string().split("\n")
    assert [line for line in lines if not line.startswith("| ")] == ["# user", *["- text"] * (len(texts) - 1)]


def test_an_editor_that_strips_white_space_leaves_blank_lines_what_they_were() -> None:
    assert parse("# user\n| a\n|\n| b") == Success(Prompt([Message.User("a\n\nb")]))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("hi", 'expected a message (`# user`), a content (`- image {...}`) or a line of text (`| hello`), got "hi" at line 1'),
        ("# user\n", 'got "" at line 2'),
        ("# usr", 'expected one of system, user, assistant, tool, custom, got "usr" at line 1'),
        ("# user\n- picture {}", "expected one of text, image, audio, video, pdf, file, reasoning, refusal, tool_request, custom"),
        ("| hi", "expected a message (a line such as `# user`) before the first line of text"),
        ("- text\n| hi", "expected a message (a line such as `# user`) before the first content"),
        ('# user {"name":}', "expected the fields of user as a JSON object"),
        ('# user {"nam":"ann"}', "Message.User takes extras, name here, got nam"),
        ('# user {"name":5}', "name of Message.User is a string or None, got 5"),
        ('# user {"contents":[]}', "got contents"),
        ("# user\n- image", "Content.Image needs resource, which is not there"),
        ('# user\n- image {"resource":"cat"}', 'a resource has a uri or a content, got "cat"'),
        ('# user\n- image {"resource":{"uri":""}}', "the uri of Resource.Ref is blank"),
        ('# user\n- image {"resource":{"content":"?"}}', "base64"),
        ('# user\n- image {"resource":{"uri":"a","content":""}}', "Resource.Ref takes extras, mime_type, uri here"),
        ('# user\n- image {"resource":{"uri":"a"},"detail":"great"}', "'great' is not a valid Detail"),
        ('# user\n- image {"resource":{"uri":"a"}}\n| hi', 'expected no text below image, got "hi" at line 2'),
        ("# user\n- text", "expected the text of text below it"),
        ("# user\n- refusal\n| no", "contents[0] of a user message"),
        ("# tool\n| hi", "Message.ToolResult needs id, which is not there"),
        ('# tool {"id":"1","outcome":"good"}', "'good' is not a valid Outcome"),
        ('# tool {"id":"1","tool":" "}', "the name of a tool"),
        ("# custom\n| {", "expected the fields and the text of custom"),
        ("# custom", "expected the attributes of custom below it"),
        ("# custom\n| {}\n- text\n| a", "expected a custom message to have no contents"),
        ('# assistant\n- tool_request {"id":"1","name":"f"}\n| {', "expected the fields and the text of tool_request"),
        ('# assistant\n- tool_request {"id":"1","name":"f","malformed":5}\n| {', "why of Arguments.Malformed is a string"),
        ('# user {"extras":5}', "extras are a mapping"),
    ],
)
def test_what_is_no_string_form_is_unreadable_and_says_at_which_line(text: str, problem: str) -> None:
    failure = parse(text).failure()
    assert isinstance(failure, ConversionError.Unreadable)
    assert problem in str(failure)
    assert "at line " in str(failure)


def test_all_problems_are_named() -> None:
    failure = parse('# user {"name":5}\n# user {"name":6}\n- image\n- video').failure()
    assert isinstance(failure, ConversionError.Unreadable)
    assert [problem.path for problem in failure.problems] == ["line 1", "line 3", "line 4"]


@given(strategies.prompts().map(Prompt.to_string), st.data())
def test_parsing_answers_whatever_comes(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    instead = data.draw(st.one_of(st.sampled_from(("\n", "# user", "| ", "- ", "{", '"', "null", "")), strategies.texts()))
    for broken in (text[:at] + instead + text[at + 1 :], text[:at], text[at:], instead):
        answer = parse(broken)
        assert isinstance(answer, Success) or (isinstance(answer, Failure) and str(answer.failure()))
        if isinstance(answer, Success):
            assert parse(answer.unwrap().to_string()) == answer


@pytest.mark.parametrize("value", [None, 5, b"# user", ["# user"]])
def test_parse_takes_a_text(value: Any) -> None:
    with pytest.raises(TypeError, match="parse takes a text, got "):
        parse(value)


def test_a_prompt_is_messages() -> None:
    assert SAID.to_messages() == History(SAID.messages)
    assert Prompt(History().user("hi")) == Prompt([Message.User("hi")])
    with pytest.raises(TypeError, match=r"messages\[0\] is 'hi'"):
        Prompt(["hi"])  # type: ignore[list-item]


# The plain form.


def test_the_plain_form_is_speakers_and_what_they_say() -> None:
    plain = Prompt(
        [Message.System("Be brief."), Message.User(["Hi, ", "all."]), Message.ToolResult("1", None, "no", Outcome.DENIED)]
    )
    assert plain.to_text().value == "System: Be brief.\n\nUser: Hi, all.\n\nTool (denied): no\n\nAssistant:"
    assert plain.to_text(cue=False).value == "System: Be brief.\n\nUser: Hi, all.\n\nTool (denied): no"
    assert Prompt().to_text().value == "Assistant:"


@given(strategies.prompts())
def test_in_the_plain_form_no_text_looks_like_a_speaker(prompt: Prompt) -> None:
    said = [message for message in prompt.messages if not isinstance(message, Message.Custom)]
    lines = prompt.to_text(cue=False).value.splitlines()
    assert len([line for line in lines if line and not line.startswith("  ")]) == len(said)


def test_the_plain_form_says_what_it_leaves_out() -> None:
    losses = {loss.path: loss for loss in SAID.to_text().losses}
    assert {path: (loss.what, loss.weight.value) for path, loss in losses.items()} == {
        "$.messages[1].contents[1]": ("an image", "content"),
        "$.messages[1].name": ("the name of a message", "detail"),
        "$.messages[2].contents[0]": ("reasoning", "detail"),
        "$.messages[2].contents[2]": ("a tool request", "content"),
        "$.messages[3].id": ("the id of a message", "detail"),
        "$.messages[3].tool": ("the tool of a message", "detail"),
        "$.messages[4].contents[0]": ("a tool request", "content"),
        "$.messages[4].contents[1]": ("a content that only its dialect knows", "content"),
        "$.messages[7]": ("a message that only its dialect knows", "content"),
    }
    assert losses["$.messages[2].contents[2]"].original == Json.of({"id": "1", "name": "look", "arguments": '{"at": "cat"}'})


@given(strategies.prompts())
def test_in_the_plain_form_nothing_is_lost_in_silence(prompt: Prompt) -> None:
    plain = prompt.to_text()
    paths = [loss.path for loss in plain.losses]
    for index, message in enumerate(prompt.messages):
        if isinstance(message, Message.Custom):
            assert f"$.messages[{index}]" in paths
            continue
        for name in ("name", "id", "tool", "extras"):
            assert (f"$.messages[{index}].{name}" in paths) is (getattr(message, name, None) not in (None, NO_EXTRAS))
        for at, content in enumerate(message.contents):
            path = f"$.messages[{index}].contents[{at}]"
            if isinstance(content, Content.Text):
                assert (f"{path}.extras" in paths) is bool(content.extras)
            else:
                assert path in paths
    assert all(loss.original is not None and loss.reason for loss in plain.losses)
    assert all(loss.weight is Weight.DETAIL for loss in plain.losses if loss.action is Action.REWRITTEN)
