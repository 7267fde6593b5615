"""What every converter owes its users, as plain functions of one example. Each returns None, or raises `Broken`.

They hold for the dialects of this library; run them on a `Dialect` of your own, with examples from anywhere:

    @given(strategies.chat_requests())
    def test_my_writer_is_honest(request):
        laws.honesty(MINE, request)

`LAWS` names them all. What a law is about shows in the names of its parameters, so that a test can go through the table:

- `dialect`, `source`, `target`: the name of a dialect, or a `Dialect`
- `value`: any Python value, JSON or not (`strategies.json()`)
- `body`: a request body of the dialect, as plain JSON: recorded traffic, or what its writer wrote
- `request`: any `ChatRequest` (`strategies.chat_requests()`)
- `sayable`: a `ChatRequest` that the dialect can say without loss, as its reader would give it (`strategies.requests(name)`)
- `conversation`: a `ChatRequest` whose tool requests are each answered once (`strategies.histories()`)
- `word`: anything that `chatadt.dumps` takes
- `response`: any `ChatResponse` (`strategies.chat_responses()`)
- `stream`: any sequence of deltas (`strategies.streams()`)
- `prompt`: any `Prompt` (`strategies.prompts()`)
- `filling`: a `Template`, and values that fill it (`strategies.templates_and_fillings()`)

No law needs hypothesis, the network or a provider's library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from chatadt.laws._answers import answers_kept, answers_settled
from chatadt.laws._broken import Broken, quotes
from chatadt.laws._conversions import checks, ids, own_json, policies, repairs
from chatadt.laws._honesty import honesty, order, pairing, truth
from chatadt.laws._streams import folding, incremental, rechunking, recut, separating, streams_kept
from chatadt.laws._templates import prompts_kept, values_stay_values
from chatadt.laws._wire import answers, idempotence, identity, purity_of_reading, purity_of_writing, retraction, writes

__all__ = (
    "LAWS",
    "Broken",
    "answers",
    "answers_kept",
    "answers_settled",
    "checks",
    "folding",
    "honesty",
    "idempotence",
    "identity",
    "ids",
    "incremental",
    "order",
    "own_json",
    "pairing",
    "policies",
    "prompts_kept",
    "purity_of_reading",
    "purity_of_writing",
    "quotes",
    "rechunking",
    "recut",
    "repairs",
    "retraction",
    "separating",
    "streams_kept",
    "truth",
    "values_stay_values",
    "writes",
)

Broken.__module__ = __name__  # where users find it, and what a traceback should say

LAWS: Final[Mapping[str, Callable[..., None]]] = {
    "answers": answers,
    "writes": writes,
    "identity": identity,
    "retraction": retraction,
    "idempotence": idempotence,
    "purity of reading": purity_of_reading,
    "purity of writing": purity_of_writing,
    "honesty": honesty,
    "truth": truth,
    "order": order,
    "pairing": pairing,
    "policies": policies,
    "ids": ids,
    "checks": checks,
    "repairs": repairs,
    "own JSON": own_json,
    "answers kept": answers_kept,
    "answers settled": answers_settled,
    "folding": folding,
    "rechunking": rechunking,
    "separating": separating,
    "incremental": incremental,
    "streams kept": streams_kept,
    "prompts kept": prompts_kept,
    "values stay values": values_stay_values,
}
"""Every law by its name. The names of a law's parameters say what it takes (see above)."""
