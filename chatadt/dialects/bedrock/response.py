"""Bedrock answers: the body of Converse, and of InvokeModel with a Nova, read and written.

Source: the output of the operation Converse in the service model of bedrock-runtime that botocore ships (1.44).
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, cast

from attrs import evolve
from returns.result import Failure, Result

from chatadt._wire import absent, restore
from chatadt.chat import ChatResponse, Metadata, StopKind, StopReason
from chatadt.content import Content
from chatadt.dialects._answers import metadata_lost, other_lost, parted_rest, role_of, stop_lost, without
from chatadt.dialects._call_ids import identifying
from chatadt.dialects._codec import at, noted, reading
from chatadt.dialects._dialect import Spelling
from chatadt.dialects._losses import Block, as_object, dropped, foreign, invented, nameless, relocate, rewritten
from chatadt.dialects._spelling import object_of
from chatadt.dialects.bedrock.blobs import has_bytes, with_base64, with_bytes
from chatadt.dialects.bedrock.blocks import Output, blocks_of
from chatadt.dialects.bedrock.codec import CLAUDE, NAME
from chatadt.dialects.bedrock.errors import provider_error
from chatadt.dialects.bedrock.read import read_assistant
from chatadt.dialects.bedrock.rules import RULES
from chatadt.dialects.bedrock.usage import read_usage, write_usage
from chatadt.error import ConversionError, Unexpected
from chatadt.json import Extras
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message

__all__ = (
    "KINDS",
    "NO_METRICS",
    "named_lost",
    "read_response",
    "respelt",
    "shown",
    "stop_of",
    "stop_word",
    "write_contents",
    "write_response",
)

NO_METRICS: Final[Mapping[str, int]] = {"latencyMs": 0}

KINDS: Final[Mapping[str, StopKind]] = {
    "end_turn": StopKind.END,
    "tool_use": StopKind.TOOL_CALLS,
    "max_tokens": StopKind.LENGTH,
    "stop_sequence": StopKind.STOP_SEQUENCE,
    "content_filtered": StopKind.CONTENT_FILTER,
    "guardrail_intervened": StopKind.CONTENT_FILTER,
    "malformed_model_output": StopKind.ERROR,
    "malformed_tool_use": StopKind.MALFORMED_TOOL_CALL,
    "model_context_window_exceeded": StopKind.CONTEXT_OVERFLOW,
}
"""By `stopReason`: what it means."""

_WORDS: Final[Mapping[StopKind, str]] = {
    kind: word for word, kind in KINDS.items() if word not in ("guardrail_intervened", "malformed_model_output")
}
_NEAREST: Final[Mapping[StopKind, str]] = {
    StopKind.REFUSAL: "content_filtered",
    StopKind.ERROR: "max_tokens",
    StopKind.INTERRUPTED: "max_tokens",
    StopKind.CANCELLED: "max_tokens",
}


def _read(body: Any) -> ChatResponse:
    try:
        return _response(body)
    except Unexpected:
        if not has_bytes(body):
            raise
    answer = _response(with_base64(body))
    return evolve(answer, metadata=noted(answer.metadata, NAME, "$bytes", True))


def _response(body: Any) -> ChatResponse:
    if body.__class__ is not dict:
        raise Unexpected.of("an answer, which is an object with output", body)
    if "output" not in body:
        raise Unexpected.missing("an object with a message", ".output")
    output = body["output"]
    if output.__class__ is not dict:
        raise Unexpected.of("an object with a message", output, ".output")
    if "message" not in output:
        raise Unexpected.missing("a message", ".output.message")
    message = at(".output.message", _message, output["message"])
    usage = read_usage(body.get("usage"))
    stop = stop_of(body.get("stopReason"))
    used = {"output", *(["usage"] if usage else []), *(["stopReason"] if stop else [])}
    rest = {key: value for key, value in body.items() if key not in used}
    beside = {key: value for key, value in output.items() if key != "message"}
    fields = {"$own": True, **parted_rest({**rest, "output": beside} if beside else rest)}
    return ChatResponse(message, Metadata(usage=usage, stop=stop, extras={NAME: fields}))


def _message(value: Any) -> Message.Assistant:
    """The message of an answer; one that holds nothing has no list."""
    if value.__class__ is not dict:
        raise Unexpected.of("a message, which is an object", value)
    said: Any = {**value, "role": "assistant", "content": value["content"] if value.get("content") is not None else []}
    message = read_assistant(said)
    if "role" not in value or value.get("content") is None:
        message = noted(message, NAME, "$absent", [key for key in ("role", "content") if key not in value])
    if "content" in value and value["content"] is None:
        message = noted(message, NAME, "$kept", {**message.extras.of(NAME).get("$kept", {}), "content": None})
    return message if value.get("role", "assistant") == "assistant" else noted(message, NAME, "$role", role_of(value, ".role"))


def stop_of(word: Any) -> StopReason | None:
    """Why the model stopped; None where it is not said."""
    return StopReason(KINDS.get(word, StopKind.OTHER), word) if word.__class__ is str else None


# --- writing -------------------------------------------------------------------------------------------------------------------


def _write_response(response: ChatResponse) -> Converted[Block]:
    losses: list[Loss] = []
    is_home = NAME in response.metadata.extras
    message = _write_message(response.message, losses, is_home)
    relocate(losses, 0, "$.message")
    losses += [other_lost(choice, index) for index, choice in enumerate(response.others)]
    known = len(losses)
    metadata = response.metadata
    body: Block = {"output": {"message": message}}
    word, found = stop_word(metadata.stop, is_home)
    losses += found
    if word is not None:
        body["stopReason"] = word
    if metadata.usage is not None:
        body["usage"] = write_usage(metadata.usage, losses, is_home=is_home)
    losses += [*named_lost(metadata.id, metadata.model), *metadata_lost(metadata, NAME)]
    if is_home:
        restore(body, without(metadata.extras, NAME, "events"), NAME)
    else:
        body |= _invented(body, losses)
    relocate(losses, known, "$.metadata")
    return Converted(with_bytes(body) if metadata.extras.of(NAME).get("$bytes") else body, tuple(losses))


def _invented(body: Block, losses: list[Loss]) -> Block:
    """What every answer has, where nobody said it."""
    usage = {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0}
    made: Block = {key: value for key, value in (("usage", usage), ("metrics", dict(NO_METRICS))) if key not in body}
    losses += [invented(f"the {key}", f"an answer has one: {value!r}") for key, value in made.items()]
    return made


def named_lost(id_: str | None, model: str | None) -> list[Loss]:
    """The losses of an id and of the name of the model, which an answer of Converse does not tell."""
    reason = "an answer has none"
    return [
        dropped(f"the {key}", value, reason, weight=Weight.DETAIL, path=f".{key}")
        for key, value in (("id", id_), ("model", model))
        if value is not None
    ]


def stop_word(stop: StopReason | None, is_home: bool) -> tuple[str | None, list[Loss]]:
    """The `stopReason` of a stop reason, and what is lost; None where the dialect itself had none."""
    if is_home and (stop is None or stop == stop_of(stop.raw)):
        return None if stop is None else stop.raw, []
    kind = StopKind.END if stop is None else stop.kind
    word = _WORDS.get(kind) or _NEAREST.get(kind, "end_turn")
    return word, list(stop_lost(stop, word, kind in _WORDS))


def _write_message(message: Message.Assistant, losses: list[Loss], is_home: bool) -> Block:
    own = message.extras.of(NAME)
    blocks = write_contents(message if is_home else _respelt(message, losses), losses)
    losses += [*nameless(message, "message"), *foreign(message.extras, NAME)]
    out: Block = {"role": "assistant", "content": blocks}
    if blocks:  # the words may have been changed since they were read
        own["$absent"] = [key for key in absent(own) if key != "content"]
    elif "content" in (kept := object_of(own, "$kept")):
        out["content"] = kept["content"]
    restore(out, Extras({NAME: own}), NAME)
    match own.get("$role"):
        case [role]:
            out["role"] = role
        case _:  # it was the assistant's, or nobody's
            pass
    return out


def write_contents(message: Message.Assistant, losses: list[Loss]) -> list[Block]:
    """The blocks of what a model said, reasoning from elsewhere among them; losses have paths below the message."""
    return blocks_of(tuple(map(shown, message.contents)), _WRITER.block, losses)


def _respelt(message: Message.Assistant, losses: list[Loss]) -> Message.Assistant:
    """The message whose calls have ids and names that the service can have."""
    contents = list(message.contents)
    for index, content in enumerate(contents):
        if isinstance(content, Content.ToolRequest):
            id_, name, found = respelt(content.id, content.name)
            contents[index] = evolve(content, id=id_, name=name) if found else content
            losses += [loss.under(f".contents[{index}]") for loss in found]
    return evolve(message, contents=contents)


def respelt(id_: str, name: str) -> tuple[str, str, list[Loss]]:
    """The id and the name of a call as the service can have them, and what is lost."""
    losses: list[Loss] = []
    told, called = _spelt(id_, RULES.tool_id), _spelt(name, RULES.tool_name)
    if told != id_:
        losses.append(rewritten("the id of a tool request", id_, f"the service spells ids otherwise: {told}", path=".id"))
    if called != name:
        losses.append(rewritten("the name of a tool", name, f"the service spells names otherwise: {called}", path=".name"))
    return told, called, losses


def _spelt(text: str, spelling: Spelling) -> str:
    if spelling.allows(text):
        return text
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{spelling.bad.sub('_', text)[: spelling.longest - 11]}_{digest}"


_WRITER: Final = Output(signed=True, splice=as_object, media=True)


def shown(content: Content.Output) -> Content.Output:
    """Reasoning from elsewhere as the reasoning of a model that signs none: a client shows it."""
    if isinstance(content, Content.Reasoning) and content.text and not _is_signed(content):
        return noted(content, NAME, "$unsigned", True)
    return content


def _is_signed(content: Content.Reasoning) -> bool:
    own, claude = content.extras.of(NAME), content.extras.of(CLAUDE)
    return any(own.get(key) for key in ("signature", "redactedContent", "$unsigned")) or any(map(claude.get, ("signature", "data")))


_answer: Final = reading(NAME, _read)


def read_response(body: object) -> Result[ChatResponse, ConversionError.T]:
    """Read the body of an answer, whose media are base64 or bytes. Answers `Refused` for the provider's error, `Unreadable` for
    what is no answer; never raises.
    """
    value = cast("Any", body)
    is_answer = value.__class__ is dict and value.get("output").__class__ is dict
    error = None if is_answer else provider_error(value)
    return _answer(body) if error is None else Failure(ConversionError.Refused(NAME, error))


write_response: Final = identifying(NAME, RULES.tool_id, _write_response)
"""Write the body of an answer: total, with every loss reported at its path in `response`.

Media are base64, or bytes as they came.
"""
