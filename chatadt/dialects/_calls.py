"""Which call a tool result answers: what readers learn of it, and what writers lose."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, cast, final

from attrs import evolve

from chatadt.content import Arguments, Content
from chatadt.dialects._losses import arguments_object, dropped, fields_said, foreign, rewritten
from chatadt.dialects._openai_like.arguments import input_text
from chatadt.json import NO_EXTRAS, Extras, Json
from chatadt.loss import Loss, Weight
from chatadt.message import Message

__all__ = (
    "Asked",
    "answered",
    "foreign_call",
    "free_form_lost",
    "has_free_form",
    "misnamed",
    "misnamed_result",
    "name_result",
    "name_results",
    "opens_object",
    "says_nothing",
    "streamed_lost",
)

_ASSISTANT: Final = Message.Assistant
_RESULT: Final = Message.ToolResult
_REQUEST: Final = Content.ToolRequest
_CUSTOM: Final = Message.Custom
_set_tool: Final = cast("Any", Message.ToolResult).tool.__set__


def answered(messages: Sequence[Any]) -> dict[int, Content.ToolRequest]:
    """By index of a tool result: the call that it answers, the latest of its id; none where no call before it has that id.

    Of several calls of one id that a model makes before anyone else speaks, the first result answers the first, and so on.
    """
    found: dict[int, Content.ToolRequest] = {}
    latest: dict[str, Content.ToolRequest] = {}
    waiting: dict[str, deque[Content.ToolRequest]] = {}
    goes_on = False  # whether the model spoke last
    for index, message in enumerate(messages):
        kind = message.__class__
        if kind is _ASSISTANT:
            waiting = waiting if goes_on else {}
            for content in message.contents:
                if content.__class__ is _REQUEST:
                    latest[content.id] = content
                    waiting.setdefault(content.id, deque()).append(content)
        elif kind is _RESULT and message.id in latest:
            open_calls = waiting.get(message.id)
            found[index] = open_calls.popleft() if open_calls else latest[message.id]
        goes_on = kind is _ASSISTANT or (goes_on and kind is _CUSTOM)
    return found


@final
class Asked(dict[str, Content.ToolRequest]):
    """The calls of a conversation so far, by id. Where one `repeats`, the place of a result tells which call it answers."""

    __slots__ = ("_answered", "_messages", "repeats")

    def __init__(self, messages: Sequence[Any]) -> None:
        self.repeats = False
        self._messages = messages
        self._answered: dict[int, Content.ToolRequest] | None = None

    def hear(self, message: Any) -> None:
        """The calls of an assistant's message are made."""
        for content in message.contents:
            if content.__class__ is _REQUEST and self.setdefault(content.id, content) is not content:
                self.repeats = True
                self[content.id] = content

    def called(self, id_: str, index: int) -> Content.ToolRequest | None:
        """The call that the result at `index` answers, whose id is `id_`."""
        if not self.repeats:
            return self.get(id_)
        if self._answered is None:
            self._answered = answered(self._messages)
        return self._answered.get(index)


def name_results(messages: tuple[Message.T, ...]) -> tuple[Message.T, ...]:
    """Give each freshly read tool result that has no tool name the name that its request has. Nobody has seen the messages yet."""
    asked = Asked(messages)
    message: Any
    for index, message in enumerate(messages):
        kind = message.__class__
        if kind is _ASSISTANT:
            asked.hear(message)
        elif kind is _RESULT and message.tool is None and (call := asked.called(message.id, index)) is not None:
            _set_tool(message, call.name)
    return messages


def name_result(message: Any, names: dict[str, str]) -> None:
    """The step for one message on the short way: what it asks for goes to `names`, by id; a result takes its name from there.

    Raises KeyError where two tools were asked for under one id: which of them a result belongs to, the long way knows.
    """
    kind = message.__class__
    if kind is _ASSISTANT:
        for content in message.contents:
            if content.__class__ is _REQUEST and names.setdefault(content.id, content.name) != content.name:
                raise KeyError(content.id)
    elif kind is _RESULT and message.tool is None:
        _set_tool(message, names.get(message.id))


def _says_no_name(_: Message.ToolResult) -> bool:
    return False


def misnamed(messages: tuple[Message.T, ...], says_name: Callable[[Message.ToolResult], bool] = _says_no_name) -> list[Loss]:
    """The names that results give to their tools and their calls do not, for a dialect whose results say an id only.

    `says_name` tells the results which are written with the name of their tool after all.
    """
    asked = Asked(messages)
    return [
        loss
        for index, message in enumerate(messages)
        for loss in misnamed_result(message, index, asked)
        if not says_name(cast("Message.ToolResult", message))
    ]


def misnamed_result(message: Any, index: int, asked: Asked) -> list[Loss]:
    """The step for one message: what it asks for goes to `asked`; the loss of a result's name that is not the one there."""
    kind = message.__class__
    if kind is _ASSISTANT:
        asked.hear(message)
    elif kind is _RESULT and message.tool is not None:
        call = asked.called(message.id, index)
        if call is None or call.name != message.tool:
            path = f"$.messages[{index}].tool"
            return [dropped("the name of the tool", message.tool, _NAMELESS, weight=Weight.DETAIL, path=path)]
    return _NONE


_NONE: Final[list[Loss]] = []
_NAMELESS: Final = "a result names its tool by the id of its call only, and no call before it has both"


# --- calls of tools that take any text -----------------------------------------------------------------------------------------


def has_free_form(extras: Extras, dialect: str) -> bool:
    """Whether `dialect` noted on a call that its tool takes any text, and no JSON."""
    return any(name == dialect and _is_free_form(said) for name, said in extras.documents)


def _is_free_form(said: Json) -> bool:
    if '"$type"' not in said.text:  # as in nearly all: nothing is parsed
        return False
    own: Any = said.value
    return own.__class__ is dict and own.get("$type") == "custom"


def says_nothing(extras: Extras, dialect: str) -> bool:
    """Whether the extras of a call are notes of other dialects on how they spelt it: nothing that `dialect` says or loses."""
    if extras is not NO_EXTRAS:
        for name, said in extras.documents:
            if name == dialect or _is_free_form(said) or fields_said(said):
                return False
    return True


def free_form_lost(extras: Extras, dialect: str, said: str) -> list[Loss]:
    """The loss of what a call was, where another dialect noted that its tool takes any text; `said` is that text."""
    if not any(_is_free_form(document) for name, document in extras.documents if name != dialect):
        return []
    return [rewritten("a call of free-form text", said, "a call is one of a function: its text stands as JSON")]


def foreign_call(request: Content.ToolRequest, dialect: str) -> list[Loss]:
    """The losses of what other dialects said of a call that is written as one of a function."""
    extras = request.extras
    if extras is NO_EXTRAS or says_nothing(extras, dialect):
        return []
    return [*foreign(request.extras, dialect), *free_form_lost(request.extras, dialect, input_text(request.arguments))]


def opens_object(pieces: Sequence[str]) -> bool | None:
    """Whether a text that comes in pieces begins as an object does; None where nothing of it has come."""
    first = next((text for piece in pieces if (text := piece.lstrip())), None)
    return None if first is None else first.startswith("{")


def streamed_lost(request: Content.ToolRequest, dialect: str, *, is_done: bool, is_wrapped: bool = False) -> list[Loss]:
    """The losses of a call whose arguments went out piece by piece, when nobody knew yet whether they are an object.

    Unless all of it `is_done`, that does not matter. What began as an object and is none went out as it came, which weighs less: in
    any provider's stream arguments may be cut off. What did not begin as one `is_wrapped` in one, as in a whole answer.
    """
    lost = arguments_object(request)[1] if is_done or is_wrapped else None
    if lost is not None and not is_wrapped and isinstance(request.arguments, Arguments.Malformed):
        reason = f"they went out as they came, and are not JSON in the end ({request.arguments.why}): a client cannot parse them"
        lost = evolve(lost, weight=Weight.DETAIL, reason=reason)
    return [*([] if lost is None else [lost]), *free_form_lost(request.extras, dialect, input_text(request.arguments))]
