"""What OpenAI's chat endpoint refuses although its types allow it. Public reports of each refusal are named beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from .rules import Found, Rule, broken_base64, data_url, spelt, unanswered

__all__ = ("RULES",)

_FUNCTION_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_CALL_ID: Final = re.compile(r"(?s).{1,40}")
_SPEAKER: Final = re.compile(r"[^\s<|\\/>]{1,64}")
_IMAGES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})


def some_message(body: dict[str, Any]) -> Found:
    """E3."""
    if not body["messages"]:
        yield "$.messages", "no message"
    for at, message in enumerate(body["messages"]):
        if message.get("content") == []:
            yield f"$.messages[{at}].content", "an empty list of parts"
        if message.get("tool_calls") == []:
            yield f"$.messages[{at}].tool_calls", "an empty list of calls"


def pairing(body: dict[str, Any]) -> Found:
    """P1 to P3: tool messages follow their call directly, nothing between (microsoft/semantic-kernel#4336)."""
    messages = body["messages"]
    at = 0
    while at < len(messages):
        asked = [call["id"] for call in messages[at].get("tool_calls") or ()]
        end = at + 1
        while end < len(messages) and messages[end]["role"] == "tool":
            end += 1
        first = at if messages[at]["role"] == "tool" else at + 1
        yield from unanswered(f"$.messages[{at}]", asked, [message["tool_call_id"] for message in messages[first:end]])
        at = end


def call_ids(body: dict[str, Any]) -> Found:
    """I4: at most 40 characters (BerriAI/litellm#11392); a call without an id cannot be answered."""
    for path, call in _calls(body):
        yield from spelt(_CALL_ID, f"{path}.id", "tool call id", call["id"])


def names(body: dict[str, Any]) -> Found:
    """N1: function names, those in history too (mcp-use/mcp-use#90)."""
    for path, call in _calls(body):
        kind = call["type"]
        yield from spelt(_FUNCTION_NAME, f"{path}.{kind}.name", "tool name", call[kind]["name"])
    for at, tool in enumerate(body.get("tools") or ()):
        kind = tool["type"]
        yield from spelt(_FUNCTION_NAME, f"$.tools[{at}].{kind}.name", "tool name", tool[kind]["name"])
    match body.get("tool_choice"):
        case {"function": {"name": str(name)}} | {"custom": {"name": str(name)}}:
            yield from spelt(_FUNCTION_NAME, "$.tool_choice", "tool name", name)
        case _:  # another kind of choice names no tool
            return


def speakers(body: dict[str, Any]) -> Found:
    """The name of a message has no white space and none of <|\\/>."""
    for at, message in enumerate(body["messages"]):
        if isinstance(name := message.get("name"), str):
            yield from spelt(_SPEAKER, f"$.messages[{at}].name", "name", name)


def something_said(body: dict[str, Any]) -> Found:
    """An assistant's content may only lack beside calls or audio."""
    for at, message in enumerate(body["messages"]):
        said = ("content", "tool_calls", "function_call", "audio", "refusal")
        if message["role"] == "assistant" and all(message.get(field) is None for field in said):
            yield f"$.messages[{at}]", "an assistant message with neither content nor tool calls"


def images(body: dict[str, Any]) -> Found:
    """M1, M2: an http(s) URL, or a data URL of png, jpeg, webp or gif."""
    for path, part in _parts(body, "image_url"):
        url = part["image_url"]["url"]
        match data_url(url):
            case (kind, payload):
                if kind not in _IMAGES:
                    yield path, f"an image of type {kind!r}, wanted one of {', '.join(sorted(_IMAGES))}"
                yield from broken_base64(path, payload)
            case None:
                if not url.startswith(("http://", "https://")):
                    yield path, f"an image at {url[:40]!r}, wanted an http(s) or a data URL"


def files(body: dict[str, Any]) -> Found:
    """M4: a file_id, or a filename with a data URL (openai/openai-agents-python#1513, vercel/ai#7776)."""
    for path, part in _parts(body, "file"):
        match part["file"]:
            case {"file_id": str(), **others} if not others:
                continue
            case {"file_data": str(data), "filename": str(name)} as file if name and "file_id" not in file:
                content = data_url(data)
                yield from broken_base64(path, content[1]) if content else [(path, "file_data that is no base64 data URL")]
            case _:  # any other JSON object
                yield path, "a file that is neither a file_id nor a filename with file_data"


def audio(body: dict[str, Any]) -> Found:
    """M7: bare base64."""
    for path, part in _parts(body, "input_audio"):
        yield from broken_base64(path, part["input_audio"]["data"])


def tool_options(body: dict[str, Any]) -> Found:
    """Options about tools without tools (openai/swarm#30, writer/writer-framework#1013); an empty list of tools."""
    if body.get("tools") == []:
        yield "$.tools", "an empty list of tools"
    for field in ("tool_choice", "parallel_tool_calls"):
        if body.get(field) is not None and not body.get("tools"):
            yield f"$.{field}", f"{field} without tools"


def stop_sequences(body: dict[str, Any]) -> Found:
    """At most four, says the SDK."""
    if isinstance(stop := body.get("stop"), list) and len(stop) > 4:
        yield "$.stop", f"{len(stop)} stop sequences, at most 4"


def stream_options(body: dict[str, Any]) -> Found:
    """Only set this when you set `stream: true`, says the SDK."""
    if body.get("stream_options") is not None and not body.get("stream"):
        yield "$.stream_options", "stream_options without stream"


RULES: Final[Mapping[str, Rule]] = {
    "something to answer": some_message,
    "pairing": pairing,
    "tool call ids": call_ids,
    "tool names": names,
    "speakers' names": speakers,
    "something said": something_said,
    "images": images,
    "files": files,
    "audio": audio,
    "tool options": tool_options,
    "stop sequences": stop_sequences,
    "stream options": stream_options,
}


def _calls(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for at, message in enumerate(body["messages"]):
        for index, call in enumerate(message.get("tool_calls") or ()):
            yield f"$.messages[{at}].tool_calls[{index}]", call


def _parts(body: dict[str, Any], kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for at, message in enumerate(body["messages"]):
        if isinstance(message.get("content"), list):
            for index, part in enumerate(message["content"]):
                if part["type"] == kind:
                    yield f"$.messages[{at}].content[{index}].{kind}", part
