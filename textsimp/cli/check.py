"""``textsimp check``."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from itertools import chain
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
from textsimp.core.statistics import Statistics
from textsimp.core.tables import Grid
from textsimp.corpora import artefacts, checks
from textsimp.corpora.artefacts import ARTEFACTS
from textsimp.corpora.checks import Finding
from textsimp.corpora.files import shown
from textsimp.scoring import soundness
from textsimp.scoring.soundness import SoundRanking
from textsimp.support.errors import one_line
from textsimp.support.files import check_new, write_files

ENDS = 5_000
"""Of more than twice as many examples `check_texts` checks as many at either end."""
_MAX_LISTED, _MAX_KINDS, _MAX_WORST = 20, 3, 10  # findings; errors, kinds, systems of a picture
_MAX_REMOVED = 60  # characters of what was removed, in a line


def check_texts(data: Examples) -> list[Finding]:
    """Return what checks find, of many examples in the first and last `ENDS`."""
    if not data.sources:
        return []
    systems = {
        n: _ends(own["predictions"]) for n, own in data.systems.items() if "predictions" in own
    }
    references = None if data.references is None else _ends(data.references)
    return checks.run(_ends(data.sources), references, systems)


def summarize_problems(findings: list[Finding], data: Examples, files: Mapping[str, Any]) -> str:
    """Return a line on errors and problems with the command that shows them, or ""."""
    problems = [finding for finding in findings if finding.gravity != "note"]
    if not problems:
        return ""
    place = f"first and last {ENDS:,} examples" if len(data) > 2 * ENDS else "texts"
    command = ["textsimp", "check", *file_arguments(click.get_current_context(), files)]
    kinds = ", ".join(dict.fromkeys(problem.kind for problem in problems))
    shows = "shows it" if len(problems) == 1 else "shows them"
    return f"{checks.summary(problems)} in the {place} ({kinds}): {shlex.join(command)} {shows}"


def warn_of_ranking(
    findings: list[Finding], data: Examples, measured: Statistics | None = None
) -> str:
    """Return a line if the ranking changes without unsound outputs, or ""."""
    ranking = soundness.rank_sound(findings, data, measured) if len(data) <= 2 * ENDS else None
    return f"Without unsound outputs {ranking}" if ranking and ranking.swapped else ""


def _ends(rows: list[Any]) -> list[Any]:
    """Checks take longer than scores, and a lost line shifts the end."""
    return rows if len(rows) <= 2 * ENDS else [*rows[:ENDS], *rows[-ENDS:]]


@click.command(cls=DataCommand)
@data_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all examples concerned.")
@click.option("--each", is_flag=True, help="List each finding, however many there are.")
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
    context: click.Context, /, as_json: bool, each: bool, fix: str | None, force: bool, **files: Any
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
    ranking = soundness.rank_sound(findings, data)
    problems = sum(finding.gravity != "note" for finding in findings)
    changes, left = ([], {}) if path is None else _write_clean(path, data, force)
    if as_json:
        plain = [finding.to_dict() for finding in findings]
        more: dict[str, Any] = {} if path is None else {"changes": changes, "left": left}
        more |= {} if ranking is None else {"ranking": asdict(ranking)}
        printing.print_json({"problems": problems, "findings": plain, **more})
    else:
        listed = each or sum(max(1, len(finding.systems)) for finding in findings) <= _MAX_LISTED
        if listed:
            for finding in findings:
                printing.print_line(str(finding))
            if ranking is not None and ranking.swapped:
                printing.print_sentence(f"Without unsound outputs {ranking}.")
        else:
            _print_picture(findings, data, ranking)
        for change in changes:
            removed = " and ".join(change["removed"])
            printing.print_line(f"example {change['example']}: {removed} removed")
            printing.print_line(f"  {_shorten(change['before'])} → {_shorten(change['after'])}")
        for kind, rows in left.items():
            where = Finding(kind, "note", "", (), tuple(rows)).where
            printing.print_line(f"left alone: {ARTEFACTS[kind].what} ({where})")
        many = "s" * (len(data) != 1)
        count = f"{checks.summary(findings)} in {len(data):,} example{many}"
        printing.print_line(count if listed else f"{count}; --each lists all")
        if path is not None:
            outputs = "output" if len(changes) == 1 else "outputs"
            printing.print_line(f"{len(changes):,} {outputs} changed; written: {shown(path)}")
    context.exit(1 if problems else 0)


def _print_picture(findings: list[Finding], data: Examples, ranking: SoundRanking | None) -> None:
    """Print how many outputs are unsound, what that changes, what is shared, the worst systems."""
    unsound = soundness.find_unsound(findings, data)
    shares = {name: len({*chain(*own.values())}) / len(data) for name, own in unsound.items()}
    some, many = (sum(share >= least for share in shares.values()) for least in (0.01, 0.05))
    numbers = f"{some - many:,} have 1–5 % unsound outputs, and {many:,} more"
    lines = [f"{len(shares) - some:,} of {len(shares):,} systems are clean; {numbers}."]
    lines += [f"Without unsound outputs {ranking}."] if ranking else []
    urgent = [str(one) for one in findings if one.gravity == "error" or not one.systems]
    lines += urgent[:_MAX_KINDS]
    kinds = Counter(kind for own in unsound.values() for kind in own)
    for kind, number in kinds.most_common(_MAX_KINDS):
        line = f"{number:,} systems: {checks.WHAT[kind]}"
        times = Counter(chain(*(own.get(kind, ()) for own in unsound.values())))
        same = tuple(i for i in sorted(times) if times[i] >= max(3, number / 2))
        if same and kind in ("echo", "prompts"):
            line += f"; most in {Finding(kind, 'note', '', (), same).where}, which points to the "
            line += "pipeline: is the prompt removed before spaces are cleaned up?"
        lines.append(line)
    for line in lines:
        printing.print_sentence(line)
    rows = []
    for name in sorted(shares, key=lambda name: -shares[name])[:_MAX_WORST]:
        worst = sorted(unsound[name].items(), key=lambda item: -len(item[1]))[:2]
        mostly = "; ".join(f"{checks.WHAT[kind]} ({len(own):,})" for kind, own in worst)
        scores = [f"{score:.2f}" for score in ranking.scores[name]] if ranking else []
        rows.append([name, f"{100 * shares[name]:.0f} %", *scores, mostly])
    title = [ranking.title, "without"] if ranking else []
    printing.print_table(Grid(["system", "unsound", *title, "mostly"], rows))


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
