"""How ids and names are spelt. A bad one is replaced by one that is derived from it: always the same, never one in use.

Rules I1 to I7 (BerriAI/litellm#11392, vercel/ai#5171, langchain-ai/langchain#37756, dyad-sh/dyad#4304, earendil-works/pi#977), P6
for ids that stand twice (mistral-common's validator, oguzbilgic/kern-ai#412, NousResearch/hermes-agent#102629). How the name of a
speaker must be spelt could not be verified. Names of tools have a module of their own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256

from attrs import evolve

from chatadt._sum import changed
from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks._turns import begins_turn
from chatadt.checks._unicode import is_whole, whole
from chatadt.content import Content
from chatadt.dialects._calls import answered
from chatadt.dialects._dialect import IdScope, Rules, Spelling
from chatadt.error import Severity, Violation
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message

__all__ = ("RESULT_NAMES", "SPEAKER_NAMES", "TOOL_IDS", "derive", "misspelt", "respelt")

_DIGEST = 10
_ATTEMPTS = 100


def derive(text: str, spelling: Spelling, taken: Iterable[str], salt: str = "") -> str:
    """A text that `spelling` allows and that is not among `taken`, derived from `text`: the same every time.

    Raises ValueError where nothing that could be derived is allowed: the spelling is at fault then.
    """
    used = taken if isinstance(taken, set | frozenset) else frozenset(taken)
    for attempt in range(_ATTEMPTS):
        digest = sha256(f"{salt}{attempt or ''}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
        for derived in _forms(whole(text), digest, spelling):
            if derived not in used and spelling.allows(derived):
                return derived
    raise ValueError(f"expected a spelling that allows letters and digits, got {spelling.pattern.pattern} for {text[:60]!r}")


def _forms(text: str, digest: str, spelling: Spelling) -> Iterator[str]:
    """What may stand for `text`, the most telling first."""
    joint = _joint(spelling)
    room = max(0, spelling.longest - len(joint) - len(digest))
    kept = spelling.bad.sub(joint, text)[:room].strip(joint)
    if kept:
        yield f"{kept}{joint}{digest}"
        yield f"{joint}{kept[: max(0, room - len(joint))]}{joint}{digest}"  # a name may have to begin with a letter or a joint
    yield f"c{digest}"[: spelling.longest]


def respelt(text: str, spelling: Spelling, taken: Iterable[str]) -> str:
    """`text` without what `spelling` refuses; or, where that does not do, a text derived from it."""
    plain = spelling.bad.sub(_joint(spelling), " ".join(whole(text).split()))[: spelling.longest].strip()
    return plain if spelling.allows(plain) and plain not in frozenset(taken) else derive(text, spelling, taken)


def _joint(spelling: Spelling) -> str:
    """What stands in the place of a character that is refused."""
    return next((joint for joint in "_-" if not spelling.bad.search(joint)), "")


# --- ids -----------------------------------------------------------------------------------------------------------------------


def _takes(spelling: Spelling, id_: str) -> bool:
    return spelling.allows(id_) and (id_.isascii() or is_whole(id_))


def _find_ids(request: ChatRequest, server: Server) -> Iterator[Violation]:
    rules = server.rules
    seen: set[str] = set()
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Assistant):
            if _counts_anew(request.messages, index, rules):
                seen = set()
            for position, content in enumerate(message.contents):
                if isinstance(content, Content.ToolRequest):
                    path = f"$.messages[{index}].contents[{position}].id"
                    if not _takes(rules.tool_id, content.id):
                        yield misspelt(content.id, path, "tool-id", rules.tool_id)
                    elif content.id in seen:
                        within = rules.unique_ids.value
                        fix = f"give each call of a {within} an id of its own"
                        yield Violation("tool-id", path, f"tool id {content.id!r} stands twice in one {within}", fix)
                    seen.add(content.id)
        elif isinstance(message, Message.ToolResult) and not _takes(rules.tool_id, message.id):
            yield misspelt(message.id, f"$.messages[{index}].id", "tool-id", rules.tool_id)


def _counts_anew(messages: tuple[Message.T, ...], index: int, rules: Rules) -> bool:
    """Whether the assistant message at `index` may use the ids of those before it again."""
    return rules.unique_ids is IdScope.MESSAGE and begins_turn(messages, index, rules)


def misspelt(text: str, path: str, rule: str, spelling: Spelling, severity: Severity = Severity.ERROR) -> Violation:
    """The violation of a rule by a text that `spelling` does not allow."""
    fix = f"spell it as {spelling.pattern.pattern} with at most {spelling.longest} characters, or let repair=True derive one"
    return Violation(rule, path, f"{rule.replace('-', ' ')} {text[:80]!r} is not taken", fix, severity)


def _mend_ids(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_ids(request, server), None) is None:
        return Converted(request)
    rules = server.rules
    new_id = _renaming(request, rules.tool_id)
    messages: list[Message.T] = []
    losses: list[Loss] = []
    uses: dict[str, int] = {}
    latest: dict[str, str] = {}  # what an id was last renamed to: where a result goes that stands too far from its call
    answers: dict[str, deque[str]] = {}  # what the ids of the turn were renamed to, for its results in their order
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Assistant):
            if begins_turn(request.messages, index, rules):
                answers = {}
            if _counts_anew(request.messages, index, rules):
                uses = {}
            message = _relabelled(message, new_id, uses, answers, losses, f"$.messages[{index}]")
            latest.update((id_, renamed[-1]) for id_, renamed in answers.items())
        elif isinstance(message, Message.ToolResult):
            id_ = _answered(message.id, answers) or latest.get(message.id) or new_id(message.id, 0)
            if id_ != message.id:
                if message.id not in latest:
                    losses.append(_renamed(message.id, id_, f"$.messages[{index}].id", "of a result without its call"))
                message = evolve(message, id=id_)
        messages.append(message)
    return Converted(evolve(request, messages=messages), tuple(losses))


def _renaming(request: ChatRequest, spelling: Spelling) -> Callable[[str, int], str]:
    """What becomes of an id at its first use (0), its second (1), and so on."""
    taken = {id_ for id_ in _ids(request.messages) if _takes(spelling, id_)}
    known: dict[tuple[str, int], str] = {}

    def renamed(id_: str, use: int) -> str:
        if use == 0 and _takes(spelling, id_):
            return id_
        if (id_, use) not in known:
            known[id_, use] = derive(id_, spelling, taken, f"{use}:" if use else "")
            taken.add(known[id_, use])
        return known[id_, use]

    return renamed


def _answered(id_: str, answers: Mapping[str, deque[str]]) -> str | None:
    """The new id of the call that a result answers: of several calls with one id, each is answered in turn."""
    waiting = answers.get(id_)
    return None if not waiting else waiting.popleft() if len(waiting) > 1 else waiting[0]


def _relabelled(
    message: Message.Assistant,
    new_id: Callable[[str, int], str],
    uses: dict[str, int],
    answers: dict[str, deque[str]],
    losses: list[Loss],
    path: str,
) -> Message.Assistant:
    if not message.tool_requests:
        return message
    contents: list[Content.Output] = []
    for position, content in enumerate(message.contents):
        if isinstance(content, Content.ToolRequest):
            use = uses.get(content.id, 0)
            uses[content.id] = use + 1
            id_ = new_id(content.id, use)
            answers.setdefault(content.id, deque()).append(id_)
            if id_ != content.id:
                losses.append(_renamed(content.id, id_, f"{path}.contents[{position}].id", "here and in its result"))
                content = evolve(content, id=id_)
        contents.append(content)
    return evolve(message, contents=contents)


def _renamed(old: str, new: str, path: str, where: str) -> Loss:
    reason = f"the id is not taken as it is; {where} it is {new}"
    return Loss(path, "tool id", Action.REWRITTEN, Json.of(old), reason, Weight.DETAIL)


def _ids(messages: Iterable[Message.T]) -> Iterator[str]:
    for message in messages:
        if isinstance(message, Message.Assistant):
            yield from (call.id for call in message.tool_requests)
        elif isinstance(message, Message.ToolResult):
            yield message.id


# --- names of tools in results -------------------------------------------------------------------------------------------------


def _misnamed(messages: tuple[Message.T, ...], server: Server) -> Iterator[tuple[int, str, str]]:
    """Index and name of each result that names another tool than its call, and the name of that."""
    if server.rules.results_by_name:
        for index, call in answered(messages).items():
            result = messages[index]
            if isinstance(result, Message.ToolResult) and result.tool not in (None, call.name):
                yield index, str(result.tool), call.name


def _find_misnamed(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index, name, called in _misnamed(request.messages, server):
        what = f"tool result {name[:80]!r} answers a call of {called[:80]!r}"
        yield Violation("result-name", f"$.messages[{index}].tool", what, "name the tool of the call, or let repair=True do it")


def _mend_misnamed(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    messages = list(request.messages)
    losses: list[Loss] = []
    for index, name, called in _misnamed(request.messages, server):
        reason = f"a result is told by the name of its tool, and its call is one of {called}"
        path = f"$.messages[{index}].tool"
        losses.append(Loss(path, "the name of the tool", Action.REWRITTEN, Json.of(name), reason, Weight.DETAIL))
        messages[index] = changed(messages[index], "tool", called)
    return Converted(evolve(request, messages=messages), tuple(losses)) if losses else Converted(request)


# --- names of speakers ---------------------------------------------------------------------------------------------------------


def _speakers(request: ChatRequest) -> Iterator[tuple[int, str]]:
    """The name of each speaker who has one, with the index of the message."""
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.User | Message.Assistant) and message.name is not None:
            yield index, message.name


def _find_speakers(request: ChatRequest, server: Server) -> Iterator[Violation]:
    spelling = server.rules.speaker_name
    for index, name in () if spelling is None else _speakers(request):
        if spelling is not None and not spelling.allows(name):
            yield misspelt(name, f"$.messages[{index}].name", "speaker-name", spelling, Severity.WARNING)


def _mend_speakers(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    spelling = server.rules.speaker_name
    if spelling is None or next(_find_speakers(request, server), None) is None:
        return Converted(request)
    taken = {name for _, name in _speakers(request) if spelling.allows(name)}
    renamed: dict[str, str] = {}
    messages = list(request.messages)
    losses: list[Loss] = []
    for index, name in _speakers(request):
        if not spelling.allows(name):
            if name not in renamed:
                renamed[name] = respelt(name, spelling, {*taken, *renamed.values()})
            reason = f"the name is not taken as it is; everywhere it is {renamed[name]}"
            path = f"$.messages[{index}].name"
            losses.append(Loss(path, "name of a speaker", Action.REWRITTEN, Json.of(name), reason, Weight.DETAIL))
            messages[index] = _with_speaker(messages[index], renamed[name])
    return Converted(evolve(request, messages=messages), tuple(losses))


def _with_speaker(message: Message.T, name: str) -> Message.T:
    return evolve(message, name=name) if isinstance(message, Message.User | Message.Assistant) else message


TOOL_IDS = Rule("tool-id", True, _find_ids, _mend_ids)
RESULT_NAMES = Rule("result-name", True, _find_misnamed, _mend_misnamed)
SPEAKER_NAMES = Rule("speaker-name", False, _find_speakers, _mend_speakers, certain=False)
