"""Anthropic Messages feature by feature: every block and field of POST /v1/messages, those of its betas among them."""

from __future__ import annotations

import json
from typing import Any, Final

from chatadt import (
    Content,
    Effort,
    Extras,
    Json,
    Message,
    ModelParams,
    Outcome,
    ProviderTool,
    Resource,
    ResponseFormat,
    Thinking,
    Tool,
    ToolChoice,
)
from chatadt.json import NO_EXTRAS

from .examples import CONTENT, DETAIL, DROPPED, INVENTED, MOVED, PDF, PNG, REWRITTEN, TEXT, Body, Example, Lost

__all__ = ("EXAMPLES",)

NAME: Final = "anthropic"
HEAD: Final = "$.messages[0]"
FIRST: Final = "$.messages[0].contents[0]"
CACHED: Final = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
URL: Final = "https://example.org/cat.png"


def own(**fields: Any) -> Extras:
    return Extras({NAME: fields}) if fields else NO_EXTRAS


def said(*messages: Body, **fields: Any) -> Body:
    return {**fields, "messages": list(messages)}


def asked(*blocks: Body) -> Body:
    return said({"role": "user", "content": list(blocks)})


def answered(*blocks: Body) -> Body:
    return said({"role": "assistant", "content": list(blocks)})


def replied(content: Any, **fields: Any) -> Body:
    """An assistant message of the other dialect."""
    return said({"role": "assistant", "content": content, **fields})


def text(said: str, **fields: Any) -> Body:
    return {"type": "text", "text": said, **fields}


def only_here(field: str, path: str = FIRST) -> Lost:
    return (path, f"{field} (anthropic)", DROPPED, CONTENT if field == "context" else DETAIL)


def omitted(kind: str) -> Body:
    return said({"role": "user", "content": f"[{kind} omitted]"})


INVENTED_TEXT: Final[Lost] = (HEAD, "a text", INVENTED, DETAIL)
CITATIONS: Final = [{"type": "char_location", "cited_text": "a", "document_index": 0, "start_char_index": 0, "end_char_index": 1}]

SPEAKERS: Final = (
    Example("system", said(system="a"), Message.System("a"), said({"role": "system", "content": "a"})),
    Example(
        "system of blocks",
        said(system=[text("a"), text("b")]),
        Message.System(["a", "b"]),
        said({"role": "system", "content": [text("a"), text("b")]}),
    ),
    Example(
        "system with a cache mark",
        said(system=[text("a", **CACHED)]),
        Message.System([Content.Text("a", own(**CACHED))]),
        said({"role": "system", "content": "a"}),
        (only_here("cache_control"),),
    ),
    Example(
        "system inside the conversation",
        said({"role": "user", "content": "a"}, {"role": "system", "content": "b"}),
        (Message.User("a"), Message.System("b")),
        said({"role": "user", "content": "a"}, {"role": "system", "content": "b"}),
    ),
    Example(
        "system inside the conversation with fields of a beta",
        said({"role": "user", "content": "a"}, {"role": "system", "content": [text("b")], "clear_at": "turn_end"}),
        (Message.User("a"), Message.System("b", own(clear_at="turn_end"))),
        said({"role": "user", "content": "a"}, {"role": "system", "content": "b"}),
        (only_here("clear_at", "$.messages[1]"),),
    ),
    Example(
        "tools that a system message adds",
        said({"role": "user", "content": "a"}, {"role": "system", "content": [{"type": "tool_addition", "tools": []}]}),
        (Message.User("a"), Message.System([Content.Custom(NAME, {"type": "tool_addition", "tools": []})])),
        said({"role": "user", "content": "a"}),
        (("$.messages[1].contents[0]", "a block", DROPPED, CONTENT),),
    ),
    Example("user", said({"role": "user", "content": "a"}), Message.User("a"), said({"role": "user", "content": "a"})),
    Example(
        "two user turns in a row",
        said({"role": "user", "content": "a"}, {"role": "user", "content": [text("b")]}),
        (Message.User("a"), Message.User("b")),
        said({"role": "user", "content": "a"}, {"role": "user", "content": "b"}),
    ),
    Example(
        "two assistant turns in a row",
        said({"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}),
        (Message.Assistant("a"), Message.Assistant("b")),
        said({"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}),
    ),
    Example(
        "a role that nobody else has",
        said({"role": "critic", "content": "a"}),
        Message.Custom({"role": "critic", "content": "a"}, NAME),
        said(),
        ((HEAD, "a message", DROPPED, CONTENT),),
    ),
    Example(
        "an unknown field of a turn",
        said({"role": "user", "content": "a", "id": "msg_1"}),
        Message.User("a", extras=own(id="msg_1")),
        said({"role": "user", "content": "a"}),
        (only_here("id", HEAD),),
    ),
)


def image(**source: Any) -> Body:
    return {"type": "image", "source": source}


def shown(url: str) -> Body:
    """An image part of the other dialect."""
    return {"type": "image_url", "image_url": {"url": url}}


def turn(*parts: Body) -> Body:
    return said({"role": "user", "content": list(parts)})


def document(source: Body, **fields: Any) -> Body:
    return {"type": "document", "source": source, **fields}


def attached(name: str) -> Body:
    """A PDF of the other dialect."""
    return turn({"type": "file", "file": {"file_data": f"data:application/pdf;base64,{PDF}", "filename": name}})


BY_VALUE: Final = {"type": "base64", "media_type": "application/pdf", "data": PDF}
AS_TEXT: Final = {"type": "text", "media_type": "text/plain", "data": "a,b\n1,2"}
A_PDF: Final = Resource.Binary(PDF, "application/pdf")
A_TEXT: Final = Resource.Binary(TEXT, "text/plain")
A_NAME: Final[Lost] = (f"{FIRST}.name", "a file name", INVENTED, DETAIL)


def unknown(block: Body) -> Example:
    """A block that only this dialect has, said by a user."""
    return Example(
        f"{block['type']} of a user",
        asked(block),
        Message.User([Content.Custom(NAME, block)]),
        omitted("custom"),
        ((FIRST, "a block", DROPPED, CONTENT), INVENTED_TEXT),
    )


def unheard(block: Body) -> Example:
    """A block that only this dialect has, said by an assistant."""
    return Example(
        block["type"],
        answered(block),
        Message.Assistant([Content.Custom(NAME, block)]),
        said(),
        ((FIRST, "a block", DROPPED, CONTENT),),
    )


BLOCKS: Final = (
    Example("text blocks", asked(text("a"), text("b")), Message.User(["a", "b"]), turn(text("a"), text("b"))),
    Example(
        "text with a cache mark",
        asked(text("a", **CACHED)),
        Message.User([Content.Text("a", own(**CACHED))]),
        turn(text("a")),
        (only_here("cache_control"),),
    ),
    Example(
        "text with citations",
        answered(text("a", citations=CITATIONS)),
        Message.Assistant([Content.Text("a", own(citations=CITATIONS))]),
        replied("a"),
        (only_here("citations"),),
    ),
    *(
        Example(
            f"{kind} by value",
            asked(image(type="base64", media_type=kind, data=PNG)),
            Message.User([Content.Image(Resource.Binary(PNG, kind))]),
            turn(shown(f"data:{kind};base64,{PNG}")),
        )
        for kind in ("image/jpeg", "image/png", "image/gif", "image/webp")
    ),
    Example(
        "image by URL",
        asked(image(type="url", url=URL)),
        Message.User([Content.Image(Resource.Ref(URL))]),
        turn(shown(URL)),
    ),
    Example(
        "image by its id",
        asked(image(type="file", file_id="file_1")),
        Message.User([Content.Image(Resource.Ref("urn:chatadt:anthropic:file:file_1"))]),
        omitted("image"),
        ((FIRST, "image", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    Example(
        "image with a cache mark and transformations",
        asked({**image(type="url", url=URL), **CACHED, "transformations": {"oversized_image": "downsize"}}),
        Message.User([Content.Image(Resource.Ref(URL), extras=own(**CACHED, transformations={"oversized_image": "downsize"}))]),
        turn(shown(URL)),
        (only_here("cache_control"), only_here("transformations")),
    ),
    Example(
        "PDF by value",
        asked(document(BY_VALUE, title="a.pdf")),
        Message.User([Content.PDF(A_PDF, "a.pdf")]),
        attached("a.pdf"),
    ),
    Example(
        "PDF without a title", asked(document(BY_VALUE)), Message.User([Content.PDF(A_PDF)]), attached("document.pdf"), (A_NAME,)
    ),
    Example(
        "PDF with context, citations and a cache mark",
        asked(document(BY_VALUE, title="a.pdf", context="c", citations={"enabled": True}, **CACHED)),
        Message.User([Content.PDF(A_PDF, "a.pdf", own(context="c", citations={"enabled": True}, **CACHED))]),
        attached("a.pdf"),
        (only_here("context"), only_here("citations"), only_here("cache_control")),
    ),
    Example(
        "PDF by URL",
        asked(document({"type": "url", "url": "https://example.org/a.pdf"})),
        Message.User([Content.PDF(Resource.Ref("https://example.org/a.pdf"))]),
        omitted("pdf"),
        ((FIRST, "pdf", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    Example(
        "document by its id",
        asked(document({"type": "file", "file_id": "file_1"}, title="a")),
        Message.User([Content.File(Resource.Ref("urn:chatadt:anthropic:file:file_1"), "a")]),
        omitted("file"),
        ((FIRST, "file", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    Example(
        "document as text",
        asked(document(AS_TEXT, title="a.txt")),
        Message.User([Content.File(A_TEXT, "a.txt")]),
        turn(text("a,b\n1,2")),
        ((FIRST, "file", REWRITTEN, DETAIL),),
    ),
    Example(
        "document of one text",
        asked(document({"type": "content", "content": "a"})),
        Message.User([Content.Custom(NAME, document({"type": "content", "content": "a"}))]),
        omitted("custom"),
        ((FIRST, "a block", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    Example(
        "document of blocks",
        asked(document({"type": "content", "content": [text("a"), image(type="url", url=URL)]})),
        Message.User([Content.Custom(NAME, document({"type": "content", "content": [text("a"), image(type="url", url=URL)]}))]),
        omitted("custom"),
        ((FIRST, "a block", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    unknown({"type": "search_result", "source": URL, "title": "t", "content": [text("a")], "citations": {"enabled": True}}),
    unknown({"type": "container_upload", "file_id": "file_1"}),
)

USE: Final = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": 1}}
CALL: Final = {"id": "toolu_1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}
REQUEST: Final = Content.ToolRequest("toolu_1", "f", {"a": 1})
MANY: Final = {"deep": {"list": [1, 2.5, None, True, "é"]}, "big": 2**70}
TOOLSET: Final = {"caller": {"type": "direct"}, "toolset_name": "s"}

SAID: Final = (
    Example("assistant", said({"role": "assistant", "content": "a"}), Message.Assistant("a"), replied("a")),
    Example("assistant of blocks", answered(text("a"), text("b")), Message.Assistant(["a", "b"]), replied([text("a"), text("b")])),
    Example("assistant that says nothing", answered(text("")), Message.Assistant(""), replied("")),
    Example(
        "thinking",
        answered({"type": "thinking", "thinking": "hm", "signature": "sig"}, text("a")),
        Message.Assistant([Content.Reasoning("hm", own(signature="sig")), "a"]),
        replied("a"),
        ((FIRST, "reasoning", DROPPED, DETAIL), only_here("signature")),
    ),
    Example(
        "thinking without a signature",
        answered({"type": "thinking", "thinking": "hm"}, text("a")),
        Message.Assistant([Content.Reasoning("hm"), "a"]),
        replied("a"),
        ((FIRST, "reasoning", DROPPED, DETAIL),),
    ),
    Example(
        "thinking that is hidden",
        answered({"type": "redacted_thinking", "data": "AA=="}, text("a")),
        Message.Assistant([Content.Reasoning("", own(data="AA==")), "a"]),
        replied("a"),
        ((FIRST, "reasoning", DROPPED, DETAIL), only_here("data")),
    ),
    Example("a tool call", answered(USE), Message.Assistant([REQUEST]), replied(None, tool_calls=[CALL])),
    Example(
        "tool calls in parallel after text",
        answered(text("a"), USE, {**USE, "id": "toolu_2"}),
        Message.Assistant(["a", REQUEST, Content.ToolRequest("toolu_2", "f", {"a": 1})]),
        replied("a", tool_calls=[CALL, {**CALL, "id": "toolu_2"}]),
    ),
    Example(
        "text after a tool call",
        answered(USE, text("a")),
        Message.Assistant([REQUEST, "a"]),
        replied("a", tool_calls=[CALL]),
        (("$.messages[0].contents[1]", "contents", MOVED, DETAIL),),
    ),
    Example(
        "a tool call without arguments",
        answered({**USE, "input": {}}),
        Message.Assistant([Content.ToolRequest("toolu_1", "f", {})]),
        replied(None, tool_calls=[{**CALL, "function": {"name": "f", "arguments": "{}"}}]),
    ),
    Example(
        "a tool call whose arguments say all that JSON can",
        answered({**USE, "input": MANY}),
        Message.Assistant([Content.ToolRequest("toolu_1", "f", MANY)]),
        replied(None, tool_calls=[{**CALL, "function": {"name": "f", "arguments": json.dumps(MANY, separators=(",", ":"))}}]),
    ),
    Example(
        "a tool call with a cache mark, a caller and a toolset",
        answered({**USE, **CACHED, **TOOLSET}),
        Message.Assistant([Content.ToolRequest("toolu_1", "f", {"a": 1}, own(**CACHED, **TOOLSET))]),
        replied(None, tool_calls=[CALL]),
        (only_here("cache_control"), only_here("caller"), only_here("toolset_name")),
    ),
    *(unheard({"type": "server_tool_use", "id": "srvtoolu_1", "name": name, "input": {"q": "a"}}) for name in ("web_search",)),
    unheard(
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [{"type": "web_search_result", "url": URL}]}
    ),
    unheard({"type": "web_fetch_tool_result", "tool_use_id": "srvtoolu_1", "content": {"type": "web_fetch_result", "url": URL}}),
    unheard({"type": "code_execution_tool_result", "tool_use_id": "srvtoolu_1", "content": {"stdout": "4", "return_code": 0}}),
    unheard({"type": "bash_code_execution_tool_result", "tool_use_id": "srvtoolu_1", "content": {"stdout": "4"}}),
    unheard({"type": "text_editor_code_execution_tool_result", "tool_use_id": "srvtoolu_1", "content": {"lines": ["a"]}}),
    unheard({"type": "tool_search_tool_result", "tool_use_id": "srvtoolu_1", "content": {"tool_references": []}}),
    unheard({"type": "compaction", "content": None, "encrypted_content": "AA==", "signature": "sig"}),
    unheard({"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}}),
    unheard({"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "f", "server_name": "s", "input": {}}),
    unheard({"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "is_error": False, "content": [text("4")]}),
)


def told(*others: Body, **fields: Any) -> Body:
    """A call, and the turn with its result and other blocks."""
    result = {"type": "tool_result", "tool_use_id": "toolu_1", **fields}
    return said({"role": "assistant", "content": [USE]}, {"role": "user", "content": [result, *others]})


def gave(contents: Any, outcome: Outcome = Outcome.OK, **fields: Any) -> tuple[Message.T, ...]:
    return (Message.Assistant([REQUEST]), Message.ToolResult("toolu_1", "f", contents, outcome, own(**fields)))


def gets(content: Any, *others: Body) -> Body:
    """What the other dialect makes of it."""
    asked = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    return said(asked, {"role": "tool", "tool_call_id": "toolu_1", "content": content}, *others)


INSIDE: Final = "$.messages[1].contents[0]"

RESULTS: Final = (
    Example("a tool result", told(content="4"), gave("4"), gets("4")),
    Example("a tool result of blocks", told(content=[text("4"), text("5")]), gave(["4", "5"]), gets([text("4"), text("5")])),
    Example("a tool result that says nothing", told(), gave([]), gets("")),
    Example("a tool result of no blocks", told(content=[]), gave([]), gets("")),
    Example("a tool result that says it is none of an error", told(content="4", is_error=False), gave("4"), gets("4")),
    Example(
        "a tool that failed",
        told(content="no", is_error=True),
        gave("no", Outcome.ERROR),
        gets("no"),
        (("$.messages[1].outcome", "the outcome", DROPPED, DETAIL),),
    ),
    Example(
        "a tool result with a cache mark and a toolset",
        told(content="4", toolset_name="s", **CACHED),
        gave("4", toolset_name="s", **CACHED),
        gets("4"),
        (only_here("cache_control", "$.messages[1]"), only_here("toolset_name", "$.messages[1]")),
    ),
    Example(
        "a tool result whose text has a cache mark",
        told(content=[text("4", **CACHED)]),
        gave([Content.Text("4", own(**CACHED))]),
        gets("4"),
        (only_here("cache_control", INSIDE),),
    ),
    Example(
        "an image in a tool result",
        told(content=[text("4"), image(type="url", url=URL)]),
        gave(["4", Content.Image(Resource.Ref(URL))]),
        gets("4", {"role": "user", "content": [shown(URL)]}),
        (("$.messages[1].contents[1]", "image of a tool result", MOVED, DETAIL),),
    ),
    Example(
        "nothing but an image in a tool result",
        told(content=[image(type="base64", media_type="image/png", data=PNG)]),
        gave([Content.Image(Resource.Binary(PNG, "image/png"))]),
        gets("[image: see the next message]", {"role": "user", "content": [shown(f"data:image/png;base64,{PNG}")]}),
        ((INSIDE, "image of a tool result", MOVED, DETAIL), ("$.messages[1]", "a text", INVENTED, DETAIL)),
    ),
    Example(
        "a document in a tool result",
        told(content=[text("4"), document(BY_VALUE, title="a.pdf")]),
        gave(["4", Content.PDF(A_PDF, "a.pdf")]),
        gets(
            "4",
            {
                "role": "user",
                "content": [{"type": "file", "file": {"file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"}}],
            },
        ),
        (("$.messages[1].contents[1]", "pdf of a tool result", MOVED, DETAIL),),
    ),
    *(
        Example(
            f"{block['type']} in a tool result",
            told(content=[text("4"), block]),
            gave(["4", Content.Custom(NAME, block)]),
            gets("4"),
            (("$.messages[1].contents[1]", "a block", DROPPED, CONTENT),),
        )
        for block in (
            {"type": "search_result", "source": URL, "title": "t", "content": [text("a")]},
            {"type": "tool_reference", "tool_name": "g"},
            {"type": "browser_state", "url": URL},
        )
    ),
    Example(
        "what a user says behind a tool result",
        told(text("a"), content="4"),
        (*gave("4"), Message.User("a")),
        gets("4", {"role": "user", "content": "a"}),
    ),
    Example(
        "what a user says before a tool result",
        said({"role": "user", "content": [text("a"), {"type": "tool_result", "tool_use_id": "toolu_1", "content": "4"}]}),
        (Message.User("a"), Message.ToolResult("toolu_1", None, "4")),
        said({"role": "user", "content": "a"}, {"role": "tool", "tool_call_id": "toolu_1", "content": "4"}),
    ),
    Example(
        "an unknown field of a turn of tool results",
        said(
            {"role": "assistant", "content": [USE]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "4"}], "id": "msg_1"},
        ),
        gave("4"),
        gets("4"),
        (only_here("id", "$.messages[1]"),),
    ),
)

SCHEMA: Final = {"type": "object", "properties": {"a": {"type": "integer"}}}
TOOL: Final = {"name": "f", "description": "F.", "input_schema": SCHEMA, "strict": True}
FUNCTION: Final = {"type": "function", "function": {"name": "f", "description": "F.", "parameters": SCHEMA, "strict": True}}


def setting(name: str, fields: Body, becomes: Body, *losses: Lost, **params: Any) -> Example:
    """An example of a parameter, beside the limit of the answer, which a request must have."""
    limit = {"max_output_tokens": 7, **params}
    body = said(**{"max_tokens": 7, **fields})
    return Example(name, body, (), said(**{"max_completion_tokens": 7, **becomes}), losses, ModelParams(**limit))


def only_a_setting_here(field: str) -> Lost:
    return ("$.params", f"{field} (anthropic)", DROPPED, CONTENT if field == "mcp_servers" else DETAIL)


def provider_tool(tool: Body) -> Example:
    return setting(
        f"the tool {tool['type']}",
        {"tools": [tool]},
        {},
        ("$.params.tools[0]", "a tool", DROPPED, CONTENT),
        tools=[ProviderTool(NAME, tool)],
    )


PARAMS: Final = (
    setting("model", {"model": "claude-opus-4-8"}, {"model": "claude-opus-4-8"}, model="claude-opus-4-8"),
    setting("max_tokens", {"max_tokens": 8}, {"max_completion_tokens": 8}, max_output_tokens=8),
    Example(
        "no max_tokens, which the server refuses",
        said(model="claude-opus-4-8"),
        (),
        said(model="claude-opus-4-8"),
        params=ModelParams(model="claude-opus-4-8"),
    ),
    setting("stream", {"stream": True}, {"stream": True}, stream=True),
    setting("metadata", {"metadata": {"user_id": "u"}}, {"user": "u"}, user="u"),
    setting("temperature", {"temperature": 0.5}, {"temperature": 0.5}, temperature=0.5),
    setting("top_p", {"top_p": 0.5}, {"top_p": 0.5}, top_p=0.5),
    setting("top_k", {"top_k": 5}, {}, ("$.params.top_k", "top_k", DROPPED, DETAIL), top_k=5),
    setting("stop_sequences", {"stop_sequences": ["a"]}, {"stop": ["a"]}, stop=["a"]),
    setting("stop_sequences that are blank", {"stop_sequences": ["\n", "a"]}, {"stop": ["\n", "a"]}, stop=["\n", "a"]),
    setting(
        "thinking with a budget that is too small",
        {"thinking": {"type": "enabled", "budget_tokens": 1_023}},
        {"reasoning_effort": "low"},
        ("$.params.thinking", "the budget for thinking", REWRITTEN, DETAIL),
        thinking=Thinking.Budget(1_023),
    ),
    setting(
        "a temperature that is too high",
        {"temperature": 1.5},
        {"temperature": 1.5},
        temperature=1.5,
    ),
    setting(
        "a tool whose schema is none of an object",
        {"tools": [{"name": "f", "input_schema": {}}, {"name": "g", "input_schema": [1]}]},
        {
            "tools": [
                {"type": "function", "function": {"name": "f", "parameters": {}}},
                {"type": "function", "function": {"name": "g", "parameters": [1]}},
            ]
        },
        tools=[Tool("f", None, {}), Tool("g", None, Json("[1]"))],
    ),
    setting(
        "thinking with a budget",
        {"thinking": {"type": "enabled", "budget_tokens": 2048}},
        {"reasoning_effort": "low"},
        ("$.params.thinking", "the budget for thinking", REWRITTEN, DETAIL),
        thinking=Thinking.Budget(2048),
    ),
    setting(
        "thinking with a budget that is not shown",
        {"thinking": {"type": "enabled", "budget_tokens": 20_000, "display": "omitted"}},
        {"reasoning_effort": "high"},
        ("$.params.thinking", "the budget for thinking", REWRITTEN, DETAIL),
        ("$.params.thinking", "display (anthropic)", DROPPED, DETAIL),
        thinking=Thinking.Budget(20_000, own(display="omitted")),
    ),
    setting(
        "thinking off",
        {"thinking": {"type": "disabled"}},
        {"reasoning_effort": "none"},
        ("$.params.thinking", "thinking", REWRITTEN, DETAIL),
        thinking=Thinking.Off(),
    ),
    setting(
        "thinking as the model likes",
        {"thinking": {"type": "adaptive"}},
        {},
        ("$.params.thinking", "thinking", DROPPED, DETAIL),
        thinking=Thinking.Adaptive(),
    ),
    setting(
        "thinking of a kind that nobody else has",
        {"thinking": {"type": "interleaved"}},
        {},
        ("$.params.thinking", "thinking", DROPPED, DETAIL),
        thinking=Thinking.Custom(NAME, {"type": "interleaved"}),
    ),
    *(
        setting(f"effort {word}", {"output_config": {"effort": word}}, {"reasoning_effort": word}, effort=Effort(word))
        for word in ("low", "medium", "high", "xhigh", "max")
    ),
    setting(
        "an effort that nobody else has",
        {"output_config": {"effort": "heroic"}},
        {},
        only_a_setting_here("output_config"),
        extras=own(output_config={"effort": "heroic"}),
    ),
    setting(
        "an effort beside a budget",
        {"thinking": {"type": "enabled", "budget_tokens": 2048}, "output_config": {"effort": "max"}},
        {"reasoning_effort": "max"},
        ("$.params.thinking", "the budget for thinking", DROPPED, DETAIL),
        thinking=Thinking.Budget(2048),
        effort=Effort.MAX,
    ),
    *(
        setting(
            f"answer by a schema in {name}",
            fields,
            {"response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA, "name": "response"}}},
            ("$.params.response_format.name", "a name", INVENTED, DETAIL),
            response_format=ResponseFormat.JsonSchema(SCHEMA),
        )
        for name, fields in (
            ("output_config", {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}),
            ("output_format, of a beta", {"output_format": {"type": "json_schema", "schema": SCHEMA}}),
        )
    ),
    setting(
        "answer by a format that nobody else has",
        {"output_config": {"format": {"type": "grammar"}}},
        {},
        ("$.params.response_format", "the response format", DROPPED, CONTENT),
        response_format=ResponseFormat.Custom(NAME, {"type": "grammar"}),
    ),
    setting("a tool", {"tools": [TOOL]}, {"tools": [FUNCTION]}, tools=[Tool("f", "F.", SCHEMA, True)]),
    setting(
        "a tool that says its type",
        {"tools": [{**TOOL, "type": "custom"}]},
        {"tools": [FUNCTION]},
        ("$.params.tools[0]", "type (anthropic)", DROPPED, DETAIL),
        tools=[Tool("f", "F.", SCHEMA, True, own(type="custom"))],
    ),
    setting(
        "a tool with a cache mark and other fields",
        {"tools": [{**TOOL, **CACHED, "input_examples": [{"a": 1}], "defer_loading": True}]},
        {"tools": [FUNCTION]},
        *(
            ("$.params.tools[0]", f"{key} (anthropic)", DROPPED, DETAIL)
            for key in ("cache_control", "input_examples", "defer_loading")
        ),
        tools=[Tool("f", "F.", SCHEMA, True, own(**CACHED, input_examples=[{"a": 1}], defer_loading=True))],
    ),
    *(
        provider_tool(tool)
        for tool in (
            {"type": "web_search_20260209", "name": "web_search", "max_uses": 3},
            {"type": "bash_20250124", "name": "bash"},
            {"type": "mcp_toolset", "mcp_server_name": "s"},
        )
    ),
    *(
        setting(
            f"tool choice {spelt['type']}",
            {"tools": [TOOL], "tool_choice": spelt},
            {"tools": [FUNCTION], "tool_choice": becomes},
            tools=[Tool("f", "F.", SCHEMA, True)],
            tool_choice=choice,
        )
        for spelt, becomes, choice in (
            ({"type": "auto"}, "auto", ToolChoice.Auto()),
            ({"type": "none"}, "none", ToolChoice.Never()),
            ({"type": "any"}, "required", ToolChoice.Required()),
            ({"type": "tool", "name": "f"}, {"type": "function", "function": {"name": "f"}}, ToolChoice.One("f")),
        )
    ),
    *(
        setting(
            f"tool choice {choice} with calls {'in' if parallel else 'not in'} parallel",
            {"tools": [TOOL], "tool_choice": {"type": choice, "disable_parallel_tool_use": not parallel}},
            {"tools": [FUNCTION], "tool_choice": becomes, "parallel_tool_calls": parallel},
            tools=[Tool("f", "F.", SCHEMA, True)],
            tool_choice=word,
            parallel_tool_calls=parallel,
        )
        for choice, becomes, word in (("auto", "auto", ToolChoice.Auto()), ("any", "required", ToolChoice.Required()))
        for parallel in (True, False)
    ),
    setting(
        "a tool choice without a tool",
        {"tool_choice": {"type": "any", "disable_parallel_tool_use": True}},
        {},
        ("$.params.tool_choice", "the tool choice", DROPPED, DETAIL),
        ("$.params.parallel_tool_calls", "parallel_tool_calls", DROPPED, DETAIL),
        tool_choice=ToolChoice.Required(),
        parallel_tool_calls=False,
    ),
    setting(
        "a tool choice of a tool that only this dialect has",
        {
            "tools": [TOOL, {"type": "web_search_20260209", "name": "web_search"}],
            "tool_choice": {"type": "tool", "name": "web_search"},
        },
        {"tools": [FUNCTION]},
        ("$.params.tools[1]", "a tool", DROPPED, CONTENT),
        ("$.params.tool_choice", "the tool choice", DROPPED, DETAIL),
        tools=[Tool("f", "F.", SCHEMA, True), ProviderTool(NAME, {"type": "web_search_20260209", "name": "web_search"})],
        tool_choice=ToolChoice.One("web_search"),
    ),
    setting(
        "a tool choice that nobody else has",
        {"tool_choice": {"type": "some", "names": ["f"]}},
        {},
        ("$.params.tool_choice", "the tool choice", DROPPED, DETAIL),
        tool_choice=ToolChoice.Custom(NAME, {"type": "some", "names": ["f"]}),
    ),
    *(
        setting(f"{key}, which only this dialect has", {key: value}, {}, only_a_setting_here(key), extras=own(**{key: value}))
        for key, value in (
            ("service_tier", "auto"),
            ("container", "c"),
            ("inference_geo", "eu"),
            ("cache_control", {"type": "ephemeral"}),
            ("context_management", {"edits": []}),
            ("mcp_servers", [{"type": "url", "url": URL, "name": "s"}]),
            ("anthropic_version", "bedrock-2023-05-31"),
            ("betas", ["b"]),
        )
    ),
)

EXAMPLES: Final = (*SPEAKERS, *BLOCKS, *SAID, *RESULTS, *PARAMS)
