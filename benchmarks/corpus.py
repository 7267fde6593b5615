"""The standard corpus: seeded OpenAI Chat request bodies, and what is derived from them.

`python -m benchmarks.corpus` writes it to standard output as JSON Lines; `--figures` prints what it is made of instead.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import random
import string
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import orjson

SEED: Final = 20240607
CONVERSATIONS: Final = 400
"""How many conversations are timed: about 6,000 messages, 11 MB."""

Body = dict[str, Any]

_IMAGE_BYTES: Final = 15_000
_IMAGE_SHARE: Final = 0.22
"""Of user messages; about 4 % of all messages."""
_LINK_SHARE: Final = 0.03
_PARTS_SHARE: Final = 0.35
_ALPHABET: Final = string.ascii_letters + string.digits
_VOCABULARY: Final = """
the of and to in a is that for it as was with be by on not this are or from at which but have an had they you were their
one all we can her has there been if more when will would who so no request answer token server latency cache region
invoice order customer ticket deploy build branch commit review failing memory worker schema column index query total
average revenue weather temperature forecast flight hotel booking calendar meeting agenda summary draft paragraph
translate quarter forecasted shipping warehouse inventory supplier payment refund policy contract clause renewal
estimate deadline milestone owner status blocked
"""
_WORDS: Final = tuple(_VOCABULARY.split())
_FOREIGN: Final = (
    "Größe",
    "naïve",
    "café",
    "señor",
    "проверка",
    "данные",
    "天気",
    "予定",
    "请求",
    "价格",
    "الطقس",
    "😀",
    "✅",
    "→",
    "…",
)
_TOOLS: Final = (
    ("get_weather", ("city", "country", "unit", "day", "detail")),
    ("search_documents", ("query", "collection", "language", "limit", "after")),
    ("run_sql", ("statement", "database", "timeout", "reason")),
    ("create_ticket", ("title", "body", "priority", "assignee", "labels")),
    ("read_file", ("path", "encoding", "offset", "length", "reason")),
    ("send_email", ("recipient", "subject", "body", "priority")),
)


def openai_bodies(count: int = CONVERSATIONS, *, seed: int = SEED, tools: bool = False) -> Iterator[Body]:
    """The first `count` conversations as OpenAI Chat request bodies; `tools` adds tool definitions and sampling parameters."""
    dice = random.Random(seed)
    for _ in range(count):
        body = _conversation(dice)
        yield {**body, **_whole(body)} if tools else body


def openai_lines(count: int = CONVERSATIONS, *, seed: int = SEED, tools: bool = False) -> tuple[bytes, ...]:
    """The same, each as compact JSON bytes."""
    return tuple(orjson.dumps(body) for body in openai_bodies(count, seed=seed, tools=tools))


def anthropic_lines(lines: Sequence[bytes]) -> tuple[bytes, ...]:
    """The Anthropic request bodies that chatadt makes of OpenAI ones."""
    from chatadt import DIALECTS

    read, write = DIALECTS["openai_chat"].read_request, DIALECTS["anthropic"].write_request
    return tuple(orjson.dumps(write(read(orjson.loads(line)).unwrap()).value) for line in lines)


def own_lines(lines: Sequence[bytes]) -> tuple[bytes, ...]:
    """The requests that chatadt reads of OpenAI bodies, in its own JSON."""
    from chatadt import DIALECTS, dumps

    read = DIALECTS["openai_chat"].read_request
    return tuple(dumps(read(orjson.loads(line)).unwrap()) for line in lines)


def spoilt(lines: Sequence[bytes], every: int) -> tuple[bytes, ...]:
    """The same lines, but in every `every`-th one the last `text` (without one, the last message's content) is the number 5."""
    return tuple(_spoil(line) if index % every == every // 2 else line for index, line in enumerate(lines))


def figures(lines: Iterable[bytes]) -> dict[str, float | int | str]:
    """What a corpus of OpenAI bodies is made of; the digest tells two corpora apart."""
    digest = hashlib.sha256()
    conversations = messages = images = calls = argument_bytes = size = 0
    for line in lines:
        digest.update(line)
        conversations += 1
        size += len(line)
        for message in orjson.loads(line)["messages"]:
            messages += 1
            images += b";base64," in orjson.dumps(message)
            for call in message.get("tool_calls", ()):
                calls += 1
                argument_bytes += len(call["function"]["arguments"].encode())
    return {
        "conversations": conversations,
        "messages": messages,
        "messages a conversation": round(messages / conversations, 1),
        "MB": round(size / 1e6, 1),
        "bytes a message": round(size / messages),
        "% of messages with a base64 image": round(100 * images / messages, 1),
        "tool calls a message": round(calls / messages, 2),
        "bytes of arguments a call": round(argument_bytes / max(calls, 1)),
        "sha256": digest.hexdigest()[:12],
    }


def _conversation(dice: random.Random) -> Body:
    messages: list[Body] = []
    if dice.random() < 0.9:
        messages.append({"role": "system", "content": _prose(dice, 2500)})
    for turns_left in range(dice.choices((1, 2, 3, 4), (1, 4, 5, 2))[0] - 1, -1, -1):
        messages.append({"role": "user", "content": _user_content(dice)})
        for _ in range(dice.choices((0, 1, 2, 3), (24, 41, 25, 10))[0]):
            messages.extend(_tool_exchange(dice))
        if turns_left:  # the last turn is what the model is to answer
            messages.append({"role": "assistant", "content": _prose(dice, 1300)})
    return {"model": "gpt-4.1", "max_completion_tokens": 4096, "messages": messages}


def _user_content(dice: random.Random) -> str | list[Body]:
    text = {"type": "text", "text": _prose(dice, 500)}
    if dice.random() < _IMAGE_SHARE:
        return [text, {"type": "image_url", "image_url": {"url": _image(dice), "detail": dice.choice(("auto", "low", "high"))}}]
    if dice.random() < _LINK_SHARE:
        return [text, {"type": "image_url", "image_url": {"url": f"https://images.example/{_name(dice, 16)}.png"}}]
    return [text] if dice.random() < _PARTS_SHARE else text["text"]


def _image(dice: random.Random) -> str:
    content = b"\x89PNG\r\n\x1a\n" + dice.randbytes(dice.randint(_IMAGE_BYTES - 600, _IMAGE_BYTES + 600))
    return "data:image/png;base64," + base64.b64encode(content).decode()


def _tool_exchange(dice: random.Random) -> Iterator[Body]:
    calls = [_call(dice) for _ in range(dice.choices((1, 2, 3, 4), (35, 35, 20, 10))[0])]
    yield {"role": "assistant", "content": _prose(dice, 160) if dice.random() < 0.4 else None, "tool_calls": calls}
    for call in calls:
        yield {"role": "tool", "tool_call_id": call["id"], "content": _result(dice)}


def _call(dice: random.Random) -> Body:
    name, keys = dice.choice(_TOOLS)
    arguments: dict[str, object] = {key: _words(dice, dice.randint(1, 7)) for key in keys}
    arguments[keys[-1]] = dice.choice((dice.randint(0, 5000), dice.random() < 0.5, round(dice.uniform(0, 100), 3)))
    return {
        "id": f"call_{_name(dice, 24)}",
        "type": "function",
        "function": {"name": name, "arguments": orjson.dumps(arguments).decode()},
    }


def _result(dice: random.Random) -> str | list[Body]:
    if dice.random() < 0.5:
        rows = [
            {"id": dice.randint(1, 10**6), "title": _words(dice, 6), "score": round(dice.random(), 4), "text": _words(dice, 18)}
            for _ in range(dice.randint(2, 10))
        ]
        return orjson.dumps({"rows": rows, "total": len(rows)}).decode()
    text = _prose(dice, 1000)
    return [{"type": "text", "text": text}] if dice.random() < 0.1 else text


def _prose(dice: random.Random, mean: int) -> str:
    """Lines of about `mean` characters in all (log-normal), some with words of other scripts, quotes and indented code."""
    length = max(8, int(dice.lognormvariate(0, 0.7) * mean / 1.28))
    foreign = 0.08 if dice.random() < 0.2 else 0.0
    lines: list[str] = []
    while length > 0:
        line = _words(dice, min(dice.randint(6, 28), max(2, length // 6)), foreign)
        match dice.randrange(12):
            case 0:
                line = f'    print("{line}")'
            case 1:
                line = f"- {line}"
            case 2:
                line = f"“{line}”"
            case _:
                line = f"{line.capitalize()}."
        lines.append(line)
        length -= len(line) + 1
    return "\n".join(lines)


def _words(dice: random.Random, count: int, foreign: float = 0.0) -> str:
    words = dice.choices(_WORDS, k=count)
    if foreign:
        words = [dice.choice(_FOREIGN) if dice.random() < foreign else word for word in words]
    return " ".join(words)


def _name(dice: random.Random, length: int) -> str:
    return "".join(dice.choices(_ALPHABET, k=length))


def _whole(body: Body) -> Body:
    called = sorted({call["function"]["name"] for message in body["messages"] for call in message.get("tool_calls", ())})
    parameters: Body = {"temperature": 0.7, "top_p": 0.95, "stop": ["END"], "user": "user-1"}
    if called:
        parameters["tools"] = [_definition(name) for name in called]
        parameters["tool_choice"] = "auto"
    return parameters


def _definition(name: str) -> Body:
    keys = dict(_TOOLS)[name]
    properties = {key: {"type": "string", "description": f"The {key} of what {name} is to do."} for key in keys}
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": f"Call this to {name.replace('_', ' ')}, once all of its arguments are known.",
            "parameters": {"type": "object", "properties": properties, "required": list(keys[:2]), "additionalProperties": False},
        },
    }


def _spoil(line: bytes) -> bytes:
    body = orjson.loads(line)
    places = list(_texts(body))
    if places:
        places[-1]["text"] = 5
    else:
        body["messages"][-1]["content"] = 5
    return orjson.dumps(body)


def _texts(value: object) -> Iterator[Body]:
    """The objects below `value` that hold a string as their `text`."""
    if isinstance(value, dict):
        if isinstance(value.get("text"), str):
            yield value
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _main() -> int:
    parser = argparse.ArgumentParser(description="The standard corpus as JSON Lines of OpenAI Chat request bodies.")
    parser.add_argument("--count", type=int, default=CONVERSATIONS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--tools", action="store_true", help="with tool definitions and sampling parameters")
    parser.add_argument("--figures", action="store_true", help="what it is made of, instead of the corpus itself")
    chosen = parser.parse_args()
    lines = openai_lines(chosen.count, seed=chosen.seed, tools=chosen.tools)
    if chosen.figures:
        for name, value in figures(lines).items():
            print(f"{name:36} {value}")
    else:
        sys.stdout.buffer.writelines(line + b"\n" for line in lines)
    return 0


if __name__ == "__main__":
    sys.exit(_main())
