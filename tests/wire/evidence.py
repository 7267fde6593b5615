"""Where a claim is looked for: in what came out, and in what the losses name. Whatever is found is taken, so that two need two."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, assert_never

from .claims import Claim, Kind
from .values import compact, decoded, leaves, nearest, subtrees, utf8

__all__ = ("Losses", "Output", "Reported", "mentions")


class Reported(NamedTuple):
    """A loss as a converter reported it; `original` is plain JSON, None for what was invented."""

    path: str
    what: str
    action: str
    original: Any


class Texts:
    """Texts to be found once each: whole, or as a part of one, which then is cut around it."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.left = Counter(text for text in texts if text)

    def takes(self, text: str, *, inside: bool = True) -> bool:
        """Take `text` where it stands whole, or else (if `inside`) within another; False when it is nowhere."""
        if _take(self.left, text):
            return True
        found = next((each for each, count in self.left.items() if count > 0 and text in each), None) if inside else None
        if found is None:
            return False
        _take(self.left, found)
        self.add(found.split(text, 1))
        return True

    def add(self, texts: Iterable[str]) -> None:
        """Put further texts beside these."""
        self.left.update(text for text in texts if text)


class Output:
    """What a body says, each thing to be taken once."""

    def __init__(self, said: Iterable[Claim]) -> None:
        everything = list(said)
        self.kinds = {claim.value: claim.key for claim in everything if claim.kind is Kind.MEDIUM}
        self._payloads = Counter(claim.value for claim in everything if claim.kind is Kind.MEDIUM)
        self._names = Counter(claim.value for claim in everything if claim.kind is Kind.NAME)
        self._values = Counter((claim.key, compact(claim.value)) for claim in everything if claim.kind is Kind.VALUE)
        self._originals = {(claim.key, compact(claim.value)): claim.value for claim in everything if claim.kind is Kind.VALUE}
        travelled = (utf8(payload) for payload in self._payloads.elements())
        self._texts = Texts([*(claim.value for claim in everything if claim.kind is Kind.TEXT), *filter(None, travelled)])
        self._pieces: Counter[tuple[str, str]] = Counter()
        self._whole: Counter[str] = Counter()

    def takes(self, claim: Claim) -> bool:
        """Take a claim where it is said as the thing that it is."""
        match claim.kind:
            case Kind.TEXT:
                return self._texts.takes(claim.value)
            case Kind.NAME:
                return _take(self._names, claim.value)
            case Kind.MEDIUM:
                return self._takes_payload(claim.value)
            case Kind.VALUE:
                return _take(self._values, (claim.key, compact(claim.value)))
            case Kind.ECHO:
                return True
            case _:
                assert_never(claim.kind)

    def _takes_payload(self, payload: str) -> bool:
        text = utf8(payload) or payload
        if not _take(self._payloads, payload):
            return self._texts.takes(text)
        self._texts.takes(text, inside=False)  # it stands for the payload, and for nothing else any more
        return True

    def open_values(self) -> None:
        """From now on, let pieces be found inside the values that no claim took whole."""
        for (key, text), count in self._values.items():
            for where, inside in [*subtrees(self._originals[key, text])] * count:
                self._pieces[nearest(where, key), compact(inside)] += 1
                self._whole[compact(inside)] += 1
                self._texts.add([inside] if isinstance(inside, str) else [])

    def takes_piece(self, claim: Claim) -> bool:
        """Take a piece of a claim inside what is left: a text anywhere, a scalar under its key, an object or list as a whole."""
        if claim.kind is not Kind.VALUE:
            return self.takes(claim)
        if isinstance(claim.value, dict | list):
            return _take(self._whole, compact(claim.value))
        return _take(self._pieces, (claim.key, compact(claim.value)))


class Losses:
    """What the losses name, each thing to be taken once. What was only moved is still to be found in the output."""

    def __init__(self, losses: Iterable[Reported]) -> None:
        self._losses = [loss for loss in losses if loss.original is not None and loss.action != "moved"]
        opened = [list(_opened(loss.original)) for loss in self._losses]
        originals = [value for values in opened for value in values]
        self._whole = Counter(compact(inside) for original in originals for _, inside in subtrees(original))
        self._scalars = [Counter(compact(leaf) for value in values for _, leaf in leaves(value)) for values in opened]
        texts = [text for original in originals for _, text in leaves(original) if isinstance(text, str)]
        self._texts = Texts([*texts, *filter(None, map(utf8, texts))])

    def takes(self, claim: Claim) -> bool:
        """Take a claim where a loss's original holds it; a number, true or false also needs the loss to name its key."""
        match claim.value:
            case str():
                return self._texts.takes(claim.value, inside=claim.kind in {Kind.TEXT, Kind.MEDIUM})
            case bool() | int() | float():
                return any(
                    mentions(loss, {claim.key}) and _take(scalars, compact(claim.value))
                    for loss, scalars in zip(self._losses, self._scalars, strict=True)
                )
            case _:  # null, an object or a list
                return self._takes_whole(claim.value)

    def _takes_whole(self, value: Any) -> bool:
        if not _take(self._whole, compact(value)):
            return False
        for _, inside in subtrees(value):
            if isinstance(inside, str):
                self._texts.takes(inside, inside=False)
        return True

    def takes_echo(self, name: str) -> None:
        """Take the name of a tool from a loss that is about the name alone."""
        if any(loss.original == name for loss in self._losses):
            self._texts.takes(name, inside=False)

    def name(self, text: str) -> bool:
        """Whether a loss's original holds a text; nothing is taken."""
        return any(text in each for each in self._texts.left)

    def state(self, words: set[str], value: Any) -> bool:
        """Whether a loss of the request's own speaks of one of the words and holds the value (any value where that is None)."""
        return any(
            mentions(loss, words) and not loss.path.startswith("$.messages") and (value is None or _holds(loss, value))
            for loss in self._losses
        )


def mentions(loss: Reported, words: set[str]) -> bool:
    """Whether a loss speaks of one of the words: in its path, in what it is about, or as a key of its original."""
    said = set(re.findall(r"[a-z0-9_]+", f"{loss.path} {loss.what} {loss.what.replace(' ', '_')}".lower()))
    keys = {step for where, _ in subtrees(loss.original) for step in where[-1:] if isinstance(step, str)}
    return bool(words & (said | keys))


def _holds(loss: Reported, value: Any) -> bool:
    return any(compact(inside) == compact(value) for original in _opened(loss.original) for _, inside in subtrees(original))


def _opened(original: Any) -> Iterator[Any]:
    """An original, and the JSON that stands in it as text."""
    yield original
    for _, leaf in leaves(original):
        if isinstance(leaf, str) and (inner := decoded(leaf)) is not None:
            yield inner


def _take(things: Counter[Any], thing: Any) -> bool:
    if things[thing] <= 0:
        return False
    things[thing] -= 1
    return True
