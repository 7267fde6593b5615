"""Chat as a function: adapters of official SDKs, combinators, tools, fakes and memories.

`Chat = Callable[[ChatRequest], Result[ChatResponse, ChatError.T]]`. An adapter is a module of its own, named after its dialect
(`openai_chat`, `openai_responses`, `anthropic`, `gemini`, `bedrock`, `mistral`, `cohere`, `ollama`), and needs its SDK: `from
chatadt.clients import openai_chat`, then `openai_chat.chat(openai.OpenAI())`. Each has `chat`, `streaming_chat`, and their
asynchronous twins `async_chat` and `async_streaming_chat`.
"""

from chatadt.clients._how import How, Report, log_losses
from chatadt.clients.error import ChatError
from chatadt.clients.fakes import Line, echo, faults, scripted
from chatadt.clients.function import (
    AsyncCall,
    AsyncChat,
    AsyncDeltas,
    AsyncStreamingChat,
    Call,
    Chat,
    Deltas,
    StreamingChat,
    async_whole,
    async_with_params,
    in_thread,
    streamed,
    whole,
    with_params,
)
from chatadt.clients.keeping import Store, async_cached, async_recorded, cached, key_of, recorded, replayed
from chatadt.clients.logs import async_logged, logged
from chatadt.clients.memory import Memory, MemoryFault, in_memory
from chatadt.clients.routing import When, aimed, async_aimed, async_fallback, fallback, is_passing, is_providers
from chatadt.clients.tools import AsyncDeny, AsyncRunnable, Denied, Deny, Run, Runnable, Runner, async_run_tools, run_tools

__all__ = (
    "AsyncCall",
    "AsyncChat",
    "AsyncDeltas",
    "AsyncDeny",
    "AsyncRunnable",
    "AsyncStreamingChat",
    "Call",
    "Chat",
    "ChatError",
    "Deltas",
    "Denied",
    "Deny",
    "How",
    "Line",
    "Memory",
    "MemoryFault",
    "Report",
    "Run",
    "Runnable",
    "Runner",
    "Store",
    "StreamingChat",
    "When",
    "aimed",
    "async_aimed",
    "async_cached",
    "async_fallback",
    "async_logged",
    "async_recorded",
    "async_run_tools",
    "async_whole",
    "async_with_params",
    "cached",
    "echo",
    "fallback",
    "faults",
    "in_memory",
    "in_thread",
    "is_passing",
    "is_providers",
    "key_of",
    "log_losses",
    "logged",
    "recorded",
    "replayed",
    "run_tools",
    "scripted",
    "streamed",
    "whole",
    "with_params",
)
