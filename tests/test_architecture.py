"""The house: the floor of each module and what it may import, what is public, how long a module may be, what no file says."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from attrs import fields, has

ROOT: Final = Path(__file__).parent.parent
PACKAGE: Final = ROOT / "chatadt"

FLOORS: Final[dict[str, int]] = {
    "_sum": 0,
    "_closing": 0,
    "json": 0,
    "resource": 0,
    "content": 0,
    "tool": 0,
    "message": 0,
    "history": 0,
    "chat": 0,
    "delta": 0,
    "loss": 1,
    "error": 1,
    "result": 1,
    "fold": 1,
    "_notes": 1,
    "_cut": 1,
    "_growing": 1,
    "transforms": 1,
    "templates": 1,
    "_wire": 2,
    "_hooks": 2,
    "_converter": 2,
    "_template_converter": 2,
    "_http4k": 2,
    "codec": 2,
    "schema": 2,
    "sse": 2,
    "aws_events": 2,
    "ndjson": 2,
    "framing": 2,
    "dialects": 3,
    "convert": 4,
    "fetch": 4,
    "check": 4,
    "checks": 4,
    "repair": 4,
    "laws": 5,
    "strategies": 5,
    "__main__": 6,
    "cli": 6,
    "clients": 6,
    "": 7,
}
"""By module or folder of the package: its floor. The package itself (`""`) stands on top: it gathers names."""

UNKNOWN: Final = -1
"""Where a module stands that the table does not name; the first test says so."""

LONGEST: Final = 400
"""Lines that a module may have."""

PROVIDERS: Final = re.compile(
    r"openai|anthropic|claude|gpt|gemini|google|vertex|bedrock|aws|azure|mistral|cohere|ollama|groq|deepseek|openrouter|xai|grok|hugging"
)


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


def name_of(path: Path) -> str:
    """The name of a module below the package: `dialects.anthropic.read`, `json`, and nothing for the package itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def floor_of(name: str) -> int:
    return FLOORS.get(name.split(".")[0], UNKNOWN)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """The dotted names that a module imports, wherever in it: `chatadt.json`, `orjson`."""
    for node in ast.walk(parsed(path)):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str() as module, names=names, level=0):
                yield from (_imported(module, alias.name) for alias in names)
            case ast.ImportFrom():
                pytest.fail(f"{path}: a relative import; this house spells them out")
            case _:
                pass


def _imported(module: str, name: str) -> str:
    inner = PACKAGE.joinpath(*module.split(".")[1:], name)
    is_module = module.split(".")[0] == "chatadt" and (inner.with_suffix(".py").exists() or inner.is_dir())
    return f"{module}.{name}" if is_module else module


def inner_imports(path: Path) -> set[str]:
    """The modules of the package that a module imports, named below the package."""
    return {name.partition(".")[2] for name in imports(path) if name.split(".")[0] == "chatadt"}


def of_each(paths: list[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """One test of many modules, which names all that fail: a test of each would cost more than what it looks at."""
    assert paths

    def decorate(test: Callable[[Path], None]) -> Callable[[], None]:
        def holds_for_each() -> None:
            failures: list[str] = []
            for path in paths:
                try:
                    test(path)
                except AssertionError as failure:
                    failures.append(f"{name_of(path) or 'chatadt'}: {failure}")
            assert not failures, "\n".join(failures)

        return holds_for_each

    return decorate


every_module = of_each(modules())

# Floors.


def test_each_module_stands_on_a_floor() -> None:
    assert {name_of(path).split(".")[0] for path in modules()} - FLOORS.keys() == set()


@every_module
def test_a_lower_floor_never_imports_a_higher_one(path: Path) -> None:
    here = floor_of(name_of(path))
    if name_of(path):
        assert {name for name in inner_imports(path) if floor_of(name) > here} == set()


@every_module
def test_a_dialect_never_imports_another_dialect(path: Path) -> None:
    match name_of(path).split("."):
        case ["dialects", own, *_] if not own.startswith("_"):
            shared = {"_dialect", "_codec"}
            others = {name.split(".")[1] for name in inner_imports(path) if name.startswith("dialects.")} - {own}
            assert {other for other in others if not other.startswith("_")} == set(), f"beside {shared}"
        case ["dialects", shared] if shared.startswith("_"):
            assert {
                name for name in inner_imports(path) if name.startswith("dialects.") and not name.startswith("dialects._")
            } == set()
        case _:
            pass


@every_module
def test_floor_0_imports_the_standard_library_and_attrs_and_json_also_orjson(path: Path) -> None:
    name = name_of(path)
    if floor_of(name) == 0:
        outside = {found.split(".")[0] for found in imports(path)} - sys.stdlib_module_names - {"chatadt"}
        assert outside <= ({"attrs", "orjson"} if name == "json" else {"attrs"})


WIRES: Final = frozenset(
    {"openai", "anthropic", "google", "boto3", "botocore", "mistralai", "cohere", "ollama", "groq", "httpx", "requests"}
)
DOORS: Final = frozenset({"typer", "rich", "click"})
HELPERS: Final = frozenset({"tenacity", "sqlalchemy"})
ORACLES: Final = frozenset({"pydantic", "hypothesis", "jsonschema", "pytest"})
ALLOWED: Final[dict[int, frozenset[str]]] = {
    0: frozenset({"attrs", "orjson"}),
    1: frozenset({"attrs", "returns"}),
    2: frozenset({"attrs", "cattrs", "orjson", "returns"}),
    3: frozenset({"attrs", "cattrs", "orjson", "returns"}),
    4: frozenset({"attrs", "cattrs", "orjson", "returns"}),
    5: frozenset({"attrs", "cattrs", "orjson", "returns", "hypothesis"}),
    6: frozenset({"attrs", "cattrs", "orjson", "returns", "pydantic", "pydantic_core"}) | DOORS | HELPERS | WIRES,
    7: frozenset(),
}
"""By floor: the libraries that its modules may import."""


@every_module
def test_a_module_imports_only_the_libraries_of_its_floor(path: Path) -> None:
    outside = {found.split(".")[0] for found in imports(path)} - sys.stdlib_module_names - {"chatadt"}
    assert outside <= ALLOWED.get(floor_of(name_of(path)), frozenset())


PURE: Final = frozenset(
    {"socket", "subprocess", "time", "random", "secrets", "uuid", "datetime", "urllib.request", "http", "tempfile", "shutil", "os"}
)
"""Modules of the standard library through which a clock, chance, the network or the disk comes in."""


@every_module
def test_below_the_doors_there_is_no_clock_no_chance_and_no_network(path: Path) -> None:
    if floor_of(name_of(path)) < 5:
        assert {found for found in imports(path) if found in PURE or found.split(".")[0] in PURE} == set()


def test_the_tests_see_a_wrong_import() -> None:
    """The table and the parser are alive: the highest floor, seen from the lowest, is refused."""
    content = PACKAGE / "content.py"
    assert "json" in inner_imports(content)
    assert "resource" in inner_imports(content)
    assert floor_of("dialects.anthropic.read") > floor_of("content")
    assert "orjson" in set(imports(PACKAGE / "json.py"))


# What importing costs.


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that are there after the statement, in a process of its own."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return {name.split(".")[0] for name in ran.stdout.split()}


def test_importing_the_package_loads_no_wire_library_no_door_and_no_oracle() -> None:
    assert loaded_by("import chatadt") & (WIRES | DOORS | ORACLES | HELPERS) == set()


def test_importing_the_clients_loads_no_sdk_and_no_library_of_an_extra() -> None:
    assert loaded_by("import chatadt.clients") & (WIRES | DOORS | ORACLES | HELPERS) == set()


def test_importing_the_words_loads_attrs_and_orjson_and_nothing_else_from_outside() -> None:
    words = ", ".join(f"chatadt.{name}" for name, floor in FLOORS.items() if floor == 0 and (PACKAGE / f"{name}.py").exists())
    outside = loaded_by(f"import {words}") - loaded_by("") - set(sys.stdlib_module_names)
    if not _gathers_names():
        assert outside <= {"chatadt", "attr", "attrs", "orjson", "_cython_3_1_0"}
    assert outside & (WIRES | DOORS | ORACLES) == set()


def _gathers_names() -> bool:
    """Whether the package itself imports its modules, so that importing one word loads them all."""
    return bool(inner_imports(PACKAGE / "__init__.py"))


def test_importing_the_command_line_loads_no_wire_library() -> None:
    if not (PACKAGE / "cli" / "__init__.py").exists():
        pytest.skip("there is no command line yet")
    assert loaded_by("import chatadt.cli") & WIRES == set()


# What is public.


def is_public(path: Path) -> bool:
    return not any(part.startswith("_") for part in name_of(path).split(".") if part)


def imported(path: Path) -> ModuleType:
    return importlib.import_module(f"chatadt.{name_of(path)}".rstrip("."))


public_modules = of_each([path for path in modules() if is_public(path)])


@every_module
def test_a_module_says_what_it_is_for(path: Path) -> None:
    text = ast.get_docstring(parsed(path))
    assert text
    assert text[0].isupper() or text[0] == "`"


@public_modules
def test_a_public_module_lists_what_is_public_in_a_sorted_tuple(path: Path) -> None:
    if len(parsed(path).body) > 1:
        names = getattr(imported(path), "__all__", None)
        assert isinstance(names, tuple)
        assert list(names) == sorted(set(names), key=_in_order)


def _in_order(name: str) -> tuple[bool, bool, str]:
    """Constants, then classes, then functions: the order of ruff's RUF022."""
    return not name.isupper(), not name[:1].isupper(), name


@public_modules
def test_every_listed_name_exists(path: Path) -> None:
    module = imported(path)
    assert [name for name in listed(module) if not hasattr(module, name)] == []


@public_modules
def test_every_public_name_that_a_module_defines_is_listed(path: Path) -> None:
    module = imported(path)
    defined = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
    }
    assert defined - set(listed(module)) == set()


def listed(module: ModuleType) -> tuple[str, ...]:
    """What a module lists as public; one that is nothing but its docstring lists nothing."""
    names: tuple[str, ...] = getattr(module, "__all__", ())
    return names


def documented(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The public classes and functions of a module, the cases in its namespaces, and their public methods and properties."""
    for name in listed(module):
        value = getattr(module, name)
        if inspect.isfunction(value) or inspect.isclass(value):
            yield name, value
        if inspect.isclass(value) and value.__module__.startswith("chatadt"):
            yield from _members(name, value)


def _members(name: str, owner: type) -> Iterator[tuple[str, Any]]:
    for member, value in vars(owner).items():
        if member.startswith("_"):
            continue
        if inspect.isclass(value):
            yield f"{name}.{member}", value
            yield from _members(f"{name}.{member}", value)
        elif inspect.isfunction(value) or isinstance(value, property | staticmethod | classmethod):
            yield f"{name}.{member}", value


@public_modules
def test_every_public_name_has_a_docstring(path: Path) -> None:
    noted = set(_noted(parsed(path)))
    assert [name for name, value in documented(imported(path)) if not _text_of(value) and name not in noted] == []


def _noted(module: ast.Module) -> Iterator[str]:
    """The names of a module's own that are assigned, and described by the string that follows."""
    for statement, following in pairwise(module.body):
        match statement, following:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str())):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(value=ast.Constant(value=str())):
                yield name
            case _:
                pass


def _text_of(value: Any) -> str:
    """A docstring that somebody wrote: the one that attrs or Enum makes is none."""
    text = inspect.unwrap(value).__doc__ if not isinstance(value, type) else vars(value).get("__doc__")
    return "" if text is None or text.startswith("Method generated by attrs") else text.strip()


@of_each([path for path in modules() if floor_of(name_of(path)) == 0])
def test_no_field_of_floor_0_is_named_after_a_provider(path: Path) -> None:
    found: list[str] = []
    for node in ast.walk(parsed(path)):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                found += [name] if PROVIDERS.search(name.lower()) else []
            case _:
                pass
    assert found == []


def test_the_fields_of_floor_0_are_found() -> None:
    """The walk above sees what attrs sees."""
    names = {
        node.target.id
        for node in ast.walk(parsed(PACKAGE / "content.py"))
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    cases = [
        case for case in vars(importlib.import_module("chatadt.content").Content).values() if inspect.isclass(case) and has(case)
    ]
    assert {field.name for case in cases for field in fields(case)} <= names


# The text of the files.


@every_module
def test_a_module_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < LONGEST


@every_module
def test_annotations_are_not_evaluated(path: Path) -> None:
    if any(isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AnnAssign) for node in parsed(path).body):
        assert "from __future__ import annotations" in path.read_text(encoding="utf-8")


def tracked() -> list[Path]:
    """The files of the project: those that git knows or would take, or where there is no git, those of the source."""
    ran = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode == 0:
        return [ROOT / name for name in ran.stdout.split("\0") if name and (ROOT / name).is_file()]
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
    ]


FORBIDDEN: Final = tuple(
    "".join(parts)
    for parts in (
        ("pypi", ".org"),
        ("python", "hosted", ".org"),
        ("registry", ".npm", "js"),
        ("proxy", ".golang"),
        ("static.crates", ".io"),
        ("index", "-url"),
        ("/wo", "rk/main"),
        ("/wo", "rk/shared"),
        ("/tm", "p/venv"),
        ("/ro", "ot/"),
    )
)
"""Hosts of package registries and paths of one machine, spelt so that this file does not say them."""


def test_no_file_names_a_package_registry_or_a_path_of_this_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)} says {forbidden}"
        for path in tracked()
        for forbidden in FORBIDDEN
        if forbidden.encode() in path.read_bytes()
    ]
    assert found == []


def test_there_are_files_to_look_into() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in tracked()}
    assert {"pyproject.toml", "chatadt/json.py", "tests/test_architecture.py"} <= names
    assert len(FORBIDDEN[0]) == 8
