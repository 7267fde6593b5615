"""What is known to be wrong and waits to be mended: a test of it is an expected failure, and fails when it is mended."""

from __future__ import annotations

from typing import Final

__all__ = ("LOST_AT_HOME",)

LOST_AT_HOME: Final = {
    ("anthropic", "no max_tokens, which the server refuses"): "max_tokens is invented at home",
}
"""By dialect and example: what is not written back as it was."""
