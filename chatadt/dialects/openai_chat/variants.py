"""The servers that speak OpenAI Chat with differences of their own, as data on top of it.

Each row of `VARIANTS` is a dialect; `variant` makes a `Dialect` of a row, for servers of your own too. What a server says beyond
the words is kept under its own name, so that nothing of it leaks to another one.

Sources: reference pages and SDK types of the providers; for reasoning that is refused or demanded
tashfeenahmed/freellmapi#1070 (Groq), CherryHQ/cherry-studio#16790 (Cerebras), continuedev/continue#10193 and
NousResearch/hermes-agent#15353 (DeepSeek), open-webui/open-webui#19328 (OpenRouter).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final, TypeVar, assert_never, final

from attrs import evolve, frozen
from returns.result import Result

from chatadt.chat import ChatRequest, ChatResponse, ModelParams, Usage
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._calls import has_free_form
from chatadt.dialects._codec import noted
from chatadt.dialects._dialect import NO_TARGET, Dialect, Target
from chatadt.dialects._losses import Block, invented
from chatadt.dialects._openai_like.framing import FRAMING
from chatadt.dialects._rekey import rekeyed, rekeyed_delta, rekeyed_error, rekeyed_response
from chatadt.dialects._spelling import text_of
from chatadt.dialects._stream import Event, Reading, StreamReader, StreamWriter, Writing
from chatadt.dialects.openai_chat.codec import NAME
from chatadt.dialects.openai_chat.details import Telling, told_again, with_details, without_details
from chatadt.dialects.openai_chat.read import read_request as read_base
from chatadt.dialects.openai_chat.response import read_response as read_answer, write_response as write_answer
from chatadt.dialects.openai_chat.rules import RULES
from chatadt.dialects.openai_chat.shares import counted, uncounted
from chatadt.dialects.openai_chat.stream import read_stream as read_events, write_stream as write_events
from chatadt.dialects.openai_chat.write import write_request as write_base
from chatadt.error import ConversionError
from chatadt.json import Extras
from chatadt.loss import Converted, Loss
from chatadt.message import Message
from chatadt.tool import ProviderTool, ToolChoice

__all__ = ("VARIANTS", "Variant", "variant")

W = TypeVar("W", ProviderTool, ToolChoice.Custom)


@final
@frozen
class Variant:
    """How a server differs from OpenAI Chat.

    `reasoning` is the field of an assistant's message that takes reasoning from anywhere, None where there is none (what the server
    itself gave goes back to it either way); `shows` is the field that an answer has it in, where that is another one.
    `wants_reasoning`: once tools were used, a thinking model wants that field on every assistant message. `details`: reasoning
    comes with `reasoning_details`. `max_tokens` is the field for the length of the answer.
    """

    name: str
    about: str
    reasoning: str | None = None
    shows: str = "reasoning_content"
    wants_reasoning: bool = False
    details: bool = False
    max_tokens: str = "max_tokens"
    reasoning_beside: bool = False
    """Whether output is counted without reasoning, unless the total shows that it is within."""
    cached: str | None = None
    """The count of what came from a cache, where that stands beside the others."""
    uncached: str | None = None
    """The count of what did not."""
    openai: bool = False
    """Whether OpenAI's own models are behind it: else what was verified of OpenAI is only said of it."""


VARIANTS: Final[tuple[Variant, ...]] = (
    Variant("azure", "Azure OpenAI", max_tokens="max_completion_tokens", openai=True),
    Variant("groq", "Groq, which refuses fields that it does not know", shows="reasoning"),
    Variant(
        "deepseek",
        "DeepSeek",
        reasoning="reasoning_content",
        wants_reasoning=True,
        cached="prompt_cache_hit_tokens",
        uncached="prompt_cache_miss_tokens",
    ),
    Variant("openrouter", "OpenRouter", reasoning="reasoning", details=True),
    Variant("xai", "xAI", reasoning="reasoning_content", max_tokens="max_completion_tokens", reasoning_beside=True),
    Variant("huggingface", "the Hugging Face router", reasoning="reasoning"),
    Variant("perplexity", "Perplexity"),
    Variant("together", "Together"),
    Variant("cerebras", "Cerebras, which refuses reasoning", shows="reasoning", max_tokens="max_completion_tokens"),
    Variant("zai", "Z.ai", reasoning="reasoning_content"),
    Variant("ollama_openai", "the OpenAI endpoint of Ollama", reasoning="reasoning"),
    Variant("vercel_gateway", "the Vercel AI Gateway", reasoning="reasoning", details=True),
    Variant("openai_compatible", "any other server that speaks OpenAI Chat"),
)

_SAID: Final = evolve(RULES, ranges={name: evolve(taken, certain=False) for name, taken in RULES.ranges.items()})
"""The rules of who takes what OpenAI takes, as far as is known: from where to where a parameter goes is not."""

_OPENAI: Final = {name: f"{name} (OpenAI)" for name in (NAME, "openai_responses", "azure")}
"""What OpenAI itself said, while a variant speaks through its code: by the name of the dialect, another one."""

_NAMES: Final = {hidden: name for name, hidden in _OPENAI.items()}


def variant(row: Variant) -> Dialect:
    """The dialect of a server that speaks OpenAI Chat with the differences of `row`."""

    def read_request(body: object) -> Result[ChatRequest, ConversionError.T]:
        return read_base(body).map(lambda request: _arrived(request, row)).alt(lambda error: _renamed(error, row))

    def read_response(body: object) -> Result[ChatResponse, ConversionError.T]:
        return read_answer(body).map(lambda response: _answered(response, row)).alt(lambda error: _renamed(error, row))

    def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
        ready, losses = _departing(request, row, target)
        written = write_base(ready, target)
        return Converted(written.value, (*losses, *map(_by_its_name, written.losses)))

    def write_response(response: ChatResponse) -> Converted[Block]:
        written = write_answer(_answering(response, row))
        return Converted(written.value, tuple(map(_by_its_name, written.losses)))

    page = f"{row.about[0].upper()}{row.about[1:]}: OpenAI Chat with the differences of its row in `VARIANTS`."
    return Dialect(
        row.name,
        page,
        RULES if row.openai else _SAID,
        read_request,
        write_request,
        _canonical,
        read_response=read_response,
        write_response=write_response,
        read_stream=StreamReader(lambda: _reading(row)),
        write_stream=StreamWriter(lambda: _writing(row)),
        framing=FRAMING,
    )


def _canonical(body: object) -> object:
    from chatadt.dialects.openai_chat import canonical  # that module may be on its way here

    return canonical(body)


# --- reading -------------------------------------------------------------------------------------------------------------------


def _arrived(request: ChatRequest, row: Variant) -> ChatRequest:
    mine = rekeyed(request, {NAME: row.name})
    messages = tuple(_told(message, with_details, row) for message in mine.messages) if row.details else mine.messages
    return ChatRequest.trusted(messages, _with_length(mine.params, row))


def _with_length(params: ModelParams, row: Variant) -> ModelParams:
    """Note which of the two fields for the length of the answer it was."""
    if params.max_output_tokens is None or "$max_output_tokens" in params.extras.of(row.name):
        return params
    return noted(params, row.name, "$max_output_tokens", "max_completion_tokens")


def _told(message: Message.T, change: Callable[[Message.Assistant, str], Message.Assistant], row: Variant) -> Message.T:
    return change(message, row.name) if isinstance(message, Message.Assistant) else message


def _renamed(error: ConversionError.T, row: Variant) -> ConversionError.T:
    match error:
        case ConversionError.Unreadable():
            return evolve(error, dialect=row.name)
        case ConversionError.Refused():
            return ConversionError.Refused(row.name, rekeyed_error(error.error, {NAME: row.name}))
        case ConversionError.UnknownDialect() | ConversionError.Unavailable() | ConversionError.Invalid() | ConversionError.Lossy():
            return error
        case _:
            assert_never(error)


def _answered(response: ChatResponse, row: Variant) -> ChatResponse:
    mine = _counting(rekeyed_response(response, {NAME: row.name}), row, counted)
    return _each_message(mine, lambda message: with_details(message, row.name)) if row.details else mine


def _reading(row: Variant) -> Reading:
    step, end = read_events.begin()
    names, telling = {NAME: row.name}, Telling(row.name)

    def told(deltas: Iterable[Delta.T]) -> Iterator[Delta.T]:
        for delta in deltas:
            mine = rekeyed_delta(delta, names)
            mine = Delta.Tokens(counted(mine.usage, row)) if isinstance(mine, Delta.Tokens) else mine
            yield from telling.heard(mine) if row.details else (mine,)

    def heard(event: object) -> Iterable[Delta.T]:
        deltas = tuple(step(event))
        if len(deltas) == 1 and isinstance(deltas[0], Delta.Text):  # as nearly all are
            return deltas
        return chain(told(deltas), telling.signed(event)) if row.details else told(deltas)

    return heard, (lambda: told(end()))


# --- writing -------------------------------------------------------------------------------------------------------------------


def _departing(request: ChatRequest, row: Variant, target: Target) -> tuple[ChatRequest, tuple[Loss, ...]]:
    messages = tuple(_told(message, without_details, row) for message in request.messages) if row.details else request.messages
    mine = rekeyed(ChatRequest.trusted(messages, request.params), {**_OPENAI, row.name: NAME})
    mine = _with_free_form(mine) if row.openai else mine
    wanted = row.wants_reasoning and target.thinking is True and _uses_tools(mine)
    losses: list[Loss] = []
    spoken: list[Message.T] = []
    for index, message in enumerate(mine.messages):
        if isinstance(message, Message.Assistant) and row.reasoning is not None:
            message = _reasoned(message, row.reasoning)
            if wanted and not any(isinstance(content, Content.Reasoning) for content in message.contents):
                message = evolve(message, contents=(_reasoning("", row.reasoning), *message.contents))
                losses.append(invented("reasoning", "a thinking model wants it on every message", path=f"$.messages[{index}]"))
        spoken.append(message)
    return ChatRequest.trusted(tuple(spoken), _length(mine.params, row)), tuple(losses)


def _with_free_form(request: ChatRequest) -> ChatRequest:
    """The request with the tools of OpenAI that take any text, and the calls of them, where its models are behind the server."""
    params = request.params
    tools = tuple(_revealed(tool) if isinstance(tool, ProviderTool) else tool for tool in params.tools)
    choice = _revealed(params.tool_choice) if isinstance(params.tool_choice, ToolChoice.Custom) else params.tool_choice
    messages = tuple(_marking(message) if isinstance(message, Message.Assistant) else message for message in request.messages)
    return ChatRequest.trusted(messages, evolve(params, tools=tools, tool_choice=choice))


def _revealed(word: W) -> W:
    return evolve(word, dialect=_NAMES.get(word.dialect, word.dialect))


def _marking(message: Message.Assistant) -> Message.Assistant:
    return evolve(message, contents=map(_marked, message.contents))


def _marked(content: Content.Output) -> Content.Output:
    if isinstance(content, Content.ToolRequest) and any(has_free_form(content.extras, hidden) for hidden in _NAMES):
        return noted(content, NAME, "$type", "custom")
    return content


def _by_its_name(loss: Loss) -> Loss:
    """The loss of what a hidden dialect said, under the name that it has."""
    what, reason = loss.what, loss.reason
    for hidden, name in _NAMES.items():
        what, reason = what.replace(hidden, name), reason.replace(hidden, name)
    return loss if what == loss.what and reason == loss.reason else evolve(loss, what=what, reason=reason)


def _answering(response: ChatResponse, row: Variant) -> ChatResponse:
    plain = _each_message(response, lambda message: without_details(message, row.name)) if row.details else response
    mine = rekeyed_response(_counting(plain, row, uncounted), {**_OPENAI, row.name: NAME})
    shown = _each_message(mine, lambda message: _reasoned(message, row.reasoning or row.shows))
    return _each_message(shown, _marking) if row.openai else shown


def _counting(response: ChatResponse, row: Variant, count: Callable[[Usage, Variant], Usage]) -> ChatResponse:
    """The answer with the tokens that `count` makes of its own."""
    usage = response.metadata.usage
    return response if usage is None else evolve(response, metadata=evolve(response.metadata, usage=count(usage, row)))


def _each_message(response: ChatResponse, change: Callable[[Message.Assistant], Message.Assistant]) -> ChatResponse:
    others = tuple(evolve(choice, message=change(choice.message)) for choice in response.others)
    return evolve(response, message=change(response.message), others=others)


def _writing(row: Variant) -> Writing:
    """A stream that is being written, with the field of each reasoning that came from elsewhere."""
    step, end = write_events.begin()
    names = {**_OPENAI, row.name: NAME}
    placed: set[tuple[int, int]] = set()  # by choice and number: blocks whose field is known

    def told(delta: Delta.T) -> Iterable[Event | Loss]:
        return step(delta) if isinstance(delta, Delta.Text) else telling(delta)  # a text says nothing but itself

    def telling(delta: Delta.T) -> Iterator[Event | Loss]:
        delta = Delta.Tokens(uncounted(delta.usage, row)) if isinstance(delta, Delta.Tokens) else delta
        for each in told_again(delta, row.name) if row.details else (delta,):
            for item in placing(rekeyed_delta(each, names)):
                yield _by_its_name(item) if isinstance(item, Loss) else item

    def placing(mine: Delta.T) -> Iterator[Event | Loss]:
        if isinstance(mine, Delta.Start):
            placed.clear()
        elif isinstance(mine, Delta.BlockExtras) and text_of(mine.extras.of(NAME), "$key") is not None:
            placed.add((mine.choice, mine.index))
        elif isinstance(mine, Delta.Reasoning) and (mine.choice, mine.index) not in placed:
            placed.add((mine.choice, mine.index))
            field = Extras({NAME: {"$key": row.reasoning or row.shows}})
            yield from step(Delta.BlockExtras(mine.index, field, choice=mine.choice))
        yield from step(mine)

    def ended() -> Iterator[Event | Loss]:
        for item in end():
            yield _by_its_name(item) if isinstance(item, Loss) else item

    return told, ended


def _uses_tools(request: ChatRequest) -> bool:
    return any(isinstance(message, Message.Assistant) and message.tool_requests for message in request.messages)


def _reasoned(message: Message.Assistant, key: str) -> Message.Assistant:
    """The message with a field for the reasoning that came from elsewhere."""
    if all(not isinstance(content, Content.Reasoning) or _has_field(content) for content in message.contents):
        return message
    return evolve(message, contents=(_placed(content, key) for content in message.contents))


def _placed(content: Content.Output, key: str) -> Content.Output:
    if not isinstance(content, Content.Reasoning) or _has_field(content) or not content.text:
        return content
    return noted(content, NAME, "$key", key)


def _has_field(content: Content.Reasoning) -> bool:
    return text_of(content.extras.of(NAME), "$key") is not None


def _reasoning(text: str, key: str) -> Content.Reasoning:
    return noted(Content.Reasoning(text), NAME, "$key", key)


def _length(params: ModelParams, row: Variant) -> ModelParams:
    if params.max_output_tokens is None or "$max_output_tokens" in params.extras.of(NAME):
        return params
    return noted(params, NAME, "$max_output_tokens", row.max_tokens)
