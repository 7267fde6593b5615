"""The dialects, by name. Each is loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final, final

from chatadt.dialects._dialect import (
    Capability,
    Dialect,
    IdScope,
    ModelProfile,
    Placement,
    Rules,
    Says,
    Spelling,
    Target,
)
from chatadt.dialects._stream import Event, StreamReader, StreamWriter

__all__ = (
    "DIALECTS",
    "FOLDERS",
    "VARIANTS",
    "Capability",
    "Dialect",
    "Event",
    "IdScope",
    "ModelProfile",
    "Placement",
    "Rules",
    "Says",
    "Spelling",
    "StreamReader",
    "StreamWriter",
    "Target",
)

FOLDERS: Final = ("openai_chat", "anthropic", "openai_responses", "gemini", "bedrock", "mistral", "cohere", "ollama")
"""Dialects with a folder of their own."""

VARIANTS: Final = (
    "azure",
    "groq",
    "deepseek",
    "openrouter",
    "xai",
    "huggingface",
    "perplexity",
    "together",
    "cerebras",
    "zai",
    "ollama_openai",
    "vercel_gateway",
    "openai_compatible",
)
"""Variants of OpenAI Chat: rows of a table."""


@final
class _Dialects(Mapping[str, Dialect]):
    """The dialects of the package. To use one of your own, pass its `Dialect` wherever a name is taken."""

    def __getitem__(self, name: str) -> Dialect:
        if name in FOLDERS or name in VARIANTS:
            return _loaded(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(FOLDERS + VARIANTS)

    def __len__(self) -> int:
        return len(FOLDERS) + len(VARIANTS)

    def __contains__(self, name: object) -> bool:
        return name in FOLDERS or name in VARIANTS


@cache
def _loaded(name: str) -> Dialect:
    if name in FOLDERS:
        folder: Any = import_module(f"chatadt.dialects.{name}")
        dialect: Dialect = folder.DIALECT
        return dialect
    variants: Any = import_module("chatadt.dialects.openai_chat.variants")
    made: Dialect = variants.variant(next(row for row in variants.VARIANTS if row.name == name))
    return made


DIALECTS: Final[Mapping[str, Dialect]] = _Dialects()
"""Every dialect of the package, by name."""
