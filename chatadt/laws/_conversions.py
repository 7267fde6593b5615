"""Laws of conversions, of checks and repairs, and of the library's own JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from returns.result import Success

from chatadt.chat import ChatRequest
from chatadt.check import check, repair
from chatadt.codec import Document, dumps, loads
from chatadt.convert import convert
from chatadt.dialects import Dialect
from chatadt.laws._broken import Broken, dialect_of
from chatadt.loss import Converted, Policy
from chatadt.message import Message

__all__ = ("checks", "ids", "own_json", "policies", "repairs")


def policies(source: str | Dialect, target: str | Dialect, body: object) -> None:
    """STRICT succeeds only without losses, FAITHFUL only without losses of content, LENIENT whenever the body can be read; where
    two of them succeed, they give the same body and the same losses. Mending is a choice of its own: here nothing is mended.
    """
    reader = dialect_of(source)
    got = {policy: convert(body, source, target, policy=policy, repair=False) for policy in Policy}
    readable = isinstance(reader.read_request(body), Success)
    converted = {policy: result.unwrap() for policy, result in got.items() if isinstance(result, Success)}
    if Policy.STRICT in converted and converted[Policy.STRICT].losses:
        raise Broken("STRICT allows no loss", given=body, via=Policy.STRICT, got=converted[Policy.STRICT].losses)
    if any(two != one for one, two in pairwise(converted.values())):
        raise Broken("a policy decides whether, not what", given=body, via=tuple(converted), got=tuple(converted.values()))
    for stricter, laxer in pairwise(Policy):
        if stricter in converted and laxer not in converted:
            raise Broken(f"what {stricter} allows {laxer} allows", given=body, via=stricter, got=got[laxer])
    mended = convert(body, source, target, policy=Policy.LENIENT)
    if isinstance(mended, Success) is not readable:
        raise Broken("LENIENT converts whatever can be read", given=body, via=Policy.LENIENT, got=mended)


def ids(source: str | Dialect, target: str | Dialect, body: object) -> None:
    """Ids of tool calls are rewritten alike in calls and results, and two that differ never become one."""
    reader, writer = dialect_of(source), dialect_of(target)
    mended = convert(body, source, target, policy=Policy.LENIENT)
    if not isinstance(mended, Success):
        return
    before = reader.read_request(body).unwrap()
    after = writer.read_request(mended.unwrap().value).unwrap()
    old, new = list(_calls(before)), list(_calls(after))
    if len(old) != len(new):
        raise Broken("every call comes across", given=old, via=f"{reader.name} to {writer.name}", got=new)
    renamed: dict[str, str] = {}
    for (turn, one), (_, other) in zip(old, new, strict=True):
        if renamed.setdefault(f"{turn} {one}", other) != other and not _is_twice(old, turn, one):
            raise Broken("one id stays one id", given=old, via=f"{reader.name} to {writer.name}", got=new)
    pairs = {(one, other) for (_, one), (_, other) in zip(old, new, strict=True)}
    targets = Counter(other for _, other in pairs)
    if any(count > 1 for count in targets.values()):
        raise Broken("two ids stay two", given=old, via=f"{reader.name} to {writer.name}", got=new)
    answered = {message.id for message in after.messages if isinstance(message, Message.ToolResult)}
    if answered - {id_ for _, id_ in new}:
        raise Broken("a result has the id of its call", given=old, via=new, got=answered)


def _calls(request: ChatRequest) -> Iterator[tuple[int, str]]:
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Assistant):
            yield from ((index, call.id) for call in message.tool_requests)


def _is_twice(calls: Iterable[tuple[int, str]], turn: int, id_: str) -> bool:
    return sum(call == (turn, id_) for call in calls) > 1


# --- checks --------------------------------------------------------------------------------------------------------------------


def checks(dialect: str | Dialect, request: ChatRequest) -> None:
    """What `check` passes, `repair` leaves alone; what it finds has a rule, a path, and words for what is wrong and what to do."""
    known = dialect_of(dialect)
    found = check(request, known)
    mended = repair(request, known)
    if not found and mended != Converted(request):
        raise Broken("a valid conversation is left as it is", given=request, via="repair", got=mended)
    for violation in found:
        if not (violation.rule and violation.path.startswith("$.") and violation.what and violation.fix):
            raise Broken("a violation says what, where and how to mend it", given=request, via="check", got=violation)


def repairs(dialect: str | Dialect, request: ChatRequest) -> None:
    """What `repair` gives is valid, each of its steps is a loss, and to repair it again changes nothing."""
    known = dialect_of(dialect)
    mended = repair(request, known)
    if left := check(mended.value, known):
        raise Broken("what was mended is valid", given=request, via=mended, got=left)
    if mended.value != request and not mended.losses:
        raise Broken("what is mended is named", given=request, via="repair", got=mended.value)
    if (again := repair(mended.value, known)) != Converted(mended.value):
        raise Broken("what was mended needs no mending", given=request, via=mended, got=again)


# --- own JSON ------------------------------------------------------------------------------------------------------------------


def own_json(word: Document) -> None:
    """The library's own JSON gives back the word that it was made of, and the same bytes for it every time."""
    data = dumps(word)
    again = loads(data)
    if again != Success(word):
        raise Broken("own JSON is read back as it was", given=word, via=data, got=again)
    if (second := dumps(again.unwrap())) != data:
        raise Broken("equal words give equal bytes", given=word, via=data, got=second)
