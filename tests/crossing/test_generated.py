"""What was mended of any conversation, what crossed of anything that another dialect can say, and any answer and stream are valid.

What a target said itself goes back to it as it was: nobody but its server judges that.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, given, strategies as st
from wire.answers import complaints as complaints_about_answers
from wire.views import VIEWS

from chatadt import DIALECTS, ChatRequest, ChatResponse, Delta, Policy, convert, laws, repair, strategies

from .judges import complaints
from .traffic import FOLDERS

TOOL_NAME = "contentBlockStart.start.toolUse.name"
"""An answer says a tool's name as the model said it, which need not be one that Bedrock would take in a request."""

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


@each_target
def test_an_answer_is_valid(target: str) -> None:
    @given(strategies.chat_responses())
    def holds(response: ChatResponse) -> None:
        messages = (response.message, *(other.message for other in response.others))
        assume(target != "openai_chat" or all(message.name is None for message in messages))  # no server, but some clients name it
        assume(not laws.quotes(response, target))
        assert complaints_about_answers(target, DIALECTS[target].write_response(response).value) == []

    holds()


@each_target
def test_each_event_of_a_stream_is_valid(target: str) -> None:
    @given(strategies.streams())
    def holds(deltas: list[Delta.T]) -> None:
        assume(not any(isinstance(delta, Delta.Custom) and delta.dialect == target for delta in deltas))
        assume(not laws.quotes(tuple(deltas), target))
        write = DIALECTS[target].write_stream
        assert write is not None
        found = [complaint for event in write(deltas) for complaint in VIEWS[target].event_complaints(event)]
        assert [complaint for complaint in found if TOOL_NAME not in complaint] == []

    holds()
