"""Converse JSON -> the words: the one key of a block picks the case, the codec fills it, what is left over goes to the extras.

A user turn of the wire may hold tool results and other blocks: each result becomes a message of its own, each run of other blocks a
user message. A body whose media are bytes is read as the same body with base64; a note has it written with bytes again.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any, Final

from attrs import evolve

from chatadt._hooks import structuring
from chatadt._wire import each, json, leftover
from chatadt.chat import ChatRequest
from chatadt.content import Content
from chatadt.dialects._calls import name_results
from chatadt.dialects._codec import at, noted, plain_text, reading
from chatadt.dialects._turns import Turn, opened, parted_turn, with_rest
from chatadt.dialects.bedrock.blobs import has_bytes, with_base64
from chatadt.dialects.bedrock.codec import CALL, CLAUDE, CODEC, NAME, register_messages
from chatadt.dialects.bedrock.marks import has_points, settled, with_points
from chatadt.dialects.bedrock.params import read_params
from chatadt.dialects.bedrock.plain import plain_messages
from chatadt.dialects.bedrock.rules import may_be_claude
from chatadt.error import Unexpected
from chatadt.json import Extras
from chatadt.message import Message

__all__ = ("hidden", "read_assistant", "read_request")


def _request(body: Any) -> ChatRequest:
    try:
        return _plain_request(body)
    except Unexpected:
        if not has_bytes(body):
            raise
    request = _plain_request(with_base64(body))
    return ChatRequest.trusted(request.messages, noted(request.params, NAME, "$bytes", True))


def _plain_request(body: Any) -> ChatRequest:
    if body.__class__ is not dict:
        raise Unexpected.of("an object with messages", body)
    if "messages" not in body and not _is_prompt(body):
        raise Unexpected.missing("a list of messages", ".messages")
    values: Any = body.get("messages", [])
    plain = plain_messages(values, _said, _result_or_block)
    messages = _messages(values) if plain is None else plain
    system = body.get("system")
    if system is not None and system != []:
        messages = (Message.System(at(".system", _instructions, system)), *messages)
    params = read_params(body)
    if not may_be_claude(params.model):
        messages = tuple(map(_unclaimed, messages))
    if "messages" not in body:
        params = noted(params, NAME, "$messageless", True)
    if plain is None and has_points(values):
        messages = settled(messages)
    return ChatRequest.trusted(messages, params)


def _messages(values: Any) -> tuple[Message.T, ...]:
    turns = opened(at(".messages", lambda value: each(_turn, value), values), NAME)
    return name_results(tuple(message for turn in turns for message in turn))


def _is_prompt(body: dict[str, Any]) -> bool:
    """Whether a request is for a prompt that the server keeps, messages and all."""
    return "promptVariables" in body or ":prompt/" in str(body.get("modelId"))


def _unclaimed(message: Message.T) -> Message.T:
    """The message of a model that is no Claude: what signs its reasoning is not for Claude."""
    if not isinstance(message, Message.Assistant):
        return message
    return evolve(
        message, contents=[_own(content) if isinstance(content, Content.Reasoning) else content for content in message.contents]
    )


def _own(thought: Content.Reasoning) -> Content.Reasoning:
    match thought.extras.of(CLAUDE):
        case {"signature": str() as signature}:
            own = {"signature": signature}
        case {"data": str() as data}:
            own = {"redactedContent": b64encode(data.encode()).decode()}
        case _:
            return thought
    others = {name: said for name, said in thought.extras.items() if name != CLAUDE}
    return evolve(thought, extras=Extras(others).having(NAME, own))


# --- turns ---------------------------------------------------------------------------------------------------------------------


def _turn(value: Any) -> Turn:
    if value.__class__ is not dict:
        raise Unexpected.of("a message, which is an object", value)
    match value.get("role"):
        case "user":
            return _user_turn(value)
        case "assistant":
            return (_assistant(value),)
        case "system":
            return (noted(_system(value), NAME, "$inline", True),)
        case str():
            return (Message.Custom(json(value), NAME),)
        case _ as role:
            raise Unexpected.of("a role (user, assistant)", role, ".role")


def _user_turn(value: dict[str, Any]) -> Turn:
    content: Any = value.get("content")
    if content.__class__ is not list or not _has_results(content):
        return (_user(value),)
    messages = parted_turn(at(".content", lambda blocks: with_points(_result_or_block, _custom, blocks), content))
    if len(value) == len(_TURN):
        return messages
    rest = {key: item for key, item in value.items() if key not in _TURN}
    return with_rest(messages, rest, NAME)


_TURN: Final = ("role", "content")
"""The fields that every turn has which holds tool results."""


def _has_results(blocks: list[Any]) -> bool:
    return any(block.__class__ is dict and "toolResult" in block for block in blocks)


def _result_or_block(value: Any) -> Any:
    kind, inner = _parted(value)
    if kind != "toolResult":
        return _block(value)
    return at(".toolResult", _result, inner)


def _result(value: dict[str, Any]) -> Message.ToolResult:
    result = _read_result(value)
    if value.get("status") == "success":
        result = noted(result, NAME, "$status", "success")
    if value.get("content") is not None:
        return result
    return noted(result, NAME, "$contentless", "null" if "content" in value else True)


# --- blocks --------------------------------------------------------------------------------------------------------------------


def _user_contents(value: Any) -> tuple[Content.Input, ...]:
    return with_points(_block, _custom, value)


def _assistant_contents(value: Any) -> tuple[Content.Output, ...]:
    return with_points(_said, _custom, value)


def _result_contents(value: Any) -> tuple[Content.Input, ...]:
    return each(_result_block, value)


def _instructions(value: Any) -> tuple[Content.Text | Content.Custom, ...]:
    return with_points(_instruction, _custom, value)


def _instruction(value: Any) -> Content.Text | Content.Custom:
    block = _block(value)
    return block if isinstance(block, Content.Text) else _custom(value)


def _result_block(value: Any) -> Content.Input:
    if value.__class__ is dict and len(value) == 1 and (text := value.get("text")).__class__ is str:
        return plain_text(text)
    kind, inner = _parted(value)
    return Content.Text(json(inner).text, leftover({}, NAME, {"$type": "json"})) if kind == "json" else _block(value)


def _said(value: Any) -> Content.Output:
    if value.__class__ is dict and len(value) == 1 and (text := value.get("text")).__class__ is str:
        return plain_text(text)
    kind, inner = _parted(value)
    match kind:
        case "toolUse" if "type" not in inner:
            return _call(inner)
        case "toolUse" if inner["type"] == CALL:
            return noted(_call({key: item for key, item in inner.items() if key != "type"}), NAME, "$type", CALL)
        case "reasoningContent":
            return _reasoning(inner) or _custom(value)
        case _:
            return _block(value)


def _call(value: dict[str, Any]) -> Content.ToolRequest:
    request = at(".toolUse", _tool_request, value)
    return request if value["input"].__class__ is dict else noted(request, NAME, "$own", True)


def _reasoning(value: dict[str, Any]) -> Content.Reasoning | None:
    """What the model thought; None for what says more than there are words for."""
    match value:
        case {"reasoningText": {"text": str() as text, **said}, **rest} if not rest:
            return _thought(text, said)
        case {"redactedContent": str() as hidden_content, **rest} if not rest:
            return Content.Reasoning("", hidden(hidden_content))
        case _:
            return None


def _thought(text: str, said: Any) -> Content.Reasoning | None:
    if not said:
        return Content.Reasoning(text, leftover({}, NAME, {"$unsigned": True}))
    match said:
        case {"signature": str() as signature, **rest} if signature and not rest:
            return Content.Reasoning(text, leftover({"signature": signature}, CLAUDE))
        case _:
            return None


def hidden(content: str) -> Extras:
    """Reasoning that only its provider can read. What Claude's maker shows as text stands here as the base64 of that text."""
    try:
        data = b64decode(content, validate=True).decode("ascii")
    except ValueError:
        data = ""
    if data and b64encode(data.encode()).decode() == content:
        return leftover({"data": data}, CLAUDE, {"$type": "redacted_thinking"})
    return leftover({"redactedContent": content}, NAME)


def _block(value: Any) -> Content.Input:
    kind, inner = _parted(value)
    match kind:
        case "text":
            return plain_text(inner)
        case "image" if "source" in inner:
            return at(".image", _image, inner)
        case "video" if "source" in inner:
            return at(".video", _video, inner)
        case "audio" if "source" in inner:
            return at(".audio", _audio, inner)
        case "document" if not _is_made_of_blocks(inner.get("source")):
            return at(".document", _document, inner)
        case "guardContent":
            return _guarded(inner) or _custom(value)
        case "citationsContent":
            return _cited(inner) or _custom(value)
        case None if "text" in value and not _KINDS & value.keys():
            return _text(value)
        case _:
            return _custom(value)


def _guarded(value: dict[str, Any]) -> Content.Text | Content.Image | None:
    """What a guardrail is to look at; None for what says more than there are words for."""
    match value:
        case {"text": {"text": str() as text, **rest}, **more} if not more:
            return noted(Content.Text(text, _leftover(rest)), NAME, "$type", "guardContent")
        case {"image": image, **more} if not more:
            return noted(at(".guardContent.image", _image, image), NAME, "$type", "guardContent")
        case _:
            return None


def _cited(value: dict[str, Any]) -> Content.Text | None:
    """A text with its sources; None for what says more than there are words for."""
    match value:
        case {"content": [{"text": str() as text, **rest}], **more} if not rest:
            return noted(Content.Text(text, _leftover(more)), NAME, "$type", "citationsContent")
        case {"content": [_, _, *_] as pieces, **more} if all(map(_is_piece, pieces)):
            texts = [piece["text"] for piece in pieces]
            said = noted(Content.Text("".join(texts), _leftover(more)), NAME, "$type", "citationsContent")
            return noted(said, NAME, "$pieces", [*map(len, texts)])
        case _:
            return None


def _is_piece(value: Any) -> bool:
    match value:
        case {"text": str(), **rest}:
            return not rest
        case _:
            return False


def _leftover(rest: Any) -> Extras:
    return leftover(rest, NAME)


def _parted(block: Any) -> tuple[str | None, Any]:
    """The one key that tells the kind of a block, and what stands under it: a text, or an object; None for any other block."""
    if block.__class__ is not dict:
        raise Unexpected.of("a content block, which is an object with one key (text, image, document, toolUse, …)", block)
    if len(block) == 1:
        for kind, inner in block.items():  # the only one
            if inner.__class__ is (str if kind == "text" else dict) or kind == "json":
                return kind, inner
    return None, None


_KINDS: Final = frozenset({"image", "document", "video", "audio", "toolUse", "toolResult", "guardContent", "reasoningContent"})


def _is_made_of_blocks(source: Any) -> bool:
    return source.__class__ is not dict or not source.keys() & {"bytes", "s3Location", "text"}


def _document(value: dict[str, Any]) -> Content.PDF | Content.File:
    is_pdf = value.get("format") == "pdf" and "text" not in value["source"]
    word: Content.PDF | Content.File = _pdf(value) if is_pdf else _file(value)
    return word if word.name else noted(word, NAME, "$nameless", True)


def _custom(value: Any) -> Content.Custom:
    return Content.Custom(NAME, json(value))


# --- hooks ---------------------------------------------------------------------------------------------------------------------

register_messages(
    {
        Message.System: _instructions,
        Message.User: _user_contents,
        Message.Assistant: _assistant_contents,
        Message.ToolResult: _result_contents,
    }
)

_text: Final = structuring(CODEC, Content.Text)
_image: Final = structuring(CODEC, Content.Image)
_video: Final = structuring(CODEC, Content.Video)
_audio: Final = structuring(CODEC, Content.Audio)
_pdf: Final = structuring(CODEC, Content.PDF)
_file: Final = structuring(CODEC, Content.File)
_tool_request: Final = structuring(CODEC, Content.ToolRequest)
_system: Final = structuring(CODEC, Message.System)
_user: Final = structuring(CODEC, Message.User)
_assistant: Final = structuring(CODEC, Message.Assistant)
read_assistant: Final = _assistant
"""Read what a model said: a message with role and content."""
_read_result: Final = structuring(CODEC, Message.ToolResult)

read_request: Final = reading(NAME, _request)
"""Read a request body, whose media are base64 or bytes. Answers `Unreadable` with the path of each problem; never raises."""
