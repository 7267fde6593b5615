"""Tools of typed Python functions: the schema says what the signature says, and what does not fit is told to the model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import lru_cache, partial
from typing import Annotated, Any

import jsonschema
import pytest
from attrs import frozen
from pydantic import Field

from chatadt import DIALECTS, ChatRequest, Content, History, Message, ModelParams, Outcome, check
from chatadt.clients import Run, Runnable, async_run_tools, in_thread, run_tools, scripted
from chatadt.clients.functions import async_tool, tool


class Unit(Enum):
    CELSIUS = "celsius"
    KELVIN = "kelvin"


@dataclass
class Place:
    city: str
    country: str = "Austria"


def forecast(place: Place, day: date, unit: Unit = Unit.CELSIUS, hours: Annotated[int, Field(ge=1, le=24)] = 24) -> dict[str, Any]:
    """Forecasts the weather of a place."""
    return {"place": place.city, "day": day, "unit": unit, "hours": hours}


GOOD: dict[str, Any] = {"place": {"city": "Vienna"}, "day": "2026-12-01"}


def ran(made: Runnable, arguments: Any) -> tuple[str, Outcome]:
    said = Message.Assistant([Content.ToolRequest("c1", made.tool.name, arguments)])
    run = run_tools(scripted(said, "Done."), [made])(ChatRequest(History().user("hi"), ModelParams()))
    result = run.history[2]
    assert isinstance(result, Message.ToolResult)
    return result.text, result.outcome


def test_the_definition_says_what_the_function_says() -> None:
    definition = tool(forecast).tool
    assert (definition.name, definition.description) == ("forecast", "Forecasts the weather of a place.")
    assert definition.parameters is not None
    schema = definition.parameters.value
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["required"] == ["place", "day"]
    jsonschema.validate(GOOD, schema)
    for bad in ({}, {**GOOD, "unit": "miles"}, {**GOOD, "hours": 25}, {**GOOD, "more": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)


def test_a_name_and_a_description_of_ones_own_are_taken() -> None:
    definition = tool(forecast, name="weather", description="Tells.").tool
    assert (definition.name, definition.description) == ("weather", "Tells.")


def test_every_provider_takes_the_definition() -> None:
    request = ChatRequest(History().user("hi"), ModelParams(tools=[tool(forecast).tool], max_output_tokens=100))
    for dialect in DIALECTS:
        assert check(request, dialect) == (), dialect


def test_arguments_become_what_the_signature_says() -> None:
    text, outcome = ran(tool(forecast), {**GOOD, "unit": "kelvin", "hours": 3})
    assert (text, outcome) == ('{"place":"Vienna","day":"2026-12-01","unit":"kelvin","hours":3}', Outcome.OK)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"day": "2026-12-01"}, "place: Missing required argument"),
        ({**GOOD, "day": "tomorrow"}, "day: "),
        ({**GOOD, "hours": 0}, "hours: Input should be greater than or equal to 1"),
        ({**GOOD, "colour": "red"}, "colour: Unexpected keyword argument"),
    ],
)
def test_arguments_that_do_not_fit_are_told_to_the_model_by_name(arguments: Any, told: str) -> None:
    text, outcome = ran(tool(forecast), arguments)
    assert outcome is Outcome.ERROR
    assert told in text
    assert "http" not in text


def test_a_function_cannot_be_called_with_what_is_no_json_object() -> None:
    def by_place(city: str, /) -> str:
        return city

    def many(*cities: str) -> str:
        return " ".join(cities)

    async def later(city: str) -> str:
        return city

    for function in (by_place, many, later):
        with pytest.raises(TypeError, match="by"):
            tool(function)


def add(a: int, b: int = 2) -> int:
    """Adds two numbers."""
    return a + b


class Adder:
    def __call__(self, a: int) -> int:
        return a

    def add(self, a: int) -> int:
        """Adds."""
        return a + 1


def test_a_partial_is_the_tool_of_its_function_without_what_it_binds() -> None:
    made = tool(partial(add, 5))
    assert (made.tool.name, made.tool.description) == ("add", "Adds two numbers.")
    assert made.tool.parameters is not None
    assert list(made.tool.parameters.value["properties"]) == ["b"]
    assert ran(made, {"b": 3}) == ("8", Outcome.OK)


@pytest.mark.parametrize("make", [tool, async_tool])
def test_what_a_partial_binds_by_name_is_not_shown_to_a_model(make: Any) -> None:
    for name in (None, "add_to_five"):
        with pytest.raises(TypeError, match="a partial binds a by name"):
            make(partial(add, a=5), name=name)


def test_a_method_is_a_tool() -> None:
    assert ran(tool(Adder().add), {"a": 1}) == ("2", Outcome.OK)


@pytest.mark.parametrize("make", [tool, async_tool])
@pytest.mark.parametrize("function", [Adder(), Adder, len, lru_cache(add), partial(len), 5])
def test_what_is_no_function_is_no_tool(make: Any, function: Any) -> None:
    with pytest.raises(TypeError, match=r"expected a function, a method or a partial of one, got .*: write a function"):
        make(function, name="f")


def test_a_lambda_is_a_tool_by_the_name_that_it_is_given() -> None:
    with pytest.raises(TypeError, match="name="):
        tool(lambda: "noon")
    assert ran(tool(lambda: "noon", name="now"), {}) == ("noon", Outcome.OK)


@frozen
class Cell:
    value: object
    next: object = None


def typed(annotation: Any, default: Any = ...) -> Any:
    """A function of one parameter."""

    def f(good: int, cell: Any = default) -> str:
        return "ok"

    f.__annotations__["cell"] = annotation
    f.__defaults__ = None if default is ... else (default,)
    return f


@pytest.mark.parametrize(("annotation", "shown"), [(Cell, "Cell"), (list[Cell], "list"), (Callable[[], int], "Callable")])
def test_a_parameter_without_a_schema_is_named(annotation: Any, shown: str) -> None:
    with pytest.raises(TypeError, match=f"no JSON Schema of cell of f, which is .*{shown}.*: take"):
        tool(typed(annotation))


@pytest.mark.parametrize("default", [float("nan"), float("inf")])
def test_a_parameter_whose_default_is_no_json_is_named(default: Any) -> None:
    with pytest.raises(ValueError, match="cell of f"):
        tool(typed(Any, default))


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (float("nan"), "NaN"),
        ([float("inf"), {"low": -float("inf")}, 1.5], '["Infinity",{"low":"-Infinity"},1.5]'),
        (Place(city="Graz", country="Austria"), '{"city":"Graz","country":"Austria"}'),
        (
            Cell(1, Cell(float("nan"), Place("Graz"))),
            '{"value":1,"next":{"value":"NaN","next":{"city":"Graz","country":"Austria"}}}',
        ),
        ([Cell(date(2026, 12, 1))], '[{"value":"2026-12-01","next":null}]'),
        (None, "null"),
    ],
)
def test_nothing_that_a_function_gives_is_lost(given: object, text: str) -> None:
    assert ran(tool(lambda: given, name="f"), {}) == (text, Outcome.OK)


def test_what_json_cannot_say_is_told_to_the_model() -> None:
    text, outcome = ran(tool(lambda: [Cell(object())], name="f"), {})
    assert outcome is Outcome.ERROR
    assert "JSON cannot say object" in text


def test_a_function_that_turns_out_to_be_asynchronous_is_told_to_the_one_who_made_it() -> None:
    async def later() -> str:
        return "later"

    waiting = later()
    text, outcome = ran(tool(lambda: waiting, name="f"), {})
    waiting.close()
    assert outcome is Outcome.ERROR
    assert "async_run_tools" in text


def test_a_function_without_parameters_is_a_tool() -> None:
    def now() -> str:
        return "noon"

    assert ran(tool(now), {}) == ("noon", Outcome.OK)


def test_a_function_may_give_contents() -> None:
    def look() -> list[Content.Text]:
        return [Content.Text("a cat")]

    assert ran(tool(look), {}) == ("a cat", Outcome.OK)


def test_an_asynchronous_function_is_an_asynchronous_tool() -> None:
    async def double(number: int) -> int:
        return 2 * number

    said = Message.Assistant([Content.ToolRequest(f"c{n}", "double", {"number": n}) for n in (2, 3)])
    unfit = Message.Assistant([Content.ToolRequest("c9", "double", {"number": "two"})])

    async def go() -> Run.T:
        script = in_thread(scripted(said, unfit, "Done."))
        return await async_run_tools(script, [async_tool(double)])(ChatRequest(History().user("hi")))

    results = [message for message in asyncio.run(go()).history if isinstance(message, Message.ToolResult)]
    assert [result.text for result in results[:2]] == ["4", "6"]
    assert "number: " in results[2].text
