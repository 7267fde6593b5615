"""Every public name: how it is called, and what its docstring says."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, is_typeddict

from attrs import has

import chatadt
import chatadt.clients
from chatadt.json import NO_EXTRAS
from docs.markdown import code, table

__all__ = ("MODULES", "cases_of", "module_names", "modules", "package")

HOMES: Final = (
    "message",
    "content",
    "resource",
    "history",
    "chat",
    "delta",
    "fold",
    "tool",
    "json",
    "convert",
    "check",
    "loss",
    "error",
    "codec",
    "dialects",
)
"""The modules that the names of the package come from, in the order of the page; further ones follow by name."""

_LONGEST: Final = 80
"""Characters that the title of a section may have before what explains it is left out."""

MODULES: Final = tuple(
    f"chatadt.{name}"
    for name in (
        "result",
        "dialects",
        "sse",
        "ndjson",
        "aws_events",
        "framing",
        "laws",
        "strategies",
        "transforms",
        "templates",
        "clients",
    )
)
"""Public modules with names of their own; one that does not exist is left out. `chatadt.clients` has further ones inside it."""


def package() -> str:
    """Every name that `chatadt` exports, by the module that defines it."""
    return "\n".join(_package())


def modules() -> str:
    """Every name of the public modules that the package does not export itself."""
    return "\n".join(line for name, names in module_names().items() for line in _module(importlib.import_module(name), names))


def module_names() -> dict[str, tuple[str, ...]]:
    """By public module: its names that no package exports for it."""
    inner = [each.name for each in pkgutil.walk_packages(chatadt.clients.__path__, "chatadt.clients.") if "._" not in each.name]
    own = {name: _own_names(name, chatadt) for name in filter(_exists, MODULES)}
    return own | {name: names for name in inner if (names := _own_names(name, chatadt, chatadt.clients))}


def _own_names(name: str, *packages: ModuleType) -> tuple[str, ...]:
    exported = {each for package in packages for each in package.__all__}
    return tuple(each for each in importlib.import_module(name).__all__ if each not in exported)


def _package() -> Iterator[str]:
    homes: dict[ModuleType, list[str]] = {}
    for name in chatadt.__all__:
        homes.setdefault(_home(name), []).append(name)
    for home in sorted(homes, key=_place):
        yield f"## {_title(home)}"
        yield ""
        yield f"{code(home.__name__)}. {_rest(home)}".strip()
        yield ""
        for name in sorted(homes[home], key=list(home.__all__).index):
            yield from _name(home, name)


def _module(module: ModuleType, names: Iterable[str]) -> Iterator[str]:
    yield f"## `{module.__name__}`"
    yield ""
    yield inspect.cleandoc(module.__doc__ or "")
    yield ""
    for name in names:
        yield from _name(module, name)


def _home(name: str) -> ModuleType:
    return next(module for module in sorted(_all_modules(), key=_place) if name in getattr(module, "__all__", ()))


@cache
def _all_modules() -> tuple[ModuleType, ...]:
    found = (module.name for module in pkgutil.iter_modules(chatadt.__path__) if not module.name.startswith("_"))
    return tuple(importlib.import_module(f"chatadt.{name}") for name in found if name != "cli")


def _place(module: ModuleType) -> tuple[int, str]:
    name = module.__name__.removeprefix("chatadt.")
    return (HOMES.index(name) if name in HOMES else len(HOMES), name)


def _exists(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _title(module: ModuleType) -> str:
    title = (module.__doc__ or module.__name__).strip().partition("\n")[0].rstrip(".:")
    return title if len(title) <= _LONGEST else title.partition(":")[0]


def _rest(module: ModuleType) -> str:
    return inspect.cleandoc((module.__doc__ or "").partition("\n")[2]) if not _is_table(module) else ""


def _is_table(module: ModuleType) -> bool:
    """Whether a docstring lists something that the entries below say again."""
    return re.search(r"^  \S", module.__doc__ or "", re.MULTILINE) is not None


# --- one name ------------------------------------------------------------------------------------------------------------------


def _name(module: ModuleType, name: str) -> Iterator[str]:
    value = getattr(module, name)
    yield f"### `{name}`"
    yield ""
    match value:
        case type() if issubclass(value, Enum):
            yield _doc(value)
            yield ""
            yield table(["member", "value"], [[code(f"{name}.{member.name}"), code(repr(member.value))] for member in value])
            yield ""
        case type() if cases_of(value):
            yield _doc(value)
            yield ""
            yield from _members(value, name)
            yield from _unions(_defining(module, name), name)
            for case in cases_of(value):
                yield f"#### `{case.__qualname__}`"
                yield ""
                yield from _class(case)
        case type() if is_typeddict(value):
            yield _doc(value)
            yield ""
            keys = value.__annotations__.items()
            yield table(["key", "type"], [[code(key), code(held.__forward_arg__)] for key, held in keys])
            yield ""
        case type():
            yield from _class(value)
        case _ if inspect.isroutine(value):
            yield _code(f"{name}{_signature(value)}")
            yield ""
            yield _doc(value)
            yield ""
        case _:
            yield _constant(module, name)
            yield ""


def _class(value: type) -> Iterator[str]:
    is_protocol = value.__dict__.get("_is_protocol", False)  # which nobody calls
    yield _code(f"{value.__qualname__}{'' if is_protocol else _signature(value)}")
    yield ""
    yield _doc(value)
    yield ""
    notes = _field_notes(value)
    if notes:
        yield table(["field", ""], [[code(field), text] for field, text in notes.items()])
        yield ""
    yield from _members(value, value.__qualname__)


def _members(value: type, name: str) -> Iterator[str]:
    """The properties and methods that a class has of its own."""
    rows = [[code(f"{prefix}{call}"), _doc(member).replace("\n", " ")] for prefix, call, member in _own(value, name)]
    if rows:
        yield table(["", ""], rows)
        yield ""


def _own(value: type, name: str) -> Iterator[tuple[str, str, Any]]:
    for key, member in vars(value).items():
        if key.startswith("_") or not _doc(getattr(member, "__func__", member)):
            continue
        match member:
            case property():
                yield ".", key, member
            case staticmethod():
                yield f"{name}.", f"{key}{_signature(member.__func__)}", member.__func__
            case _ if inspect.isfunction(member):
                yield ".", f"{key}{_signature(member, is_method=True)}", member
            case _:
                pass


def cases_of(value: object) -> list[type]:
    """The cases of a closed union, in their order; none for any other class."""
    if type(value).__name__ != "Sum":
        return []
    return [case for case in vars(value).values() if isinstance(case, type)]


def _unions(module: ModuleType, name: str) -> Iterator[str]:
    """The unions that a namespace names, as its source spells them."""
    node = next(node for node in _parsed(_defining(module, name)).body if isinstance(node, ast.ClassDef) and node.name == name)
    rows = [
        [code(f"{name}.{inner.target.id}"), code(ast.unparse(inner.value))]
        for inner in node.body
        if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name) and inner.value is not None
    ]
    yield table(["type", "is"], rows)
    yield ""


def _field_notes(value: type) -> Mapping[str, str]:
    """What the source says below the fields of a class."""
    module = inspect.getmodule(value)
    if module is None or "." in value.__qualname__:
        return {}
    classes = (node for node in _parsed(module).body if isinstance(node, ast.ClassDef) and node.name == value.__name__)
    node = next(classes, None)
    if node is None:  # it is defined elsewhere and shown here
        return {}
    return {
        field.target.id: text
        for field, after in zip(node.body, node.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and (text := _string(after)) is not None
    }


def _constant(module: ModuleType, name: str) -> str:
    """What the source says below the assignment of a constant, or how an alias is spelt."""
    home = _defining(module, name)
    body = _parsed(home).body
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            is_alias = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
            spelt = f"{_code(f'{name} = {ast.unparse(node.value)}')}\n\n" if is_alias and node.value is not None else ""
            return spelt + (_string(after) or "")
    raise ValueError(f"expected {name} to be assigned at the top of {home.__name__}")


def _defining(module: ModuleType, name: str) -> ModuleType:
    """The module in which a name that `module` exports is assigned."""
    for node in _parsed(module).body:
        if isinstance(node, ast.ImportFrom) and node.module and any(alias.name == name for alias in node.names):
            return _defining(importlib.import_module(node.module), name)
    return module


def _string(node: ast.stmt) -> str | None:
    match node:
        case ast.Expr(value=ast.Constant(value=str() as text)):
            return " ".join(text.split())
        case _:
            return None


@cache
def _parsed(module: ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))


def _doc(value: object) -> str:
    return inspect.getdoc(value) or ""


def _signature(value: Any, *, is_method: bool = False) -> str:
    """Names, types and defaults, as one writes them."""
    signature = inspect.signature(value)
    parameters = list(signature.parameters.values())[1 if is_method else 0 :]
    home = inspect.getmodule(value)
    returned = signature.return_annotation
    result = "" if returned in (inspect.Signature.empty, None, "None") else f" -> {_type(returned)}"
    return f"({', '.join(_parameters(parameters, home))}){result}"


def _parameters(parameters: list[inspect.Parameter], home: ModuleType | None) -> Iterator[str]:
    by_name_only = False
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not by_name_only:
            yield "*"
        by_name_only = by_name_only or parameter.kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_POSITIONAL)
        star = _STARS.get(parameter.kind, "")
        typed = "" if parameter.annotation is inspect.Parameter.empty else f": {_type(parameter.annotation)}"
        default = "" if parameter.default is inspect.Parameter.empty else f" = {_default(parameter.default, home)}"
        yield f"{star}{parameter.name}{typed}{default}"


_STARS: Final = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def _default(value: Any, home: ModuleType | None) -> str:
    """A default as it is spelt: a value, or the name of a constant or function that holds it."""
    is_plain = value is None or isinstance(value, bool | int | float | str | tuple | Mapping | Enum)
    if (is_plain or has(type(value))) and " at 0x" not in repr(value):
        return "{}" if value == NO_EXTRAS else repr(value)
    if inspect.isroutine(value):
        return str(value.__qualname__)
    return next((name for name, held in vars(home).items() if held is value), "…")


def _type(annotation: Any) -> str:
    if isinstance(annotation, type):
        return annotation.__name__
    return re.sub(r"ForwardRef\('(\w+)'\)|hypothesis\.strategies\.", r"\1", str(annotation))


def _code(text: str) -> str:
    return f"```text\n{text}\n```"
