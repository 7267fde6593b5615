"""`reasoning_details`: reasoning of any provider that OpenRouter and the Vercel gateway hand through, in order and signed.

Each detail becomes a `Reasoning`, its signature under the name of the dialect that it belongs to, what there is no word for under
that of the server; to the server that gave them they go back as they came. A readable `reasoning` beside them is a `Reasoning` of
its own where it says something else, as beside details that are encrypted.
Source: openrouter.ai, reasoning tokens; open-webui/open-webui#19328, jeremychone/rust-genai#298.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, final

from attrs import evolve

from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._spelling import list_of
from chatadt.json import NO_EXTRAS, Extras
from chatadt.message import Message

__all__ = ("FORMATS", "Telling", "told_again", "with_details", "without_details")

FORMATS: Final[Mapping[str, str]] = {
    "anthropic-claude-v1": "anthropic",
    "openai-responses-v1": "openai_responses",
    "azure-openai-responses-v1": "openai_responses",
    "xai-responses-v1": "openai_responses",
    "google-gemini-v1": "gemini",
}
"""The `format` of a detail, and the dialect to which its signature or encrypted text means something."""


def with_details(message: Message.Assistant, dialect: str) -> Message.Assistant:
    """The message with one `Reasoning` for each detail, in place of the plain reasoning beside them, unless that says more."""
    own = message.extras.of(dialect)
    details = _details(own.get("reasoning_details"))
    if not details:
        return message
    del own["reasoning_details"]
    plain = [content for content in message.contents if isinstance(content, Content.Reasoning)]
    rest = tuple(content for content in message.contents if not isinstance(content, Content.Reasoning))
    came: dict[str, Any] = {"$details": details, "$plain": [[content.text, content.extras.of(dialect)] for content in plain]}
    first, *others = (_reasoning(detail, dialect, index) for index, detail in enumerate(details))
    told = evolve(first, extras=first.extras.having(dialect, came))
    beside = _beside([first.text, *(other.text for other in others)], plain)
    extras = {**{name: value for name, value in message.extras.items() if name != dialect}, **({dialect: own} if own else {})}
    return evolve(message, contents=(*beside, told, *others, *rest), extras=extras)


def _beside(details: list[str], plain: list[Content.Reasoning]) -> Iterator[Content.Reasoning]:
    """The plain reasoning that is not the texts of the details once more."""
    texts = [text for text in details if text]
    again = {between.join(texts) for between in ("", "\n", "\n\n")}
    return (content for content in plain if content.text and content.text not in again)


def without_details(message: Message.Assistant, dialect: str) -> Message.Assistant:
    """The message with its details as they came, if they came from this dialect."""
    came = next((notes for content in message.contents if (notes := _notes(content, dialect))), None)
    if came is None:
        return message
    plain = tuple(item for pair in list_of(came, "$plain", list) for item in _plain(pair, dialect))
    rest = tuple(content for content in message.contents if not isinstance(content, Content.Reasoning))
    extras = message.extras.having(dialect, {"reasoning_details": came["$details"]})
    return evolve(message, contents=(*plain, *rest), extras=extras)


@final
class Telling:
    """The reasoning that a stream has told so far, for the details that come at the end of it."""

    __slots__ = ("_dialect", "_fields", "_said")

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self._said: dict[int, dict[int, list[str]]] = {}  # by choice and number of the block: its pieces
        self._fields: dict[tuple[int, int], dict[str, Any]] = {}

    def heard(self, delta: Delta.T) -> Iterator[Delta.T]:
        """The delta, or what is said of the reasoning in its place."""
        if isinstance(delta, Delta.Start):
            self._said, self._fields = {}, {}
        elif isinstance(delta, Delta.Reasoning):
            self._said.setdefault(delta.choice, {}).setdefault(delta.index, []).append(delta.text)
        elif isinstance(delta, Delta.BlockExtras) and self._dialect in delta.extras:
            self._fields[delta.choice, delta.index] = delta.extras.of(self._dialect)
        elif isinstance(delta, Delta.Speaker) and (found := self._detail(delta)) is not None:
            index, extras = found
            own = {key: value for key, value in delta.extras.of(self._dialect).items() if key != "reasoning_details"}
            yield Delta.BlockExtras(index, extras, choice=delta.choice)
            yield evolve(delta, extras={self._dialect: own} if own else {})
            return
        yield delta

    def signed(self, event: Any) -> Iterator[Delta.T]:
        """The signature that an event gives, at once: who hands the reasoning on needs it before anything else begins."""
        choices: Any = event.get("choices") if event.__class__ is dict else None
        for choice in choices if choices.__class__ is list else ():
            match choice:
                case {"delta": {"reasoning_details": [*details]}}:
                    number = choice["index"] if choice.get("index").__class__ is int else 0
                    signatures = [each for detail in details if (each := _signature(detail)) is not None]
                    told = self._said.get(number, {})
                    if signatures and len(told) == 1:
                        (index,) = told
                        extras = Extras({"anthropic": {"signature": signatures[-1]}, self._dialect: {"$signed": True}})
                        yield Delta.BlockExtras(index, extras, choice=number)
                case _:  # nothing signed
                    pass

    def _detail(self, delta: Delta.Speaker) -> tuple[int, Extras] | None:
        """The number of the reasoning that the only detail is about, and what it says of it."""
        details = _details(delta.extras.of(self._dialect).get("reasoning_details"))
        told = self._said.get(delta.choice, {})
        if len(details) != 1 or len(told) != 1:
            return None
        ((index, pieces),) = told.items()
        text = "".join(pieces)
        found = _reasoning(details[0], self._dialect, 0)
        if found.text != text:
            return None
        plain = [[text, self._fields.get((delta.choice, index), {})]]
        return index, found.extras.having(self._dialect, {"$details": details, "$plain": plain})


def told_again(delta: Delta.T, dialect: str) -> Iterator[Delta.T]:
    """The delta; what it says of reasoning by a detail that came from this dialect stands in details again."""
    own = delta.extras.of(dialect) if isinstance(delta, Delta.BlockExtras) else {}
    if isinstance(delta, Delta.BlockExtras) and _details(own.get("$details")):
        details = {"reasoning_details": own.pop("$details")}
        fields = [item.extras.of(dialect) for pair in list_of(own, "$plain", list) for item in _plain(pair, dialect)]
        yield evolve(delta, extras={dialect: fields[0]} if fields else {})
        yield Delta.Speaker(None, Extras({dialect: details}), choice=delta.choice)
    elif not own.get("$signed"):  # which comes in the details
        yield delta


def _notes(content: Content.Output, dialect: str) -> dict[str, Any] | None:
    if not isinstance(content, Content.Reasoning):
        return None
    own = content.extras.of(dialect)
    return own if _details(own.get("$details")) else None


def _plain(pair: list[Any], dialect: str) -> Iterator[Content.Reasoning]:
    """Reasoning that stood beside the details, if a pair says some: its text, and its fields."""
    match pair:
        case [str() as text, {**own}]:
            yield Content.Reasoning(text, {dialect: own})
        case _:
            return


def _details(value: Any) -> list[dict[str, Any]]:
    """The details, or none where one of them is of a kind that is not known."""
    match value:
        case [*details] if all(map(_is_detail, details)):
            return details
        case _:
            return []


def _is_detail(value: Any) -> bool:
    match value:
        case {"type": "reasoning.text", "text": str()} | {"type": "reasoning.summary", "summary": str()}:
            return True
        case {"type": "reasoning.encrypted", "data": str()}:
            return True
        case _:
            return False


def _reasoning(detail: dict[str, Any], dialect: str, index: int) -> Content.Reasoning:
    """A detail in words; what is encrypted or signed for nobody whom this library knows stays with the dialect that gave it."""
    owner, signature = FORMATS.get(str(detail.get("format"))), _signature(detail)
    match detail:
        case {"type": "reasoning.encrypted", "data": data}:
            text, extras, said = "", _encrypted(owner, data, dialect), _ENCRYPTED
        case {"type": "reasoning.summary", "summary": summary}:
            text, extras, said = summary, NO_EXTRAS, _SUMMARY
        case _:
            text, extras = detail["text"], NO_EXTRAS if signature is None else Extras({"anthropic": {"signature": signature}})
            said = _TEXT if signature is None else _SIGNED
    rest = {key: value for key, value in detail.items() if value not in (None, "") and key not in said}
    if rest.get("index") == index:
        del rest["index"]
    if rest.get("format") == "unknown" or (extras and dialect not in extras and rest.get("format") == _USUAL.get(owner)):
        rest.pop("format", None)
    return Content.Reasoning(text, extras.having(dialect, {**extras.of(dialect), **rest}) if rest else extras)


_USUAL: Final[Mapping[str | None, str]] = {owner: form for form, owner in reversed([*FORMATS.items()])}
"""By dialect: the first format of its own. Whose signature it is says as much."""
_ENCRYPTED: Final = frozenset({"type", "data"})
_SUMMARY: Final = frozenset({"type", "summary"})
_TEXT: Final = frozenset({"type", "text"})
_SIGNED: Final = frozenset({"type", "text", "signature"})


def _signature(detail: Any) -> str | None:
    match detail:
        case {"type": "reasoning.text", "signature": str() as signature, "format": str() as form} if signature:
            return signature if FORMATS.get(form) == "anthropic" else None
        case _:
            return None


def _encrypted(owner: str | None, data: str, dialect: str) -> Extras:
    """Encrypted reasoning in the words of the dialect that can read it."""
    match owner:
        case "anthropic":
            return Extras({owner: {"$type": "redacted_thinking", "data": data}})
        case "openai_responses":
            return Extras({owner: {"encrypted_content": data}})
        case _:
            return Extras({dialect: {"data": data}})
