"""OpenAI Chat feature by feature: every part and field of POST /v1/chat/completions, and those of the servers that speak it too."""

from __future__ import annotations

from typing import Any, Final

from chatadt import (
    Arguments,
    Content,
    Effort,
    Extras,
    Message,
    ModelParams,
    ProviderTool,
    Resource,
    ResponseFormat,
    Tool,
    ToolChoice,
)
from chatadt.content import Detail
from chatadt.json import NO_EXTRAS

from .examples import CONTENT, DETAIL, DROPPED, INVENTED, PDF, PNG, REWRITTEN, TEXT, WAV, Body, Example, Lost

__all__ = ("EXAMPLES",)

NAME: Final = "openai_chat"
HEAD: Final = "$.messages[0]"
FIRST: Final = "$.messages[0].contents[0]"
BREAKPOINT: Final = {"mode": "explicit", "ttl": "30m"}
AT_BREAKPOINT: Final = (FIRST, "prompt_cache_breakpoint (openai_chat)", DROPPED, DETAIL)
NO_LIMIT: Final = ("$.params.max_output_tokens", "max_tokens", INVENTED, DETAIL)
URL: Final = "https://example.org/cat.png"


def own(**fields: Any) -> Extras:
    return Extras({NAME: fields}) if fields else NO_EXTRAS


def said(*messages: Body) -> Body:
    return {"messages": list(messages)}


def asked(*parts: Body) -> Body:
    return said({"role": "user", "content": list(parts)})


def answered(**fields: Any) -> Body:
    return said({"role": "assistant", **fields})


def turn(*blocks: Body) -> Body:
    """A user turn of the other dialect."""
    return said({"role": "user", "content": list(blocks)})


def reply(*blocks: Body) -> Body:
    """An assistant turn of the other dialect."""
    return said({"role": "assistant", "content": list(blocks)})


def text(said: str, **fields: Any) -> Body:
    return {"type": "text", "text": said, **fields}


def omitted(kind: str) -> Body:
    return turn(text(f"[{kind} omitted]"))


INVENTED_TEXT: Final[Lost] = (HEAD, "a text", INVENTED, DETAIL)

SPEAKERS: Final = (
    Example("system", said({"role": "system", "content": "a"}), Message.System("a"), {"system": "a", "messages": []}),
    Example(
        "system of parts",
        said({"role": "system", "content": [text("a"), text("b")]}),
        Message.System(["a", "b"]),
        {"system": [text("a"), text("b")], "messages": []},
    ),
    Example(
        "a part of system that is no text",
        said({"role": "system", "content": [text("a"), {"type": "image_url", "image_url": {"url": URL}}]}),
        Message.System(["a", Content.Custom(NAME, {"type": "image_url", "image_url": {"url": URL}})]),
        {"system": "a", "messages": []},
        (("$.messages[0].contents[1]", "a block", DROPPED, CONTENT),),
    ),
    Example(
        "the name of system",
        said({"role": "system", "content": "a", "name": "ann"}),
        Message.System("a", own(name="ann")),
        {"system": "a", "messages": []},
        ((HEAD, "name (openai_chat)", DROPPED, DETAIL),),
    ),
    Example("developer", said({"role": "developer", "content": "a"}), Message.System("a"), {"system": "a", "messages": []}),
    Example("user", said({"role": "user", "content": "a"}), Message.User("a"), said({"role": "user", "content": "a"})),
    Example(
        "the name of a user",
        said({"role": "user", "content": "a", "name": "ann"}),
        Message.User("a", "ann"),
        said({"role": "user", "content": "a"}),
        ((f"{HEAD}.name", "the name of the user", DROPPED, DETAIL),),
    ),
    Example(
        "an unknown field of a user",
        said({"role": "user", "content": "a", "cache_control": {"type": "ephemeral"}}),
        Message.User("a", extras=own(cache_control={"type": "ephemeral"})),
        said({"role": "user", "content": "a"}),
        ((HEAD, "cache_control (openai_chat)", DROPPED, DETAIL),),
    ),
    Example(
        "a role that nobody else has",
        said({"role": "latest_reminder", "content": "a"}),
        Message.Custom({"role": "latest_reminder", "content": "a"}, NAME),
        said(),
        ((HEAD, "a message", DROPPED, CONTENT),),
    ),
    Example(
        "the result of a function, deprecated",
        said({"role": "function", "name": "f", "content": "4"}),
        Message.ToolResult("", "f", "4"),
        turn({"type": "tool_result", "tool_use_id": "", "content": "4"}),
        (("$.messages[0].tool", "the name of the tool", DROPPED, DETAIL),),
    ),
    Example(
        "the result of a function that gave nothing",
        said({"role": "function", "name": "f", "content": None}),
        Message.ToolResult("", "f", [], extras=own(content=None)),
        turn({"type": "tool_result", "tool_use_id": ""}),
        (("$.messages[0].tool", "the name of the tool", DROPPED, DETAIL),),
    ),
)


def picture(resource: Resource.T, detail: Detail | None = None, **fields: Any) -> Message.User:
    return Message.User([Content.Image(resource, detail, own(**fields))])


def image(url: str, **inner: Any) -> Body:
    return {"type": "image_url", "image_url": {"url": url, **inner}}


def at_url(url: str = URL) -> Body:
    return {"type": "image", "source": {"type": "url", "url": url}}


def by_value(kind: str = "image/png") -> Body:
    return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": PNG}}


PARTS: Final = (
    Example("text parts", asked(text("a"), text("b")), Message.User(["a", "b"]), turn(text("a"), text("b"))),
    Example(
        "text with a cache breakpoint",
        asked(text("a", prompt_cache_breakpoint=BREAKPOINT)),
        Message.User([Content.Text("a", own(prompt_cache_breakpoint=BREAKPOINT))]),
        turn(text("a")),
        (AT_BREAKPOINT,),
    ),
    Example("image by URL", asked(image(URL)), picture(Resource.Ref(URL)), turn(at_url())),
    *(
        Example(
            f"image with detail {detail.value}",
            asked(image(URL, detail=detail.value)),
            picture(Resource.Ref(URL), detail),
            turn(at_url()),
            ((f"{FIRST}.detail", "the detail", DROPPED, DETAIL),),
        )
        for detail in Detail
    ),
    Example(
        "image with a detail that nobody else has",
        asked(image(URL, detail="tiny")),
        picture(Resource.Ref(URL), image_url={"detail": "tiny"}),
        turn(at_url()),
        ((FIRST, "image_url (openai_chat)", DROPPED, DETAIL),),
    ),
    Example(
        "image by value",
        asked(image(f"data:image/png;base64,{PNG}")),
        picture(Resource.Binary(PNG, "image/png")),
        turn(by_value()),
    ),
    Example(
        "image by value without a media type",
        asked(image(f"data:;base64,{PNG}")),
        picture(Resource.Binary(PNG)),
        turn(by_value()),
    ),
    Example(
        "image by value, the media type with a parameter",
        asked(image(f"data:image/png;charset=utf-8;base64,{PNG}")),
        picture(Resource.Binary(PNG, "image/png")),
        turn(by_value()),
    ),
    Example(
        "image by value, the media type in a common spelling",
        asked(image(f"data:image/x-png;base64,{PNG}")),
        picture(Resource.Binary(PNG, "image/x-png")),
        turn(by_value()),
        ((f"{FIRST}.resource.mime_type", "the media type", REWRITTEN, DETAIL),),
    ),
    Example(
        "image in a format that few take",
        asked(image(f"data:image/bmp;base64,{PNG}")),
        picture(Resource.Binary(PNG, "image/bmp")),
        omitted("image"),
        ((FIRST, "image", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    Example(
        "image at an address that is not http",
        asked(image("gs://bucket/cat.png")),
        picture(Resource.Ref("gs://bucket/cat.png")),
        omitted("image"),
        ((FIRST, "image", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    Example(
        "image whose URL stands bare", asked({"type": "image_url", "image_url": URL}), picture(Resource.Ref(URL)), turn(at_url())
    ),
    Example(
        "image with a cache breakpoint",
        asked({**image(URL), "prompt_cache_breakpoint": BREAKPOINT}),
        picture(Resource.Ref(URL), prompt_cache_breakpoint=BREAKPOINT),
        turn(at_url()),
        (AT_BREAKPOINT,),
    ),
    *(
        Example(
            f"audio as {form}",
            asked({"type": "input_audio", "input_audio": {"data": WAV, "format": form}}),
            Message.User([Content.Audio(Resource.Binary(WAV, kind))]),
            omitted("audio"),
            ((FIRST, "audio", DROPPED, CONTENT), INVENTED_TEXT),
        )
        for form, kind in (("wav", "audio/wav"), ("mp3", "audio/mpeg"), ("flac", "audio/flac"))
    ),
    Example(
        "audio with a cache breakpoint",
        asked({"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}, "prompt_cache_breakpoint": BREAKPOINT}),
        Message.User([Content.Audio(Resource.Binary(WAV, "audio/wav"), extras=own(prompt_cache_breakpoint=BREAKPOINT))]),
        omitted("audio"),
        ((FIRST, "audio", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    Example(
        "PDF by value",
        asked({"type": "file", "file": {"file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"}}),
        Message.User([Content.PDF(Resource.Binary(PDF, "application/pdf"), "a.pdf")]),
        turn({"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}, "title": "a.pdf"}),
    ),
    Example(
        "PDF by value without a name",
        asked({"type": "file", "file": {"file_data": f"data:application/pdf;base64,{PDF}"}}),
        Message.User([Content.PDF(Resource.Binary(PDF, "application/pdf"))]),
        turn({"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}}),
    ),
    Example(
        "PDF with a cache breakpoint",
        asked(
            {
                "type": "file",
                "file": {"file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"},
                "prompt_cache_breakpoint": BREAKPOINT,
            }
        ),
        Message.User([Content.PDF(Resource.Binary(PDF, "application/pdf"), "a.pdf", own(prompt_cache_breakpoint=BREAKPOINT))]),
        turn({"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}, "title": "a.pdf"}),
        (AT_BREAKPOINT,),
    ),
    Example(
        "a file that is text",
        asked({"type": "file", "file": {"file_data": f"data:text/csv;base64,{TEXT}", "filename": "a.csv"}}),
        Message.User([Content.File(Resource.Binary(TEXT, "text/csv"), "a.csv")]),
        turn({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a,b\n1,2"}, "title": "a.csv"}),
        ((f"{FIRST}.resource.mime_type", "the media type", REWRITTEN, DETAIL),),
    ),
    Example(
        "a file that is neither PDF nor text",
        asked({"type": "file", "file": {"file_data": f"data:application/zip;base64,{PNG}", "filename": "a.zip"}}),
        Message.User([Content.File(Resource.Binary(PNG, "application/zip"), "a.zip")]),
        omitted("file"),
        ((FIRST, "file", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    Example(
        "a file by its id",
        asked({"type": "file", "file": {"file_id": "file-1"}}),
        Message.User([Content.File(Resource.Ref("urn:chatadt:openai:file:file-1"))]),
        omitted("file"),
        ((FIRST, "file", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    Example(
        "a file by its id, with a name",
        asked({"type": "file", "file": {"file_id": "file-1", "filename": "a.pdf"}}),
        Message.User([Content.File(Resource.Ref("urn:chatadt:openai:file:file-1"), "a.pdf")]),
        omitted("file"),
        ((FIRST, "file", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    Example(
        "a file by URL, which some servers take",
        asked({"type": "file", "file": {"file_data": "https://example.org/a.pdf", "filename": "a.pdf"}}),
        Message.User([Content.File(Resource.Ref("https://example.org/a.pdf"), "a.pdf")]),
        omitted("file"),
        ((FIRST, "file", DROPPED, CONTENT), INVENTED_TEXT),
    ),
    Example(
        "a part that nobody else has",
        asked({"type": "video_url", "video_url": {"url": "https://example.org/a.mp4"}}),
        Message.User([Content.Custom(NAME, {"type": "video_url", "video_url": {"url": "https://example.org/a.mp4"}})]),
        omitted("custom"),
        ((FIRST, "a block", DROPPED, CONTENT), INVENTED_TEXT),
    ),
)

CALL: Final = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
REQUEST: Final = Content.ToolRequest("c1", "f", '{"a": 1}')
USE: Final = {"type": "tool_use", "id": "c1", "name": "f", "input": {"a": 1}}


def calling(**fields: Any) -> Body:
    return answered(content=None, tool_calls=[{**CALL, **fields}])


def requested(arguments: Arguments.T | str, id: str = "c1", **fields: Any) -> Message.Assistant:
    return Message.Assistant([Content.ToolRequest(id, "f", arguments, own(**fields))])


def malformed(text: str) -> Arguments.T:
    found = Arguments.of(text)
    assert isinstance(found, Arguments.Malformed)
    return found


THE_ARGUMENTS: Final = ((FIRST, "arguments", REWRITTEN, CONTENT),)

SAID: Final = (
    Example("assistant", answered(content="a"), Message.Assistant("a"), reply(text("a"))),
    Example("assistant that says nothing", answered(content=""), Message.Assistant(""), reply(text(""))),
    Example(
        "assistant of parts", answered(content=[text("a"), text("b")]), Message.Assistant(["a", "b"]), reply(text("a"), text("b"))
    ),
    Example(
        "refusal as a part",
        answered(content=[text("a"), {"type": "refusal", "refusal": "no"}]),
        Message.Assistant(["a", Content.Refusal("no")]),
        reply(text("a"), text("no")),
        (("$.messages[0].contents[1]", "refusal", REWRITTEN, DETAIL),),
    ),
    Example(
        "refusal as a field",
        answered(content=None, refusal="no"),
        Message.Assistant([Content.Refusal("no")]),
        reply(text("no")),
        ((FIRST, "refusal", REWRITTEN, DETAIL),),
    ),
    Example(
        "a part of an assistant that nobody else has",
        answered(content=[{"type": "thinking", "thinking": "hm"}]),
        Message.Assistant([Content.Custom(NAME, {"type": "thinking", "thinking": "hm"})]),
        said(),
        ((FIRST, "a block", DROPPED, CONTENT),),
    ),
    Example(
        "audio by its id",
        answered(audio={"id": "audio_1"}),
        Message.Assistant([Content.Audio(Resource.Ref("urn:chatadt:openai:file:audio_1"), extras=own(id="audio_1"))]),
        said(),
        ((FIRST, "audio of an assistant", DROPPED, CONTENT),),
    ),
    Example(
        "audio by its id beside text",
        answered(content="a", audio={"id": "audio_1"}),
        Message.Assistant(["a", Content.Audio(Resource.Ref("urn:chatadt:openai:file:audio_1"), extras=own(id="audio_1"))]),
        reply(text("a")),
        (("$.messages[0].contents[1]", "audio of an assistant", DROPPED, CONTENT),),
    ),
    Example(
        "the name of an assistant",
        answered(content="a", name="bob"),
        Message.Assistant("a", "bob"),
        reply(text("a")),
        ((f"{HEAD}.name", "the name of the assistant", DROPPED, DETAIL),),
    ),
    *(
        Example(
            f"{key} of servers that show it",
            answered(content="a", **{key: "hm"}),
            Message.Assistant([Content.Reasoning("hm"), "a"]),
            reply(text("a")),
            ((FIRST, "reasoning", DROPPED, DETAIL),),
        )
        for key in ("reasoning_content", "reasoning")
    ),
    Example(
        "reasoning_details of OpenRouter",
        answered(content="a", reasoning_details=[{"type": "reasoning.encrypted", "data": "AA=="}]),
        Message.Assistant("a", extras=own(reasoning_details=[{"type": "reasoning.encrypted", "data": "AA=="}])),
        reply(text("a")),
        ((HEAD, "reasoning_details (openai_chat)", DROPPED, DETAIL),),
    ),
    Example("a tool call", calling(), Message.Assistant([REQUEST]), reply(USE)),
    Example(
        "tool calls in parallel after text",
        answered(content="a", tool_calls=[CALL, {**CALL, "id": "c2"}]),
        Message.Assistant(["a", REQUEST, Content.ToolRequest("c2", "f", '{"a": 1}')]),
        reply(text("a"), USE, {**USE, "id": "c2"}),
    ),
    *(
        Example(
            f"a tool call whose arguments are {spelt!r}",
            calling(function={"name": "f", "arguments": spelt}),
            requested("{}"),
            reply({**USE, "input": {}}),
        )
        for spelt in ("", "  ", "{}")
    ),
    Example(
        "a tool call that was cut off",
        calling(function={"name": "f", "arguments": '{"a": '}),
        requested(malformed('{"a": ')),
        reply({**USE, "input": {"malformed_arguments": '{"a": '}}),
        THE_ARGUMENTS,
    ),
    *(
        Example(
            f"a tool call whose arguments are the JSON {spelt}",
            calling(function={"name": "f", "arguments": spelt}),
            requested(spelt),
            reply({**USE, "input": {"value": value}}),
            THE_ARGUMENTS,
        )
        for spelt, value in (("[1, 2]", [1, 2]), ("null", None), ('"a"', "a"), ("9007199254740993", 9007199254740993))
    ),
    Example(
        "a tool call whose arguments say a key twice",
        calling(function={"name": "f", "arguments": '{"a": 1, "b": {"c": ":", "c": 2}}'}),
        requested('{"a": 1, "b": {"c": ":", "c": 2}}'),
        reply({**USE, "input": {"a": 1, "b": {"c": 2}}}),
        ((f"{FIRST}", "arguments", REWRITTEN, DETAIL),),
    ),
    Example(
        "a tool call whose arguments have colons in their texts",
        calling(function={"name": "f", "arguments": '{"a": "\\":", "b": [{"c": "d:e"}]}'}),
        requested('{"a": "\\":", "b": [{"c": "d:e"}]}'),
        reply({**USE, "input": {"a": '":', "b": [{"c": "d:e"}]}}),
    ),
    Example(
        "a tool call that says no type",
        answered(content=None, tool_calls=[{key: item for key, item in CALL.items() if key != "type"}]),
        Message.Assistant([REQUEST]),
        reply(USE),
    ),
    Example(
        "an unknown field of a tool call",
        calling(extra_content={"google": {"thought_signature": "AA=="}}),
        requested('{"a": 1}', extra_content={"google": {"thought_signature": "AA=="}}),
        reply(USE),
        ((FIRST, "extra_content (openai_chat)", DROPPED, DETAIL),),
    ),
    Example(
        "a call of a custom tool",
        answered(content=None, tool_calls=[{"id": "c1", "type": "custom", "custom": {"name": "f", "input": "ls -l"}}]),
        requested('"ls -l"'),
        reply({**USE, "input": {"value": "ls -l"}}),
        (*THE_ARGUMENTS, (FIRST, "a call of free-form text", REWRITTEN, DETAIL)),
    ),
    Example(
        "a tool call of a type that nobody else has",
        answered(content=None, tool_calls=[{"id": "c1", "type": "mcp", "mcp": {"name": "f"}}]),
        Message.Assistant([Content.Custom(NAME, {"$tool_call": {"id": "c1", "type": "mcp", "mcp": {"name": "f"}}})]),
        said(),
        ((FIRST, "a block", DROPPED, CONTENT),),
    ),
    Example(
        "a function call, deprecated",
        answered(content=None, function_call={"name": "f", "arguments": '{"a": 1}'}),
        requested('{"a": 1}', id=""),
        reply({**USE, "id": ""}),
    ),
)


def told(content: Any, **fields: Any) -> Body:
    return said(
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": content, **fields},
    )


def gave(contents: Any, **fields: Any) -> tuple[Message.T, ...]:
    return (Message.Assistant([REQUEST]), Message.ToolResult("c1", "f", contents, extras=own(**fields)))


def gets(content: Any) -> Body:
    return said(
        {"role": "assistant", "content": [USE]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": content}]},
    )


RESULTS: Final = (
    Example("a tool result", told("4"), gave("4"), gets("4")),
    Example("a tool result of parts", told([text("4"), text("5")]), gave(["4", "5"]), gets([text("4"), text("5")])),
    Example(
        "a tool result with a cache breakpoint",
        told([text("4", prompt_cache_breakpoint=BREAKPOINT)]),
        gave([Content.Text("4", own(prompt_cache_breakpoint=BREAKPOINT))]),
        gets("4"),
        (("$.messages[1].contents[0]", "prompt_cache_breakpoint (openai_chat)", DROPPED, DETAIL),),
    ),
    Example(
        "an image in a tool result, which some servers take",
        told([text("4"), image(URL)]),
        gave(["4", Content.Image(Resource.Ref(URL))]),
        gets([text("4"), at_url()]),
    ),
    Example(
        "the name that some servers want of a tool result",
        told("4", name="f"),
        gave("4", name="f"),
        gets("4"),
        (("$.messages[1]", "name (openai_chat)", DROPPED, DETAIL),),
    ),
    Example(
        "a tool result without its call",
        said({"role": "tool", "tool_call_id": "c1", "content": "4"}),
        Message.ToolResult("c1", None, "4"),
        turn({"type": "tool_result", "tool_use_id": "c1", "content": "4"}),
    ),
)

SCHEMA: Final = {"type": "object", "properties": {"a": {"type": "integer"}}}
TOOL: Final = {"type": "function", "function": {"name": "f", "description": "F.", "parameters": SCHEMA, "strict": True}}
LIMITED: Final = {"max_tokens": 4096}


def setting(name: str, fields: Body, becomes: Body, *losses: Lost, **params: Any) -> Example:
    """An example of a parameter; the other dialect also needs a limit of the answer."""
    limit = () if "max_output_tokens" in params else (NO_LIMIT,)
    return Example(
        name,
        {**fields, "messages": []},
        (),
        {**becomes, "messages": [], **({} if not limit else LIMITED)},
        (*losses, *limit),
        ModelParams(**params),
    )


def gone(name: str, *, key: str | None = None) -> Lost:
    return (f"$.params.{key or name}", name, DROPPED, DETAIL)


def only_here(name: str) -> Lost:
    return ("$.params", f"{name} (openai_chat)", DROPPED, CONTENT if name == "web_search_options" else DETAIL)


PARAMS: Final = (
    setting("model", {"model": "gpt-5"}, {"model": "gpt-5"}, model="gpt-5"),
    setting("stream", {"stream": True}, {"stream": True}, stream=True),
    setting("user, who asks", {"user": "u"}, {"metadata": {"user_id": "u"}}, user="u"),
    setting("temperature", {"temperature": 0.5}, {}, gone("temperature"), temperature=0.5),
    setting("top_p", {"top_p": 1}, {}, gone("top_p"), top_p=1),
    setting("max_completion_tokens", {"max_completion_tokens": 7}, {"max_tokens": 7}, max_output_tokens=7),
    setting("max_tokens, deprecated", {"max_tokens": 7}, {"max_tokens": 7}, max_output_tokens=7),
    setting(
        "both limits",
        {"max_completion_tokens": 7, "max_tokens": 8},
        {"max_tokens": 7},
        only_here("max_tokens"),
        max_output_tokens=7,
        extras=own(max_tokens=8),
    ),
    setting("stop as a string", {"stop": "a"}, {"stop_sequences": ["a"]}, stop="a"),
    setting(
        "stop that is blank",
        {"stop": ["\n", "a"]},
        {"stop_sequences": ["a"]},
        ("$.params.stop[0]", "a stop sequence", DROPPED, DETAIL),
        stop=["\n", "a"],
    ),
    setting(
        "stop that is nothing but blank", {"stop": " "}, {}, ("$.params.stop[0]", "a stop sequence", DROPPED, DETAIL), stop=" "
    ),
    setting("stop as a list", {"stop": ["a", "b"]}, {"stop_sequences": ["a", "b"]}, stop=["a", "b"]),
    setting("seed", {"seed": 3}, {}, gone("seed"), seed=3),
    setting("presence_penalty", {"presence_penalty": 0.5}, {}, gone("presence_penalty"), presence_penalty=0.5),
    setting("frequency_penalty", {"frequency_penalty": 0.5}, {}, gone("frequency_penalty"), frequency_penalty=0.5),
    *(
        setting(f"effort {word}", {"reasoning_effort": word}, {"output_config": {"effort": word}}, effort=Effort(word))
        for word in ("low", "medium", "high", "xhigh", "max")
    ),
    setting(
        "effort minimal",
        {"reasoning_effort": "minimal"},
        {"output_config": {"effort": "low"}},
        ("$.params.effort", "effort", REWRITTEN, DETAIL),
        effort=Effort.MINIMAL,
    ),
    setting(
        "effort none",
        {"reasoning_effort": "none"},
        {"thinking": {"type": "disabled"}},
        ("$.params.effort", "effort", REWRITTEN, DETAIL),
        effort=Effort.NONE,
    ),
    setting(
        "a tool",
        {"tools": [TOOL]},
        {"tools": [{"name": "f", "description": "F.", "input_schema": SCHEMA, "strict": True}]},
        tools=[Tool("f", "F.", SCHEMA, True)],
    ),
    setting(
        "a tool without parameters",
        {"tools": [{"type": "function", "function": {"name": "f"}}]},
        {"tools": [{"name": "f", "input_schema": {"type": "object", "properties": {}}}]},
        ("$.params.tools[0].parameters", "a schema", INVENTED, DETAIL),
        tools=[Tool("f")],
    ),
    setting(
        "a tool whose schema does not say that it is an object",
        {"tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}]},
        {"tools": [{"name": "f", "input_schema": {"type": "object"}}]},
        ("$.params.tools[0].parameters", "the schema", REWRITTEN, DETAIL),
        tools=[Tool("f", None, {})],
    ),
    setting(
        "a custom tool",
        {"tools": [{"type": "custom", "custom": {"name": "f", "format": {"type": "text"}}}]},
        {},
        ("$.params.tools[0]", "a tool", DROPPED, CONTENT),
        tools=[ProviderTool(NAME, {"type": "custom", "custom": {"name": "f", "format": {"type": "text"}}})],
    ),
    *(
        setting(
            f"tool choice {spelt}",
            {"tools": [TOOL], "tool_choice": spelt},
            {"tools": [{"name": "f", "description": "F.", "input_schema": SCHEMA, "strict": True}], "tool_choice": becomes},
            tools=[Tool("f", "F.", SCHEMA, True)],
            tool_choice=choice,
        )
        for spelt, becomes, choice in (
            ("auto", {"type": "auto"}, ToolChoice.Auto()),
            ("none", {"type": "none"}, ToolChoice.Never()),
            ("required", {"type": "any"}, ToolChoice.Required()),
        )
    ),
    setting(
        "tool choice of one",
        {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "f"}}},
        {
            "tools": [{"name": "f", "description": "F.", "input_schema": SCHEMA, "strict": True}],
            "tool_choice": {"type": "tool", "name": "f"},
        },
        tools=[Tool("f", "F.", SCHEMA, True)],
        tool_choice=ToolChoice.One("f"),
    ),
    *(
        setting(
            f"tool choice {choice['type']}",
            {"tool_choice": choice},
            {},
            ("$.params.tool_choice", "the tool choice", DROPPED, DETAIL),
            tool_choice=ToolChoice.Custom(NAME, choice),
        )
        for choice in (
            {"type": "custom", "custom": {"name": "f"}},
            {
                "type": "allowed_tools",
                "allowed_tools": {"mode": "auto", "tools": [{"type": "function", "function": {"name": "f"}}]},
            },
        )
    ),
    setting(
        "calls not in parallel",
        {"tools": [TOOL], "tool_choice": "required", "parallel_tool_calls": False},
        {
            "tools": [{"name": "f", "description": "F.", "input_schema": SCHEMA, "strict": True}],
            "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
        },
        tools=[Tool("f", "F.", SCHEMA, True)],
        tool_choice=ToolChoice.Required(),
        parallel_tool_calls=False,
    ),
    setting(
        "a tool choice of a tool that is not there",
        {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "g"}}},
        {"tools": [{"name": "f", "description": "F.", "input_schema": SCHEMA, "strict": True}]},
        ("$.params.tool_choice", "the tool choice", DROPPED, DETAIL),
        tools=[Tool("f", "F.", SCHEMA, True)],
        tool_choice=ToolChoice.One("g"),
    ),
    setting(
        "a tool choice without a tool",
        {"tool_choice": "auto"},
        {},
        ("$.params.tool_choice", "the tool choice", DROPPED, DETAIL),
        tool_choice=ToolChoice.Auto(),
    ),
    setting(
        "functions, deprecated, and which to call",
        {"functions": [{"name": "f", "description": "F.", "parameters": SCHEMA, "x": 1}], "function_call": {"name": "f"}},
        {
            "tools": [{"name": "f", "description": "F.", "input_schema": SCHEMA}],
            "tool_choice": {"type": "tool", "name": "f"},
        },
        ("$.params.tools[0]", "x (openai_chat)", DROPPED, DETAIL),
        tools=[Tool("f", "F.", SCHEMA, extras=own(x=1))],
        tool_choice=ToolChoice.One("f"),
    ),
    *(
        setting(
            f"functions beside tools, function_call {word}",
            {"tools": [TOOL], "functions": [{"name": "g", "parameters": SCHEMA}], "function_call": word},
            {
                "tools": [
                    {"name": "f", "description": "F.", "input_schema": SCHEMA, "strict": True},
                    {"name": "g", "input_schema": SCHEMA},
                ],
                "tool_choice": {"type": word},
            },
            tools=[Tool("f", "F.", SCHEMA, True), Tool("g", None, SCHEMA)],
            tool_choice=choice,
        )
        for word, choice in (("auto", ToolChoice.Auto()), ("none", ToolChoice.Never()))
    ),
    setting(
        "function_call without functions",
        {"function_call": "auto"},
        {},
        ("$.params.tool_choice", "the tool choice", DROPPED, DETAIL),
        tool_choice=ToolChoice.Auto(),
    ),
    setting(
        "function_call of a kind that is not known",
        {"function_call": "any"},
        {},
        only_here("function_call"),
        extras=own(function_call="any"),
    ),
    setting("calls in parallel", {"parallel_tool_calls": True}, {}, parallel_tool_calls=True),
    setting(
        "calls not in parallel, without a tool",
        {"parallel_tool_calls": False},
        {},
        ("$.params.parallel_tool_calls", "parallel_tool_calls", DROPPED, DETAIL),
        parallel_tool_calls=False,
    ),
    setting("answer as text", {"response_format": {"type": "text"}}, {}, response_format=ResponseFormat.Text()),
    setting(
        "answer as any object",
        {"response_format": {"type": "json_object"}},
        {},
        ("$.params.response_format", "the response format", DROPPED, CONTENT),
        response_format=ResponseFormat.JsonObject(),
    ),
    setting(
        "answer by a schema",
        {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "n", "description": "d", "schema": SCHEMA, "strict": True},
            }
        },
        {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
        ("$.params.response_format.name", "the name of the format", DROPPED, DETAIL),
        ("$.params.response_format.description", "the description of the format", DROPPED, DETAIL),
        ("$.params.response_format.strict", "the strict of the format", DROPPED, DETAIL),
        response_format=ResponseFormat.JsonSchema(SCHEMA, "n", "d", True),
    ),
    setting(
        "answer by a grammar",
        {"response_format": {"type": "grammar", "grammar": "root ::= 'a'"}},
        {},
        ("$.params.response_format", "the response format", DROPPED, CONTENT),
        response_format=ResponseFormat.Custom(NAME, {"type": "grammar", "grammar": "root ::= 'a'"}),
    ),
    *(
        setting(f"{key}, which only this dialect has", {key: value}, {}, only_here(key), extras=own(**{key: value}))
        for key, value in (
            ("n", 2),
            ("logprobs", True),
            ("top_logprobs", 3),
            ("logit_bias", {"50256": -100}),
            ("metadata", {"a": "b"}),
            ("store", False),
            ("service_tier", "flex"),
            ("stream_options", {"include_usage": True}),
            ("modalities", ["text", "audio"]),
            ("audio", {"voice": "alloy", "format": "wav"}),
            ("prediction", {"type": "content", "content": "a"}),
            ("web_search_options", {}),
            ("verbosity", "low"),
            ("safety_identifier", "s"),
            ("prompt_cache_key", "k"),
        )
    ),
)

EXAMPLES: Final = (*SPEAKERS, *PARTS, *SAID, *RESULTS, *PARAMS)
