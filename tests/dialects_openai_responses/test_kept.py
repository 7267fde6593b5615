"""A server that keeps nothing is told nothing that only it could have: `store` and `strip_item_ids`."""

from __future__ import annotations

from typing import Any, Final

from chatadt.dialects import Target
from chatadt.dialects.openai_responses import DIALECT
from chatadt.loss import Action, Weight

SIGNED: Final = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "E"}
UNSIGNED: Final = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]}
CALL: Final = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "f", "arguments": "{}"}
OUTPUT: Final = {"type": "function_call_output", "call_id": "c1", "output": "4"}
MESSAGE: Final = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "hi", "annotations": []}],
}
EASY: Final = {"id": "msg_2", "role": "assistant", "content": "ho"}
SEARCH: Final = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
REFERENCE: Final = {"type": "item_reference", "id": "msg_77"}
ID: Final = ("the id of an item", Action.DROPPED, Weight.DETAIL)
THOUGHT: Final = ("reasoning", Action.DROPPED, Weight.DETAIL)


def written(target: Target, *items: Any) -> tuple[dict[str, Any], list[tuple[str, Action, Weight]]]:
    done = DIALECT.write_request(DIALECT.read_request({"input": list(items)}).unwrap(), target)
    return done.value, [(loss.what, loss.action, loss.weight) for loss in done.losses]


def nameless(item: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key != "id"}


def test_nothing_is_left_out_where_nothing_is_known() -> None:
    items = [UNSIGNED, CALL, OUTPUT, SIGNED, MESSAGE, REFERENCE]
    assert written(Target(), *items) == ({"input": items}, [])


def test_without_ids_every_item_stands_for_itself() -> None:
    body, losses = written(Target(strip_item_ids=True), SIGNED, CALL, OUTPUT, MESSAGE, EASY, SEARCH)
    assert body == {"input": [nameless(SIGNED), nameless(CALL), OUTPUT, nameless(MESSAGE), nameless(EASY), SEARCH]}
    assert losses == [ID, ID, ID, ID]


def test_without_ids_reasoning_that_only_the_server_has_goes() -> None:
    body, losses = written(Target(strip_item_ids=True), UNSIGNED, CALL, OUTPUT)
    assert body == {"input": [nameless(CALL), OUTPUT]}
    assert losses == [THOUGHT, ID]


def test_where_nothing_is_stored_what_is_signed_stays_under_its_id() -> None:
    items = [SIGNED, CALL, OUTPUT, MESSAGE]
    assert written(Target(store=False), *items) == ({"store": False, "input": items}, [])


def test_where_nothing_is_stored_unsigned_reasoning_goes_and_the_ids_of_what_it_led_to() -> None:
    body, losses = written(Target(store=False), UNSIGNED, CALL, OUTPUT, MESSAGE)
    assert body == {"store": False, "input": [nameless(CALL), OUTPUT, MESSAGE]}
    assert losses == [THOUGHT, ID]


def test_where_nothing_is_stored_a_reference_is_content_that_is_lost() -> None:
    body, losses = written(Target(store=False), REFERENCE, {"id": "msg_78"})
    assert body == {"store": False, "input": []}
    assert losses == [("a message", Action.DROPPED, Weight.CONTENT)] * 2


def test_what_is_said_of_storing_overrules_what_the_request_said() -> None:
    read = DIALECT.read_request({"store": False, "input": "hi"}).unwrap()
    assert DIALECT.write_request(read, Target()).value == {"store": False, "input": "hi"}
    assert DIALECT.write_request(read, Target(store=True)).value == {"store": True, "input": "hi"}


def test_where_nothing_is_stored_there_is_no_conversation_to_go_on_with() -> None:
    before = {"previous_response_id": "resp_1", "conversation": "conv_1"}
    read = DIALECT.read_request({"input": "hi", **before}).unwrap()
    assert DIALECT.write_request(read).value == {"input": "hi", **before}
    done = DIALECT.write_request(read, Target(store=False))
    assert done.value == {"store": False, "input": "hi"}
    assert {(loss.what, loss.action, loss.weight) for loss in done.losses} == {
        (key, Action.DROPPED, Weight.CONTENT) for key in before
    }
