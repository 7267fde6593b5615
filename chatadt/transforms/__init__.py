"""What is done to a history between two calls: keep, cut, merge, redact, summarise, store.

Each is a function from a `History` to a `History`, or to a `Result` where it can fail; what takes options is given them first. So
they compose, by `flow` and `pipe` of `returns.pipeline`: `flow(history, window(3), without_reasoning)`. None changes its input,
none parts a tool request from its result, and a history of which `validate` has nothing to say is one afterwards.
"""

from __future__ import annotations

from chatadt.transforms._calls import close_calls, relabel
from chatadt.transforms._contents import (
    drop_contents,
    drop_messages,
    keep_contents,
    keep_messages,
    map_contents,
    merge_runs,
    without_reasoning,
)
from chatadt.transforms._cost import Cost, by_huggingface, by_kind, by_tiktoken, cost_of, quarter
from chatadt.transforms._diff import Change, diff
from chatadt.transforms._edit import NoMessage, branch, concat, edit
from chatadt.transforms._exchanges import Transform, exchanges, window
from chatadt.transforms._fit import OverBudget, fit
from chatadt.transforms._redact import Kind, redact
from chatadt.transforms._resources import Missing, address_of, externalise, inline
from chatadt.transforms._summary import is_summary, older, put_summary, summarise, try_summarise
from chatadt.transforms._validate import validate

__all__ = (
    "Change",
    "Cost",
    "Kind",
    "Missing",
    "NoMessage",
    "OverBudget",
    "Transform",
    "address_of",
    "branch",
    "by_huggingface",
    "by_kind",
    "by_tiktoken",
    "close_calls",
    "concat",
    "cost_of",
    "diff",
    "drop_contents",
    "drop_messages",
    "edit",
    "exchanges",
    "externalise",
    "fit",
    "inline",
    "is_summary",
    "keep_contents",
    "keep_messages",
    "map_contents",
    "merge_runs",
    "older",
    "put_summary",
    "quarter",
    "redact",
    "relabel",
    "summarise",
    "try_summarise",
    "validate",
    "window",
    "without_reasoning",
)
