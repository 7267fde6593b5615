"""The peers, each in a process of its own beside chatadt, in an environment of their own.

`python -m benchmarks.peers NAME` runs inside that environment and prints JSON; `ask` builds the environment and runs it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import orjson

from benchmarks.corpus import CONVERSATIONS, openai_lines, own_lines
from benchmarks.measure import ROUNDS, Candidate, Ratio, measure
from benchmarks.work import across, missing, own_to, parse_and_write

HERE: Final = Path(__file__).resolve().parent
ENVIRONMENT: Final = HERE / ".venv"
REQUIREMENTS: Final = HERE / "requirements-peers.txt"
MODEL: Final = "claude-sonnet-4-5"
OURS: Final = "chatadt: OpenAI -> Anthropic"
FLOOR: Final = "orjson loads + dumps"


@dataclass(frozen=True)
class Row:
    """How many times as long as chatadt a peer took for the same conversations, and how many times the floor."""

    name: str
    times_ours: Ratio
    times_floor: Ratio
    note: str = ""


@dataclass(frozen=True)
class Report:
    """What one peer's process answered, or why there is nothing."""

    peer: str
    version: str = ""
    rows: tuple[Row, ...] = ()
    ours_times_floor: Ratio | None = None
    failure: str = ""


# --- the peers: this part runs in their environment ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Peer:
    """A distribution to name, and its ways to do the work; `notes` say per way what favours or burdens it."""

    distribution: str
    prepare: Callable[[Sequence[bytes]], Mapping[str, Candidate]]
    notes: Mapping[str, str]


def _litellm(lines: Sequence[bytes]) -> Mapping[str, Candidate]:
    from litellm.litellm_core_utils.prompt_templates.factory import anthropic_messages_pt

    def work(line: bytes) -> bytes:
        messages = orjson.loads(line)["messages"]
        system = [message["content"] for message in messages if message["role"] == "system"]
        rest = [message for message in messages if message["role"] != "system"]
        return orjson.dumps({"system": system, "messages": anthropic_messages_pt(rest, MODEL, "anthropic")})

    return {"litellm anthropic_messages_pt": Candidate(work, lines)}


def _langchain(lines: Sequence[bytes]) -> Mapping[str, Candidate]:
    from langchain_anthropic.chat_models import _format_messages
    from langchain_core.messages import content, convert_to_messages

    shipped = content._get_data_content_block_types
    types = shipped()

    @contextmanager
    def cached() -> Iterator[None]:
        content._get_data_content_block_types = lambda: types
        try:
            yield
        finally:
            content._get_data_content_block_types = shipped

    def work(line: bytes) -> bytes:
        system, messages = _format_messages(convert_to_messages(orjson.loads(line)["messages"]), model=MODEL)
        return orjson.dumps({"system": system, "messages": messages})

    return {
        "LangChain _format_messages, as shipped": Candidate(work, lines),
        "LangChain _format_messages, type hints cached": Candidate(work, lines, cached),
    }


def _pydantic_ai(lines: Sequence[bytes]) -> Mapping[str, Candidate]:
    from pydantic_ai.messages import ModelMessagesTypeAdapter
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    model = AnthropicModel(MODEL, provider=AnthropicProvider(api_key="none"))
    parameters = ModelRequestParameters()
    read, write = ModelMessagesTypeAdapter.validate_json, model._map_message

    def work(line: bytes) -> bytes:
        system, messages = _run(write(read(line), parameters, {}))
        return orjson.dumps({"system": system, "messages": messages})

    return {"pydantic-ai, its JSON -> Anthropic": Candidate(work, tuple(_pydantic_ai_history(line) for line in lines))}


def _pydantic_ai_history(line: bytes) -> bytes:
    """The conversation as pydantic-ai would have stored it; made before the clock starts."""
    from pydantic_ai import messages as words

    moment = datetime(2026, 1, 1, tzinfo=UTC)
    history: list[words.ModelMessage] = []
    names: dict[str, str] = {}
    for message in orjson.loads(line)["messages"]:
        match message:
            case {"role": "assistant"}:
                calls = message.get("tool_calls", ())
                names |= {call["id"]: call["function"]["name"] for call in calls}
                text = [words.TextPart(message["content"])] if message["content"] else []
                tools = [words.ToolCallPart(call["function"]["name"], call["function"]["arguments"], call["id"]) for call in calls]
                history.append(words.ModelResponse([*text, *tools], timestamp=moment))
            case {"role": role, "content": content}:
                part: words.ModelRequestPart
                if role == "system":
                    part = words.SystemPromptPart(content, timestamp=moment)
                elif role == "user":
                    part = words.UserPromptPart(_pydantic_ai_prompt(content), timestamp=moment)
                else:
                    told = content if isinstance(content, str) else "".join(item["text"] for item in content)
                    part = words.ToolReturnPart(names[message["tool_call_id"]], told, message["tool_call_id"], timestamp=moment)
                if history and isinstance(history[-1], words.ModelRequest):
                    history[-1].parts = [*history[-1].parts, part]
                else:
                    history.append(words.ModelRequest([part]))
            case _:
                raise AssertionError(f"not in the corpus: {message}")
    return words.ModelMessagesTypeAdapter.dump_json(history)


def _pydantic_ai_prompt(content: Any) -> Any:
    from pydantic_ai.messages import BinaryContent, ImageUrl

    def item(part: dict[str, Any]) -> Any:
        if part["type"] == "text":
            return part["text"]
        url = part["image_url"]["url"]
        return BinaryContent.from_data_uri(url) if url.startswith("data:") else ImageUrl(url)

    return content if isinstance(content, str) else [item(part) for part in content]


def _run(work: Coroutine[Any, Any, Any]) -> Any:
    """The answer of a coroutine that waits for nothing: no event loop is paid for."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waited for something")


PEERS: Final[Mapping[str, Peer]] = {
    "litellm": Peer(
        "litellm",
        _litellm,
        {"litellm anthropic_messages_pt": "dict to dict, no model between; its caller carries the system prompt, which favours it"},
    ),
    "langchain": Peer(
        "langchain-anthropic",
        _langchain,
        {"LangChain _format_messages, type hints cached": "langchain_core's _get_data_content_block_types replaced by its answer"},
    ),
    "pydantic-ai": Peer(
        "pydantic-ai-slim",
        _pydantic_ai,
        {"pydantic-ai, its JSON -> Anthropic": "begins at its own stored JSON, as it has no reader of OpenAI histories"},
    ),
}


def _measured(name: str, count: int, rounds: int) -> Report:
    peer = PEERS[name]
    lines = openai_lines(count)
    ours = across("openai_chat", "anthropic")
    ways = peer.prepare(lines)
    for way, candidate in {OURS: Candidate(ours, lines), **ways}.items():
        with candidate.during():
            lost = missing(lines, [bytes(candidate.work(line)) for line in candidate.lines])  # type: ignore[call-overload]
        if lost:
            return Report(name, version(peer.distribution), failure=f"{way} loses {len(lost)} things: {lost[0]}")
    also = {"chatadt: own JSON -> Anthropic": Candidate(own_to("anthropic"), own_lines(lines))} if name == "pydantic-ai" else {}
    times = measure({FLOOR: Candidate(parse_and_write, lines), OURS: Candidate(ours, lines), **also, **ways}, rounds)
    rows = [Row(way, times.ratio(way, OURS), times.ratio(way, FLOOR), peer.notes.get(way, "")) for way in ways]
    rows += [
        Row(f"  than {other}", times.ratio(way, other), times.ratio(way, FLOOR), "both begin at their own JSON")
        for other in also
        for way in ways
    ]
    return Report(name, version(peer.distribution), tuple(rows), times.ratio(OURS, FLOOR))


# --- the environment: this part runs in the project's own -----------------------------------------------------------------------


def prepare() -> tuple[Path | None, str]:
    """The interpreter of the peers' environment, built when it is not there or its requirements changed; else None and why."""
    python = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = ENVIRONMENT / "requirements.sha256"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return python, ""
    print("installing the peers into benchmarks/.venv (a minute or two) …", file=sys.stderr, flush=True)
    try:
        venv.create(ENVIRONMENT, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return None, f"no environment could be made: {error}"
    why = _install(python, "-e", str(HERE.parent)) or _install(python, "-r", str(REQUIREMENTS))
    if not why:
        stamp.write_text(wanted)
        return python, ""
    peers = [line for line in REQUIREMENTS.read_text().splitlines() if line and not line.startswith("#")]
    installed = [peer for peer in peers if not _install(python, peer)]  # one that cannot be had does not stop the others
    return (python, "") if installed else (None, f"pip could not install them: {why}")


def _install(python: Path, *what: str) -> str:
    """Install something with pip: empty, or why it could not be done."""
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = [line.strip() for line in done.stderr.splitlines() if "ERROR:" in line] or [f"exit code {done.returncode}"]
    return said[-1] if done.returncode else ""


def ask(python: Path, name: str, *, count: int, rounds: int) -> Report:
    """The report of one peer, measured in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "report.json"
        done = subprocess.run(
            [str(python), "-m", "benchmarks.peers", name, "--count", str(count), "--rounds", str(rounds), "--out", str(answer)],
            cwd=HERE.parent,
            env={**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOG": "ERROR"},  # it would ask the network
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            return Report(name, failure=(done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1])
        told = json.loads(answer.read_text())
    rows = tuple(Row(row["name"], Ratio(**row["times_ours"]), Ratio(**row["times_floor"]), row["note"]) for row in told["rows"])
    ours = told["ours_times_floor"]
    return Report(told["peer"], told["version"], rows, Ratio(**ours) if ours else None, told["failure"])


def _main() -> int:
    parser = argparse.ArgumentParser(description="Measure one peer beside chatadt, in the environment that has both.")
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("--count", type=int, default=CONVERSATIONS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    report = json.dumps(asdict(_measured(chosen.peer, chosen.count, chosen.rounds)), indent=1)
    if chosen.out:
        chosen.out.write_text(report)
    else:
        print(report)
    return 0


if __name__ == "__main__":
    sys.exit(_main())
