"""What a person is told whose JSON `loads` refuses.

The messages stand in errors.golden.txt; after a wanted change write them anew with CHATADT_UPDATE_GOLDEN=1, and read what differs.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest
from returns.pipeline import is_successful

from chatadt.codec import loads

GOLDEN: Final = Path(__file__).parent / "errors.golden.txt"

BAD: Final = r"""
# not JSON

hello
{"type":"text","text":"cut o
{"type":"text","text":"hi"} {"type":"text","text":"hi"}
{"type":"custom","dialect":"x","value":NaN}
{"type":"custom","dialect":"x","value":-Infinity}
{"type":"custom","dialect":"x","value":1e999}
{"type":"text","text":"one","text":"two"}
[{"type":"user","contents":[{"type":"text","text":"one","text":"two"}],"type":"user"}]

# no document

null
5
"hi"
{}
{"chatadt":1}
{"message":{"type":"assistant","contents":[]}}
{"messages":[],"stream":true}
{"chatadt":2,"messages":[]}
{"chatadt":0,"messages":[]}
{"chatadt":"1","messages":[]}
{"chatadt":1.0,"messages":[]}
{"chatadt":null,"messages":[]}
{"role":"user","content":"hi"}
{"messages":[{"role":"user","content":"hi"}]}
{"type":"usr","contents":[]}
{"type":"TEXT","text":"hi"}
{"type":5}
{"type":null}
{"type":["user"]}
{"type":"off"}
{"type":"auto"}
{"type":"custom"}

# lists

5.5
[5]
[[]]
{"messages":{}}
{"messages":null}
{"messages":"hi"}
{"messages":[{"type":"user","contents":[]},null,{"type":"user","contents":5},{"type":"text","text":"hi"}]}
[{"type":"user","contents":[]},{"type":"user","contents":[]},{"type":"user","contents":[{"type":"text","text":5}]}]

# messages

{"type":"user"}
{"type":"user","contents":"hi"}
{"type":"user","contents":null}
{"type":"user","contents":[5]}
{"type":"user","contents":[null]}
{"type":"user","contents":[{}]}
{"type":"user","contents":[{"type":"image_url"}]}
{"type":"user","contents":[{"type":"reasoning","text":"hm"}]}
{"type":"user","contents":[{"type":"tool_request","id":"1","name":"f","arguments":"{}"}]}
{"type":"system","contents":[{"type":"image","resource":{"type":"ref","uri":"urn:a"}}]}
{"type":"user","contents":[],"name":5}
{"type":"user","contents":[],"colour":"red"}
{"type":"user","contents":[],"Name":"ann","colour":"red"}
{"type":"user","contents":[],"extras":5}
{"type":"user","contents":[],"extras":["x"]}
{"type":"tool","contents":[]}
{"type":"tool","id":5,"contents":[]}
{"type":"tool","id":"1","tool":" ","contents":[]}
{"type":"tool","id":"1","contents":[],"outcome":"failed"}
{"type":"tool","id":"1","contents":[],"outcome":true}
{"type":"custom","attributes":{},"dialect":5}

# contents

{"type":"text"}
{"type":"text","text":null}
{"type":"text","text":["hi"]}
{"type":"image"}
{"type":"image","resource":"https://example.org/cat.png"}
{"type":"image","resource":{"type":"url","url":"https://example.org/cat.png"}}
{"type":"image","resource":{"type":"ref","uri":""}}
{"type":"image","resource":{"type":"ref","uri":"urn:a","mime_type":""}}
{"type":"image","resource":{"type":"ref","uri":"urn:a"},"detail":"High"}
{"type":"image","resource":{"type":"ref","uri":"urn:a"},"detail":5}
{"type":"image","resource":{"type":"binary","content":"QUJ"}}
{"type":"image","resource":{"type":"binary","content":"QU D"}}
{"type":"image","resource":{"type":"binary","content":"data:image/png;base64,QUJD"}}
{"type":"image","resource":{"type":"binary","content":5}}
{"type":"pdf","resource":{"type":"ref","uri":"urn:a"},"title":"a"}
{"type":"tool_request","id":"1","name":"","arguments":"{}"}
{"type":"tool_request","id":"1","name":"f"}
{"type":"tool_request","id":"1","name":"f","arguments":5}
{"type":"tool_request","id":"1","name":"f","arguments":null}
{"type":"tool_request","id":"1","name":"f","arguments":["{"]}
{"type":"tool_request","id":"1","name":"f","arguments":["{",5]}
{"type":"custom","dialect":"x"}
{"type":"custom","value":1}

# parameters and answers

{"messages":[],"params":5}
{"messages":[],"params":{"temperature":"hot"}}
{"messages":[],"params":{"temperature":true}}
{"messages":[],"params":{"top_k":1.5}}
{"messages":[],"params":{"stream":"yes"}}
{"messages":[],"params":{"stop":"END"}}
{"messages":[],"params":{"stop":["END",5]}}
{"messages":[],"params":{"effort":"maximum"}}
{"messages":[],"params":{"max_tokens":5}}
{"messages":[],"params":{"tools":[{"type":"function","name":"f"}]}}
{"messages":[],"params":{"tools":[{"type":"tool","name":""}]}}
{"messages":[],"params":{"tool_choice":"auto"}}
{"messages":[],"params":{"tool_choice":{"type":"any"}}}
{"messages":[],"params":{"response_format":{"type":"json"}}}
{"messages":[],"params":{"thinking":{"type":"budget"}}}
{"messages":[],"params":{"thinking":{"type":"budget","tokens":1.5}}}
{"tool":{"type":"function"}}
{"tool_choice":{"type":"one"}}
{"message":{"type":"user","contents":[]},"metadata":{}}
{"message":{"type":"assistant","contents":[]},"metadata":{"usage":{"total":5}}}
{"message":{"type":"assistant","contents":[]},"metadata":{"stop":{"kind":"tired"}}}
{"message":{"type":"assistant","contents":[]},"metadata":{"stop":"end"}}

# http4k's, but wrong

{"type":"system","text":5}
{"type":"system","text":"a","contents":[]}
{"type":"tool","id":"1","tool":"f","text":null}
{"type":"assistant","contents":[],"toolRequests":5}
{"type":"assistant","contents":[],"toolRequests":[5]}
{"type":"assistant","contents":5,"toolRequests":[]}
{"type":"assistant","contents":[],"toolRequests":[{"id":"1"}]}
{"type":"assistant","contents":[],"toolRequests":[{"id":"1","name":"f","arguments":5}]}
{"type":"image","image":5}
{"type":"image","image":{"type":"ref","uri":"urn:a","mimeType":5}}
{"type":"image","image":{"type":"ref","uri":"urn:a"},"detail":"Medium"}
{"type":"ref","uri":"urn:a","mimeType":"image/png","mime_type":"image/png"}
{"type":"custom","resource":{"type":"binary","content":"Q"}}
"""

LINES: Final = [line for line in BAD.splitlines() if line and not line.startswith("# ")]


def told(data: str) -> str:
    return str(loads(data).failure())


def golden() -> str:
    headed = [
        line if line.startswith("# ") else f"{line}\n    {told(line).replace(chr(10), f'{chr(10)}    ')}"
        for line in BAD.split("\n")
        if line
    ]
    return "\n\n".join(headed) + "\n"


@pytest.mark.skipif("CHATADT_UPDATE_GOLDEN" not in os.environ, reason="CHATADT_UPDATE_GOLDEN is not set")
def test_write_the_messages_anew() -> None:
    GOLDEN.write_text(golden(), encoding="utf-8")


def test_messages_are_as_ever() -> None:
    assert golden() == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("line", LINES)
def test_text_and_bytes_are_refused_alike(line: str) -> None:
    assert not is_successful(loads(line))
    assert loads(line) == loads(line.encode())


@pytest.mark.parametrize("line", LINES)
def test_a_message_says_what_was_expected_what_came_and_where(line: str) -> None:
    for problem in loads(line).failure().problems:  # type: ignore[union-attr]
        assert problem.expected
        assert problem.got
        assert problem.path.startswith("$")


def test_an_unknown_tag_is_answered_with_the_known_ones() -> None:
    assert "(system, user, assistant, tool, custom)" in told('[{"type":"developer","contents":[]}]')


def test_an_unknown_key_is_answered_with_the_known_ones() -> None:
    assert "text, extras" in told('{"type":"text","text":"hi","colour":"red"}')


def test_a_long_value_is_cut() -> None:
    assert len(told(f'{{"type":"text","text":["{"x" * 10_000}"]}}')) < 300
