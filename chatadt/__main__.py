"""`python -m chatadt` is the command line."""

from __future__ import annotations

from chatadt.cli import main

if __name__ == "__main__":
    main()
