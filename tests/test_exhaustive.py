"""Both type checkers find what is planted in tests/typing, no `case _` of the package hides a missing case, and each `match` over a
closed set ends in assert_never.

A planted error is a line with ignore comments for mypy and pyright and, near it, the line that would be right: `# instead: …` in
place of the line before, or `# added: …` within the function. Each is turned green here, and must then be missed by both checkers.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parent.parent
TYPING: Final = ROOT / "tests" / "typing"
PACKAGE: Final = ROOT / "chatadt"

MYPY_IGNORE: Final = re.compile(r"  # type: ignore\[([^]]*)\]")
PYRIGHT_IGNORE: Final = re.compile(r"  # pyright: ignore\[([^]]*)\]")
MARKER: Final = re.compile(r"^( *)# (instead|added): (.*)$")

Found = set[tuple[int, str]]
"""Line and code of each error that a checker reported in one file."""


class Planted(NamedTuple):
    """One planted error: where it is ignored for which checker, and three copies of its file.

    `bare` lacks those ignores, `green` is put right and keeps them, `right` is put right and lacks them.
    """

    name: str
    mypy: Found
    pyright: Found
    bare: str
    green: str
    right: str


class Verdict(NamedTuple):
    """What a checker said, by file name."""

    mypy: dict[str, Found]
    pyright: dict[str, Found]


def planted_errors(path: Path) -> Iterator[Planted]:
    lines = path.read_text(encoding="utf-8").split("\n")
    for at, line in enumerate(lines):
        if marker := MARKER.match(line):
            indent, kind, instead = marker.groups()
            block = _block(lines, at) if indent else range(at - 1, at)
            wrong = at if kind == "added" else at - 1
            kept = "" if kind == "added" else lines[wrong][len(_without_ignores(lines[wrong])) :]
            green = [*lines[:wrong], indent + instead + kept, *lines[wrong + 1 :]]
            yield Planted(
                f"{path.stem}_{at}",
                _ignored(MYPY_IGNORE, lines, block),
                _ignored(PYRIGHT_IGNORE, lines, block),
                *(_text(copy) for copy in (_bare(lines, block), green, _bare(green, block))),
            )


def _bare(lines: list[str], block: range) -> list[str]:
    return [_without_ignores(line) if index in block else line for index, line in enumerate(lines)]


def _without_ignores(line: str) -> str:
    return PYRIGHT_IGNORE.sub("", MYPY_IGNORE.sub("", line))


def _text(lines: list[str]) -> str:
    return "\n".join(lines)


def _block(lines: list[str], at: int) -> range:
    """The lines of the function around `at`: those up to the next blank line on either side."""
    start = max(index for index in range(at) if not lines[index]) + 1
    end = min(index for index in range(at, len(lines)) if not lines[index])
    return range(start, end)


def _ignored(pattern: re.Pattern[str], lines: list[str], block: range) -> Found:
    return {(index + 1, code) for index in block for found in pattern.findall(lines[index]) for code in found.split(", ")}


PLANTED: Final = tuple(planted for path in sorted(TYPING.glob("rejected_*.py")) for planted in planted_errors(path))


def run_mypy(paths: list[Path], cache: Path) -> dict[str, Found]:
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(cache)]
    ran = subprocess.run(
        [*command, "-O", "json", *map(str, paths)],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    errors = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    assert (ran.returncode == 1) == any(error["severity"] == "error" for error in errors), ran.stdout + ran.stderr
    return _by_file((Path(error["file"]), error["line"], error["code"]) for error in errors if error["severity"] == "error")


def run_pyright(paths: list[Path], folder: Path) -> dict[str, Found]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pyright"]
    project = folder / "pyrightconfig.json"
    project.write_text(
        json.dumps({**settings, "include": [str(path) for path in paths], "extraPaths": [str(ROOT)]}), encoding="utf-8"
    )
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", "--project", str(project)]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    report = json.loads(ran.stdout)
    assert report["summary"]["filesAnalyzed"] == len(paths), report
    return _by_file(
        (Path(error["file"]), error["range"]["start"]["line"] + 1, error.get("rule", "syntax"))
        for error in report["generalDiagnostics"]
        if error["severity"] == "error"
    )


def _by_file(errors: Iterator[tuple[Path, int, str]]) -> dict[str, Found]:
    found: dict[str, Found] = {}
    for path, line, code in errors:
        found.setdefault(path.name, set()).add((line, code))
    return found


@pytest.fixture(scope="module")
def verdict(tmp_path_factory: pytest.TempPathFactory) -> Verdict:
    """One run of each checker over copies of tests/typing as it is and over the three of each planted error."""
    folder = tmp_path_factory.mktemp("planted")
    texts = {path.name: path.read_text(encoding="utf-8") for path in TYPING.glob("*.py")}
    texts |= {f"{planted.name}_bare.py": planted.bare for planted in PLANTED}
    texts |= {f"{planted.name}_green.py": planted.green for planted in PLANTED}
    texts |= {f"{planted.name}_right.py": planted.right for planted in PLANTED}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    paths = [folder / name for name in texts]
    return Verdict(run_mypy(paths, folder / "mypy"), run_pyright(paths, folder))


def test_both_checkers_are_content_with_the_files_as_they_are(verdict: Verdict) -> None:
    names = [path.name for path in TYPING.glob("*.py")]
    assert len(names) >= 4
    assert {name: verdict.mypy[name] for name in names if name in verdict.mypy} == {}
    assert {name: verdict.pyright[name] for name in names if name in verdict.pyright} == {}


def test_each_planted_error_is_marked_for_both_checkers() -> None:
    assert len(PLANTED) >= 75
    assert [planted.name for planted in PLANTED if not planted.mypy or not planted.pyright] == []


def test_each_planted_error_is_reported_by_both_checkers_at_its_line_and_nowhere_else(verdict: Verdict) -> None:
    expected = {f"{planted.name}_bare.py": (planted.mypy, planted.pyright) for planted in PLANTED}
    assert {name: (verdict.mypy.get(name), verdict.pyright.get(name)) for name in expected} == expected


def test_each_planted_error_put_right_is_an_error_to_neither_checker(verdict: Verdict) -> None:
    names = [f"{planted.name}_right.py" for planted in PLANTED]
    assert {
        name: verdict.mypy[name] | verdict.pyright[name] for name in names if name in verdict.mypy.keys() | verdict.pyright.keys()
    } == {}


def test_each_planted_error_turned_green_fails_the_check(verdict: Verdict) -> None:
    """An ignore that nothing needs is an error to both checkers, but to mypy alone in an arm that pyright sees no way to."""
    expected = {
        f"{planted.name}_green.py": (
            {(line, "unused-ignore") for line, _ in planted.mypy},
            {(line, "reportUnnecessaryTypeIgnoreComment") for line, _ in planted.pyright if not _is_unreachable(planted, line)},
        )
        for planted in PLANTED
    }
    assert {name: (verdict.mypy.get(name), verdict.pyright.get(name, set())) for name in expected} == expected


def _is_unreachable(planted: Planted, line: int) -> bool:
    return planted.right.split("\n")[line - 1].strip().startswith("assert_never")


# `case _` of the package.
#
# The subject of a `match` is taken to be JSON (or a plain value, which has no closed set of cases) when every arm but the last asks
# only for what JSON is made of: literals, mappings, sequences, and Python's own types. A class pattern of anything else, or a
# member of an enumeration, makes it a closed set: there `case _` (or a bare name) must say `assert_never`.

PLAIN: Final = frozenset({"str", "int", "float", "bool", "list", "dict", "tuple", "bytes"})


def catch_alls_that_hide(source: str) -> list[int]:
    """The lines of those catch-all arms whose subject is a closed set and which do not say assert_never."""
    return [
        arm.pattern.lineno
        for match in ast.walk(ast.parse(source))
        if isinstance(match, ast.Match)
        for arm in match.cases
        if _catches_all(arm.pattern) and not _says_assert_never(arm)
        if not all(_is_json(other.pattern) for other in match.cases if other is not arm)
    ]


RESULT: Final = frozenset({"Success", "Failure"})
"""A Result is not a union of this project. It has two cases and will have no third."""


def matches_left_open(source: str) -> list[int]:
    """The lines of each `match` over a closed set that has no last arm to say assert_never."""
    return [
        match.lineno
        for match in ast.walk(ast.parse(source))
        if isinstance(match, ast.Match)
        and not _is_last_word(match.cases[-1])
        and any(not _is_json(arm.pattern) and not _is_result(arm.pattern) for arm in match.cases)
    ]


def _is_last_word(arm: ast.match_case) -> bool:
    return _catches_all(arm.pattern) and _says_assert_never(arm)


def _is_result(pattern: ast.pattern) -> bool:
    match pattern:
        case ast.MatchClass(cls=ast.Name(id=name)):
            return name in RESULT
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return _is_result(inner)
        case ast.MatchOr(patterns=patterns):
            return all(map(_is_result, patterns))
        case _:
            return False


def _catches_all(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and (pattern.pattern is None or _catches_all(pattern.pattern))


def _says_assert_never(arm: ast.match_case) -> bool:
    match arm.body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id="assert_never")))]:
            return arm.guard is None
        case [ast.Return(value=ast.Call(func=ast.Name(id="assert_never")))]:
            return arm.guard is None
        case _:
            return False


def _is_json(pattern: ast.AST) -> bool:
    match pattern:
        case ast.MatchValue(value=ast.Attribute()):
            return False
        case ast.MatchClass(cls=ast.Name(id=name)) if name not in PLAIN:
            return False
        case ast.MatchClass(cls=ast.Attribute()):
            return False
        case _:
            return all(_is_json(child) for child in ast.iter_child_nodes(pattern) if isinstance(child, ast.pattern))


def test_every_catch_all_of_the_package_says_assert_never_or_has_json_as_its_subject() -> None:
    hidden = {str(path.relative_to(ROOT)): catch_alls_that_hide(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}
    assert hidden
    assert {path: lines for path, lines in hidden.items() if lines} == {}


@pytest.mark.parametrize(
    ("arms", "hides"),
    [
        ("case Resource.Ref(): ...\n case _: assert_never(x)", False),
        ("case Resource.Ref(): ...\n case _: return assert_never(x)", False),
        ("case Resource.Ref(): ...\n case _ as rest: assert_never(rest)", False),
        ("case Resource.Ref(): ...\n case rest: assert_never(rest)", False),
        ("case {'type': 'text', 'text': str(text)}: ...\n case _: return None", False),
        ("case [str(), *_] | None | 'auto' | -1: ...\n case other: return other", False),
        ("case Resource.Ref(): ...\n case _: return None", True),
        ("case Resource.Ref(): ...\n case _: pass", True),
        ("case Resource.Ref(): ...\n case rest: return rest", True),
        ("case Resource.Ref(): ...\n case _ if maybe: assert_never(x)", True),
        ("case Resource.Ref(): ...\n case _:\n  log()\n  assert_never(x)", True),
        ("case Tool(): ...\n case _: return None", True),
        ("case Outcome.OK: ...\n case _: return None", True),
        ("case Outcome.OK | Outcome.ERROR: ...\n case _: raise ValueError", True),
        ("case (Resource.Ref(), 1): ...\n case _: return None", True),
        ("case {'type': Resource.Ref()}: ...\n case _: return None", True),
    ],
)
def test_the_rule_about_catch_alls_itself(arms: str, hides: bool) -> None:
    assert bool(catch_alls_that_hide(f"def f(x):\n match x:\n  {arms.replace(chr(10), chr(10) + ' ')}")) is hides


def test_every_match_of_the_package_over_a_closed_set_ends_in_assert_never() -> None:
    left_open = {str(path.relative_to(ROOT)): matches_left_open(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}
    assert left_open
    assert {path: lines for path, lines in left_open.items() if lines} == {}


@pytest.mark.parametrize(
    ("arms", "is_left_open"),
    [
        ("case Resource.Ref(): ...\n case Resource.Binary(): ...\n case _: assert_never(x)", False),
        ("case Outcome.OK: ...\n case _: return assert_never(x)", False),
        ("case Success(value): ...\n case Failure(): ...", False),
        ("case Failure() if maybe: ...\n case Success() as good: ...\n case Failure() | Success(): ...", False),
        ("case {'type': 'text'}: ...\n case [str(), *_]: ...", False),
        ("case {'type': 'text'}: ...\n case _: ...", False),
        ("case Resource.Ref(): return 1\n case Resource.Binary(): return 2", True),
        ("case Resource.Ref() | Resource.Binary() as resource: return resource", True),
        ("case Resource.Ref(uri=uri) if uri: ...\n case (Resource.Ref() | Resource.Binary()) as either: ...", True),
        ("case Tool(): ...\n case None: ...", True),
        ("case None: ...\n case Tool(): ...", True),
        ("case Form.LINES: ...\n case Form.DOCUMENT: ...", True),
        ("case (Resource.Ref(), Resource.Ref()): ...\n case (Resource.Binary(), _): ...", True),
        ("case Success(Resource.Ref()): ...\n case Tool(): ...", True),
        ("case Tool(): ...\n case _ if maybe: assert_never(x)", True),
        ("case Tool(): ...\n case _: return None", True),
    ],
)
def test_the_rule_about_a_match_left_open_itself(arms: str, is_left_open: bool) -> None:
    assert bool(matches_left_open(f"def f(x):\n match x:\n  {arms.replace(chr(10), chr(10) + ' ')}")) is is_left_open


def test_a_match_left_open_is_found_in_a_module_of_the_package() -> None:
    """Each assert_never of a module, taken away with its arm, leaves a match open that is then found."""
    source = (PACKAGE / "checks" / "media.py").read_text(encoding="utf-8")
    planted = re.sub(r"\n *case _:\n *(return )?assert_never\(.*\)", "", source)
    assert len(matches_left_open(planted)) == source.count("assert_never(") > 0


def test_the_copies_differ_from_the_original_only_where_they_should() -> None:
    originals = {path.stem: path.read_text(encoding="utf-8").split("\n") for path in TYPING.glob("rejected_*.py")}
    for planted in PLANTED:
        original = originals[planted.name.rpartition("_")[0]]
        ignored = {line for line, _ in planted.mypy | planted.pyright}
        bare = {at for at, (a, b) in enumerate(zip(original, planted.bare.split("\n"), strict=True), 1) if a != b}
        green = {at for at, (a, b) in enumerate(zip(original, planted.green.split("\n"), strict=True), 1) if a != b}
        right = {at for at, (a, b) in enumerate(zip(original, planted.right.split("\n"), strict=True), 1) if a != b}
        assert bare == ignored
        assert len(green) == 1
        assert right == bare | green
