"""Texts with holes in each syntax: which holes they have, what they become, and what is refused where the template is made."""

from __future__ import annotations

import json
import subprocess
import sys
from enum import Enum
from typing import Any, Final

import pytest
from returns.result import Success

from chatadt import Content, Message, loads
from chatadt.templates import Hole, Misfit, Prompt, Syntax, Template, Words, _parsed
from chatadt.templates._jinja2 import _environment
from chatadt.templates._words import _parsed as remembered

BRACES, MUSTACHE, JINJA2 = Syntax


def text_of(source: str, syntax: Syntax, **values: object) -> str:
    return Template().user(Words(source, syntax)).fill(values).unwrap().messages[0].text


@pytest.mark.parametrize(
    ("source", "values", "text"),
    [
        ("", {}, ""),
        ("plain", {}, "plain"),
        ("{x}{y}{x}", {"x": "1", "y": "2"}, "121"),
        ("{{x}}", {}, "{x}"),
        ("{{{x}}}", {"x": "1"}, "{1}"),
        ('{{"a": {x}}}', {"x": "1"}, '{"a": 1}'),
        ("{été}", {"été": "a"}, "a"),
        ("{x}", {"x": "{x}{y}{{"}, "{x}{y}{{"),
        ("{x}\n", {"x": "a"}, "a\n"),
    ],
)
def test_braces(source: str, values: dict[str, str], text: str) -> None:
    assert text_of(source, BRACES, **values) == text


@pytest.mark.parametrize(
    ("source", "values", "text"),
    [
        ("Hi {{name}}, {{ name }}", {"name": "a"}, "Hi a, a"),
        ("{{name}}|{{{name}}}|{{&name}}", {"name": "<a&\">'"}, "<a&\">'|<a&\">'|<a&\">'"),
        ("{{#items}}[{{.}}]{{/items}}", {"items": [1, "a", True, None, 1.5, [1]]}, "[1][a][true][][1.5][[1]]"),
        ("{{#items}}[{{name}}]{{/items}}", {"items": [{"name": "a"}, {"name": "b"}]}, "[a][b]"),
        ("{{#items}}x{{/items}}{{^items}}none{{/items}}", {"items": []}, "none"),
        ("{{#show}}Hi {{name}}{{/show}}", {"show": True, "name": "a"}, "Hi a"),
        ("{{#show}}Hi {{name}}{{/show}}", {"show": False}, ""),
        ("{{#user}}{{name}} of {{place.city}}{{/user}}", {"user": {"name": "a", "place": {"city": "b"}}}, "a of b"),
        ("{{user.name}}", {"user": {"name": "a"}}, "a"),
        ("{{#a}}{{#b}}{{x}}{{/b}}{{/a}}", {"a": {"x": "outer", "b": {"y": 1}}}, "outer"),
        ("{{#a}}{{#b}}x{{/b}}{{^b}}y{{/b}}{{/a}}", {"a": {"c": 1}}, "y"),
        ("{{! a remark }}a", {}, "a"),
        ("{{#a}}\nline\n{{/a}}\n", {"a": [1, 2]}, "line\nline\n"),
        ("{{name}}", {"name": "{{name}} {{#x}} {{{"}, "{{name}} {{#x}} {{{"),
        ("{{#items}}{{.}}{{/items}}", {"items": ["{{x}}", "{{/items}}"]}, "{{x}}{{/items}}"),
        ("{{name}}\n", {"name": "a"}, "a\n"),
        ("{name}", {}, "{name}"),
        ("{{#x}}{{a}}{{/x}}", {"x": {"a": ["<é>", None]}}, '["<é>",null]'),
    ],
)
def test_mustache(source: str, values: dict[str, Any], text: str) -> None:
    assert text_of(source, MUSTACHE, **values) == text


@pytest.mark.parametrize(
    ("source", "values", "text"),
    [
        ("Hi {{ name }}", {"name": "<a&\">'"}, "Hi <a&\">'"),
        ("{% for x in items %}[{{ x.name }}]{% endfor %}", {"items": [{"name": "a"}, {"name": "b"}]}, "[a][b]"),
        ("{% if show %}a{% else %}b{% endif %}", {"show": 0}, "b"),
        ("{{ name | upper }}", {"name": "a"}, "A"),
        ("{% for i in range(3) %}{{ i }}{% endfor %}", {}, "012"),
        ("{% set x = 1 %}{{ x }}", {}, "1"),
        ("{{ name }}\n", {"name": "a"}, "a\n"),
        ("{{ name }}", {"name": "{{ 7 * 7 }}{% raw %}"}, "{{ 7 * 7 }}{% raw %}"),
        ("{# a remark #}a", {}, "a"),
        ("{name}", {}, "{name}"),
        ("{{ x.a }}|{{ x }}", {"x": {"a": [1, True, None, "<é>", 1.5]}}, '[1,true,null,"<é>",1.5]|{"a":[1,true,null,"<é>",1.5]}'),
        ("{{ x | tojson }}", {"x": {"b": "<é&'>", "a": None}}, """{"b": "<é&'>", "a": null}"""),
        ("{{ x | tojson(indent=1) }}", {"x": {"b": 1}}, '{\n "b": 1\n}'),
        ("{{ (x | tojson) + y }}", {"x": "a", "y": "<&>"}, '"a"<&>'),
        ("{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}{{ name }}{% endcall %}", {"name": "&"}, "<&>"),
    ],
)
def test_jinja2(source: str, values: dict[str, Any], text: str) -> None:
    assert text_of(source, JINJA2, **values) == text


@pytest.mark.parametrize(
    ("source", "syntax", "holes"),
    [
        ("{b} {a} {b}", BRACES, [Hole.Text("b"), Hole.Text("a")]),
        ("{{a}}", BRACES, []),
        ("{{b}} {{a}}", MUSTACHE, [Hole.Text("b"), Hole.Text("a")]),
        ("{{a.b}} {{#c}}{{/c}}{{^d}}{{/d}}", MUSTACHE, [Hole.Data("a"), Hole.Data("c"), Hole.Data("d")]),
        ("{{a}} {{#a}}{{/a}}", MUSTACHE, [Hole.Data("a")]),
        ("{{#a}}{{b}}{{c}}{{.}}{{first-name}}{{/a}}{{c}}", MUSTACHE, [Hole.Data("a"), Hole.Data("b", True), Hole.Text("c")]),
        ("{{ b }} {{ a }}", JINJA2, [Hole.Text("b"), Hole.Text("a")]),
        ("{{ a.b }} {% for x in c %}{{ x }}{{ d }}{% endfor %}", JINJA2, [Hole.Data("a"), Hole.Data("c"), Hole.Text("d")]),
        ("{{ a }} {% if a %}{% endif %}", JINJA2, [Hole.Data("a")]),
        ("{{ a ~ b }}", JINJA2, [Hole.Data("a"), Hole.Data("b")]),
    ],
)
def test_a_name_that_is_only_printed_is_a_text_and_any_other_is_data(source: str, syntax: Syntax, holes: list[Hole.T]) -> None:
    assert list(Words(source, syntax).holes) == holes


@pytest.mark.parametrize(
    ("source", "syntax"),
    [
        *((source, BRACES) for source in ("{", "}", "{}", "{0}", "{a.b}", "{a[0]}", "{a!r}", "{a:>10}", "{a:{b}}", '{"a": 1}')),
        *((source, BRACES) for source in ("{ a }", "{a-b}", "a}b", "{a}}", "{a{b}")),
        *((source, MUSTACHE) for source in ("{{", "a {{b", "{{}}", "{{#a}}", "{{/a}}", "{{#a}}{{/b}}", "{{> a}}", "{{a b}}")),
        *((source, MUSTACHE) for source in ("{{=<% %>=}}", "{{= =}}", "{{.}}", "{{__class__.x-y}} {{a!}}", "{{{a}}")),
        *(
            (source, JINJA2)
            for source in ("{{ a", "{% if a %}", "{% nonsense %}", "{{ a | nonsense }}", "{{ a | random }}", "{{ a b }}")
        ),
        *((source, JINJA2) for source in ("{% include 'a' %}", "{% include a %}", "{% extends 'a' %}", "{% import 'a' as b %}")),
        *((source, JINJA2) for source in ("{% from 'a' import b %}", "{% autoescape true %}{{ a }}{% endautoescape %}")),
        *((source, JINJA2) for source in ("{{ " + "(" * 5_000 + ")" * 5_000 + " }}", "{{ " + "9" * 5_000 + " }}")),
        *(
            (source, JINJA2)
            for source in ("{% for x in a %}" * 25 + "{% endfor %}" * 25, "{% if a %}" * 3_000 + "{% endif %}" * 3_000)
        ),
        ("{{#a}}" * 101 + "{{/a}}" * 101, MUSTACHE),
    ],
)
def test_a_mistake_in_a_text_is_a_value_error_where_it_is_made(source: str, syntax: Syntax) -> None:
    """And a value where the text was stored."""
    with pytest.raises(ValueError, match=r"expected .*, got "):
        Words(source, syntax)
    line = {"type": "user", "contents": [{"type": "words", "source": source, "syntax": syntax.value}]}
    assert "expected" in str(loads(json.dumps({"chatadt": 1, "template": {"lines": [line]}})).failure())


@pytest.mark.parametrize(
    "source",
    [
        "{{ 'a' | told }}",
        "{% set b = 'a' | told %}",
        "{% if 'a' | told %}{% endif %}",
        "{% for x in 'a' | told %}{% endfor %}",
        "{% with b = 'a' | told %}{% endwith %}",
        "{% macro m(b='a' | told) %}{% endmacro %}",
        "{{ 'a' ~ ('b' | told) }}",
    ],
)
def test_nothing_is_computed_where_a_text_is_made(source: str) -> None:
    """Jinja2 computes what is constant when it compiles, so that to load a text could take all time and memory there is."""
    told: list[object] = []
    filters = _environment().filters
    filters["told"] = lambda value: told.append(value) or value
    try:
        template = Template().user(Words(source, JINJA2))
        assert told == []
        template.fill().unwrap()
        assert "m(" in source or told
    finally:
        del filters["told"]
        remembered.cache_clear()


def test_sections_may_be_nested() -> None:
    assert text_of("{{#a}}" * 100 + "x" + "{{/a}}" * 100, MUSTACHE, a=True) == "x"


class Mood(str, Enum):  # noqa: UP042 (the older form, whose str is its name)
    KIND = "kind"


class Shown(str):
    def __str__(self) -> str:
        return "shown"

    def __html__(self) -> str:
        return "marked"


@pytest.mark.parametrize("syntax", Syntax)
@pytest.mark.parametrize("value", [Mood.KIND, Shown("kind")], ids=["a member of an enumeration", "a string that shows itself"])
def test_a_string_of_another_class_is_the_text_that_it_is(syntax: Syntax, value: str) -> None:
    (content,) = Template().user(Words("{a}" if syntax is BRACES else "{{a}}", syntax)).fill(a=value).unwrap().messages[0].contents
    assert content == Content.Text("kind")
    assert type(content.text) is str


@pytest.mark.parametrize(
    ("source", "syntax", "values"),
    [
        ("{{#a}}{{b}}{{/a}}", MUSTACHE, {"a": True}),
        ("{{a.b}}", MUSTACHE, {"a": {}}),
        ("{{a.upper}}", MUSTACHE, {"a": "x"}),
        ("{{a.__class__}}", MUSTACHE, {"a": {}}),
        ("{{ a.b }}", JINJA2, {"a": {}}),
        ("{{ a.__class__ }}", JINJA2, {"a": {}}),
        ("{{ a.__class__.__mro__ }}", JINJA2, {"a": "x"}),
        ("{{ ''.__class__.__base__.__subclasses__() }}", JINJA2, {}),
        ("{{ 1 / a }}", JINJA2, {"a": 0}),
        ("{% for x in range(10 ** 9) %}{% endfor %}", JINJA2, {}),
        ("{{ a.append(1) }}", JINJA2, {"a": [1]}),
        ("{{ a.items }}", JINJA2, {"a": {}}),
        ("{{ a | map(attribute='b') | list }}", JINJA2, {"a": [{}]}),
        ("{{ a | map('upper') }}", JINJA2, {"a": ["b"]}),
        ("{{ joiner() }}", JINJA2, {}),
        ("{{ namespace() }}", JINJA2, {}),
        ("{{ cycler }}", JINJA2, {}),
        ("{{ self }}", JINJA2, {}),
        ("{{ 1e200 * 1e200 }}", JINJA2, {}),
        ("{% macro m() %}{% endmacro %}{{ m }}", JINJA2, {}),
    ],
)
def test_what_cannot_be_rendered_is_an_error_and_not_an_empty_text(source: str, syntax: Syntax, values: dict[str, Any]) -> None:
    (misfit,) = Template().user(Words(source, syntax)).fill(values).failure().misfits
    assert isinstance(misfit, Misfit.Unrenderable)
    assert misfit.source == source
    assert misfit.why
    assert "None" not in misfit.why


def test_all_texts_that_cannot_be_rendered_are_named() -> None:
    bad = Words("{{#a}}{{b}}{{/a}}", MUSTACHE)
    found = Template().user(bad).assistant("fine").user(bad).fill(a=True).failure()
    assert [misfit.source for misfit in found.misfits if isinstance(misfit, Misfit.Unrenderable)] == [bad.source] * 2


def test_a_text_does_not_say_who_is_to_render_it_by_its_neighbours() -> None:
    template = Template().user(Words("{{x}}", MUSTACHE)).user("{{x}} {x}").user(Words("{{ x }} {x}", JINJA2))
    assert template.fill(x="a") == Success(Prompt([Message.User("a"), Message.User("{x} a"), Message.User("a {x}")]))


# The libraries.

UNINSTALLED: Final = {MUSTACHE: ("mustache", "chevron"), JINJA2: ("jinja2", "jinja2")}


@pytest.mark.parametrize("syntax", UNINSTALLED)
def test_without_its_library_a_syntax_says_what_to_install(syntax: Syntax, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}")

    extra, library = UNINSTALLED[syntax]
    monkeypatch.setattr(_parsed, "import_module", missing)
    remembered.cache_clear()
    with pytest.raises(ImportError, match=rf"need the library {library}.*: pip install 'chatadt\[{extra}\]'"):
        Words("{{ a }}", syntax)
    line = f'{{"type":"user","contents":[{{"type":"words","source":"{{{{ a }}}}","syntax":"{syntax.value}"}}]}}'
    assert f"chatadt[{extra}]" in str(loads(f'{{"template":{{"lines":[{line}]}}}}').failure())
    assert text_of("{a}", BRACES, a="b") == "b"


def test_braces_load_no_library_of_another_syntax() -> None:
    code = (
        "import chatadt, sys\nfrom chatadt.templates import Template\n"
        "chatadt.loads(chatadt.dumps(Template().user('{a}'))).unwrap().fill(a='b')\nprint(*sys.modules)"
    )
    loaded = {
        name.partition(".")[0]
        for name in subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    }
    assert "chatadt" in loaded
    assert loaded & {"jinja2", "chevron", "markupsafe"} == set()
