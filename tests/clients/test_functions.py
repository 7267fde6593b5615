"""Tools of typed Python functions: the schema says what the signature says, and what does not fit is told to the model."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any

import jsonschema
import pytest
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
