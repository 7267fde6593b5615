"""One typed chat message, every provider's dialect, nothing lost in silence."""

from chatadt.chat import (
    ChatRequest,
    ChatResponse,
    Choice,
    Effort,
    Metadata,
    ModelParams,
    ProviderError,
    ResponseFormat,
    StopKind,
    StopReason,
    Thinking,
    Usage,
)
from chatadt.check import check, repair
from chatadt.codec import dumps, loads
from chatadt.content import Arguments, Content, Detail
from chatadt.convert import convert
from chatadt.delta import Delta
from chatadt.dialects import DIALECTS, Dialect
from chatadt.error import ConversionError, Problem, Severity, Violation
from chatadt.fold import Folding, deltas_of, fold, fold_each
from chatadt.history import History
from chatadt.json import Extras, Json
from chatadt.loss import Action, Converted, Loss, Policy, Weight
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = (
    "DIALECTS",
    "Action",
    "Arguments",
    "ChatRequest",
    "ChatResponse",
    "Choice",
    "Content",
    "ConversionError",
    "Converted",
    "Delta",
    "Detail",
    "Dialect",
    "Effort",
    "Extras",
    "Folding",
    "History",
    "Json",
    "Loss",
    "Message",
    "Metadata",
    "ModelParams",
    "Outcome",
    "Policy",
    "Problem",
    "ProviderError",
    "ProviderTool",
    "Resource",
    "ResponseFormat",
    "Severity",
    "StopKind",
    "StopReason",
    "Thinking",
    "Tool",
    "ToolChoice",
    "Usage",
    "Violation",
    "Weight",
    "check",
    "convert",
    "deltas_of",
    "dumps",
    "fold",
    "fold_each",
    "loads",
    "repair",
)

__version__ = "0.1.0"
