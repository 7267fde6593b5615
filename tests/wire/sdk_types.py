"""The official SDKs' request types, closed: no unknown key, no coercion, every element looked at.

pydantic's TypeAdapter over a TypedDict ignores unknown keys, turns "1" into 1, and does not look inside an Iterable until somebody
consumes it. `closed` rebuilds a graph of TypedDicts so that none of this happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Final, Literal, NotRequired, Required, Union, get_args, get_origin

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from typing_extensions import ReadOnly, TypedDict, get_type_hints, is_typeddict

from .values import place

__all__ = ("closed", "type_errors")

_UNIONS: Final = (Union, UnionType)
_MANY: Final = (Iterable, Sequence, list)
_STRICT: Final = ConfigDict(extra="forbid", strict=True)
_OPEN: Final = ConfigDict(extra="allow", strict=True)


def closed(annotation: Any) -> Any:
    """The annotation with every TypedDict in it closed and strict, every Iterable a list, what no JSON can be gone."""
    return _closed(annotation, {})


def type_errors(adapter: TypeAdapter[Any], body: Any, most: int = 3) -> list[tuple[str, str]]:
    """Where `body` is not what the type says (path, message); a union reports every branch, so the deepest come first."""
    try:
        adapter.validate_python(body)
    except ValidationError as error:
        found = [(_where(each["loc"], body), each["msg"]) for each in error.errors(include_url=False, include_context=False)]
        return [(place(where), what) for where, what in sorted(found, key=lambda each: -len(each[0]))[:most]]
    return []


def _where(location: tuple[str | int, ...], body: Any) -> tuple[str | int, ...]:
    """The path of an error in the body: pydantic's own steps through unions and tags left out."""
    path: list[str | int] = []
    value: Any = body
    for at, step in enumerate(location):
        match value:
            case dict() if step in value:
                path.append(step)
                value = value[step]
            case list() if isinstance(step, int) and step < len(value):
                path.append(step)
                value = value[step]
            case dict() if at == len(location) - 1 and isinstance(step, str):
                path.append(step)  # a key that is missing
            case _:  # a step of pydantic's, not of the JSON value
                continue
    return tuple(path)


def _closed(annotation: Any, known: dict[Any, Any]) -> Any:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if is_typeddict(annotation):
        return known[annotation] if annotation in known else _closed_dict(annotation, known)
    if origin is Annotated:
        return _closed(arguments[0], known)
    if origin in _UNIONS:
        return _closed_union(tuple(filter(_is_json, _flat(arguments))), known)
    if origin in _MANY and arguments:
        return list[_closed(arguments[0], known)]  # type: ignore[misc]
    if origin in (dict, Mapping) and arguments:
        return dict[arguments[0], _closed(arguments[1], known)]  # type: ignore[misc,valid-type]
    return annotation


def _closed_union(members: tuple[Any, ...], known: dict[Any, Any]) -> Any:
    """A union; its TypedDicts are told apart by their tag where they have one, so that an error names the case that was meant."""
    cases = tuple(filter(is_typeddict, members))
    others = tuple(_closed(member, known) for member in members if not is_typeddict(member))
    tag = next((key for key in ("type", "role") if _tells_apart(key, cases)), None)
    inner = _union(_closed(case, known) for case in cases) if cases else None
    together = () if inner is None else (inner,) if tag is None else (Annotated[inner, Field(discriminator=tag)],)
    return _union(others + together)


def _union(members: Iterable[Any]) -> Any:
    return reduce(or_, members)


def _tells_apart(key: str, cases: tuple[Any, ...]) -> bool:
    tags = [_tags(key, case) for case in cases]
    everything = [tag for each in tags for tag in each]
    return len(cases) > 1 and all(tags) and len(everything) == len(set(everything))


def _tags(key: str, case: Any) -> tuple[Any, ...]:
    hint, needed = _field(get_type_hints(case, include_extras=True).get(key), _totals(case).get(key, False))
    return get_args(hint) if needed and get_origin(hint) is Literal else ()


def _closed_dict(annotation: Any, known: dict[Any, Any]) -> Any:
    make: Any = TypedDict
    new = make(f"{annotation.__module__}.{annotation.__name__}".replace(".", "_"), {})
    known[annotation] = new  # before its fields: the graphs are recursive
    totals = _totals(annotation)
    fields = {name: _field(hint, totals[name]) for name, hint in get_type_hints(annotation, include_extras=True).items()}
    new.__annotations__ = {
        name: (Required if needed else NotRequired)[_closed(hint, known)] for name, (hint, needed) in fields.items()
    }
    new.__required_keys__ = frozenset(name for name, (_, needed) in fields.items() if needed)
    new.__optional_keys__ = frozenset(fields) - new.__required_keys__
    opened = getattr(annotation, "__pydantic_config__", {}).get("extra") == "allow"
    new.__pydantic_config__ = _OPEN if opened else _STRICT
    return new


def _field(hint: Any, needed: bool) -> tuple[Any, bool]:
    """The type of a field, and whether it must be there."""
    origin = get_origin(hint)
    if origin is Required or origin is NotRequired:
        return _field(get_args(hint)[0], origin is Required)
    if origin is ReadOnly:
        return _field(get_args(hint)[0], needed)
    return hint, needed


def _totals(annotation: Any) -> dict[str, bool]:
    """Whether the class that declares a key is total: string annotations leave __required_keys__ wrong."""
    bases = (base for base in getattr(annotation, "__orig_bases__", ()) if is_typeddict(base))
    inherited = {name: total for base in bases for name, total in _totals(base).items()}
    return {**dict.fromkeys(annotation.__annotations__, annotation.__total__), **inherited}


def _flat(members: tuple[Any, ...]) -> tuple[Any, ...]:
    """The members of a union, those of the unions inside it among them."""
    bare = [get_args(member)[0] if get_origin(member) is Annotated else member for member in members]
    return tuple(inner for member in bare for inner in (_flat(get_args(member)) if get_origin(member) in _UNIONS else (member,)))


def _is_json(member: Any) -> bool:
    """False for what an SDK takes from a program but no JSON can hold: file handles, paths, bytes, its own response models."""
    named = getattr(get_origin(member) or member, "__name__", "")
    return named not in {"IO", "PathLike", "bytes"} and not hasattr(member, "model_fields")
