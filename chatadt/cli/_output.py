"""Plain Python data as the bytes of a JSON text."""

from __future__ import annotations

import json
from typing import assert_never

import orjson

from chatadt.cli._records import Form
from chatadt.json import dump

__all__ = ("compact", "encoded", "indented")


def encoded(value: object, form: Form) -> bytes:
    """The text in the form that the input had: one line for JSON Lines, several for a document."""
    match form:
        case Form.LINES:
            return compact(value)
        case Form.DOCUMENT:
            return indented(value)
        case _:
            assert_never(form)


def compact(value: object) -> bytes:
    """One line, with its line feed."""
    try:
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # integers beyond 64 bits, lone surrogates, deep nesting
        return f"{dump(value)}\n".encode()


def indented(value: object) -> bytes:
    """Several lines, indented by two, the last with its line feed."""
    try:
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_INDENT_2)
    except TypeError:
        return f"{json.dumps(value, indent=2)}\n".encode()
