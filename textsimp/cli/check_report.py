"""What ``textsimp check`` finds, prints and cleans."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import Files, one_system
from textsimp.cli.data_reading import parse_systems, read_batches, read_data
from textsimp.core import tables
from textsimp.core.cells import quantity
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.core.examples import Examples
from textsimp.corpora import checks, shards
from textsimp.corpora.artefacts import ARTEFACTS
from textsimp.corpora.checks import Cleaned, Finding
from textsimp.corpora.cleaning import realign
from textsimp.corpora.reading import load_table, parse_system
from textsimp.corpora.text_files import STDIN, is_table
from textsimp.scoring import soundness
from textsimp.scoring.soundness import SoundRanking
from textsimp.support.errors import one_line
from textsimp.support.files import write_files
from textsimp.support.progress import note, progress

BLOCK = 100_000
"""Rows of shards that are checked together."""

_READERS = {"check": [SOURCES, PREDICTIONS, REFERENCES.optional]}
_MAX_LISTED = 20  # findings
_MAX_REMOVED = 60  # characters of what was removed, in a line


def check_texts(
    files: Files, form: str, path: Path | None, *, each: bool, overwrite: bool
) -> list[Finding]:
    """Check texts, print the findings and return them; write cleaned outputs to a ``path``."""
    data = read_data(_READERS, files, with_runs=True)
    findings = soundness.check(data)
    listed = each or sum(max(1, len(finding.systems)) for finding in findings) <= _MAX_LISTED
    ranking = None
    if form == "json" or (form == "text" and (len(data.systems) > 1 or not listed)):
        ranking = soundness.rank_sound(findings, data)
    cleaned = None if path is None else _write_clean(path, data, findings, files, overwrite)
    if form != "text":
        _print_plain(form, findings, ranking, cleaned)
        return findings
    _print_findings(findings, data, ranking, cleaned, listed)
    _print_files(findings, files)
    if cleaned is not None:
        outputs = quantity(len(cleaned.changes), "output")
        printing.print_line(f"{outputs} changed; written: {path}")
    return findings


def check_shards(files: Files, form: str, *, each: bool) -> list[Finding]:
    """Check shards in blocks of `BLOCK` rows, print the findings and return them."""
    blocks: list[tuple[range, list[Finding]]] = []
    examples = 0
    with progress(unit=" rows", unit_scale=True) as bar:
        for block in shards.cut(read_batches(_READERS, files), BLOCK):
            examples = block.first + len(block.examples)
            blocks.append((range(block.first, examples), soundness.check(block.examples)))
            bar.update(len(block.examples))
    findings = checks.join_blocks(blocks)
    if form != "text":
        _print_plain(form, findings, None, None)
        return findings
    shown = findings if each else findings[:_MAX_LISTED]
    printing.print_sentence(*map(str, shown))
    more = "; --each lists all" if len(shown) < len(findings) else ""
    printing.print_sentence(
        f"{checks.summary(findings)} in {examples:,} examples, in blocks of {BLOCK:,}: rows "
        f"that moved further are not seen{more}"
    )
    return findings


def count_problems(findings: Iterable[Finding]) -> int:
    """Return how many findings are more than notes."""
    return sum(finding.gravity != "note" for finding in findings)


def _print_plain(
    form: str, findings: list[Finding], ranking: SoundRanking | None, cleaned: Cleaned | None
) -> None:
    """Print everything as JSON, or findings as a table."""
    if form == "json":
        printing.print_json(
            {
                "problems": count_problems(findings),
                "findings": [finding.to_dict() for finding in findings],
                "ranking": asdict(ranking) if ranking else None,
                "changes": cleaned.changes if cleaned else None,
                "left": cleaned.left if cleaned else None,
            }
        )
    elif form == "csv" and not findings:
        click.echo(",".join(f'"{name}"' for name in checks.table(findings).header))
    else:
        printing.print_result(form, checks.table(findings))


def _print_findings(
    findings: list[Finding],
    data: Examples,
    ranking: SoundRanking | None,
    cleaned: Cleaned | None,
    listed: bool,
) -> None:
    """Print each finding, or of many how they are distributed; then what was cleaned."""
    if listed:
        printing.print_sentence(*map(str, findings))
        if ranking is not None and ranking.swapped:
            printing.print_sentence(f"Without unsound outputs {ranking}.")
    else:
        lines, worst = soundness.describe_damage(findings, data, ranking)
        printing.print_sentence(*lines)
        printing.print_table(worst)
    if cleaned is not None:
        _print_changes(cleaned)
    count = f"{checks.summary(findings)} in {quantity(len(data), 'example')}"
    printing.print_line(count if listed else f"{count}; --each lists all")


def _print_files(findings: Sequence[Finding], files: Files) -> None:
    """Print the files of the runs that findings name."""
    systems, runs = parse_systems(files)
    faulty = {*chain(*runs.values())} & {name for finding in findings for name in finding.systems}
    for system in systems:
        if system.name in faulty:
            printing.print_line(f"{system.name}: {system.file}")


def _write_clean(
    path: Path, data: Examples, findings: list[Finding], files: Files, overwrite: bool
) -> Cleaned:
    """Write a system's outputs, cleaned: a line each, or a JSON object with all other columns."""
    before, sources = data.predictions(one_system(data, "check --fix")), data.sources or []
    outputs = realign(sources, before)
    if moved := sum(a != b for a, b in zip(before, outputs, strict=True)):
        note(
            f"{moved:,} lines moved to their sources; {outputs.count('') - before.count('')} empty"
        )
    jsonl = path.suffix.lower() == ".jsonl"
    cleaned = checks.clean(
        sources, outputs, join_lines=not jsonl, findings=findings, references=data.references
    )
    text = "".join(f"{output}\n" for output in cleaned.texts)
    if jsonl:
        name, rows = _find_rows(files, sources, before)
        pairs = zip(rows, cleaned.texts, strict=True)
        text = tables.json_lines([tables.finite({**row, name: output}) for row, output in pairs])
    write_files({path: text.encode()}, overwrite=overwrite)
    return cleaned


def _find_rows(
    files: Files, sources: list[str], outputs: list[str]
) -> tuple[str, list[dict[str, Any]]]:
    """Return the table that has these outputs, and their column; without one the sources."""
    places = [files.data, *(parse_system(str(path)).file for path in files.predictions)]
    for place in [str(place) for place in places if place and is_table(place) and place != STDIN]:
        table = load_table(place, None, None)
        for name in table.names:
            if table.column(name) == outputs:
                return name, table.rows(table.names)
    return "prediction", [{"source": source} for source in sources]


def _print_changes(cleaned: Cleaned) -> None:
    """Print a line for each kind of text that was removed, and that was left."""
    for kind in dict.fromkeys(chain(*(change["removed"] for change in cleaned.changes))):
        changes = [change for change in cleaned.changes if kind in change["removed"]]
        where = Finding(kind, "note", "", (), tuple(change["example"] for change in changes)).where
        such = f"{_shorten(changes[0]['before'])} → {_shorten(changes[0]['after'])}"
        printing.print_sentence(f"removed: {kind} ({where}), as in {such}")
    for kind, rows in cleaned.left.items():
        where = Finding(kind, "note", "", (), tuple(rows)).where
        printing.print_sentence(f"left alone: {ARTEFACTS[kind].what} ({where})")


def _shorten(text: str) -> str:
    """The beginning of a text, in one line."""
    line = one_line(text)
    return line if len(line) <= _MAX_REMOVED else f"{line[: _MAX_REMOVED - 1]}…"
