"""How long property tests run (HYPOTHESIS_PROFILE), and which tests wait until they are asked for (`-m deep`)."""

from __future__ import annotations

import os
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

PROFILES: Final = {
    "dev": settings(max_examples=10),
    "ci": settings(max_examples=10, derandomize=True, print_blob=True),
    "deep": settings(max_examples=250, print_blob=True),
}

for name, profile in PROFILES.items():
    # How long one example takes says more about the machine and its other users than about the code.
    settings.register_profile(name, profile, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests marked `deep` unless the marker expression speaks of them."""
    if "deep" in config.getoption("markexpr"):
        return
    deep = [item for item in items if item.get_closest_marker("deep")]
    config.hook.pytest_deselected(items=deep)
    items[:] = [item for item in items if not item.get_closest_marker("deep")]
