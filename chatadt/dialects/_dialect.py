"""What a dialect is: how it reads and writes, and what its server allows, as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, SupportsIndex, final

import orjson
from attrs import Factory, field, frozen
from returns.result import Result

from chatadt._sum import Named
from chatadt.chat import ChatRequest, ChatResponse
from chatadt.content import Content
from chatadt.dialects._stream import StreamReader, StreamWriter
from chatadt.error import ConversionError
from chatadt.framing import NAMELESS, Framing
from chatadt.json import Json, dump
from chatadt.loss import Converted

__all__ = (
    "NEWEST",
    "NO_TARGET",
    "Capability",
    "Dialect",
    "EncodeRequest",
    "IdScope",
    "ModelProfile",
    "Placement",
    "Range",
    "Rules",
    "Says",
    "Spelling",
    "Target",
    "WriteRequest",
    "encoded",
)


class Says(Named):
    """How well a dialect says a kind of content: with a shape of its own, by way of another shape, or not at all."""

    NATIVE = "native"
    DEGRADED = "degraded"
    NO = "no"


@final
@frozen
class Capability:
    """How well a dialect says one kind of content from each speaker; `how` tells what becomes of it where it is not native."""

    kind: str
    user: Says
    assistant: Says
    result: Says
    how: str = ""


class Placement(Named):
    """Where a dialect's system prompt stands: among the messages, or in a field of the request."""

    MESSAGES = "messages"
    FIELD = "field"


@final
@frozen
class Spelling:
    """How a server wants a name or an id spelt: `pattern` is matched in full, `bad` finds the characters that it refuses."""

    pattern: re.Pattern[str]
    bad: re.Pattern[str]
    longest: int

    def allows(self, text: str) -> bool:
        """Whether the server takes `text` as it is."""
        return len(text) <= self.longest and self.pattern.fullmatch(text) is not None


@final
@frozen
class Range:
    """From where to where the value of a parameter goes, both taken; None where there is no end."""

    least: float | None = None
    most: float | None = None
    certain: bool = True
    """Whether that could be verified: where it is only said, a value outside is a warning."""

    def nearest(self, value: float) -> float:
        """The value itself, or the end that is nearest to it."""
        if self.least is not None and value < self.least:
            return self.least
        return self.most if self.most is not None and value > self.most else value

    def __str__(self) -> str:
        if self.most is None:
            return f"at least {self.least:g}"
        return f"at most {self.most:g}" if self.least is None else f"from {self.least:g} to {self.most:g}"


class IdScope(Named):
    """Within what an id must be unique."""

    MESSAGE = "message"
    REQUEST = "request"


@final
@frozen
class ModelProfile:
    """What holds for the models whose name `pattern` finds."""

    pattern: re.Pattern[str]
    prefill: bool
    """Whether a conversation may end with an assistant message, for the model to go on with."""
    inline_system: bool
    """Whether system messages may stand inside a conversation."""
    sampling: bool = True
    """Whether temperature, top_p and top_k are taken."""
    any_first: bool = False
    """Whether the conversation may begin with an assistant message where `Rules.first_user` says otherwise."""
    thinks: bool = True
    """Whether what the rules say about thinking holds."""
    first_user_said: bool = False
    """Whether the conversation is said to have to begin with a user's message where `Rules.first_user` does not: else a warning."""
    says_or_calls: bool = False
    """Whether an assistant message is said to hold contents or tool requests, and not both: else a warning."""
    most_said: Mapping[str, int] = field(factory=dict[str, int])
    """By kind of content: how many a request is said to have at most, where that differs from `Rules.most_said`."""
    apart: frozenset[str] = frozenset()
    """Kinds of content (text, image, audio, video, document) that a user may not say in one turn with tool results."""


NEWEST: Final = ModelProfile(re.compile(""), prefill=True, inline_system=True)
"""Of a dialect that says nothing about its models."""


@final
@frozen
class Rules:
    """What a server refuses, as data; `chatadt.check` applies it, writers, docs and strategies read it.

    `models` are tried in order, the last one holds for every other model and for none at all.
    """

    capabilities: tuple[Capability, ...]
    tool_id: Spelling
    tool_name: Spelling
    system: Placement
    blank_text: bool
    """Whether a text of nothing but white space is taken."""
    pairs_tool_calls: bool
    """Whether each tool request must be answered directly after the message that holds it."""
    needs_turn: bool
    """Whether a conversation of nothing but system messages is refused; an empty one is refused by all."""
    merges_turns: bool = False
    """Whether messages of one role that follow each other are one turn to the server."""
    first_user: bool = False
    """Whether the first message besides system must be a user's."""
    last_user: bool = False
    """Whether the last message must be a user's or a tool result, whatever the model."""
    results_in_order: bool = False
    """Whether the results of a turn must stand in the order of its calls."""
    results_by_name: bool = False
    """Whether a result is told by the name of its tool, which must be that of its call."""
    unique_ids: IdScope = IdScope.MESSAGE
    """Within what each id of a tool request must be the only one of its kind."""
    needs_tools: bool = False
    """Whether tool requests in the history are refused when the request defines no tools."""
    system_first: bool = False
    """Whether a system message is refused behind an assistant message or a tool result."""
    document_needs_text: bool = False
    """Whether a message with a document must have a text that is not blank."""
    document_name: Spelling | None = None
    """How the name of a document must be spelt, each one only once in a request; None where any will do."""
    most: Mapping[str, int] = field(factory=dict[str, int])
    """By kind of content (image, audio, video, document): how many a request may have."""
    most_said: Mapping[str, int] = field(factory=dict[str, int])
    """The same where it is said and could not be verified: more than that is a warning."""
    largest: Mapping[str, int] = field(factory=dict[str, int])
    """By kind of content: how many bytes one by value may have."""
    largest_said: Mapping[str, int] = field(factory=dict[str, int])
    """The same where it is said and could not be verified: more than that is a warning."""
    prefix_field: str | None = None
    """Where `last_user` holds: the field with which an assistant message at the end asks the model to go on with it."""
    trailing_space: bool = True
    """Whether the text of an assistant message at the end may end in white space."""
    speaker_name: Spelling | None = None
    """How the name of a speaker is said to be spelt: another spelling is a warning."""
    choice_needs_tool: bool = False
    """Whether a tool choice that forces a call is refused where the tool that it forces is not defined."""
    unique_tools: bool = False
    """Whether no two tools may have one name."""
    most_tools_said: int | None = None
    """How many tools a request is said to have at most: more than that is a warning."""
    format_name: Spelling | None = None
    """How the name of a format with a schema must be spelt; None where any will do."""
    empty_description: bool = True
    """Whether the description of a tool may be there and empty."""
    forces_while_thinking: bool = True
    """Whether a tool may be forced while the model thinks: where it is said not to be, that is a warning."""
    ranges: Mapping[str, Range] = field(factory=dict[str, Range])
    """By name of a parameter: the values that are taken."""
    answer_limit: int | None = None
    """How many tokens of answer to ask for where the server must be told and is not; None where it need not be told."""
    marks: tuple[tuple[str, str], ...] = ()
    """Where a mark of the prompt cache stands in the extras of a word: dialect and key, of which the first that is there holds."""
    cache_marks: int | None = None
    """How many marks of the prompt cache a request may have."""
    cache_marks_said: int | None = None
    """The same where it is said and could not be verified: more than that is a warning."""
    marks_reasoning: bool = True
    """Whether reasoning may have a mark of the prompt cache."""
    cache_point: str | None = None
    """The key of a mark that is a block of its own: it stands behind another block, and never twice in a row."""
    thinks_first: tuple[str, ...] = ()
    """Where thinking has a budget: with the reasoning of which dialects the assistant message of an open tool loop must begin."""
    least_thinking: int | None = None
    """The least budget for thinking; where there is one, it must leave something of the longest answer as well."""
    prefill_while_thinking: bool = True
    """Whether a conversation may end with an assistant message while the model thinks: else that is a warning."""
    reasoning_leads: bool = False
    """Whether reasoning of the dialect's own must be followed by what it led to."""
    white_space: bool = False
    """Whether a text of white space is taken where `blank_text` says no: then only an empty one is refused."""
    blank_beside_calls: bool = False
    """Whether a blank text is taken beside tool requests where `blank_text` says no."""
    empty_assistant: bool = True
    """Whether an assistant message may hold nothing, or only blank texts."""
    no_contents: bool = True
    """Whether a message besides results may hold nothing where `blank_text` holds: else it must have a text, if an empty one."""
    empty_result: bool = True
    """Whether a tool result may hold nothing."""
    text_before_results: bool = False
    """Whether messages of the user may stand between tool requests and their results."""
    call_key: str | None = None
    """Of a block that only the dialect knows: the key of the id under which a result answers it."""
    holds_calls: Callable[[Json], bool] | None = None
    """Whether a message that only the dialect knows stands for calls that the server has, which results may answer."""
    says_document: Callable[[Content.PDF | Content.File], bool] | None = None
    """Whether a document can be said, where its kind alone does not tell."""
    checks_bytes: bool = False
    """Whether an image by value must be of the media type that its bytes show."""
    untyped: bool = False
    """Whether nothing on the wire says of what type an image is: its bytes tell."""
    most_bytes: int | None = None
    """How much all media by value of a request may have, in characters of base64."""
    most_bytes_said: int | None = None
    """The same where it is said and could not be verified: more than that is a warning."""
    most_stops: int | None = None
    """How many stop sequences a request may have."""
    blank_stop: bool = True
    """Whether a stop sequence may be nothing but white space."""
    empty_stop: bool = True
    """Whether a stop sequence may be empty where `blank_stop` holds."""
    models: tuple[ModelProfile, ...] = (NEWEST,)
    own_models: re.Pattern[str] | None = None
    """What is found in the name of a model that the server has; another name says nothing about what it takes. None for any."""
    media_types: Mapping[str, frozenset[str]] = field(factory=dict[str, frozenset[str]])
    """By kind of content: the media types that are taken by value."""

    def known(self, model: str | None) -> str | None:
        """`model` where it may be one of the server's own. None for another provider's, which stands for the newest models."""
        return model if model and (self.own_models is None or self.own_models.search(model)) else None

    def profile(self, model: str | None) -> ModelProfile:
        """What holds for `model`."""
        return next(profile for profile in self.models if profile is self.models[-1] or (model and profile.pattern.search(model)))


@final
@frozen
class Target:
    """For whom a request is written, where that changes what is right.

    `model` is None to go by the model that the request names, or "" for none that is known, which stands for the newest models.
    `inline_system` and `prefill` are None to follow the model. `thinking` says whether the model thinks before it answers, where a
    server then wants its reasoning back; None goes by what the request asks for. `store` says whether the server keeps what it is
    sent, None for what the request says: where it does not, nothing may be named that only the server has. With `strip_item_ids`
    no item goes back under the id that it came with. `strict_order` is for servers that refuse a user message directly behind a
    tool result.
    """

    model: str | None = None
    inline_system: bool | None = None
    prefill: bool | None = None
    thinking: bool | None = None
    store: bool | None = None
    strip_item_ids: bool = False
    strict_order: bool = False


NO_TARGET: Final = Target()
"""Nothing is known of the model but what the request says."""


class WriteRequest(Protocol):
    """Write a request for the wire: total, with every loss reported."""

    def __call__(self, request: ChatRequest, target: Target = ...) -> Converted[dict[str, Any]]: ...


class EncodeRequest(Protocol):
    """Write a request as JSON bytes: total, with every loss reported."""

    def __call__(self, request: ChatRequest, target: Target = ...) -> Converted[bytes]: ...


def encoded(write: WriteRequest) -> EncodeRequest:
    """The writer of JSON bytes that writes what `write` does."""

    def encode_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[bytes]:
        written = write(request, target)
        try:
            text = orjson.dumps(written.value)
        except TypeError:  # integers beyond 64 bits and lone surrogates
            text = dump(written.value).encode()
        return Converted(text, written.losses)

    return encode_request


def _encoded(dialect: Any) -> EncodeRequest:
    return encoded(dialect.write_request)


@final
@frozen
class Dialect:
    """One provider's format. Reading answers a Result and never raises; writing is total and names what it lost.

    `encode_request` writes JSON bytes; it may be faster than to write plain data and to encode that, and keeps tool arguments as
    the text that they came with. `page` describes the dialect and holds its loss table; `canonical` folds the equivalent spellings
    that the page states, and nothing else, in a wire body. A dialect that has no answers or no streams has None in their place.
    `framing` is how its server puts the events of a stream on the wire.
    Dialects are hashed by their names; those of the library can be pickled, one of your own as far as its functions can.
    """

    name: str
    page: str = field(repr=False)
    rules: Rules = field(repr=False)
    read_request: Callable[[object], Result[ChatRequest, ConversionError.T]] = field(repr=False)
    write_request: WriteRequest = field(repr=False)
    canonical: Callable[[object], object] = field(repr=False)
    encode_request: EncodeRequest = field(default=Factory(_encoded, takes_self=True), repr=False)
    read_response: Callable[[object], Result[ChatResponse, ConversionError.T]] | None = field(default=None, repr=False)
    write_response: Callable[[ChatResponse], Converted[dict[str, Any]]] | None = field(default=None, repr=False)
    read_stream: StreamReader | None = field(default=None, repr=False)
    write_stream: StreamWriter | None = field(default=None, repr=False)
    framing: Framing = field(default=NAMELESS, repr=False)

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """A dialect of the library is pickled as its name, so that another process has its own."""
        return (_of_library, (self.name,)) if _library().get(self.name) is self else super().__reduce_ex__(protocol)


def _library() -> Mapping[str, Dialect]:
    from chatadt.dialects import DIALECTS  # which is made of dialects

    return DIALECTS


def _of_library(name: str) -> Dialect:
    return _library()[name]
