"""Integers of more digits than Python converts: every door says so in words of its own, and where they stand."""

from __future__ import annotations

from typing import Any, Final

import pytest
from cli.cli_bodies import invoke

from chatadt import DIALECTS, Arguments, ChatRequest, Content, Json, Message, ModelParams, Thinking, check, loads, repair
from chatadt.dialects import VARIANTS
from chatadt.json import MOST_DIGITS, parse, too_long

LONG: Final = "9" * 5_000
SHORT: Final = "9" * MOST_DIGITS
BIG: Final = 10**5_000
OURS: Final = "expected an integer of at most 4,300 digits, got one of"


@pytest.mark.parametrize("sign", ["", "-"])
def test_the_longest_integer_that_is_taken_is_exact(sign: str) -> None:
    document = Json(f'{{"n":{sign}{SHORT}}}')
    assert Json.of(document.value) == document
    assert not too_long(document.value["n"])
    assert too_long(document.value["n"] * 10)


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_longer_one_is_told_by_its_digits(sign: str) -> None:
    for text in (f"{sign}{LONG}", f'{{"n":[{sign}{LONG}]}}'):
        with pytest.raises(ValueError, match=r"^an integer of 5,000 digits: at most 4,300 are read, say it as a string$"):
            parse(text)
    for value in (BIG, -BIG, {"n": [1, BIG]}):
        with pytest.raises(ValueError, match=r"^an integer of more than 4,300 digits: say it as a string$"):
            Json.of(value)


def test_arguments_with_one_are_malformed_and_say_why() -> None:
    arguments = Content.ToolRequest("a", "f", f'{{"n":{LONG}}}').arguments
    assert isinstance(arguments, Arguments.Malformed)
    assert arguments.why == "an integer of 5,000 digits: at most 4,300 are read, say it as a string"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (LONG, "$"),
        (f'{{"type":"user","contents":{LONG}}}', "$.contents"),
        (
            f'{{"type":"user","contents":["a",{{"type":"text","text":"a","extras":{{"x":{{"n":{LONG}}}}}}}]}}',
            "$.contents[1].extras.x.n",
        ),
    ],
)
def test_own_json_says_where_it_stands(text: str, place: str) -> None:
    for data in (text, text.encode()):
        assert str(loads(data).failure()) == f"cannot read chatadt: {OURS} 5,000: say it as a string at {place}"


@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "anthropic", "ollama", "mistral", "cohere"])
@pytest.mark.parametrize("fields", [{"temperature": BIG}, {"strange": BIG}, {"strange": [{"n": -BIG}]}])
def test_every_reader_says_where_it_stands(name: str, fields: dict[str, Any]) -> None:
    body: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "a"}], **fields}
    body |= {"input": "a"} if name == "openai_responses" else {}
    place = "strange[0].n" if isinstance(fields.get("strange"), list) else next(iter(fields))
    failure = str(DIALECTS[name].read_request(body).failure())
    assert failure == f"cannot read {name}: {OURS} 5,001: say it as a string at $.{place}"


def test_no_parameter_takes_one() -> None:
    for name in ("top_k", "seed", "max_output_tokens", "temperature"):
        with pytest.raises(ValueError, match=f"{name} of ModelParams is a number of at most 4,300 digits"):
            ModelParams(**{name: BIG})
    with pytest.raises(ValueError, match=r"tokens of Thinking\.Budget is a number of at most 4,300 digits"):
        Thinking.Budget(BIG)


@pytest.mark.parametrize(
    "command", [("convert", "--from", "openai_chat", "--to", "anthropic"), ("show",), ("check", "--as", "anthropic")]
)
def test_the_command_line_says_where_it_stands(command: tuple[str, ...]) -> None:
    body = f'{{"model":"m","messages":[{{"role":"user","content":"a"}}],"x":{LONG}}}'
    told = invoke(*command, input=body.encode())
    assert told.exit_code == 1
    assert "an integer of 5,000 digits: at most 4,300 are read, say it as a string at $.x" in told.stderr


@pytest.mark.parametrize("name", [name for name in DIALECTS if name not in VARIANTS])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("field", ["temperature", "top_p", "top_k", "max_output_tokens", "presence_penalty", "frequency_penalty"])
def test_the_rules_answer_for_the_longest_number(name: str, sign: int, field: str) -> None:
    asked = ChatRequest([Message.User("a")], ModelParams(**{field: sign * (10**MOST_DIGITS - 1)}))
    found = check(asked, name)
    assert all(len(str(violation)) < 400 for violation in found)
    assert check(repair(asked, name).value, name) == ()


@pytest.mark.parametrize("name", [name for name in DIALECTS if name not in VARIANTS])
def test_the_rules_answer_for_the_longest_budget(name: str) -> None:
    thinking = Thinking.Budget(10**MOST_DIGITS - 1)
    for extras in ({}, {"anthropic": {"$absent": ["max_tokens"]}}):
        asked = ChatRequest([Message.User("a")], ModelParams(thinking=thinking, extras=extras))
        assert all(len(str(violation)) < 400 for violation in check(asked, name))
        assert check(repair(asked, name).value, name) == ()
