"""A study's page answers by its own names only, and no other site's pages."""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from typing import Any

from starlette.responses import PlainTextResponse

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_LOCAL = re.compile(r"([\d.]+|\[[\da-f:.]+\]|[\w-]+(\.local)?)(:\d+)?", re.IGNORECASE)
"""The hosts that no site of the Web has: addresses in numbers, and names of the local network."""


class HostCheck:
    """ASGI middleware that refuses requests to other hosts than ``hosts`` and local names.

    It also refuses those of pages from elsewhere. Else a site whose name is made to stand for this
    address could read and write here.
    """

    def __init__(self, app: Callable[..., Awaitable[None]], hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refusal := self._refuse(dict(scope["headers"]))):
            return await PlainTextResponse(refusal, 403)(scope, receive, send)
        await self._app(scope, receive, send)

    def _refuse(self, headers: Mapping[bytes, bytes]) -> str:
        """Return why a request is refused; empty if it isn't."""
        host = headers.get(b"host", b"").decode("latin-1")
        origin = headers.get(b"origin", b"//" + host.encode()).decode("latin-1").rpartition("//")[2]
        name, asking = (one.partition(":")[0].lower() for one in (host, origin))
        if name not in self._hosts and not _LOCAL.fullmatch(host):
            return f"this page has no host {name!r}: give it to --allow-host, if it is yours"
        refused = asking not in self._hosts and origin != host
        return f"this page takes no requests from {origin!r}" if refused else ""
