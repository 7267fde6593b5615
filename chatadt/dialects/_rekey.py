"""Conversations, answers and streams under another dialect's name: what a variant needs to speak through its dialect's code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, assert_never, cast

from attrs import evolve

from chatadt.chat import (
    ChatRequest,
    ChatResponse,
    Choice,
    Metadata,
    ModelParams,
    ProviderError,
    ResponseFormat,
    Thinking,
    Usage,
)
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.json import NO_EXTRAS, Extras
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = ("rekeyed", "rekeyed_delta", "rekeyed_error", "rekeyed_response")

C = TypeVar("C", bound=Content.T)

Names = Mapping[str, str]


def rekeyed(request: ChatRequest, names: Names) -> ChatRequest:
    """The request in which whatever a dialect of `names` said stands under the other name: extras and everything Custom.

    What nobody said anything about stays the same object.
    """
    messages = tuple(_message(message, names) for message in request.messages)
    return ChatRequest.trusted(messages, _params(request.params, names))


def rekeyed_response(response: ChatResponse, names: Names) -> ChatResponse:
    """The answer in which whatever a dialect of `names` said stands under the other name."""
    return ChatResponse(
        _said(response.message, names),
        _metadata(response.metadata, names),
        tuple(_further(choice, names) for choice in response.others),
    )


def rekeyed_delta(delta: Delta.T, names: Names) -> Delta.T:
    """The delta in which whatever a dialect of `names` said stands under the other name."""
    match delta:
        case Delta.Text() | Delta.Reasoning() | Delta.Refusal() | Delta.ToolRequest() | Delta.Stop():
            return delta
        case Delta.Start() | Delta.BlockExtras() | Delta.Speaker() | Delta.Answer():
            return evolve(delta, extras=_extras(delta.extras, names))
        case Delta.Block(content=content):
            return evolve(delta, content=_content(content, names))
        case Delta.Tokens(usage=usage):
            return Delta.Tokens(_usage(usage, names))
        case Delta.Failed(error=error):
            return Delta.Failed(rekeyed_error(error, names))
        case Delta.Custom(dialect=dialect):
            return evolve(delta, dialect=names.get(dialect, dialect))
        case _:
            assert_never(delta)


def rekeyed_error(error: ProviderError, names: Names) -> ProviderError:
    """The error in which whatever a dialect of `names` said stands under the other name."""
    return evolve(error, extras=_extras(error.extras, names))


def _further(choice: Choice, names: Names) -> Choice:
    return evolve(choice, message=_said(choice.message, names), extras=_extras(choice.extras, names))


def _metadata(metadata: Metadata, names: Names) -> Metadata:
    return evolve(
        metadata,
        usage=None if metadata.usage is None else _usage(metadata.usage, names),
        error=None if metadata.error is None else rekeyed_error(metadata.error, names),
        extras=_extras(metadata.extras, names),
    )


def _usage(usage: Usage, names: Names) -> Usage:
    return evolve(usage, extras=_extras(usage.extras, names))


def _said(message: Message.Assistant, names: Names) -> Message.Assistant:
    return cast("Message.Assistant", _message(message, names))


def _message(message: Message.T, names: Names) -> Message.T:
    match message:
        case Message.Custom(dialect=dialect):
            return evolve(message, dialect=names[dialect]) if dialect is not None and dialect in names else message
        case Message.System() | Message.User() | Message.Assistant() | Message.ToolResult():
            contents: Any = tuple(_content(content, names) for content in message.contents)
            extras = _extras(message.extras, names)
            if extras is message.extras and all(map(_is, contents, message.contents)):
                return message
            return evolve(message, contents=contents, extras=extras)
        case _:
            assert_never(message)


def _content(content: C, names: Names) -> C:
    match content:
        case Content.Custom(dialect=dialect):
            return evolve(content, dialect=names[dialect]) if dialect in names else content
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            resource, extras = _resource(content.resource, names), _extras(content.extras, names)
            same = resource is content.resource and extras is content.extras
            return content if same else evolve(content, resource=resource, extras=extras)
        case Content.Text() | Content.Reasoning() | Content.Refusal() | Content.ToolRequest():
            return content if content.extras is NO_EXTRAS else evolve(content, extras=_extras(content.extras, names))
        case _:
            assert_never(content)


def _resource(resource: Resource.T, names: Names) -> Resource.T:
    return resource if resource.extras is NO_EXTRAS else evolve(resource, extras=_extras(resource.extras, names))


def _extras(extras: Extras, names: Names) -> Extras:
    if extras is NO_EXTRAS or not any(name in names for name in extras):
        return extras
    return Extras({names.get(name, name): value for name, value in extras.items()})


def _is(one: object, other: object) -> bool:
    return one is other


# --- parameters ----------------------------------------------------------------------------------------------------------------


def _params(params: ModelParams, names: Names) -> ModelParams:
    return evolve(
        params,
        tools=tuple(_tool(tool, names) for tool in params.tools),
        tool_choice=None if params.tool_choice is None else _choice(params.tool_choice, names),
        response_format=None if params.response_format is None else _format(params.response_format, names),
        thinking=None if params.thinking is None else _thinking(params.thinking, names),
        extras=_extras(params.extras, names),
    )


def _tool(tool: ToolDefinition, names: Names) -> ToolDefinition:
    match tool:
        case Tool():
            return evolve(tool, extras=_extras(tool.extras, names))
        case ProviderTool():
            return evolve(tool, dialect=names.get(tool.dialect, tool.dialect))
        case _:
            assert_never(tool)


def _choice(choice: ToolChoice.T, names: Names) -> ToolChoice.T:
    match choice:
        case ToolChoice.Custom():
            return evolve(choice, dialect=names.get(choice.dialect, choice.dialect))
        case ToolChoice.Auto() | ToolChoice.Never() | ToolChoice.Required() | ToolChoice.One():
            return evolve(choice, extras=_extras(choice.extras, names))
        case _:
            assert_never(choice)


def _format(form: ResponseFormat.T, names: Names) -> ResponseFormat.T:
    match form:
        case ResponseFormat.Custom():
            return evolve(form, dialect=names.get(form.dialect, form.dialect))
        case ResponseFormat.Text() | ResponseFormat.JsonObject() | ResponseFormat.JsonSchema():
            return evolve(form, extras=_extras(form.extras, names))
        case _:
            assert_never(form)


def _thinking(thinking: Thinking.T, names: Names) -> Thinking.T:
    match thinking:
        case Thinking.Custom():
            return evolve(thinking, dialect=names.get(thinking.dialect, thinking.dialect))
        case Thinking.Off() | Thinking.Adaptive() | Thinking.Budget():
            return evolve(thinking, extras=_extras(thinking.extras, names))
        case _:
            assert_never(thinking)
