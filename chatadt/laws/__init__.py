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

Laws of transforms stand in a table of their own, `LAWS_OF_TRANSFORMS`. They take a `transform`, which is any function of a history
that answers a history or a `Result` of one, and a `history`; some take more, or histories alone:

    @given(strategies.histories())
    def test_my_transform_keeps_histories_valid(history):
        laws.soundness(my_transform, history)

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
from chatadt.laws._transforms import (
    Transformation,
    budgets,
    differences,
    exchanges_kept,
    instructions_kept,
    partition,
    purity_of_transforms,
    restoring,
    selection,
    settling,
    soundness,
)
from chatadt.laws._wire import answers, idempotence, identity, purity_of_reading, purity_of_writing, retraction, writes

__all__ = (
    "LAWS",
    "LAWS_OF_TRANSFORMS",
    "Broken",
    "Transformation",
    "answers",
    "answers_kept",
    "answers_settled",
    "budgets",
    "checks",
    "differences",
    "exchanges_kept",
    "folding",
    "honesty",
    "idempotence",
    "identity",
    "ids",
    "incremental",
    "instructions_kept",
    "order",
    "own_json",
    "pairing",
    "partition",
    "policies",
    "prompts_kept",
    "purity_of_reading",
    "purity_of_transforms",
    "purity_of_writing",
    "quotes",
    "rechunking",
    "recut",
    "repairs",
    "restoring",
    "retraction",
    "selection",
    "separating",
    "settling",
    "soundness",
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

LAWS_OF_TRANSFORMS: Final[Mapping[str, Callable[..., None]]] = {
    "purity of transforms": purity_of_transforms,
    "soundness": soundness,
    "settling": settling,
    "selection": selection,
    "instructions kept": instructions_kept,
    "exchanges kept": exchanges_kept,
    "budgets": budgets,
    "restoring": restoring,
    "partition": partition,
    "differences": differences,
}
"""Every law of transforms by its name."""
