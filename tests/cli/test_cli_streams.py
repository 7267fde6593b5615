"""`chatadt convert --kind stream`: an array of events, one a line, or server-sent events; what comes out has the same form."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from cli_bodies import COMMAND, MEASURE, invoke

from chatadt import DIALECTS, aws_events, ndjson, sse

BASE: Final[dict[str, Any]] = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
CHUNKS: Final[list[dict[str, Any]]] = [
    {**BASE, "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Hel"}, "finish_reason": None}]},
    {**BASE, "choices": [{"index": 0, "delta": {"content": "lo."}, "finish_reason": None}]},
    {**BASE, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    {**BASE, "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}},
]
TO_ANTHROPIC: Final = ("convert", "--kind", "stream", "--from", "openai_chat", "--to", "anthropic")
BACK: Final = ("convert", "--kind", "stream", "--from", "anthropic", "--to", "openai_chat")


def lines(events: list[Any]) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def text(events: list[Any]) -> str:
    """What a stream of Anthropic says."""
    return "".join(event["data"].get("delta", {}).get("text", "") for event in events)


def test_an_array_becomes_an_array() -> None:
    result = invoke(*TO_ANTHROPIC, input=json.dumps(CHUNKS, indent=2).encode())
    assert result.exit_code == 0
    assert text(json.loads(result.stdout)) == "Hello."


def test_arrays_one_a_line_become_arrays_one_a_line() -> None:
    result = invoke(*TO_ANTHROPIC, input=lines([CHUNKS, CHUNKS]))
    assert result.exit_code == 0
    assert [text(json.loads(line)) for line in result.stdout.splitlines()] == ["Hello.", "Hello."]


def test_events_one_a_line_are_one_stream_and_come_out_one_a_line() -> None:
    result = invoke(*TO_ANTHROPIC, input=b"\n" + lines(CHUNKS))
    assert result.exit_code == 0
    assert text([json.loads(line) for line in result.stdout.splitlines()]) == "Hello."


def test_server_sent_events_stay_server_sent_events() -> None:
    result = invoke(*TO_ANTHROPIC, input=b": hello\n\n" + b"".join(sse.encode(CHUNKS, done=True)))
    assert result.exit_code == 0
    events = list(sse.events([result.stdout_bytes]))
    assert text(events) == "Hello."
    assert b"[DONE]" not in result.stdout_bytes
    back = invoke(*BACK, input=result.stdout_bytes)
    assert back.exit_code == 0
    assert back.stdout_bytes.endswith(b"data: [DONE]\n\n")
    said = [choice["delta"].get("content", "") for event in sse.events([back.stdout_bytes]) for choice in event["choices"]]
    assert "".join(said) == "Hello."


def test_the_lines_of_ollama_become_lines_and_go_back() -> None:
    pieces: list[dict[str, Any]] = [{"message": {"content": "Hel"}}, {"message": {"content": "lo."}}, {"message": {}, "done": True}]
    told = [{"model": "m", "created_at": "t", "done": False, **piece} for piece in pieces]
    there = invoke("convert", "--kind", "stream", "--from", "ollama", "--to", "anthropic", input=b"".join(ndjson.encode(told)))
    assert there.exit_code == 0
    assert text(list(ndjson.events([there.stdout_bytes]))) == "Hello."
    back = invoke("convert", "--kind", "stream", "--from", "anthropic", "--to", "ollama", input=there.stdout_bytes)
    assert back.exit_code == 0
    events = list(ndjson.events([back.stdout_bytes]))
    assert "".join(event["message"]["content"] for event in events) == "Hello."
    assert [event["done"] for event in events][-1] is True


def test_a_line_that_is_no_json_is_named() -> None:
    result = invoke(*TO_ANTHROPIC, input=lines(CHUNKS[:2]) + b'{"a": }\n')
    assert result.exit_code == 1
    assert "line 3" in result.stderr


@pytest.mark.parametrize("kind", ["stream", "response"])
def test_what_is_no_such_body_is_a_failure_that_says_so(kind: str) -> None:
    result = invoke("convert", "--kind", kind, "--from", "openai_chat", "--to", "anthropic", input=b"5")
    assert result.exit_code == 1
    assert "got 5" in result.stderr


CONVERSE: Final[list[dict[str, Any]]] = [
    {"messageStart": {"role": "assistant"}},
    {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hel"}}},
    {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "lo."}}},
    {"contentBlockStop": {"contentBlockIndex": 0}},
    {"messageStop": {"stopReason": "end_turn"}},
]


def test_an_aws_event_stream_stays_one_at_home_and_is_server_sent_to_other_clients() -> None:
    framed = b"".join(aws_events.encode(CONVERSE))
    home = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "bedrock", input=framed)
    assert home.exit_code == 0
    assert list(aws_events.events([home.stdout_bytes])) == CONVERSE
    result = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "anthropic", input=framed)
    assert result.exit_code == 0
    assert text(list(sse.events([result.stdout_bytes]))) == "Hello."


def test_an_aws_event_stream_whose_bytes_are_broken_keeps_what_came_before() -> None:
    framed = bytearray(b"".join(aws_events.encode(CONVERSE)))
    framed[-3] ^= 1
    result = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "anthropic", input=bytes(framed))
    assert result.exit_code == 1
    assert "no event stream" in result.stderr
    events = list(sse.events([result.stdout_bytes]))
    assert text(events[:-1]) == "Hello."
    assert "no event stream" in json.dumps(events)


def test_bytes_that_only_begin_like_an_aws_event_stream_are_no_json() -> None:
    result = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "anthropic", input=bytes(40))
    assert result.exit_code == 1
    assert "not JSON" in result.stderr


def test_without_botocore_an_aws_event_stream_is_wrong_use_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "botocore.eventstream", None)
    framed = b"".join(aws_events.encode(CONVERSE))
    result = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "anthropic", input=framed)
    assert result.exit_code == 2
    assert "chatadt[bedrock]" in result.stderr


# How the target's server frames it.

BROKEN: Final = [{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}]
CLAUDE: Final[list[dict[str, Any]]] = [
    {
        "type": "message_start",
        "message": {"id": "m", "model": "c", "content": [], "usage": {"input_tokens": 5, "output_tokens": 1}},
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Hello."}},
    {"type": "content_block_stop", "index": 0},
]
ENDED: Final = [{"type": "message_delta", "delta": {"stop_reason": "end_turn"}}, {"type": "message_stop"}]
DONE: Final = b"data: [DONE]\n\n"


def from_claude(target: str, events: list[Any], *options: str, rest: bytes = b"") -> Any:
    command = ("convert", "--kind", "stream", "--from", "anthropic", "--to", target, "--policy", "lenient", *options)
    return invoke(*command, input=b": hello\n\n" + b"".join(sse.encode(events)) + rest)


@pytest.mark.parametrize("target", DIALECTS)
def test_server_sent_events_have_the_names_and_the_end_that_the_targets_server_gives_them(target: str) -> None:
    framing = DIALECTS[target].framing
    result = from_claude(target, [*CLAUDE, *ENDED])
    assert result.exit_code == 0
    assert (b"event: " in result.stdout_bytes) is framing.has_names
    assert (DONE in result.stdout_bytes) is (framing.terminator is not None)
    assert sum(b"Hello." in line for line in result.stdout_bytes.splitlines()) >= 1


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("broken", [[], CLAUDE, [*CLAUDE, *BROKEN]], ids=["says nothing", "breaks off", "fails"])
def test_a_stream_that_does_not_end_has_no_end(target: str, broken: list[Any]) -> None:
    assert b"[DONE]" not in from_claude(target, broken).stdout_bytes


@pytest.mark.parametrize("target", DIALECTS)
def test_on_demand_a_stream_goes_out_as_the_targets_server_sends_it(target: str) -> None:
    events = [*CLAUDE, *ENDED]
    read: Any = DIALECTS["anthropic"].read_stream
    write: Any = DIALECTS[target].write_stream
    expected = b"".join(DIALECTS[target].framing.encode(write(read(events))))
    assert from_claude(target, events, "--wire").stdout_bytes == expected
    command = ("convert", "--kind", "stream", "--from", "anthropic", "--to", target, "--policy", "lenient", "--wire")
    assert invoke(*command, input=lines(events)).stdout_bytes == expected


def test_an_array_of_events_has_no_framing() -> None:
    result = invoke(*TO_ANTHROPIC, "--wire", input=json.dumps(CHUNKS).encode())
    assert result.exit_code == 2
    assert "--wire" in result.stderr


def test_an_aws_event_stream_becomes_lines_for_ollama() -> None:
    framed = b"".join(aws_events.encode(CONVERSE))
    result = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "ollama", input=framed)
    assert "".join(json.loads(line)["message"]["content"] for line in result.stdout_bytes.splitlines()) == "Hello."


# What did not go well.


@pytest.mark.parametrize(
    "rest", [b'data: {"type": "message_stop"}', b'data: {"type": "message_stop"}\n', b"event: message_stop\nda"]
)
def test_an_event_that_the_end_cuts_off_is_told(rest: bytes, tmp_path: Path) -> None:
    result = from_claude("openai_chat", [*CLAUDE, ENDED[0]], "--losses", str(tmp_path / "losses"), rest=rest)
    assert result.exit_code == 1
    assert "the stream ends within an event" in result.stderr
    assert "message_stop" in result.stderr
    assert "Hello." in result.stdout
    assert any(json.loads(line)["error"] == "input" for line in (tmp_path / "losses").read_text().splitlines())


@pytest.mark.parametrize("rest", [b"data: [DONE]", b"data:[DONE]\n", b": bye", b"id: 7\n", b"retry: 5"])
def test_what_says_nothing_may_be_cut_off(rest: bytes) -> None:
    result = from_claude("openai_chat", [*CLAUDE, *ENDED], rest=rest)
    assert result.exit_code == 0
    assert "cut off" not in result.stderr


def test_a_frame_that_the_end_cuts_off_is_told() -> None:
    framed = b"".join(aws_events.encode(CONVERSE))[:-7]
    result = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "anthropic", input=framed)
    assert result.exit_code == 1
    assert "bytes of a frame" in result.stderr
    assert text(list(sse.events([result.stdout_bytes]))) == "Hello."


@pytest.mark.parametrize("form", ["server-sent events", "lines", "an array", "arrays one a line"])
@pytest.mark.parametrize("source", DIALECTS)
def test_a_stream_that_holds_a_providers_error_fails_as_an_answer_that_is_one_does(source: str, form: str, tmp_path: Path) -> None:
    write: Any = DIALECTS[source].write_stream
    read: Any = DIALECTS["anthropic"].read_stream
    events = list(write(read([*CLAUDE[:2], *BROKEN])))
    data = {
        "server-sent events": b"".join(sse.encode(events)),
        "lines": lines(events),
        "an array": json.dumps(events, indent=2).encode(),
        "arrays one a line": lines([events, events]),
    }[form]
    command = ("convert", "--kind", "stream", "--from", source, "--to", "anthropic", "--policy", "lenient")
    result = invoke(*command, "--losses", str(tmp_path / "losses"), input=data)
    assert result.exit_code == 1
    assert "got the provider's error: Overloaded" in result.stderr
    assert "Hello." in result.stdout  # what was said goes out all the same, and so does the error
    assert "Overloaded" in result.stdout
    refused = [json.loads(line) for line in (tmp_path / "losses").read_text().splitlines() if '"refused"' in line]
    assert [entry["line"] for entry in refused] == ([1, 2] if form == "arrays one a line" else [1])


# As it comes.


@pytest.mark.parametrize("framed", ["lines", "server-sent events"])
def test_an_event_goes_out_before_the_input_ends(framed: str) -> None:
    def told(chunk: Any) -> bytes:
        return lines([chunk]) if framed == "lines" else b"".join(sse.encode([chunk]))

    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*COMMAND, *TO_ANTHROPIC], **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for said, chunk in (("Hel", CHUNKS[0]), ("lo.", CHUNKS[1])):
            process.stdin.write(told(chunk))
            process.stdin.flush()
            assert any(said.encode() in line for line in iter(process.stdout.readline, b""))
        process.stdin.close()
        assert process.wait(30) == 0
        assert b"message_delta" not in process.stdout.read()  # nobody said that it ended


def test_an_aws_event_stream_goes_out_before_the_input_ends() -> None:
    command = (*COMMAND, "convert", "--kind", "stream", "--from", "bedrock", "--to", "anthropic")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for frame in list(aws_events.encode(CONVERSE))[:2]:
            process.stdin.write(frame)
            process.stdin.flush()
        assert any(b"Hel" in line for line in iter(process.stdout.readline, b""))
        process.stdin.close()
        assert process.wait(30) == 0


def stream_of(file: Path, count: int, *, framed: bool) -> Path:
    """A stream of so many chunks, with server-sent events or one a line."""
    chunk = {**BASE, "choices": [{"index": 0, "delta": {"content": "lorem ipsum "}, "finish_reason": None}]}
    piece = b"".join(sse.encode([chunk])) if framed else lines([chunk])
    with file.open("wb") as out:
        for _ in range(count // 1000):
            out.write(piece * 1000)
    return file


def peak(file: Path, target: str) -> int:
    """The most memory, in bytes, that the conversion of a stream takes."""
    asked = ("convert", "--kind", "stream", "--from", "openai_chat", "--to", target, str(file))
    code, most = subprocess.run([sys.executable, "-c", MEASURE, *COMMAND, *asked], capture_output=True, check=True).stdout.split()
    assert code == b"0"
    return int(most)


@pytest.mark.parametrize("framed", [False, True], ids=["lines", "server-sent events"])
def test_memory_does_not_grow_with_a_stream(framed: bool, tmp_path: Path) -> None:
    """Chunks of some 180 bytes: the larger stream has 15 MB more."""
    small, large = (stream_of(tmp_path / f"{count}", count, framed=framed) for count in (2_000, 82_000))
    assert large.stat().st_size - small.stat().st_size > 10_000_000
    assert peak(large, "openai_chat") - peak(small, "openai_chat") < 3_000_000


def test_a_line_that_is_no_json_does_not_stop_the_others() -> None:
    result = invoke(*TO_ANTHROPIC, input=lines(CHUNKS[:1]) + b"oops\n" + lines(CHUNKS[1:]))
    assert result.exit_code == 1
    assert result.stderr.startswith("line 2: not JSON")
    assert text([json.loads(line) for line in result.stdout.splitlines()]) == "Hello."


TWO: Final = [{**BASE, "choices": [{"index": index, "delta": {"content": said}}]} for index, said in enumerate("ab")]
"""Two choices, of which Anthropic has one: a loss of content."""


def test_a_loss_that_the_policy_does_not_allow_ends_the_stream_with_the_reason(tmp_path: Path) -> None:
    result = invoke(*TO_ANTHROPIC, "--losses", str(tmp_path / "losses"), input=lines(TWO))
    assert result.exit_code == 1
    assert "a further choice" in result.stderr
    (entry,) = [json.loads(line) for line in (tmp_path / "losses").read_text().splitlines() if "further" in line]
    assert (entry["error"], entry["what"], entry["weight"]) == ("lossy", "a further choice", "content")
    lenient = invoke(*TO_ANTHROPIC, "--policy", "lenient", input=lines(TWO))
    assert lenient.exit_code == 0
    assert "dropped a further choice at $.others[0]" in lenient.stderr


def test_losses_of_a_stream_go_to_their_file(tmp_path: Path) -> None:
    result = invoke(*TO_ANTHROPIC, "--policy", "lenient", "--losses", str(tmp_path / "losses"), input=lines(TWO))
    assert result.stderr == ""
    told = [json.loads(line) for line in (tmp_path / "losses").read_text().splitlines()]
    assert {"line": 1, "path": "$.others[0]", "error": None}.items() <= next(
        entry for entry in told if entry["what"] == "a further choice"
    ).items()


def test_an_object_of_several_lines_is_no_stream() -> None:
    result = invoke(*TO_ANTHROPIC, input=json.dumps(CHUNKS[0], indent=2).encode())
    assert result.exit_code == 1
    assert "expected a list of events" in result.stderr or "a list of events" in result.stderr


@pytest.mark.parametrize("blank", [b"", b"\n\n", b"\xef\xbb\xbf", b"  \r\n"])
def test_what_stands_before_a_stream_says_nothing(blank: bytes) -> None:
    for data in (lines(CHUNKS), b"".join(sse.encode(CHUNKS)), json.dumps(CHUNKS).encode()):
        result = invoke(*TO_ANTHROPIC, input=blank + data)
        assert result.exit_code == 0, (blank, data[:20])
        assert "Hel" in result.stdout
        assert "lo." in result.stdout


def test_a_reader_of_a_stream_that_has_gone_ends_it_quietly(tmp_path: Path) -> None:
    file = stream_of(tmp_path / "many", 50_000, framed=True)
    with subprocess.Popen([*COMMAND, *TO_ANTHROPIC, str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0


# Strict JSON, whatever frames it.

BAD: Final[dict[str, tuple[bytes, str]]] = {
    "a key twice": (
        b'{"choices": [], "choices": [{"index": 0, "delta": {"content": "hi"}}]}',
        "the key 'choices' stands twice at $",
    ),
    "a key twice, deeper": (b'{"choices": [{"index": 0, "index": 0}]}', "the key 'index' stands twice at $.choices[0]"),
    "NaN": (b'{"choices": [{"index": 0, "delta": {"content": "hi"}}], "x": NaN}', "NaN is not a JSON number at $.x"),
    "too large": (b'{"choices": [], "x": 1e999}', "beyond the largest number that a double holds at $.x"),
    "not UTF-8": (b'{"choices": [], "x": "\xff"}', "not UTF-8"),
    "no JSON": (b'{"choices": ]}', "not JSON"),
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("framed", ["lines", "server-sent events", "server-sent events with names"])
def test_json_is_read_strictly_in_every_frame_and_what_is_none_is_left_out(framed: str, bad: str, tmp_path: Path) -> None:
    def told(data: bytes) -> bytes:
        name = b"event: chunk\n" if framed.endswith("names") else b""
        return data + b"\n" if framed == "lines" else name + b"data: " + data + b"\n\n"

    data, why = BAD[bad]
    before, *after = (told(json.dumps(chunk).encode()) for chunk in CHUNKS)
    result = invoke(*TO_ANTHROPIC, "--losses", str(tmp_path / "losses"), input=b"".join((before, told(data), *after)))
    line = before.count(b"\n") + 1 + framed.endswith("names")
    assert result.exit_code == 1
    assert why in result.stderr
    assert result.stderr.startswith(f"line {line}: ")
    (entry,) = [each for each in map(json.loads, (tmp_path / "losses").read_text().splitlines()) if each["error"]]
    assert (entry["error"], entry["line"]) == ("input", line)
    events = [json.loads(each) for each in result.stdout.splitlines()] if framed == "lines" else sse.events([result.stdout_bytes])
    assert text(list(events)) == "Hello."


def test_data_of_several_lines_tells_the_line_that_is_wrong() -> None:
    result = invoke(*TO_ANTHROPIC, input=b': hello\n\ndata: {"choices":\ndata: []]}\n\n')
    assert result.exit_code == 1
    assert result.stderr.startswith("line 4: not JSON")


def test_server_sent_data_that_is_blank_says_nothing() -> None:
    result = invoke(*TO_ANTHROPIC, input=b"event: ping\ndata:\n\ndata:  \n\n" + b"".join(sse.encode(CHUNKS)))
    assert result.exit_code == 0
    assert text(list(sse.events([result.stdout_bytes]))) == "Hello."
