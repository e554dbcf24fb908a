"""What the scripts here share: test sets, tables, and the places in pages where tables stand.

A script writes its tables between ``<!-- WORD: NAME -->`` and ``<!-- /WORD -->``, where WORD is
its own and NAME the table's. Those that no page shows are in tools/figures.md.

Sentences are written by hand. Between ``<!-- cells: NAME, NAME -->`` and ``<!-- /cells -->`` each
figure has to be a cell of one of these tables: tests/test_cells.py compares them.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core.metric import Metric
from textsimp.core.scores import Scores
from textsimp.corpora import testsets
from textsimp.corpora.text_files import read_lines

PROJECT = Path(__file__).parents[1]
DATA = PROJECT.parent / "shared" / "data"
FOLDERS = ("", "docs/", "docs/extensions/", "metrics/*/", "benchmarks/", "examples/", "tools/")
PAGES = sorted(page for folder in FOLDERS for page in PROJECT.glob(f"{folder}*.md"))


@dataclass(frozen=True)
class TestSet:
    """Columns, and the outputs of systems."""

    sources: list[str]
    references: list[list[str]]
    systems: dict[str, list[str]]

    def score(self, metric: Metric, system: str | None = None, **options: Any) -> Scores:
        """Scores of a system, or of the sources unchanged."""
        return metric.score(
            sources=self.sources,
            predictions=self.sources if system is None else self.systems[system],
            references=self.references,
            **options,
        )


@dataclass(frozen=True)
class Data:
    """The folder of test sets."""

    folder: Path

    def test_set(self, name: str) -> TestSet:
        sources, references = testsets.load(name, str(self.folder))
        return TestSet(sources, references, self.outputs(f"{name}/systems/*.txt"))

    def parallel(self, name: str) -> TestSet:
        """A folder with one reference of each source."""
        sources, references = (
            read_lines(self.folder / name / f"{side}.txt") for side in ("source", "reference")
        )
        systems = self.outputs(f"{name}/systems/*.txt")
        return TestSet(sources, [[text] for text in references], systems)

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The rows of a file of JSON lines."""
        return [json.loads(line) for line in read_lines(self.folder / f"{name}.jsonl")]

    def outputs(self, pattern: str) -> dict[str, list[str]]:
        files = sorted(self.folder.glob(pattern), key=lambda path: path.name.lower())
        return {file.stem: read_lines(file) for file in files}


class Tables(dict[str, Callable[[Any], Any]]):
    """Functions of a script by the names of their tables, which have dashes; a decorator."""

    def __call__(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        self[function.__name__.replace("_", "-")] = function
        return function

    def fill(self, data: Any, names: Iterable[str] | None = None) -> dict[str, Any]:
        """Return the tables of these names, or all."""
        return {name: self[name](data) for name in (self if names is None else names)}


def table(header: Sequence[str], rows: Iterable[Sequence[Any]], decimals: int = 2) -> str:
    """A table of Markdown; numbers that aren't whole get so many decimals."""
    shown = [[_cell(value, decimals) for value in row] for row in rows]
    lines = [f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in (header, *shown)]
    return "\n".join([lines[0], "|" + "---|" * len(header), *lines[1:]])


def _cell(value: Any, decimals: int) -> str:
    if isinstance(value, str):
        return value
    whole = isinstance(value, int | np.integer)
    return (f"{value:,}" if whole else f"{value:.{decimals}f}").replace("-", "−")


def read_csv(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def as_csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([header, *rows])
    return file.getvalue()


def marked(word: str) -> re.Pattern[str]:
    """What stands between the marks of a script: indent, name, text."""
    pattern = rf"^([ ]*)<!-- {word}: (\S+) -->\n(.*?)^\1<!-- /{word} -->$"
    return re.compile(pattern, re.DOTALL | re.MULTILINE)


def read(word: str) -> dict[str, str]:
    """Name → table, of all tables of a script in the pages."""
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    return {mark[2]: mark[3] for text in texts for mark in marked(word).finditer(text)}


def write(
    word: str, tables: Mapping[str, str], files: Mapping[Path, str] | None = None, *, check: bool
) -> int:
    """Write tables between a script's marks, and files; or name those that differ. 1 if some do."""

    def fill(mark: re.Match[str]) -> str:
        indent, name, _ = mark.groups()
        if name not in tables:
            return mark[0]
        lines = f"<!-- {word}: {name} -->\n{tables[name]}\n<!-- /{word} -->"
        return textwrap.indent(lines, indent)

    new = {page: marked(word).sub(fill, page.read_text(encoding="utf-8")) for page in PAGES}
    return write_files({**new, **(files or {})}, check=check)


def write_files(texts: Mapping[Path, str], *, check: bool) -> int:
    """Write files, or name those that differ; 1 if some do."""
    different = False
    for path, text in texts.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            different = True
            name = path.relative_to(PROJECT).as_posix()
            print(f"{name} differs" if check else f"wrote {name}")
            if not check:
                path.write_text(text, encoding="utf-8")
    return int(check and different)


def parser(about: str) -> argparse.ArgumentParser:
    """The options that scripts share."""
    made = argparse.ArgumentParser(description=about.partition("\n")[0])
    made.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="test sets")
    made.add_argument("--check", action="store_true", help="compare, and write nothing")
    return made
