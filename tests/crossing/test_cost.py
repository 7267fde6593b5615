"""What a request costs grows with what it says: twice as much takes twice the steps, and nothing is copied to be added to."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

import chatadt
from chatadt import DIALECTS, ChatRequest, Content, Message, check, repair
from chatadt.dialects import Dialect

PACKAGE: Final = Path(chatadt.__file__).parent
FOLDERS: Final = tuple(
    name
    for name in DIALECTS
    if name in ("openai_chat", "openai_responses", "anthropic", "gemini", "bedrock", "mistral", "cohere", "ollama", "openrouter")
)


def exchange(number: int, name: str = "f") -> Iterator[Message.T]:
    yield Message.User("go")
    yield Message.Assistant([Content.Reasoning("hm"), "so", Content.ToolRequest(f"call{number:05}", name, {"a": 1})])
    yield Message.ToolResult(f"call{number:05}", name, "done")


def calls(count: int, ids: Callable[[int], str], names: Callable[[int], str]) -> list[Message.T]:
    asked = Message.Assistant([Content.ToolRequest(ids(number), names(number), {}) for number in range(count)])
    return [Message.User("go"), asked, *(Message.ToolResult(ids(number), names(number), "r") for number in range(count))]


SHAPES: Final[dict[str, Callable[[int], list[Message.T]]]] = {
    "system messages": lambda count: [*(Message.System("s") for _ in range(count)), Message.User("go")],
    "late system messages": lambda count: [Message.User("go"), *(Message.System("s") for _ in range(count)), Message.User("go")],
    "user messages": lambda count: [Message.User("u") for _ in range(count)],
    "assistant messages": lambda count: [Message.User("u"), *(Message.Assistant("a") for _ in range(count)), Message.User("u")],
    "contents": lambda count: [Message.User(["u"] * count)],
    "thoughts": lambda count: [Message.User("u"), Message.Assistant([*[Content.Reasoning("t")] * count, "a"]), Message.User("u")],
    "exchanges": lambda count: [message for number in range(count) for message in exchange(number)],
    "calls at once": lambda count: calls(count, lambda number: f"call{number:05}", lambda number: f"f{number}"),
    "calls of one tool": lambda count: calls(count, lambda number: f"call{number:05}", lambda _: "f"),
    "calls of one id": lambda count: calls(count, lambda _: "call00000", lambda number: f"f{number}"),
    "orphans": lambda count: [Message.User("u"), *(Message.ToolResult(f"call{n:05}", "f", "r") for n in range(count))],
}
TASKS: Final[dict[str, Callable[[ChatRequest, Dialect], object]]] = {
    "check": lambda request, dialect: check(request, dialect),
    "repair": lambda request, dialect: repair(request, dialect),
    "write": lambda request, dialect: dialect.write_request(request),
    "read": lambda request, dialect: dialect.read_request(dialect.write_request(request).value).unwrap(),
}


def steps(work: Callable[[], object]) -> int:
    """How many instructions of Python a piece of work takes."""
    count = 0

    def each(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return each

    before = sys.gettrace()
    sys.settrace(each)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", FOLDERS)
def test_twice_as_much_takes_twice_the_steps(name: str, shape: str) -> None:
    dialect = DIALECTS[name]
    for task, work in TASKS.items():
        few, many = (ChatRequest(SHAPES[shape](count)) for count in (40, 80))
        work(few, dialect)  # what is made once is made
        once, twice = (steps(partial(work, request, dialect)) for request in (few, many))
        assert twice < 2.3 * once, (task, once, twice)


def copies(tree: ast.AST) -> Iterator[str]:
    """Each list that is made anew to be added to: `x = x + y`, `x = [*x, y]`, where `x` is longer each time."""
    for loop in ast.walk(tree):
        if isinstance(loop, ast.For | ast.While):
            for node in ast.walk(loop):
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name | ast.Attribute):
                    target = ast.unparse(node.targets[0])
                    values = [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]
                    yield from (f"{node.lineno}: {ast.unparse(node)}" for value in values if _grows(value, target))


def _grows(value: ast.expr, target: str) -> bool:
    match value:
        case ast.BinOp(left=left, op=ast.Add()):
            return target in (ast.unparse(left), ast.unparse(left).split(" or ")[0])
        case ast.List(elts=[ast.Starred(value=first), *_]) | ast.Tuple(elts=[ast.Starred(value=first), *_]):
            return target == ast.unparse(first)
        case _:
            return False


def test_no_loop_makes_a_list_anew_to_add_to_it() -> None:
    places = [path for folder in ("dialects", "checks", "transforms") for path in (PACKAGE / folder).rglob("*.py")]
    assert len(places) > 100
    trees = {path.relative_to(PACKAGE): ast.parse(path.read_text(encoding="utf-8")) for path in places}
    assert [f"{path}:{copy}" for path, tree in trees.items() for copy in copies(tree)] == []


def test_such_a_loop_is_seen() -> None:
    loop = "for x in y:\n    a.b = a.b + x\n    c = x if c is None else c + x\n    d = [*d, x]\n    e = (e or []) + x\n    f += x"
    assert len(list(copies(ast.parse(loop)))) == 4
    assert list(copies(ast.parse("a = a + b"))) == []


def test_calls_of_gemini_without_ids_find_their_results_in_as_many_steps() -> None:
    def body(count: int) -> dict[str, Any]:
        calls = [{"functionCall": {"name": f"f{number}", "args": {}}} for number in range(count)]
        results = [{"functionResponse": {"name": f"f{number}", "response": {"output": "r"}}} for number in range(count)]
        return {"contents": [{"role": "model", "parts": calls}, {"role": "user", "parts": results}]}

    read = DIALECTS["gemini"].read_request
    once, twice = (steps(partial(read, body(count))) for count in (100, 200))
    assert twice < 2.2 * once
