"""Parameters that may stand in several places of a Converse request.

What Converse has no field for, a model may take in `additionalModelRequestFields` by the name that its maker gave it. `PLACES` says
where a parameter may stand; a note tells where it stood when that is not where it would be written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, assert_never, cast, final

from attrs import evolve, frozen

from chatadt._hooks import structuring
from chatadt._wire import UNKNOWN
from chatadt.chat import Effort, ModelParams, Thinking
from chatadt.dialects._losses import Block, dropped, foreign, rewritten
from chatadt.dialects._spelling import list_of, object_of
from chatadt.dialects.bedrock.codec import CODEC, EFFORTS, NAME
from chatadt.dialects.bedrock.rules import may_be_claude, may_be_nova
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight

__all__ = ("PLACES", "Place", "take_placed", "write_placed")

_FIELDS: Final = "additionalModelRequestFields"
_NOTE: Final = "$places"

Path = tuple[str, ...]


@final
@frozen
class Place:
    """Where in a request a parameter may stand, and how it is read there: UNKNOWN for what there is no word for."""

    word: str
    path: Path
    read: Callable[[Any], Any]


def _count(value: Any) -> Any:
    return value if value.__class__ is int else UNKNOWN


def _effort(value: Any) -> Any:
    return EFFORTS.get(value, UNKNOWN) if value.__class__ is str else UNKNOWN


def _thinking(value: Any) -> Any:
    match value:
        case {"type": "enabled", "budget_tokens": int() as tokens} if not isinstance(tokens, bool):
            return _read_budget(value)
        case {"type": "disabled"}:
            return _read_off(value)
        case {"type": "adaptive"}:
            return _read_adaptive(value)
        case _:
            return UNKNOWN


_OF_CLAUDE: Final[Mapping[str, Path]] = {"thinking": (_FIELDS, "thinking"), "top_k": (_FIELDS, "top_k")}
_OF_NOVA: Final[Mapping[str, Path]] = {"top_k": (_FIELDS, "inferenceConfig", "topK")}
_OF_EVERY: Final[Mapping[str, Path]] = {
    "max_output_tokens": ("inferenceConfig", "maxTokens"),
    "effort": ("outputConfig", "effort"),
}
"""Where a parameter is written that was read nowhere."""

PLACES: Final = (
    Place("thinking", _OF_CLAUDE["thinking"], _thinking),
    Place("thinking", (_FIELDS, "reasoning_config"), _thinking),
    Place("effort", (_FIELDS, "output_config", "effort"), _effort),
    Place("effort", (_FIELDS, "reasoning_effort"), _effort),
    Place("top_k", _OF_CLAUDE["top_k"], _count),
    Place("top_k", _OF_NOVA["top_k"], _count),
    Place("top_k", ("inferenceConfig", "topK"), _count),
    Place("max_output_tokens", ("inferenceConfig", "max_new_tokens"), _count),
)
"""Names directly in `inferenceConfig` that Converse has not are those of Nova's own format, which otherwise is the same."""


def _path(word: str, model: str | None) -> Path | None:
    """Where a parameter is written for `model`; None where the model takes none."""
    if word in _OF_EVERY:
        return _OF_EVERY[word]
    own = _OF_CLAUDE if may_be_claude(model) else _OF_NOVA if may_be_nova(model) else {}
    return own.get(word)


# --- reading -------------------------------------------------------------------------------------------------------------------


def take_placed(params: ModelParams) -> ModelParams:
    """The parameters with those among their extras that stand in one of the places."""
    own = params.extras.of(NAME)
    places: dict[str, list[str]] = {}
    for place in PLACES:
        if getattr(params, place.word) is None and (value := _taken(own, place.path, place.read)) is not UNKNOWN:
            params = evolve(params, **{place.word: value})
            if place.path != _path(place.word, params.model):
                places[place.word] = list(place.path)
    if places:
        own[_NOTE] = places
    others = {name: said for name, said in params.extras.items() if name != NAME}
    return evolve(params, extras={**others, NAME: own} if own else others)


def _taken(own: dict[str, Any], path: Path, read: Callable[[Any], Any]) -> Any:
    """The value at `path`, taken out if `read` has a word for it; objects that it leaves empty go with it."""
    key, *rest = path
    if key not in own:
        return UNKNOWN
    inner = own[key]
    if not rest:
        value = read(inner)
    else:
        value = _taken(cast("dict[str, Any]", inner), tuple(rest), read) if isinstance(inner, dict) else UNKNOWN
    if value is not UNKNOWN and not (rest and inner):
        del own[key]
    return value


# --- writing -------------------------------------------------------------------------------------------------------------------


def write_placed(params: ModelParams, model: str | None, out: Block) -> Iterator[Loss]:
    """Put the parameters that have several places where they were, or where `model` takes them."""
    noted = object_of(params.extras.of(NAME), _NOTE) if params.extras is not NO_EXTRAS else {}

    def put(word: str, value: Any) -> bool:
        was = tuple(list_of(noted, word, str))
        path = was if any(place.word == word and place.path == was for place in PLACES) else _path(word, model)
        if path is not None:
            _put(out, path, value)
        return path is not None

    if params.max_output_tokens is not None:
        put("max_output_tokens", params.max_output_tokens)
    if params.top_k is not None and not put("top_k", params.top_k):
        yield dropped("top_k", params.top_k, "the model has no such parameter", weight=Weight.DETAIL, path=".top_k")
    thinking = params.thinking
    match thinking:
        case None:
            pass  # nothing is asked for
        case Thinking.Off() | Thinking.Adaptive() | Thinking.Budget():
            block: Block = CODEC.unstructure(thinking)
            if not put("thinking", block):
                yield dropped("thinking", block, "the model has no such setting", weight=Weight.DETAIL, path=".thinking")
            yield from foreign(thinking.extras, NAME, ".thinking")
        case Thinking.Custom(dialect=dialect, value=value):
            yield dropped("thinking", value, f"only {dialect} knows this setting", weight=Weight.DETAIL, path=".thinking")
        case _:
            assert_never(thinking)
    if params.effort is not None:
        yield from _write_effort(params.effort, thinking, put)


def _write_effort(effort: Effort, thinking: Thinking.T | None, put: Callable[[str, Any], bool]) -> Iterator[Loss]:
    word = "low" if effort is Effort.MINIMAL else effort.value
    if effort is Effort.NONE:
        off = thinking is None and put("thinking", {"type": "disabled"})
        meant = "thinking is switched off instead" if off else "it is left to the model"
        yield rewritten("effort", effort.value, f"there is no such effort: {meant}", path=".effort")
        return
    put("effort", word)
    if word != effort.value:
        yield rewritten("effort", effort.value, f"there is no such effort: {word} is the nearest", path=".effort")


def _put(out: Block, path: Path, value: Any) -> None:
    *outer, last = path
    for key in outer:
        inner = out.get(key)
        if not isinstance(inner, dict):
            inner = out[key] = {}
        out = cast("Block", inner)
    out[last] = value


_read_budget: Final = structuring(CODEC, Thinking.Budget)
_read_off: Final = structuring(CODEC, Thinking.Off)
_read_adaptive: Final = structuring(CODEC, Thinking.Adaptive)
