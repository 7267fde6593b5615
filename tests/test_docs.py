"""The documentation: nothing in it is stale, nothing public is missing from it, no link is dead, and its programs pass a checker.

That its examples do what it says is tested page by page: see conftest.py in the root of the project.
"""

from __future__ import annotations

import base64
import importlib
import json
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from returns.result import Success
from sybil.example import SybilFailure

import chatadt
from chatadt import DIALECTS, Action, Policy, Weight, check, convert, repair
from chatadt.check import RULES
from chatadt.codec import ENVELOPES
from chatadt.dialects import FOLDERS
from docs import examples, formats, parts, rules, words
from docs.rule_notes import RULE_NOTES

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = ROOT / "docs"
PAGES: Final = (
    *sorted(ROOT.glob("*.md")),
    *sorted(DOCS.rglob("*.md")),
    ROOT / "benchmarks" / "README.md",
)
SAMPLE: Final = ROOT / "examples" / "conversation.json"

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@cache
def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


# Generated parts.


@pytest.mark.parametrize("page", sorted(parts.pages()), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_generated_part_is_up_to_date(page: Path) -> None:
    assert text_of(page) == parts.pages()[page], "run `python -m docs` to write it anew"


def test_each_page_of_a_dialect_is_of_a_dialect() -> None:
    assert {page.stem for page in (DOCS / "reference" / "dialects").glob("*.md")} == {*FOLDERS, "variants"}


@pytest.mark.parametrize("page", ["", parts.begin("a"), parts.end("a"), parts.begin("a") * 2 + parts.end("a")])
def test_a_page_without_the_comments_around_a_part_is_an_error(page: str) -> None:
    with pytest.raises(ValueError, match="once each"):
        parts.filled(page, {"a": lambda: "text"})


def test_what_stands_outside_of_a_part_is_left_alone() -> None:
    page = f"before\n{parts.begin('a')}\nold\n{parts.end('a')}\nafter\n"
    once = parts.filled(page, {"a": lambda: "new"})
    assert once == f"before\n{parts.begin('a')}\n\nnew\n\n{parts.end('a')}\nafter\n"
    assert parts.filled(once, {"a": lambda: "new"}) == once


# Names.


def headings(page: Path) -> list[str]:
    return [found[1].strip() for found in re.finditer(r"^#+ (.*)$", without_blocks(text_of(page)), re.MULTILINE)]


def test_every_name_of_the_package_is_documented_once() -> None:
    named = [heading.strip("`") for heading in headings(DOCS / "reference" / "words.md") if heading.startswith("`")]
    assert sorted(name for name in named if "." not in name) == sorted(chatadt.__all__)


def test_every_name_of_a_public_module_is_documented_there() -> None:
    sections = text_of(DOCS / "reference" / "modules.md").split("\n## ")[1:]
    documented = {
        section.partition("\n")[0].strip("`"): re.findall(r"^### `(\w+)`$", section, re.MULTILINE) for section in sections
    }
    assert documented == {name: list(names) for name, names in words.module_names().items()}


def test_every_module_from_which_the_documentation_imports_is_in_the_reference() -> None:
    pages = "".join(text_of(page) for page in (ROOT / "README.md", *DOCS.glob("how-to/*.md"), *DOCS.glob("tutorial/*.md")))
    imported = re.findall(r"^from (chatadt\.clients[\w.]*) import (.+)$", pages, re.MULTILINE)
    named = [f"{module}.{name.split()[0]}" for module, names in imported for name in names.split(", ")]
    known = {f"{module}.{name}" for module in words.module_names() for name in importlib.import_module(module).__all__}
    assert len(named) > 10
    assert [name for name in named if name not in known and name not in words.module_names()] == []
    adapters = {name.removeprefix("chatadt.clients.") for name, names in words.module_names().items() if "streaming_chat" in names}
    assert adapters == set(FOLDERS)


def test_every_case_of_a_union_is_documented() -> None:
    page = text_of(DOCS / "reference" / "words.md")
    cases = [case.__qualname__ for name in chatadt.__all__ for case in words.cases_of(getattr(chatadt, name))]
    assert len(cases) > 30
    assert [case for case in cases if f"#### `{case}`" not in page] == []


def test_every_kind_of_envelope_is_shown() -> None:
    shown = {tuple(key for key in json.loads(chatadt.dumps(word)) if key != "chatadt") for word in formats.ENVELOPED}
    assert shown == set(ENVELOPES)


# Rules.


def test_every_rule_is_described() -> None:
    assert set(RULE_NOTES) == {rule.name for rule in RULES}


@pytest.mark.parametrize("name", RULE_NOTES)
def test_each_conversation_that_is_said_to_break_a_rule_breaks_it_until_it_is_repaired(name: str) -> None:
    broken = list(rules.broken_by(name))
    assert {id(request) for _, request, _ in broken} == {id(shown.breaks) for shown in RULE_NOTES[name].shown}
    for dialect, request, _ in broken:
        known = rules.PROVIDERS[dialect]
        assert check(repair(request, known).value, known) == ()


# Links.


def without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def links(page: Path) -> Iterator[str]:
    plain = re.sub(r"`[^`\n]*`", "", without_blocks(text_of(page)))
    return (found[1] for found in re.finditer(r"\]\(([^)\s]+)\)", plain))


def anchor(heading: str) -> str:
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")


@every_page
def test_no_link_within_the_project_is_dead(page: Path) -> None:
    dead = []
    for link in links(page):
        target, _, fragment = link.partition("#")
        if "://" in target:
            continue
        there = (page.parent / target).resolve() if target else page
        if not there.exists() or (fragment and fragment not in map(anchor, headings(there))):
            dead.append(link)
    assert dead == []


def test_every_page_of_the_documentation_can_be_reached_from_its_index() -> None:
    seen: set[Path] = set()
    waiting = [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        if page not in seen and page.exists() and page.suffix == ".md":
            seen.add(page)
            waiting += [(page.parent / link.partition("#")[0]).resolve() for link in links(page) if "://" not in link]
    assert set(DOCS.rglob("*.md")) - seen == set()


def test_every_path_in_the_table_of_contributing_exists() -> None:
    rows = re.findall(r"^\| (`[^|]*`) \|", text_of(ROOT / "CONTRIBUTING.md").partition("## What lives where")[2], re.MULTILINE)
    named = [re.findall(r"`([^`]*)`", row) for row in rows]
    folders = [row[0] if row[0].endswith("/") else f"{row[0].rpartition('/')[0]}/" for row in named]
    paths = [
        ROOT / name if "/" in name.rstrip("/") else (ROOT / name, ROOT / folder / name, ROOT / folder / ".." / name)
        for row, folder in zip(named, folders, strict=True)
        for name in row
        if name not in ROOMS
    ]
    assert len(paths) > 20
    assert [path for path in paths if not any(each.exists() for each in (path if isinstance(path, tuple) else (path,)))] == []


ROOMS: Final = ("codec", "read", "write", "rules")


# Examples.


@every_page
def test_blocks_of_code_are_of_a_language_that_says_whether_they_are_run(page: Path) -> None:
    fences = re.findall(r"^```(.*)$", text_of(page), re.MULTILINE)
    assert set(fences[::2]) <= {"python", "console", "text"}
    assert set(fences[1::2]) <= {""}


def test_only_what_installs_something_is_left_out_of_the_run() -> None:
    skipped = [block for page in PAGES for block in re.findall(r"<!-- skip.*?-->\s*(```.*?```)", text_of(page), re.DOTALL)]
    assert skipped
    assert [block for block in skipped if "pip install" not in block] == []


def test_pages_that_pytest_does_not_come_by_have_no_examples() -> None:
    collected = (DOCS, ROOT / "README.md")
    others = [page for page in PAGES if not any(page.is_relative_to(place) for place in collected)]
    assert [page.name for page in others if examples.has_examples(page)] == []


@pytest.mark.parametrize(
    "block",
    [
        "```python\n>>> 1 + 1\n3\n```",
        "```python\nassert False\n```",
        "```console\n$ echo one\ntwo\n```",
        "```console\n$ exit 3\n```",
        "```console\n$ true\n$ echo one\ntwo\n```",
        "```console\nno command\n```",
    ],
)
def test_an_example_that_does_not_do_what_the_page_says_fails(block: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"A page.\n\n{block}\n")
    with pytest.raises((SybilFailure, AssertionError, ValueError)):
        examples.run(page)


def test_examples_run_in_a_folder_of_their_own(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```python\nfrom pathlib import Path\nPath('left.txt').write_text('x')\n```\n\n```console\n$ cat left.txt\nx\n```\n"
    )
    examples.run(page)
    assert not Path("left.txt").exists()


# The programs of the pages, read by a type checker.

PROGRAMS: Final = (ROOT / "README.md", DOCS / "how-to" / "match-over-messages.md")


def program(page: Path) -> str:
    """The Python blocks of a page that are no sessions, as one file."""
    blocks = re.findall(r"^```python\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)
    return "\n\n".join(block for block in blocks if not block.startswith(">>>"))


def complaints(folder: Path, source: str) -> list[str]:
    (folder / "program.py").write_text(source)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--cache-dir",
            str(ROOT / ".mypy_cache"),
            "program.py",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return [line for line in done.stdout.splitlines() if ": error:" in line]


@pytest.mark.parametrize("page", PROGRAMS, ids=lambda page: page.stem)
def test_a_type_checker_accepts_the_programs_of_a_page_and_misses_a_case_that_is_taken_out(page: Path, tmp_path: Path) -> None:
    source = program(page)
    assert complaints(tmp_path, source) == []
    cut, count = re.subn(r"        case (Message|Content)\.Custom\(\):\n.*\n", "", source)
    assert count == 1
    assert any("assert_never" in line for line in complaints(tmp_path, cut))


# The sample.


def sample() -> Any:
    return json.loads(SAMPLE.read_text(encoding="utf-8"))


def test_the_sample_is_nothing_that_openai_would_refuse() -> None:
    request = DIALECTS["openai_chat"].read_request(sample()).unwrap()
    assert check(request, "openai_chat") == ()
    assert DIALECTS["openai_chat"].canonical(DIALECTS["openai_chat"].write_request(request).value) == DIALECTS[
        "openai_chat"
    ].canonical(sample())


def test_the_picture_of_the_sample_is_a_whole_png() -> None:
    data = base64.b64decode(sample()["messages"][1]["content"][1]["image_url"]["url"].partition(",")[2])
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at = 8
    kinds = []
    while at < len(data):
        size, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        assert zlib.crc32(data[at + 4 : at + 8 + size]) == int.from_bytes(data[at + 8 + size : at + 12 + size])
        kinds.append(kind)
        at += size + 12
    assert kinds == [b"IHDR", b"IDAT", b"IEND"]


def test_the_sample_crosses_with_losses_of_detail_that_are_all_named() -> None:
    match convert(sample(), "openai_chat", "anthropic", policy=Policy.LENIENT):
        case Success(converted):
            assert {(loss.action, loss.what) for loss in converted.losses} >= {
                (Action.DROPPED, "the detail"),
                (Action.DROPPED, "reasoning"),
                (Action.DROPPED, "seed"),
                (Action.DROPPED, "the name of the user"),
                (Action.INVENTED, "max_tokens"),
            }
            assert {loss.weight for loss in converted.losses} == {Weight.DETAIL}
            turns = [turn["role"] for turn in converted.value["messages"]]
            assert turns == ["user", "assistant", "user", "assistant", "user"]
            assert [block["type"] for block in converted.value["messages"][2]["content"]] == ["tool_result", "tool_result"]
        case failure:
            pytest.fail(str(failure))
