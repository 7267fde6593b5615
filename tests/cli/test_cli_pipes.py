"""The command as a process among others: pipes that break, Ctrl-C, closed streams, full disks, terminals, memory."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_bodies import AUDIO, COMMAND, MEASURE, SAME, TO_ANTHROPIC, asking, lines, run

from chatadt.cli._terminal import PATIENCE

LINE = lines(asking("x" * 1000))


@pytest.mark.parametrize("module", ["typer", "rich"])
def test_without_the_extra_the_command_says_which_one_to_install(module: str) -> None:
    program = f"import sys; sys.modules['{module}'] = None; from chatadt.cli import main; main()"
    result = subprocess.run([sys.executable, "-c", program, "dialects"], capture_output=True, check=False)
    assert (result.returncode, result.stdout) == (2, b"")
    told = f"the chatadt command needs {module}, which comes with the extra `cli`: pip install 'chatadt[cli]'\n"
    assert result.stderr.decode() == told


def test_the_library_itself_needs_no_extra() -> None:
    program = "import chatadt, sys; print(sorted({'typer', 'rich'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout == b"[]\n"


def test_the_exit_code_says_how_it_went() -> None:
    assert run(*SAME, input=LINE).returncode == 0
    assert run(*SAME, input=LINE + b"oops\n").returncode == 1
    assert run(*SAME, "/no/such/file").returncode == 2


@pytest.mark.parametrize("command", [SAME, ("show", "--from", "openai_chat")], ids=["convert", "show"])
def test_a_reader_that_has_gone_ends_it_quietly(command: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_bytes(LINE * 5_000)
    with subprocess.Popen([*COMMAND, *command, str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0


def test_a_reader_of_messages_that_has_gone_ends_it_quietly(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_bytes(b"oops\n" * 200_000)
    process = subprocess.Popen([*COMMAND, *SAME, str(file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"line 1: not JSON: Expecting value at column 1\n"
        process.stdout.close()
        assert process.wait(30) in (0, 1)


def test_the_shell_pipe_of_the_issue_is_quiet(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_bytes(LINE * 2_000)
    script = f"{' '.join(COMMAND)} {' '.join(SAME)} {file} | head -1"
    result = subprocess.run(["bash", "-o", "pipefail", "-c", script], capture_output=True, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.count(b"\n") == 1


def test_ctrl_c_ends_it_quietly() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*COMMAND, *SAME], **pipes, preexec_fn=_as_in_a_terminal) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"oops\n")
        process.stdin.flush()
        assert process.stderr.readline().startswith(b"line 1: ")  # it is at work
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr.read() == b""


def _as_in_a_terminal() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # what runs in the background of a shell is started with it ignored


def test_lines_from_a_pipe_are_dealt_with_as_they_come() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*COMMAND, *TO_ANTHROPIC], **pipes) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        for number in (1, 2, 3):
            process.stdin.write(lines(AUDIO))
            process.stdin.flush()
            assert process.stderr.readline().startswith(f"line {number}: ".encode())
        process.stdin.close()
        assert process.wait(30) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_said_without_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    file.write_bytes(LINE * 100)
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run([*COMMAND, *SAME, str(file)], stdout=full, stderr=subprocess.PIPE, check=False)
    assert result.returncode == 1
    assert result.stderr == b"cannot go on: [Errno 28] No space left on device\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-", ">&- 2>&-"])
def test_what_cannot_be_read_or_written_where_a_stream_is_closed_has_failed(closed: str) -> None:
    script = f"{' '.join(COMMAND)} {' '.join(SAME)} {closed}"
    result = subprocess.run(["bash", "-c", script], input=LINE, capture_output=True, timeout=60, check=False)
    assert result.returncode == 1
    said = b"not JSON: the input is empty\n" if "<" in closed else b"cannot go on: standard output is closed\n"
    assert result.stderr == (b"" if "2>" in closed else said)


def test_a_closed_standard_error_takes_nothing_from_the_results() -> None:
    script = f"{' '.join(COMMAND)} {' '.join(SAME)} 2>&-"
    good, bad = (
        subprocess.run(["bash", "-c", script], input=text, capture_output=True, timeout=60, check=False)
        for text in (LINE, LINE + b"oops\n")
    )
    assert (good.returncode, bad.returncode) == (0, 1)
    assert good.stdout == bad.stdout != b""


def test_a_narrow_encoding_of_standard_output_is_no_obstacle() -> None:
    body = lines(asking("Köln \ud83c\udff0".encode("utf-16", "surrogatepass").decode("utf-16")))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    shown = subprocess.run(
        [*COMMAND, "show", "--from", "openai_chat"], input=body, env=environment, capture_output=True, timeout=60, check=False
    )
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert b"K\\xf6ln" in shown.stdout


def test_without_a_terminal_there_is_no_bar_and_no_colour() -> None:
    result = run(*SAME, input=LINE * 3 + b"oops\n")
    assert b"\x1b" not in result.stderr + result.stdout
    assert b"\x1b" not in run("show", "--from", "openai_chat", input=LINE).stdout


def test_on_a_terminal_a_bar_appears_when_it_takes_long() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen([*COMMAND, *SAME], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=theirs, env=environment)
    os.close(theirs)
    with process:
        assert process.stdin is not None
        for text, answer in ((b"oops\n", "line 1: not JSON"), (LINE, "2 read"), (b"oops\n", "line 3: not JSON")):
            process.stdin.write(text)
            process.stdin.flush()
            said = _until(answer, ours)
            assert ("━" in said) == (answer == "2 read") or answer == "line 3: not JSON"  # the bar may be drawn before or after it
            time.sleep(PATIENCE)
        process.stdin.close()
        assert process.wait(30) == 1
    os.close(ours)


def _until(answer: str, terminal: int) -> str:
    """What is said to a terminal up to an answer; waits for it at most half a minute."""
    said = b""
    while answer.encode() not in said:
        ready, _, _ = select.select([terminal], [], [], 30)
        assert ready, f"no {answer!r} after {said!r}"
        said += os.read(terminal, 4096)
    return said.decode(errors="replace")


def test_on_a_terminal_no_bar_appears_for_a_moment() -> None:
    ours, theirs = pty.openpty()
    subprocess.run([*COMMAND, *SAME], input=LINE + b"oops\n", stdout=subprocess.DEVNULL, stderr=theirs, timeout=60, check=False)
    os.close(theirs)
    assert os.read(ours, 4096) == b"line 2: not JSON: Expecting value at column 1\r\n"
    os.close(ours)


def peak(file: Path) -> int:
    """The most memory, in bytes, that a conversion of the file takes; every line of it is converted."""
    command = [sys.executable, "-c", MEASURE, *COMMAND, *TO_ANTHROPIC, str(file)]
    code, most = subprocess.run(command, capture_output=True, check=True).stdout.split()
    assert code == b"0"
    return int(most)


def grown(file: Path, size: int) -> Path:
    """A JSON Lines file of about so many bytes."""
    bodies = [lines(asking(f"{number} " + "lorem ipsum " * (1 + number % 400))) for number in range(1000)]
    total = sum(map(len, bodies))
    with file.open("wb") as out:
        for _ in range(-(-size // total)):
            out.writelines(bodies)
    return file


def test_memory_does_not_grow_with_the_input(tmp_path: Path) -> None:
    small, large = grown(tmp_path / "small.jsonl", 1_000_000), grown(tmp_path / "large.jsonl", 20_000_000)
    assert peak(large) - peak(small) < 8_000_000


@pytest.mark.deep
def test_100_megabytes_of_json_lines_take_less_than_200_megabytes(tmp_path: Path) -> None:
    assert peak(grown(tmp_path / "large.jsonl", 100_000_000)) < 200_000_000


def test_a_line_in_the_middle_of_many_is_numbered_right(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_bytes(LINE * 3_000 + b'{"messages": 5}\n' + LINE * 3_000)
    result = run(*SAME, str(file))
    assert result.returncode == 1
    assert result.stderr.startswith(b"line 3001: cannot read openai_chat")
    assert result.stdout.count(b"\n") == 6_000
    assert json.loads(result.stdout.splitlines()[-1]) == asking("x" * 1000)
