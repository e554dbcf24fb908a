"""A check of requests to a study's page: unknown Host and Origin headers are rejected."""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from typing import Any

from starlette.responses import PlainTextResponse

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_LOCAL = re.compile(r"([\d.]+|\[[\da-f:.]+\]|[\w-]+(\.local)?)(:\d+)?", re.IGNORECASE)
"""The hosts that no site of the Web has: addresses in numbers, and names of the local network."""
_USUAL_PORT = re.compile(r":(80|443)\Z")


class HostCheck:
    """ASGI middleware that rejects unknown Host and Origin headers (DNS rebinding).

    Known are ``hosts``, addresses in numbers and names of the local network. Requests of pages from
    another port are rejected, too.
    """

    def __init__(self, app: Callable[..., Awaitable[None]], hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refusal := self._refuse(dict(scope["headers"]))):
            return await PlainTextResponse(refusal, 403)(scope, receive, send)
        await self._app(scope, receive, send)

    def _refuse(self, headers: Mapping[bytes, bytes]) -> str:
        """Return why a request is rejected; "" if it isn't.

        Behind a proxy, Host and Origin may differ; then Origin has to be one of the hosts.
        """
        host = headers.get(b"host", b"").decode("latin-1").lower()
        asking = headers.get(b"origin", b"//" + host.encode()).decode("latin-1").lower()
        origin = asking.rpartition("//")[2]
        name, site = (_USUAL_PORT.sub("", one) for one in (host, origin))
        bare = name.partition(":")[0]
        known = {one.partition(":")[0] for one in self._hosts}
        if bare not in known and not _LOCAL.fullmatch(host):
            return f"this page has no host {bare!r}: give it to --allow-host, if it is yours"
        proxied = site in self._hosts and bare != site.partition(":")[0]
        return "" if site == name or proxied else f"this page takes no requests from {origin!r}"
