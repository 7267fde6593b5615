"""What Anthropic's Messages endpoint refuses although its types allow it. Public reports of each refusal are named beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from .rules import Found, Rule, broken_base64, sniffed, spelt, unanswered
from .values import place, subtrees

__all__ = ("RULES",)

_CALL_ID: Final = re.compile(r"[a-zA-Z0-9_-]+")
_TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_CACHE_MARKS: Final = 4
_LEAST_BUDGET: Final = 1024


def some_message(body: dict[str, Any]) -> Found:
    """E3: no empty list of messages or blocks (BerriAI/litellm#29078)."""
    if not body["messages"]:
        yield "$.messages", "no message"
    for at, message in enumerate(body["messages"]):
        if message["content"] == []:
            yield f"$.messages[{at}].content", "an empty list of blocks"
    for path, block in _blocks(body):
        if block["type"] == "tool_result" and block.get("content") == []:
            yield f"{path}.content", "an empty list of blocks"


def pairing(body: dict[str, Any]) -> Found:
    """P1 to P3: all results in the next turn (OpenHands/OpenHands#7512)."""
    turns = _turns(body["messages"])
    for (_, _, before), (at, role, blocks) in pairwise([(0, "user", []), *turns, (len(body["messages"]), "user", [])]):
        asked = [block["id"] for block in before if block["type"] == "tool_use"]
        answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        yield from unanswered(f"$.messages[{at}]", asked, answered if role == "user" else [])


def results_first(body: dict[str, Any]) -> Found:
    """P4: nothing before the results of a turn (QwenLM/qwen-code#8161)."""
    for at, _, blocks in _turns(body["messages"]):
        kinds = [block["type"] == "tool_result" for block in blocks]
        if kinds != sorted(kinds, reverse=True):
            yield f"$.messages[{at}].content", "a block before a tool_result"


def speakers(body: dict[str, Any]) -> Found:
    """Calls are an assistant's, results a user's."""
    owners = {"tool_use": "assistant", "thinking": "assistant", "redacted_thinking": "assistant", "tool_result": "user"}
    for at, message in enumerate(body["messages"]):
        for index, block in enumerate(_list(message)):
            if owners.get(block["type"], message["role"]) != message["role"]:
                yield f"$.messages[{at}].content[{index}]", f"a {block['type']} in a message of role {message['role']}"


def call_ids(body: dict[str, Any]) -> Found:
    """I2: letters, digits, _ and - (langchain-ai/langchain#37756), none twice."""
    seen: set[str] = set()
    for path, block in _blocks(body):
        if block["type"] == "tool_use":
            if block["id"] in seen:
                yield f"{path}.id", f"tool use id {block['id']!r} a second time"
            seen.add(block["id"])
            yield from spelt(_CALL_ID, f"{path}.id", "tool use id", block["id"])


def names(body: dict[str, Any]) -> Found:
    """N1: tool names, those in history too, none defined twice."""
    defined = [tool["name"] for tool in body.get("tools") or () if "name" in tool]
    for name in defined:
        yield from spelt(_TOOL_NAME, "$.tools", "tool name", name)
    for name in {name for name in defined if defined.count(name) > 1}:
        yield "$.tools", f"two tools named {name!r}"
    for path, block in _blocks(body):
        if block["type"] == "tool_use":
            yield from spelt(_TOOL_NAME, f"{path}.name", "tool name", block["name"])
    if isinstance(choice := body.get("tool_choice"), dict) and "name" in choice:
        yield from spelt(_TOOL_NAME, "$.tool_choice.name", "tool name", choice["name"])


def schemas(body: dict[str, Any]) -> Found:
    """A4: what a tool's schema describes is an object (the types say so of a call's input)."""
    for at, tool in enumerate(body.get("tools") or ()):
        if "input_schema" in tool and tool["input_schema"].get("type") != "object":
            yield f"$.tools[{at}].input_schema", "a schema whose type is not object"


def text_said(body: dict[str, Any]) -> Found:
    """E1, E2: text has something besides white space (anthropics/anthropic-sdk-python#461, NousResearch/hermes-agent#63983)."""
    for path, text in _texts(body):
        if not text.strip():
            yield path, f"blank text {text!r}"


def last_words(body: dict[str, Any]) -> Found:
    """R5: the final assistant text does not end in white space (langchain-ai/langchain#35071)."""
    match body["messages"]:
        case [*_, {"role": "assistant", "content": str(text) | [*_, {"type": "text", "text": str(text)}]}] if text != text.rstrip():
            yield "$.messages[-1]", "a final assistant text that ends in white space"
        case _:  # no assistant has the last word
            return


def system_turns(body: dict[str, Any]) -> Found:
    """R1: a system message directly follows a user's, is never first (UKGovernmentBEIS/inspect_ai#4095), and holds text."""
    messages = body["messages"]
    for at, message in enumerate(messages):
        if message["role"] == "system":
            if at == 0 or messages[at - 1]["role"] == "assistant":
                yield f"$.messages[{at}]", "a system message that does not follow a user's"
            for block in _list(message):
                if block["type"] not in {"text", "tool_addition", "tool_removal"}:
                    yield f"$.messages[{at}].content", f"a {block['type']} in a system message"


def cache_marks(body: dict[str, Any]) -> Found:
    """C: at most four, and none on blank text (tghamm/Anthropic.SDK#50)."""
    marked = [each for where, each in subtrees(body) if _is_marked(each) and not {"input", "input_schema"} & set(where)]
    for block in marked:
        if block.get("type") == "text" and not block["text"].strip():
            yield "$", "a cache mark on blank text"
    if len(marked) > _CACHE_MARKS:
        yield "$", f"{len(marked)} cache marks, at most {_CACHE_MARKS}"


def media(body: dict[str, Any]) -> Found:
    """M2: payloads are base64, of the media type that they are said to be (home-assistant/core#167208); URLs are http(s)."""
    for where, value in subtrees(body["messages"], ("messages",)):
        match value:
            case {"type": "image", "source": {"type": "base64", "media_type": kind, "data": str(data)}}:
                broken = list(broken_base64(place(where), data))
                yield from broken
                if not broken and sniffed(data) not in {None, kind}:
                    yield place(where), f"an image of type {sniffed(data)} that is said to be {kind}"
            case {"type": "document", "source": {"type": "base64", "data": str(data)}}:
                yield from broken_base64(place(where), data)
            case {"type": "image" | "document", "source": {"type": "url", "url": str(url)}}:
                if not url.startswith(("http://", "https://")):
                    yield place(where), f"a medium at {url[:40]!r}, wanted an http(s) URL"
            case _:  # no medium
                continue


def failed_results(body: dict[str, Any]) -> Found:
    """M6: a result that is an error has text only (vellum-ai/vellum-assistant#18387)."""
    for path, block in _blocks(body):
        if block["type"] == "tool_result" and block.get("is_error") and isinstance(block.get("content"), list):
            for kind in {each["type"] for each in block["content"]} - {"text"}:
                yield f"{path}.content", f"a {kind} in a result that is an error"


def thoughts(body: dict[str, Any]) -> Found:
    """T1, T2: no unsigned thinking; with thinking on, the open turn of a tool loop starts with it (anomalyco/opencode#3077)."""
    for path, block in _blocks(body):
        if block["type"] == "thinking" and not block["signature"]:
            yield path, "thinking without a signature"
    if _thinks(body):
        turn = _open_turn(body["messages"])
        if turn and turn[0]["type"] not in {"thinking", "redacted_thinking"}:
            yield "$.messages", f"thinking is on, and the open turn of the tool loop starts with {turn[0]['type']}"


def budgets(body: dict[str, Any]) -> Found:
    """The budget is at least 1024 and less than max_tokens, says the SDK; thinking and a forced tool exclude each other."""
    if not _thinks(body):
        return
    budget = body["thinking"]["budget_tokens"]
    most = body["max_tokens"]
    if not _LEAST_BUDGET <= budget < most:
        yield "$.thinking.budget_tokens", f"{budget}, wanted at least {_LEAST_BUDGET} and less than max_tokens ({most})"
    if (body.get("tool_choice") or {}).get("type") in {"any", "tool"}:
        yield "$.tool_choice", "a forced tool although thinking is on"


def stop_sequences(body: dict[str, Any]) -> Found:
    """Each has something besides white space (BerriAI/litellm#3286)."""
    for at, text in enumerate(body.get("stop_sequences") or ()):
        if not text.strip():
            yield f"$.stop_sequences[{at}]", f"a blank stop sequence {text!r}"


def headers(body: dict[str, Any]) -> Found:
    """Three parameters of the SDK travel as HTTP headers: in a body they are unknown keys."""
    for field in ("betas", "user_profile_id", "workspace_id"):
        if field in body:
            yield f"$.{field}", "a header in the body"


RULES: Final[Mapping[str, Rule]] = {
    "something to answer": some_message,
    "pairing": pairing,
    "results first": results_first,
    "speakers": speakers,
    "tool use ids": call_ids,
    "tool names": names,
    "object schemas": schemas,
    "text said": text_said,
    "last words": last_words,
    "system turns": system_turns,
    "cache marks": cache_marks,
    "media": media,
    "failed results": failed_results,
    "thinking": thoughts,
    "thinking budget": budgets,
    "stop sequences": stop_sequences,
    "headers": headers,
}


def _list(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return content if isinstance(content, list) else []


def _turns(messages: list[dict[str, Any]]) -> list[tuple[int, str, list[dict[str, Any]]]]:
    """Index, role and blocks of each turn: the server joins neighbours of one role, and reads a string as one text block."""
    turns: list[tuple[int, str, list[dict[str, Any]]]] = []
    for at, message in enumerate(messages):
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if turns and turns[-1][1] == message["role"]:
            turns[-1] = (*turns[-1][:2], [*turns[-1][2], *blocks])
        else:
            turns.append((at, message["role"], blocks))
    return turns


def _blocks(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for at, message in enumerate(body["messages"]):
        for index, block in enumerate(_list(message)):
            yield f"$.messages[{at}].content[{index}]", block


def _texts(body: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every text of the prompt: strings that stand for one block, and blocks at any depth."""
    for at, message in enumerate(body["messages"]):
        if isinstance(message["content"], str):
            yield f"$.messages[{at}].content", message["content"]
    if isinstance(body.get("system"), str):
        yield "$.system", body["system"]
    for root in ("messages", "system"):
        for where, value in subtrees(body.get(root), (root,)):
            match value:
                case {"type": "text", "text": str(text)} if "input" not in where:
                    yield place(where), text
                case _:  # no text block
                    continue


def _is_marked(value: Any) -> bool:
    return isinstance(value, dict) and value.get("cache_control") is not None


def _thinks(body: dict[str, Any]) -> bool:
    return (body.get("thinking") or {}).get("type") == "enabled"


def _open_turn(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The blocks of the last assistant turn, when the results of its calls are the last thing in the conversation."""
    match _turns(messages):
        case [*_, (_, "assistant", blocks), (_, "user", [{"type": "tool_result"}, *_])]:
            return blocks
        case _:  # no tool loop is open
            return []
