"""The fast path: whether a request plainly breaks no rule, found in one pass."""

from __future__ import annotations

from typing import Final, assert_never

from chatadt.chat import ChatRequest, ModelParams, ResponseFormat
from chatadt.checks._rule import Server
from chatadt.checks._said import Medium, medium_kind
from chatadt.checks._unicode import is_whole
from chatadt.checks.amounts import is_taken, most_said, size
from chatadt.checks.limit import lacks_limit
from chatadt.checks.media import is_plain as plain
from chatadt.checks.params import forces_no_tool, format_fault, stop_faults
from chatadt.checks.sampling import may_be_beyond, sampling_faults
from chatadt.checks.text import holds_nothing
from chatadt.checks.thinking import may_misthink
from chatadt.content import Arguments, Content
from chatadt.dialects._choices import has_tools
from chatadt.dialects._dialect import IdScope, Rules
from chatadt.json import NO_EXTRAS, Extras
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.tool import Tool, ToolChoice, ToolDefinition

__all__ = ("is_sound",)

# The cases as names of the module: to look one up in its namespace costs as much as the test itself.
_SYSTEM: Final = Message.System
_USER: Final = Message.User
_ASSISTANT: Final = Message.Assistant
_RESULT: Final = Message.ToolResult
_TEXT: Final = Content.Text
_REQUEST: Final = Content.ToolRequest
_REASONING: Final = Content.Reasoning
_CUSTOM: Final = Content.Custom
_PARSED: Final = Arguments.Parsed


def is_sound(request: ChatRequest, server: Server) -> bool:
    """Whether a request plainly breaks no rule; False says no more than that the rules must have a look."""
    rules = server.dialect.rules
    words = _Words(rules)
    blank_text, takes_space, in_order, marking = rules.blank_text, rules.white_space, rules.results_in_order, bool(rules.marks)
    profile, by_name = server.profile, rules.results_by_name
    apart, begins = profile.apart, rules.first_user or profile.first_user_said
    is_choosy = rules.reasoning_leads or not rules.empty_assistant or rules.prefix_field is not None
    once = rules.unique_ids is IdScope.REQUEST
    used: set[str] = set()
    awaited: dict[str, str] = {}  # the tools of the calls that are open, by id and in order
    has_begun = is_behind = is_told = False  # whether anyone has spoken, a model or a tool did last, a tool did in this turn
    shown: list[Medium] = []
    message: Message.T | None = None
    for message in request.messages:
        if isinstance(message, _RESULT):
            id_ = message.id
            if id_ not in awaited or (in_order and id_ != next(iter(awaited))) or not words.allow_tool(message.tool):
                return False
            name = awaited.pop(id_)
            if by_name and message.tool is not None and message.tool != name:
                return False
            is_told = True
        elif awaited:
            return False
        elif isinstance(message, _USER):
            if message.name is not None and not words.allow_speaker(message.name):
                return False
            if apart and is_told and not _may_stand_beside(message, apart):
                return False
            has_begun, is_behind = True, False
        elif isinstance(message, _ASSISTANT):
            if not has_begun and begins:
                return False
            if message.name is not None and not words.allow_speaker(message.name):
                return False
            if profile.says_or_calls and len(message.contents) > 1:
                return False
            if is_choosy and not _says_enough(message, rules):
                return False
            if message.contents and isinstance(message.contents[-1], _REASONING):
                return False  # it may be dropped, and its message with it
            has_begun = is_behind = True
            is_told = False
        elif not isinstance(message, _SYSTEM) or (is_behind and rules.system_first):
            return False
        contents = message.contents
        if marking and message.extras is not NO_EXTRAS and _may_be_marked(message.extras, rules):
            return False
        if not (contents or (rules.empty_result if isinstance(message, _RESULT) else blank_text and rules.no_contents)):
            return False
        for content in contents:
            if isinstance(content, _TEXT):
                text = content.text
                if not (text.isascii() or is_whole(text)):
                    return False
                if not blank_text and (not text or (not takes_space and text.isspace())):
                    return False
            elif isinstance(content, _REQUEST):
                id_ = content.id
                if id_ in awaited or id_ in used or not words.allow_call(content):
                    return False
                awaited[id_] = content.name
                if once:
                    used.add(id_)
            elif isinstance(content, _CUSTOM) or not _is_plain(content, message, rules):
                return False
            elif isinstance(content, Medium):
                shown.append(content)
            if marking and content.extras is not NO_EXTRAS and _may_be_marked(content.extras, rules):
                return False
    if awaited or not has_begun or (rules.needs_tools and words.tools and not has_tools(request.params, server.dialect.name)):
        return False
    return (not shown or _fit(shown, server)) and _ends_well(message, server) and _are_plain(request.params, words, server)


def _says_enough(message: Message.Assistant, rules: Rules) -> bool:
    """Whether an assistant message plainly says something, and something behind its reasoning, and is not to be gone on with."""
    last = message.contents[-1] if message.contents else None
    if rules.prefix_field is not None and message.extras is not NO_EXTRAS:
        return False
    if rules.reasoning_leads and any(isinstance(content, Content.Reasoning) for content in message.contents):
        return isinstance(last, Content.Text | Content.ToolRequest)
    return (
        rules.empty_assistant
        or isinstance(last, Content.ToolRequest)
        or (isinstance(last, Content.Text) and last.text.strip() != "")
    )


def _may_stand_beside(message: Message.User, apart: frozenset[str]) -> bool:
    """Whether a user message plainly may stand in one turn with tool results."""
    return "text" not in apart and all(isinstance(content, _TEXT) for content in message.contents)


def _may_be_marked(extras: Extras, rules: Rules) -> bool:
    return any(dialect in extras for dialect, _ in rules.marks)


def _fit(shown: list[Medium], server: Server) -> bool:
    """Whether there are no more media than one request may have."""
    rules = server.rules
    for limits in (rules.most, most_said(server)):
        for kind, most in limits.items():
            if len(shown) > most and sum(medium_kind(medium) == kind for medium in shown) > most:
                return False
    totals = [limit for limit in (rules.most_bytes, rules.most_bytes_said) if limit is not None]
    return not totals or sum(map(size, shown)) <= min(totals)


def _is_plain(
    content: Content.T, message: Message.System | Message.User | Message.Assistant | Message.ToolResult, rules: Rules
) -> bool:
    match content:
        case Content.Text() | Content.Reasoning():
            is_plain = _is_sendable(content.text)
        case Content.Refusal(text=text):
            is_plain = _is_sendable(text) and (rules.blank_text or bool(text and not text.isspace()))
        case Content.Image() | Content.Video():
            is_plain = _is_sendable(_address(content))
        case Content.Audio(transcript=transcript):
            is_plain = _is_sendable(transcript) and _is_sendable(_address(content))
        case Content.PDF(name=name) | Content.File(name=name):
            is_plain = (
                _is_sendable(name)
                and _is_sendable(_address(content))
                and rules.document_name is None
                and not rules.document_needs_text
            )
        case Content.ToolRequest() | Content.Custom():
            return False
        case _:
            assert_never(content)
    if not is_plain or not isinstance(content, Medium):
        return is_plain
    return plain(content, message, rules) and not holds_nothing(content, rules) and is_taken(content, message, rules)


def _address(medium: Medium) -> str | None:
    return medium.resource.uri if isinstance(medium.resource, Resource.Ref) else None


def _is_sendable(text: str | None) -> bool:
    return text is None or text.isascii() or is_whole(text)


def _ends_well(last: Message.T | None, server: Server) -> bool:
    rules = server.dialect.rules
    match last:
        case Message.User() | Message.ToolResult():
            return True
        case Message.System():
            return not rules.last_user
        case Message.Assistant():
            return not rules.last_user and rules.trailing_space and server.prefill
        case Message.Custom() | None:
            return False
        case _:
            assert_never(last)


def _are_plain(params: ModelParams, words: _Words, server: Server) -> bool:
    rules = server.dialect.rules
    if isinstance(params.tool_choice, ToolChoice.One) and not words.allow_tool(params.tool_choice.name):
        return False
    if params.tool_choice is not None and forces_no_tool(params, server.dialect):
        return False
    if (
        (params.thinking is not None and may_misthink(params, server))
        or sampling_faults(params, server)
        or may_be_beyond(params, server)
    ):
        return False
    if (params.stop and stop_faults(params, rules)) or lacks_limit(params, server):
        return False
    if rules.unique_tools and len({tool.name for tool in params.tools if isinstance(tool, Tool)}) < len(params.tools):
        return False
    if rules.most_tools_said is not None and len(params.tools) > rules.most_tools_said:
        return False
    if params.response_format is not None and (format_fault(params, rules) is not None or not _may_be_sent(params.response_format)):
        return False
    texts = (params.model, params.user, *params.stop)
    return all(map(_is_sendable, texts)) and all(map(words.allow_definition, params.tools))


def _may_be_sent(format_: ResponseFormat.T) -> bool:
    match format_:
        case ResponseFormat.JsonSchema(schema=schema, name=name, description=description):
            return "\\u" not in schema.text and all(map(_is_sendable, (schema.text, name, description)))
        case ResponseFormat.Custom(value=value):
            return "\\u" not in value.text and _is_sendable(value.text)
        case ResponseFormat.Text() | ResponseFormat.JsonObject():
            return True
        case _:
            assert_never(format_)


class _Words:
    """Which names and ids are spelt as they should be; a conversation has few names of tools, again and again."""

    __slots__ = ("_allows_id", "_rules", "tools")

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._allows_id = rules.tool_id.allows
        self.tools: set[str] = set()
        """The names of tools that were met."""

    def allow_call(self, call: Content.ToolRequest) -> bool:
        """Whether a call is sound: its id and its name are taken, and its arguments hold no escape that might be half a pair."""
        arguments, id_ = call.arguments, call.id
        if not isinstance(arguments, _PARSED) or "\\u" in arguments.json.text or not _is_sendable(arguments.json.text):
            return False
        return self._allows_id(id_) and (id_.isascii() or is_whole(id_)) and self.allow_tool(call.name)

    def allow_tool(self, name: str | None) -> bool:
        """Whether the name of a tool is taken."""
        if name is None or name in self.tools:
            return True
        if not self._rules.tool_name.allows(name):
            return False
        self.tools.add(name)
        return True

    def allow_speaker(self, name: str) -> bool:
        """Whether the name of a speaker is taken."""
        spelling = self._rules.speaker_name
        return _is_sendable(name) and (spelling is None or spelling.allows(name))

    def allow_definition(self, tool: ToolDefinition) -> bool:
        """Whether the definition of a tool is sound."""
        if not isinstance(tool, Tool) or (tool.extras is not NO_EXTRAS and _may_be_marked(tool.extras, self._rules)):
            return False
        if not _is_sendable(tool.description) or (tool.description == "" and not self._rules.empty_description):
            return False
        schema = None if tool.parameters is None else tool.parameters.text
        return self.allow_tool(tool.name) and (schema is None or ("\\u" not in schema and _is_sendable(schema)))
