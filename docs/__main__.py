"""`python -m docs` writes every generated part of the documentation anew; `--check` only says which are stale."""

from __future__ import annotations

import sys

from docs.parts import ROOT, pages


def main() -> int:
    """Write the pages that are stale; with `--check`, name them and exit 1 when there are any."""
    checks = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not checks:
        sys.stderr.write(f"expected no argument or --check, got {' '.join(sys.argv[1:])}\n")
        return 2
    stale = {path: text for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text}
    for path, text in stale.items():
        sys.stdout.write(f"{'stale' if checks else 'written'}: {path.relative_to(ROOT)}\n")
        if not checks:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if checks and stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
