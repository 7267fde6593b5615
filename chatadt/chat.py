"""What is asked of a model, and what it answers."""

from __future__ import annotations

from collections.abc import Iterable
from types import NoneType
from typing import Any, Final, TypeAlias, cast, final

from attrs import field, frozen

from chatadt._sum import Named, Sum, holds, numeric, short, terse
from chatadt.content import MAYBE_TEXT, TEXT
from chatadt.history import to_messages
from chatadt.json import NO_EXTRAS, Extras, Json, to_extras, to_json
from chatadt.message import Message
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = (
    "ChatRequest",
    "ChatResponse",
    "Choice",
    "Effort",
    "Metadata",
    "ModelParams",
    "ProviderError",
    "ResponseFormat",
    "StopKind",
    "StopReason",
    "Thinking",
    "Usage",
)


_FLAG: Final = holds("true, false or None", bool, NoneType)
_COUNT: Final = (holds("an integer or None", int, NoneType), short)


@final
class ResponseFormat(metaclass=Sum):
    """The form that the answer must have; `ResponseFormat.T` is the closed union of the cases."""

    @final
    @frozen(repr=False)
    class Text:
        """Any text."""

        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class JsonObject:
        """Some JSON object."""

        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class JsonSchema:
        """JSON that a schema accepts."""

        schema: Json = field(converter=to_json)
        name: str | None = field(default=None, validator=MAYBE_TEXT)
        description: str | None = field(default=None, validator=MAYBE_TEXT)
        strict: bool | None = field(default=None, validator=_FLAG)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Custom:
        """A format that only `dialect` knows (a grammar, a regular expression), verbatim."""

        dialect: str = field(validator=TEXT)
        value: Json = field(converter=to_json)
        __repr__ = terse

    T: TypeAlias = Text | JsonObject | JsonSchema | Custom


@final
class Thinking(metaclass=Sum):
    """Whether the model thinks before it answers; `Thinking.T` is the closed union of the cases."""

    @final
    @frozen(repr=False)
    class Off:
        """It does not."""

        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Adaptive:
        """It decides for itself how long."""

        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Budget:
        """For at most so many tokens."""

        tokens: int = field(validator=(holds("a number of tokens", int), short))
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Custom:
        """A setting that only `dialect` knows, verbatim."""

        dialect: str = field(validator=TEXT)
        value: Json = field(converter=to_json)
        __repr__ = terse

    T: TypeAlias = Off | Adaptive | Budget | Custom


class Effort(Named):
    """How hard the model should try, from least to most."""

    NONE = "none"
    MINIMAL = "minimal"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    XHIGH = "xhigh"
    MAX = "max"


def _tools(value: Iterable[ToolDefinition]) -> tuple[ToolDefinition, ...]:
    tools = tuple(value)
    for index, tool in enumerate(tools):
        if not isinstance(cast("object", tool), Tool | ProviderTool):
            raise TypeError(f"tools[{index}] is {tool!r}: expected a Tool or a ProviderTool")
    return tools


def _stop(value: str | Iterable[str]) -> tuple[str, ...]:
    texts = (value,) if isinstance(value, str) else tuple(value)
    for index, text in enumerate(texts):
        if not isinstance(cast("object", text), str):
            raise TypeError(f"stop[{index}] of ModelParams is {text!r}: expected a string")
    return texts


@final
@frozen(repr=False, kw_only=True)
class ModelParams:
    """How the model should answer; None leaves it to the provider. Fields that a dialect has beyond these are in `extras`."""

    model: str | None = field(default=None, validator=MAYBE_TEXT)
    tools: tuple[ToolDefinition, ...] = field(default=(), converter=_tools)
    tool_choice: ToolChoice.T | None = field(default=None, validator=holds("a ToolChoice or None", ToolChoice.T, NoneType))
    parallel_tool_calls: bool | None = field(default=None, validator=_FLAG)
    response_format: ResponseFormat.T | None = field(
        default=None, validator=holds("a ResponseFormat or None", ResponseFormat.T, NoneType)
    )
    temperature: float | None = field(default=None, validator=numeric)
    top_p: float | None = field(default=None, validator=numeric)
    top_k: int | None = field(default=None, validator=_COUNT)
    max_output_tokens: int | None = field(default=None, validator=_COUNT)
    stop: tuple[str, ...] = field(default=(), converter=_stop)
    seed: int | None = field(default=None, validator=_COUNT)
    presence_penalty: float | None = field(default=None, validator=numeric)
    frequency_penalty: float | None = field(default=None, validator=numeric)
    thinking: Thinking.T | None = field(default=None, validator=holds("a Thinking or None", Thinking.T, NoneType))
    effort: Effort | None = field(default=None, validator=holds("an Effort or None", Effort, NoneType))
    stream: bool | None = field(default=None, validator=_FLAG)
    user: str | None = field(default=None, validator=MAYBE_TEXT)
    extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
    __repr__ = terse


NO_PARAMS = ModelParams()


@final
@frozen(repr=False)
class ChatRequest:
    """A conversation, and how the model should go on with it. `messages` takes any iterable of messages, such as a History."""

    messages: tuple[Message.T, ...] = field(converter=to_messages)
    params: ModelParams = field(default=NO_PARAMS, validator=holds("a ModelParams", ModelParams))
    __repr__ = terse

    @staticmethod
    def trusted(messages: tuple[Message.T, ...], params: ModelParams) -> ChatRequest:
        """The request of messages that are known to be messages: the check is left out."""
        self = object.__new__(ChatRequest)
        _set_messages(self, messages)
        _set_params(self, params)
        return self


_set_messages: Final = cast("Any", ChatRequest).messages.__set__
_set_params: Final = cast("Any", ChatRequest).params.__set__


class StopKind(Named):
    """Why a model stopped: the closed set that every provider's reasons map to. INTERRUPTED: its stream broke off."""

    END = "end"
    LENGTH = "length"
    CONTEXT_OVERFLOW = "context_overflow"
    STOP_SEQUENCE = "stop_sequence"
    TOOL_CALLS = "tool_calls"
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"
    PAUSED = "paused"
    ERROR = "error"
    MALFORMED_TOOL_CALL = "malformed_tool_call"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    OTHER = "other"


@final
@frozen(repr=False)
class StopReason:
    """Why a model stopped, and the provider's own word for it."""

    kind: StopKind = field(validator=holds("a StopKind", StopKind))
    raw: str | None = field(default=None, validator=MAYBE_TEXT)
    __repr__ = terse


@final
@frozen(repr=False, kw_only=True)
class Usage:
    """Tokens, all inclusive: `input` holds what came from or went to a cache, `output` holds the reasoning. None: not reported."""

    input: int | None = field(default=None, validator=_COUNT)
    output: int | None = field(default=None, validator=_COUNT)
    cache_read: int | None = field(default=None, validator=_COUNT)
    cache_write: int | None = field(default=None, validator=_COUNT)
    reasoning: int | None = field(default=None, validator=_COUNT)
    audio_input: int | None = field(default=None, validator=_COUNT)
    audio_output: int | None = field(default=None, validator=_COUNT)
    extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
    __repr__ = terse

    @property
    def total(self) -> int | None:
        """Input and output together; None when neither is known."""
        known = [count for count in (self.input, self.output) if count is not None]
        return sum(known) if known else None


@final
@frozen(repr=False)
class ProviderError:
    """What a provider said in place of an answer, or of the rest of one: its words, and its own code for it."""

    message: str = field(validator=TEXT)
    code: str | None = field(default=None, validator=MAYBE_TEXT)
    extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
    __repr__ = terse

    def __str__(self) -> str:
        return self.message if self.code is None else f"{self.message} ({self.code})"


_STOP: Final = holds("a StopReason or None", StopReason, NoneType)


@final
@frozen(repr=False, kw_only=True)
class Metadata:
    """What is known of an answer besides its message. `error` is what broke it off, where the provider said so."""

    id: str | None = field(default=None, validator=MAYBE_TEXT)
    model: str | None = field(default=None, validator=MAYBE_TEXT)
    usage: Usage | None = field(default=None, validator=holds("a Usage or None", Usage, NoneType))
    stop: StopReason | None = field(default=None, validator=_STOP)
    error: ProviderError | None = field(default=None, validator=holds("a ProviderError or None", ProviderError, NoneType))
    extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
    __repr__ = terse


NO_METADATA = Metadata()


_SAID: Final = holds("a Message.Assistant", Message.Assistant)


@final
@frozen(repr=False)
class Choice:
    """A further answer to the same request, beside the first."""

    message: Message.Assistant = field(validator=_SAID)
    stop: StopReason | None = field(default=None, validator=_STOP)
    extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
    __repr__ = terse


def _choices(value: Iterable[Choice]) -> tuple[Choice, ...]:
    choices = tuple(value)
    for index, choice in enumerate(choices):
        if not isinstance(cast("object", choice), Choice):
            raise TypeError(f"others[{index}] of ChatResponse is {choice!r}: expected a Choice")
    return choices


@final
@frozen(repr=False)
class ChatResponse:
    """A model's answer; `others` holds the further ones where several were asked for."""

    message: Message.Assistant = field(validator=_SAID)
    metadata: Metadata = field(default=NO_METADATA, validator=holds("a Metadata", Metadata))
    others: tuple[Choice, ...] = field(default=(), converter=_choices)
    __repr__ = terse
