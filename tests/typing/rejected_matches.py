"""Matches that leave a case out: both checkers report each one, and would be content with the line after `# added:`.

This file is read, never run; `tests/test_exhaustive.py` turns each planted error green.
"""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from typing import assert_never

from returns.result import Failure, Result, Success

from chatadt.chat import Effort, ResponseFormat, StopKind, Thinking
from chatadt.content import Arguments, Content, Detail
from chatadt.error import ConversionError, Severity
from chatadt.loss import Action, Policy, Weight
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.result import closed
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition


def returns_and_asserts_never(resource: Resource.T) -> str:
    match resource:
        case Resource.Ref():
            return "ref"
        # added: case Resource.Binary(): return "binary"
        case _:
            assert_never(resource)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def returns_and_falls_through(resource: Resource.T) -> str:  # type: ignore[return]  # pyright: ignore[reportReturnType]
    match resource:  # type: ignore[exhaustive-match]  # pyright: ignore[reportMatchNotExhaustive]
        case Resource.Ref():
            return "ref"
        # added: case Resource.Binary(): return "binary"


def returns_none(resource: Resource.T, into: list[str]) -> None:
    match resource:  # type: ignore[exhaustive-match]  # pyright: ignore[reportMatchNotExhaustive]
        case Resource.Ref():
            into.append("ref")
        # added: case Resource.Binary(): into.append("binary")


def returns_none_and_asserts_never(resource: Resource.T, into: list[str]) -> None:
    match resource:
        case Resource.Binary():
            into.append("binary")
        # added: case Resource.Ref(): into.append("ref")
        case _:
            assert_never(resource)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def part_of_a_case_is_no_case(resource: Resource.T) -> str:
    match resource:
        case Resource.Ref():
            return "ref"
        case Resource.Binary(mime_type="image/png"):
            return "png"
        # added: case Resource.Binary(): return "binary"
        case _:
            assert_never(resource)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def a_guard_closes_no_case(resource: Resource.T) -> str:
    match resource:
        case Resource.Ref():
            return "ref"
        case Resource.Binary(content) if content:
            return "full"
        # added: case Resource.Binary(): return "empty"
        case _:
            assert_never(resource)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def content(content: Content.T) -> str:
    match content:
        case Content.Text() | Content.Reasoning() | Content.Refusal():
            return content.text
        case Content.Image() | Content.Audio() | Content.PDF() | Content.File():
            return "medium"
        # added: case Content.Video(): return "film"
        case Content.ToolRequest():
            return content.name
        case Content.Custom():
            return content.dialect
        case _:
            assert_never(content)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def content_of_a_user(content: Content.Input) -> str:
    match content:
        case Content.Text():
            return content.text
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return "medium"
        # added: case Content.Custom(): return content.dialect
        case _:
            assert_never(content)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def content_of_a_model(content: Content.Output, into: list[str]) -> None:
    match content:  # type: ignore[exhaustive-match]  # pyright: ignore[reportMatchNotExhaustive]
        case Content.Text() | Content.Reasoning() | Content.Refusal():
            into.append(content.text)
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File() | Content.Custom():
            pass
        # added: case Content.ToolRequest(): into.append(content.name)


def message(message: Message.T) -> str:
    match message:
        case Message.System() | Message.User() | Message.Assistant():
            return message.text
        # added: case Message.ToolResult(): return message.id
        case Message.Custom():
            return ""
        case _:
            assert_never(message)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def message_that_returns_none(message: Message.T, into: list[str]) -> None:
    match message:  # type: ignore[exhaustive-match]  # pyright: ignore[reportMatchNotExhaustive]
        case Message.System() | Message.User() | Message.Assistant() | Message.ToolResult():
            into.append(message.text)
        # added: case Message.Custom(): pass


def arguments(arguments: Arguments.T) -> str:
    match arguments:
        case Arguments.Parsed():
            return arguments.json.text
        # added: case Arguments.Malformed(): return arguments.text
        case _:
            assert_never(arguments)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def tool_choice(choice: ToolChoice.T) -> str:
    match choice:
        case ToolChoice.Auto() | ToolChoice.Never() | ToolChoice.Required():
            return ""
        # added: case ToolChoice.One(): return choice.name
        case ToolChoice.Custom():
            return choice.dialect
        case _:
            assert_never(choice)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def tool_definition(tool: ToolDefinition) -> str:
    match tool:
        case Tool():
            return tool.name
        # added: case ProviderTool(): return tool.dialect
        case _:
            assert_never(tool)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def response_format(format: ResponseFormat.T) -> str:
    match format:
        case ResponseFormat.Text() | ResponseFormat.JsonObject():
            return ""
        # added: case ResponseFormat.JsonSchema(): return format.schema.text
        case ResponseFormat.Custom():
            return format.dialect
        case _:
            assert_never(format)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def thinking(thinking: Thinking.T) -> int:
    match thinking:
        case Thinking.Off() | Thinking.Custom():
            return 0
        # added: case Thinking.Adaptive(): return 1
        case Thinking.Budget():
            return thinking.tokens
        case _:
            assert_never(thinking)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def error(error: ConversionError.T) -> str:
    match error:
        case ConversionError.UnknownDialect():
            return error.name
        case ConversionError.Unreadable() | ConversionError.Lossy() | ConversionError.Refused() | ConversionError.Unavailable():
            return error.dialect
        # added: case ConversionError.Invalid(): return error.dialect
        case _:
            assert_never(error)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def result(result: Result[int, str]) -> int:  # type: ignore[return]  # pyright: ignore[reportReturnType]
    match closed(result):  # type: ignore[exhaustive-match]  # pyright: ignore[reportMatchNotExhaustive]
        case Success(value):
            return value
        # added: case Failure(why): return len(why)


def outcome(outcome: Outcome) -> bool:
    match outcome:
        case Outcome.OK:
            return True
        case Outcome.ERROR:
            return False
        # added: case Outcome.DENIED: return False
        case _:
            assert_never(outcome)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def detail(detail: Detail) -> bool:
    match detail:
        case Detail.AUTO | Detail.LOW | Detail.HIGH:
            return True
        # added: case Detail.ORIGINAL: return False
        case _:
            assert_never(detail)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def effort(effort: Effort) -> bool:
    match effort:
        case Effort.NONE | Effort.MINIMAL | Effort.LOW | Effort.MEDIUM | Effort.HIGH | Effort.XHIGH:
            return True
        # added: case Effort.MAX: return False
        case _:
            assert_never(effort)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def stop_kind(kind: StopKind) -> bool:
    match kind:
        case StopKind.END | StopKind.STOP_SEQUENCE | StopKind.TOOL_CALLS | StopKind.PAUSED | StopKind.LENGTH | StopKind.CANCELLED:
            return True
        case StopKind.CONTEXT_OVERFLOW | StopKind.CONTENT_FILTER | StopKind.REFUSAL | StopKind.ERROR | StopKind.OTHER:
            return False
        case StopKind.INTERRUPTED:
            return False
        # added: case StopKind.MALFORMED_TOOL_CALL: return False
        case _:
            assert_never(kind)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def action(action: Action) -> bool:
    match action:
        case Action.DROPPED | Action.REWRITTEN | Action.MOVED:
            return True
        # added: case Action.INVENTED: return False
        case _:
            assert_never(action)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def weight(weight: Weight) -> bool:
    match weight:
        case Weight.CONTENT:
            return True
        # added: case Weight.DETAIL: return False
        case _:
            assert_never(weight)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def policy(policy: Policy) -> bool:
    match policy:
        case Policy.STRICT | Policy.LENIENT:
            return True
        # added: case Policy.FAITHFUL: return False
        case _:
            assert_never(policy)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def severity(severity: Severity, into: list[str]) -> None:
    match severity:  # type: ignore[exhaustive-match]  # pyright: ignore[reportMatchNotExhaustive]
        case Severity.ERROR:
            into.append("error")
        # added: case Severity.WARNING: into.append("warning")


# Named once more so that the imports which only the added lines use are used without them.
_ = (Failure, ProviderTool)
