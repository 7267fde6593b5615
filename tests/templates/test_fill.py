"""Templates: holes are typed and listed, what does not fit is named all at once, and parts keep their values to themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given
from returns.result import Failure, Success

from chatadt import Content, Extras, History, Json, Message, Outcome, Resource, strategies
from chatadt.templates import (
    KINDS,
    Binding,
    Hole,
    Kind,
    Line,
    Misfit,
    Prompt,
    Syntax,
    Template,
    Unfilled,
    Value,
    Words,
)

CAT: Final = Content.Image(Resource.Ref("https://example.org/cat.png"))
ASK: Final = Template().system("You are {persona}.").messages("history").user(["{question}", Hole.Content("photo", Kind.IMAGE)])


def filled(template: Template, **values: object) -> tuple[Message.T, ...]:
    return template.fill(values).unwrap().messages


def misfits(template: Template, **values: object) -> tuple[Misfit.T, ...]:
    return template.fill(values).failure().misfits


def test_a_template_becomes_the_messages_that_it_says() -> None:
    template = ASK.assistant(["{said}", Content.ToolRequest("1", "look", {})], "{bot}").result(
        "{id}", "look", "{seen}", Outcome.ERROR
    )
    got = filled(
        template,
        persona="a cat",
        history=[Message.User("a"), Message.Assistant("b")],
        question="What?",
        photo=CAT,
        said="hm",
        bot="tom",
        id="1",
        seen="a dog",
    )
    assert got == (
        Message.System("You are a cat."),
        Message.User("a"),
        Message.Assistant("b"),
        Message.User(["What?", CAT]),
        Message.Assistant(["hm", Content.ToolRequest("1", "look", {})], "tom"),
        Message.ToolResult("1", "look", "a dog", Outcome.ERROR),
    )


def test_holes_are_listed_once_each_with_what_they_take() -> None:
    assert ASK.user("{question}").holes == (
        Hole.Text("persona"),
        Hole.Messages("history"),
        Hole.Text("question"),
        Hole.Content("photo", Kind.IMAGE),
    )


def test_missing_extra_and_ill_typed_values_are_one_error_that_names_them_all() -> None:
    failure = ASK.fill(persona=5, history="hi", photo=Content.Text("a photo"), queston="What?").failure()
    assert failure == Unfilled(
        (
            Misfit.Extra("queston", ("persona", "history", "question", "photo")),
            Misfit.IllTyped("persona", "a text", "5"),
            Misfit.IllTyped("history", "messages of users, assistants and tools", '"hi"'),
            Misfit.Missing("question", "a text"),
            Misfit.IllTyped("photo", "Content.Image", "Content.Text('a photo')"),
        )
    )
    assert str(failure).splitlines() == [
        "cannot fill the template:",
        "  expected one of the holes that there are (persona, history, question, photo), got a value for queston",
        "  expected a text for persona, got 5",
        '  expected messages of users, assistants and tools for history, got "hi"',
        "  expected a text for question, got nothing",
        "  expected Content.Image for photo, got Content.Text('a photo')",
    ]


def test_each_example_and_each_content_that_does_not_fit_is_named() -> None:
    shots = Template().each("shots", Template().user(["{q}", Hole.Content("album", [Kind.IMAGE, Kind.TEXT], many=True)]))
    failure = shots.fill(
        shots=[{"q": "a", "album": []}, {"b": 1}, 5, {"q": 5, "album": [5, "fine", Content.Refusal("no")]}]
    ).failure()
    assert list(map(str, failure.misfits)) == [
        "expected one of the holes that there are (q, album), got a value for shots[1].b",
        "expected a text for shots[1].q, got nothing",
        "expected any number of Content.Image or Content.Text for shots[1].album, got nothing",
        "expected a mapping with q, album for shots[2], got 5",
        "expected a text for shots[3].q, got 5",
        "expected Content.Image or Content.Text for shots[3].album[0], got 5",
        "expected Content.Image or Content.Text for shots[3].album[2], got Content.Refusal('no')",
    ]


TEXT: Final = Template().user("{x}")
DATA: Final = Template().user(Words("{{#x}}{{.}}{{/x}}", Syntax.MUSTACHE))
PHOTO: Final = Template().user([Hole.Content("x", Kind.IMAGE)])
ALBUM: Final = Template().user([Hole.Content("x", [Kind.IMAGE, Kind.TEXT], many=True)])
PAST: Final = Template().messages("x")
ANYONE: Final = Template().messages("x", anyone=True)
SHOTS: Final = Template().each("x", Template().user("{q}"))


def shown(value: object) -> str:
    """The name of an example, the same in every run."""
    text = repr(value)
    return type(value).__name__ if " object at 0x" in text else text


@pytest.mark.parametrize(
    ("template", "value"),
    [
        *((TEXT, value) for value in (None, 5, True, b"x", ["x"], {"a": 1}, Content.Text("x"), Json('"x"'))),
        *((DATA, value) for value in (object(), {1: 2}, {1, 2}, float("nan"), CAT)),
        *((PHOTO, value) for value in (None, "x", Content.Text("x"), CAT.resource, [CAT], b"x")),
        *((ALBUM, value) for value in (None, 5, b"x", {"a": CAT}, [CAT, 5], [CAT, Content.Refusal("x")])),
        *((PAST, value) for value in (None, "hi", Message.User("hi"), {"role": "user", "content": "hi"}, 5)),
        *((PAST, [value]) for value in ("hi", None, ("user", "hi"), {"role": "system", "content": "obey"}, CAT)),
        *((PAST, [value]) for value in (Message.System("obey"), Message.Custom({"role": "system"}))),
        *((ANYONE, [value]) for value in ("hi", None, {"role": "system", "content": "obey"})),
        *((SHOTS, value) for value in (None, "x", {"q": "x"}, [5], ["q"], [Message.User("hi")])),
    ],
    ids=shown,
)
def test_what_a_hole_does_not_take_is_ill_typed(template: Template, value: object) -> None:
    (misfit,) = misfits(template, x=value)
    assert isinstance(misfit, Misfit.IllTyped)
    assert misfit.path.partition("[")[0] == "x"
    assert str(misfit)


@pytest.mark.parametrize(
    ("template", "value"),
    [
        (TEXT, ""),
        *((DATA, value) for value in (None, True, 0, "x", [], [1, "a", None], {}, {"a": [1]}, Json("[1, 2]"))),
        (PHOTO, CAT),
        *((ALBUM, value) for value in ([], CAT, (CAT, "x"), iter([CAT]), "x", Content.Text("x"))),
        *((PAST, value) for value in ([], History().user("a").assistant("b"), [Message.ToolResult("1", None, "x")], History())),
        *((ANYONE, value) for value in (History().system("a"), [Message.Custom({"role": "critic"})])),
        *((SHOTS, value) for value in ([], [{"q": "x"}], iter([{"q": "x"}, {"q": "y"}]))),
    ],
    ids=shown,
)
def test_what_a_hole_takes_fills_it(template: Template, value: object) -> None:
    assert isinstance(template.fill(x=value), Success)


def test_what_is_wrong_within_examples_has_a_path() -> None:
    shots = Template().each("shots", Template().user(["{q}", Hole.Content("photo", Kind.IMAGE, optional=True)]).assistant("{a}"))
    assert misfits(shots, shots=[{"q": "1", "a": "2"}, {"q": 1, "b": "2", "photo": "x"}]) == (
        Misfit.Extra("shots[1].b", ("q", "photo", "a")),
        Misfit.IllTyped("shots[1].q", "a text", "1"),
        Misfit.IllTyped("shots[1].photo", "Content.Image", '"x"'),
        Misfit.Missing("shots[1].a", "a text"),
    )


def test_examples_become_messages_in_their_order_and_are_not_templates() -> None:
    shots = Template().each("shots", Template().user("{q}").assistant("{a}")).user("{q}")
    assert filled(shots, q="now", shots=[{"q": "{q}", "a": "{evil}"}, {"q": "2", "a": "b"}]) == (
        Message.User("{q}"),
        Message.Assistant("{evil}"),
        Message.User("2"),
        Message.Assistant("b"),
        Message.User("now"),
    )


@pytest.mark.parametrize(
    "line",
    [
        Line.User([Hole.Content("x", Kind.IMAGE, optional=True)]),
        Line.Messages("x", optional=True),
        Line.Each("x", [Line.User("{q}")], optional=True),
    ],
)
@pytest.mark.parametrize("values", [{}, {"x": None}])
def test_an_optional_hole_may_stay_empty(line: Line.T, values: dict[str, object]) -> None:
    messages = Template([line]).fill(values).unwrap().messages
    assert messages == ((Message.User([]),) if isinstance(line, Line.User) else ())


def test_a_default_fills_what_is_given_nothing() -> None:
    template = ASK.with_defaults(persona="a cat", photo=CAT, history=[Message.User("before")])
    assert [hole.name for hole in template.holes if not hole.optional] == ["question"]
    assert filled(template, question="Why?") == (
        Message.System("You are a cat."),
        Message.User("before"),
        Message.User(["Why?", CAT]),
    )
    assert filled(template, question="Why?", persona="a dog", history=[])[0] == Message.System("You are a dog.")
    assert filled(template, question="Why?", persona=None) == filled(template, question="Why?")
    assert filled(template.with_defaults(persona="a cow"), question="Why?")[0] == Message.System("You are a cow.")


def test_a_default_that_does_not_fit_is_the_programs_mistake() -> None:
    with pytest.raises(ValueError, match="cannot fill the template: expected a text for persona, got 5"):
        ASK.with_defaults(persona=5)
    with pytest.raises(ValueError, match=r"expected one of the holes that there are \(.*\), got a value for persno"):
        ASK.with_defaults(persno="x")


def test_a_part_is_filled_for_good() -> None:
    part = ASK.partial(persona="a {cat}").unwrap()
    assert [hole.name for hole in part.holes] == ["history", "question", "photo"]
    assert filled(part, history=[], question="Why?", photo=CAT)[0] == Message.System("You are a {cat}.")
    assert misfits(part, persona="a dog", history=[], question="Why?", photo=CAT) == (
        Misfit.Extra("persona", ("history", "question", "photo")),
    )


def test_a_part_is_refused_as_a_whole_would_be_save_for_what_is_missing() -> None:
    assert ASK.partial(persona=5, x="y").failure().misfits == (
        Misfit.Extra("x", ("persona", "history", "question", "photo")),
        Misfit.IllTyped("persona", "a text", "5"),
    )


@given(strategies.templates_and_fillings())
def test_to_fill_in_parts_is_to_fill_at_once(filling: tuple[Template, dict[str, Any]]) -> None:
    template, values = filling
    some = dict(list(values.items())[::2])
    rest = {name: value for name, value in values.items() if name not in some}
    assert template.partial(some).unwrap().fill(rest) == template.fill(values)


def test_parts_keep_their_values_to_themselves_when_templates_are_added() -> None:
    one = Template().user("{name} and {other}").partial(name="ann").unwrap()
    two = Template().user("{name}")
    assert filled(one + two, name="bob", other="cy") == (Message.User("ann and cy"), Message.User("bob"))
    assert filled(two + one, name="bob", other="cy") == (Message.User("bob"), Message.User("ann and cy"))
    spared = Template().user("{name}").with_defaults(name="ann")
    assert misfits(spared + two) == (Misfit.Missing("name", "a text"),)
    assert filled(spared + two, name="bob") == (Message.User("bob"), Message.User("bob"))


@given(strategies.templates(), strategies.templates())
def test_the_holes_of_a_sum_are_those_of_its_summands(one: Template, two: Template) -> None:
    try:
        both = one + two
    except ValueError:  # the same name for two sorts of hole
        return
    assert {hole.name for hole in both.holes} == {hole.name for hole in (*one.holes, *two.holes)}
    assert Template() + one == one + Template() == one
    required = {hole.name for hole in both.holes if not hole.optional}
    assert required == {hole.name for hole in (*one.holes, *two.holes) if not hole.optional}


def test_messages_that_are_added_stay_as_they_are() -> None:
    template = Template().user("{x}") + History().user("{x}").assistant("{{") + Template().user("{y}")
    assert filled(template, x="1", y="2") == (
        Message.User("1"),
        Message.User("{x}"),
        Message.Assistant("{{"),
        Message.User("2"),
    )


@pytest.mark.parametrize("other", ["{y}", ("human", "{y}"), ["x"], Message.User("x"), {"role": "user"}, None, 5])
def test_nothing_else_is_added_to_a_template(other: Any) -> None:
    with pytest.raises(TypeError):
        Template().user("{x}") + other


def test_contents_of_a_template_stay_as_they_are_with_what_dialects_say_of_them() -> None:
    mark = Extras({"anthropic": {"cache_control": {"type": "ephemeral"}}})
    template = Template([Line.System([Words("{x}", extras=mark), Content.Text("{x}")], mark)])
    assert filled(template, x="y") == (Message.System([Content.Text("y", mark), Content.Text("{x}")], mark),)


MISTAKES: Final[dict[str, Callable[[], object]]] = {
    "one name for a text and an image": lambda: Template().user(["{x}", Hole.Content("x", Kind.IMAGE)]),
    "one name for an image and a PDF": lambda: Template().user([Hole.Content("x", Kind.IMAGE), Hole.Content("x", Kind.PDF)]),
    "one name for a text and messages": lambda: Template().user("{x}").messages("x"),
    "one name in two templates": lambda: Template().user("{x}") + Template().messages("x"),
    "one name for two sorts of example": lambda: SHOTS + Template().each("x", Template().user("{r}")),
    "an image in a system message": lambda: Template().system([Hole.Content("x", Kind.IMAGE)]),
    "a tool request of a user": lambda: Template().user([Hole.Content("x", Kind.TOOL_REQUEST)]),
    "a hole without a name": lambda: Hole.Content("", Kind.IMAGE),
    "a hole with a name that is none": lambda: Line.Messages("my history"),
    "a hole that takes nothing": lambda: Hole.Content("x", []),
    "a tool without a name": lambda: Template().result("1", " ", "x"),
    "a value that has no hole": lambda: Line.Scope([Line.User("hi")], [Binding("x", Value.Text("y"))]),
    "a value of another sort": lambda: Line.Scope([Line.User("{x}")], defaults=[Binding("x", Value.Messages([]))]),
    "two values for one hole": lambda: Line.Scope([Line.User("{x}")], [Binding("x", Value.Text("y"))] * 2),
    "a default for what is given": lambda: Line.Scope([Line.User("{x}")], *([Binding("x", Value.Text("y"))],) * 2),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_template_is_a_value_error_where_it_is_made(mistake: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w+"):
        mistake()


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: Template().system([CAT]),  # type: ignore[list-item]
        lambda: Template().user([Content.Refusal("no")]),  # type: ignore[list-item]
        lambda: Template().user(5),  # type: ignore[arg-type]
        lambda: Template().user([None]),  # type: ignore[list-item]
        lambda: Template().user("x", 5),  # type: ignore[arg-type]
        lambda: Template(["x"]),  # type: ignore[list-item]
        lambda: Template([Message.User("x")]),  # type: ignore[list-item]
        lambda: Words(5),  # type: ignore[arg-type]
        lambda: Words("x", "mustache"),  # type: ignore[arg-type]
        lambda: Hole.Content("x", "image"),
        lambda: Value.Contents(["x"]),  # type: ignore[list-item]
        lambda: Value.Rows([["x"]]),  # type: ignore[list-item]
        lambda: Binding("x", "y"),  # type: ignore[arg-type]
        lambda: Line.Exactly("x"),  # type: ignore[arg-type]
    ],
)
def test_a_value_of_a_wrong_type_in_a_template_is_a_type_error(mistake: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        mistake()


def test_every_content_has_a_kind() -> None:
    assert set(KINDS) == set(Kind)
    assert set(KINDS.values()) == set(Content.T.__args__)


@pytest.mark.parametrize("name", ["stop", "self", "values", "lines", "type"])
def test_no_name_of_a_hole_is_reserved(name: str) -> None:
    template = Template().user(f"{{{name}}}")
    assert template.fill({name: "x"}) == Success(Prompt([Message.User("x")]))


class Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError("it does not show itself")


@pytest.mark.parametrize("value", [Unshowable(), [Unshowable()], {"a": Unshowable()}], ids=["alone", "in a list", "in a dict"])
@pytest.mark.parametrize("template", [TEXT, DATA, PHOTO, ALBUM, PAST, ANYONE, SHOTS])
def test_what_cannot_be_shown_is_an_error_like_any_other(template: Template, value: object) -> None:
    assert "that cannot be shown" in str(template.fill(x=value).failure())


@given(strategies.templates_and_fillings(*Syntax))
def test_to_fill_answers_and_never_raises(filling: tuple[Template, dict[str, Any]]) -> None:
    template, values = filling
    for given_ in (
        values,
        {},
        dict.fromkeys(values),
        {**values, "nobody": 1},
        dict.fromkeys(values, "x"),
        dict.fromkeys(values, 5),
    ):
        answer = template.fill(given_)
        assert isinstance(answer, Success) or (isinstance(answer, Failure) and str(answer.failure()))
