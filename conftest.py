"""The pages of the documentation are tests: one for each page that has examples, so that a page is never parted among processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil.example import SybilFailure

from docs import examples


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take each Markdown file that pytest comes by as a page."""
    return Page.from_parent(parent, path=file_path) if file_path.suffix == ".md" else None


class Page(pytest.File):
    """A page of the documentation."""

    def collect(self) -> Iterator[pytest.Item]:
        """The one test of the page, if it has examples."""
        if examples.has_examples(self.path):
            yield Examples.from_parent(self, name="examples")


class Examples(pytest.Item):
    """All examples of a page."""

    def runtest(self) -> None:
        """Run them."""
        examples.run(self.path)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: str | None = None) -> str:
        """Where the page says what is not so."""
        if isinstance(excinfo.value, SybilFailure):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo, "short" if style is None else style))  # type: ignore[arg-type]
