"""Each rule, broken and kept."""

from __future__ import annotations

import pytest

from chatadt import Converted, Severity, check, repair
from chatadt.check import RULES
from chatadt.checks._rule import Rule
from rules.examples import EXAMPLES, Example
from rules.servers import MEEK, server

IDS = [f"{example.rule} {number}" for number, example in enumerate(EXAMPLES)]
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=IDS)


def test_every_rule_has_an_example() -> None:
    assert {example.rule for example in EXAMPLES} == {rule.name for rule in RULES}


@each_example
def test_what_breaks_a_rule_is_found_where_it_stands(example: Example) -> None:
    found = check(example.breaks, server(**example.demands), example.model)
    assert [violation.path for violation in found if violation.rule == example.rule][:1] == [example.path]


@each_example
def test_what_keeps_a_rule_is_passed_and_left_alone(example: Example) -> None:
    dialect = server(**example.demands)
    assert check(example.keeps, dialect, example.model) == ()
    assert repair(example.keeps, dialect, example.model) == Converted(example.keeps)


@each_example
def test_a_repair_makes_it_right_and_says_what_it_did(example: Example) -> None:
    mended = repair(example.breaks, server(**example.demands), example.model)
    assert mended.value == (example.keeps if example.becomes is None else example.becomes)
    assert tuple(f"{loss.action.value} {loss.what}" for loss in mended.losses) == example.losses


@each_example
def test_a_server_without_the_rule_finds_nothing(example: Example) -> None:
    """But for rules of all servers: no text is half a pair, no address is a data URL, a conversation is not empty, ids differ."""
    found = {violation.rule for violation in check(example.breaks, server(), example.model)}
    assert found <= {"lone-surrogate", "media-address", "needs-turn", "tool-id"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_that_is_not_certain_warns_and_any_other_is_an_error(rule: Rule) -> None:
    examples = [example for example in EXAMPLES if example.rule == rule.name]
    severities = {
        violation.severity
        for example in examples
        for violation in check(example.breaks, server(**example.demands), example.model)
        if violation.rule == example.rule
    }
    assert (Severity.ERROR if rule.certain else Severity.WARNING) in severities


def test_the_meek_server_has_none_of_the_demands() -> None:
    assert all(server(**example.demands).rules != MEEK for example in EXAMPLES if example.demands)
