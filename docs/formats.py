"""The command line and the library's own JSON, as the code defines them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from types import NoneType
from typing import Any, Final, get_args, get_type_hints

import typer
from attrs import NOTHING, fields

import chatadt
from chatadt import (
    ChatRequest,
    ChatResponse,
    Choice,
    History,
    Message,
    Metadata,
    ModelParams,
    ProviderError,
    StopReason,
    Tool,
    ToolChoice,
    Usage,
    dumps,
)
from chatadt._template_converter import ALL_CASES
from chatadt.cli.app import app
from chatadt.templates import Binding, Template
from docs.markdown import code, listed, table

__all__ = ("ENVELOPED", "cases", "commands", "envelopes")

ENVELOPED: Final = (
    History().user("hi"),
    ChatRequest(History().user("hi"), ModelParams(temperature=0.5)),
    ChatResponse(Message.Assistant("hello"), Metadata(model="m")),
    ChatResponse(Message.Assistant("hello"), Metadata(model="m"), [Choice(Message.Assistant("hi"))]),
    ModelParams(temperature=0.5),
    Tool("weather"),
    ToolChoice.Auto(),
    Template().user("{question}"),
)
"""One example of each kind of document that stands in an envelope."""


def commands() -> str:
    """Every command with its arguments and options."""
    return "\n".join(line for name, command in _commands().items() for line in _command(name, command))


def _commands() -> dict[str, Any]:
    group: Any = typer.main.get_command(app)
    return dict(group.commands)


def _command(name: str, command: Any) -> Iterator[str]:
    yield f"## `chatadt {name}`"
    yield ""
    yield str(command.help).strip()
    yield ""
    yield table(["", "", "default"], [_parameter(parameter) for parameter in command.params])
    yield ""


def _parameter(parameter: Any) -> list[str]:
    is_option = parameter.opts[0].startswith("-")
    options = ["/".join([*parameter.opts, *parameter.secondary_opts])] if is_option else []
    spelt = " ".join([*options, *_value(parameter)])
    return [code(spelt), str(parameter.help), "must be given" if parameter.required else _default(parameter.default)]


def _value(parameter: Any) -> list[str]:
    if isinstance(parameter.default, Enum):
        return ["|".join(str(member.value) for member in type(parameter.default))]
    return [parameter.metavar] if parameter.metavar else []


def _default(value: object) -> str:
    match value:
        case None | False:
            return ""
        case Enum():
            return code(str(value.value))
        case _:
            return code(str(value))


def envelopes() -> str:
    """Each kind of envelope, as `dumps` writes it."""
    words = [_word(type(word)) for word in ENVELOPED]
    return table(["value", "JSON"], zip(words, (code(dumps(word).decode()) for word in ENVELOPED), strict=True))


def cases() -> str:
    """Every case of the JSON: its tag and its keys."""
    return "\n".join(_cases())


def _cases() -> Iterator[str]:
    for union, tagged in ALL_CASES.items():
        yield f"### {_capital(union)}"
        yield ""
        rows = [[code(f'"type": "{tag}"'), _word(case), *_keys(case)] for tag, case in tagged.items()]
        yield table(["tag", "word", "keys that must be there", "keys that may be left out"], rows)
        yield ""
    yield "### Without a tag"
    yield ""
    rows = [
        [_word(case), *_keys(case)] for case in (ModelParams, Metadata, Usage, StopReason, ProviderError, Choice, Template, Binding)
    ]
    yield table(["word", "keys that must be there", "keys that may be left out"], rows)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _word(case: type) -> str:
    page = "words" if case.__qualname__.partition(".")[0] in chatadt.__all__ else "modules"
    return f"[{code(case.__qualname__)}]({page}.md#{_home(case)})"


def _home(case: type) -> str:
    """The section of a word, or of the union whose case it is."""
    return case.__qualname__.partition(".")[0].lower()


def _keys(case: Any) -> list[str]:
    """The keys that must be there, and those that may be left out: they have a default, or None stands for them."""
    types = get_type_hints(case)
    names = [field.name for field in fields(case)]
    may = [field.name for field in fields(case) if field.default is not NOTHING or NoneType in get_args(types[field.name])]
    return [listed(name for name in names if name not in may), listed(may)]
