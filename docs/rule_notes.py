"""What each rule of `chatadt.check` asks for, what a server says to a request that breaks it, what a repair does, and who says so.

Words in code are those that a server was reported to answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, final

from attrs import frozen

from chatadt import ChatRequest, Content, Message, ModelParams, Resource, ResponseFormat, Thinking, Tool, ToolChoice
from chatadt.json import NO_EXTRAS

__all__ = ("RULE_NOTES", "RuleNote", "Shown")


@final
@frozen
class Shown:
    """A conversation that breaks a rule, and one like it that keeps it."""

    breaks: ChatRequest
    keeps: ChatRequest


@final
@frozen
class RuleNote:
    """What a rule asks for, what a server does that does not get it, what mending does, who says so, and the rule at work."""

    asks: str
    refused: str
    mends: str
    sources: str
    shown: tuple[Shown, ...]


def _said(*messages: Message.T, **params: Any) -> ChatRequest:
    return ChatRequest(messages, ModelParams(**params))


def _calls(*ids: str, name: str = "weather") -> Message.Assistant:
    return Message.Assistant([Content.ToolRequest(id, name, {"city": "Vienna"}) for id in ids])


def _result(id: str, name: str = "weather") -> Message.ToolResult:
    return Message.ToolResult(id, name, "rain")


def _images(count: int) -> Message.User:
    return Message.User(["What is this?", *([Content.Image(_PNG)] * count)])


def _marked(count: int) -> Message.User:
    return Message.User([Content.Text(f"page {number}", _MARK) for number in range(count)])


_ASK: Final = Message.User("What is the weather in Vienna?")
_WELL: Final = Message.User("Well?")
_HELLO: Final = Message.Assistant("Hello.")
_SO: Final = Message.Assistant("The weather is")
_PNG: Final = Resource.Binary(b"\x89PNG\r\n\x1a\n", "image/png")
_PDF: Final = Resource.Binary(b"%PDF-1.7", "application/pdf")
_LARGE: Final = Resource.Binary.trusted("iVBORw0K" + "A" * 14_000_000, "image/png", NO_EXTRAS)
_INSIDE: Final = Resource.Ref("data:image/png,%89PNG%0D%0A%1A%0A")
_MARK: Final = {"anthropic": {"cache_control": {"type": "ephemeral"}}}
_SIGNED: Final = Content.Reasoning("I look it up.", {"anthropic": {"signature": "c2ln"}})
_OWN: Final = Content.Reasoning("I look it up.", {"openai_responses": {"item": {"id": "rs_1"}}})
_POINT: Final = Content.Custom("bedrock", {"cachePoint": {"type": "default"}})
_TOOLS: Final = [Tool("weather", "The weather in a city", {"type": "object", "properties": {"city": {"type": "string"}}})]
_BUDGET: Final = Thinking.Budget(2_048)
_OLD_CLAUDE: Final = "claude-3-7-sonnet-20250219"
_OLD_MISTRAL: Final = "open-mixtral-8x7b"
_LLAMA: Final = "meta.llama3-1-70b-instruct-v1:0"
_ID: Final = "abcdefgh9"
_LONG: Final = "call with spaces, " + "x" * 60

_ANSWERED: Final = _said(_ASK, _calls(_ID), _result(_ID), tools=_TOOLS)
"""What every server takes."""

RULE_NOTES: Final[Mapping[str, RuleNote]] = {
    "lone-surrogate": RuleNote(
        "No text holds half of a surrogate pair, which UTF-8 cannot say. Such text comes from strings that were cut in the middle"
        " of a character.",
        "The body is refused: `not valid JSON: no low surrogate in string`.",
        "U+FFFD, the replacement character, takes its place.",
        "anomalyco/opencode#14630",
        (Shown(_said(Message.User("half a pair: \ud83d")), _said(Message.User("a pair: \U0001f600"))),),
    ),
    "media-address": RuleNote(
        "No medium stands at an address that holds it: a data URL is no address, and what is by value is in base64.",
        "`Expected a base64-encoded data URL`.",
        "The medium stands by value.",
        "vercel/ai#7776",
        (Shown(_said(Message.User(["Look:", Content.Image(_INSIDE)])), _said(_images(1))),),
    ),
    "media-type": RuleNote(
        "An image by value is of the media type that its bytes show.",
        "The image is refused where the bytes show something else.",
        "The media type is the one that the bytes show.",
        "home-assistant/core#167208",
        (
            Shown(
                _said(Message.User([Content.Image(Resource.Binary(_PNG.content, "image/jpeg"))])),
                _said(Message.User([Content.Image(_PNG)])),
            ),
        ),
    ),
    "media": RuleNote(
        "A medium is of a kind that the server takes from that speaker, and of a type, or at an address, that it takes.",
        "Other kinds are no part of the format, or refused by name: `Image URLs are only allowed for messages with role 'user'`.",
        "The medium is dropped. A conversion leaves it to the writer, which may know something to put in its place.",
        "the official types; OpenHands/OpenHands#7700, NousResearch/hermes-agent#55432",
        (
            Shown(_said(Message.User(["Look:", Content.Video(Resource.Binary(b"\0" * 8, "video/mp4"))])), _said(_images(1))),
            Shown(_said(_ASK, Message.Assistant(["Here:", Content.Image(_PNG)]), _WELL), _said(_ASK, _HELLO, _WELL)),
            Shown(_said(Message.User(["Look:", Content.Image(Resource.Binary(b"BM12", "image/bmp"))])), _said(_images(1))),
        ),
    ),
    "media-size": RuleNote(
        "A medium by value is no larger than the server takes, nor are all of a request together.",
        "Larger ones are refused: `image_too_large`, `image_file_too_large`.",
        "The medium is dropped; of too many, the oldest.",
        "the docstrings of Converse; the vendors' pages on images, files and errors, of which some could not be verified",
        (
            Shown(_said(Message.User(["Look:", Content.Image(_LARGE)])), _said(_images(1))),
            Shown(_said(Message.User(["Look:", *([Content.Image(_LARGE)] * 5)])), _said(_images(5))),
        ),
    ),
    "media-count": RuleNote(
        "There are no more media of a kind than the server takes in one request.",
        "More are refused: `can't include more than 5 documents in a request`.",
        "The oldest are dropped.",
        "aws-samples/generative-ai-use-cases#1685; the vendors' pages on images, of which some could not be verified",
        (
            Shown(_said(_images(21)), _said(_images(8))),
            Shown(_said(_images(601)), _said(_images(8))),
            Shown(_said(_images(101), model=_OLD_CLAUDE), _said(_images(8), model=_OLD_CLAUDE)),
            Shown(
                _said(Message.User(["Read.", *(Content.PDF(_PDF, f"page {number}") for number in range(6))])),
                _said(Message.User(["Read.", Content.PDF(_PDF, "page")])),
            ),
        ),
    ),
    "blank-text": RuleNote(
        "No text is empty, or nothing but white space, and no message is empty, where the server refuses that. No medium is empty.",
        "`text content blocks must be non-empty`, `The text field in the ContentBlock object ... is blank`. Gemini refuses an empty"
        " text only; Cohere takes a blank one beside tool requests. A refusal is such a text where it has no shape of its own.",
        "The text is left out, and the message with it when nothing else is in it; a tool result of Cohere then says `.`."
        " OpenAI takes an empty text and no empty list of parts: a message without contents gets an empty text there.",
        "anthropics/anthropic-sdk-python#461, boto/botocore#3525, router-for-me/CLIProxyAPI#1292, langchain-ai/langchain-cohere#15",
        (
            Shown(_said(Message.User(["Look:", " "])), _said(Message.User("Look:"))),
            Shown(_said(Message.User(["Look:", ""])), _said(Message.User("Look:"))),
        ),
    ),
    "cache-points": RuleNote(
        "A cache mark that is a block of its own stands behind another block, and never twice in a row.",
        "A request with one that stands first, or behind another one, is refused.",
        "The mark is dropped.",
        "pydantic-ai, whose adapter puts them so",
        (Shown(_said(Message.User([_POINT, "Hello."])), _said(Message.User(["Hello.", _POINT]))),),
    ),
    "empty-assistant": RuleNote(
        "An assistant message has contents or tool requests.",
        "One with neither is refused.",
        "The message is dropped.",
        "pydantic-ai, and the validator of mistral-common",
        (Shown(_said(_ASK, Message.Assistant([]), _WELL), _said(_ASK, _HELLO, _WELL)),),
    ),
    "reasoning-leads": RuleNote(
        "Reasoning of the provider's own is followed by the message or the tool request that it led to.",
        "`Item of type 'reasoning' was provided without its required following item`.",
        "The reasoning is dropped.",
        "vercel/ai#7099, openai/openai-node#1567, continuedev/continue#8933",
        (Shown(_said(_ASK, Message.Assistant([_OWN]), _WELL), _said(_ASK, Message.Assistant([_OWN, "Rain."]), _WELL)),),
    ),
    "tool-id": RuleNote(
        "The id of a tool request has only characters that the server takes, is not too long, and stands once in its message, or"
        " once in the request.",
        "The request is refused, and names the pattern or the length.",
        "The id is replaced by one that is derived from it, in the request and in its result. The derived id ends with a hash of"
        " the old one, so that two ids stay two, and the same id gives the same new one when the conversation has grown.",
        "BerriAI/litellm#11392, langchain-ai/langchain#37756, dyad-sh/dyad#4304, earendil-works/pi#977, the service model of"
        " Converse, the validator of mistral-common",
        (
            Shown(_said(_ASK, _calls(_LONG), _result(_LONG), tools=_TOOLS), _ANSWERED),
            Shown(_said(_ASK, _calls(_ID, _ID), _result(_ID), _result(_ID), tools=_TOOLS), _ANSWERED),
        ),
    ),
    "tool-name": RuleNote(
        "The name of a tool has only characters that the server takes, and is not too long, in the history too.",
        "The request is refused, and names the pattern.",
        "The name is replaced by a derived one wherever it stands: in the tools, the tool choice, the requests and the results.",
        "mcp-use/mcp-use#90, apify/tester-mcp-client#11, anomalyco/opencode#48750, cline/cline#7339",
        (Shown(_said(_ASK, tools=[Tool("the weather", "in a city", {"type": "object"})]), _said(_ASK, tools=_TOOLS)),),
    ),
    "result-name": RuleNote(
        "A tool result names the tool of the call that it answers, where a server tells results by that name.",
        "A result under another name is taken for that of another tool, or of none.",
        "The result is given the name that its call has.",
        "ai.google.dev, function calling: the name of a response is that of its call; ollama, api/types.go: `tool_name`",
        (
            Shown(
                _said(_ASK, _calls(_ID), Message.ToolResult(_ID, "another", "18 °C"), tools=_TOOLS),
                _said(_ASK, _calls(_ID), _result(_ID), tools=_TOOLS),
            ),
        ),
    ),
    "speaker-name": RuleNote(
        "The name of a speaker has only characters that the server is said to take, and is not too long.",
        "It is said to be refused; nobody could be found who saw that.",
        "The name is spelt anew, the same wherever it stands.",
        "not verified",
        (Shown(_said(Message.User("Hello.", "Ada L")), _said(Message.User("Hello.", "Ada_L"))),),
    ),
    "says-or-calls": RuleNote(
        "An assistant message holds contents or tool requests, where an old model of Mistral is said to want that.",
        "The validator of mistral-common refuses it for the tokenizers 1 to 3; which models have them could not be verified.",
        "What was said stands in an assistant message of its own before it.",
        "the validator of mistral-common",
        (
            Shown(
                _said(_ASK, Message.Assistant(["I look.", *_calls(_ID).contents]), _result(_ID), tools=_TOOLS, model=_OLD_MISTRAL),
                _said(_ASK, _calls(_ID), _result(_ID), tools=_TOOLS, model=_OLD_MISTRAL),
            ),
        ),
    ),
    "tool-pairing": RuleNote(
        "Each tool request is answered by one result, directly behind the message that holds it, and each result answers a"
        " request. A result of a call that the server has, or that there is no word for, is none without its call.",
        "`tool_use ids were found without tool_result blocks immediately after`, `No tool call found for function call output with"
        " call_id`.",
        "A result that stands too late is moved to its place, always. Only on request: an unanswered tool request gets a result"
        " with the outcome ERROR, and a result that answers nothing is dropped.",
        "OpenHands/OpenHands#7512, microsoft/semantic-kernel#4336, QwenLM/qwen-code#8161, oracle/langchain-oracle#10",
        (
            Shown(_said(_ASK, _calls(_ID), _WELL, tools=_TOOLS), _said(*_ANSWERED.messages, _WELL, tools=_TOOLS)),
            Shown(_said(_ASK, _result(_ID)), _ANSWERED),
        ),
    ),
    "results-in-order": RuleNote(
        "The results of a turn stand in the order of its calls, where the server matches them by their place.",
        "The server takes one for another.",
        "They are put in that order.",
        "google-gemini/gemini-cli#4217, brainlid/langchain#634",
        (
            Shown(
                _said(_ASK, _calls(_ID, "abcdefgh8"), _result("abcdefgh8"), _result(_ID), tools=_TOOLS),
                _said(_ASK, _calls(_ID, "abcdefgh8"), _result(_ID), _result("abcdefgh8"), tools=_TOOLS),
            ),
        ),
    ),
    "needs-turn": RuleNote(
        "The conversation is not empty, and has something besides system messages where the server wants that. What only another"
        " dialect knows does not count.",
        "An empty list of messages is refused.",
        "A user message is added that says a full stop.",
        "the official types, pydantic-ai for Converse",
        (Shown(_said(), _said(_ASK)), Shown(_said(Message.System("Be brief.")), _said(Message.System("Be brief."), _ASK))),
    ),
    "system-first": RuleNote(
        "No system message stands behind an assistant message or a tool result.",
        "`Unexpected role 'system' after role 'assistant'`.",
        "It leads the next user message.",
        "the validator of mistral-common",
        (
            Shown(
                _said(_ASK, _HELLO, Message.System("In French."), _WELL),
                _said(Message.System("In French."), _ASK, _HELLO, _WELL),
            ),
        ),
    ),
    "first-user": RuleNote(
        "The first message besides system is a user's.",
        "A conversation that begins otherwise is refused; not by each model of Bedrock. Old models of Claude are said to.",
        "A user message that says a full stop is put before it.",
        "NousResearch/hermes-agent#63983, pydantic-ai; of old models of Claude not verified",
        (
            Shown(_said(_HELLO, _WELL), _said(_ASK, _HELLO, _WELL)),
            Shown(_said(_HELLO, _WELL, model=_OLD_CLAUDE), _said(_ASK, _HELLO, _WELL, model=_OLD_CLAUDE)),
        ),
    ),
    "results-apart": RuleNote(
        "Nothing else stands in the turn of tool results, where the model wants that: Llama and Mistral on Bedrock.",
        "A turn that mixes them is refused.",
        "An assistant message that says a full stop is put between them.",
        "pydantic/pydantic-ai#6081",
        (
            Shown(
                _said(*_ANSWERED.messages, _WELL, tools=_TOOLS, model=_LLAMA),
                _said(*_ANSWERED.messages, _HELLO, _WELL, tools=_TOOLS, model=_LLAMA),
            ),
        ),
    ),
    "prefill": RuleNote(
        "The conversation does not end with an assistant message, where the model cannot go on with one, or is said not to while it"
        " thinks.",
        "`Prefill not supported`.",
        "A user message is added that says `Please go on.`",
        "NousResearch/hermes-agent#108200, the docstrings of anthropic's SDK; beside thinking not verified",
        (
            Shown(_said(_ASK, _SO), _said(_ASK, _SO, model=_OLD_CLAUDE)),
            Shown(
                _said(_ASK, _SO, model=_OLD_CLAUDE, thinking=Thinking.Adaptive()),
                _said(_ASK, _SO, model=_OLD_CLAUDE, thinking=Thinking.Off()),
            ),
        ),
    ),
    "last-user": RuleNote(
        "The last message is a user's or a tool result, or says that the model should go on with it.",
        "`Expected last role User or Tool (or Assistant with prefix)`.",
        "A user message is added that says `Please go on.`",
        "the validator of mistral-common",
        (Shown(_said(_ASK, _SO), _said(_ASK, Message.Assistant("The weather is", extras={"mistral": {"prefix": True}}))),),
    ),
    "prefix-last": RuleNote(
        "Only the last message asks the model to go on with it.",
        "The request is refused.",
        "The mark is taken from the others.",
        "the validator of mistral-common",
        (
            Shown(
                _said(_ASK, Message.Assistant("Hello.", extras={"mistral": {"prefix": True}}), _WELL),
                _said(_ASK, Message.Assistant("Hello.", extras={"mistral": {"prefix": True}})),
            ),
        ),
    ),
    "trailing-space": RuleNote(
        "The text of an assistant message at the end ends in no white space.",
        "The request is refused.",
        "The white space is cut off.",
        "langchain-ai/langchain#35071, vercel/ai",
        (Shown(_said(_ASK, Message.Assistant("It is "), model=_OLD_CLAUDE), _said(_ASK, _SO, model=_OLD_CLAUDE)),),
    ),
    "document-name": RuleNote(
        "A document has a name, spelt as the server wants it, that no other document has.",
        "The request is refused: `Messages can't contain duplicate document names`.",
        "The name is spelt anew, numbered, or invented.",
        "the service model of Converse, aws-samples/generative-ai-use-cases#1685",
        (
            Shown(
                _said(Message.User(["Read.", Content.PDF(_PDF, "Q3_report.pdf"), Content.PDF(_PDF)])),
                _said(Message.User(["Read.", Content.PDF(_PDF, "Q3-report"), Content.PDF(_PDF, "Q4-report")])),
            ),
        ),
    ),
    "document-needs-text": RuleNote(
        "A message with a document has a text.",
        "A document without one is refused.",
        "A text that says a full stop is added.",
        "archestra-ai/archestra#4220, the docstrings of Converse",
        (
            Shown(
                _said(Message.User([Content.PDF(_PDF, "report")])),
                _said(Message.User([Content.PDF(_PDF, "report"), "Read."])),
            ),
        ),
    ),
    "needs-tools": RuleNote(
        "A request with tool requests in its history defines tools.",
        "The request is refused.",
        "A bare definition of each is invented. A conversation that is no request has no place for it, and is not held to it.",
        "vercel/ai#7537, langgenius/dify#17545",
        (Shown(_said(*_ANSWERED.messages), _ANSWERED),),
    ),
    "tool-definitions": RuleNote(
        "No two tools have one name.",
        "The request is refused.",
        "The later one is dropped.",
        "danny-avila/LibreChat#13162, googleapis/dotnet-genai#189 for Gemini",
        (Shown(_said(_ASK, tools=_TOOLS * 2), _said(_ASK, tools=_TOOLS)),),
    ),
    "tool-choice": RuleNote(
        "A tool choice that forces a call has the tool that is to be called, or any at all where it may be any.",
        "`Tool choice … not found in 'tools' parameter`, `'tool_choice' is only allowed when 'tools' are specified`.",
        "The tool choice goes.",
        "the reference pages of the providers: a tool choice is one among the `tools`",
        (
            Shown(_said(_ASK, tools=_TOOLS, tool_choice=ToolChoice.One("another")), _said(_ASK, tools=_TOOLS)),
            Shown(_said(_ASK, tool_choice=ToolChoice.Required()), _said(_ASK, tools=_TOOLS, tool_choice=ToolChoice.Required())),
        ),
    ),
    "tool-description": RuleNote(
        "The description of a tool is not empty.",
        "An empty one is refused, none is not.",
        "The empty one is left out.",
        "the service model of Converse",
        (Shown(_said(_ASK, tools=[Tool("weather", "", {"type": "object"})]), _said(_ASK, tools=_TOOLS)),),
    ),
    "cache-marks": RuleNote(
        "There are no more cache marks than the server counts, and none on reasoning where the server refuses that.",
        "More are refused; one on reasoning is answered by `Extra inputs are not permitted`.",
        "The first marks are taken away: what comes last in a prefix holds what comes before it. A mark on reasoning is taken away"
        " always.",
        "tghamm/Anthropic.SDK#50, UKGovernmentBEIS/inspect_ai#3967; the number on Bedrock could not be verified",
        (
            Shown(_said(_marked(5)), _said(_marked(4))),
            Shown(
                _said(_ASK, Message.Assistant([Content.Reasoning("hm", {"anthropic": {**_MARK["anthropic"], "signature": "s"}})])),
                _said(_ASK, Message.Assistant([Content.Reasoning("hm", {"anthropic": {"signature": "s"}}), "Rain."]), _WELL),
            ),
        ),
    ),
    "thinking-first": RuleNote(
        "Where thinking has a budget and the last turn of the user holds tool results, the message that asked for them begins with"
        " reasoning that the provider signed.",
        "The request is refused.",
        "The budget for thinking is taken away.",
        "deepset-ai/haystack-core-integrations#2146, anomalyco/opencode#3077",
        (
            Shown(
                _said(*_ANSWERED.messages, tools=_TOOLS, thinking=_BUDGET),
                _said(_ASK, Message.Assistant([_SIGNED, *_calls(_ID).contents]), _result(_ID), tools=_TOOLS, thinking=_BUDGET),
            ),
        ),
    ),
    "thinking-budget": RuleNote(
        "A budget for thinking is no smaller than the least, and leaves something of the longest answer.",
        "The type says `Must be ≥1024 and less than max_tokens`.",
        "The nearest budget that is taken stands for it; where there is none, it is taken away.",
        "the docstrings of anthropic's SDK",
        (
            Shown(_said(_ASK, thinking=Thinking.Budget(512)), _said(_ASK, thinking=_BUDGET)),
            Shown(
                _said(_ASK, thinking=_BUDGET, max_output_tokens=2_048),
                _said(_ASK, thinking=_BUDGET, max_output_tokens=2_049),
            ),
        ),
    ),
    "forced-tool": RuleNote(
        "No tool is forced while the model thinks.",
        "It is said to be refused; one recorded call was taken all the same.",
        "The model decides about the tool.",
        "pydantic-ai",
        (
            Shown(
                _said(_ASK, tools=_TOOLS, tool_choice=ToolChoice.One("weather"), thinking=_BUDGET),
                _said(_ASK, tools=_TOOLS, tool_choice=ToolChoice.Auto(), thinking=_BUDGET),
            ),
        ),
    ),
    "sampling": RuleNote(
        "No parameter of sampling is there that the model does not take.",
        "One that the model does not have is refused.",
        "It is left out.",
        "the official types, fazer-ai/agents#130",
        (
            Shown(_said(_ASK, temperature=0.5), _said(_ASK, temperature=0.5, model=_OLD_CLAUDE)),
            Shown(_said(_ASK, temperature=0.5, model="claude-opus-4-8"), _said(_ASK, temperature=0.5, model=_OLD_CLAUDE)),
        ),
    ),
    "range": RuleNote(
        "Temperature, `top_p`, `top_k`, penalties and the length of the answer are within the range that the server takes.",
        "`it has a temperature value of 1000 but the supported range is from 0 (inclusive) to 2.0001 (exclusive)`.",
        "The value becomes the nearest one that is taken. A `top_k` or a length below 1 says elsewhere that there is no limit"
        " (-1 and -2 for Ollama): it is left out, and where a length must be said, one is.",
        "the docstrings of the official SDKs, the service model of bedrock-runtime, the validator of mistral-common, a recorded"
        " call of Gemini; for the least values vectorize-io/hindsight#58, OpenBMB/ChatDev#446, genkit-ai/genkit#1397,"
        " stackblitz-labs/bolt.diy#955; for no limit goruck/home-generative-agent#614. What could not be verified is a warning",
        (
            Shown(_said(_ASK, temperature=2.5, model=_OLD_CLAUDE), _said(_ASK, temperature=1.0, model=_OLD_CLAUDE)),
            Shown(_said(_ASK, temperature=-0.5, model=_OLD_CLAUDE), _said(_ASK, temperature=0.0, model=_OLD_CLAUDE)),
            Shown(_said(_ASK, top_p=1.5, model=_OLD_CLAUDE), _said(_ASK, top_p=0.9, model=_OLD_CLAUDE)),
            Shown(_said(_ASK, top_k=-1, model=_OLD_CLAUDE), _said(_ASK, top_k=40, model=_OLD_CLAUDE)),
            Shown(_said(_ASK, presence_penalty=2.5), _said(_ASK, presence_penalty=0.5)),
            Shown(_said(_ASK, frequency_penalty=-0.5), _said(_ASK, frequency_penalty=0.5)),
            Shown(_said(_ASK, max_output_tokens=-1), _said(_ASK, max_output_tokens=16)),
        ),
    ),
    "tool-count": RuleNote(
        "There are no more tools than the server is said to take.",
        "`Invalid 'tools': array too long. Expected an array with maximum length 128`. Not all models may say so: a warning.",
        "The first ones stay.",
        "anomalyco/opencode#4909, the docstrings of the official SDK",
        (Shown(_said(_ASK, tools=[Tool(f"f{number}") for number in range(129)]), _said(_ASK, tools=_TOOLS)),),
    ),
    "format-name": RuleNote(
        "The name of a format with a schema is spelt as the server wants it.",
        "The types say `Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64`.",
        "What is refused is replaced.",
        "the docstrings of the official SDK",
        (
            Shown(
                _said(_ASK, response_format=ResponseFormat.JsonSchema({"type": "object"}, "My schema: v1")),
                _said(_ASK, response_format=ResponseFormat.JsonSchema({"type": "object"}, "my_schema")),
            ),
        ),
    ),
    "stop": RuleNote(
        "There are no more stop sequences than are counted, and none of nothing but white space where the server refuses that.",
        "A blank one is refused; of the number the types say `Up to 4 sequences` and `A list of up to 5 strings`.",
        "Those that are blank, and the last ones, are left out.",
        "BerriAI/litellm#3286, the docstrings of the official SDKs",
        (
            Shown(_said(_ASK, stop=["\n\n"]), _said(_ASK, stop=["END"])),
            Shown(_said(_ASK, stop=list("abcdef")), _said(_ASK, stop=list("abcd"))),
        ),
    ),
    "answer-limit": RuleNote(
        "A body of the dialect says how long the answer may be, where it must.",
        "`max_tokens: Field required`.",
        "The usual limit is added.",
        "the official types",
        (Shown(_said(_ASK, extras={"anthropic": {"$absent": ["max_tokens"]}}), _said(_ASK, max_output_tokens=1_000)),),
    ),
}
"""By name of a rule, in the order in which they are mended."""
