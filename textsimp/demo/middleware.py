"""What of a page's requests is refused: links to files, odd uploads, other sites' requests."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_FILES = 100  # of one upload
_UNUSED = ("/process_recording", "/deep_link")  # Gradio writes files for them; pages don't ask
_READING = ("GET", "HEAD", "OPTIONS")
_LOCAL = re.compile(r"([\d.]+|\[[\da-f:.]+\]|[\w-]+(\.local)?)(:\d+)?", re.IGNORECASE)
"""The hosts that no site of the Web has: addresses in numbers, and names of the local network."""


class RequestCheck:
    """ASGI middleware that reads each request, of at most ``limit`` bytes, before it goes on.

    With ``hosts``, it goes on only if it is to one of these names or to a local one, and of a page
    from there. Else a site whose name is made to stand for this address could read and write here.
    """

    def __init__(
        self,
        app: Callable[..., Awaitable[None]],
        limit: int,
        hosts: Collection[str] | None = None,
    ) -> None:
        self._app = app
        self._limit = limit
        self._hosts = hosts

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if self._hosts is not None and scope["type"] == "http":
            foreign = _find_foreign(dict(scope["headers"]), self._hosts)
            if foreign:
                return await PlainTextResponse(foreign, 403)(scope, receive, send)
        path = scope.get("path", "").rstrip("/")
        if path.endswith(_UNUSED):
            answer = PlainTextResponse("this page has no such address", 404)
            return await answer(scope, receive, send)
        if scope["type"] != "http" or scope["method"] in _READING:
            return await self._app(scope, receive, send)
        body = await _read(receive, self._limit)
        if body is None:  # the visitor is gone
            return
        if error := await self._error(scope, path, body):
            return await PlainTextResponse(*error)(scope, receive, send)
        await self._app(scope, _replay(body, receive), send)

    async def _error(self, scope: Message, path: str, body: bytes) -> tuple[str, int] | None:
        """Return the message and the status for a request that is refused."""
        if len(body) > self._limit:
            return f"expected at most {self._limit / 2**20:.1g} MB in one request", 413
        kind = b",".join(value for name, value in scope["headers"] if name == b"content-type")
        if path.endswith("/upload"):
            is_upload = await _is_upload(scope, kind, body)
            return None if is_upload else ("expected files, each with a name", 400)
        if b"multipart" in kind.lower():
            return "expected no files", 415
        return ("expected an uploaded file, got a link", 400) if _has_link(body) else None


def _find_foreign(headers: Mapping[bytes, bytes], names: Collection[str]) -> str:
    """Return why a request is refused: it is to another host, or of a page from elsewhere."""
    host = headers.get(b"host", b"").decode("latin-1")
    origin = headers.get(b"origin", b"//" + host.encode()).decode("latin-1").rpartition("//")[2]
    name, asking = (one.partition(":")[0].lower() for one in (host, origin))
    if name not in names and not _LOCAL.fullmatch(host):
        return f"this page has no host {name!r}: give it to --allow-host, if it is yours"
    refused = asking not in names and origin != host
    return f"this page takes no requests from {origin!r}" if refused else ""


async def _read(receive: Receive, limit: int) -> bytes | None:
    """Return a request's body, or of a longer one what exceeds the limit; None if it breaks off.

    All of it is read: a browser looks at the answer only after it has sent everything.
    """
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        if len(body) <= limit:
            body += message.get("body", b"")
        if not message.get("more_body"):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that has the body first, and then what else comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


async def _is_upload(scope: Message, kind: bytes, body: bytes) -> bool:
    """Return whether an upload has the form of which Gradio keeps track of all files."""
    if b"charset" in kind.lower():
        return False  # Gradio would read the names in it, and no browser sends one

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    request = Request(scope, _replay(body, nothing))
    try:
        form = await request.form(max_files=_FILES, max_fields=0)
    except Exception:  # parsers raise many kinds
        return False
    names = [
        (field, Path(getattr(file, "filename", None) or "").stem)
        for field, file in form.multi_items()
    ]
    await form.close()
    return bool(names) and all(f == "files" and any(map(str.isalnum, n)) for f, n in names)


def _has_link(body: bytes) -> bool:
    """Return whether a message has a file with an address in place of a path."""
    try:
        values = [json.loads(body)]
    except (ValueError, RecursionError):
        return False  # Gradio refuses it
    while values:
        value = values.pop()
        if isinstance(value, dict):
            if "meta" in value and "://" in str(value.get("path")):
                return True
            values.extend(value.values())
        elif isinstance(value, list):
            values.extend(value)
    return False
