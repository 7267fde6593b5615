"""OpenAI Chat answers: the body of a `chat.completion`, read and written.

Reasoning stands in `reasoning_content`, as the servers have it that speak this dialect and show reasoning. What a body says of its
first choice besides its message is kept under `choices` among the extras of the metadata, that of the others in theirs.
Source: the response types of POST /v1/chat/completions in the official SDK (`openai.types.chat`, 3.57).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from attrs import evolve

from chatadt._wire import each, json, restore
from chatadt.chat import ChatResponse, Choice, Metadata, StopKind, StopReason
from chatadt.content import Content
from chatadt.dialects._answers import answering, metadata_lost, parted_rest, stop_lost, unless_kept, without
from chatadt.dialects._codec import at, noted
from chatadt.dialects._losses import Block, foreign, invented, moved, relocate, rewritten
from chatadt.dialects.openai_chat.assistant import write_assistant
from chatadt.dialects.openai_chat.codec import NAME
from chatadt.dialects.openai_chat.read import _assistant as read_message
from chatadt.dialects.openai_chat.usage import read_usage, write_usage
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Converted, Loss
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("KINDS", "NO_ID", "NO_MODEL", "finish_word", "is_filler", "read_response", "stop_of", "write_message", "write_response")

NO_ID: Final = "chatcmpl-0"
NO_MODEL: Final = "unknown"
_OBJECT: Final = "chat.completion"

KINDS: Final[Mapping[str, StopKind]] = {
    "stop": StopKind.END,
    "eos": StopKind.END,
    "eos_token": StopKind.END,
    "length": StopKind.LENGTH,
    "tool_calls": StopKind.TOOL_CALLS,
    "function_call": StopKind.TOOL_CALLS,
    "content_filter": StopKind.CONTENT_FILTER,
    "error": StopKind.ERROR,
}
"""By `finish_reason`: what it means, where the message does not say more."""

_WORDS: Final[Mapping[StopKind, str]] = {
    StopKind.END: "stop",
    StopKind.LENGTH: "length",
    StopKind.TOOL_CALLS: "tool_calls",
    StopKind.CONTENT_FILTER: "content_filter",
}
_NEAREST: Final[Mapping[StopKind, str]] = {
    StopKind.CONTEXT_OVERFLOW: "length",
    StopKind.REFUSAL: "content_filter",
    StopKind.ERROR: "length",
    StopKind.INTERRUPTED: "length",
    StopKind.CANCELLED: "length",
}


def _response(body: Any) -> ChatResponse:
    if body.__class__ is not dict:
        raise Unexpected.of("an answer, which is an object with choices", body)
    if "choices" not in body:
        raise Unexpected.missing("a list of choices", ".choices")
    choices = at(".choices", _choices, body["choices"])
    known = {key: body[key] for key in ("id", "model") if body.get(key).__class__ is str}
    usage = read_usage(body.get("usage"))
    used = {*known, "choices", *(["usage"] if usage else []), *(["object"] if body.get("object") == _OBJECT else [])}
    rest = {key: value for key, value in body.items() if key not in used}
    absent = {} if "object" in body else {"$absent": ["object"]}
    first = choices[0] if choices else Choice(Message.Assistant(()), extras={NAME: {"$none": True}})
    own = first.extras.of(NAME)
    said = {key: value for key, value in own.items() if not key.startswith("$")}
    notes = {key: value for key, value in own.items() if key.startswith("$")}
    fields = {**parted_rest(rest), **absent, **({"choices": said} if said else {}), "$choices": notes}
    metadata = Metadata(**known, usage=usage, stop=first.stop, extras={NAME: fields})
    return ChatResponse(first.message, metadata, choices[1:])


def _choices(values: Any) -> tuple[Choice, ...]:
    if values.__class__ is not list:
        raise Unexpected.of("a list of choices", values)
    return each(_choice, [*enumerate(values)])


def _choice(numbered: tuple[int, Any]) -> Choice:
    number, value = numbered
    if value.__class__ is not dict:
        raise Unexpected.of("a choice, which is an object", value)
    message, notes = _message(value.get("message"))
    stop = stop_of(value.get("finish_reason"), asks=bool(message.tool_requests), refuses=_refuses(message))
    used = {"message"} if message is not _NOTHING else set[str]()
    used |= {"finish_reason"} if stop is not None and stop.raw is not None else set[str]()
    used |= {"index"} if value.get("index") == number and value["index"].__class__ is int else set[str]()
    notes |= {} if "index" in value else {"$absent": ["index"]}
    rest = {key: None if key == "finish_reason" and item == "" else item for key, item in value.items() if key not in used}
    notes |= {"$empty": True} if value.get("finish_reason") == "" else {}
    notes |= {} if "message" in value else {"$no_message": True}
    return Choice(message, stop, {NAME: fields} if (fields := {**parted_rest(rest), **notes}) else {})


_NOTHING: Final = Message.Assistant(())


def _message(value: Any) -> tuple[Message.Assistant, dict[str, Any]]:
    """The message of a choice, and notes on how it was spelt; nothing where there is none."""
    if value is None:
        return _NOTHING, {}
    if value.__class__ is not dict:
        raise Unexpected.of("a message, which is an object", value, ".message")
    notes: dict[str, Any] = {} if value.get("role") == "assistant" else {"$role": [value["role"]] if "role" in value else []}
    content = value.get("content")
    notes |= {"$list": True} if content.__class__ is list else {}
    filled = {key: item for key, item in value.items() if is_filler(key, item)}
    said = {key: item for key, item in value.items() if key not in filled} if filled else value
    if content is None or content.__class__ in (str, list):
        told = at(".message", read_message, {**said, "role": "assistant"})
    else:
        alone = Content.Custom(NAME, at(".message.content", json, content))  # an object, where JSON was asked for
        told = at(".message", read_message, {**said, "role": "assistant", "content": None})
        told, notes = evolve(told, contents=(alone, *told.contents)), {**notes, "$content": True}
    if filled:
        told = noted(told, NAME, "$kept", {**told.extras.of(NAME).get("$kept", {}), **filled})
    return told, notes


def is_filler(key: str, value: Any) -> bool:
    """Whether a server filled in an empty field in place of none, as Snowflake's does."""
    match value:
        case "":
            return key == "refusal"
        case {"name": "", "arguments": ""}:
            return key == "function_call"
        case {"id": "", "data": ""}:
            return key == "audio"
        case _:
            return False


def stop_of(word: Any, *, asks: bool, refuses: bool) -> StopReason | None:
    """Why the model stopped: its word for it, and whether the message calls tools or refuses. None where nothing says so."""
    raw = word if word.__class__ is str and word else None
    kind = None if raw is None else KINDS.get(raw, StopKind.OTHER)
    if kind in (None, StopKind.END) and asks:
        kind = StopKind.TOOL_CALLS
    elif kind is StopKind.END and refuses:
        kind = StopKind.REFUSAL
    return None if kind is None else StopReason(kind, raw)


def _refuses(message: Message.Assistant) -> bool:
    return any(isinstance(content, Content.Refusal) for content in message.contents)


# --- writing -------------------------------------------------------------------------------------------------------------------


def write_response(response: ChatResponse) -> Converted[Block]:
    """Write the body of an answer: total, with every loss reported at its path in `response`."""
    losses: list[Loss] = []
    metadata = response.metadata
    own = metadata.extras.of(NAME)
    is_home = NAME in metadata.extras
    of_first = Extras({NAME: {**own.get("choices", {}), **own.get("$choices", {})}}) if is_home else NO_EXTRAS
    first = Choice(response.message, metadata.stop, of_first)
    choices = [] if of_first.of(NAME).get("$none") else [_write_choice(first, 0, is_home, losses, "$", "$.metadata")]
    for index, choice in enumerate(response.others):
        choices.append(_write_choice(choice, len(choices), is_home, losses, f"$.others[{index}]", f"$.others[{index}]"))
        losses += [loss.under(f"$.others[{index}]") for loss in foreign(choice.extras, NAME)]
    known = len(losses)
    body: Block = {**unless_kept({"object": _OBJECT}, own), "choices": choices}
    body |= {key: value for key, value in (("id", metadata.id), ("model", metadata.model)) if value is not None}
    if metadata.usage is not None:
        body["usage"] = write_usage(metadata.usage, losses, is_home=is_home)
    losses += metadata_lost(metadata, NAME)
    if is_home:
        restore(body, without(metadata.extras, NAME, "choices", "events"), NAME)
    else:
        body = {**_invented(body, losses), **body}
    relocate(losses, known, "$.metadata")
    return Converted(body, tuple(losses))


def _invented(body: Block, losses: list[Loss]) -> Block:
    """What every answer has, where nobody said it."""
    made = {"id": NO_ID, "created": 0, "model": NO_MODEL}
    for key in made:
        if key not in body:
            losses.append(invented(f"the {key}", f"an answer has one: {made[key]!r}"))
    return made


def _write_choice(choice: Choice, index: int, is_home: bool, losses: list[Loss], path: str, about: str) -> Block:
    notes = choice.extras.of(NAME)
    known = len(losses)
    out: Block = {"index": index} if "index" not in notes else {}
    message = write_message(choice.message, losses, in_parts=bool(notes.get("$list")))
    relocate(losses, known, f"{path}.message")
    if notes.get("$content") and choice.message.contents and isinstance(choice.message.contents[0], Content.Custom):
        message["content"] = choice.message.contents[0].value.value
    match notes.get("$role"):
        case [role]:
            message["role"] = role
        case []:
            del message["role"]
        case _:  # it was the assistant's
            pass
    if choice.message.contents or choice.message.extras or not _had_no_message(notes, is_home):
        out["message"] = message
    word, found = finish_word(choice.stop, is_home, asks=bool(choice.message.tool_requests), refuses=_refuses(choice.message))
    losses += [loss.under(about) for loss in found]
    if word is not None:
        out["finish_reason"] = word
    restore(out, choice.extras, NAME)
    if notes.get("$empty") and out.get("finish_reason") is None:
        out["finish_reason"] = ""
    return out


def _had_no_message(notes: Mapping[str, Any], is_home: bool) -> bool:
    return is_home and ("message" in notes.get("$kept", {}) or bool(notes.get("$no_message")))


def finish_word(stop: StopReason | None, is_home: bool, *, asks: bool, refuses: bool) -> tuple[str | None, list[Loss]]:
    """The `finish_reason` of a stop reason, and what is lost; None where the dialect itself had none."""
    if is_home and stop == stop_of(None if stop is None else stop.raw, asks=asks, refuses=refuses):
        return None if stop is None else stop.raw, []
    kind = StopKind.END if stop is None else stop.kind
    said = kind is StopKind.REFUSAL and refuses
    word = "stop" if said else _WORDS.get(kind) or _NEAREST.get(kind, "stop")
    return word, list(stop_lost(stop, word, said or kind in _WORDS))


def write_message(message: Message.Assistant, losses: list[Loss], *, in_parts: bool = False) -> Block:
    """The message of an answer, where audio stands by value and all text is one string (or `in_parts`, as some servers answer)."""
    sound = next((content for content in message.contents if isinstance(content, Content.Audio) and _is_said(content)), None)
    told = [(index, _shown(content)) for index, content in enumerate(message.contents) if content is not sound]
    plain = told if in_parts else _joined(_joined(told, Content.Text, losses), Content.Refusal, losses)
    refused = [(index, content) for index, content in plain if isinstance(content, Content.Refusal) and not in_parts]
    spoken = [each for each in plain if each not in refused]
    places = [index for index, _ in spoken]
    found: list[Loss] = []
    rest = evolve(message, contents=[content for _, content in spoken])
    out = write_assistant(rest, found) or {"role": "assistant", "content": None}
    losses += [_replaced(loss, places) for loss in found]
    for index, refusal in refused:
        out["refusal"] = refusal.text
        losses += [loss.under(f".contents[{index}]") for loss in foreign(refusal.extras, NAME)]
    if sound is not None:
        out["audio"] = _audio(sound, losses)
    return out if in_parts else _with_one_text(out)


def _with_one_text(message: Block) -> Block:
    """The message whose parts are one string where all of them are texts, as transcripts are."""
    content: Any = message.get("content")
    if content.__class__ is list and all(_is_text(part) for part in content):
        message["content"] = "".join(part["text"] for part in content)
    return message


def _is_text(part: Any) -> bool:
    match part:
        case {"type": "text", "text": str()}:
            return True
        case _:
            return False


_PLACE: Final = re.compile(r"\.contents\[(\d+)\]")


def _replaced(loss: Loss, places: list[int]) -> Loss:
    """The loss at the place where its content stands in the answer."""
    found = _PLACE.match(loss.path)
    return evolve(loss, path=f".contents[{places[int(found[1])]}]{loss.path[found.end() :]}") if found else loss


def _is_said(audio: Content.Audio) -> bool:
    """Whether audio is as this dialect says it: by value, with an id."""
    return isinstance(audio.resource, Resource.Binary) and isinstance(audio.extras.of(NAME).get("id"), str)


def _audio(audio: Content.Audio, losses: list[Loss]) -> Block:
    out: Block = {"data": cast("Resource.Binary", audio.resource).content}
    if audio.transcript is not None:
        out["transcript"] = audio.transcript
    restore(out, audio.extras, NAME)
    losses += foreign(audio.extras, NAME)
    return out


def _shown(content: Content.Output) -> Content.Output:
    """Reasoning from elsewhere, with the field in which it is shown."""
    if isinstance(content, Content.Reasoning) and content.text and "$key" not in content.extras.of(NAME):
        return noted(content, NAME, "$key", "reasoning_content")
    return content


Words = Content.Text | Content.Refusal


def _joined(contents: list[tuple[int, Content.Output]], case: type[Words], losses: list[Loss]) -> list[tuple[int, Content.Output]]:
    """The contents with all of one case in the place of the first: an answer has one text, and one refusal."""
    out: list[tuple[int, Content.Output]] = []
    words: dict[int, list[str]] = {}
    for index, content in contents:
        if not isinstance(content, case):
            out.append((index, content))
        elif not words:
            words[len(out)] = [content.text]
            out.append((index, content))
        else:
            (first,) = words
            words[first].append(content.text)
            found = [*_loss_of_joining(content, out[first + 1 :]), *foreign(content.extras, NAME)]
            losses += [loss.under(f".contents[{index}]") for loss in found]
    for place, texts in words.items():
        index, first_content = out[place]
        if len(texts) > 1:
            out[place] = (index, evolve(cast("Content.Text", first_content), text="".join(texts)))
    return out


def _loss_of_joining(content: Words, between: list[tuple[int, Content.Output]]) -> Iterator[Loss]:
    what, reason = f"a {type(content).__name__.lower()} of its own", "an answer has one: they are joined"
    asked = any(isinstance(other, Content.ToolRequest) for _, other in between)
    yield (moved if asked else rewritten)(what, content.text, f"{reason}, before the tool calls" if asked else reason)


read_response: Final = answering(NAME, _response, lambda body: "choices" in body)
"""Read the body of an answer. Answers `Refused` for the provider's error, `Unreadable` for what is no answer; never raises."""
