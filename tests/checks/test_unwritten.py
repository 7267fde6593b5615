"""What a writer drops of media, `check` finds, and nothing else: by kind, by address, by media type and by speaker."""

from __future__ import annotations

from typing import Final

import pytest

from chatadt import DIALECTS, ChatRequest, Content, Message, ModelParams, Resource, check, repair
from chatadt.loss import Action, Weight
from docs.rules import PROVIDERS

ADDRESSES: Final = (
    *("https://example.org/a.png", "https://example.org/a", "http://example.org/a.pdf", "ftp://example.org/a.png", "a.png"),
    *("s3://bucket/a.png", "gs://bucket/a.png", "urn:other:x", "data:nothing"),
    *(f"urn:chatadt:{vendor}:file:1" for vendor in ("openai", "anthropic", "gemini", "mistral", "elsewhere")),
)
BYTES: Final = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/bmp": b"BM",
    "audio/wav": b"RIFF",
    "audio/ogg": b"OggS",
    "video/mp4": b"film",
    "application/pdf": b"%PDF-1.7",
    "application/zip": b"PK\x03\x04\xff\xfe",
    "application/json": b"{}",
    "text/csv": b"a,b",
    None: b"\x01\x02\xff",
}
KINDS: Final = (Content.Image, Content.Audio, Content.Video, Content.PDF, Content.File)
MEDIA: Final = [kind(Resource.Ref(address)) for kind in KINDS for address in ADDRESSES] + [
    *(Content.Image(Resource.Binary(BYTES[kind], kind)) for kind in ("image/png", "image/bmp", None)),
    *(Content.Audio(Resource.Binary(BYTES[kind], kind)) for kind in ("audio/wav", "audio/ogg", None)),
    *(Content.Video(Resource.Binary(BYTES[kind], kind)) for kind in ("video/mp4", None)),
    *(Content.PDF(Resource.Binary(BYTES[kind], kind)) for kind in ("application/pdf", None)),
    *(Content.File(Resource.Binary(content, kind)) for kind, content in BYTES.items()),
]
CALL: Final = Message.Assistant([Content.ToolRequest("abcdefgh1", "f", {})])


def spoken(medium: Content.Input) -> dict[str, list[Message.T]]:
    """The medium as each speaker shows it, in a conversation that is right otherwise."""
    ask = Message.User("q")
    return {
        "user": [Message.User(["this", medium])],
        "assistant": [ask, Message.Assistant(["this", medium]), ask],
        "result": [ask, CALL, Message.ToolResult("abcdefgh1", "f", ["this", medium])],
    }


@pytest.mark.parametrize("name", sorted(PROVIDERS))
def test_what_the_writer_drops_is_found_and_nothing_else(name: str) -> None:
    differing: list[str] = []
    for medium in MEDIA:
        for speaker, messages in spoken(medium).items():
            losses = DIALECTS[name].write_request(ChatRequest(messages)).losses
            lost = any(loss.action is Action.DROPPED and loss.weight is Weight.CONTENT for loss in losses)
            found = [violation for violation in check(messages, name) if violation.rule == "media"]
            assert all(violation.fix for violation in found)
            if lost != bool(found):
                differing.append(f"{'lost' if lost else 'found'}: {medium!r} of {speaker}")
    assert differing == []


@pytest.mark.parametrize("name", sorted(PROVIDERS))
def test_a_repair_leaves_nothing_for_the_writer_to_drop(name: str) -> None:
    for medium in MEDIA:
        for messages in spoken(medium).values():
            mended = repair(ChatRequest(messages, ModelParams()), name).value
            losses = DIALECTS[name].write_request(mended).losses
            assert [loss for loss in losses if loss.weight is Weight.CONTENT] == []


@pytest.mark.parametrize(
    ("medium", "name", "hint"),
    [
        (Content.Image(Resource.Ref("s3://bucket/a.png")), "openai_chat", "fetch"),
        (Content.Audio(Resource.Ref("https://example.org/a.mp3")), "bedrock", "fetch"),
        (Content.File(Resource.Binary(b"PK\x03\x04\xff\xfe", "application/zip")), "anthropic", "in a type that is taken"),
    ],
)
def test_it_says_what_would_make_it_right(medium: Content.Input, name: str, hint: str) -> None:
    (found,) = check([Message.User(["this", medium])], name)
    assert (found.rule, found.path) == ("media", "$.messages[0].contents[1]")
    assert hint in found.fix
