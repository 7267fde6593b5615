"""Text that can be sent as UTF-8: it holds no half of a surrogate pair."""

from __future__ import annotations

from typing import Any, cast

from chatadt.json import Json

__all__ = ("is_whole", "is_whole_json", "whole", "whole_json")


def is_whole(text: str) -> bool:
    """Whether a text can be sent as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_whole_json(document: Json) -> bool:
    """Whether all strings of a document can be sent; half of a pair stands in its text as it is, or as an escape."""
    text = document.text
    if not (text.isascii() or is_whole(text)):
        return False
    return "\\ud" not in text.lower() or is_whole(_strings(document.value))


def _strings(value: object) -> str:
    """All strings of plain JSON, keys too, with a space between them, so that two halves do not make a pair."""
    match value:
        case str():
            return value
        case list():
            return " ".join(map(_strings, cast("list[object]", value)))
        case dict():
            return " ".join(f"{key} {_strings(item)}" for key, item in cast("dict[str, object]", value).items())
        case _:
            return ""


def whole(text: str) -> str:
    """The text with U+FFFD for each half of a pair."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def whole_json(document: Json) -> Json:
    """The document with U+FFFD for each half of a pair, in keys too."""
    return Json.of(_whole_value(document.value))


def _whole_value(value: Any) -> Any:
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, list):
        return list(map(_whole_value, value))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, dict):
        return {whole(key): _whole_value(item) for key, item in cast("dict[str, Any]", value).items()}
    return value
