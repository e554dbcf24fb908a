"""``textsimp check``."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import (
    FILE,
    DataCommand,
    check_outputs,
    data_options,
    file_arguments,
    one_system,
    read_data,
)
from textsimp.cli.options import FORCE
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.core.examples import Examples
from textsimp.corpora import artefacts, checks
from textsimp.corpora.artefacts import ARTEFACTS
from textsimp.corpora.checks import Finding
from textsimp.corpora.files import shown
from textsimp.support.errors import one_line
from textsimp.support.files import check_new, write_files

NO_CHECK = click.option("--no-check", is_flag=True, help="Don't check the texts for problems.")
ENDS = 5_000
"""Of more than twice as many examples `find_problems` checks as many at either end."""
_MAX_REMOVED = 60  # characters of what was removed, in a line


def find_problems(data: Examples) -> list[Finding]:
    """Return errors and problems of the texts, of many the first and last `ENDS`."""
    if not data.sources:
        return []
    systems = {
        n: _ends(own["predictions"]) for n, own in data.systems.items() if "predictions" in own
    }
    references = None if data.references is None else _ends(data.references)
    findings = checks.run(_ends(data.sources), references, systems)
    return [finding for finding in findings if finding.gravity != "note"]


def summarize_problems(problems: list[Finding], data: Examples, files: Mapping[str, Any]) -> str:
    """Return a line on problems with the command that shows them, or ""."""
    if not problems:
        return ""
    place = f"first and last {ENDS:,} examples" if len(data) > 2 * ENDS else "texts"
    command = ["textsimp", "check", *file_arguments(click.get_current_context(), files)]
    kinds = ", ".join(dict.fromkeys(problem.kind for problem in problems))
    shows = "shows it" if len(problems) == 1 else "shows them"
    return f"{checks.summary(problems)} in the {place} ({kinds}): {shlex.join(command)} {shows}"


def _ends(rows: list[Any]) -> list[Any]:
    """Checks take longer than scores, and a lost line shifts the end."""
    return rows if len(rows) <= 2 * ENDS else [*rows[:ENDS], *rows[-ENDS:]]


@click.command(cls=DataCommand)
@data_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all examples concerned.")
@click.option(
    "--fix",
    type=FILE,
    metavar="FILE",
    help="Write the outputs to FILE, .txt or .jsonl, without preambles, code fences, quotation "
    "marks around texts and <think>…</think>. What isn't certain is left alone, and listed.",
)
@FORCE
@click.pass_context
def check(
    context: click.Context, /, as_json: bool, fix: str | None, force: bool, **files: Any
) -> None:
    """Find data problems: lost lines, mixed tokenisation, what language models leave in outputs.

    A system with an error can't be ranked: its file has lost a line, or its outputs are references.
    A problem makes scores wrong: empty outputs, outputs that are tokenised where references aren't.
    A note is worth knowing, such as many copies of the source.

    \b
    Examples:
      textsimp check -s source.txt -p systems -r references
      textsimp check -t asset_test -p output.txt --json
      textsimp check -s source.txt -p output.txt --fix clean.txt

    Exit codes: 0 if there are no errors or problems, 1 if there are, 2 for bad input.
    """
    path = None if fix is None else Path(fix)
    if path is not None:
        check_new([path], overwrite=force)
        check_outputs([path], **files)
    data = read_data({"check": [SOURCES, PREDICTIONS, REFERENCES.optional]}, **files)
    systems = {name: data.predictions(name) for name in data.systems}
    findings = checks.run(data.sources or [], data.references, systems)
    problems = sum(finding.gravity != "note" for finding in findings)
    changes, left = ([], {}) if path is None else _write_clean(path, data, force)
    if as_json:
        plain = [finding.to_dict() for finding in findings]
        more = {} if path is None else {"changes": changes, "left": left}
        printing.print_json({"problems": problems, "findings": plain, **more})
    else:
        for finding in findings:
            printing.print_line(str(finding))
        for change in changes:
            removed = " and ".join(change["removed"])
            printing.print_line(f"example {change['example']}: {removed} removed")
            printing.print_line(f"  {_shorten(change['before'])} → {_shorten(change['after'])}")
        for kind, rows in left.items():
            where = Finding(kind, "note", "", (), tuple(rows)).where
            printing.print_line(f"left alone: {ARTEFACTS[kind].what} ({where})")
        many = "s" * (len(data) != 1)
        printing.print_line(f"{checks.summary(findings)} in {len(data):,} example{many}")
        if path is not None:
            outputs = "output" if len(changes) == 1 else "outputs"
            printing.print_line(f"{len(changes):,} {outputs} changed; written: {shown(path)}")
    context.exit(1 if problems else 0)


def _write_clean(
    path: Path, data: Examples, force: bool
) -> tuple[list[dict[str, Any]], dict[str, list[int]]]:
    """Write a system's outputs, cleaned; return what was changed, and kind → examples left alone.

    A text file has a line per output, so that lines of one output are joined.
    """
    outputs, sources = data.predictions(one_system(data, "check --fix")), data.sources or []
    changes, texts, jsonl = [], list[str](), path.suffix == ".jsonl"
    for number, (text, source) in enumerate(zip(outputs, sources, strict=True), 1):
        clean, removed = artefacts.clean(text, source)
        if not jsonl and "\n" in clean:
            clean, removed = re.sub(r"\s*\n\s*", " ", clean), [*removed, "line breaks"]
        texts.append(clean)
        if removed:
            change = {"example": number, "removed": removed, "before": text, "after": clean}
            changes.append(change)
    pairs = [{"source": a, "prediction": b} for a, b in zip(sources, texts, strict=True)]
    lines = [json.dumps(pair, ensure_ascii=False) for pair in pairs] if jsonl else texts
    write_files({path: "".join(f"{line}\n" for line in lines).encode()}, overwrite=force)
    left = artefacts.find(texts, sources, [k for k, one in ARTEFACTS.items() if not one.prose])
    return changes, {kind: [i + 1 for i in hits] for kind, hits in left.items() if hits}


def _shorten(text: str) -> str:
    """The beginning of a text, in one line."""
    line = one_line(text)
    return line if len(line) <= _MAX_REMOVED else f"{line[: _MAX_REMOVED - 1]}…"
