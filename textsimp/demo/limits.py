"""What a visitor may ask of a page in one request, to spare the machine it runs on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from textsimp.core.examples import Examples
from textsimp.support.errors import InputError

RESAMPLES = 2000
REFERENCES = 50

_ELSEWHERE = "this page takes no more; textsimp on your own machine does"
_PATIENCE = 10  # seconds for what is thrown away

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@dataclass(frozen=True)
class Limits:
    """The most that a page takes.

    Attributes:
        rows: Examples.
        characters: Of all texts together.
        text: Characters of one text; the edits of one take memory in proportion to its square.
        work: Characters of a source times those of its simplifications, summed: edits take time
            in proportion to this.
        request: Bytes of one request: uploaded files, or everything that was typed.
        kept: Bytes of uploaded files of one client, until they are deleted.
        kept_of_all: Bytes of all uploaded files.
    """

    rows: int = 2_000
    characters: int = 1_000_000
    text: int = 10_000
    work: int = 10**9
    request: int = 4 * 2**20
    kept: int = 32 * 2**20
    kept_of_all: int = 256 * 2**20

    def too_large(self) -> str:
        """What is wrong with a request of more bytes."""
        return f"expected at most {self.request >> 20} MB at once: {_ELSEWHERE}"

    def check(self, rows: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Check what is to be measured: rows of a source and its simplifications.

        Raises:
            InputError: It is too much; the message says how to score it all the same.
        """
        count = characters = work = 0
        for source, targets in rows:
            sizes = [len(text) + 1 for text in targets]  # empty texts take room, too
            longest = max(len(source) + 1, *sizes) - 1
            if longest > self.text:
                raise InputError(
                    f"expected texts of at most {self.text:,} characters, got one of {longest:,}: "
                    f"{_ELSEWHERE}"
                )
            count += 1
            characters += len(source) + 1 + sum(sizes)
            work += len(source) * sum(sizes)
        if count > self.rows:
            raise InputError(f"expected at most {self.rows:,} rows, got {count:,}: {_ELSEWHERE}")
        if characters > self.characters:
            raise InputError(
                f"expected at most {self.characters:,} characters, got {characters:,}: {_ELSEWHERE}"
            )
        if work > self.work:
            raise InputError(f"expected fewer or shorter texts: {_ELSEWHERE}")

    def check_examples(self, examples: Examples) -> None:
        """Check what is to be scored.

        Raises:
            InputError: It is too much.
        """
        sources = examples.sources or [""] * len(examples)
        references: list[list[str]] = examples.references or [[]] * len(examples)
        if max(map(len, references)) > REFERENCES:
            raise InputError(f"expected at most {REFERENCES} references of a source")
        nothing = [""] * len(examples)
        systems = (own.get("predictions", nothing) for own in examples.systems.values())
        outputs = zip(*systems, strict=True)
        self.check(
            (source, [*row, *texts])
            for source, row, texts in zip(sources, references, outputs, strict=True)
        )

    def check_resamples(self, resamples: Any) -> None:
        """Check a number of resamples; the metric tells what is none.

        Raises:
            InputError: Too many.
        """
        if isinstance(resamples, int) and resamples > RESAMPLES:
            raise InputError(f"resamples: expected at most {RESAMPLES:,} on this page")


class RequestLimit:
    """ASGI middleware that refuses requests of more bytes than one may have."""

    def __init__(self, app: Callable[..., Awaitable[None]], limits: Limits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        limit = self._limits.request
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or int(length) > limit:
            await thrown_away(receive, limit)
            return await answer(send, 413, self._limits.too_large())
        seen = 0

        async def counted() -> Message:  # a request need not say how long it is
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            return message if seen <= limit else {"type": "http.disconnect"}

        await self._app(scope, counted, send)


async def answer(send: Send, status: int, text: str) -> None:
    """Answer a request with a line."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


async def thrown_away(receive: Receive, most: int) -> None:
    """Read so many bytes of a request for nothing.

    A browser that is sending them wouldn't look at an answer before.
    """

    async def read(rest: int) -> None:
        while rest > 0:
            message = await receive()
            rest -= len(message.get("body", b""))
            if not message.get("more_body"):
                return

    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(read(most), _PATIENCE)
