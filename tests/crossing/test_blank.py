"""What says nothing: names, transcripts and media types that are blank or not there stand for nothing at any server."""

from __future__ import annotations

from typing import Any

import pytest

from chatadt import DIALECTS, Action, ChatRequest, Content, Message, Resource, Weight, check
from chatadt.error import Severity

UNKNOWN = Resource.Binary(b"\x01\x02\x03")
DATA = "data:application/pdf;base64,JVBERi0xLjQ="
PDF = Resource.Binary(b"%PDF-1.4", "application/pdf")
NOWHERE = Resource.Ref("nowhere", "application/pdf")


def written(dialect: str, *contents: Any, case: type[Any] = Message.User) -> tuple[Any, list[tuple[str, Action, Weight]]]:
    answer = DIALECTS[dialect].write_request(ChatRequest([case(list(contents))]))
    return answer.value, [(loss.what, loss.action, loss.weight) for loss in answer.losses]


@pytest.mark.parametrize("dialect", sorted(set(DIALECTS) - {"ollama"}))
def test_an_image_that_nobody_knows_the_type_of_is_a_loss_and_a_violation(dialect: str) -> None:
    _, losses = written(dialect, Content.Text("see"), Content.Image(UNKNOWN))
    assert ("image", Action.DROPPED, Weight.CONTENT) in losses
    request = ChatRequest([Message.User([Content.Text("see"), Content.Image(UNKNOWN)])])
    errors = [found.path for found in check(request, dialect) if found.severity is Severity.ERROR]
    assert errors == ["$.messages[0].contents[1]"]


@pytest.mark.parametrize("dialect", ["openai_chat", "mistral", "cohere"])
def test_a_dialect_gets_its_own_image_without_a_type_back(dialect: str) -> None:
    body = {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:;base64,AQID"}}]}]}
    answer = DIALECTS[dialect].write_request(DIALECTS[dialect].read_request(body).unwrap())
    assert (answer.value, answer.losses) == (body, ())


@pytest.mark.parametrize("transcript", ["", " ", "\n\t"])
@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_a_blank_transcript_stands_for_no_audio(dialect: str, transcript: str) -> None:
    body, losses = written(dialect, Content.Text("hear"), Content.Audio(NOWHERE, transcript), case=Message.Assistant)
    assert all(what.startswith("audio") and action is Action.DROPPED for what, action, _ in losses), losses
    assert losses
    assert "hear" in repr(body)


@pytest.mark.parametrize(("dialect", "kept"), [("openai_chat", "document.pdf"), ("openai_responses", "document.pdf")])
@pytest.mark.parametrize("name", [None, "", " "])
def test_a_file_by_value_has_a_name(dialect: str, kept: str, name: str | None) -> None:
    body, losses = written(dialect, Content.PDF(PDF, name))
    assert losses == [("a file name", Action.INVENTED if name is None else Action.REWRITTEN, Weight.DETAIL)]
    assert f"'filename': {kept!r}" in repr(body)


@pytest.mark.parametrize("name", ["", " ", "a.pdf"])
def test_names_that_openai_chat_gave_go_home_as_they_were(name: str) -> None:
    for file in (
        {"file_data": DATA, "filename": name},
        {"file_id": "f1", "filename": name},
    ):
        body = {"messages": [{"role": "user", "content": [{"type": "file", "file": file}]}]}
        answer = DIALECTS["openai_chat"].write_request(DIALECTS["openai_chat"].read_request(body).unwrap())
        assert (answer.value, answer.losses) == (body, ())


def test_a_document_of_bedrock_has_a_name() -> None:
    body, losses = written("bedrock", Content.PDF(PDF, ""))
    assert losses == [("a name", Action.REWRITTEN, Weight.DETAIL)]
    assert body["messages"][0]["content"][0]["document"]["name"] == "document"


@pytest.mark.parametrize("name", ["", " ", "a.pdf"])
def test_names_that_openai_responses_gave_go_home_as_they_were(name: str) -> None:
    part = {"type": "input_file", "file_data": DATA, "filename": name}
    body = {"input": [{"role": "user", "content": [part]}]}
    answer = DIALECTS["openai_responses"].write_request(DIALECTS["openai_responses"].read_request(body).unwrap())
    assert (answer.value, answer.losses) == (body, ())


@pytest.mark.parametrize(
    ("address", "media"),
    [("https://example.org/a", "video/mp4"), ("https://youtu.be/x", None), ("https://example.org/a.webm", "video/webm")],
)
def test_a_video_has_a_media_type_for_gemini_unless_it_is_a_film(address: str, media: str | None) -> None:
    body, losses = written("gemini", Content.Video(Resource.Ref(address)))
    assert body["contents"][0]["parts"][0]["fileData"].get("mimeType") == media
    assert losses == ([] if media is None else [("a media type", Action.INVENTED, Weight.DETAIL)])


def test_a_transcript_stands_behind_a_tool_result_of_gemini() -> None:
    audio = Content.Audio(NOWHERE, "heard")
    messages = [Message.Assistant([Content.ToolRequest("c1", "f", {})]), Message.ToolResult("c1", "f", [audio])]
    answer = DIALECTS["gemini"].write_request(ChatRequest(messages))
    first, second = answer.value["contents"][1]["parts"]
    assert "parts" not in first["functionResponse"]
    assert second == {"text": "heard"}
    assert [loss.action for loss in answer.losses if loss.path == "$.messages[1].contents[0]"] == [Action.REWRITTEN, Action.MOVED]
