"""How long property tests run (HYPOTHESIS_PROFILE), and which tests wait until they are asked for (`-m deep`)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final
from zlib import crc32

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


SAMPLED: Final[Mapping[str, int]] = {
    "clients/test_beginnings.py": 5,
    "clients/test_contract.py": 2,
    "clients/test_fields.py": 3,
    "clients/test_transport.py::test_a_chat_and_its_stream_hold": 3,
    "clients/test_transport.py::test_to_leave_an_asynchronous_stream": 3,
    "crossing/test_cost.py": 2,
    "crossing/test_every_field.py": 2,
    "hostile/test_notes.py": 3,
    "hostile/test_shapes.py": 3,
    "hostile/test_size.py": 2,
    "rules/test_rules_laws.py::test_all_of_it_holds_for_each_demand": 3,
    "streams/test_any_json.py": 2,
    "streams/test_linear.py": 3,
    "streams/test_order.py": 2,
    "test_strategies.py": 2,
    "transforms/test_laws.py": 2,
}
"""Tests of which there are many alike, by file or name: one in so many runs for everyone, the others in deep runs."""


def wait_for_a_deep_run(items: list[pytest.Item]) -> None:
    """Mark all but the sample: the first of each function, and those that their names choose, which are some of each dialect."""
    seen: set[str] = set()
    for item in items:
        function = item.nodeid.partition("[")[0]
        one_in = next((number for part, number in SAMPLED.items() if part in function), 1)
        if function in seen and crc32(item.nodeid.encode()) % one_in:
            item.add_marker(pytest.mark.deep)
        seen.add(function)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests marked `deep` unless the marker expression speaks of them."""
    if "deep" in config.getoption("markexpr"):
        return
    wait_for_a_deep_run(items)
    deep = [item for item in items if item.get_closest_marker("deep")]
    config.hook.pytest_deselected(items=deep)
    items[:] = [item for item in items if not item.get_closest_marker("deep")]
