"""What was read is written back exactly as it was, recorded traffic and the SDK's form of it; nothing makes the reader raise."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from returns.result import Failure, Success

from chatadt import ChatRequest, convert, dumps, loads
from chatadt.dialects.bedrock import DIALECT, with_base64, with_bytes
from chatadt.error import ConversionError
from chatadt.result import closed
from tests.wire.corpus import all_bodies, present, recorded, recordings, report
from tests.wire.values import same

FAMILY = "bedrock_converse"


def _back(body: Any) -> tuple[Any, str]:
    """What comes back, and why it does not; losses at home are a failure as well."""
    match closed(DIALECT.read_request(body)):
        case Success(request):
            written = DIALECT.write_request(request)
            return written.value, "; ".join(map(str, written.losses))
        case Failure(error):
            return None, str(error)


@present
def test_every_body_of_the_family_comes_back_exactly() -> None:
    """Those that were refused and those that were written by hand too; 13 of them are bodies of Nova by InvokeModel."""
    rows = recordings(FAMILY, "request")
    failures = [f"{row.id} {why}" for row in rows for back, why in [_back(row.body)] if why or not same(back, row.body)]
    nova = [row for row in rows if row.dialect == "bedrock_invoke_nova"]
    print(f"\nbedrock: {len(rows)} bodies, {len(nova)} of Nova's own; {len(rows) - len(failures)} equal without canonical")
    assert len(recorded(FAMILY, "request")) > 190
    assert len(nova) > 10
    assert not failures, report("does not come back", failures, len(rows))


@present
def test_a_body_with_bytes_comes_back_with_bytes_and_is_read_to_the_same_words() -> None:
    rows = [row for row in recordings(FAMILY, "request") if with_bytes(row.body) != row.body]
    for row in rows:
        sdk = with_bytes(row.body)
        before = deepcopy(sdk)
        request = DIALECT.read_request(sdk).unwrap()
        assert request.messages == DIALECT.read_request(row.body).unwrap().messages
        assert DIALECT.write_request(request).value == sdk == before
        assert json.loads(DIALECT.encode_request(request).value) == row.body == with_base64(sdk)
    assert len(rows) > 20


@present
def test_a_body_goes_through_the_librarys_own_json_and_comes_back() -> None:
    """The text of a schema apart, which own JSON holds as the value that it is."""
    rows = recorded(FAMILY, "request")
    failures: list[str] = []
    for row in rows:
        again = loads(dumps(DIALECT.read_request(row.body).unwrap())).unwrap()
        assert isinstance(again, ChatRequest)
        if not same(_parsed(DIALECT.write_request(again).value), _parsed(row.body)):
            failures.append(row.id)
    assert not failures, report("own JSON", failures, len(rows))


def _parsed(value: Any) -> Any:
    match value:
        case {"jsonSchema": {"schema": str() as text, **rest}}:
            return {"schema": json.loads(text), **rest}
        case dict():
            return {key: _parsed(item) for key, item in value.items()}
        case list():
            return [_parsed(item) for item in value]
        case _:
            return value


@present
def test_converting_home_is_the_identity_where_the_server_takes_it() -> None:
    rows, refused = recorded(FAMILY, "request"), list[str]()
    for row in rows:
        match closed(convert(row.body, DIALECT, DIALECT)):
            case Success(converted):
                assert same(converted.value, row.body), row.id
                assert converted.losses == ()
            case Failure(ConversionError.Invalid(_, violations)):
                refused.append(f"{row.id} {violations[0]}")
            case Failure(error):
                raise AssertionError(f"{row.id} {error}")
    print(report("refused at home", refused, len(rows)))
    assert len(refused) < len(rows) / 10


@present
def test_no_body_of_any_family_and_kind_makes_the_reader_raise_or_is_changed() -> None:
    count = 0
    for row in all_bodies():
        before = json.dumps(row.body) if count % 10 == 0 else None
        _back(row.body)
        assert before is None or json.dumps(row.body) == before
        count += 1
    assert count
