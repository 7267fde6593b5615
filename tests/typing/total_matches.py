"""Both checkers accept a total match over each union, and know the types inside its arms. This file is read, never run."""

from __future__ import annotations

from typing import assert_never, assert_type

from returns.result import Failure, Result, Success

from chatadt.chat import ChatRequest, Effort, ModelParams, ProviderError, ResponseFormat, StopKind, Thinking
from chatadt.content import Arguments, Content, Detail
from chatadt.error import ConversionError, Problem, Severity, Violation
from chatadt.json import Extras, Json
from chatadt.loss import Action, Loss, Policy, Weight
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.result import closed
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition


def resource_inside_an_image(image: Content.Image) -> str:
    match image.resource:
        case Resource.Ref(uri):
            return uri
        case Resource.Binary() as binary:
            assert_type(binary, Resource.Binary)
            return binary.content
        case _:
            assert_never(image.resource)


def resource_by_keyword(resource: Resource.T) -> str:
    match resource:
        case Resource.Ref(uri=uri, mime_type=mime_type):
            assert_type(mime_type, str | None)
            return uri
        case Resource.Binary(content=content):
            assert_type(resource.bytes, bytes)
            return content
        case _:
            assert_never(resource)


def resource_by_position(resource: Resource.T) -> str:
    match resource:
        case Resource.Ref(uri, _, extras):
            assert_type(extras, Extras)
            return uri
        case Resource.Binary(content, mime_type):
            return mime_type or content
        case _:
            assert_never(resource)


def resource_without_a_last_arm(resource: Resource.T) -> str:
    match resource:
        case Resource.Ref():
            return "ref"
        case Resource.Binary():
            return "binary"


def any_content(content: Content.T) -> str:
    match content:
        case Content.Text(text):
            return text
        case Content.Image(resource, detail):
            assert_type(resource, Resource.Ref | Resource.Binary)
            assert_type(detail, Detail | None)
            return resource_by_keyword(resource)
        case Content.Audio(resource, transcript):
            return transcript or resource_by_keyword(resource)
        case Content.Video(resource):
            return resource_by_keyword(resource)
        case Content.PDF(resource, name) | Content.File(resource, name):
            return name or resource_by_keyword(resource)
        case Content.Reasoning(text) | Content.Refusal(text):
            return text
        case Content.ToolRequest(id, name, arguments):
            assert_type(arguments, Arguments.Parsed | Arguments.Malformed)
            return id + name
        case Content.Custom(dialect, value):
            assert_type(value, Json)
            return dialect
        case _:
            assert_never(content)


def input_content(content: Content.Input) -> str:
    match content:
        case Content.Text(text=text):
            return text
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return resource_by_keyword(content.resource)
        case Content.Custom(dialect=dialect):
            return dialect
        case _:
            assert_never(content)


def output_content(content: Content.Output) -> str:
    match content:
        case Content.Reasoning() | Content.Refusal():
            return content.text
        case Content.ToolRequest():
            return content.name
        case (
            Content.Text() | Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File() | Content.Custom()
        ):
            return input_content(content)
        case _:
            assert_never(content)


def message_that_returns(message: Message.T) -> str:
    match message:
        case Message.System(contents):
            assert_type(contents, tuple[Content.Text | Content.Custom, ...])
            return message.text
        case Message.User(contents, name):
            assert_type(contents, tuple[Content.Input, ...])
            return name or message.text
        case Message.Assistant(contents, name, extras):
            assert_type(contents, tuple[Content.Output, ...])
            assert_type(message.tool_requests, tuple[Content.ToolRequest, ...])
            return name or extras.of("anthropic").get("container", "")
        case Message.ToolResult(id, tool, contents, outcome):
            assert_type(contents, tuple[Content.Input, ...])
            return outcome.value + (tool or id)
        case Message.Custom(attributes, dialect):
            return dialect or attributes.text
        case _:
            assert_never(message)


def message_that_returns_none(message: Message.T, into: list[str]) -> None:
    match message:
        case Message.System() | Message.User() | Message.Assistant() | Message.ToolResult():
            into.append(message.text)
        case Message.Custom():
            pass


def arguments(arguments: Arguments.T) -> Json | None:
    match arguments:
        case Arguments.Parsed(json):
            return json
        case Arguments.Malformed(text, why):
            assert_type(text + why, str)
            return None
        case _:
            assert_never(arguments)


def tool_choice(choice: ToolChoice.T) -> str:
    match choice:
        case ToolChoice.Auto() | ToolChoice.Never() | ToolChoice.Required():
            return type(choice).__name__
        case ToolChoice.One(name):
            return name
        case ToolChoice.Custom(dialect):
            return dialect
        case _:
            assert_never(choice)


def tool_definition(tool: ToolDefinition) -> str:
    match tool:
        case Tool(name, description):
            return description or name
        case ProviderTool(dialect, value):
            return dialect + value.text
        case _:
            assert_never(tool)


def response_format(format: ResponseFormat.T) -> str | None:
    match format:
        case ResponseFormat.Text() | ResponseFormat.JsonObject():
            return None
        case ResponseFormat.JsonSchema(schema, name):
            assert_type(schema, Json)
            return name
        case ResponseFormat.Custom(dialect):
            return dialect
        case _:
            assert_never(format)


def thinking(thinking: Thinking.T) -> int:
    match thinking:
        case Thinking.Off():
            return 0
        case Thinking.Adaptive() | Thinking.Custom():
            return -1
        case Thinking.Budget(tokens):
            return tokens
        case _:
            assert_never(thinking)


def error(error: ConversionError.T) -> int:
    match error:
        case ConversionError.UnknownDialect(name, known):
            return len(name) + len(known)
        case ConversionError.Unreadable(_, problems):
            assert_type(problems, tuple[Problem, ...])
            return len(problems)
        case ConversionError.Invalid(_, violations):
            assert_type(violations, tuple[Violation, ...])
            return len(violations)
        case ConversionError.Lossy(_, policy, losses):
            assert_type(policy, Policy)
            assert_type(losses, tuple[Loss, ...])
            return len(losses)
        case ConversionError.Refused(_, refused):
            assert_type(refused, ProviderError)
            return 0
        case ConversionError.Unavailable(_, kind):
            return len(kind)
        case _:
            assert_never(error)


def result(result: Result[int, str]) -> str:
    match closed(result):
        case Success(value):
            assert_type(value, int)
            return str(value)
        case Failure(why):
            return why


def outcome(outcome: Outcome) -> bool:
    match outcome:
        case Outcome.OK:
            return True
        case Outcome.ERROR | Outcome.DENIED:
            return False
        case _:
            assert_never(outcome)


def detail(detail: Detail) -> int:
    match detail:
        case Detail.AUTO | Detail.LOW:
            return 0
        case Detail.HIGH | Detail.ORIGINAL:
            return 1


def effort(effort: Effort) -> int:
    match effort:
        case Effort.NONE | Effort.MINIMAL | Effort.LOW:
            return 0
        case Effort.MEDIUM | Effort.HIGH | Effort.XHIGH | Effort.MAX:
            return 1
        case _:
            assert_never(effort)


def stop_kind(kind: StopKind) -> bool:
    match kind:
        case StopKind.END | StopKind.STOP_SEQUENCE | StopKind.TOOL_CALLS | StopKind.PAUSED:
            return True
        case StopKind.LENGTH | StopKind.CONTEXT_OVERFLOW | StopKind.CONTENT_FILTER | StopKind.REFUSAL:
            return False
        case StopKind.ERROR | StopKind.MALFORMED_TOOL_CALL | StopKind.CANCELLED | StopKind.INTERRUPTED | StopKind.OTHER:
            return False
        case _:
            assert_never(kind)


def action_weight_policy_and_severity(action: Action, weight: Weight, policy: Policy, severity: Severity) -> bool:
    match action:
        case Action.DROPPED | Action.REWRITTEN | Action.MOVED | Action.INVENTED:
            pass
        case _:
            assert_never(action)
    match weight:
        case Weight.CONTENT | Weight.DETAIL:
            pass
        case _:
            assert_never(weight)
    match policy:
        case Policy.STRICT | Policy.FAITHFUL | Policy.LENIENT:
            pass
        case _:
            assert_never(policy)
    match severity:
        case Severity.ERROR | Severity.WARNING:
            return True


def every_union_narrows_by_isinstance(value: object) -> int:
    if isinstance(value, Resource.T):
        assert_type(value, Resource.Ref | Resource.Binary)
        return 0
    if isinstance(value, Message.T):
        return len(message_that_returns(value))
    if isinstance(value, Content.T):
        return len(any_content(value))
    return -1


def request(request: ChatRequest) -> str | None:
    match request:
        case ChatRequest(messages, params):
            assert_type(messages, tuple[Message.T, ...])
            assert_type(params, ModelParams)
            return params.model
