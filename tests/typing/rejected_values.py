"""Wrong programs: both checkers report each one, and would be content with the line after `# instead:` in its place.

This file is read, never run; `tests/test_exhaustive.py` turns each planted error green.
"""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from chatadt.chat import ChatRequest, ChatResponse, ModelParams, StopKind, StopReason, Thinking
from chatadt.content import Arguments, Content, Detail
from chatadt.history import History
from chatadt.json import Json
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.templates import Hole, Kind, Line, Prompt, Template, Words
from chatadt.tool import Tool, ToolChoice

picture = Content.Image(Resource.Ref("https://example.org/cat.png"))
call = Content.ToolRequest("1", "weather", {"city": "Bern"})
text = Content.Text("hi")
user = Message.User("hi")

# A wrong case in the contents.
Message.User([call])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Message.User([picture])
Message.User([text, call])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Message.User([text, picture])
Message.User([Content.Reasoning("hm")])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Message.User([Content.Text("hm")])
Message.User([Content.Refusal("no")])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Message.User([Content.Text("no")])
Message.System([picture])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Message.System([text])
Message.System(["look", picture])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Message.System(["look", text])
Message.ToolResult("1", "weather", [call])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Message.ToolResult("1", "weather", [picture])
Message.Assistant([user])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Message.Assistant([call])
Message.User([None])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Message.User([text])
Message.User(None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Message.User("")
Message.User(text)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Message.User([text])
Message.User(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Message.User("5")
Message.User(b"hi")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Message.User("hi")
History().user([call])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: History().user([picture])
History().system([picture])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: History().system([text])
History([text])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: History([user])
ChatRequest(["hi"])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: ChatRequest([user])

# A wrong piece of a template.
Template().system([picture])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Template().system([text])
Template().user(["{question}", call])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Template().user(["{question}", picture])
Template().user([Message.User("hi")])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Template().user([Words("hi")])
print(Template().user("hi") + ("user", "{question}"))  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue, reportUnknownArgumentType]
# instead: print(Template().user("hi") + (user,))
Template([user])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Template([Line.Exactly(user)])
Hole.Content("photo", "image")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Hole.Content("photo", Kind.IMAGE)
Prompt(["hi"])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: Prompt([user])

# A wrong type of a field.
Content.Text(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Content.Text("5")
Content.Text(None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Content.Text("")
Content.Image("https://example.org/cat.png")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Content.Image(Resource.Ref("https://example.org/cat.png"))
Content.Image(Resource.Ref("https://example.org/cat.png"), "high")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Content.Image(Resource.Ref("https://example.org/cat.png"), Detail.HIGH)
Content.Image(text)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Content.Image(Resource.Binary(""))
Content.ToolRequest("1", "weather", 5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Content.ToolRequest("1", "weather", "5")
Content.ToolRequest("1", "weather", [1])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Content.ToolRequest("1", "weather", Json("[1]"))
Content.ToolRequest(1, "weather", {})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Content.ToolRequest("1", "weather", {})
Message.ToolResult("1", "weather", "4 degrees", "error")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Message.ToolResult("1", "weather", "4 degrees", Outcome.ERROR)
Message.ToolResult(None, "weather", "4 degrees")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Message.ToolResult("1", None, "4 degrees")
Message.User("hi", 5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Message.User("hi", "5")
Resource.Ref(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Resource.Ref("urn:5")
Resource.Binary(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Resource.Binary(b"5")
Resource.Binary(b"5", 5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Resource.Binary(b"5", "text/plain")
Resource.of(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Resource.of(b"5")
Json(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Json("5")
Content.Text("hi", 5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Content.Text("hi", {})
Tool(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Tool("five")
Tool("weather", parameters=[1])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Tool("weather", parameters={})
ModelParams(tools=[text])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
# instead: ModelParams(tools=[Tool("weather")])
ModelParams(tool_choice="auto")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: ModelParams(tool_choice=ToolChoice.Auto())
ModelParams(temperature="1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: ModelParams(temperature=1)
Thinking.Budget("1024")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: Thinking.Budget(1024)
StopReason("end")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: StopReason(StopKind.END)
ChatResponse(user)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: ChatResponse(Message.Assistant("hi"))

# A field that is missing, unknown, or in the wrong place.
Content.Text()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
# instead: Content.Text("")
Content.ToolRequest("1", "weather")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
# instead: Content.ToolRequest("1", "weather", {})
Content.Text(txt="hi")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
# instead: Content.Text(text="hi")
Message.User("hi", role="user")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
# instead: Message.User("hi", name="user")
Resource.Ref(url="https://example.org")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
# instead: Resource.Ref(uri="https://example.org")
ModelParams("m")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
# instead: ModelParams(model="m")

# A word that does not exist.
Content.Picture(Resource.Binary(""))  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
# instead: Content.Image(Resource.Binary(""))
Message.Developer("be brief")  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
# instead: Message.System("be brief")
print(text.txt)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]
# instead: print(text.text)

# Frozen.
user.contents[0] = text  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
# instead: print(user.contents[0])
user.contents = ()  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
# instead: print(user.contents)
text.text = "changed"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
# instead: print(text.text)

# A value where another union is asked for.


def takes_a_resource(resource: Resource.T) -> None: ...


takes_a_resource(text)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: takes_a_resource(picture.resource)
takes_a_resource("https://example.org/cat.png")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
# instead: takes_a_resource(Resource.Ref("https://example.org/cat.png"))


def wrong_pattern_keyword(resource: Resource.Ref) -> None:
    match resource:  # pyright: ignore[reportMatchNotExhaustive]
        case Resource.Ref(url=url):  # type: ignore[misc]  # pyright: ignore[reportUnknownVariableType, reportUnnecessaryComparison]
        # instead: case Resource.Ref(uri=url):
            print(url)


# Named once more so that the imports which only the lines instead use are used without them.
_ = (Arguments, Detail, Json, Kind, Line, Outcome, StopKind, ToolChoice, Words)
