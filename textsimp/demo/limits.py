"""Limits of one request to a page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from textsimp.core.examples import Examples
from textsimp.support.errors import InputError

__all__ = ["Limits"]

REFERENCES = 50

_ELSEWHERE = "this page takes no more; textsimp on your own machine does"


@dataclass(frozen=True)
class Limits:
    rows: int = 2_000
    characters: int = 1_000_000  # of all texts together
    text: int = 10_000  # characters of one text; its edits take memory by their square
    work: int = 10**9  # characters of a source times those of its simplifications, summed
    request: int = 4 * 2**20  # bytes of an uploaded file

    def check(self, rows: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Check rows of a source and its simplifications."""
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
        """Check texts before they are scored."""
        nothing: list[Any] = [""] * len(examples)
        references: list[list[str]] = examples.references or [[]] * len(examples)
        if max(map(len, references)) > REFERENCES:
            raise InputError(f"expected at most {REFERENCES} references of a source")
        systems = (own.get("predictions", nothing) for own in examples.systems.values())
        outputs = zip(*systems, strict=True)
        rows = zip(examples.sources or nothing, references, outputs, strict=True)
        self.check((source, [*row, *texts]) for source, row, texts in rows)
