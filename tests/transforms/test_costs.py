"""What messages cost: by kind, and by the tokenizers that people have."""

from __future__ import annotations

from base64 import b64encode, encodebytes
from textwrap import wrap
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from chatadt import Arguments, Content, Detail, History, Json, Message, Resource, strategies
from chatadt.transforms import by_huggingface, by_kind, by_tiktoken, cost_of, fit, quarter

PRICES: Final = by_kind(len, message=0, image=10, low_image=1, audio=20, video=30, document=40)
LINK: Final = Resource.Ref("https://example.org/a")

COSTS: Final[dict[str, tuple[Content.T, int]]] = {
    "text": (Content.Text("four"), 4),
    "reasoning": (Content.Reasoning("hm"), 2),
    "refusal": (Content.Refusal("no"), 2),
    "image": (Content.Image(LINK, Detail.HIGH), 10),
    "image by value": (Content.Image(Resource.Binary(b"0" * 9_000)), 10),
    "image of low detail": (Content.Image(LINK, Detail.LOW), 1),
    "audio": (Content.Audio(LINK, "hello"), 20),
    "video": (Content.Video(LINK), 30),
    "PDF": (Content.PDF(LINK), 40),
    "file": (Content.File(LINK), 40),
    "file of another type": (Content.File(Resource.Binary(b"a,b", "application/zip")), 40),
    "text file by value": (Content.File(Resource.Binary(b"a,b,c", "text/csv")), 5),
    "call": (Content.ToolRequest("id", "name", {"a": 1}), 4 + 7),
    "call that was cut off": (Content.ToolRequest("id", "name", Arguments.Malformed('{"a', "cut")), 4 + 3),
    "custom": (Content.Custom("nobody", {"a": 1}), 7),
    "custom with base64 in lines": (Content.Custom("nobody", {"a": encodebytes(b"0" * 900).decode()}), 8 + 10),
    "custom with base64 in lines of a mail": (
        Content.Custom("nobody", {"a": "\r\n".join(wrap(b64encode(b"0" * 901).decode(), 64))}),
        8 + 10,
    ),
    "custom with base64 whose slashes are escaped": (
        Content.Custom("nobody", Json(f'{{"a":"{b64encode(bytes([255]) * 900).decode()}"}}'.replace("/", "\\/"))),
        8 + 10,
    ),
    "custom with many short lines": (Content.Custom("nobody", {"a": "word\n" * 100}), 8 + 600),
    "custom with base64": (Content.Custom("nobody", {"a": Resource.Binary(b"0" * 900).content}), 8 + 10),
}


@pytest.mark.parametrize(("content", "cost"), COSTS.values(), ids=COSTS)
def test_a_content_costs_what_its_kind_costs(content: Content.Output, cost: int) -> None:
    assert PRICES(Message.Assistant([content, content])) == 2 * cost


def test_a_message_costs_its_names_and_something_besides() -> None:
    assert PRICES(Message.User("a", "ann")) == 1 + 3
    assert PRICES(Message.Assistant("a", "ann")) == 1 + 3
    assert PRICES(Message.ToolResult("id", "tool", "a")) == 1 + 4
    assert PRICES(Message.ToolResult("id", None, "a")) == 1
    assert PRICES(Message.Custom({"a": 1})) == 7
    assert by_kind(len, message=5)(Message.System("a")) == 6


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("日本語", 3), ("\ud800", 1)])
def test_a_text_has_a_token_for_four_bytes(text: str, tokens: int) -> None:
    assert quarter(text) == tokens


@given(st.one_of(strategies.histories(), st.lists(strategies.messages(), max_size=5).map(History)))
def test_every_message_costs_something_and_a_history_what_its_messages_cost(history: History) -> None:
    assert all(by_kind()(message) >= 4 for message in history)
    assert cost_of(history) == sum(cost_of([message]) for message in history)


# --- tokenizers ------------------------------------------------------------------------------------------------------------------

WORDS: Final = "\ud83d and <|endoftext|> beside a hello"


def test_tiktoken_counts_the_tokens_of_text() -> None:
    tiktoken: Any = pytest.importorskip("tiktoken", reason="tiktoken is not installed: pip install 'chatadt[tiktoken]'")
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"he": 256, b"ll": 257}
    encoding = tiktoken.Encoding("tiny", pat_str=r"\w+|\W", mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 258})
    count = by_tiktoken(encoding)
    assert count("hello") == 3
    assert count("<|endoftext|>") == 13
    assert count(WORDS) > 20
    assert by_kind(count, message=1)(Message.User("hello")) == 4
    assert fit(4, by_kind(count, message=1))(History().user("a").assistant("b").user("hello")).unwrap() == History().user("hello")


def test_tokenizers_of_hugging_face_count_the_tokens_of_text() -> None:
    tokenizers: Any = pytest.importorskip("tokenizers", reason="tokenizers is not installed: pip install 'chatadt[tokenizers]'")
    words = tokenizers.models.WordLevel({"[unk]": 0, "hello": 1, "world": 2, "[cls]": 3}, "[unk]")
    tokenizer = tokenizers.Tokenizer(words)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(single="[cls] $0", special_tokens=[("[cls]", 3)])
    count = by_huggingface(tokenizer)
    assert len(tokenizer.encode("hello world")) == 3
    assert count("hello world") == 2
    assert count(WORDS) > 5
    assert by_kind(count, message=1)(Message.User("hello world")) == 3


def test_tokenizers_of_transformers_count_too() -> None:
    class Tokenizer:
        """The call of `transformers.PreTrainedTokenizerBase.encode` that is used."""

        def encode(self, text: str, text_pair: str | None = None, add_special_tokens: bool = True) -> list[int]:
            return [0] * (len(text.split()) + add_special_tokens)

    assert by_huggingface(Tokenizer())("hello world") == 2
