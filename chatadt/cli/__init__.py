"""The command line door: `chatadt convert`, `chatadt check`, `chatadt show`, `chatadt dialects`.

Exit codes: 0 all went well, 1 some of the input failed, 2 wrong use, 130 interrupted. typer and rich come with the extra `cli`.
"""

from __future__ import annotations

import sys
from typing import Final

__all__ = ("main",)

_EXTRA: Final = frozenset({"typer", "rich"})


def main() -> None:
    """Run the command that `sys.argv` names, and leave by SystemExit with its exit code."""
    try:
        from chatadt.cli.app import app
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _EXTRA:
            raise
        sys.stderr.write(f"the chatadt command needs {missing}, which comes with the extra `cli`: pip install 'chatadt[cli]'\n")
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    app()
