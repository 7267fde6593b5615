"""What a template becomes: the messages of one question to a model."""

from __future__ import annotations

from typing import final

from attrs import field, frozen

from chatadt._sum import terse
from chatadt.history import History, to_messages
from chatadt.loss import Converted
from chatadt.message import Message
from chatadt.templates._plain import plain
from chatadt.templates._string import written

__all__ = ("Prompt",)


@final
@frozen(repr=False)
class Prompt:
    """The messages of one question to a model, and the texts that stand for them."""

    messages: tuple[Message.T, ...] = field(default=(), converter=to_messages)
    __repr__ = terse

    def to_messages(self) -> History:
        """The messages, for a chat model."""
        return History(self.messages)

    def to_string(self) -> str:
        """A text for people, logs and files that says all of the prompt: no two prompts have the same, and `parse` takes it back.

        A message begins with `# ` and its role, a content with `- ` and its kind, each with its fields as JSON; each line of a text
        begins with `| `, so that no text can look like a message.
        """
        return written(self.messages)

    def to_text(self, *, cue: bool = True) -> Converted[str]:
        """A text for a model that completes text, and what it does not say: media, tool requests, names, extras.

        A message is its speaker and its text; the lines of a text that follow its first one are set in by two spaces, so that none
        looks like a speaker. With `cue` the text ends where the assistant is to go on.
        """
        return plain(self.messages, cue=cue)
