"""The texts that bodies and events say, found without any reader of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

__all__ = ("texts",)


def texts(value: Any) -> Iterator[str]:
    """Every string of a value, and those of the JSON that a string is."""
    match value:
        case dict():
            for inner in value.values():
                yield from texts(inner)
        case list():
            for inner in value:
                yield from texts(inner)
        case str():
            yield value
            if value[:1] in ("{", "["):
                try:
                    yield from texts(json.loads(value))
                except ValueError:
                    return
        case _:
            return
