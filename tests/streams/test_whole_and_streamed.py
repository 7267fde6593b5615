"""Where the corpus holds an answer whole and as a stream, to one request or to two that differ in nothing else, both read alike."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any, Final, NamedTuple

import pytest
from wire.corpus import Recording, present, recordings, report
from wire.views import NAMES

from chatadt import DIALECTS, ChatResponse, Content, fold_each

pytestmark = [present]

_ABOUT_STREAMS: Final = frozenset({"stream", "stream_options"})


class Shape(NamedTuple):
    """What does not hang on the words of an answer."""

    kinds: tuple[str, ...]
    tools: frozenset[str]
    counts: frozenset[str]
    stop: str | None


def shape(answer: ChatResponse) -> Shape:
    """The kinds of contents in order, those that say nothing left out and those that follow each other as one; counts and stop."""
    usage, stop = answer.metadata.usage, answer.metadata.stop
    kinds = [type(content).__name__ for content in answer.message.contents if getattr(content, "text", "said") != ""]
    return Shape(
        tuple(kind for kind, _ in groupby(kinds)),
        frozenset(content.name for content in answer.message.contents if isinstance(content, Content.ToolRequest)),
        frozenset(key for key in ("input", "output") if usage is not None and getattr(usage, key) is not None),
        None if stop is None else stop.kind.value,
    )


@cache
def asked(name: str) -> dict[str, str]:
    """By id of a request: its server, and what it asks, but for whether it wants a stream."""
    return {row.id: f"{row.dialect} {_asked(row.body)}" for row in recordings(name, "request")}


def _asked(body: Any) -> str:
    plain = {key: value for key, value in body.items() if key not in _ABOUT_STREAMS} if isinstance(body, dict) else body
    return json.dumps(plain, sort_keys=True)


def both(name: str) -> Iterator[tuple[Recording, Recording]]:
    """Each whole answer with a stream to the same request."""
    streams: dict[str, list[Recording]] = defaultdict(list)
    for row in recordings(name, "stream"):
        if row.request_id is not None:
            streams[asked(name).get(row.request_id, row.request_id)].append(row)
    for row in recordings(name, "response"):
        if row.request_id is not None:
            yield from ((row, stream) for stream in streams[asked(name).get(row.request_id, row.request_id)])


OTHERWISE: Final[dict[tuple[str, str], str]] = {
    ("0fa3557b9de3d295", "9fb2479ee636cab5"): "the model used the server's tool three times, and twice",
    ("42f82e40182b42c3", "79d0b90acc84e8eb"): "the model used the server's tool twice, and four times",
    ("55aaa6870214f385", "79d0b90acc84e8eb"): "the model used the server's tool three times, and four times",
    ("3a2f114a0020de2a", "370002a2ca564416"): "the length was used up before anything was said, and in mid call",
    ("10a61ac8f0a5828c", "3da70bb17b69673b"): "the model told of its thoughts, and did not",
}
"""By answer and stream: why the model answered otherwise."""
LEAST: Final = {"mistral": 0, "ollama": 0, "cohere": 1}


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_reads_to_the_same_shape_whole_and_streamed(name: str) -> None:
    failures: list[str] = []
    seen = 0
    for whole, stream in both(name):
        streamed = list(fold_each(DIALECTS[name].read_stream(stream.body)))
        if len(streamed) == 1 and (whole.id, stream.id) not in OTHERWISE:
            seen += 1
            one, other = shape(DIALECTS[name].read_response(whole.body).unwrap()), shape(streamed[0])
            if name == "openai_chat" and not any(event.get("usage") for event in stream.body):
                one = one._replace(counts=frozenset())  # a stream of this provider counts only where it is asked to
            failures += [f"{whole.id} {stream.id} {whole.dialect} {one} {other}"] if one != other else []
    print(f"\n{name}: {seen} answers both whole and streamed")
    assert seen >= LEAST.get(name, 4)
    assert not failures, report(f"{name} reads otherwise", failures, seen)
