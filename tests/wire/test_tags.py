"""A key that nobody knows, in the place of the tag that says what an object is: it comes home, or is lost by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from typing import Any, Final

import pytest
from returns.result import Success

from chatadt import DIALECTS
from wire.corpus import present, recorded

FAMILIES: Final = {"mistral": "openai_chat", "bedrock": "bedrock_converse", "cohere": "cohere_v2"}
"""By dialect: the name of its family in the corpus, where it is another one."""

STRANGER: Final = "vanishing"
MOST: Final = 25
LONGEST: Final = 6_000


def untagged(value: Any) -> Iterator[Any]:
    """The body with a key that nobody knows in the place of each tag, one at a time."""
    for path in list(_objects(value, ())):
        for tag in ("type", "role"):
            body = deepcopy(value)
            found = body
            for step in path:
                found = found[step]
            if found.pop(tag, None) is not None:
                found["unknown"] = STRANGER
                yield body


def _objects(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, dict):
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in items:
        yield from _objects(inner, (*path, step))


@present
@pytest.mark.parametrize(
    "name", ["openai_chat", "openai_responses", "anthropic", "gemini", "bedrock", "ollama", "mistral", "cohere"]
)
def test_what_stands_in_the_place_of_a_tag_does_not_vanish(name: str) -> None:
    dialect = DIALECTS[name]
    rows = (row for row in recorded(FAMILIES.get(name, name), "request") if name != "mistral" or row.dialect == name)
    rows = (row for row in rows if len(json.dumps(row.body)) < LONGEST)
    tried = 0
    for row in islice(rows, MOST):
        for body in untagged(row.body):
            match dialect.read_request(body):
                case Success(request):
                    written = dialect.write_request(request)
                    said = [loss.original.text for loss in written.losses if loss.original is not None]
                    assert STRANGER in json.dumps(written.value) or any(STRANGER in text for text in said), (row.id, body)
                    tried += 1
                case _:  # no word for such an object is needed where it is refused
                    continue
    assert tried
