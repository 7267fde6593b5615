"""Laws of reading and writing."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, cast

from returns.result import Failure, Success

from chatadt.chat import ChatRequest
from chatadt.codec import dumps
from chatadt.dialects import Dialect
from chatadt.error import ConversionError
from chatadt.json import Json
from chatadt.laws._broken import Broken, answer_of, dialect_of, read_back, written_by
from chatadt.loss import Action
from chatadt.result import closed

__all__ = ("answers", "idempotence", "identity", "purity_of_reading", "purity_of_writing", "retraction", "writes")


def answers(dialect: str | Dialect, value: object) -> None:
    """Totality of reading: whatever comes in, a reader answers a Result and never raises, and its error can be shown.

    Give it any value, broken bodies of your dialect above all.
    """
    known = dialect_of(dialect)
    read = answer_of(lambda: known.read_request(value), "a reader never raises", value, f"{known.name}.read_request")
    answer = cast("object", read.unwrap() if isinstance(read, Success) else read.failure())
    if not isinstance(answer, ChatRequest) and not (isinstance(answer, ConversionError.T) and str(answer)):
        raise Broken("a reader answers a request or an error", given=value, via=f"{known.name}.read_request", got=read)


def writes(dialect: str | Dialect, request: ChatRequest) -> None:
    """Totality of writing: any request is written as a JSON object, and each loss says where, what and why.

    Give it requests of every kind, those of other dialects above all.
    """
    known = dialect_of(dialect)
    written = written_by(known, request)
    try:
        Json.of(written.value)
    except (TypeError, ValueError) as error:
        raise Broken("a body is JSON", given=request, via=written.value, got=error) from None
    if not isinstance(cast("object", written.value), dict):
        raise Broken("a body is a JSON object", given=request, via=f"{known.name}.write_request", got=written.value)
    for loss in written.losses:
        if not (loss.path.startswith("$") and loss.what and loss.reason):
            raise Broken("a loss has a path, a name and a reason", given=request, via=written.value, got=loss)
        if (loss.original is None) is not (loss.action is Action.INVENTED):
            raise Broken("a loss holds the original, unless it was invented", given=request, via=written.value, got=loss)


def identity(dialect: str | Dialect, body: object) -> None:
    """Same dialect in and out: what can be read is written as it was, up to the spellings that `canonical` folds, without a loss.

    Give it recorded bodies. A body that cannot be read breaks nothing here.
    """
    known = dialect_of(dialect)
    match closed(known.read_request(body)):
        case Failure():
            return
        case Success(request):
            written = written_by(known, request)
            if known.canonical(written.value) != known.canonical(body):
                raise Broken("a body that was read is written back as it was", given=body, via=request, got=written.value)
            if written.losses:
                raise Broken("nothing is lost at home", given=body, via=request, got=written.losses)


def retraction(dialect: str | Dialect, sayable: ChatRequest) -> None:
    """What the dialect can say is written without a loss, and read back as it was.

    Give it requests as the dialect's reader would give them: words that another shape stands for just as well come back in that.
    """
    known = dialect_of(dialect)
    written = written_by(known, sayable)
    if written.losses:
        raise Broken("what can be said is said without a loss", given=sayable, via=written.value, got=written.losses)
    again = known.read_request(written.value)
    if again != Success(sayable):
        raise Broken("what can be said is read back as it was", given=sayable, via=written.value, got=again)


def idempotence(dialect: str | Dialect, request: ChatRequest) -> None:
    """Once written and read, a request has the dialect's form: to write and read it again changes nothing, and loses nothing."""
    known = dialect_of(dialect)
    normal = read_back(known, written_by(known, request).value, request)
    if normal is None:
        return
    written = written_by(known, normal)
    if written.losses:
        raise Broken("a request in the dialect's form loses nothing more", given=request, via=normal, got=written.losses)
    again = read_back(known, written.value, normal)
    if again != normal:
        raise Broken("to write and read twice is to do it once", given=request, via=normal, got=again)


def purity_of_reading(dialect: str | Dialect, body: object) -> None:
    """Reading leaves the body as it is, and reads the same twice. Give it anything that `copy.deepcopy` takes."""
    known = dialect_of(dialect)
    before = deepcopy(body)
    first = known.read_request(body)
    if body != before:
        raise Broken("reading changes nothing", given=before, via=f"{known.name}.read_request", got=body)
    if (second := known.read_request(body)) != first:
        raise Broken("the same body is read alike", given=body, via=first, got=second)


def purity_of_writing(dialect: str | Dialect, request: ChatRequest) -> None:
    """Writing gives the same twice, and what it gave belongs to the caller: to change it changes no later answer."""
    known = dialect_of(dialect)
    before = dumps(request)
    first = written_by(known, request)
    kept = deepcopy(first.value)
    _spoil(first.value)
    second = written_by(known, request)
    if (second.value, second.losses) != (kept, first.losses):
        raise Broken("the same request is written alike", given=request, via=kept, got=second)
    if dumps(request) != before:
        raise Broken("writing changes nothing", given=before, via=kept, got=dumps(request))


def _spoil(value: Any) -> None:
    """Change plain JSON wherever that is possible."""
    match value:
        case dict():
            for inner in cast("dict[str, Any]", value).values():
                _spoil(inner)
            value.clear()
        case list():
            for inner in cast("Any", value):
                _spoil(inner)
            value.clear()
        case _:  # a scalar
            return
