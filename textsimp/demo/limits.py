"""What a visitor may ask of a page in one request, to spare the machine it runs on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from textsimp.columns import InputError
from textsimp.examples import Examples

RESAMPLES = 2000
REFERENCES = 50
WAITING = 20

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]


@dataclass(frozen=True)
class Limits:
    """The most that a page takes.

    Attributes:
        rows: Examples.
        characters: Of all texts together.
        text: Characters of one text; the edits of one take memory in proportion to its square.
        work: Characters of a source times those of its simplifications, summed: edits take time
            in proportion to this.
        request: Bytes of one request: an uploaded file, or everything that was typed.
    """

    rows: int = 2_000
    characters: int = 1_000_000
    text: int = 10_000
    work: int = 10**9
    request: int = 4 * 2**20

    def check(self, rows: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Check what is to be measured: rows of a source and its simplifications.

        Raises:
            InputError: It is too much; the message says how to score it all the same.
        """
        elsewhere = "this page takes no more; textsimp on your own machine does"
        count = characters = work = 0
        for source, targets in rows:
            sizes = [len(text) + 1 for text in targets]  # empty texts take room, too
            longest = max(len(source) + 1, *sizes) - 1
            if longest > self.text:
                raise InputError(
                    f"expected texts of at most {self.text:,} characters, got one of {longest:,}: "
                    f"{elsewhere}"
                )
            count += 1
            characters += len(source) + 1 + sum(sizes)
            work += len(source) * sum(sizes)
        if count > self.rows:
            raise InputError(f"expected at most {self.rows:,} rows, got {count:,}: {elsewhere}")
        if characters > self.characters:
            raise InputError(
                f"expected at most {self.characters:,} characters, got {characters:,}: {elsewhere}"
            )
        if work > self.work:
            raise InputError(f"expected fewer or shorter texts: {elsewhere}")

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
    """ASGI middleware that refuses to read requests of more than so many bytes."""

    def __init__(self, app: Callable[..., Awaitable[None]], limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._limit:
            await send({"type": "http.response.start", "status": 413, "headers": []})
            return await send({"type": "http.response.body", "body": b"too large"})
        seen = 0

        async def counted() -> _Message:  # a request need not say how long it is
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            return message if seen <= self._limit else {"type": "http.disconnect"}

        await self._app(scope, counted, send)
