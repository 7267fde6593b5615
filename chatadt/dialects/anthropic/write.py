"""The words -> Anthropic JSON: the case picks the shape, the codec fills it, what the dialect cannot say is a loss.

Messages of one role that follow each other become one turn, tool results and what the user said next among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias, assert_never, cast

from attrs import define, field

from chatadt._hooks import restore, unstructuring
from chatadt.chat import NO_PARAMS, ChatRequest, Effort, ModelParams, ResponseFormat, Thinking
from chatadt.codec import document
from chatadt.content import Content
from chatadt.dialects._codec import (
    Block,
    Written,
    arguments_object,
    blocks_of,
    dropped,
    file_id,
    foreign,
    invented,
    media_type,
    moved,
    parted,
    relocate,
    rewritten,
    unsaid,
)
from chatadt.dialects._dialect import Target
from chatadt.dialects.anthropic.codec import CODEC, EFFORTS, NAME, SAMPLING, VENDOR
from chatadt.dialects.anthropic.rules import DEFAULT_MAX_TOKENS, HIGHEST_TEMPERATURE, RULES
from chatadt.json import NO_EXTRAS
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = ("write_request",)

_IMAGES: Final = RULES.media_types["image"]
_EMPTY_SCHEMA: Final[Block] = {"type": "object", "properties": {}}


def write_request(request: ChatRequest, target: Target = Target()) -> Converted[Block]:  # noqa: B008 (immutable)
    """Write a request body: total, with every loss reported at its path in `request`."""
    losses: list[Loss] = []
    profile = RULES.profile(request.params.model if target.model is None else target.model)
    body = _params(request.params, profile.sampling, losses)
    relocate(losses, 0, "$.params")
    turns = _Turns(profile.inline_system if target.inline_system is None else target.inline_system)
    for index, message in enumerate(request.messages):
        before = len(losses)
        turns.add(message, losses)
        if len(losses) != before:
            relocate(losses, before, f"$.messages[{index}]")
    body["messages"] = turns.end()
    if turns.system is not None:
        body["system"] = turns.system
    return Converted(body, tuple(losses))


# --- turns ---------------------------------------------------------------------------------------------------------------------


_NO_NOTES: Final[Block] = {}


@define
class _Turns:
    """The turns written so far, and what waits for its place among them."""

    inline: bool
    """Whether the model takes system messages inside the conversation."""
    system: list[Block] | None = None
    turns: list[Block] = field(factory=list[Block])
    behind: list[Block] = field(factory=list[Block])
    """Media of failed tool results: they stand behind all results of the turn."""
    folded: list[Block] = field(factory=list[Block])
    """System texts that stand at the head of the next user turn."""

    def add(self, message: Message.T, losses: list[Loss]) -> None:
        """Write one message."""
        match message:
            case Message.ToolResult():
                self._say("user", [_result(message, self.behind, losses)], message)
            case Message.Assistant():
                if self.behind or self.folded:
                    self._say("user", self._waiting())
                self._say("assistant", _assistant(message, losses), message)
            case Message.User():
                if self.behind:
                    self._say("user", self._waiting())
                self._say("user", _user(message, losses), message)
            case Message.System():
                self._instruct(message, losses)
            case Message.Custom(attributes=attributes, dialect=dialect):
                if dialect == NAME:
                    self._say("user", self._waiting())
                    self.turns.append(attributes.value)
                else:
                    losses.append(dropped("a message", attributes, f"only {dialect or 'its own dialect'} knows this message"))
            case _:
                assert_never(message)

    def end(self) -> list[Block]:
        """The turns, when there is nothing more to say."""
        self._say("user", self._waiting())
        return self.turns

    def _waiting(self) -> list[Block]:
        waiting = self.behind + self.folded
        self.behind, self.folded = [], []
        return waiting

    def _say(
        self, role: str, blocks: list[Block], message: Message.User | Message.Assistant | Message.ToolResult | None = None
    ) -> None:
        """Add blocks to the turn that is open, or open one."""
        if self.folded and role == "user":
            blocks = self._waiting() + blocks
        if not blocks and (message is None or message.contents):
            return
        noted = message is not None and message.extras is not NO_EXTRAS
        notes = message.extras.of(NAME) if message is not None and noted else _NO_NOTES
        turns = self.turns
        if turns and (last := turns[-1]).get("role") == role and "$new_turn" not in notes and last["content"].__class__ is list:
            last["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
        if message is not None and noted:
            self._restore(message, notes)

    def _restore(self, message: Message.User | Message.Assistant | Message.ToolResult, notes: Block) -> None:
        """Give the turn back the fields that it had; those of a tool result are in its block already."""
        match message:
            case Message.User() | Message.Assistant():
                restore(self.turns[-1], message.extras, NAME)
            case Message.ToolResult():
                self.turns[-1].update(notes.get("turn", {}))
            case _:
                assert_never(message)

    def _instruct(self, message: Message.System, losses: list[Loss]) -> None:
        blocks = blocks_of(message.contents, _instruction, losses)
        if not blocks and message.contents:
            return
        if message.extras is not NO_EXTRAS:
            losses += foreign(message.extras, NAME)
        noted = message.extras is not NO_EXTRAS and message.extras.of(NAME).get("$inline")
        if not self.turns and not noted:
            self.system = (self.system or []) + blocks
        elif noted or (self.inline and self.turns[-1].get("role") == "user" and not self.folded):
            self._say("user", self._waiting())
            turn: Block = {"role": "system", "content": blocks}
            restore(turn, message.extras, NAME)
            self.turns.append(turn)
        else:
            losses.append(
                moved(
                    "a system message", message.text, "a system message stands at the beginning: this one leads the next user turn"
                )
            )
            self.folded += blocks


# --- messages ------------------------------------------------------------------------------------------------------------------


def _user(message: Message.User, losses: list[Loss]) -> list[Block]:
    blocks = blocks_of(message.contents, _input, losses)
    if not blocks and message.contents:
        kinds = " and ".join(sorted({type(content).__name__.lower() for content in message.contents}))
        blocks = [{"type": "text", "text": f"[{kinds} omitted]"}]
        losses.append(invented("a text", "nothing else of the message could be said, and it must not be empty"))
    if message.name is not None:
        losses.append(dropped("the name of the user", message.name, "a turn has no name", weight=Weight.DETAIL, path=".name"))
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    return blocks


def _assistant(message: Message.Assistant, losses: list[Loss]) -> list[Block]:
    blocks = blocks_of(message.contents, _output, losses)
    if message.name is not None:
        losses.append(dropped("the name of the assistant", message.name, "a turn has no name", weight=Weight.DETAIL, path=".name"))
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    return blocks


def _result(message: Message.ToolResult, behind: list[Block], losses: list[Loss]) -> Block:
    out: Block = {"type": "tool_result", "tool_use_id": message.id}
    blocks = blocks_of(message.contents, _input, losses)
    if message.outcome is not Outcome.OK:
        out["is_error"] = True
        media = [block for block in blocks if block["type"] in _MEDIA]
        blocks = [block for block in blocks if block["type"] not in _MEDIA]
        behind += media
        for block in media:
            reason = "a failed result takes text only: it stands behind the results of the turn"
            losses.append(moved(f"{block['type']} of a tool result", block["type"], reason, path=".contents"))
    if message.outcome is Outcome.DENIED:
        losses.append(rewritten("the outcome", "denied", "a result is an error or it is not", path=".outcome"))
    if blocks:
        out["content"] = blocks
    if message.extras is not NO_EXTRAS:
        restore(out, message.extras, NAME)
        out.pop("turn", None)
        losses += foreign(message.extras, NAME)
    return out


_MEDIA: Final = frozenset({"image", "document"})


# --- contents ------------------------------------------------------------------------------------------------------------------


def _input(content: Content.Input) -> Iterator[Block | Loss]:
    """The block of a user's content, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
        case Content.Image():
            yield from _image(content)
        case Content.PDF():
            yield from _pdf(content)
        case Content.File():
            yield from _file(content)
        case Content.Audio() | Content.Video():
            yield unsaid(content, f"there is no {type(content).__name__.lower()} content")
            return
        case Content.Custom(dialect=dialect, value=value):
            yield value.value if dialect == NAME else dropped("a block", value, f"only {dialect} knows this block")
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


def _instruction(content: Content.Text | Content.Custom) -> Iterator[Block | Loss]:
    """The block of a system message's content, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
            yield from foreign(content.extras, NAME)
        case Content.Custom(dialect=dialect, value=value):
            yield value.value if dialect == NAME else dropped("a block", value, f"only {dialect} knows this block")
        case _:
            assert_never(content)


def _output(content: Content.Output) -> Written:
    """The block of an assistant's content, and what is lost."""
    if isinstance(content, Content.ToolRequest):
        arguments, loss = arguments_object(content)
        block = _write_request(content)
        block["input"] = arguments
        if loss is None and content.extras is NO_EXTRAS:
            return block
        return (*(() if loss is None else (loss,)), *foreign(content.extras, NAME), block)
    return _said(content)


Said: TypeAlias = (
    Content.Text
    | Content.Image
    | Content.Audio
    | Content.Video
    | Content.PDF
    | Content.File
    | Content.Custom
    | Content.Reasoning
    | Content.Refusal
)


def _said(content: Said) -> Iterator[Block | Loss]:
    match content:
        case Content.Text():
            yield _write_text(content)
        case Content.Reasoning():
            yield from _reasoning(content)
        case Content.Refusal():
            yield {"type": "text", "text": content.text}
            yield rewritten("refusal", content.text, "a refusal stands as text")
        case Content.Audio(transcript=str() as transcript) if transcript:
            yield {"type": "text", "text": transcript}
            yield rewritten("audio", _media(content.resource), "there is no audio content: its transcript stands for it")
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            kind = f"{type(content).__name__.lower()} of an assistant"
            yield unsaid(content, "an assistant says text and tool calls only", kind=kind)
            return
        case Content.Custom(dialect=dialect, value=value):
            yield value.value if dialect == NAME else dropped("a block", value, f"only {dialect} knows this block")
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


def _reasoning(content: Content.Reasoning) -> Iterator[Block | Loss]:
    own = content.extras.of(NAME) if content.extras is not NO_EXTRAS else {}
    if own.get("$type") == "redacted_thinking":
        block = {"type": "redacted_thinking"}
        restore(block, content.extras, NAME)
        yield block
    elif NAME in content.extras:
        yield _write_reasoning(content)
    else:
        reason = "a thinking block needs a signature that this provider made"
        yield dropped("reasoning", content.text, reason, weight=Weight.DETAIL)


def _image(content: Content.Image) -> Iterator[Block | Loss]:
    written = list(_image_source(content))
    yield from (item for item in written if isinstance(item, Loss))
    source = next((item for item in written if not isinstance(item, Loss)), None)
    if source is None:
        return
    if content.detail is not None:
        yield dropped("the detail", content.detail.value, "an image has no detail", weight=Weight.DETAIL, path=".detail")
    block: Block = {"type": "image", "source": source}
    restore(block, content.extras, NAME)
    yield block


def _image_source(content: Content.Image) -> Iterator[Block | Loss]:
    resource = content.resource
    match resource:
        case Resource.Binary():
            media = media_type(resource)
            if media not in _IMAGES:
                taken = ", ".join(sorted(_IMAGES))
                yield unsaid(content, f"an image is {taken}, not {media or 'of an unknown format'}")
                return
            if media != resource.mime_type and resource.mime_type is not None:
                yield rewritten("the media type", resource.mime_type, f"the registered name is {media}", path=".resource.mime_type")
            source = _write_binary(resource)
            source["media_type"] = media
            yield source
        case Resource.Ref():
            yield from _reference(content, resource)
        case _:
            assert_never(resource)
    yield from foreign(resource.extras, NAME)


def _reference(content: Content.Image | Content.PDF | Content.File, resource: Resource.Ref) -> Iterator[Block | Loss]:
    if (id_ := file_id(resource, VENDOR)) is not None:
        source: Block = {"type": "file", "file_id": id_}
        restore(source, resource.extras, NAME)
        yield source
    elif resource.uri.startswith(("http://", "https://")) or NAME in resource.extras:
        yield _write_ref(resource)
    else:
        yield unsaid(content, "it is taken by an http(s) URL or by value: fetch it first")


def _pdf(content: Content.PDF) -> Iterator[Block | Loss]:
    match content.resource:
        case Resource.Binary() as resource:
            source: Block = {"type": "base64", "media_type": "application/pdf", "data": resource.content}
            restore(source, resource.extras, NAME)
            yield from foreign(resource.extras, NAME)
            yield from _titled(content, source)
        case Resource.Ref() as resource:
            for item in _reference(content, resource):
                if isinstance(item, Loss):
                    yield item
                else:
                    yield from foreign(resource.extras, NAME)
                    yield from _titled(content, item)
        case _:
            assert_never(content.resource)


def _file(content: Content.File) -> Iterator[Block | Loss]:
    match content.resource:
        case Resource.Ref() as resource:
            if file_id(resource, VENDOR) is None and NAME not in resource.extras:
                yield unsaid(content, "a document by URL is a PDF: fetch it and say what it is")
                return
            for item in _reference(content, resource):
                yield from () if isinstance(item, Loss) else _titled(content, item)
        case Resource.Binary() as resource:
            own = resource.extras.of(NAME)
            text = _text_of(resource) if own.get("$source") == "text" or not own.get("$own") else None
            if text is not None:
                source: Block = {"type": "text", "media_type": "text/plain", "data": text}
                if resource.mime_type != "text/plain" and not own and resource.mime_type is not None:
                    yield rewritten(
                        "the media type", resource.mime_type, "a document that is text is text/plain", path=".resource.mime_type"
                    )
            elif own.get("$own"):
                source = {"type": "base64", "media_type": resource.mime_type, "data": resource.content}
            else:
                yield unsaid(content, f"a document is a PDF or text, not {resource.mime_type or 'of an unknown format'}")
                return
            restore(source, resource.extras, NAME)
            yield from foreign(resource.extras, NAME)
            yield from _titled(content, source)
        case _:
            assert_never(content.resource)


def _text_of(resource: Resource.Binary) -> str | None:
    kind = resource.mime_type or ""
    if not (kind.startswith("text/") or kind in _TEXTUAL or resource.extras.of(NAME).get("$source") == "text"):
        return None
    try:
        return resource.bytes.decode()
    except UnicodeDecodeError:
        return None


_TEXTUAL: Final = frozenset({"application/json", "application/xml", "application/yaml", "application/javascript"})


def _titled(content: Content.PDF | Content.File, source: Block) -> Iterator[Block]:
    block: Block = {"type": "document", "source": source}
    if content.name is not None:
        block["title"] = content.name
    restore(block, content.extras, NAME)
    yield block


def _media(resource: Resource.T) -> str:
    match resource:
        case Resource.Ref(uri=uri):
            return uri
        case Resource.Binary(content=content):
            return content
        case _:
            assert_never(resource)


# --- parameters ----------------------------------------------------------------------------------------------------------------


def _params(params: ModelParams, takes_sampling: bool, losses: list[Loss]) -> Block:
    out = _write_params(params)
    losses += _sampling(params, out, takes_sampling or bool(params.extras.of(NAME).get("$sampling")))
    _tools(params, out, losses)
    losses += _response_format(params, out)
    losses += _thinking(params, out)
    if params.max_output_tokens is None and params != NO_PARAMS and NAME not in params.extras:
        budget = params.thinking.tokens if isinstance(params.thinking, Thinking.Budget) else 0
        out["max_tokens"] = DEFAULT_MAX_TOKENS + budget
        losses.append(invented("max_tokens", "a request must say how long the answer may be", path=".max_output_tokens"))
    losses += foreign(params.extras, NAME)
    return out


def _sampling(params: ModelParams, out: Block, is_taken: bool) -> Iterator[Loss]:
    if not is_taken:
        for name in SAMPLING:
            if (value := getattr(params, name)) is not None:
                del out[name]
                yield dropped(name, value, "the newest models do not take it", weight=Weight.DETAIL, path=f".{name}")
    elif params.temperature is not None and params.temperature > HIGHEST_TEMPERATURE:
        out["temperature"] = HIGHEST_TEMPERATURE
        yield rewritten("temperature", params.temperature, f"a temperature is at most {HIGHEST_TEMPERATURE}", path=".temperature")
    for name in ("seed", "presence_penalty", "frequency_penalty"):
        if (value := getattr(params, name)) is not None:
            yield dropped(name, value, "there is no such parameter", weight=Weight.DETAIL, path=f".{name}")


def _tools(params: ModelParams, out: Block, losses: list[Loss]) -> None:
    tools = [block for index, tool in enumerate(params.tools) for block in parted(_tool(tool), losses, f".tools[{index}]")]
    if tools:
        out["tools"] = tools
    if params.tools and not tools and params.tool_choice is not None:
        reason = "no tool is left that it could be about"
        losses.append(dropped("the tool choice", document(params.tool_choice), reason, weight=Weight.DETAIL, path=".tool_choice"))
    elif params.tool_choice is not None:
        for block in parted(_tool_choice(params.tool_choice), losses, ".tool_choice"):
            out["tool_choice"] = block
    if params.parallel_tool_calls is None:
        return
    if "tool_choice" not in out and tools and not params.parallel_tool_calls:
        out["tool_choice"] = {"type": "auto"}
    if out.get("tool_choice", {}).get("type") in _PARALLEL:
        out["tool_choice"]["disable_parallel_tool_use"] = not params.parallel_tool_calls
    elif not params.parallel_tool_calls:
        reason = "only a tool choice says this, and there is none"
        losses.append(dropped("parallel_tool_calls", False, reason, weight=Weight.DETAIL, path=".parallel_tool_calls"))


_PARALLEL: Final = frozenset({"auto", "any", "tool"})


def _tool(tool: ToolDefinition) -> Iterator[Block | Loss]:
    match tool:
        case Tool():
            block = _write_tool(tool)
            schema = block.setdefault("input_schema", dict(_EMPTY_SCHEMA))
            if not isinstance(schema, dict):
                block["input_schema"] = dict(_EMPTY_SCHEMA)
                yield dropped("the schema", tool.parameters, "a schema is an object", path=".parameters")
            elif cast("Block", schema).get("type") != "object" and NAME not in tool.extras:
                block["input_schema"] = {**cast("Block", schema), "type": "object"}
                yield rewritten("the schema", tool.parameters, "the schema of a tool says type object", path=".parameters")
            yield block
            yield from foreign(tool.extras, NAME)
        case ProviderTool(dialect=dialect, value=value):
            yield value.value if dialect == NAME else dropped("a tool", value, f"only {dialect} has this tool")
        case _:
            assert_never(tool)


def _tool_choice(choice: ToolChoice.T) -> Iterator[Block | Loss]:
    match choice:
        case ToolChoice.Auto() | ToolChoice.Never() | ToolChoice.Required() | ToolChoice.One():
            yield cast("Block", CODEC.unstructure(choice))
            yield from foreign(choice.extras, NAME)
        case ToolChoice.Custom(dialect=dialect, value=value):
            reason = f"only {dialect} knows this choice"
            yield value.value if dialect == NAME else dropped("the tool choice", value, reason, weight=Weight.DETAIL)
        case _:
            assert_never(choice)


def _response_format(params: ModelParams, out: Block) -> Iterator[Loss]:
    form = params.response_format
    path = ".response_format"
    match form:
        case None:
            return
        case ResponseFormat.JsonSchema():
            if params.extras.of(NAME).get("$output_format"):
                out["output_format"] = _write_format(form)
            else:
                out.setdefault("output_config", {})["format"] = _write_format(form)
            for name in ("name", "description", "strict"):
                if (value := getattr(form, name)) is not None:
                    reason = "a format has nothing but its schema"
                    yield dropped(f"the {name} of the format", value, reason, weight=Weight.DETAIL, path=f"{path}.{name}")
        case ResponseFormat.JsonObject():
            yield dropped("the response format", "json_object", "JSON is asked for by a schema only", path=path)
        case ResponseFormat.Text():
            pass  # the only format there is when none is named
        case ResponseFormat.Custom(dialect=dialect, value=value):
            if dialect == NAME:
                out.setdefault("output_config", {})["format"] = value.value
            else:
                yield dropped("the response format", value, f"only {dialect} knows this format", path=path)
            return
        case _:
            assert_never(form)
    yield from foreign(form.extras, NAME, path)


def _thinking(params: ModelParams, out: Block) -> Iterator[Loss]:
    thinking, effort = params.thinking, params.effort
    match thinking:
        case None:
            if effort is Effort.NONE:
                out["thinking"] = {"type": "disabled"}
        case Thinking.Off() | Thinking.Adaptive() | Thinking.Budget():
            out["thinking"] = CODEC.unstructure(thinking)
            yield from foreign(thinking.extras, NAME, ".thinking")
        case Thinking.Custom(dialect=dialect, value=value):
            if dialect == NAME:
                out["thinking"] = value.value
            else:
                yield dropped("thinking", value, f"only {dialect} knows this setting", weight=Weight.DETAIL, path=".thinking")
        case _:
            assert_never(thinking)
    if effort is not None:
        word = _EFFORT_WORDS.get(effort)
        if word is not None:
            out.setdefault("output_config", {})["effort"] = word
        if word != effort.value:
            meant = f"{word} is the nearest" if word is not None else "thinking is switched off instead"
            yield rewritten("effort", effort.value, f"there is no such effort: {meant}", path=".effort")


_EFFORT_WORDS: Final = {effort: word for word, effort in EFFORTS.items()} | {Effort.MINIMAL: "low"}


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_text: Final = unstructuring(CODEC, Content.Text)
_write_reasoning: Final = unstructuring(CODEC, Content.Reasoning)
_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
_write_binary: Final = unstructuring(CODEC, Resource.Binary)
_write_ref: Final = unstructuring(CODEC, Resource.Ref)
_write_tool: Final = unstructuring(CODEC, Tool)
_write_format: Final = unstructuring(CODEC, ResponseFormat.JsonSchema)
_write_params: Final = unstructuring(CODEC, ModelParams)
