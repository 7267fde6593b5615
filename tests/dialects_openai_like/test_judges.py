"""The judges of the three dialects take what the providers took, and refuse what they refuse."""

from __future__ import annotations

from typing import Any, Final

import pytest
from wire.corpus import present

from .family import FAMILY, accepted
from .judges import JUDGES

pytestmark = [present]

STRANGE: Final = {
    "$.agent_id": "of the agents' API",
    "$.messages[0].content[1].type": "audio as OpenAI has it, which Mistral takes as well",
    "$.messages[0].content[1].input_audio": "audio as OpenAI has it, which Mistral takes as well",
    "$.temperature": "Ollama ignores it here",
    "think": "Ollama ignores it among the options",
}
"""What stands in recorded traffic, and no type of the SDKs has."""


@pytest.mark.parametrize("name", FAMILY)
def test_the_judges_take_what_the_provider_took(name: str) -> None:
    found = [complaint for row in accepted(name) for complaint in JUDGES[name](row.body)]
    assert [complaint for complaint in found if complaint.split()[-1] not in STRANGE] == []


USER: Final = {"role": "user", "content": "hi"}
CALL: Final = {"id": "abcdefghi", "type": "function", "function": {"name": "f", "arguments": "{}"}}
BAD: Final = {
    "mistral": [
        [],
        [{"role": "developer", "content": "d"}],
        [{"role": "user", "content": "x", "weird": 1}],
        [USER, {"role": "assistant", "content": "x"}],
        [USER, {"role": "assistant", "tool_calls": [CALL]}],
        [
            USER,
            {"role": "assistant", "tool_calls": [{**CALL, "id": "call_1"}]},
            {"role": "tool", "tool_call_id": "call_1", "content": "r"},
        ],
        [USER, {"role": "assistant", "tool_calls": [CALL, CALL]}, {"role": "tool", "tool_call_id": "abcdefghi", "content": "r"}],
        [{"role": "system", "content": "a"}, USER, {"role": "assistant", "content": "b"}, {"role": "system", "content": "c"}, USER],
        [{"role": "user", "content": [{"type": "hologram"}]}],
    ],
    "cohere": [
        [{"role": "critic", "content": "x"}],
        [{"role": "user", "content": "x", "weird": 1}],
        [USER, {"role": "assistant", "content": [{"type": "image_url", "image_url": {"url": "https://a"}}]}],
        [USER, {"role": "assistant"}],
        [USER, {"role": "assistant", "tool_calls": [CALL]}],
        [{"role": "tool", "content": "r"}],
    ],
    "ollama": [
        [{"role": "user", "content": [{"type": "text", "text": "x"}]}],
        [{"role": "assistant", "content": "", "tool_calls": [CALL]}],
        [{"role": "tool", "content": "r", "tool_call_id": "c"}],
        [{"role": "critic", "content": "x"}],
        [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]}],
    ],
}


@pytest.mark.parametrize(("name", "messages"), [(name, messages) for name, found in BAD.items() for messages in found])
def test_the_judges_refuse_what_is_wrong(name: str, messages: list[dict[str, Any]]) -> None:
    assert JUDGES[name]({"model": "m", "messages": messages})
    assert JUDGES[name]({"model": "m", "messages": [USER]}) == []
