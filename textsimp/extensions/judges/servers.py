"""Servers of models that speak the protocol of OpenAI's chat completions.

huggingface_hub's client isn't used. It sends the user's token of the Hub to whatever server is
asked without a key, and replaces the JSON schema by a form that only TGI knows (0.36 to 2.4).
"""

import asyncio
import functools
import html
import json
import math
import os
import random
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

from textsimp.support.errors import InputError, check_integer, check_number, one_line
from textsimp.support.version import __version__

KEY = "TEXTSIMP_JUDGE_KEY"
"""The environment variable with the server's key."""
TRIES = 6
PAUSE = 1.0  # seconds before the second try; each further pause is twice as long
LONGEST_PAUSE = 120.0
_BEGINNING = 8  # characters of the key that are hidden wherever they stand
_LONGEST_REPLY = 2**26  # bytes; 8,192 tokens with 20 others for each have some 13 million
_UNSENT, _CUT = 0, 1  # in place of a status: no connection; no whole reply
_FATAL = (*range(300, 400), 401, 402, 403, 404)
"""A wrong address, key or model, no credit: no request can succeed."""
_BUSY = (408, 409, 425, 429)
_OPTIONAL = {
    "response_format": ("response_format", "json_schema", "structured", "guided", "grammar"),
    "max_tokens": ("max_tokens",),
    "temperature": ("temperature",),
    "seed": ("seed",),
    "logprobs": ("logprobs", "log probabilities"),
}
"""Parameter → what a server's message says if it doesn't take it."""


class NoAnswer(Exception):
    """A question that got no answer. The message is the reason."""


class Refused(NoAnswer):
    """A request that the server doesn't take, as it says."""


class Stopped(Exception):
    """The budget is spent, or the run was stopped while a request waited for its next try."""


@dataclass(frozen=True)
class Reply:
    """What a server answered.

    Attributes:
        text: The text; "" if there is none.
        problem: Why the text can't be valid, such as a refusal; "" if it can.
        facts: The model and fingerprint that the server reports, how many ``tokens`` it counts,
            and which parameters it didn't take.
        kept: The text as it may be written: without the key, and lone surrogates are escaped.
        tokens: Its tokens with their log probabilities, as OpenAI's servers write them, or None.
    """

    text: str
    problem: str
    facts: dict[str, Any]
    kept: str
    tokens: Any = None


@dataclass(frozen=True)
class _Response:
    """What came back for a request.

    Attributes:
        status: The HTTP status; `_UNSENT` or `_CUT` without a reply.
        headers: The headers of the reply.
        data: The body of the reply, or why there is none.
        left_out: The parameters that the request was sent without.
    """

    status: int
    headers: Mapping[str, str]
    data: bytes
    left_out: tuple[str, ...]

    @functools.cached_property
    def payload(self) -> Any:
        """The body as JSON; None if it is none."""
        try:
            return json.loads(self.data)
        except (ValueError, RecursionError):
            return None

    @property
    def tokens(self) -> int | None:
        """How many tokens the server says that it took."""
        try:
            tokens = self.payload["usage"]["total_tokens"]
        except (LookupError, TypeError):
            return None
        return tokens if type(tokens) is int and tokens >= 0 else None

    @property
    def wait(self) -> float:
        """The seconds of ``Retry-After``; 0 without a number."""
        try:
            return max(0.0, float(self.headers.get("Retry-After") or ""))
        except ValueError:
            return 0.0


class Budget:
    """A limit of requests, and of the tokens of requests and answers.

    A request under way counts as the largest so far, or as its estimate if that is more. With a
    limit of tokens, nothing else is sent until the first one is counted.
    """

    def __init__(self, max_requests: int | None = None, max_tokens: int | None = None) -> None:
        self._max_requests, self._max_tokens = (
            math.inf if limit is None else check_integer(name, limit, 0)
            for name, limit in (("max_requests", max_requests), ("max_tokens", max_tokens))
        )
        self.requests = self.tokens = 0
        self.spent = False
        self._under_way = self._most = 0
        self._settled = threading.Condition()

    def take(self, estimated: int) -> int:
        """Take a request; return how many tokens it counts as until it is settled."""
        with self._settled:
            if self._max_tokens < math.inf:
                self._settled.wait_for(lambda: self._most or not self._under_way)
            tokens = max(estimated, self._most)
            if self.requests >= self._max_requests or self.tokens + tokens > self._max_tokens:
                self.spent = True
                raise Stopped
            self.requests += 1
            self.tokens += tokens
            self._under_way += 1
            return tokens

    def settle(self, taken: int, tokens: int) -> None:
        """Count the tokens that a request took, in place of those that `take` returned."""
        with self._settled:
            self.tokens += tokens - taken
            self._under_way -= 1
            self._most = max(self._most, tokens)
            self._settled.notify_all()


class Server:
    """A server, as one model answers there.

    Args:
        address: The address, such as ``http://localhost:8000/v1``.
        timeout: How many seconds to wait for the whole of a reply.
        budget: What may be spent.
        stopped: Ends the pauses between tries when it is set.
    """

    def __init__(
        self, address: str, timeout: float, budget: Budget, stopped: threading.Event
    ) -> None:
        self._url = _complete(address)
        self._timeout = check_number("timeout", timeout, 0.001)
        self._budget = budget
        self._stopped = stopped
        self._left_out: tuple[str, ...] = ()
        parts = urlsplit(self._url)
        proxies = {} if proxy_bypass(parts.netloc) else getproxies()
        self._proxy = proxies.get(parts.scheme)
        self._key = os.environ.get(KEY, "").strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise InputError(f"{KEY}: expected printable ASCII characters")
        self._secret = _find_key(self._key) if self._key else None

    def ask(self, body: Mapping[str, Any], estimated: int) -> Reply:
        """Send a request, again if it fails and may succeed later.

        Raises:
            Refused: The server doesn't take this request.
            NoAnswer: All tries failed.
            Stopped: It can't be paid, or the run was stopped.
            InputError: The server takes no request: key, address or model are wrong.
        """
        tries, pause, reason = 0, 0.0, ""
        while tries < TRIES:
            if self._stopped.wait(pause):
                raise Stopped
            response = self._send(body, estimated)
            reply = self._read(response)
            if reply is not None:
                return reply
            reason = self._describe(response)
            refused = 400 <= response.status < 500 and response.status not in _BUSY
            if refused and self._leave_out(body, response):
                continue
            if response.status in _FATAL:
                raise InputError(f"{urlsplit(self._url).netloc}: {reason}")
            if refused:
                raise Refused(reason)
            tries += 1
            pause = response.wait or PAUSE * 2 ** (tries - 1) * random.uniform(0.5, 1)
            if pause > LONGEST_PAUSE:
                raise NoAnswer(f"{reason}; it asks to wait for {pause:.0f} s")
        raise NoAnswer(f"{reason}, {TRIES} times")

    def _send(self, body: Mapping[str, Any], estimated: int) -> _Response:
        """Send a request without what the server doesn't take, and count its tokens."""
        taken = self._budget.take(estimated)
        left_out = self._left_out
        sent = {name: value for name, value in body.items() if name not in left_out}
        if "max_tokens" in left_out:
            sent["max_completion_tokens"] = body["max_tokens"]
        if "logprobs" in left_out:
            sent.pop("top_logprobs", None)
        status, headers, data = asyncio.run(self._post(sent))
        response = _Response(status, headers, data, left_out)
        tokens = response.tokens
        if tokens is None:
            tokens = estimated if status in (_CUT, 200) else 0
        self._budget.settle(taken, tokens)
        return response

    async def _post(self, body: Mapping[str, Any]) -> tuple[int, Any, bytes]:
        """Return status, headers and body; or `_UNSENT` or `_CUT`, and why there is no reply."""
        import aiohttp

        headers = {"User-Agent": f"textsimp/{__version__}"}
        headers |= {"Authorization": f"Bearer {self._key}"} if self._key else {}
        deadline = aiohttp.ClientTimeout(total=self._timeout)
        session = aiohttp.ClientSession(headers=headers, timeout=deadline)
        # A redirection would send the key to another server.
        how = {"proxy": self._proxy, "allow_redirects": False}
        data = bytearray()
        try:
            async with session, session.post(self._url, json=body, **how) as reply:
                async for part in reply.content.iter_any():
                    data += part
                    if len(data) > _LONGEST_REPLY:
                        break
                return reply.status, reply.headers, bytes(data)
        except aiohttp.ClientConnectorError as error:
            return _UNSENT, {}, str(error).encode()
        except asyncio.TimeoutError:
            return _CUT, {}, b"timed out"
        except (OSError, ValueError, aiohttp.ClientError) as error:
            return _CUT, {}, (str(error) or type(error).__name__).encode()

    def _read(self, response: _Response) -> Reply | None:
        """Return a reply; None if it is none of chat completions."""
        payload = response.payload
        try:
            choice = payload["choices"][0]
            message = choice["message"]
            text, refusal = message.get("content"), message.get("refusal")
            end = choice.get("finish_reason")
            tokens = (choice.get("logprobs") or {}).get("content")
        except (LookupError, TypeError, AttributeError):
            return None
        problem = ""
        if not isinstance(text, str):
            text, problem = "", "no text"
        if refusal or end == "content_filter":
            problem = f"refused: {one_line(self._hide(str(refusal or end)))[:200]}"
        elif end == "length":
            problem = "cut off, as it is too long"
        facts = {"reported": payload.get("model"), "fingerprint": payload.get("system_fingerprint")}
        facts = {name: fact and self._hide(str(fact)) for name, fact in facts.items()}
        facts |= {"tokens": response.tokens, "left_out": list(response.left_out)}
        return Reply(text, problem, facts, self._hide(text), tokens)

    def _hide(self, text: str) -> str:
        """Return a text without words that have the key, and with lone surrogates escaped."""
        shown = self._secret.sub("…", text) if self._secret else text
        return shown.encode(errors="backslashreplace").decode()

    def _leave_out(self, body: Mapping[str, Any], response: _Response) -> bool:
        """Leave out the parameter that a refusal names, from now on; whether it names one."""
        if response.status in (401, 402, 404):
            return False  # though OpenAI forbids (403) log probabilities of some models
        said = response.data.decode(errors="replace").lower()
        for name, words in _OPTIONAL.items():
            sent = name in body and name not in response.left_out
            if sent and any(word in said for word in words):
                self._left_out = tuple(sorted({*self._left_out, name}))
                return True
        return False

    def _describe(self, response: _Response) -> str:
        """Return what went wrong, without the key."""
        status, said = response.status, response.data.decode(errors="replace")
        if status == 200:
            said = f"a reply that isn't one of chat completions: {said}"
        if 300 <= status < 400:
            said = f"a redirect to {response.headers.get('Location')}: give that address"
        if status == 401:
            said = f"the key in {KEY} isn't taken: {said}"
        said = one_line(" ".join(self._hide(said).split()))[:300]
        return f"HTTP {status}: {said}" if status > 200 else said


def _find_key(key: str) -> re.Pattern[str]:
    """Return the pattern of a word with the key's beginning as it is, or as JSON, URLs and HTML."""
    forms = []
    for character in key[:_BEGINNING]:
        code = ord(character)
        plain = f"{re.escape(html.escape(character))}|{re.escape(character)}"
        coded = rf"(?i:u{code:04x}|%(?:25)*{code:02x}|&\#0*{code};|&\#x0*{code:x};)"
        forms.append(rf"\\*(?:{plain}|{coded})")
    return re.compile("".join(forms) + r"\S*")


def _complete(address: str) -> str:
    try:
        parts = urlsplit(address)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or parts.username:
        raise InputError(
            "base_url: expected an address such as http://localhost:8000/v1, got "
            f"{'one with a password' if valid else repr(address)}"
        )
    path = parts.path.rstrip("/") or "/v1"
    if not path.endswith("/chat/completions"):
        path += "/chat/completions"
    return urlunsplit(parts._replace(path=path))
