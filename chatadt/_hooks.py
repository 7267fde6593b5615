"""Hooks for cattrs: one table line a field, from which a fast reader and a fast writer of a class are generated.

cattrs' own generated hooks coerce (5 becomes "5"), drop unknown keys and pay for `__init__` twice; these check, keep what is left
over as `Extras` and fill the slots of frozen classes directly, which is sound because every value has just been checked.
A reader raises `Unexpected` with the path below the object; only then does anything slow happen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, cast

from attrs import NOTHING, Attribute, fields as attrs_fields
from cattrs import Converter

from chatadt._wire import ALWAYS_KNOWN, NO_NOTES, QUICK, UNKNOWN, Wire, leftover, restore, same
from chatadt.content import Content
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS, Extras

__all__ = ("register", "structuring", "unstructuring")

T = TypeVar("T")

Fields = Mapping[str, Wire]


def structuring(converter: Converter, case: type[T]) -> Callable[[Any], T]:
    """The hook by which `converter` structures `case`, looked up once."""
    hook: Any = converter.get_structure_hook(case)
    return cast("Callable[[Any], T]", hook)


def unstructuring(converter: Converter, case: type[T]) -> Callable[[T], dict[str, Any]]:
    """The hook by which `converter` unstructures `case`, looked up once."""
    hook: Any = converter.get_unstructure_hook(case)
    return cast("Callable[[T], dict[str, Any]]", hook)


def register(
    converter: Converter,
    case: type,
    wires: Fields,
    *,
    dialect: str | None,
    tag: tuple[str, str | int] | None = None,
    write_tag: bool = True,
) -> None:
    """Teach `converter` to structure and unstructure `case` as `wires` say.

    With a `dialect`, keys that no field uses go to the case's `extras` under that name and come back from there; without one,
    they are an error. `tag` is the key and value that mark the case on the wire.
    """
    converter.register_structure_hook(case, _reader(case, wires, dialect, tag))
    converter.register_unstructure_hook(case, _writer(case, wires, dialect, tag if write_tag else None))


# --- generated code ------------------------------------------------------------------------------------------------------------


def _reader(case: type, wires: Fields, dialect: str | None, tag: tuple[str, str | int] | None) -> Callable[[Any, Any], Any]:
    """What an object must have is read first; what it may have is looked for only while it has keys that are not used up."""
    attributes = cast("tuple[Attribute[Any], ...]", attrs_fields(case))  # type: ignore[arg-type,unused-ignore]
    scope: dict[str, Any] = {
        "new": object.__new__,
        "case": case,
        "Unexpected": Unexpected,
        "NO_EXTRAS": NO_EXTRAS,
        "UNKNOWN": UNKNOWN,
        "Text": Content.Text,
        "set_text_of": cast("Any", Content.Text).text.__set__,
        "set_extras_of": cast("Any", Content.Text).extras.__set__,
        "left": _left(wires, dialect, tag),
    }
    containers = sorted({wire.key.split(".")[0] for wire in wires.values() if "." in wire.key})
    always = len([c for c in containers if not _may_miss(c, wires)]) + (tag is not None)
    always += sum(1 for wire in wires.values() if wire.key and "." not in wire.key and not wire.optional)
    body = ["if o.__class__ is not dict: raise Unexpected.of('an object', o)", f"n = {always}"]
    for index, container in enumerate(containers):
        body += _open(index, container, wires)
    optional: list[list[str]] = []
    absent: list[str] = []
    for index, (name, wire) in enumerate(wires.items()):
        scope[f"read{index}"] = wire.read
        own = next((attribute.default for attribute in attributes if attribute.name == name), None)
        scope[f"default{index}"] = own if wire.default is NotImplemented else wire.default
        lines = _read_field(index, wire, containers)
        if wire.optional:
            optional.append(lines)
            absent.append(f"f{index} = default{index}")
        else:
            body += lines
    complete = " and ".join(["len(o) == n", *(f"len(c{i}) == m{i}" for i in range(len(containers)))])
    flat = " and ".join(f"len(c{i}) == m{i}" for i in range(len(containers))) or "True"
    body += [*absent, "x = NO_EXTRAS", *_look_for(optional, complete, f"x = left(o, {flat})")]
    body += ["s = new(case)"]
    for attribute in attributes:
        scope[f"set_{attribute.name}"] = getattr(case, attribute.name).__set__
        if attribute.name in wires:
            body.append(f"set_{attribute.name}(s, f{list(wires).index(attribute.name)})")
        elif attribute.name == "extras":
            body.append("set_extras(s, x)")
        else:
            scope[f"default_{attribute.name}"] = None if attribute.default is NOTHING else attribute.default
            body.append(f"set_{attribute.name}(s, default_{attribute.name})")
    body.append("return s")
    return _compiled(f"read_{case.__name__}", "o, _=None", body, scope)


_FEW: Final = 4


def _look_for(optional: list[list[str]], complete: str, otherwise: str) -> list[str]:
    """Look for optional fields, one by one or a few at a time, until all keys are used up; `otherwise` says what is left over."""
    step = 1 if len(optional) <= _FEW else _FEW
    inside = [line for lines in optional[:step] for line in lines]
    inside += _look_for(optional[step:], complete, otherwise) if optional else [otherwise]
    return [f"if not ({complete}):", *(f"    {line}" for line in inside)]


def _open(index: int, container: str, wires: Fields) -> list[str]:
    """Find an object inside the object: `c` is it, `m` counts the keys of it that are used up."""
    inner = sum(1 for wire in wires.values() if wire.key.startswith(f"{container}.") and not wire.optional)
    must = [
        f"try: c{index} = o[{container!r}]",
        f"except KeyError: raise Unexpected.missing('an object', '.{container}') from None",
    ]
    may = [f"c{index} = o.get({container!r})", f"if c{index} is None: c{index} = {{}}", f"elif c{index}: n += 1"]
    return [
        *(may if _may_miss(container, wires) else must),
        f"if c{index}.__class__ is not dict: raise Unexpected.of('an object', c{index}, '.{container}')",
        f"m{index} = {inner}",
    ]


def _may_miss(container: str, wires: Fields) -> bool:
    """Whether an object need not be there, because everything in it is optional."""
    return all(wire.optional for wire in wires.values() if wire.key.startswith(f"{container}."))


_PLAIN: Final = (
    "if {0}.__class__ is str:",
    "    t = new(Text); set_text_of(t, {0}); set_extras_of(t, NO_EXTRAS)",
    "    {0} = (t,)",
    "else:",
)


def _read_field(index: int, wire: Wire, containers: list[str]) -> list[str]:
    if not wire.key:
        if not wire.keys and not wire.maybe:
            return [f"f{index} = read{index}(o)", *(f"n += {key!r} in o" for key in wire.always)]
        return [f"f{index}, used = read{index}(o)", "n += used", *(f"n += {key!r} in o" for key in wire.always)]
    outer, dot, inner = wire.key.partition(".")
    source, key, counter = (f"c{containers.index(outer)}", inner, f"m{containers.index(outer)}") if dot else ("o", outer, "n")
    indent = "    " if wire.plain else ""
    quick = QUICK.get(wire.read)
    check = (
        [
            f"if not ({quick.format(f'f{index}')}):",
            f"    try: f{index} = read{index}(f{index})",
            f"    except Unexpected as error: raise error.under('.{wire.key}') from None",
        ]
        if quick is not None
        else [
            *([line.format(f"f{index}") for line in _PLAIN] if wire.plain else []),
            f"{indent}try: f{index} = read{index}(f{index})",
            f"{indent}except Unexpected as error: raise error.under('.{wire.key}') from None",
        ]
    )
    if not wire.optional:
        return [
            f"try: f{index} = {source}[{key!r}]",
            f"except KeyError: raise Unexpected.missing('a value', '.{wire.key}') from None",
            *check,
        ]
    known = [f"    if f{index} is UNKNOWN: f{index} = default{index}", f"    else: {counter} += 1"]
    return [
        f"f{index} = {source}.get({key!r})",
        f"if f{index} is None: f{index} = default{index}",
        "else:",
        *(f"    {line}" for line in check),
        *([f"    {counter} += 1"] if wire.read in ALWAYS_KNOWN else known),
    ]


def _left(wires: Fields, dialect: str | None, tag: tuple[str, str | int] | None) -> Callable[[dict[str, Any], bool], Extras]:
    """What is left over of an object, which may be told to be nothing of the objects inside it."""
    required = {wire.key for wire in wires.values() if wire.key and not wire.optional}
    required |= {key for wire in wires.values() for key in wire.always}
    whole = {key for wire in wires.values() for key in wire.keys}
    optional = {wire.key: wire.read for wire in wires.values() if wire.optional}
    optional |= {key: same for wire in wires.values() for key in wire.maybe}
    inside = {wire.key.split(".")[0] for wire in wires.values() if "." in wire.key}
    known_paths = frozenset({*whole, *optional, *inside})
    used_up = frozenset({*required, *inside, *([tag[0]] if tag is not None else [])})
    known = [tag[0]] if tag is not None else []
    known += [key for wire in wires.values() for key in ([wire.key] if wire.key else wire.keys + wire.maybe + wire.always)]

    def unused(value: dict[str, Any], prefix: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """What no field uses; apart from it what says nothing where a field could have said something, a matter of spelling."""
        rest: dict[str, Any] = {}
        kept: dict[str, Any] = {}
        for key, item in value.items():
            path = prefix + key
            if path in inside and isinstance(item, dict):
                deeper, kept_deeper = unused(cast("dict[str, Any]", item), f"{path}.")
                rest |= {key: deeper} if deeper else {}
                kept |= {key: kept_deeper} if kept_deeper or not item else {}
            elif not used(path, item):
                says_nothing = path in known_paths and (item is None or item is False or item == [])
                (kept if says_nothing else rest)[key] = item
        return rest, kept

    def used(path: str, item: Any) -> bool:
        if path in required or (tag is not None and path == tag[0]):
            return True
        if path in whole:
            return bool(item != [])
        if path not in optional or item is None or (optional[path] is same and item == []):
            return False
        known: object = optional[path](item)
        return known is not UNKNOWN

    def leave(value: dict[str, Any], is_flat: bool) -> Extras:
        assert dialect is not None
        if is_flat:  # what nobody knows is all there is, nearly always
            rest = {key: item for key, item in value.items() if key not in used_up or (key in inside and not item)}
            if known_paths.isdisjoint(rest):
                return leftover(rest, dialect)
        return _leftover(*unused(value, ""), dialect)

    if dialect is not None:
        return leave

    def refuse(value: dict[str, Any], is_flat: bool) -> Extras:
        del is_flat
        strangers = [key for key in unused(value, "")[0] if key not in optional]
        if strangers:
            raise Unexpected.of(f"one of the keys {', '.join(known)}", strangers[0])
        return NO_EXTRAS

    return refuse


def _leftover(rest: dict[str, Any], kept: dict[str, Any], dialect: str) -> Extras:
    return leftover(rest, dialect, {"$kept": kept} if kept else NO_NOTES)


def _writer(case: type, wires: Fields, dialect: str | None, tag: tuple[str, str | int] | None) -> Callable[[Any], dict[str, Any]]:
    attributes = {a.name: a for a in cast("tuple[Attribute[Any], ...]", attrs_fields(case))}  # type: ignore[arg-type,unused-ignore]
    scope: dict[str, Any] = {"restore": restore, "NO_EXTRAS": NO_EXTRAS}
    literal: list[str] = [f"{tag[0]!r}: {tag[1]!r}"] if tag else []
    nested: dict[str, list[str]] = {}
    later: list[str] = []
    for index, (name, wire) in enumerate(wires.items()):
        if wire.write is None or not wire.key:
            continue
        value = f"x.{name}"
        if wire.write is not same and wire.write is not NotImplemented:
            scope[f"write{index}"] = wire.write
            value = f"write{index}({value})"
        outer, dot, inner = wire.key.partition(".")
        if wire.optional:
            scope[f"default{index}"] = attributes[name].default if wire.default is NotImplemented else wire.default
            target = f"out.setdefault({outer!r}, {{}})[{inner!r}]" if dot else f"out[{outer!r}]"
            differs = f"(v := x.{name}) is not default{index}"
            if scope[f"default{index}"] is not None:
                differs += f" and v != default{index}"
            later.append(f"if {differs}: {target} = {value.replace(f'x.{name}', 'v')}")
        elif dot:
            nested.setdefault(outer, []).append(f"{inner!r}: {value}")
        else:
            literal.append(f"{outer!r}: {value}")
    literal += [f"{outer!r}: {{{', '.join(inner)}}}" for outer, inner in nested.items()]
    body = [f"out = {{{', '.join(literal)}}}", *later]
    if dialect is not None and "extras" in attributes:
        scope["dialect"] = dialect
        body.append("if x.extras is not NO_EXTRAS: restore(out, x.extras, dialect)")
    body.append("return out")
    return _compiled(f"write_{case.__name__}", "x", body, scope)


def _compiled(name: str, parameters: str, body: list[str], scope: dict[str, Any]) -> Callable[..., Any]:
    source = f"def {name}({parameters}):\n" + "".join(f"    {line}\n" for line in body)
    exec(compile(source, f"<chatadt hook {name}>", "exec"), scope)
    return cast("Callable[..., Any]", scope[name])
