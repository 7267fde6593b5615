"""`convert(fetch=…)` gets what the target takes by value only, and nothing else."""

from __future__ import annotations

from typing import Any, Final

import pytest
from returns.result import Failure, Result, Success

from chatadt import Policy, Resource, convert
from chatadt.error import ConversionError
from chatadt.loss import Action, Weight

PNG: Final = "iVBORw0KGgo="
PDF: Final = "JVBERi0xLjQ="
CAT: Final = "https://example.org/cat.png"
DOG: Final = "https://example.org/dog.png"


def shown(*urls: str) -> dict[str, Any]:
    parts = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
    return {"messages": [{"role": "user", "content": [{"type": "text", "text": "look"}, *parts]}]}


class Fetching:
    """Gets what is in its table, and remembers what it was asked for."""

    def __init__(self, **found: str) -> None:
        self.found = found
        self.asked: list[str] = []

    def __call__(self, reference: Resource.Ref) -> Result[Resource.Binary, str]:
        self.asked.append(reference.uri)
        name = reference.uri.rpartition("/")[2].partition(".")[0]
        return Success(Resource.Binary(self.found[name])) if name in self.found else Failure("404 Not Found")


def test_what_is_taken_by_value_only_is_fetched_and_a_loss_says_so() -> None:
    fetch = Fetching(cat=PNG, dog=PNG)
    done = convert(shown(CAT, DOG), "openai_chat", "ollama", fetch=fetch).unwrap()
    assert done.value["messages"] == [{"role": "user", "content": "look", "images": [PNG, PNG]}]
    assert fetch.asked == [CAT, DOG]
    assert [(loss.path, loss.action, loss.weight, loss.original and loss.original.value) for loss in done.losses] == [
        (f"$.messages[0].contents[{at}].resource", Action.REWRITTEN, Weight.DETAIL, url) for at, url in ((1, CAT), (2, DOG))
    ]


@pytest.mark.parametrize("target", ["anthropic", "openai_responses", "mistral", "openai_chat"])
def test_what_is_taken_by_reference_is_not_fetched(target: str) -> None:
    fetch = Fetching(cat=PNG)
    with_fetch, without = (convert(shown(CAT), "openai_chat", target, **kept) for kept in ({"fetch": fetch}, {}))
    assert with_fetch == without
    assert fetch.asked == []


def test_a_document_in_a_tool_result_is_fetched() -> None:
    body = {
        "max_tokens": 5,
        "messages": [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}]},
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "c1",
                        "content": [{"type": "document", "source": {"type": "url", "url": "https://example.org/report.pdf"}}],
                    }
                ],
            },
        ],
    }
    done = convert(body, "anthropic", "bedrock", fetch=Fetching(report=PDF), policy=Policy.LENIENT).unwrap()
    assert PDF in str(done.value)


def test_what_cannot_be_fetched_stays_a_loss_and_says_why() -> None:
    error = convert(shown(CAT, DOG), "openai_chat", "ollama", fetch=Fetching(cat=PNG)).failure()
    assert isinstance(error, ConversionError.Lossy)
    assert [loss.reason.endswith("(it could not be fetched: 404 Not Found)") for loss in error.losses] == [True]
    done = convert(shown(CAT, DOG), "openai_chat", "ollama", fetch=Fetching(cat=PNG), policy=Policy.LENIENT).unwrap()
    assert done.value["messages"][0]["images"] == [PNG]
    assert any("404 Not Found" in loss.reason and loss.original is not None for loss in done.losses)


def test_strict_forbids_to_fetch() -> None:
    """The address is gone, which is a loss."""
    assert isinstance(convert(shown(CAT), "openai_chat", "ollama", fetch=Fetching(cat=PNG), policy=Policy.STRICT), Failure)


def test_the_media_type_of_the_reference_is_kept_where_the_fetched_has_none() -> None:
    body = {
        "contents": [{"role": "user", "parts": [{"fileData": {"fileUri": "https://example.org/cat.gif", "mimeType": "image/gif"}}]}]
    }
    done = convert(body, "gemini", "bedrock", fetch=Fetching(cat=PNG), policy=Policy.LENIENT).unwrap()
    assert {"image": {"format": "gif", "source": {"bytes": PNG}}} in done.value["messages"][0]["content"]


@pytest.mark.parametrize("answer", [b"bytes", Resource.Ref(CAT), None], ids=repr)
def test_a_fetch_that_answers_something_else_is_a_mistake_of_the_program(answer: Any) -> None:
    with pytest.raises(TypeError, match=r"fetch answers Success with a Resource\.Binary, or a Failure; got"):
        convert(shown(CAT), "openai_chat", "ollama", fetch=lambda _: Success(answer))
