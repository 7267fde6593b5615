"""The ledger finds every planted drop and every planted lie, and passes an honest conversion that was written by hand."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

import pytest

from .ledger import Reported, invented, lies, reordered, silent
from .values import place, subtrees

PNG: Final = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR42mM8ISfHwMDAxMDAwMDAAAANEAEDHMqkFAAAAABJRU5ErkJggg=="
SCHEMA: Final = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 3}}}

BEFORE: Final[dict[str, Any]] = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "You tell the weather."},
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "name": "ann",
            "content": [
                {"type": "text", "text": "Where is this, and how is the weather there?"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "high"}},
                {
                    "type": "file",
                    "file": {"filename": "trip.txt", "file_data": f"data:text/plain;base64,{b64encode(b'Day one').decode()}"},
                },
                {"type": "text", "text": "Be brief."},
            ],
        },
        {
            "role": "assistant",
            "content": "Let me look.",
            "reasoning_content": "A fjord, so it is Norway.",
            "tool_calls": [
                {"id": "call:1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo", "days": 2}'}},
                {"id": "call:2", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Bergen", "days": 2}'}},
            ],
        },
        {"role": "tool", "tool_call_id": "call:1", "name": "weather", "content": "4 C"},
        {"role": "tool", "tool_call_id": "call:2", "content": [{"type": "text", "text": "9 C"}]},
        {"role": "assistant", "content": ""},
    ],
    "tools": [{"type": "function", "function": {"name": "weather", "description": "Of a city.", "parameters": SCHEMA}}],
    "tool_choice": "required",
    "parallel_tool_calls": False,
    "max_completion_tokens": 300,
    "temperature": 0.5,
    "stop": ["END", "STOP"],
    "seed": 7,
    "user": "u-1",
    "stream": False,
    "response_format": {"type": "json_schema", "json_schema": {"name": "place", "schema": {"type": "object"}}},
    "provider": {"only": ["somebody"]},
}

AFTER: Final[dict[str, Any]] = {
    "model": "m",
    "max_tokens": 300,
    "system": [{"type": "text", "text": "You tell the weather."}, {"type": "text", "text": "Be brief."}],
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Where is this, and how is the weather there?"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
                {
                    "type": "document",
                    "title": "trip.txt",
                    "source": {"type": "text", "media_type": "text/plain", "data": "Day one"},
                },
                {"type": "text", "text": "Be brief."},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Let me look."},
                {"type": "tool_use", "id": "call_1", "name": "weather", "input": {"days": 2.0, "city": "Oslo"}},
                {"type": "tool_use", "id": "call_2", "name": "weather", "input": {"days": 2, "city": "Bergen"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "call_1", "content": "4 C"},
                {"type": "tool_result", "tool_use_id": "call_2", "content": [{"type": "text", "text": "9 C"}]},
            ],
        },
    ],
    "tools": [{"name": "weather", "description": "Of a city.", "input_schema": SCHEMA}],
    "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
    "temperature": 0.5,
    "stop_sequences": ["END", "STOP"],
    "metadata": {"user_id": "u-1"},
    "output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}},
}

LOSSES: Final = (
    Reported("$.messages[1].name", "a speaker's name", "dropped", "ann"),
    Reported("$.messages[1].contents[1].detail", "how closely to look", "dropped", "high"),
    Reported("$.messages[2].contents[0]", "reasoning", "dropped", {"type": "reasoning", "text": "A fjord, so it is Norway."}),
    Reported("$.params.seed", "seed", "dropped", 7),
    Reported("$.params.response_format.name", "the name of a format", "dropped", "place"),
    Reported("$.params.extras", "fields of openai_chat", "dropped", {"provider": {"only": ["somebody"]}}),
    Reported("$.params.max_output_tokens", "max tokens", "invented", None),
)


def at(value: Any, *path: str | int) -> Any:
    for step in path:
        value = value[step]
    return value


def without(body: dict[str, Any], *path: str | int) -> dict[str, Any]:
    copy = deepcopy(body)
    del at(copy, *path[:-1])[path[-1]]
    return copy


def having(body: dict[str, Any], value: Any, *path: str | int) -> dict[str, Any]:
    copy = deepcopy(body)
    at(copy, *path[:-1])[path[-1]] = value
    return copy


def test_an_honest_conversion_has_no_silent_loss_and_no_lie() -> None:
    assert silent(BEFORE, AFTER, LOSSES) == []
    assert lies(BEFORE, AFTER, LOSSES) == []


def test_a_body_has_lost_nothing_against_itself() -> None:
    assert silent(BEFORE, BEFORE, ()) == []
    assert silent(AFTER, AFTER, ()) == []


def test_the_way_back_counts_as_well() -> None:
    """What the hand-written target says is all in the source, but for the format's name and the like."""
    assert silent(AFTER, BEFORE, ()) == []


PLANTED: Final[dict[str, tuple[Callable[[], dict[str, Any]], str]]] = {
    "a text": (lambda: without(AFTER, "messages", 0, "content", 0), "$.messages[2].content[0].text"),
    "one of two equal texts": (lambda: without(AFTER, "messages", 0, "content", 3), "Be brief."),
    "a system text": (lambda: without(AFTER, "system", 0), "$.messages[0].content"),
    "half a text": (lambda: having(AFTER, "Where is this", "messages", 0, "content", 0, "text"), "$.messages[2].content[0].text"),
    "an image": (lambda: without(AFTER, "messages", 0, "content", 1), "$.messages[2].content[1].image_url.url"),
    "a media type": (lambda: having(AFTER, "image/gif", "messages", 0, "content", 1, "source", "media_type"), "media type"),
    "the text of a file": (
        lambda: without(AFTER, "messages", 0, "content", 2, "source"),
        "$.messages[2].content[2].file.file_data",
    ),
    "a file name": (lambda: without(AFTER, "messages", 0, "content", 2, "title"), "$.messages[2].content[2].file.filename"),
    "a call": (lambda: without(AFTER, "messages", 1, "content", 2), "Bergen"),
    "a tool's name": (lambda: having(AFTER, "wether", "messages", 1, "content", 1, "name"), "weather"),
    "an argument": (lambda: without(AFTER, "messages", 1, "content", 1, "input", "city"), "Oslo"),
    "a number in an argument": (lambda: having(AFTER, 3, "messages", 1, "content", 1, "input", "days"), "arguments"),
    "the type of an argument": (lambda: having(AFTER, "2", "messages", 1, "content", 1, "input", "days"), "arguments"),
    "an argument's name": (
        lambda: having(AFTER, {"town": "Oslo", "days": 2}, "messages", 1, "content", 1, "input"),
        "$.messages[3].tool_calls[0].function.arguments.city",
    ),
    "swapped arguments": (lambda: having(AFTER, {"city": "Oslo"}, "messages", 1, "content", 2, "input"), "Bergen"),
    "a result": (lambda: having(AFTER, "", "messages", 2, "content", 0, "content"), "$.messages[4].content"),
    "a description": (lambda: without(AFTER, "tools", 0, "description"), "Of a city."),
    "a tool": (lambda: without(AFTER, "tools"), "$.tools[0].function.name"),
    "a default in a schema": (
        lambda: without(AFTER, "tools", 0, "input_schema", "properties", "days", "default"),
        "$.tools[0].function.parameters",
    ),
    "temperature": (lambda: without(AFTER, "temperature"), "parameter temperature"),
    "a rounded temperature": (lambda: having(AFTER, 1, "temperature"), "parameter temperature"),
    "the limit": (lambda: having(AFTER, 4096, "max_tokens"), "parameter limit"),
    "a stop sequence": (lambda: having(AFTER, ["END"], "stop_sequences"), "parameter stop"),
    "the user": (lambda: without(AFTER, "metadata"), "parameter user"),
    "the choice of tools": (lambda: having(AFTER, "auto", "tool_choice", "type"), "parameter choice"),
    "one call at a time": (lambda: without(AFTER, "tool_choice", "disable_parallel_tool_use"), "parameter parallel"),
    "the answer's schema": (lambda: without(AFTER, "output_config"), "$.response_format.json_schema.schema"),
    "the model": (lambda: without(AFTER, "model"), "parameter model"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_drop_is_found(name: str) -> None:
    spoil, expected = PLANTED[name]
    assert any(expected in str(missing) for missing in silent(BEFORE, spoil(), LOSSES)), silent(BEFORE, spoil(), LOSSES)


SPELLING: Final = {"role", "type", "tool_use_id", "id", "media_type"}
STRINGS: Final = [where for where, value in subtrees(AFTER) if isinstance(value, str) and where[-1] not in SPELLING]


@pytest.mark.parametrize("where", STRINGS, ids=place)
def test_no_string_of_the_output_can_be_blanked_unseen(where: tuple[str | int, ...]) -> None:
    """A media type that is missing is the types' business; a wrong one is planted above."""
    assert silent(BEFORE, having(AFTER, "", *where), LOSSES) != []


@pytest.mark.parametrize("loss", [loss for loss in LOSSES if loss.original is not None], ids=lambda loss: loss.what)
def test_no_loss_can_be_kept_quiet(loss: Reported) -> None:
    assert silent(BEFORE, AFTER, [each for each in LOSSES if each is not loss]) != []


def test_a_loss_that_names_the_echo_of_a_name_does_not_stand_for_the_name() -> None:
    echo = Reported("$.messages[3]", "name (openai_chat)", "dropped", "weather")
    assert silent(BEFORE, AFTER, [*LOSSES, echo]) == []
    assert silent(BEFORE, having(AFTER, "", "messages", 1, "content", 1, "name"), [*LOSSES, echo]) != []


def test_a_loss_about_something_else_does_not_count() -> None:
    """The number is right, but the loss speaks of another parameter."""
    others = [each for each in LOSSES if each.what != "seed"]
    assert silent(BEFORE, AFTER, [*others, Reported("$.params.top_k", "top_k", "dropped", 7)]) != []


def test_one_loss_does_not_stand_for_two() -> None:
    spoilt = without(having(AFTER, [{"type": "text", "text": "You tell the weather."}], "system"), "messages", 0, "content", 3)
    once = Reported("$.messages[0]", "a text", "dropped", "Be brief.")
    assert len(silent(BEFORE, spoilt, [*LOSSES, once])) == 1
    assert silent(BEFORE, spoilt, [*LOSSES, once, once]) == []


def test_named_drops_are_no_silent_ones() -> None:
    """Whatever form the original has: the wire's, the library's own, or the bare text."""
    spoilt = without(without(AFTER, "messages", 1, "content", 2), "messages", 0, "content", 1)
    named = [
        Reported(
            "$.messages[1].contents[1]",
            "an image",
            "dropped",
            {"type": "image", "resource": {"content": PNG, "mime_type": "image/png"}},
        ),
        Reported(
            "$.messages[2].contents[2]", "a call", "dropped", {"name": "weather", "arguments": '{"city": "Bergen", "days": 2}'}
        ),
    ]
    assert silent(BEFORE, spoilt, [*LOSSES, *named]) == []
    assert lies(BEFORE, spoilt, [*LOSSES, *named]) == []


def test_text_that_was_joined_or_wrapped_is_found() -> None:
    joined = having(AFTER, "You tell the weather.\n\nBe brief.", "system")
    assert silent(BEFORE, joined, LOSSES) == []


def test_one_of_two_equal_documents_is_missed() -> None:
    """The bytes of a small PDF are text as well: what one of them says does not stand for the other."""
    pdf = b64encode(b"%PDF-1.1 %%EOF").decode()
    file = {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{pdf}"}}
    document = {"type": "document", "title": "a.pdf", "source": {"type": "base64", "media_type": "application/pdf", "data": pdf}}
    before = {"messages": [{"role": "user", "content": [file, file]}]}
    after = {"messages": [{"role": "user", "content": [document, document]}]}
    assert silent(before, after, ()) == []
    assert silent(before, having(after, "", "messages", 0, "content", 1, "source", "data"), ()) != []


def test_a_block_that_says_only_what_it_is_is_missed() -> None:
    before = {
        "messages": [{"role": "assistant", "content": [{"type": "web_search_tool_result", "tool_use_id": "s", "content": []}]}]
    }
    assert silent(before, {"messages": [{"role": "assistant", "content": ""}]}, ()) != []
    assert silent(before, before, ()) == []


def test_equal_marks_need_a_loss_each() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    before = {"system": [{"type": "text", "text": "one", **mark}, {"type": "text", "text": "two", **mark}]}
    after = {"messages": [{"role": "system", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}]}
    named = [Reported(f"$.messages[0].contents[{at}]", "a cache mark", "dropped", {"type": "ephemeral"}) for at in (0, 1)]
    assert silent(before, after, named) == []
    assert len(silent(before, after, named[:1])) == 1


def test_an_error_flag_may_be_called_an_outcome() -> None:
    before = {
        "messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "no", "is_error": True}]}]
    }
    after = {"messages": [{"role": "tool", "tool_call_id": "t", "content": "no"}]}
    assert silent(before, after, ()) != []
    assert silent(before, after, [Reported("$.messages[0].outcome", "the outcome", "dropped", "error")]) == []


def test_what_a_loss_says_was_moved_must_still_be_there() -> None:
    moved = Reported("$.messages[0]", "a system message", "moved", "You tell the weather.")
    assert silent(BEFORE, without(AFTER, "system", 0), [*LOSSES, moved]) != []


def test_arguments_that_are_no_json_are_found_inside_what_wraps_them() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "sum", "arguments": "15 * 4"}}
    before = {"messages": [{"role": "assistant", "tool_calls": [call]}]}
    wrapped = {
        "messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "sum", "input": {"raw": "15 * 4"}}]}]
    }
    assert silent(before, wrapped, ()) == []
    assert silent(before, having(wrapped, {}, "messages", 0, "content", 0, "input"), ()) != []


LIES: Final = {
    "a text that is there": Reported(
        "$.messages[1]", "a text", "dropped", {"type": "text", "text": "Where is this, and how is the weather there?"}
    ),
    "an image that is there": Reported("$.messages[1]", "an image", "dropped", PNG),
    "a parameter that is there": Reported("$.params.temperature", "temperature", "dropped", 0.5),
    "a user that is there": Reported("$.params.user", "user", "dropped", "u-1"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_planted_lie_is_found(name: str) -> None:
    assert lies(BEFORE, AFTER, [*LOSSES, LIES[name]]) == [LIES[name]]


def test_what_was_moved_or_rewritten_is_no_lie() -> None:
    moved = Reported("$.messages[0]", "a system message", "moved", "You tell the weather.")
    assert lies(BEFORE, AFTER, [*LOSSES, moved]) == []


def test_dropping_one_of_two_equal_texts_is_no_lie() -> None:
    spoilt = without(AFTER, "messages", 0, "content", 3)
    assert lies(BEFORE, spoilt, [Reported("$.messages[1].contents[3]", "a text", "dropped", "Be brief.")]) == []


def test_what_the_output_says_of_its_own_needs_a_loss() -> None:
    added = having(AFTER, "Be very brief.", "messages", 0, "content", 3, "text")
    limit = Reported("$.params.max_output_tokens", "max_tokens", "invented", None)
    text = Reported("$.messages[1].contents[3]", "a text", "rewritten", "Be brief.")
    unlimited = without(BEFORE, "max_completion_tokens")
    assert invented(BEFORE, AFTER, ()) == []
    assert [each.value for each in invented(BEFORE, added, [limit])] == ["Be very brief."]
    assert invented(BEFORE, added, [text]) == []
    assert [each.value for each in invented(unlimited, AFTER, [text])] == [300]
    assert invented(unlimited, AFTER, [limit]) == []


def test_another_order_needs_a_loss() -> None:
    text, image, file, again = AFTER["messages"][0]["content"]
    swapped = having(AFTER, [image, text, file, again], "messages", 0, "content")
    moved = Reported("$.messages[1].contents[0]", "a text", "moved", "Where is this, and how is the weather there?")
    assert reordered(BEFORE, AFTER, LOSSES) == []
    assert reordered(BEFORE, swapped, LOSSES)[0] == "Where is this, and how is the weather there?"
    assert reordered(BEFORE, swapped, [*LOSSES, moved]) == []
    assert reordered(BEFORE, having(AFTER, list(reversed(AFTER["messages"])), "messages"), LOSSES) != []
