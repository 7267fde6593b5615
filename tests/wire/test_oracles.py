"""Each judge takes valid requests and refuses a breach of every rule it has: a judge that cannot fail judges nothing."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import pytest

from .oracles import JUDGES, rules_of

PNG: Final = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR42mM8ISfHwMDAxMDAwMDAAAANEAEDHMqkFAAAAABJRU5ErkJggg=="
JPEG: Final = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAA="
PDF: Final = "JVBERi0xLjEKJSVFT0Y="

ASK: Final = {"role": "user", "content": "What is the weather in Oslo?"}
CALL: Final = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Oslo"}'}}
CALLED: Final = {"role": "assistant", "content": None, "tool_calls": [CALL]}
ANSWERED: Final = {"role": "tool", "tool_call_id": "call_1", "content": "4 C"}
FUNCTION: Final = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}

USE: Final = {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Oslo"}}
USED: Final = {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, USE]}
RESULT: Final = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "4 C"}]}
TOLD: Final = {"role": "user", "content": [RESULT, {"type": "text", "text": "In Fahrenheit?"}]}
TOOL: Final = {"name": "weather", "input_schema": {"type": "object", "properties": {}}}
IMAGE: Final = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
MARKED: Final = {"type": "text", "text": "t", "cache_control": {"type": "ephemeral"}}
THINKS: Final = {"max_tokens": 4096, "thinking": {"type": "enabled", "budget_tokens": 1024}}


def chat(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages), **fields}


def parts(*contents: Any) -> dict[str, Any]:
    return chat({"role": "user", "content": list(contents)})


def messages(*said: Any, **fields: Any) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 100, "messages": list(said), **fields}


def blocks(*contents: Any, role: str = "user", **fields: Any) -> dict[str, Any]:
    return messages({"role": role, "content": list(contents)}, **fields)


def changed(value: Any, **fields: Any) -> Any:
    return {**deepcopy(value), **fields}


def image_url(url: str) -> dict[str, Any]:
    return parts({"type": "image_url", "image_url": {"url": url}})


def file(**fields: str) -> dict[str, Any]:
    return parts({"type": "file", "file": fields})


VALID: Final[dict[str, list[dict[str, Any]]]] = {
    "openai_chat": [
        chat(ASK),
        chat(ASK, stream=True, stream_options={"include_usage": True}),
        chat({"role": "developer", "content": "d"}, ASK, CALLED, ANSWERED, ASK, tools=[FUNCTION], tool_choice="auto"),
        chat(ASK, CALLED, changed(ANSWERED, content=[{"type": "text", "text": "r"}])),
        chat(ASK, {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}, changed(ASK, name="ann")),
        image_url(f"data:image/png;base64,{PNG}"),
        image_url("https://example.org/a.png"),
        file(filename="a.pdf", file_data=f"data:application/pdf;base64,{PDF}"),
        file(file_id="file-1"),
        parts({"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}}),
        chat(ASK, tools=[FUNCTION], tool_choice={"type": "function", "function": {"name": "weather"}}, stop=["a", "b"]),
    ],
    "anthropic": [
        messages(ASK),
        messages(ASK, stream=True, system="s", stop_sequences=["x"]),
        messages(ASK, USED, TOLD, tools=[TOOL], tool_choice={"type": "tool", "name": "weather"}),
        messages(ASK, USED, changed(TOLD, content=[RESULT]), {"role": "system", "content": "Be brief."}),
        messages(ASK, {"role": "assistant", "content": [USE]}, {"role": "user", "content": [RESULT]}, ASK),
        messages(ASK, {"role": "assistant", "content": "It is"}),
        blocks(IMAGE, {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}}),
        blocks({"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}),
        blocks(MARKED, MARKED, MARKED, MARKED),
        messages(
            ASK, {"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": "S"}, USE]}, TOLD, **THINKS
        ),
        # what only the beta types know
        messages(ASK, {"role": "assistant", "content": [{"type": "compaction", "content": "so far"}]}, ASK),
        messages(ASK, mcp_servers=[{"type": "url", "name": "n", "url": "https://example.org"}]),
    ],
}

WRONG_TYPES: Final[dict[str, list[dict[str, Any]]]] = {
    "openai_chat": [
        {"messages": [ASK]},
        {"model": "m"},
        chat(changed(ASK, weird=1)),
        chat(ASK, weird=1),
        chat(ASK, temperature="0.5"),
        chat({"role": "critic", "content": "x"}),
        chat({"role": "user"}),
        parts({"type": "hologram"}),
        parts({"type": "text", "text": 1}),
        chat(ASK, CALLED, {"role": "tool", "content": "no id"}),
        chat(ASK, CALLED, changed(ANSWERED, content=[{"type": "image_url", "image_url": {"url": "https://e.org"}}])),
        chat(ASK, changed(CALLED, tool_calls=[changed(CALL, function={"name": "f", "arguments": {}})]), ANSWERED),
        chat(ASK, tools=[{"type": "function", "function": {"name": "f", "parametres": {}}}]),
    ],
    "anthropic": [
        {"model": "m", "messages": [ASK]},
        {"max_tokens": 1, "messages": [ASK]},
        messages(changed(ASK, weird=1)),
        messages(ASK, weird=1),
        messages(ASK, max_tokens="100"),
        messages({"role": "tool", "content": "x"}),
        blocks({"type": "wormhole"}),
        blocks({"type": "text", "text": "x", "index": 0}),
        blocks({"type": "thinking", "thinking": "h"}, role="assistant"),
        blocks({"type": "thinking", "thinking": "h", "signature": "s", "cache_control": {"type": "ephemeral"}}, role="assistant"),
        blocks({"type": "image", "source": {"type": "base64", "media_type": "image/bmp", "data": PNG}}),
        blocks({"type": "image", "source": {"type": "base64", "media_type": "image/jpg", "data": JPEG}}),
        messages(ASK, tools=[{"name": "f"}]),
        messages(ASK, changed(USED, content=[changed(USE, input="{}")]), TOLD),
        messages(ASK, changed(USED, content=[changed(USE, input=[1])]), TOLD),
        messages(ASK, tool_choice="auto"),
    ],
}

BROKEN: Final[dict[str, dict[str, list[dict[str, Any]]]]] = {
    "openai_chat": {
        "no lone surrogates": [chat({"role": "user", "content": "a\ud83db"}), chat(changed(ASK, name="\udc00"))],
        "something to answer": [chat(), parts(), chat(ASK, {"role": "assistant", "content": "x", "tool_calls": []})],
        "pairing": [
            chat(ASK, CALLED, ASK),
            chat(ASK, CALLED),
            chat(ASK, CALLED, ASK, ANSWERED),
            chat(ASK, ANSWERED),
            chat(ANSWERED),
            chat(ASK, CALLED, ANSWERED, ANSWERED),
        ],
        "tool call ids": [
            chat(ASK, changed(CALLED, tool_calls=[changed(CALL, id=each)]), changed(ANSWERED, tool_call_id=each))
            for each in ("", "x" * 41)
        ],
        "tool names": [
            chat(ASK, changed(CALLED, tool_calls=[changed(CALL, function={"name": "a.b", "arguments": ""})]), ANSWERED),
            chat(ASK, tools=[{"type": "function", "function": {"name": "x" * 65}}]),
            chat(ASK, tools=[FUNCTION], tool_choice={"type": "function", "function": {"name": "a b"}}),
            chat(ASK, tools=[{"type": "custom", "custom": {"name": ""}}]),
        ],
        "speakers' names": [chat(changed(ASK, name="Ann Lee")), chat(changed(ASK, name=""))],
        "something said": [chat(ASK, {"role": "assistant"}), chat(ASK, {"role": "assistant", "content": None})],
        "images": [
            image_url(f"data:image/bmp;base64,{PNG}"),
            image_url("data:image/png;base64,???"),
            image_url("data:image/png;base64,"),
            image_url("file:///a.png"),
            image_url(PNG),
        ],
        "files": [
            file(),
            file(file_data=f"data:application/pdf;base64,{PDF}"),
            file(filename="a.pdf", file_data=PDF),
            file(filename="a.pdf", file_data="https://example.org/a.pdf"),
            file(file_id="file-1", filename="a.pdf"),
        ],
        "audio": [parts({"type": "input_audio", "input_audio": {"data": "data:audio/wav;base64,UklGRg==", "format": "wav"}})],
        "tool options": [chat(ASK, tools=[]), chat(ASK, tool_choice="auto"), chat(ASK, parallel_tool_calls=True)],
        "stop sequences": [chat(ASK, stop=["a", "b", "c", "d", "e"])],
        "stream options": [chat(ASK, stream_options={"include_usage": True})],
    },
    "anthropic": {
        "no lone surrogates": [messages({"role": "user", "content": "a\ud83db"}), blocks(changed(MARKED, text="\udfff"))],
        "something to answer": [
            messages(),
            blocks(),
            messages(ASK, USED, {"role": "user", "content": [changed(RESULT, content=[])]}),
        ],
        "pairing": [
            messages(ASK, USED),
            messages(ASK, USED, ASK),
            messages(ASK, USED, {"role": "assistant", "content": "x"}, TOLD, TOLD),
            messages(ASK, TOLD),
            messages(TOLD),
            messages(ASK, USED, {"role": "system", "content": "s"}, TOLD),
            messages(ASK, {"role": "assistant", "content": [USE, changed(USE, id="toolu_2")]}, TOLD),
        ],
        "results first": [
            messages(ASK, USED, changed(TOLD, content=[{"type": "text", "text": "here"}, RESULT])),
            messages(ASK, USED, ASK, TOLD),
        ],
        "speakers": [blocks(USE), messages(ASK, {"role": "assistant", "content": [RESULT]})],
        "tool use ids": [
            messages(
                ASK, changed(USED, content=[changed(USE, id="a:b")]), changed(TOLD, content=[changed(RESULT, tool_use_id="a:b")])
            ),
            messages(ASK, USED, TOLD, USED, TOLD),
        ],
        "tool names": [
            messages(ASK, changed(USED, content=[changed(USE, name="a.b")]), TOLD),
            messages(ASK, tools=[changed(TOOL, name="x" * 129)]),
            messages(ASK, tools=[TOOL, TOOL]),
            messages(ASK, tools=[TOOL], tool_choice={"type": "tool", "name": "a b"}),
        ],
        "object schemas": [messages(ASK, tools=[{"name": "f", "input_schema": {}}])],
        "text said": [
            messages({"role": "user", "content": ""}),
            blocks({"type": "text", "text": "  "}),
            messages(ASK, system=[{"type": "text", "text": ""}]),
            messages(ASK, system="\n"),
            messages(ASK, USED, changed(TOLD, content=[changed(RESULT, content=[{"type": "text", "text": ""}])])),
        ],
        "last words": [
            messages(ASK, {"role": "assistant", "content": "It is "}),
            messages(ASK, {"role": "assistant", "content": [{"type": "text", "text": "It is\n"}]}),
        ],
        "system turns": [
            messages({"role": "system", "content": "s"}, ASK),
            messages(ASK, {"role": "assistant", "content": "x"}, {"role": "system", "content": "s"}),
        ],
        "cache marks": [
            blocks(MARKED, MARKED, MARKED, MARKED, MARKED),
            blocks(
                MARKED,
                MARKED,
                system=[MARKED],
                tools=[changed(TOOL, cache_control={"type": "ephemeral"})],
                cache_control={"type": "ephemeral"},
            ),
            blocks(changed(MARKED, text=" ")),
        ],
        "media": [
            blocks(changed(IMAGE, source=changed(IMAGE["source"], media_type="image/jpeg"))),
            blocks(changed(IMAGE, source=changed(IMAGE["source"], data="???"))),
            blocks({"type": "image", "source": {"type": "url", "url": "data:image/png;base64,AAAA"}}),
            blocks({"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": ""}}),
        ],
        "failed results": [messages(ASK, USED, changed(TOLD, content=[changed(RESULT, content=[IMAGE], is_error=True)]))],
        "thinking": [
            messages(ASK, {"role": "assistant", "content": [{"type": "thinking", "thinking": "h", "signature": ""}]}, ASK),
            messages(ASK, USED, TOLD, **THINKS),
        ],
        "thinking budget": [
            messages(ASK, **changed(THINKS, max_tokens=1024)),
            messages(ASK, **changed(THINKS, thinking={"type": "enabled", "budget_tokens": 1000})),
            messages(ASK, tools=[TOOL], tool_choice={"type": "any"}, **THINKS),
        ],
        "stop sequences": [messages(ASK, stop_sequences=["a", "\n"])],
        "headers": [messages(ASK, betas=["x"]), messages(ASK, workspace_id="w"), messages(ASK, user_profile_id="u")],
    },
}


@pytest.mark.parametrize("name", JUDGES)
def test_valid_requests_pass(name: str) -> None:
    assert [(body, found) for body in VALID[name] if (found := JUDGES[name](body))] == []


@pytest.mark.parametrize("name", JUDGES)
def test_what_the_types_forbid_is_refused_by_the_types(name: str) -> None:
    for body in WRONG_TYPES[name]:
        assert {complaint.rule for complaint in JUDGES[name](body)} == {"type"}, body


@pytest.mark.parametrize(("name", "rule"), [(name, rule) for name in JUDGES for rule in rules_of(name)])
def test_each_rule_refuses_its_own_breaches(name: str, rule: str) -> None:
    """The types take these bodies, so it is the rule that refuses them."""
    assert BROKEN[name][rule]
    for body in BROKEN[name][rule]:
        assert rule in {complaint.rule for complaint in JUDGES[name](body)}, body


@pytest.mark.parametrize("name", JUDGES)
def test_there_is_a_breach_for_every_rule_and_none_for_no_rule(name: str) -> None:
    assert BROKEN[name].keys() == rules_of(name).keys()


def test_what_only_the_beta_types_know_is_judged_by_them() -> None:
    """A beta field makes no difference to the rules, and a wrong beta field is still refused."""
    assert {each.rule for each in JUDGES["anthropic"](messages(ASK, mcp_servers=[{"type": "url", "nam": "n"}]))} == {"type"}
    assert {each.rule for each in JUDGES["anthropic"](messages(USED, mcp_servers=[]))} == {"pairing"}


def test_a_complaint_says_rule_fault_and_place() -> None:
    found = JUDGES["anthropic"](messages(ASK, USED, ASK))
    assert [str(each) for each in found] == ["pairing: 0 results directly after tool call 'toolu_1', wanted one at $.messages[2]"]
