"""The dialects, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from chatadt.dialects import anthropic, openai_chat
from chatadt.dialects._dialect import Capability, Dialect, ModelProfile, Placement, Rules, Says, Spelling, Target

__all__ = ("DIALECTS", "Capability", "Dialect", "ModelProfile", "Placement", "Rules", "Says", "Spelling", "Target")

DIALECTS: Final[Mapping[str, Dialect]] = MappingProxyType(
    {dialect.name: dialect for dialect in (openai_chat.DIALECT, anthropic.DIALECT)}
)
"""Every dialect of the package. To use one of your own, pass its `Dialect` wherever a name is taken."""
