"""The words -> OpenAI Chat JSON: the case picks the shape, the codec fills it, what the dialect cannot say is a loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never, cast

from chatadt._hooks import restore, unstructuring
from chatadt.chat import ChatRequest, Effort, ModelParams, ResponseFormat, Thinking
from chatadt.codec import document
from chatadt.content import Arguments, Content
from chatadt.dialects._codec import (
    Block,
    blocks_of,
    data_url,
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
from chatadt.dialects.openai_chat.codec import AUDIO_FORMATS, CODEC, NAME
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = ("write_request",)

_FORMATS: Final = {media: name for name, media in AUDIO_FORMATS.items()}
_IN_RESULT_ONLY: Final = "in a tool result only text is taken, so it stands in a user message after the results"
_BUDGETS: Final = ((2_048, Effort.LOW), (16_384, Effort.MEDIUM))
"""Up to how many tokens of thinking each effort stands for; more is HIGH."""


def write_request(request: ChatRequest, target: Target = Target()) -> Converted[Block]:  # noqa: B008 (immutable)
    """Write a request body: total, with every loss reported at its path in `request`."""
    del target  # every model of this dialect is written alike
    losses: list[Loss] = []
    body = _params(request.params, losses)
    relocate(losses, 0, "$.params")
    body["messages"] = _messages(request.messages, losses)
    return Converted(body, tuple(losses))


def _messages(messages: tuple[Message.T, ...], losses: list[Loss]) -> list[Block]:
    out: list[Block] = []
    waiting: list[Block] = []
    """Parts that cannot stay in their tool results: they stand in a user message behind the last one."""
    for index, message in enumerate(messages):
        if waiting and not isinstance(message, Message.ToolResult):
            out.append({"role": "user", "content": waiting})
            waiting = []
        before = len(losses)
        written = _message(message, waiting, losses)
        if written is not None:
            out.append(written)
        if len(losses) != before:
            relocate(losses, before, f"$.messages[{index}]")
    if waiting:
        out.append({"role": "user", "content": waiting})
    return out


# --- messages ------------------------------------------------------------------------------------------------------------------


def _message(message: Message.T, waiting: list[Block], losses: list[Loss]) -> Block | None:
    match message:
        case Message.User():
            return _user(message, losses)
        case Message.Assistant():
            return _assistant(message, losses)
        case Message.ToolResult():
            return _result(message, waiting, losses)
        case Message.System():
            return _system(message, losses)
        case Message.Custom(attributes=attributes, dialect=dialect):
            if dialect == NAME:
                return cast("Block", attributes.value)
            losses.append(dropped("a message", attributes, f"only {dialect or 'its own dialect'} knows this message"))
            return None
        case _:
            assert_never(message)


def _system(message: Message.System, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    out = _write_system(message)
    out["content"] = _content(message.contents, losses)
    if out["content"] == [] and message.contents:
        return None
    if message.extras is not NO_EXTRAS:
        out["role"] = message.extras.of(NAME).get("$role", "system")
        losses += foreign(message.extras, NAME)
    return out


def _user(message: Message.User, losses: list[Loss]) -> Block:
    out = _write_user(message)
    content = _content(message.contents, losses)
    out["content"] = _filled(content, message.contents, losses) if content == [] else content
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    return out


def _filled(content: list[Block], contents: tuple[Content.Input, ...], losses: list[Loss]) -> Any:
    """What stands for contents of which nothing could be said."""
    if not contents:
        return content
    kinds = " and ".join(sorted({type(content).__name__.lower() for content in contents}))
    losses.append(invented("a text", "nothing else of the message could be said, and it must not be empty"))
    return f"[{kinds} omitted]"


def _content(contents: tuple[Content.Input, ...], losses: list[Loss]) -> str | list[Block]:
    """A string when there is one plain text and nothing else, or a list of parts."""
    if len(contents) == 1:
        match contents[0]:
            case Content.Text(text=text, extras=extras) if extras is NO_EXTRAS:
                return text
            case _:
                pass
    return blocks_of(contents, _input, losses)


def _result(message: Message.ToolResult, waiting: list[Block], losses: list[Loss]) -> Block:
    notes = message.extras.of(NAME) if message.extras is not NO_EXTRAS else {}
    out: Block = {"role": "function", "name": message.tool} if notes.get("$role") == "function" else _write_result(message)
    inside, outside = _parted(message.contents)
    content = _content(inside, losses)
    if content == []:
        content = _filled(content, message.contents, losses) or ""
    out["content"] = None if notes.get("$role") == "function" and "content" in notes and not content else content
    if message.extras is not NO_EXTRAS:
        restore(out, message.extras, NAME)
        losses += foreign(message.extras, NAME)
    if message.outcome is not Outcome.OK:
        reason = "a tool message has no error flag"
        losses.append(dropped("the outcome", message.outcome.value, reason, weight=Weight.DETAIL, path=".outcome"))
    for index, part in outside:
        path = f".contents[{index}]"
        losses.append(moved(f"{type(part).__name__.lower()} of a tool result", _noun(part), _IN_RESULT_ONLY, path=path))
        waiting += parted(_input(part), losses, path)
    return out


def _parted(contents: tuple[Content.Input, ...]) -> tuple[tuple[Content.Input, ...], list[tuple[int, Content.Input]]]:
    """The contents that a tool message takes, and the others with their index."""
    outside = [(index, content) for index, content in enumerate(contents) if not _stays(content)]
    gone = {index for index, _ in outside}
    return (contents, []) if not outside else (tuple(c for i, c in enumerate(contents) if i not in gone), outside)


def _stays(content: Content.Input) -> bool:
    match content:
        case Content.Text() | Content.Custom():
            return True
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return content.extras is not NO_EXTRAS and bool(content.extras.of(NAME).get("$in_result"))
        case _:
            assert_never(content)


def _noun(content: Content.Input) -> str:
    match content:
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return content.resource.uri if isinstance(content.resource, Resource.Ref) else content.resource.mime_type or "a medium"
        case Content.Text() | Content.Custom():
            return "a text"
        case _:
            assert_never(content)


# --- the assistant -------------------------------------------------------------------------------------------------------------


def _assistant(message: Message.Assistant, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    out: Block = {"role": "assistant"}
    parts: list[Block] = []
    calls: list[Block] = []
    for index, content in enumerate(message.contents):
        if isinstance(content, Content.Text) and not calls and content.extras is NO_EXTRAS:
            parts.append({"type": "text", "text": content.text})
            continue
        for loss in _output(content, out, parts, calls):
            losses.append(loss.under(f".contents[{index}]"))
        if calls and _is_said(content):
            reason = "tool calls stand after everything else"
            losses.append(moved("contents", type(content).__name__, reason, path=f".contents[{index}]"))
    if message.contents and not parts and not calls and len(out) == 1:
        return None
    if message.extras is not NO_EXTRAS or message.name is not None:
        out.update(_write_assistant(message))
        losses += foreign(message.extras, NAME)
    if "content" not in out:
        out["content"] = _plain(parts) if parts else None
    if calls:
        out.setdefault("tool_calls", calls)
    return out


def _plain(parts: list[Block]) -> Any:
    """A string where one text stands alone."""
    return parts[0]["text"] if len(parts) == 1 and len(parts[0]) == 2 and parts[0].get("type") == "text" else parts


def _is_said(content: Content.Output) -> bool:
    match content:
        case (
            Content.Text()
            | Content.Refusal()
            | Content.Custom()
            | Content.Image()
            | Content.Video()
            | Content.PDF()
            | Content.File()
        ):
            return True
        case Content.Reasoning() | Content.Audio() | Content.ToolRequest():
            return False
        case _:
            assert_never(content)


def _output(content: Content.Output, out: Block, parts: list[Block], calls: list[Block]) -> Iterator[Loss]:
    """Put one content of an assistant where it belongs, and yield what is lost."""
    match content:
        case Content.Text():
            parts.append(_write_text(content))
            if content.extras is not NO_EXTRAS:
                yield from foreign(content.extras, NAME)
        case Content.ToolRequest():
            yield from _request(content, out, calls)
        case Content.Reasoning():
            yield from _reasoning(content, out)
        case Content.Refusal():
            yield from _refusal(content, out, parts)
        case Content.Audio():
            yield from _spoken(content, out, parts)
        case Content.Image() | Content.Video() | Content.PDF() | Content.File():
            kind = f"{type(content).__name__.lower()} of an assistant"
            yield unsaid(content, "an assistant message has text, audio and tool calls only", kind=kind)
        case Content.Custom():
            if content.dialect != NAME:
                yield dropped("a block", content.value, f"only {content.dialect} knows this block")
            elif isinstance(value := content.value.value, dict) and "$tool_call" in value:
                calls.append(cast("Block", value)["$tool_call"])
            else:
                parts.append(value)
        case _:
            assert_never(content)


def _request(content: Content.ToolRequest, out: Block, calls: list[Block]) -> Iterator[Loss]:
    if content.extras is NO_EXTRAS:
        calls.append(_write_request(content))
        return
    notes = content.extras.of(NAME)
    yield from foreign(content.extras, NAME)
    if notes.get("$function_call") and "function_call" not in out:
        call: Block = {"function_call": {"name": content.name, "arguments": notes.get("$arguments", _text_of(content.arguments))}}
        restore(call, content.extras, NAME)
        out.update(call)
    elif notes.get("$type") == "custom":
        call = {"id": content.id, "type": "custom", "custom": {"name": content.name, "input": _input_of(content.arguments)}}
        restore(call, content.extras, NAME)
        calls.append(call)
    else:
        call = _write_request(content)
        if "$arguments" in notes and content.arguments == Arguments.of(""):
            call["function"]["arguments"] = notes["$arguments"]
        calls.append(call)


def _text_of(arguments: Arguments.T) -> str:
    match arguments:
        case Arguments.Parsed(json=document):
            return document.text
        case Arguments.Malformed(text=text):
            return text
        case _:
            assert_never(arguments)


def _input_of(arguments: Arguments.T) -> str:
    """The text that a custom tool takes: a JSON string is that text itself."""
    match arguments:
        case Arguments.Parsed(json=document):
            value = document.value
            return value if isinstance(value, str) else document.text
        case Arguments.Malformed(text=text):
            return text
        case _:
            assert_never(arguments)


def _reasoning(content: Content.Reasoning, out: Block) -> Iterator[Loss]:
    key = content.extras.of(NAME).get("$key") if content.extras is not NO_EXTRAS else None
    if not isinstance(key, str):
        reason = "an assistant message has no reasoning"
        yield dropped("reasoning", content.text, reason, weight=Weight.DETAIL)
    elif key in out:
        out[key] += "\n\n" + content.text
        yield rewritten("reasoning", content.text, "a message has one reasoning text: they are joined")
    else:
        out[key] = content.text
    yield from foreign(content.extras, NAME)


def _refusal(content: Content.Refusal, out: Block, parts: list[Block]) -> Iterator[Loss]:
    in_content = content.extras is not NO_EXTRAS and content.extras.of(NAME).get("$part")
    if in_content or "refusal" in out:
        parts.append(_write_refusal(content))
    else:
        out["refusal"] = content.text
    yield from foreign(content.extras, NAME)


def _spoken(content: Content.Audio, out: Block, parts: list[Block]) -> Iterator[Loss]:
    id_ = content.extras.of(NAME).get("id") or file_id(content.resource, "openai")
    if id_ is not None and "audio" not in out:
        out["audio"] = {"id": id_}
    elif content.transcript:
        parts.append({"type": "text", "text": content.transcript})
        yield rewritten(
            "audio", _media(content.resource), "audio of an assistant is replayed by its id only: its transcript stands for it"
        )
    else:
        yield unsaid(content, "audio of an assistant is replayed by its id only, and it has no transcript")
    yield from foreign(content.extras, NAME)


# --- parts ---------------------------------------------------------------------------------------------------------------------


def _input(content: Content.Input) -> Iterator[Block | Loss]:
    """The part of a user message, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
        case Content.Image():
            yield from _image(content)
        case Content.Audio():
            yield from _audio(content)
        case Content.Video():
            yield unsaid(content, "there is no video content")
            return
        case Content.PDF() | Content.File():
            yield from _document(content)
        case Content.Custom():
            if content.dialect == NAME:
                yield content.value.value
            else:
                yield dropped("a block", content.value, f"only {content.dialect} knows this block")
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


def _image(content: Content.Image) -> Iterator[Block | Loss]:
    match content.resource:
        case Resource.Binary():
            url = data_url(content.resource, NAME)
        case Resource.Ref(uri=uri):
            if not uri.startswith(("http://", "https://", "data:")) and not _is_own(content.resource.extras, content.extras):
                yield unsaid(content, "an image is taken by an http(s) URL or by value: fetch it first")
                return
            url = uri
        case _:
            assert_never(content.resource)
    yield from foreign(content.resource.extras, NAME)
    if content.extras is not NO_EXTRAS and content.extras.of(NAME).get("$image_url") == "string":
        plain: Block = {"type": "image_url", "image_url": url}
        restore(plain, content.extras, NAME)
        yield plain
        return
    block: Block = {"type": "image_url", "image_url": {"url": url}}
    if content.detail is not None:
        block["image_url"] = {"url": url, "detail": content.detail.value}
    restore(block, content.extras, NAME)
    yield block


def _is_own(*extras: Extras) -> bool:
    return any(NAME in each for each in extras)


def _audio(content: Content.Audio) -> Iterator[Block | Loss]:
    match content.resource:
        case Resource.Ref():
            yield unsaid(content, "audio is taken by value only: fetch it first")
            return
        case Resource.Binary():
            media = media_type(content.resource) or ""
            name = _FORMATS.get(media) or (media.removeprefix("audio/") if NAME in content.extras or media in _OWN_AUDIO else None)
            if name is None:
                yield unsaid(content, f"audio is taken as wav or mp3, not as {media or 'an unknown format'}")
                return
        case _:
            assert_never(content.resource)
    inner: Block = {"data": content.resource.content, "format": name}
    restore(inner, content.resource.extras, NAME)
    yield from foreign(content.resource.extras, NAME)
    if content.transcript is not None:
        yield dropped("the transcript", content.transcript, "audio of a user has no transcript", weight=Weight.DETAIL)
    block = {"type": "input_audio", "input_audio": inner}
    restore(block, content.extras, NAME)
    yield block


_OWN_AUDIO: Final = frozenset(AUDIO_FORMATS.values())


def _document(content: Content.PDF | Content.File) -> Iterator[Block | Loss]:
    resource = content.resource
    inner: Block = {}
    match resource:
        case Resource.Binary():
            if isinstance(content, Content.File) and _is_foreign_text(resource):
                reason = "a file is a PDF here: the text of this one stands as text"
                yield rewritten("file", content.name or resource.mime_type, reason)
                yield {"type": "text", "text": resource.bytes.decode()}
                return
            inner["file_data"] = data_url(resource, NAME)
        case Resource.Ref(uri=uri):
            if (id_ := file_id(resource, "openai")) is not None:
                inner["file_id"] = id_
            elif resource.extras is not NO_EXTRAS and resource.extras.of(NAME).get("$file_data"):
                inner["file_data"] = uri
            else:
                yield unsaid(content, "chat completions has no file URL: fetch the document, or use the Responses API")
                return
        case _:
            assert_never(resource)
    if content.name is not None:
        inner["filename"] = content.name
    elif "file_data" in inner and not resource.extras.of(NAME).get("$unnamed"):
        inner["filename"] = "document.pdf" if isinstance(content, Content.PDF) else "file"
        yield invented("a file name", "a file by value needs a name", path=".name")
    restore(inner, resource.extras, NAME)
    yield from foreign(resource.extras, NAME)
    block: Block = {"type": "file", "file": inner}
    restore(block, content.extras, NAME)
    yield block


def _is_foreign_text(resource: Resource.Binary) -> bool:
    if not (resource.mime_type or "").startswith("text/") or NAME in resource.extras:
        return False
    try:
        resource.bytes.decode()
    except UnicodeDecodeError:
        return False
    return True


def _media(resource: Resource.T) -> str:
    match resource:
        case Resource.Ref(uri=uri):
            return uri
        case Resource.Binary(content=content):
            return content
        case _:
            assert_never(resource)


# --- parameters ----------------------------------------------------------------------------------------------------------------


def _params(params: ModelParams, losses: list[Loss]) -> Block:
    out = _write_params(params)
    notes = params.extras.of(NAME)
    if "$max_output_tokens" in notes and "max_completion_tokens" in out:
        out["max_tokens"] = out.pop("max_completion_tokens")
    if notes.get("$stop") == "string" and len(params.stop) == 1:
        out["stop"] = params.stop[0]
    tools = [block for index, tool in enumerate(params.tools) for block in parted(_tool(tool), losses, f".tools[{index}]")]
    if tools:
        out["tools"] = tools
    if params.tools and not tools:
        losses += _without_tools(params, out)
    elif params.tool_choice is not None:
        _set(out, "tool_choice", _tool_choice(params.tool_choice), losses)
    if params.response_format is not None:
        _set(out, "response_format", _response_format(params.response_format), losses)
    if params.top_k is not None:
        losses.append(dropped("top_k", params.top_k, "there is no such parameter", weight=Weight.DETAIL, path=".top_k"))
    if params.thinking is not None:
        _set(out, "reasoning_effort", _thinking(params.thinking, params.effort), losses)
    losses += foreign(params.extras, NAME)
    return out


def _without_tools(params: ModelParams, out: Block) -> Iterator[Loss]:
    """What is said about tools goes with the last of them."""
    reason = "no tool is left that it could be about"
    if params.tool_choice is not None:
        yield dropped("the tool choice", document(params.tool_choice), reason, weight=Weight.DETAIL, path=".tool_choice")
    if out.pop("parallel_tool_calls", None) is not None:
        path = ".parallel_tool_calls"
        yield dropped("parallel_tool_calls", params.parallel_tool_calls, reason, weight=Weight.DETAIL, path=path)


def _set(out: Block, key: str, written: Iterator[Any], losses: list[Loss]) -> None:
    for block in parted(written, losses, f".{key}"):
        out[key] = block


def _tool(tool: ToolDefinition) -> Iterator[Block | Loss]:
    match tool:
        case Tool():
            yield _write_tool(tool)
            yield from foreign(tool.extras, NAME)
        case ProviderTool(dialect=dialect, value=value):
            yield value.value if dialect == NAME else dropped("a tool", value, f"only {dialect} has this tool")
        case _:
            assert_never(tool)


def _tool_choice(choice: ToolChoice.T) -> Iterator[Any]:
    match choice:
        case ToolChoice.Auto():
            yield "auto"
        case ToolChoice.Never():
            yield "none"
        case ToolChoice.Required():
            yield "required"
        case ToolChoice.One():
            yield _write_one(choice)
        case ToolChoice.Custom(dialect=dialect, value=value):
            reason = f"only {dialect} knows this choice"
            yield value.value if dialect == NAME else dropped("the tool choice", value, reason, weight=Weight.DETAIL)
            return
        case _:
            assert_never(choice)
    yield from foreign(choice.extras, NAME)


def _response_format(form: ResponseFormat.T) -> Iterator[Any]:
    match form:
        case ResponseFormat.Text():
            yield _write_format_text(form)
        case ResponseFormat.JsonObject():
            yield _write_format_object(form)
        case ResponseFormat.JsonSchema():
            block = _write_format_schema(form)
            if form.name is None and not form.extras.of(NAME).get("$unnamed"):
                block["json_schema"]["name"] = "response"
                yield invented("a name", "a schema needs a name", path=".name")
            yield block
        case ResponseFormat.Custom(dialect=dialect, value=value):
            yield value.value if dialect == NAME else dropped("the response format", value, f"only {dialect} knows this format")
            return
        case _:
            assert_never(form)
    yield from foreign(form.extras, NAME)


def _thinking(thinking: Thinking.T, effort: Effort | None) -> Iterator[Any]:
    match thinking:
        case Thinking.Budget(tokens=tokens):
            if effort is None:
                near = next((effort for most, effort in _BUDGETS if tokens <= most), Effort.HIGH)
                yield near.value
                yield rewritten("the budget for thinking", tokens, f"there are efforts, not budgets: {near.value} is near it")
            else:
                yield dropped("the budget for thinking", tokens, "there are efforts, not budgets", weight=Weight.DETAIL)
        case Thinking.Off() | Thinking.Adaptive():
            word = type(thinking).__name__.lower()
            yield dropped("thinking", word, "the model decides whether it thinks", weight=Weight.DETAIL)
        case Thinking.Custom(dialect=dialect, value=value):
            yield dropped("thinking", value, f"only {dialect} knows this setting", weight=Weight.DETAIL)
            return
        case _:
            assert_never(thinking)
    yield from foreign(thinking.extras, NAME)


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_text: Final = unstructuring(CODEC, Content.Text)
_write_refusal: Final = unstructuring(CODEC, Content.Refusal)
_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
_write_system: Final = unstructuring(CODEC, Message.System)
_write_user: Final = unstructuring(CODEC, Message.User)
_write_assistant: Final = unstructuring(CODEC, Message.Assistant)
_write_result: Final = unstructuring(CODEC, Message.ToolResult)
_write_tool: Final = unstructuring(CODEC, Tool)
_write_one: Final = unstructuring(CODEC, ToolChoice.One)
_write_format_text: Final = unstructuring(CODEC, ResponseFormat.Text)
_write_format_object: Final = unstructuring(CODEC, ResponseFormat.JsonObject)
_write_format_schema: Final = unstructuring(CODEC, ResponseFormat.JsonSchema)
_write_params: Final = unstructuring(CODEC, ModelParams)
