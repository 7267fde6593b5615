"""The servers that speak OpenAI Chat: each body comes home as it was, and what one server says reaches no other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import pytest
from returns.result import Success
from wire.corpus import Recording, present, recorded, report
from wire.values import leaves, same

from chatadt import DIALECTS, ChatRequest, Content, Effort, Message, ModelParams, Policy, Thinking, convert
from chatadt.dialects import VARIANTS
from chatadt.dialects.openai_chat.variants import VARIANTS as ROWS, Variant, variant

ENDPOINTS: Final[Mapping[str, tuple[str, ...]]] = {
    "azure": ("azure_openai_chat", "azure_ai_inference"),
    "xai": ("xai_chat",),
    **{
        name: (name,)
        for name in (
            "groq",
            "deepseek",
            "openrouter",
            "huggingface",
            "perplexity",
            "together",
            "cerebras",
            "zai",
            "ollama_openai",
            "vercel_gateway",
        )
    },
}
"""By variant: the endpoints of the corpus that are its server's. `openai_compatible` reads all of them."""

by_name = pytest.mark.parametrize("name", VARIANTS)


@cache
def bodies(name: str) -> tuple[Recording, ...]:
    rows = recorded("openai_chat", "request")
    return tuple(row for row in rows if name == "openai_compatible" or row.dialect in ENDPOINTS[name])


def test_every_variant_is_a_row_and_has_traffic() -> None:
    assert tuple(row.name for row in ROWS) == VARIANTS
    assert {*ENDPOINTS, "openai_compatible"} == {*VARIANTS}


@present
@by_name
def test_what_was_read_is_written_back(name: str) -> None:
    dialect, failures = DIALECTS[name], list[str]()
    for row in bodies(name):
        written = dialect.write_request(dialect.read_request(row.body).unwrap())
        if written.losses or not same(dialect.canonical(written.value), dialect.canonical(row.body)):
            failures.append(f"{row.id} {written.losses}")
    assert bodies(name)
    assert not failures, report(f"{name} does not come back", failures, len(bodies(name)))


@present
@by_name
def test_every_body_crosses_to_anthropic_and_to_openai(name: str) -> None:
    for target in ("anthropic", "openai_chat"):
        results = [(row.id, convert(row.body, name, target, policy=Policy.LENIENT)) for row in bodies(name)]
        failures = [f"{id_} {result}" for id_, result in results if not isinstance(result, Success)]
        assert not failures, report(f"{name} to {target}", failures, len(results))


OWN: Final = {
    "model": "m",
    "messages": [{"role": "user", "content": "hi", "own_mark": "a mark of ours"}],
    "own_field": "a field of ours",
}


@by_name
def test_what_a_server_says_beyond_the_words_reaches_no_other(name: str) -> None:
    for other in {*DIALECTS} - {name}:
        crossed = convert(OWN, name, other, policy=Policy.LENIENT).unwrap()
        assert not [leaf for _, leaf in leaves(crossed.value) if leaf in ("a mark of ours", "a field of ours")], other
        assert {f"own_mark ({name})", f"own_field ({name})"} <= {loss.what for loss in crossed.losses}, other


THOUGHT: Final = ChatRequest([Message.User("a"), Message.Assistant([Content.Reasoning("hm"), "b"]), Message.User("c")])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_reasoning_stands_where_the_row_says_or_is_a_loss(row: Variant) -> None:
    written = DIALECTS[row.name].write_request(THOUGHT)
    said = {key: value for key, value in written.value["messages"][1].items() if key not in ("role", "content")}
    assert said == ({row.reasoning: "hm"} if row.reasoning else {})
    assert [loss.what for loss in written.losses] == ([] if row.reasoning else ["reasoning"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_length_of_the_answer_stands_where_the_row_says(row: Variant) -> None:
    written = DIALECTS[row.name].write_request(ChatRequest([Message.User("a")], ModelParams(max_output_tokens=7)))
    assert {key: value for key, value in written.value.items() if key != "messages"} == {row.max_tokens: 7}


def test_a_row_of_ones_own_is_a_dialect() -> None:
    mine = variant(Variant("cellar", "the server in the cellar", reasoning="thoughts"))
    body = {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b", "thoughts": "hm", "x": [1]}]}
    assert convert(body, mine, mine).unwrap().value == body
    assert convert(body, mine, "groq").unwrap().losses
    error = convert([], mine, "groq").failure()
    assert "cellar" in str(error)


def test_an_error_of_a_variant_names_it() -> None:
    assert "groq" in str(convert({"messages": 5}, "groq", "anthropic").failure())


@by_name
def test_no_thinking_is_the_least_effort_and_says_so(name: str) -> None:
    """No row of the reference tells of another word for it."""
    written = DIALECTS[name].write_request(ChatRequest([Message.User("a")], ModelParams(thinking=Thinking.Off())))
    assert written.value["reasoning_effort"] == "none"
    assert [(loss.path, str(loss.action)) for loss in written.losses] == [("$.params.thinking", "Action.REWRITTEN")]
    asked = ModelParams(thinking=Thinking.Off(), effort=Effort.MINIMAL)
    written = DIALECTS[name].write_request(ChatRequest([Message.User("a")], asked))
    assert written.value["reasoning_effort"] == "minimal"
    assert [(loss.path, str(loss.action)) for loss in written.losses] == [("$.params.thinking", "Action.DROPPED")]
