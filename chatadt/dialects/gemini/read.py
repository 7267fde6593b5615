"""Gemini JSON -> the words: the shape of the JSON picks the case, the codec fills it, what is left over goes to the extras.

A user turn of the wire may hold tool results and other parts: each result becomes a message of its own, each run of other parts a
user message. A note marks the message that opens a turn where the turn before has the same role. Calls without an id get one that
is made up from their place, and so do the results that answer them by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, assert_never

from chatadt._hooks import structuring
from chatadt._sum import changed
from chatadt._wire import each, json
from chatadt.chat import ChatRequest
from chatadt.content import Content
from chatadt.dialects._calls import name_results
from chatadt.dialects._codec import T, at, noted, plain_text, reading
from chatadt.dialects._turns import Turn, opened, parted_turn, with_rest
from chatadt.dialects.gemini.codec import CODEC, NAME, has_snake, in_camel, medium_kind, register_messages
from chatadt.dialects.gemini.ids import identified
from chatadt.dialects.gemini.params import read_params
from chatadt.dialects.gemini.plain import plain_contents
from chatadt.dialects.gemini.results import response_note, response_text
from chatadt.dialects.gemini.rules import DUMMY_SIGNATURE
from chatadt.error import Unexpected
from chatadt.message import Message

__all__ = ("read_request",)


def _request(body: Any) -> ChatRequest:
    if body.__class__ is not dict:
        raise Unexpected.of("an object with contents", body)
    seen: dict[str, str] = {}
    plain = plain_contents(body.get("contents"), _medium)
    rest = body if plain is None else {key: value for key, value in body.items() if key != "contents"}
    folded = in_camel(rest, seen) if has_snake(rest) else rest
    messages = _messages(folded) if plain is None else plain
    system = folded.get("systemInstruction")
    if system is not None:
        messages = (at(".systemInstruction", _instruct, system), *messages)
    params = read_params(folded)
    params = noted(params, NAME, "$snake", sorted(seen.values())) if seen else params
    return ChatRequest.trusted(messages, params)


def _messages(body: dict[str, Any]) -> tuple[Message.T, ...]:
    if "contents" not in body:
        raise Unexpected.missing("a list of contents", ".contents")
    turns = opened(at(".contents", _turns, body["contents"]), NAME)
    return name_results(identified(tuple(message for turn in turns for message in turn)))


# --- turns ---------------------------------------------------------------------------------------------------------------------


def _turns(value: Any) -> tuple[Turn, ...]:
    return each(_turn, _listed(value))


def _turn(value: Any) -> Turn:
    if value.__class__ is not dict:
        raise Unexpected.of("a content, which is an object with parts", value)
    match value.get("role"):
        case "user":
            return _user_turn(value)
        case "model":
            return (_model_turn(value),)
        case None | "function" as role:
            first, *rest = _user_turn({**value, "role": "user"})
            return (first if isinstance(first, Message.Custom) else _noted(first, "$role", role), *rest)
        case str():
            return (Message.Custom(json(value), NAME),)
        case _ as role:
            raise Unexpected.of("a role (user, model)", role, ".role")


def _model_turn(value: dict[str, Any]) -> Message.Assistant:
    message = _without_parts(_assistant(value), value)
    for index, content in enumerate(message.contents):
        if content.__class__ is Content.ToolRequest:
            if "thoughtSignature" in _listed(value["parts"])[index]:
                return message
            # only the first call of a turn is signed; a note tells one of the provider's own from one that came from elsewhere
            unsigned = _noted(content, "$unsigned", True)
            return changed(message, "contents", (*message.contents[:index], unsigned, *message.contents[index + 1 :]))
    return message


def _user_turn(value: dict[str, Any]) -> Turn:
    parts: Any = value.get("parts")
    if not _answers(parts):
        return (_without_parts(_user(value), value),)
    messages = parted_turn(at(".parts", _results_and_parts, _listed(parts)))
    if len(value) == len(_TURN):
        return messages
    rest = {key: item for key, item in value.items() if key not in _TURN}
    return with_rest(messages, rest, NAME)


_TURN: Final = ("role", "parts")
"""The fields that a turn has which holds tool results."""


def _results_and_parts(value: Any) -> tuple[Any, ...]:
    return each(_result_or_part, value)


def _without_parts(message: T, value: dict[str, Any]) -> T:
    return message if value.get("parts") is not None else _noted(message, "$absent", ["parts"])


def _instruct(value: Any) -> Message.System:
    if value.__class__ is str:
        return _noted(Message.System(value), "$string", True)
    if value.__class__ is not dict:
        raise Unexpected.of("a content, which is an object with parts", value)
    if len(value) == 1 and value.get("parts").__class__ is list:
        return _system(value)
    is_usual = value.get("role") in _ROLES_OF_SYSTEM
    system = _without_parts(_system({key: item for key, item in value.items() if key != "role" or not is_usual}), value)
    notes = {"$role": value["role"]} if is_usual and "role" in value else {}
    notes |= {"$parts": "object"} if value.get("parts").__class__ is dict else {}
    return changed(system, "extras", system.extras.having(NAME, notes)) if notes else system


_ROLES_OF_SYSTEM: Final = ("user", "system", "model", "", None)
"""The roles that clients give a system instruction, and that say nothing there."""


def _listed(value: Any) -> Any:
    """A repeated field: the server takes one object for a list of one."""
    return [value] if value.__class__ is dict else value


def _answers(parts: Any) -> bool:
    """Whether there is a tool result among parts."""
    listed = _listed(parts)
    if listed.__class__ is list:
        for part in listed:
            if part.__class__ is dict and part.get("functionResponse") is not None:
                return True
    return False


# --- parts ---------------------------------------------------------------------------------------------------------------------

_DATA: Final = frozenset(
    {
        *("text", "inlineData", "fileData", "functionCall", "functionResponse"),
        *("executableCode", "codeExecutionResult", "toolCall", "toolResponse"),
    }
)


def _data(value: Any) -> str | None:
    """The one field of a part that is its data; None when there is none, or more than one."""
    if value.__class__ is not dict:
        raise Unexpected.of("a part, which is an object", value)
    found = None
    for key in value:
        if key in _DATA and value[key] is not None:
            if found is not None:
                return None
            found = key
    return found


def _user_parts(value: Any) -> tuple[Content.Input, ...]:
    return each(_part, _listed(value))


def _model_parts(value: Any) -> tuple[Content.Output, ...]:
    return each(_said, _listed(value))


def _instructions(value: Any) -> tuple[Content.Text | Content.Custom, ...]:
    return each(_instruction, _listed(value))


def _instruction(value: Any) -> Content.Text | Content.Custom:
    return _text(value) if _data(value) == "text" else Content.Custom(NAME, json(value))


def _result_or_part(value: Any) -> Any:
    if value.__class__ is dict and len(value) == 1 and value.get("functionResponse") is not None:
        return _result(value)
    return _result(value) if _data(value) == "functionResponse" else _part(value)


def _part(value: Any) -> Content.Input:
    if value.__class__ is dict and len(value) == 1 and (text := value.get("text")).__class__ is str:
        return plain_text(text)
    match _data(value):
        case "text" if value.get("thought") is not True:
            return _text(value)
        case "inlineData" | "fileData":
            return _medium(value)
        case _:
            return Content.Custom(NAME, json(value))


def _said(value: Any) -> Content.Output:
    if value.__class__ is dict and len(value) == 1:
        if (text := value.get("text")).__class__ is str:
            return plain_text(text)
        if "functionCall" in value and value["functionCall"] is not None:
            return _call(value)
    match _data(value):
        case "text" | None if value.get("thought") is True:
            return _thought(value)
        case "text" if value["text"] == "" and "thoughtSignature" in value:
            return _noted(_read_thought(value), "$part", "text")  # what signs an answer whose thoughts are hidden
        case "text":
            return _text(value)
        case "inlineData" | "fileData":
            return _medium(value)
        case "functionCall":
            return _call(value)
        case _:
            return Content.Custom(NAME, json(value))


def _thought(value: dict[str, Any]) -> Content.Reasoning:
    thought = _read_thought({key: item for key, item in value.items() if key != "thought"})
    if "text" not in value:
        return _noted(thought, "$absent", ["text"])
    return thought if thought.text or thought.extras else _noted(thought, "$blank", True)  # it says nothing to anybody else


def _text(value: dict[str, Any]) -> Content.Text:
    return plain_text(value["text"]) if len(value) == 1 and value["text"].__class__ is str else _read_text(value)


def _medium(value: dict[str, Any]) -> Content.Input:
    return _MEDIA[medium_kind(value)](value)


def _call(value: dict[str, Any]) -> Content.ToolRequest:
    asked: dict[str, Any] = value["functionCall"]
    signature = value.get("thoughtSignature")
    if signature == DUMMY_SIGNATURE:
        call = _read_call({key: item for key, item in value.items() if key != "thoughtSignature"})
        call = changed(call, "extras", call.extras.having(NAME, {"$dummy": True}))
    else:
        call = _read_call(value)
    if call.id and asked.get("args") is not None:
        return call
    notes: dict[str, Any] = {} if call.id else {"$id": asked.get("id")}
    notes |= {} if asked.get("args") is not None else {"$no_args": True}
    return changed(call, "extras", call.extras.having(NAME, notes))


# --- results -------------------------------------------------------------------------------------------------------------------


def _result(value: dict[str, Any]) -> Message.ToolResult:
    told: dict[str, Any] = value["functionResponse"]
    result = at(".functionResponse", _read_result, told)
    if len(value) == 1 and result.id and result.tool is not None and "parts" not in told and _is_plain(told.get("response")):
        return result
    notes: dict[str, Any] = {} if result.id else {"$id": told.get("id")}
    rest = {key: item for key, item in value.items() if key != "functionResponse"}
    notes |= {"part": rest} if rest else {}
    notes |= {"$parts": []} if told.get("parts") == [] else {}
    notes |= {"$unnamed": True} if result.tool is None else {}
    notes |= response_note(told.get("response"))
    return changed(result, "extras", result.extras.having(NAME, notes)) if notes else result


def _is_plain(response: Any) -> bool:
    """Whether a response is a text and nothing else, as nearly all are."""
    return response.__class__ is dict and len(response) == 1 and response.get("output").__class__ is str


def _result_contents(result: dict[str, Any]) -> tuple[Content.Input, ...]:
    """The text of a result, as JSON where it is none, and its media."""
    if "parts" not in result and _is_plain(result.get("response")):
        return (plain_text(result["response"]["output"]),)
    parts: Any = result.get("parts")
    media = () if parts is None else at(".parts", _in_result, parts)
    text = response_text(result.get("response"))
    return media if text is None else (plain_text(text), *media)


def _in_result(value: Any) -> tuple[Content.Input, ...]:
    return tuple(_kept_inside(part) for part in each(_part, _listed(value)))


def _kept_inside(part: Content.Input) -> Content.Input:
    match part:
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File() | Content.Text():
            return _noted(part, "$in_result", True)
        case Content.Custom():
            return part
        case _:
            assert_never(part)


# --- hooks ---------------------------------------------------------------------------------------------------------------------


def _noted(word: T, note: str, value: object) -> T:
    return noted(word, NAME, note, value)


register_messages(
    {
        Message.System: _instructions,
        Message.User: _user_parts,
        Message.Assistant: _model_parts,
        Message.ToolResult: _result_contents,
    }
)

_read_text: Final = structuring(CODEC, Content.Text)
_read_thought: Final = structuring(CODEC, Content.Reasoning)
_read_call: Final = structuring(CODEC, Content.ToolRequest)
_read_result: Final = structuring(CODEC, Message.ToolResult)
_system: Final = structuring(CODEC, Message.System)
_user: Final = structuring(CODEC, Message.User)
_assistant: Final = structuring(CODEC, Message.Assistant)
_MEDIA: Final[dict[type, Callable[[Any], Content.Input]]] = {
    Content.Image: structuring(CODEC, Content.Image),
    Content.Audio: structuring(CODEC, Content.Audio),
    Content.Video: structuring(CODEC, Content.Video),
    Content.PDF: structuring(CODEC, Content.PDF),
    Content.File: structuring(CODEC, Content.File),
}

read_request: Final = reading(NAME, _request)
"""Read a request body. Answers `Unreadable` with the path of each problem; never raises."""
