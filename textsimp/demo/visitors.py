"""What one visitor may take of a page's room and time, however he asks for it."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from textsimp.demo.limits import Limits, Message, Receive, Send, answer, thrown_away
from textsimp.support.extras import require

WAITING = 20  # requests in the queue
OWN = 5  # of them of one client

_PATIENCE = 60  # seconds that an upload may take to arrive
_FILES = 100  # in one upload; all systems and references of the page that takes most
_LEAST = 2**15  # bytes that a file counts for: a small one takes room on a disk, too
# What pages ask for. Gradio also takes recordings of the screen, and links to what a page shows:
# both are written to files.
_POSTED = re.compile(
    r".*/(upload|queue/join|(call|run|api)/.+|component_server|cancel|reset|mcp.*)"
)
_READ = re.compile(r"(?!.*/deep_link$).*")
_PORTED = re.compile(r"\[(.*)\](?::\d+)?|([^:]*):\d+")  # an address as some proxies write it


def client(scope: Mapping[str, Any]) -> str:
    """The address that a request comes from.

    That of the connection, if it is public: what a visitor writes into headers is his own affair.
    Otherwise there is a proxy on the way, and each appends to ``X-Forwarded-For`` who asked it: the
    last public address there is the visitor's, and what stands before it may be invented. So it is
    where uvicorn takes the first for the connection's. Who reaches the page from a private network
    can invent all of it.
    """
    host, _ = scope.get("client") or ("", 0)
    lines = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    hosts = b",".join(lines).decode("latin-1").split(",") if lines else []
    if "*" not in os.environ.get("FORWARDED_ALLOW_IPS", ""):  # else uvicorn has it from a header
        hosts.append(host)
    for written in reversed(hosts):
        ported = _PORTED.fullmatch(written.strip())
        try:
            address = ipaddress.ip_address(ported[1] or ported[2] if ported else written.strip())
        except ValueError:
            break
        address = getattr(address, "ipv4_mapped", None) or address
        if address.is_global:  # all addresses of a /64 are one subscriber's
            width = 64 if address.version == 6 else 32
            return str(ipaddress.ip_network((address, width), strict=False))
    return str(host)


class UploadLimit:
    """ASGI middleware that lets uploads through as far as there is room for them.

    An upload is weighed by what it says of its size before it is read, and then held in memory: as
    long as it isn't whole and well-formed, Gradio, which would store half of one and forget it,
    sees nothing of it. It is weighed with what was stored until Gradio deletes the files.
    """

    def __init__(self, app: Callable[..., Awaitable[None]], limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._stored: dict[Path, tuple[str, int]] = {}
        self._arriving: list[tuple[str, int]] = []

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        path, posted = scope["path"].rstrip("/"), scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if not (_POSTED if posted else _READ).fullmatch(path):
            return await answer(send, 404, "there is no such thing here")
        if posted and not path.endswith("/upload") and _says(scope, b"content-type", b"multipart"):
            return await answer(send, 415, "expected no files")  # Gradio would store half of one
        if not posted or not path.endswith("/upload"):
            return await self._app(_anonymous(scope), receive, send)
        length = dict(scope["headers"]).get(b"content-length", b"")
        believed = length.isdigit() and not _says(scope, b"transfer-encoding")  # which comes first
        coming = client(scope), int(length) if believed else self._limits.request
        if problem := self._full(*coming):
            await thrown_away(receive, self._limits.request)
            return await answer(send, 429, problem)
        self._arriving.append(coming)
        try:
            await self._take(coming[0], scope, receive, send)
        finally:
            self._arriving.remove(coming)

    async def _take(self, who: str, scope: Message, receive: Receive, send: Send) -> None:
        try:
            body = await asyncio.wait_for(_whole(receive), _PATIENCE)
        except asyncio.TimeoutError:
            return await answer(send, 408, "the upload took too long")
        if body is None:  # the visitor is gone, or it was too large
            return await answer(send, 413, self._limits.too_large())
        files = await _files(scope, body)
        if not files:
            return await answer(send, 400, "expected files, each with a name")
        if problem := self._full(who, files * _LEAST):
            return await answer(send, 429, problem)
        replied = bytearray()

        async def noted(message: Message) -> None:
            replied.extend(message.get("body", b""))
            await send(message)

        await self._app(scope, _again(body), noted)
        for path in _paths(bytes(replied)):
            self._stored[path] = who, max(path.stat().st_size, _LEAST)

    def _full(self, who: str, size: int) -> str:
        """What to say if there is no room for so many bytes more; else nothing."""
        for forgetting in (False, True):
            if forgetting:
                self._forget()
            taken = [*self._stored.values(), *self._arriving]
            own = sum(size for of, size in taken if of == who)
            everyone = sum(size for _, size in taken)
            if own + size <= self._limits.kept and everyone + size <= self._limits.kept_of_all:
                return ""
        if own + size > self._limits.kept:
            return (
                f"your uploads may take {self._limits.kept >> 20} MB here until they are deleted, "
                "which is within two hours: try again later, or run textsimp on your own machine"
            )
        return "uploads take all the room that there is here: try again later"

    def _forget(self) -> None:
        """Pass over files that Gradio has deleted, and delete the folders that it leaves."""
        for path in [path for path in self._stored if not path.exists()]:
            del self._stored[path]
            try:
                path.parent.rmdir()
            except OSError:
                continue  # another upload of the same content is in it


def share(demo: Any) -> None:
    """Let a page compute one request at a time, and each client wait for a few only.

    Gradio's queue by itself has a place for each of a page's handlers, and tells nobody apart.
    """
    for function in demo.fns.values():
        function.concurrency_id = "page"
    queue = demo._queue
    push = queue.push

    async def pushed(body: Any, request: Any, username: Any) -> Any:
        who = client(request.scope)
        waiting = [e for of in queue.event_queue_per_concurrency_id.values() for e in of.queue]
        if sum(client(event.request.scope) == who for event in waiting) >= OWN:
            return False, f"expected at most {OWN} requests of yours to wait", "queue_full"
        return await push(body=body, request=request, username=username)

    queue.push = pushed


def refuse_links(demo: Any) -> None:
    """Let a page take files that were uploaded only: Gradio fetches others, of any size."""
    before = demo.preprocess_data

    async def checked(block_fn: Any, inputs: list[Any], *args: Any, **kwargs: Any) -> Any:
        if any("://" in path for path in _named(inputs)):
            raise require("gradio", extra="demo").Error(
                "expected an uploaded file, got a link", print_exception=False
            )
        return await before(block_fn, inputs, *args, **kwargs)

    demo.preprocess_data = checked


def _named(value: Any) -> Iterator[str]:
    """The paths of files in what a page sends."""
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and isinstance(value.get("meta"), dict):
        yield str(value.get("path"))
    for part in values:
        if isinstance(part, dict | list):
            yield from _named(part)


def _anonymous(scope: Message) -> Message:
    """Calls of tools without what they say of where they come from.

    Gradio passes them on to itself, with their headers: they count as one client altogether.
    """
    if "/mcp" not in str(scope.get("path", "")):
        return scope
    headers = [(n, v) for n, v in scope["headers"] if n != b"x-forwarded-for"]
    return {**scope, "headers": headers}


def _says(scope: Message, header: bytes, what: bytes = b"") -> bool:
    """Whether one of the headers of a name has something."""
    return any(name == header and what in value.lower() for name, value in scope["headers"])


async def _whole(receive: Receive) -> bytes | None:
    """A request's body; None if it doesn't come."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if not message.get("more_body"):
            return bytes(body)


def _again(body: bytes) -> Receive:
    """A receiver that has a body."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    never = asyncio.Event()

    async def receive() -> Message:
        if not messages:
            await never.wait()  # as long as the visitor is there
        return messages.pop()

    return receive


async def _files(scope: Message, body: bytes) -> int:
    """How many files an upload has; 0 if it isn't one of the form that Gradio stores all of."""
    request = require("starlette.requests", extra="demo").Request(scope, _again(body))
    if _says(scope, b"content-type", b"charset"):
        return 0  # names would be read in it, and no browser says one
    try:
        form = await request.form(max_files=_FILES, max_fields=0)
    except Exception:  # parsers raise many kinds, and this is anybody's input
        return 0
    found = form.multi_items()
    await form.close()
    good = [
        kind == "files" and any(map(str.isalnum, Path(getattr(file, "filename", None) or "").stem))
        for kind, file in found
    ]
    return len(good) if all(good) else 0


def _paths(reply: bytes) -> list[Path]:
    """The files that were stored."""
    try:
        return [path for path in map(Path, json.loads(reply)) if path.is_file()]
    except (ValueError, TypeError):  # a message
        return []
