"""Texts of others that stand in a line of a log."""

from __future__ import annotations

import json

__all__ = ("in_line",)


def in_line(text: str) -> str:
    """The text without what could end its line, or hide or turn what stands in it; JSON says the same afterwards."""
    return text if text.isprintable() else "".join(each if each.isprintable() else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1] if character != "\x7f" else "\\u007f"
