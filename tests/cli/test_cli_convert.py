"""`chatadt convert`: forms, losses, failures and exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_bodies import AUDIO, CALLS, SAME, SEED, TO_ANTHROPIC, asking, invoke, lines, run

from chatadt.cli import _convert
from chatadt.cli._convert import Kind
from chatadt.convert import KINDS, convert as real


def values(text: str) -> list[Any]:
    return [json.loads(line) for line in text.split("\n")[:-1]]


def texts(result: Any) -> list[str]:
    """The text of the first message of each output."""
    return [body["messages"][0]["content"] for body in values(result.stdout)]


def test_json_lines_become_json_lines() -> None:
    result = invoke(*TO_ANTHROPIC, input=lines(asking("one"), asking("two")))
    assert result.exit_code == 0
    assert values(result.stdout) == [real(asking(text), "openai_chat", "anthropic").unwrap().value for text in ("one", "two")]
    assert result.stderr == ""


def test_a_document_becomes_a_document() -> None:
    result = invoke(*SAME, input=json.dumps(CALLS, indent=4).encode())
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == CALLS
    assert result.stdout.startswith('{\n  "model"')


def test_a_file_and_standard_input_are_read_alike(tmp_path: Path) -> None:
    file = tmp_path / "body.jsonl"
    file.write_bytes(lines(asking()))
    named = invoke(*SAME, str(file))
    assert named.exit_code == 0
    assert named.stdout == invoke(*SAME, "-", input=lines(asking())).stdout == invoke(*SAME, input=lines(asking())).stdout != ""


def test_a_form_can_be_forced() -> None:
    document = json.dumps(asking(), indent=1).encode()
    assert invoke(*SAME, "--json", input=document).exit_code == 0
    as_lines = invoke(*SAME, "--jsonl", input=document)
    assert as_lines.exit_code == 1
    assert "line 1: not JSON" in as_lines.stderr
    as_document = invoke(*SAME, "--json", input=lines(asking(), asking()))
    assert as_document.exit_code == 1
    assert as_document.stderr == "line 2: not JSON: Extra data at column 1\n"


def test_marks_blank_lines_and_carriage_returns_are_passed_over() -> None:
    text = b"\xef\xbb\xbf" + lines(asking("one")).replace(b"\n", b"\r\n") + b"\r\n\r\n" + lines(asking("two"))
    result = invoke(*SAME, input=text)
    assert (result.exit_code, texts(result)) == (0, ["one", "two"])


@pytest.mark.parametrize("command", [SAME, ("check", "--as", "openai_chat"), ("show",)])
@pytest.mark.parametrize("text", [b"", b"\n", b" \r\n\t", b"\xef\xbb\xbf"])
def test_empty_input_is_bad_input_and_an_empty_file_of_lines_is_none(command: tuple[str, ...], text: bytes) -> None:
    result = invoke(*command, input=text)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "not JSON: the input is empty\n")
    forced = invoke(*command, "--jsonl", input=text)
    assert (forced.exit_code, forced.stdout, forced.stderr) == (0, "", "")
    assert invoke(*command, "--json", input=text).exit_code == 1


def test_a_detail_is_reported_with_its_line_and_path() -> None:
    result = invoke(*TO_ANTHROPIC, input=lines(asking(), SEED))
    assert result.exit_code == 0
    assert len(values(result.stdout)) == 2
    assert result.stderr.startswith("line 2: dropped ")
    assert "seed" in result.stderr


def test_of_a_document_no_line_is_named() -> None:
    result = invoke(*TO_ANTHROPIC, input=json.dumps(SEED, indent=1).encode())
    assert result.stderr.startswith("dropped ")


@pytest.mark.parametrize(
    ("policy", "codes"),
    [("strict", (0, 1, 1)), ("faithful", (0, 0, 1)), ("lenient", (0, 0, 0))],
    ids=["strict", "faithful", "lenient"],
)
def test_the_policy_decides_which_losses_fail(policy: str, codes: tuple[int, ...]) -> None:
    for body, code in zip((asking(), SEED, AUDIO), codes, strict=True):
        result = invoke(*TO_ANTHROPIC, "--policy", policy, input=lines(body))
        assert result.exit_code == code
        assert bool(result.stdout) == (code == 0)


ORPHAN = asking(messages=[{"role": "user", "content": "hi"}, {"role": "tool", "tool_call_id": "x", "content": "y"}])


def test_repair_mends_what_the_target_would_refuse() -> None:
    refused = invoke(*TO_ANTHROPIC, input=lines(ORPHAN))
    assert refused.exit_code == 1
    assert "line 1: anthropic would refuse this" in refused.stderr
    mended = invoke(*TO_ANTHROPIC, "--repair", "--policy", "lenient", input=lines(ORPHAN))
    assert mended.exit_code == 0
    assert "line 1: " in mended.stderr


def test_the_model_reaches_the_conversion(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []

    def convert(*arguments: Any, **options: Any) -> Any:
        seen.append(options)
        return real(*arguments, **options)

    monkeypatch.setattr(_convert, "convert", convert)
    assert invoke(*TO_ANTHROPIC, "--model", "claude-opus-4-1", "--repair", input=lines(asking())).exit_code == 0
    assert [(options["model"], options["repair"]) for options in seen] == [("claude-opus-4-1", True)]


BAD: dict[str, tuple[bytes, str]] = {
    "not JSON": (b"hello\n", "line 2: not JSON: Expecting value"),
    "cut off": (b'{"messages": [{"role": "us\n', "line 2: not JSON: Unterminated string"),
    "not UTF-8": (b'{"a": "\xff"}\n', "line 2: not UTF-8"),
    "NaN": (b'{"messages": [], "top_p": NaN}\n', "line 2: NaN is not a JSON number at $.top_p"),
    "a huge number": (b'{"messages": [], "top_p": 1e999}\n', "at $.top_p"),
    "a key twice": (
        b'{"messages": [{"role": "user", "role": "tool", "content": ""}]}\n',
        "line 2: the key 'role' stands twice at $.messages[0]",
    ),
    "10,000 levels": (b'{"messages":' + b"[" * 10_000 + b"]" * 10_000 + b"}\n", "line 2: nested too deeply"),
    "a result without its call": (
        b'{"messages": [{"role": "tool", "tool_call_id": "a", "content": "b"}]}\n',
        "line 2: openai_chat would refuse this",
    ),
    "the wrong shape": (
        lines(asking({"a": 1})),
        "line 2: cannot read openai_chat: expected ",
    ),
    "no object": (b"5\n", "line 2: cannot read openai_chat: expected "),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_one_bad_line_is_reported_and_the_others_go_on(text: bytes, message: str) -> None:
    result = invoke(*SAME, input=lines(asking("one")) + text + lines(asking("three")))
    assert result.exit_code == 1
    assert texts(result) == ["one", "three"]
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_a_bad_first_line_does_not_stop_the_others(text: bytes, message: str) -> None:
    result = invoke(*SAME, input=text + lines(asking("two"), asking("three")))
    assert result.exit_code == 1
    assert texts(result) == ["two", "three"]
    assert message.replace("line 2", "line 1") in result.stderr


def test_the_message_names_the_path_within_the_body() -> None:
    result = invoke(*SAME, input=lines(asking(messages=[{"role": "user", "content": "a"}, {"role": "user", "content": 5}])))
    assert "$.messages[1].content" in result.stderr


def test_unusual_values_come_out_as_they_went_in() -> None:
    text = (
        '{"model":"m","messages":[{"role":"user","content":"x\u2028y"}],"seed":2}\n'.encode()
        + b'{"model":"m","messages":[{"role":"user","content":"z"}],"metadata":{"n":123456789012345678901234567890}}\n'
        + b'{"model":"m","messages":[{"role":"user","content":"deep"}],"metadata":'
        + b'{"a":' * 300
        + b"1"
        + b"}" * 301
        + b"\n"
    )
    result = invoke(*SAME, input=text)
    assert (result.exit_code, result.stderr) == (0, "")
    assert values(result.stdout) == [json.loads(line) for line in text.split(b"\n")[:-1]]


def test_a_string_of_50_megabytes_is_converted_among_others() -> None:
    result = run(*SAME, input=lines(asking("one"), asking("x" * 50_000_000), asking("three")))
    assert (result.returncode, result.stderr) == (0, b"")
    assert [len(json.loads(line)["messages"][0]["content"]) for line in result.stdout.splitlines()] == [3, 50_000_000, 5]


def test_a_failure_of_the_library_itself_is_reported_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:

    def convert(body: Any, *arguments: Any, **options: Any) -> Any:
        return 1 / 0 if body["messages"][0]["content"] == "two" else real(body, *arguments, **options)

    monkeypatch.setattr(_convert, "convert", convert)
    result = invoke(*SAME, input=lines(asking("one"), asking("two"), asking("three")))
    assert (result.exit_code, texts(result)) == (1, ["one", "three"])
    assert result.stderr.startswith("line 2: chatadt itself failed, please report it with this input: ZeroDivisionError")


def test_losses_and_failures_go_to_a_file_of_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "losses.jsonl"
    result = invoke(*TO_ANTHROPIC, "--losses", str(file), input=lines(asking(), SEED, AUDIO, b"{oops\n", asking(5), ORPHAN))
    assert result.exit_code == 1
    assert len(values(result.stdout)) == 2
    entries = values(file.read_text())
    keys = {"line", "path", "what", "action", "original", "reason", "weight", "error"}
    assert all(set(entry) == keys for entry in entries)
    assert all(entry["path"].startswith("$") and entry["what"] and entry["reason"] for entry in entries)
    assert [(entry["line"], entry["action"], entry["weight"], entry["error"]) for entry in entries] == [
        (2, "dropped", "detail", None),
        (3, "dropped", "content", "lossy"),
        (4, "failed", "content", "input"),
        (5, "failed", "content", "unreadable"),
        (6, "failed", "content", "invalid"),
    ]
    assert entries[0]["original"] == 7
    assert entries[4]["path"] == "$.messages[1]"
    told = result.stderr.split("\n")
    assert [line[:7] for line in told if line.startswith("line ")] == ["line 3:", "line 4:", "line 5:", "line 6:"]


def test_a_file_of_losses_is_empty_where_nothing_was_lost(tmp_path: Path) -> None:
    file = tmp_path / "losses.jsonl"
    file.write_text("old")
    assert invoke(*SAME, "--losses", str(file), input=lines(asking())).exit_code == 0
    assert file.read_text() == ""


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "no dialects": (("convert",), "Missing option"),
    "an unknown source": (("convert", "--from", "open_ai", "--to", "anthropic"), "did you mean openai_chat?"),
    "an unknown dialect to check as": (("check", "--as", "klingon"), "Invalid value for --as"),
    "an unknown target": (("convert", "--from", "anthropic", "--to", "klingon"), "Known: "),
    "no such file": ((*SAME, "/no/such/file"), "No such file or directory"),
    "a folder": ((*SAME, "/"), "Is a directory"),
    "two forms": ((*SAME, "--json", "--jsonl"), "not both"),
    "an unknown policy": ((*SAME, "--policy", "careless"), "careless"),
    "an unknown option": ((*SAME, "--quick"), "--quick"),
    "losses among the results": ((*SAME, "--losses", "-"), "name a file"),
    "losses to nowhere": ((*SAME, "--losses", "/no/such/folder/file"), "No such file or directory"),
    "an unknown kind": ((*SAME, "--kind", "poem"), "poem"),
    "no such command": (("konvert",), "konvert"),
    "check without a dialect": (("check",), "Missing option"),
    "check with an unknown dialect": (("check", "--as", "klingon"), "klingon"),
    "show with an unknown dialect": (("show", "--from", "klingon"), "klingon"),
    "an unknown dialect to see": (("dialects", "klingon"), "klingon"),
}


@pytest.mark.parametrize(("arguments", "message"), WRONG.values(), ids=WRONG)
def test_wrong_use_is_explained_with_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    result = invoke(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.replace("│", " ").split())


ANSWER: dict[str, Any] = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}],
}

CHUNK: dict[str, Any] = {
    "id": "1",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": "stop"}],
}


def test_the_kinds_that_are_not_converted_yet_are_named() -> None:
    for kind in Kind:
        body: Any = {Kind.REQUEST: asking(), Kind.RESPONSE: ANSWER, Kind.STREAM: [CHUNK]}[kind]
        result = invoke(*SAME, "--kind", kind.value, input=lines(body))
        assert result.exit_code == (0 if kind.value in KINDS else 2)
        if kind.value not in KINDS:
            assert f"this version converts {', '.join(KINDS)}" in " ".join(result.stderr.replace("│", " ").split())


def test_the_input_is_not_overwritten_with_its_losses(tmp_path: Path) -> None:
    file = tmp_path / "body.jsonl"
    file.write_bytes(lines(asking()))
    assert invoke(*SAME, "--losses", str(file), str(file)).exit_code == 2
    assert file.read_bytes() == lines(asking())


def test_control_characters_in_a_message_do_not_reach_the_terminal() -> None:
    result = invoke(*SAME, input=b'{"\x1b[31m": 1}\n{"\\u001b[31m": 1, "\\u001b[31m": 2}\n{"messages": "\\u009b31m"}\n')
    assert result.exit_code == 1
    assert not {"\x1b", "\x9b"} & set(result.stderr)


def test_a_lone_surrogate_goes_home_as_the_escape_that_it_was() -> None:
    line = b'{"messages":[{"role":"user","content":"a\\ud800"}]}\n'
    result = invoke(*SAME, input=line)
    assert result.exit_code == 0
    assert result.stdout_bytes == line
