"""What was mended of any conversation, what crossed of anything that another dialect can say, and any answer and stream are valid.

What a target said itself goes back to it as it was: nobody but its server judges that.
"""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import assume, given, strategies as st
from wire.answers import complaints as complaints_about_answers
from wire.views import VIEWS

from chatadt import DIALECTS, ChatRequest, ChatResponse, Delta, Policy, convert, laws, repair, strategies

from .judges import complaints
from .traffic import FOLDERS

CALL = "contentBlockStart.start.toolUse."
"""A stream says a call as the model made it: its name and its id need not be such as Bedrock would take in a request."""

WARNED = "a forced tool although thinking is on"
"""Of which `check` warns: whether it is refused depends on the model and the way of thinking, so a crossing leaves it as it is."""

each_target = pytest.mark.parametrize("target", FOLDERS)


@each_target
def test_a_mended_request_is_valid(target: str) -> None:
    @given(st.one_of(strategies.chat_requests(), st.builds(ChatRequest, strategies.histories())))
    def holds(request: ChatRequest) -> None:
        assume(not laws.quotes(request, target))
        nobody = evolve(request, params=evolve(request.params, model=None))  # a judge goes by the strictest of the models
        body = DIALECTS[target].write_request(repair(nobody, target).value).value
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
        assert [complaint for complaint in complaints(target, answer.unwrap().value) if WARNED not in complaint] == []

    holds()


def _nameless(response: ChatResponse) -> ChatResponse:
    """No server names an assistant in its answer, but some clients do, and OpenAI Chat says it again."""
    others = [evolve(other, message=evolve(other.message, name=None)) for other in response.others]
    return evolve(response, message=evolve(response.message, name=None), others=others)


@each_target
def test_an_answer_is_valid(target: str) -> None:
    @given(strategies.chat_responses().map(_nameless))
    def holds(response: ChatResponse) -> None:
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
        assert [complaint for complaint in found if CALL not in complaint] == []

    holds()
