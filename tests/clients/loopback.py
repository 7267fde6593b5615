"""A server on this machine that speaks a provider's HTTP: it plays the replies that it is given, and notes what it was asked."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, final

from attrs import field, frozen


@final
@frozen
class Reply:
    """What the server answers. `chunks` are sent one by one; a reply that `hangs` goes on until the client hangs up."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(factory=lambda: {"content-type": "application/json"})
    chunks: tuple[bytes, ...] = ()
    hangs: bool = False
    breaks: bool = False
    filler: bytes = b": waiting\n\n"


@final
@frozen
class Asked:
    """One request that came."""

    path: str
    headers: Mapping[str, str]
    body: Any


@final
class Loopback:
    """The server; `url` is where it listens."""

    def __init__(self) -> None:
        self.replies: deque[Reply] = deque()
        self.asked: list[Asked] = []
        self.gone = Event()
        """Set when a client hung up in the middle of a reply."""
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                text = self.rfile.read(length) if length else self._chunked()
                server.asked.append(Asked(self.path, dict(self.headers), json.loads(text)))
                self._answer(server.replies.popleft())

            def _chunked(self) -> bytes:
                whole = b""
                while size := int(self.rfile.readline().strip() or b"0", 16):
                    whole += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return whole

            def _answer(self, reply: Reply) -> None:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                streams = bool(reply.chunks) or reply.hangs
                self.send_header(*(("transfer-encoding", "chunked") if streams else ("content-length", str(len(reply.body)))))
                self.end_headers()
                try:
                    for chunk in _sent(reply) if streams else ():
                        self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
                        self.wfile.flush()
                    if reply.breaks:
                        self.close_connection = True
                        return
                    self.wfile.write(b"0\r\n\r\n" if streams else reply.body)
                except OSError:
                    server.gone.set()
                    self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                pass

        def _sent(reply: Reply) -> Iterator[bytes]:
            yield from reply.chunks
            while reply.hangs and not server._over.wait(0.02):
                yield reply.filler

        self._over = Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def will(self, *replies: Reply) -> None:
        """Answer the next requests so."""
        self.replies.extend(replies)

    def close(self) -> None:
        self._over.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@contextmanager
def loopback() -> Iterator[Loopback]:
    server = Loopback()
    try:
        yield server
    finally:
        server.close()


def json_reply(body: object, status: int = 200, headers: Mapping[str, str] = {}) -> Reply:
    text = json.dumps(body).encode()
    return Reply(status, text, {"content-type": "application/json", **headers})


def stream_reply(chunks: Iterable[bytes], kind: str = "text/event-stream", **other: Any) -> Reply:
    return Reply(200, headers={"content-type": kind}, chunks=tuple(chunk for chunk in chunks if chunk), **other)
