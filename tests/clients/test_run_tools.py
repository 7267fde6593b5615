"""The loop that lets a model call tools: whatever tools and models do, the conversation stays one that every provider takes."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from chatadt import (
    DIALECTS,
    Arguments,
    ChatRequest,
    ChatResponse,
    Content,
    History,
    Message,
    Metadata,
    ModelParams,
    Outcome,
    ProviderError,
    Resource,
    StopKind,
    StopReason,
    Tool,
    ToolChoice,
    check,
)
from chatadt.clients import AsyncRunnable, ChatError, Denied, Run, Runnable, async_run_tools, in_thread, run_tools, scripted
from chatadt.transforms import validate

REQUEST = ChatRequest(History().system("Be brief.").user("How is the weather?"), ModelParams(max_output_tokens=1000))


def definition(name: str) -> Tool:
    return Tool(name, f"Does {name}.", {"type": "object", "properties": {"city": {"type": "string"}}})


def weather(arguments: dict[str, Any]) -> object:
    return {"Vienna": "sunny", "Graz": "rain"}[arguments["city"]]


def broken(arguments: dict[str, Any]) -> object:
    raise ConnectionError("no route to the weather")


def secret(arguments: dict[str, Any]) -> object:
    raise Denied("the vault is closed")


TOOLS = [Runnable(definition(run.__name__), run) for run in (weather, broken, secret)]


def call(id: str, name: str = "weather", arguments: Any = '{"city":"Vienna"}') -> Content.ToolRequest:
    return Content.ToolRequest(id, name, arguments)


def calling(*calls: Content.ToolRequest) -> Message.Assistant:
    return Message.Assistant(["Let me see.", *calls])


SCRIPT = (
    calling(
        call("call000c1", arguments={"city": "Graz"}), call("call000c2", "broken"), call("call000c3", "secret"), call("call000c4")
    ),
    calling(
        call("call000c5", arguments='{"city": "Vie'),
        call("call000c6", "unknown"),
        call("call000c7", arguments="[1]"),
        call("call000c8", arguments={}),
    ),
    "Rain in Graz, sun in Vienna.",
)


def valid(request: ChatRequest) -> None:
    """Every provider takes the conversation: as it stands, or where the model spoke last, as it goes on."""
    if isinstance(request.messages[-1], Message.Assistant):
        request = ChatRequest((*request.messages, Message.User("And now?")), request.params)
    for dialect in DIALECTS:
        assert check(request, dialect) == (), dialect


def results(run: Run.T) -> list[tuple[str, str, Outcome]]:
    return [(message.id, message.text, message.outcome) for message in run.history if isinstance(message, Message.ToolResult)]


def test_a_conversation_of_good_bad_denied_and_malformed_calls_is_valid_for_every_provider_after_every_step() -> None:
    steps: list[ChatRequest] = []

    def look(request: ChatRequest) -> None:
        valid(request)
        steps.append(request)

    run = run_tools(scripted(*SCRIPT), TOOLS, on_step=look)(REQUEST)
    assert isinstance(run, Run.Finished)
    assert len(steps) == len(run.responses) == 3
    assert results(run) == [
        ("call000c1", "rain", Outcome.OK),
        ("call000c2", "ConnectionError: no route to the weather", Outcome.ERROR),
        ("call000c3", "the vault is closed", Outcome.DENIED),
        ("call000c4", "sunny", Outcome.OK),
        ("call000c5", results(run)[4][1], Outcome.ERROR),
        ("call000c6", "There is no tool 'unknown'. There are: weather, broken, secret.", Outcome.ERROR),
        ("call000c7", "The arguments are an array. Call again with a JSON object.", Outcome.ERROR),
        ("call000c8", "KeyError: 'city'", Outcome.ERROR),
    ]
    assert results(run)[4][1].startswith("The arguments are no JSON (")
    assert run.history[-1] == Message.Assistant("Rain in Graz, sun in Vienna.")
    assert run.history[: len(REQUEST.messages)].messages == REQUEST.messages


def test_what_the_model_said_stays_as_it_said_it() -> None:
    run = run_tools(scripted(*SCRIPT), TOOLS)(REQUEST)
    said = [message for message in run.history if isinstance(message, Message.Assistant)]
    assert said[:2] == list(SCRIPT[:2])
    assert isinstance(said[1].tool_requests[0].arguments, Arguments.Malformed)


def test_at_the_bound_the_last_calls_are_denied_and_the_conversation_can_go_on() -> None:
    endless = (calling(call(f"call{number:03}ac"), call(f"call{number:03}ad")) for number in range(100))
    run = run_tools(scripted(*endless), TOOLS, bound=3, on_step=valid)(REQUEST)
    assert isinstance(run, Run.Bounded)
    assert len(run.responses) == 3
    assert [outcome for _, _, outcome in results(run)] == [Outcome.OK] * 4 + [Outcome.DENIED] * 2
    assert "3 times" in results(run)[-1][1]
    valid(ChatRequest(run.history.user("Go on."), ModelParams(tools=[tool.tool for tool in TOOLS], max_output_tokens=100)))


@pytest.mark.parametrize("bound", [1, 2, 3])
@pytest.mark.parametrize("workers", [1, 4])
def test_wherever_the_bound_is_reached_the_conversation_is_valid_for_every_provider_after_every_step(
    bound: int, workers: int
) -> None:
    steps: list[ChatRequest] = []

    def look(request: ChatRequest) -> None:
        valid(request)
        steps.append(request)

    run = run_tools(scripted(*SCRIPT), TOOLS, bound=bound, workers=workers, on_step=look)(REQUEST)
    assert isinstance(run, Run.Finished if bound == 3 else Run.Bounded)
    assert len(steps) == len(run.responses) == bound
    answered = [id_ for id_, _, _ in results(run)]
    assert answered == [
        request.id for said in SCRIPT[:bound] if isinstance(said, Message.Assistant) for request in said.tool_requests
    ]
    if bound < 3:
        assert {outcome for _, _, outcome in results(run)[-4:]} == {Outcome.DENIED}


def test_a_model_that_is_content_at_the_bound_has_finished() -> None:
    assert isinstance(run_tools(scripted("Hello."), TOOLS, bound=1)(REQUEST), Run.Finished)


def test_where_there_is_no_answer_what_came_before_stands() -> None:
    error = ChatError.TimedOut(ProviderError("too late"))
    run = run_tools(scripted(calling(call("call000c1")), error), TOOLS, on_step=valid)(REQUEST)
    assert run == Run.Failed(run.history, run.responses, error)
    assert results(run) == [("call000c1", "sunny", Outcome.OK)]
    assert len(run.responses) == 1


def test_a_call_is_denied_before_it_is_made() -> None:
    made: list[object] = []
    tools = [Runnable(definition("weather"), lambda arguments: made.append(arguments))]

    def deny(request: Content.ToolRequest) -> str | None:
        return "not this city" if "Graz" in str(request.arguments) else None

    script = scripted(calling(call("call000c1"), call("call000c2", arguments={"city": "Graz"})), "Done.")
    run = run_tools(script, tools, deny=deny, on_step=valid)(REQUEST)
    assert made == [{"city": "Vienna"}]
    assert results(run) == [("call000c1", "null", Outcome.OK), ("call000c2", "not this city", Outcome.DENIED)]


def test_results_stand_in_the_order_of_the_calls_however_long_each_takes() -> None:
    both = threading.Barrier(2, timeout=5)

    def slow(arguments: dict[str, Any]) -> object:
        both.wait()  # nobody passes who is alone
        time.sleep(arguments["seconds"])
        return str(arguments["seconds"])

    script = scripted(calling(call("call000c1", "slow", {"seconds": 0.1}), call("call000c2", "slow", {"seconds": 0.0})), "Done.")
    run = run_tools(script, [Runnable(definition("slow"), slow)], workers=2)(REQUEST)
    assert results(run) == [("call000c1", "0.1", Outcome.OK), ("call000c2", "0.0", Outcome.OK)]


def test_the_asynchronous_loop_makes_the_calls_of_one_answer_at_once_and_keeps_their_order() -> None:
    async def go() -> Run.T:
        both = asyncio.Event()

        async def first(arguments: dict[str, Any]) -> object:
            await asyncio.wait_for(both.wait(), 5)
            return "first"

        async def second(arguments: dict[str, Any]) -> object:
            both.set()
            raise Denied("second")

        tools: list[Runnable | AsyncRunnable] = [
            AsyncRunnable(definition("first"), first),
            AsyncRunnable(definition("second"), second),
            *TOOLS,
        ]
        script = in_thread(
            scripted(
                calling(call("call000c1", "first"), call("call000c2", "second"), call("call000c3"), call("call000c4", "no")),
                "Done.",
            )
        )
        return await async_run_tools(script, tools, on_step=valid)(REQUEST)

    run = asyncio.run(go())
    assert isinstance(run, Run.Finished)
    assert [(id, outcome) for id, _, outcome in results(run)] == [
        ("call000c1", Outcome.OK),
        ("call000c2", Outcome.DENIED),
        ("call000c3", Outcome.OK),
        ("call000c4", Outcome.ERROR),
    ]


def test_the_asynchronous_loop_ends_as_the_other_does() -> None:
    for lines, bound in ((SCRIPT, 10), (SCRIPT, 2), ((SCRIPT[0], ChatError.Invalid(ProviderError("no"))), 10)):
        waiting = async_run_tools(in_thread(scripted(*lines)), TOOLS, bound=bound, on_step=valid)(REQUEST)
        assert asyncio.run(_awaited(waiting)) == run_tools(scripted(*lines), TOOLS, bound=bound)(REQUEST)


async def _awaited(run: Any) -> Any:
    return await run


def test_an_asynchronous_tool_in_a_loop_that_is_not_is_told_to_the_one_who_made_it() -> None:
    async def later() -> str:
        return "later"

    waiting = later()
    tools = [Runnable(definition("weather"), lambda arguments: waiting)]
    run = run_tools(scripted(calling(call("call000c1")), "Done."), tools)(REQUEST)
    waiting.close()
    assert "async_run_tools" in results(run)[0][1]


def test_a_tool_may_give_contents() -> None:
    image = Content.Image(Resource.Ref("https://example.org/cat.png"))
    tools = [Runnable(definition("weather"), lambda arguments: [Content.Text("a cat"), image])]
    run = run_tools(scripted(calling(call("call000c1")), "Nice."), tools)(REQUEST)
    assert run.history[-2] == Message.ToolResult("call000c1", "weather", ["a cat", image])


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("", "(nothing)"),
        (" ", "(nothing)"),
        (None, "null"),
        ([], "[]"),
        ({"a": 1}, '{"a":1}'),
        ("\ud800a", "\ufffda"),
        (["\udc00"], '["\\udc00"]'),
    ],
)
def test_whatever_a_tool_gives_is_a_result_that_every_provider_takes(given: object, text: str) -> None:
    run = run_tools(
        scripted(calling(call("call000c1")), "Done."), [Runnable(definition("weather"), lambda _: given)], on_step=valid
    )(REQUEST)
    assert results(run) == [("call000c1", text, Outcome.OK)]


def test_what_json_cannot_say_is_an_error_of_the_tool() -> None:
    run = run_tools(scripted(calling(call("call000c1")), "Done."), [Runnable(definition("weather"), lambda _: {1, 2})])(REQUEST)
    assert results(run)[0][2] is Outcome.ERROR


def test_the_model_is_shown_the_tools_beside_those_of_the_request() -> None:
    seen: list[ChatRequest] = []

    def chat(request: ChatRequest) -> Any:
        seen.append(request)
        return scripted("Hello.")(request)

    own = Tool("weather", "Another description.")
    run_tools(chat, TOOLS)(ChatRequest(REQUEST.messages, ModelParams(tools=[own], max_output_tokens=100)))
    assert [tool.name for tool in seen[0].params.tools if isinstance(tool, Tool)] == ["weather", "broken", "secret"]
    assert seen[0].params.tools[0] == own


def test_a_choice_that_forces_a_call_holds_for_the_first_answer_only() -> None:
    seen: list[ToolChoice.T | None] = []
    script = scripted(calling(call("call000c1")), "Done.")

    def chat(request: ChatRequest) -> Any:
        seen.append(request.params.tool_choice)
        return script(request)

    for choice, then in ((ToolChoice.Required(), None), (ToolChoice.Auto(), ToolChoice.Auto())):
        seen.clear()
        script = scripted(calling(call("call000c1")), "Done.")
        run_tools(chat, TOOLS)(ChatRequest(REQUEST.messages, ModelParams(tool_choice=choice)))
        assert seen == [choice, then]


def test_a_model_that_was_paused_is_asked_again() -> None:
    paused = ChatResponse(Message.Assistant("I search."), Metadata(stop=StopReason(StopKind.PAUSED)))
    run = run_tools(scripted(paused, "Found."), TOOLS)(REQUEST)
    assert [response.message.text for response in run.responses] == ["I search.", "Found."]


def broken_off(kind: StopKind, *contents: Any, error: ProviderError | None = None) -> ChatResponse:
    return ChatResponse(Message.Assistant(contents), Metadata(stop=StopReason(kind), error=error))


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        (StopKind.ERROR, ChatError.Broken),
        (StopKind.CANCELLED, ChatError.Broken),
        (StopKind.INTERRUPTED, ChatError.Unreachable),
    ],
)
def test_a_run_whose_answer_broke_off_has_failed_and_keeps_what_was_said(kind: StopKind, case: type[ChatError.T]) -> None:
    run = run_tools(scripted(broken_off(kind, "Let me")), TOOLS, on_step=valid)(REQUEST)
    assert isinstance(run, Run.Failed)
    assert isinstance(run.error, case)
    assert run.history[-1].text == "Let me"
    assert len(run.responses) == 1


def test_a_run_whose_answer_broke_off_fails_with_the_words_of_the_provider() -> None:
    error = ProviderError("overloaded", "529")
    for kind in (StopKind.ERROR, StopKind.END):
        run = run_tools(scripted(broken_off(kind, "Let me", error=error)), TOOLS)(REQUEST)
        assert isinstance(run, Run.Failed)
        assert run.error == ChatError.Broken(error)


@pytest.mark.parametrize("kind", [StopKind.ERROR, StopKind.CANCELLED, StopKind.INTERRUPTED])
@pytest.mark.parametrize("bound", [1, 10])
def test_calls_of_an_answer_that_broke_off_are_never_made(kind: StopKind, bound: int) -> None:
    made: list[object] = []
    tools = (Runnable(definition("weather"), made.append),)
    answer = broken_off(kind, call("call000c1"), call("call000c2", arguments='{"city": "Vie'))
    waiting = async_run_tools(in_thread(scripted(answer)), tools, bound=bound, on_step=valid)(REQUEST)
    for run in (run_tools(scripted(answer), tools, bound=bound, on_step=valid)(REQUEST), asyncio.run(_awaited(waiting))):
        assert isinstance(run, Run.Failed)
        assert results(run) == [
            (id_, "This was not done: the answer with this call broke off.", Outcome.ERROR) for id_ in ("call000c1", "call000c2")
        ]
    assert made == []


@pytest.mark.parametrize("kind", [StopKind.LENGTH, StopKind.CONTENT_FILTER, StopKind.CONTEXT_OVERFLOW])
def test_the_call_that_a_cut_off_answer_ends_with_is_not_made(kind: StopKind) -> None:
    made: list[object] = []
    tools = (Runnable(definition("weather"), made.append),)
    calls = (call("call000c1"), call("call000c2", arguments={}))
    answer = broken_off(kind, *calls)
    waiting = async_run_tools(in_thread(scripted(answer, "Well.")), tools, on_step=valid)(REQUEST)
    for run in (run_tools(scripted(answer, "Well."), tools, on_step=valid)(REQUEST), asyncio.run(_awaited(waiting))):
        assert isinstance(run, Run.Finished)
        (_, _, first), (id_, told, second) = results(run)
        assert (first, second, id_) == (Outcome.OK, Outcome.ERROR, "call000c2")
        assert f"({kind.value}). Call again." in told
    assert len(made) == 2
    made.clear()
    run_tools(scripted(broken_off(kind, *calls, "and so"), "Well."), tools)(REQUEST)  # what was said behind it was cut off
    assert len(made) == 2


def test_calls_with_malformed_arguments_are_never_made() -> None:
    made: list[object] = []
    answer = ChatResponse(
        calling(call("call000c1", arguments=Arguments.Malformed("", "it was cut off"))),
        Metadata(stop=StopReason(StopKind.LENGTH)),
    )
    run = run_tools(scripted(answer, "Well."), [Runnable(definition("weather"), made.append)], on_step=valid)(REQUEST)
    assert made == []
    assert results(run)[0][2] is Outcome.ERROR


@pytest.mark.parametrize("contents", [(), ("",), (" \n",)])
def test_an_answer_that_broke_off_before_it_said_anything_is_not_in_the_history(contents: tuple[str, ...]) -> None:
    run = run_tools(scripted(calling(call("call000c1")), broken_off(StopKind.INTERRUPTED, *contents)), TOOLS, on_step=valid)(
        REQUEST
    )
    assert isinstance(run, Run.Failed)
    assert isinstance(run.history[-1], Message.ToolResult)
    assert len(run.responses) == 2


def test_open_calls_of_the_request_are_closed_and_not_made() -> None:
    made: list[object] = []
    open_calls = History().user("How is it?").assistant([call("call000c1")]).user("Well?").assistant([call("call000c2")])
    request = ChatRequest(open_calls, REQUEST.params)
    run = run_tools(scripted("Fine."), [Runnable(definition("weather"), made.append)], on_step=valid)(request)
    assert made == []
    assert [(id_, outcome) for id_, _, outcome in results(run)] == [("call000c1", Outcome.ERROR), ("call000c2", Outcome.ERROR)]
    assert validate(run.history) == ()
    assert run.history[-1].text == "Fine."


def test_each_call_of_a_run_has_an_id_of_its_own() -> None:
    script = (
        calling(call("call000c1"), call("call000c1", arguments={"city": "Graz"}), call(""), call("")),
        calling(call("call000c1"), call("call000c0")),
        "Done.",
    )
    earlier = History().user("Hi").assistant([call("call000c0")]).result("call000c0", "weather", "sunny").user("And now?")
    request = ChatRequest(earlier, REQUEST.params)
    for run in (
        run_tools(scripted(*script), TOOLS, on_step=valid)(request),
        asyncio.run(_awaited(async_run_tools(in_thread(scripted(*script)), TOOLS, on_step=valid)(request))),
    ):
        assert validate(run.history) == ()
        ids = [id_ for id_, _, _ in results(run)]
        assert len(set(ids)) == len(ids) == 7
        assert ids[:2] == ["call000c0", "call000c1"]
        assert [text for _, text, _ in results(run)][:3] == ["sunny", "sunny", "rain"]
        assert run.responses[0].message == script[0]


def test_ids_that_are_given_are_the_same_in_every_run() -> None:
    script = (calling(call("call000c1"), call("call000c1")), "Done.")
    assert run_tools(scripted(*script), TOOLS)(REQUEST) == run_tools(scripted(*script), TOOLS)(REQUEST)


ALLOWED = [{"type": "function", "name": "weather"}]


@pytest.mark.parametrize(
    ("choice", "then"),
    [
        (
            ToolChoice.Custom("openai_chat", {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": ALLOWED}}),
            ToolChoice.Custom("openai_chat", {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": ALLOWED}}),
        ),
        (
            ToolChoice.Custom("openai_responses", {"type": "allowed_tools", "mode": "required", "tools": ALLOWED}),
            ToolChoice.Custom("openai_responses", {"type": "allowed_tools", "mode": "auto", "tools": ALLOWED}),
        ),
        (ToolChoice.Custom("openai_chat", {"type": "custom", "custom": {"name": "weather"}}), None),
        (ToolChoice.Custom("gemini", {"mode": "VALIDATED"}), ToolChoice.Custom("gemini", {"mode": "VALIDATED"})),
        (ToolChoice.Custom("cohere", "LATER"), ToolChoice.Custom("cohere", "LATER")),
        (ToolChoice.One("weather"), None),
        (ToolChoice.Never(), ToolChoice.Never()),
    ],
)
def test_what_a_tool_choice_allows_holds_on_and_what_it_forces_does_not(choice: ToolChoice.T, then: ToolChoice.T | None) -> None:
    steps: list[ChatRequest] = []
    request = ChatRequest(REQUEST.messages, ModelParams(tool_choice=choice))
    run_tools(scripted(calling(call("call000c1")), "Done."), TOOLS, on_step=steps.append)(request)
    assert [step.params.tool_choice for step in steps] == [then, then]


def test_an_asynchronous_on_step_is_awaited() -> None:
    steps: list[ChatRequest] = []

    async def store(request: ChatRequest) -> None:
        await asyncio.sleep(0)
        steps.append(request)

    asyncio.run(_awaited(async_run_tools(in_thread(scripted(*SCRIPT)), TOOLS, on_step=store)(REQUEST)))
    assert len(steps) == 3


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
def test_an_asynchronous_on_step_is_a_mistake_where_nobody_awaits_it() -> None:
    async def store(request: ChatRequest) -> None:
        raise AssertionError

    with pytest.raises(TypeError, match="async_run_tools"):
        run_tools(scripted("Hello."), TOOLS, on_step=store)(REQUEST)


def test_mistakes_of_the_program_raise() -> None:
    with pytest.raises(ValueError, match="twice"):
        run_tools(scripted(), [TOOLS[0], TOOLS[0]])
    with pytest.raises(ValueError, match="bound"):
        run_tools(scripted(), TOOLS, bound=0)
    with pytest.raises(ValueError, match="worker"):
        run_tools(scripted(), TOOLS, workers=0)
