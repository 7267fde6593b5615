"""What was mended of any conversation, and what crossed of anything that another dialect can say, is valid for its provider.

What a target said itself goes back to it as it was: nobody but its server judges that.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, given, strategies as st

from chatadt import DIALECTS, ChatRequest, Policy, convert, laws, repair, strategies

from .judges import complaints
from .traffic import FOLDERS

each_target = pytest.mark.parametrize("target", FOLDERS)


@each_target
def test_a_mended_request_is_valid(target: str) -> None:
    @given(st.one_of(strategies.chat_requests(), st.builds(ChatRequest, strategies.histories())))
    def holds(request: ChatRequest) -> None:
        assume(not laws.quotes(request, target))
        body = DIALECTS[target].write_request(repair(request, target).value).value
        assert complaints(target, body) == []

    holds()


@each_target
def test_what_crossed_is_valid(target: str) -> None:
    others = st.sampled_from([name for name in FOLDERS if name != target])

    @given(others.flatmap(lambda source: st.tuples(st.just(source), strategies.requests(source))))
    def holds(said: tuple[str, ChatRequest]) -> None:
        source, request = said
        body = DIALECTS[source].write_request(request).value
        answer = convert(body, source, target, policy=Policy.LENIENT)
        assert complaints(target, answer.unwrap().value) == []

    holds()
