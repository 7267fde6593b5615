"""Halves of surrogate pairs, which no text holds: they are found wherever a request has text.

Rule U (anomalyco/opencode#14630).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar, assert_never, cast

from attrs import evolve

from chatadt.chat import ChatRequest, ChatResponse, ModelParams, ResponseFormat
from chatadt.checks._rule import Rule, Server
from chatadt.checks._unicode import is_whole, is_whole_json, whole, whole_json
from chatadt.checks.text import with_contents
from chatadt.codec import document
from chatadt.content import Arguments, Content
from chatadt.error import Violation
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.tool import ProviderTool, Tool

__all__ = ("SURROGATES", "whole_answer")

W = TypeVar("W")
Change: TypeAlias = Callable[[W, str, Callable[[W], W], Callable[[W], Json]], W]


def _find_surrogates(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for loss in _mend_surrogates(request, server).losses:
        yield Violation("lone-surrogate", loss.path, "half of a surrogate pair cannot be sent as UTF-8", "replace it by U+FFFD")


def _mend_surrogates(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    del server  # JSON on the wire is UTF-8 for all of them
    losses: list[Loss] = []
    changed = _changing(losses)
    messages = tuple(_whole_message(message, f"$.messages[{index}]", changed) for index, message in enumerate(request.messages))
    params = _whole_params(request.params, changed)
    return Converted(evolve(request, messages=messages, params=params), tuple(losses)) if losses else Converted(request)


def whole_answer(response: ChatResponse) -> Converted[ChatResponse]:
    """An answer that can be sent, with a loss for each text of it that could not."""
    losses: list[Loss] = []
    changed = _changing(losses)
    message = cast("Message.Assistant", _whole_message(response.message, "$.message", changed))
    others = tuple(
        evolve(other, message=cast("Message.Assistant", _whole_message(other.message, f"$.others[{index}].message", changed)))
        for index, other in enumerate(response.others)
    )
    return Converted(evolve(response, message=message, others=others), tuple(losses)) if losses else Converted(response)


def _changing(losses: list[Loss]) -> Change[Any]:
    """What mends a word at a path, and adds the loss of what it was to `losses`."""

    def changed(word: W, path: str, mend: Callable[[W], W], said: Callable[[W], Json]) -> W:
        mended = mend(word)
        if mended is not word:
            reason = "half of a surrogate pair cannot be sent: U+FFFD stands for it"
            losses.append(Loss(path, "a lone surrogate", Action.REWRITTEN, said(word), reason, Weight.DETAIL))
        return mended

    return changed


def _whole_message(message: Message.T, path: str, changed: Change[Any]) -> Message.T:
    if isinstance(message, Message.Custom):
        return message
    contents = tuple(
        changed(content, f"{path}.contents[{position}]", _whole_content, document)
        for position, content in enumerate(message.contents)
    )
    if any(new is not old for new, old in zip(contents, message.contents, strict=True)):
        message = with_contents(message, contents)
    if isinstance(message, Message.User | Message.Assistant) and message.name is not None:
        name = changed(message.name, f"{path}.name", _whole_text, Json.of)
        return message if name is message.name else evolve(message, name=name)
    return message


def _whole_content(content: Content.T) -> Content.T:
    """The content itself where all of it can be sent."""
    if isinstance(content, Content.Image | Content.Audio | Content.Video | Content.PDF | Content.File):
        where = content.resource
        if isinstance(where, Resource.Ref) and not _is_fine(where.uri):
            content = evolve(content, resource=evolve(where, uri=whole(where.uri)))
        if isinstance(where, Resource.Binary) and (cut := _cut_text(where)) is not None:
            content = evolve(content, resource=evolve(where, content=b64encode(whole(cut).encode()).decode()))
    match content:
        case Content.Text(text=text) | Content.Reasoning(text=text) | Content.Refusal(text=text):
            return content if _is_fine(text) else evolve(content, text=whole(text))
        case Content.ToolRequest(arguments=arguments):
            mended = _whole_arguments(arguments)
            return content if mended is arguments else evolve(content, arguments=mended)
        case Content.Custom(value=value):
            return content if is_whole_json(value) else evolve(content, value=whole_json(value))
        case Content.Audio(transcript=transcript):
            return content if _is_fine(transcript) else evolve(content, transcript=whole(transcript or ""))
        case Content.PDF(name=name) | Content.File(name=name):
            return content if _is_fine(name) else evolve(content, name=whole(name or ""))
        case Content.Image() | Content.Video():
            return content
        case _:
            assert_never(content)


def _cut_text(resource: Resource.Binary) -> str | None:
    """The text of a document that came as its text, where that has half of a surrogate pair."""
    if all(resource.extras.of(dialect).get("$source") != "text" for dialect in resource.extras):
        return None
    try:
        text = resource.bytes.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return None  # the words were changed since they were read
    return None if is_whole(text) else text


def _is_fine(text: str | None) -> bool:
    return text is None or text.isascii() or is_whole(text)


def _whole_text(text: str) -> str:
    return text if _is_fine(text) else whole(text)


def _whole_arguments(arguments: Arguments.T) -> Arguments.T:
    match arguments:
        case Arguments.Parsed(json=value):
            return arguments if is_whole_json(value) else Arguments.Parsed(whole_json(value))
        case Arguments.Malformed(text=text, why=why):
            return arguments if _is_fine(text + why) else Arguments.Malformed(whole(text), whole(why))
        case _:
            assert_never(arguments)


def _whole_params(params: ModelParams, changed: Change[Any]) -> ModelParams:
    tools = tuple(changed(tool, f"$.params.tools[{index}]", _whole_tool, document) for index, tool in enumerate(params.tools))
    stop = tuple(changed(text, f"$.params.stop[{index}]", _whole_text, Json.of) for index, text in enumerate(params.stop))
    user = None if params.user is None else changed(params.user, "$.params.user", _whole_text, Json.of)
    model = None if params.model is None else changed(params.model, "$.params.model", _whole_text, Json.of)
    wanted = params.response_format
    if wanted is not None:
        wanted = changed(wanted, "$.params.response_format", _whole_format, _said_of_format)
    return evolve(params, tools=tools, stop=stop, user=user, model=model, response_format=wanted)


def _said_of_format(wanted: ResponseFormat.T) -> Json:
    return document(ModelParams(response_format=wanted))


def _whole_format(wanted: ResponseFormat.T) -> ResponseFormat.T:
    match wanted:
        case ResponseFormat.JsonSchema(schema=schema, name=name, description=description):
            if is_whole_json(schema) and _is_fine(name) and _is_fine(description):
                return wanted
            texts = [text and whole(text) for text in (name, description)]
            return evolve(wanted, schema=whole_json(schema), name=texts[0], description=texts[1])
        case ResponseFormat.Custom(value=value):
            return wanted if is_whole_json(value) else evolve(wanted, value=whole_json(value))
        case ResponseFormat.Text() | ResponseFormat.JsonObject():
            return wanted
        case _:
            assert_never(wanted)


def _whole_tool(tool: Tool | ProviderTool) -> Tool | ProviderTool:
    match tool:
        case Tool(description=description, parameters=parameters):
            if not _is_fine(description):
                tool = evolve(tool, description=whole(description or ""))
            return tool if parameters is None or is_whole_json(parameters) else evolve(tool, parameters=whole_json(parameters))
        case ProviderTool(value=value):
            return tool if is_whole_json(value) else evolve(tool, value=whole_json(value))
        case _:
            assert_never(tool)


SURROGATES = Rule("lone-surrogate", True, _find_surrogates, _mend_surrogates)
