"""What unsound outputs, such as a prompt or an answer, change in the ranking of systems."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from textsimp.core.cells import quantity
from textsimp.core.examples import Examples, concatenate
from textsimp.core.metric import Statistics, group
from textsimp.core.tables import Grid
from textsimp.corpora import checks
from textsimp.corpora.checks import Finding, sound_kinds
from textsimp.metrics.sari import Sari

__all__ = ["ENDS", "count_unsound", "find_unsound", "warn_of_ranking"]

MIN_SHARE, MIN_EXAMPLES = 1 / 4, 30  # of the examples, that must be sound to rank systems
ENDS = 2_500
"""Of more than twice as many examples `check_ends` checks as many at either end."""
_MAX_MOVED = 3  # systems in a sentence
_MAX_KINDS, _MAX_WORST = 3, 10  # errors, kinds, systems of a picture


@dataclass(frozen=True)
class SoundRanking:
    """Scores with and without unsound outputs, and ranks where systems can be compared."""

    title: str  # of the score
    scores: Mapping[str, tuple[float, float]]  # of all outputs, and of the system's sound ones
    examples: int  # that are sound in all ranked systems
    ranks: Mapping[str, tuple[int, int]]  # of the ranked systems, by all examples and by the sound
    swapped: int  # pairs of ranked systems in another order

    def __str__(self) -> str:
        n = len(self.ranks)
        if n < 2:
            return f"too few examples are sound in several systems to rank them by {self.title}"
        where = f"on the {self.examples:,} examples that are sound in {n} systems"
        if not self.swapped:
            return f"the ranking by {self.title} stays {where}"
        moved = sorted(self.ranks, key=lambda name: -abs(np.subtract(*self.ranks[name])))
        steps = [f"{name} {' → '.join(map(str, self.ranks[name]))}" for name in moved[:_MAX_MOVED]]
        pairs = f"{self.swapped:,} of {n * (n - 1) // 2:,} pairs of systems swap"
        return f"the ranking by {self.title} changes {where}: {pairs} (ranks: {', '.join(steps)})"


def find_unsound(findings: Iterable[Finding], data: Examples) -> dict[str, dict[str, set[int]]]:
    """Return run → kind → the examples, counted from 1, whose output is unsound."""
    unsound: dict[str, dict[str, set[int]]] = {run: {} for run in data.systems}
    sound = sound_kinds(data.sources or [])
    for finding in findings:
        for run, examples in finding.rows.items() if finding.kind not in sound else ():
            unsound[run].setdefault(finding.kind, set()).update(examples)
    return unsound


def count_unsound(
    findings: Iterable[Finding], data: Examples
) -> dict[str, tuple[float, Counter[str]]]:
    """Return system → the share of its outputs that are unsound, and how many are of each kind."""
    unsound = find_unsound(findings, data)
    counts = {}
    for name, runs in group(data.systems, data.runs).items():
        kinds: Counter[str] = Counter()
        for run in runs:
            kinds.update({kind: len(rows) for kind, rows in unsound[run].items()})
        number = sum(len({*chain(*unsound[run].values())}) for run in runs)
        counts[name] = number / (len(runs) * len(data)), kinds
    return counts


def rank_sound(
    findings: Iterable[Finding], data: Examples, measured: Statistics | None = None
) -> SoundRanking | None:
    """Rank as many systems as have enough examples that are sound in all, by SARI if unmeasured.

    Return None if all outputs are sound, or if scores can't rank systems.
    """
    metric = Sari() if measured is None else measured.metric
    unsound = find_unsound(findings, data)
    rows = {run: {*chain(*kinds.values())} for run, kinds in unsound.items()}
    if not any(rows.values()) or not data.references or not metric.ranks() or metric.scores[0].many:
        return None
    if measured is None:
        texts = {column: data.shared[column] for column in ("sources", "references")}
        measured = metric.measure(Examples(texts, data.systems))
    main, every = metric.scores[0], np.ones(len(data), bool)
    sound_rows = {run: ~np.isin(np.arange(len(data)) + 1, [*rows[run]]) for run in rows}
    groups = group(data.systems, data.runs)
    clean = {name: np.all([sound_rows[run] for run in groups[name]], axis=0) for name in groups}
    sound, ranked = every, []
    for name in sorted(clean, key=lambda name: -clean[name].sum()):
        if (sound & clean[name]).sum() >= max(MIN_EXAMPLES, MIN_SHARE * len(data)):
            sound = sound & clean[name]
            ranked.append(name)

    def score(name: str, rows: NDArray[np.bool_] | None = None) -> float:
        runs = {run: sound_rows[run] if rows is None else rows for run in groups[name]}
        samples = (metric.sample(measured.systems[run][kept]) for run, kept in runs.items())
        return float(np.mean([sample.value()[main.key] for sample in samples]))

    sign = 1 if main.better == "lower" else -1
    orders = [sorted(ranked, key=lambda name: sign * score(name, rows)) for rows in (every, sound)]
    ranks = {name: (orders[0].index(name) + 1, orders[1].index(name) + 1) for name in ranked}
    swapped = sum((a[0] < b[0]) != (a[1] < b[1]) for a, b in combinations(ranks.values(), 2))
    scores = {name: (score(name, every), score(name)) for name in clean}
    return SoundRanking(main.title, scores, int(sound.sum()), ranks, swapped)


def take_ends(parts: Sequence[Examples]) -> Examples:
    """Return the first and last `ENDS` of the examples in several parts, or all of fewer."""
    data = concatenate(parts) if len(parts) > 1 else parts[0]
    if len(data) <= 2 * ENDS:
        return data
    return data.take([*range(ENDS), *range(len(data) - ENDS, len(data))])


def check(data: Examples) -> list[Finding]:
    """Return what the data checks find in examples."""
    outputs = {
        name: columns["predictions"]
        for name, columns in data.systems.items()
        if "predictions" in columns
    }
    return checks.run(data.sources or [], data.references, outputs, data.reference_files)


def check_ends(data: Examples) -> list[Finding]:
    """Return what they find, of many examples in the first and last `ENDS`.

    Checks take longer than scores, and a lost line shifts the end.
    """
    if not data.sources:
        return []
    return check(data if len(data) <= 2 * ENDS else take_ends([data]))


def summarize(findings: Sequence[Finding], examples: int, command: str) -> str:
    """Return a line on errors and problems with the ``command`` that shows them, or "".

    It includes the text of errors in sources or references, which falsify all scores.
    """
    problems = [finding for finding in findings if finding.gravity != "note"]
    if not problems:
        return ""
    place = f"first and last {ENDS:,} examples" if examples > 2 * ENDS else "texts"
    kinds = ", ".join(dict.fromkeys(problem.kind for problem in problems))
    shows = "shows it" if len(problems) == 1 else "shows them"
    line = f"{checks.summary(problems)} in the {place} ({kinds}): {command} {shows}"
    shared = [p.text for p in problems if p.gravity == "error" and not p.systems]
    return "; ".join([line, *shared])


def warn_of_ranking(
    findings: Sequence[Finding], data: Examples, measured: Statistics | None = None
) -> str:
    """Return a line if the ranking changes without unsound outputs, or ""."""
    if not findings or len(data) > 2 * ENDS:
        return ""
    ranking = rank_sound(findings, data, measured)
    return f"Without unsound outputs {ranking}" if ranking and ranking.swapped else ""


def describe_damage(
    findings: Sequence[Finding], data: Examples, ranking: SoundRanking | None
) -> tuple[list[str], Grid]:
    """Say how many outputs are unsound, what that changes and what is shared; list the worst."""
    unsound = count_unsound(findings, data)
    shares = {name: share for name, (share, _) in unsound.items()}
    some, many = (sum(share >= least for share in shares.values()) for least in (0.01, 0.05))
    numbers = f"{some - many:,} have 1–5 % unsound outputs, and {many:,} more"
    lines = [f"{len(shares) - some:,} of {len(shares):,} systems are clean; {numbers}."]
    lines += [f"Without unsound outputs {ranking}."] if ranking else []
    urgent = [x for x in findings if x.gravity == "error" or not x.systems]
    lines += map(str, urgent[:_MAX_KINDS])
    kinds = Counter(kind for _, counts in unsound.values() for kind in counts)
    for kind, number in kinds.most_common(_MAX_KINDS):
        lines.append(f"{quantity(number, 'system')}: {checks.WHAT[kind]}")
    rows = []
    for name in sorted(shares, key=lambda name: -shares[name])[:_MAX_WORST]:
        worst = unsound[name][1].most_common(2)
        mostly = "; ".join(f"{checks.WHAT[kind]} ({number:,})" for kind, number in worst)
        scores = [f"{score:.2f}" for score in ranking.scores[name]] if ranking else []
        rows.append([name, f"{100 * shares[name]:.0f} %", *scores, mostly])
    title = [ranking.title, "without"] if ranking else []
    return lines, Grid(["system", "unsound", *title, "mostly"], rows)
