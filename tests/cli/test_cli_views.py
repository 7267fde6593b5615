"""`chatadt check`, `chatadt show` and `chatadt dialects`; and that no input makes any command raise."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from cli_bodies import CALLS, SAME, asking, invoke, lines
from hypothesis import given, strategies as st
from rich.console import Console

import chatadt
from chatadt.chat import ChatRequest, ChatResponse, Metadata, ModelParams, StopKind, StopReason, Usage
from chatadt.check import check
from chatadt.cli import _check
from chatadt.cli._show import lines as shown_lines, render
from chatadt.codec import Document, dumps
from chatadt.content import Arguments, Content, Detail
from chatadt.dialects import DIALECTS
from chatadt.error import Severity, Violation
from chatadt.history import History
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.tool import ProviderTool, Tool, ToolChoice

ORPHAN = asking(messages=[{"role": "user", "content": "hi"}, {"role": "tool", "tool_call_id": "x", "content": "y"}])


def test_check_is_silent_about_what_the_provider_takes() -> None:
    result = invoke("check", "--as", "openai_chat", input=lines(CALLS))
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_check_prints_the_rule_the_path_and_what_would_make_it_right() -> None:
    result = invoke("check", "--as", "openai_chat", input=lines(asking(), ORPHAN))
    violations = check(DIALECTS["openai_chat"].read_request(ORPHAN).unwrap(), DIALECTS["openai_chat"])
    assert result.exit_code == 1
    assert result.stdout == "".join(f"line 2: error: {violation}\n" for violation in violations)
    for violation in violations:
        assert violation.rule in result.stdout
        assert violation.path in result.stdout
        assert violation.fix in result.stdout


def test_check_reads_one_dialect_and_checks_for_another() -> None:
    body = asking(messages=[{"role": "system", "content": "Be brief."}])
    assert invoke("check", "--as", "openai_chat", input=lines(body)).exit_code == 0
    assert invoke("check", "--as", "anthropic", "--from", "openai_chat", input=lines(body)).exit_code == 1


def test_check_reports_what_it_cannot_read_and_goes_on() -> None:
    result = invoke("check", "--as", "openai_chat", input=lines(asking(5), ORPHAN))
    assert result.exit_code == 1
    assert result.stderr.startswith("line 1: cannot read openai_chat")
    assert result.stdout.startswith("line 2: error: ")


def test_a_warning_is_printed_and_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    warning = Violation("some_rule", "$.messages[0]", "it is odd", "make it even", Severity.WARNING)
    monkeypatch.setattr(_check, "check", lambda *arguments, **options: (warning,))
    result = invoke("check", "--as", "openai_chat", input=lines(asking()))
    assert (result.exit_code, result.stdout) == (
        0,
        "line 1: warning: it is odd at $.messages[0]: make it even (rule some_rule)\n",
    )


EXPECTED = """\
model gpt-5, max_output_tokens 10
tools look
system
  Be brief.
user (Ann)
  What is this?
  [image] image/png, 8 bytes, detail high
assistant
  [calls] look  (id call_1)
    {
      "at": "Köln"
    }
result of look: ok  (id call_1)
  a cathedral
assistant
  A cathedral.
"""


def test_show_prints_a_conversation_of_a_dialect() -> None:
    result = invoke("show", "--from", "openai_chat", input=json.dumps(CALLS, indent=1).encode())
    assert (result.exit_code, result.stdout, result.stderr) == (0, EXPECTED, "")


def test_show_reads_the_library_s_own_json_by_default() -> None:
    request = DIALECTS["openai_chat"].read_request(CALLS).unwrap()
    result = invoke("show", input=dumps(request))
    assert result.exit_code == 0
    assert result.stdout.endswith(EXPECTED.partition("system")[2])


def test_show_parts_the_records_of_json_lines_and_goes_on_after_a_bad_one() -> None:
    result = invoke("show", "--from", "openai_chat", input=lines(asking("one"), b"oops\n", asking("three")))
    assert result.exit_code == 1
    assert "─ line 1 ─" in result.stdout
    assert "─ line 3 ─" in result.stdout
    assert "line 2: not JSON" in result.stderr


def test_show_prints_text_as_it_is_and_spells_out_what_would_steer_the_terminal() -> None:
    text = "[bold]no markup[/bold] \x1b[31mred\x1b[0m \x07 \x9b2J" + " long" * 100 + "\n\n  two lines down"
    result = invoke("show", "--from", "openai_chat", "--json", input=json.dumps(asking(text)).encode())
    assert (
        "  [bold]no markup[/bold] \\x1b[31mred\\x1b[0m \\x07 \\x9b2J" + " long" * 100 + "\n\n    two lines down\n" in result.stdout
    )


def seen(shown: Document, *, width: int | None = None) -> str:
    out = io.StringIO()
    render(Console(file=out, width=width, force_terminal=width is not None, color_system=None), shown_lines(shown))
    return out.getvalue()


NOTES = {"anthropic": {"signature": "x" * 1000, "$spelling": 1}}
PICTURE = Resource.Ref("https://example.com/a.png", extras=NOTES)

SHOWN: dict[str, tuple[Document, str]] = {
    "a history": (History().user("hi").assistant("ho"), "user\n  hi\nassistant\n  ho\n"),
    "no messages": (History(), "(no messages)\n"),
    "a failed call": (Message.ToolResult("1", None, "no", Outcome.DENIED), "result of a tool: denied  (id 1)\n  no\n"),
    "a custom message": (
        Message.Custom({"a": 1}, "cohere"),
        'a message that only cohere knows\n  {"a":1}\n',
    ),
    "what a model thought, said and refused": (
        Message.Assistant([Content.Reasoning("hm", NOTES), Content.Text("so", NOTES), Content.Refusal("no")], extras=NOTES),
        (
            "assistant\n  [reasoning] hm\n    also signature (anthropic)\n  so\n    also signature (anthropic)\n  [refusal] no\n"
            "  also signature (anthropic)\n"
        ),
    ),
    "media by reference": (
        Message.User(
            [
                Content.Image(PICTURE, Detail.LOW),
                Content.Audio(Resource.Ref("https://example.com/a.mp3", "audio/mpeg"), "la la"),
                Content.Video(Resource.Ref("gs://films/a.mp4")),
            ]
        ),
        (
            "user\n  [image] https://example.com/a.png, detail low\n    also signature (anthropic)\n"
            "  [audio] audio/mpeg, https://example.com/a.mp3\n    [transcript] la la\n  [video] gs://films/a.mp4\n"
        ),
    ),
    "media by value, with their size": (
        Message.User(
            [
                Content.PDF(Resource.Binary(b"%PDF-" + b"x" * 12_340, "application/pdf"), "a.pdf"),
                Content.File(Resource.Binary(b"x" * 7_000_001)),
                Content.Image(Resource.Binary(b"x")),
            ]
        ),
        "user\n  [PDF] application/pdf, 12.3 kB, a.pdf\n  [file] of unknown type, 7.0 MB\n  [image] of unknown type, 1 byte\n",
    ),
    "a long data URL": (
        Message.User([Content.Image(Resource.Ref("data:image/png;base64," + "A" * 5000))]),
        "user\n  [image] data:image/png;base64," + "A" * 178 + "… (5022 characters)\n",
    ),
    "a custom block and broken arguments": (
        Message.Assistant(
            [Content.Custom("gemini", {"a": 1}), Content.ToolRequest("1", "f", Arguments.Malformed('{"a', "cut off"))]
        ),
        'assistant\n  [only gemini knows] {"a":1}\n  [calls] f  (id 1)\n    {"a\n    not JSON: cut off\n',
    ),
    "a request with its parameters": (
        ChatRequest(
            History().user("hi"),
            ModelParams(
                model="m",
                temperature=0.0,
                tools=[Tool("f"), ProviderTool("anthropic", {"type": "web_search"})],
                tool_choice=ToolChoice.Required(),
                extras={"openai_chat": {"store": True}},
            ),
        ),
        (
            'model m, tool_choice ToolChoice.Required(), temperature 0.0\ntools f, {"type":"web_search"} of anthropic\n'
            "also store (openai_chat)\nuser\n  hi\n"
        ),
    ),
    "an answer with its metadata": (
        ChatResponse(
            Message.Assistant("hi"),
            Metadata(model="m", usage=Usage(input=3, output=4), stop=StopReason(StopKind.END, "stop")),
        ),
        "assistant\n  hi\nmodel m, usage input 3 output 4, stop end\n",
    ),
}


@pytest.mark.parametrize(("conversation", "text"), SHOWN.values(), ids=SHOWN)
def test_show_has_a_line_for_everything(conversation: Document, text: str) -> None:
    assert seen(conversation) == text


def test_on_a_terminal_long_lines_are_set_in() -> None:
    assert seen(Message.User("one two three four"), width=12) == "user\n  one two   \n  three four\n"


def test_dialects_lists_what_each_can_say() -> None:
    result = invoke("dialects")
    assert result.exit_code == 0
    for dialect in DIALECTS.values():
        assert dialect.name in result.stdout
        assert all(says.kind in result.stdout for says in dialect.rules.capabilities)


def test_dialects_tells_what_becomes_of_the_rest() -> None:
    result = invoke("dialects", "anthropic")
    assert result.exit_code == 0
    assert all(says.how in result.stdout for says in DIALECTS["anthropic"].rules.capabilities)


def test_dialects_prints_json() -> None:
    listed = json.loads(invoke("dialects", "--json").stdout)
    assert [dialect["name"] for dialect in listed] == list(DIALECTS)
    for dialect in listed:
        capabilities = DIALECTS[dialect["name"]].rules.capabilities
        assert [(says["kind"], says["user"], says["how"]) for says in dialect["says"]] == [
            (says.kind, says.user.value, says.how) for says in capabilities
        ]
    assert [dialect["name"] for dialect in json.loads(invoke("dialects", "--json", "anthropic").stdout)] == ["anthropic"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["user", "text", "tool"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "messages", "type", "text", "id"]) | st.text(max_size=3), inner, max_size=4
        )
    ),
    max_leaves=10,
)
INPUTS = st.binary(max_size=50) | st.lists(
    VALUES.map(lambda value: asking(value) if isinstance(value, list) else value), max_size=3
).map(lambda values: b"".join(json.dumps(value).encode() + b"\n" for value in values))


@given(INPUTS, st.sampled_from([SAME, ("check", "--as", "anthropic"), ("show",), ("show", "--from", "openai_chat")]))
def test_no_input_makes_a_command_raise(text: bytes, command: tuple[str, ...]) -> None:
    result: Any = invoke(*command, input=text)
    assert result.exit_code in (0, 1)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "chatadt itself failed" not in result.stderr


def test_show_points_to_the_dialect_where_the_input_is_no_json_of_its_own() -> None:
    result = invoke("show", input=lines(CALLS))
    assert result.exit_code == 1
    assert "for a provider's body say --from D" in result.stderr


def test_the_version_is_told() -> None:
    result = invoke("--version")
    assert (result.exit_code, result.stdout) == (0, f"chatadt {chatadt.__version__}\n")
