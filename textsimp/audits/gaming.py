"""How far changes that make texts no simpler move readability formulas, BLEU and SARI.

The experiment of Tanprasert & Kauchak (2021), "Flesch-Kincaid is Not a Text Simplification
Evaluation Metric", GEM workshop, Figures 1-3: a growing share of the lines of a system's output is
changed by each of `textsimp.audits.perturbations.MODIFICATIONS`, many times with other lines and
positions.

The lines that differ from the output are few, however often the experiment is repeated: a line has
no more versions than tokens. So each version's statistics are computed once, and the scores of all
repeats and shares are reductions of sums of them.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from textsimp.audits.perturbations import MODIFICATIONS, Modification, draw, sampled
from textsimp.core import significance
from textsimp.core.metric import Floats, Metric
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.readability import ENGLISH, Readability
from textsimp.metrics.sari import Sari
from textsimp.support.errors import InputError, nearest
from textsimp.support.extras import require

Ints = NDArray[np.int64]

# By how much a score must get better for a change to count: what shows at one decimal, and so many
# standard deviations over the repeats.
LEAST_CHANGE = 0.1
LEAST_DEVIATIONS = 3

SHARES = tuple(tenths / 10 for tenths in range(1, 11))
FKGL_VARIANTS = ("default", "easse", "paper")  # `textstat` doesn't count line by line

FORMULAS = tuple(ENGLISH)
"""Formulas of `Readability` that are measured where they are asked for."""

_SCORES = {
    "fkgl": ("fkgl", "words_per_sentence", "syllables_per_word"),
    "bleu": ("bleu", "precisions", "brevity_penalty"),
    "sari": ("sari", "add", "keep", "delete", "add_f1", "keep_f1", "delete_precision"),
}
_SCORES |= {formula: (formula,) for formula in (*FORMULAS, "dale_chall")}
_TITLES = {
    name: metric.scores[0].title
    for name, metric in (("fkgl", FkglComponents), ("bleu", Bleu), ("sari", Sari))
}
_TITLES |= {score.key: score.title for score in Readability.scores}
# Of what else there is a low grade is a good one.
_HIGHER = ("bleu", "sari", "flesch_reading_ease")
COLUMNS = ("metric", "score", "modification", "share", "mean", "low", "high")
# Colours of Okabe and Ito that all can tell apart, and markers for print.
STYLES = (
    ("#0072B2", "o"),
    ("#E69F00", "s"),
    ("#009E73", "^"),
    ("#CC79A7", "D"),
    ("#56B4E9", "v"),
    ("#D55E00", "X"),
    ("#000000", "P"),
    ("#F0E442", "*"),
)


def audit(
    predictions: Any,
    *,
    sources: Any = None,
    references: Any = None,
    modifications: Sequence[str] = tuple(MODIFICATIONS),
    shares: Sequence[float] = SHARES,
    repeats: int = 100,
    seed: int = 0,
    confidence: float = 0.95,
    fkgl: str = "default",
    bleu: str = "easse",
    sari: str = "joshua",
    readability: bool = False,
    dale_chall: bool = False,
) -> dict[str, Any]:
    """Measure how modifications move the scores of a system.

    Args:
        predictions: The system's outputs.
        sources: The original texts; without them no SARI.
        references: One or more references per source; without them no SARI and no BLEU.
        modifications: Names of `textsimp.audits.perturbations.MODIFICATIONS`.
        shares: Shares of the lines to change, ascending, each above 0 and at most 1.
        repeats: How often each modification is made anew. Repeat i is what the functions of
            `textsimp.audits.perturbations` do with the seed ``seed + i``.
        seed: Seed of the first repeat.
        confidence: Share of the repeats that an interval covers.
        fkgl: Variant of FKGL: ``default``, ``easse`` or ``paper``.
        bleu: Variant of BLEU: ``easse``, lowercased, or ``sacrebleu``, cased.
        sari: Variant of SARI; ``joshua`` is the paper's.
        readability: Also `FORMULAS`, each as a metric of its own.
        dale_chall: Also Dale-Chall (extra ``languages``).

    Returns:
        ``unchanged``: metric → score → its value for the predictions as they are; ``curves``:
        metric → score → modification → ``mean``, ``low`` and ``high`` over the repeats, lists with
        a number per share; ``fooled``: metric → the modifications that it takes for improvements,
        see `verdicts`, or None for a single repeat; ``variants`` and ``signatures``: metric → its
        own; ``lines``: the number of predictions; ``shares``, ``repeats``, ``seed``,
        ``confidence``: what was done. Scores with one value per n-gram order have names that end
        in ``_1`` to ``_4``.

    Raises:
        InputError: See `columns`; an unknown modification or variant, shares, repeats,
            seed or confidence out of range.

    Example:
        >>> from textsimp.audits import gaming
        >>> result = gaming.audit(["The old cat sat on the mat."] * 20, shares=[0.5], repeats=10)
        >>> round(result["unchanged"]["fkgl"]["fkgl"], 2)
        -1.06
        >>> result["curves"]["fkgl"]["fkgl"]["random-period"]["mean"][0] < -1.5
        True
    """
    names = check_names("modifications", modifications, MODIFICATIONS)
    chosen = [MODIFICATIONS[name] for name in names]
    _check(shares, repeats, seed, confidence)
    repeats, seed, confidence = int(repeats), int(seed), float(confidence)  # they may be NumPy's
    _check_variant("fkgl", fkgl, FKGL_VARIANTS)
    _check_variant("bleu", bleu, tuple(Bleu.presets))
    _check_variant("sari", sari, tuple(Sari.presets))
    fkgl_metric, bleu_metric = FkglComponents.preset(fkgl), Bleu.preset(bleu)
    sari_metric = Sari.preset(sari, per_order=True)
    of_formulas = Readability(dale_chall=dale_chall)
    columns = {"sources": sources, "predictions": predictions, "references": references}
    examples = fkgl_metric.check(**columns)
    sources, predictions, references = examples.sources, examples.predictions(), examples.references
    formulas = [*(FORMULAS if readability else ()), *(["dale_chall"] if dale_chall else ())]
    metrics: dict[str, tuple[Metric, Any]] = {
        "fkgl": (fkgl_metric, fkgl_metric.prepare(None, None))
    }
    if references is not None:
        metrics["bleu"] = bleu_metric, bleu_metric.prepare(None, references)
        if sources is not None:
            metrics["sari"] = sari_metric, sari_metric.prepare(sources, references)
    if formulas:
        metrics |= dict.fromkeys(formulas, (of_formulas, of_formulas.prepare(None, None)))

    sample = _Sample.drawn(len(predictions), shares, repeats, seed)
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    before = {
        m: m.statistics(prepared, predictions) for m, prepared in dict(metrics.values()).items()
    }
    unchanged: dict[str, dict[str, float]] = {}
    curves: dict[str, dict[str, dict[str, Any]]] = {}
    fooled: dict[str, list[str]] = {name: [] for name in metrics}
    for name, (metric, _) in metrics.items():
        scores = _scores(name, metric, before[metric].sum(axis=0))
        unchanged[name] = {score: float(value) for score, value in scores.items()}
        curves[name] = {score: {} for score in scores}
    for modification in chosen:
        versions = sample.versions(modification, predictions)
        totals: dict[Metric, Floats] = {}  # once for all formulas
        for name, (metric, prepared) in metrics.items():
            if metric not in totals:
                rows = before[metric]
                changes = (metric.statistics(prepared, texts) - rows for texts in versions.texts)
                sums = sample.sums(versions.of, changes, rows.shape[1])
                totals[metric] = rows.sum(axis=0) + sums
            for score, values in _scores(name, metric, totals[metric]).items():
                low, high = np.quantile(values, tails, axis=0)
                curve = {"mean": values.mean(axis=0), "low": low, "high": high}
                curves[name][score][modification.name] = {k: v.tolist() for k, v in curve.items()}
                gains = _sign(name) * (values[:, -1] - unchanged[name][score])
                if score == name and _fools(gains):
                    fooled[name].append(modification.name)
    return {
        "unchanged": unchanged,
        "curves": curves,
        "fooled": {name: found if repeats > 1 else None for name, found in fooled.items()},
        "variants": {name: metric.variant for name, (metric, _) in metrics.items()},
        "signatures": {
            name: metric.signature(references if name in ("bleu", "sari") else None)
            for name, (metric, _) in metrics.items()
        },
        "lines": len(predictions),
        "shares": [float(share) for share in shares],
        "repeats": repeats,
        "seed": seed,
        "confidence": confidence,
    }


def rows(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The result of `audit` as a table: the columns `COLUMNS`, a row per point of a curve.

    The predictions as they are have a row per score with no modification and the share 0.
    """
    for metric, scores in result["curves"].items():
        for score, modifications in scores.items():
            value = result["unchanged"][metric][score]
            yield dict(zip(COLUMNS, (metric, score, "none", 0.0, *[value] * 3), strict=True))
            for modification, curve in modifications.items():
                points = zip(*(curve[key] for key in ("mean", "low", "high")), strict=True)
                for share, point in zip(result["shares"], points, strict=True):
                    yield dict(
                        zip(COLUMNS, (metric, score, modification, share, *point), strict=True)
                    )


def write_csv(result: Mapping[str, Any], file: TextIO) -> None:
    """Write `rows` as CSV with a header. Open files with ``newline=""``."""
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(result))


def verdicts(result: Mapping[str, Any]) -> dict[str, str]:
    """A sentence per metric: does it take a modified text for a better one, and how much so.

    A modification fools it if, with the largest share of the lines changed, the score gets better
    in the mean over the repeats by at least `LEAST_CHANGE` (0.1) and by more than
    `LEAST_DEVIATIONS` (3) times its standard deviation over the repeats. A single repeat has none,
    so it tells nothing.
    """
    return {name: _verdict(result, name) for name in result["curves"]}


def _sign(metric: str) -> int:
    """1 if higher scores of a metric are for better or easier texts, else -1."""
    return 1 if metric in _HIGHER else -1


def _fools(gains: Floats) -> bool:
    """Whether the gains of the repeats are beyond their noise: (repeats,)."""
    noise = gains.std(ddof=1) if len(gains) > 1 else np.inf
    gain = gains.mean()
    return bool(gain >= LEAST_CHANGE and gain > LEAST_DEVIATIONS * noise)


def _verdict(result: Mapping[str, Any], name: str) -> str:
    before, curves = result["unchanged"][name][name], result["curves"][name][name]
    better, title = result["fooled"][name], _TITLES[name]
    most = max(better or curves, key=lambda mod: _sign(name) * curves[mod]["mean"][-1])
    change = [f"by {mean - before:+.2f} (to {mean:.2f})" for mean in curves[most]["mean"]]
    moved = f"{change[0]} when {result['shares'][0]:.0%} of the lines are changed"
    if len(change) > 1:
        moved += f" and {change[-1]} when {result['shares'][-1]:.0%} are"
    of = f"of {len(curves)} modifications"
    start = f"{title} is fooled by {len(better) if better else 'none'} {of}."
    if better is None:
        start = f"A single repeat doesn't tell whether {title} is fooled by any {of}."
    liked = "likes best" if better else "minds least"
    return f"{start} The one it {liked}, {most}, moves it from {before:.2f} {moved}."


def plot(result: Mapping[str, Any]) -> Any:
    """The curves of the metrics, a panel each, with their intervals.

    Returns:
        A ``matplotlib.figure.Figure``; save it with its ``savefig``.

    Raises:
        ImportError: matplotlib is not installed; the message names the extra.
    """
    names = list(result["curves"])
    across = min(len(names), 4)
    down = -(-len(names) // across)
    figure = require("matplotlib.figure", extra="report").Figure(
        figsize=(3.4 * across, 3.3 * down + 0.6), layout="constrained"
    )
    panels = [*figure.subplots(down, across, squeeze=False).flat]
    percent = [0.0, *(100 * share for share in result["shares"])]
    for panel, name in zip(panels, names, strict=False):
        before, curves = result["unchanged"][name][name], result["curves"][name][name]
        for (modification, curve), style in zip(curves.items(), STYLES, strict=False):
            low, mean, high = ([before, *curve[key]] for key in ("low", "mean", "high"))
            draw_curve(panel, percent, (low, mean, high), modification, style)
        panel.axhline(before, color="0.6", linewidth=0.8, zorder=0)
        direction = "higher" if name in _HIGHER else "lower"
        if name in ("fkgl", "bleu", "sari"):
            title = f"{_TITLES[name]} ({result['variants'][name]}): {direction} is better"
        else:
            title = f"{_TITLES[name]}: {direction} is easier"
        panel.set_title(title)
        panel.set_xlabel("lines changed (%)")
        panel.spines[["top", "right"]].set_visible(False)
    for empty in panels[len(names) :]:
        empty.remove()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    return figure


def draw_curve(
    panel: Any,
    x: Sequence[float],
    curve: tuple[Sequence[float], Sequence[float], Sequence[float]],
    label: str,
    style: tuple[str, str],
) -> None:
    """Draw a curve, low, mean and high, in one of `STYLES` on a panel of matplotlib."""
    (low, mean, high), (color, marker) = curve, style
    panel.fill_between(x, low, high, color=color, alpha=0.2, linewidth=0)
    panel.plot(x, mean, color=color, marker=marker, ms=4, lw=1.2, label=label)


@dataclass(frozen=True)
class _Versions:
    """What a modification makes of each line."""

    of: Ints  # (repeats, lines) the number of the version; 0 is the line as it is
    texts: list[list[str]]  # version - 1 → lines; empty strings where a line has fewer versions


@dataclass(frozen=True)
class _Sample:
    """Which lines are changed in which repeat, where, and from which share on."""

    where: Floats  # (repeats, lines) 0 to 1
    since: Ints  # (repeats, lines) index of the share; their number where a line is never changed
    shares: int

    @classmethod
    def drawn(cls, n: int, shares: Sequence[float], repeats: int, seed: int) -> _Sample:
        """The samples of each repeat."""
        where, since = np.empty((repeats, n)), np.empty((repeats, n), np.int64)
        counts = [sampled(share, n) for share in shares]
        for i in range(repeats):
            order, where[i] = draw(n, seed + i)
            since[i, order] = np.searchsorted(counts, np.arange(n), side="right")
        return cls(where, since, len(shares))

    def versions(self, modification: Modification, lines: list[str]) -> _Versions:
        """The versions of each line that occur."""
        of = np.zeros(self.where.shape, np.int64)
        texts = []
        for i, line in enumerate(lines):
            numbers = {line: 0}
            changed = [modification.line(line, where) for where in self.where[:, i].tolist()]
            of[:, i] = [numbers.setdefault(text, len(numbers)) for text in changed]
            texts.append(list(numbers)[1:])
        return _Versions(of, [list(row) for row in itertools.zip_longest(*texts, fillvalue="")])

    def sums(self, versions: Ints, changes: Iterable[Floats], k: int) -> Floats:
        """(repeats, shares, k) by how much the statistics' totals change.

        Args:
            versions: (repeats, lines) as of `_Versions`.
            changes: For version 1, 2, … what it adds to the statistics of each line, (lines, k).
            k: Number of statistics.
        """
        sums = np.zeros((len(versions), self.shares, k))
        for number, change in enumerate(changes, 1):
            repeat, line = np.nonzero((versions == number) & (self.since < self.shares))
            np.add.at(sums, (repeat, self.since[repeat, line]), change[line])
        return np.cumsum(sums, axis=1)


def _scores(name: str, metric: Metric, totals: Floats) -> dict[str, Floats]:
    """Scores of (..., k) totals, those of single orders by names of their own."""
    reduced = metric.reduce(totals)
    scores = {}
    for score in _SCORES[name]:
        values = reduced[score]
        if values.ndim < totals.ndim:
            scores[score] = values
        else:
            single = "precision" if score == "precisions" else score
            scores |= {f"{single}_{i + 1}": values[..., i] for i in range(values.shape[-1])}
    return scores


def _check(shares: Any, repeats: Any, seed: Any, confidence: Any) -> None:
    significance.check(confidence, 1, seed, optional=False)
    if isinstance(repeats, bool) or not isinstance(repeats, (int, np.integer)) or repeats < 1:
        raise InputError(f"repeats: expected an integer of at least 1, got {repeats!r}")
    check_shares(shares)


def check_names(argument: str, names: Any, known: Collection[str]) -> list[str]:
    """Check names of some of those that there are; each is returned once.

    Raises:
        InputError: None, or another.
    """
    listed = isinstance(names, (list, tuple)) and len(names) > 0
    for name in names if listed else [names]:
        if not listed or not isinstance(name, str) or name not in known:
            raise InputError(
                f"{argument}: expected some of {', '.join(known)}, got {name!r}"
                f"{nearest(name, known)}"
            )
    return list(dict.fromkeys(names))


def check_shares(shares: Any) -> None:
    """Check shares of rows.

    Raises:
        InputError: They don't ascend, or aren't all above 0 and at most 1.
    """
    try:
        values = [0.0, *(1.0 * share for share in shares)]  # a text is no number
    except (TypeError, ValueError):
        values = []
    rising = all(low < high <= 1 for low, high in itertools.pairwise(values))
    if len(values) < 2 or not rising:
        raise InputError(f"shares: expected ascending numbers, above 0 to 1, got {shares!r}")


def _check_variant(name: str, variant: Any, known: Sequence[str]) -> None:
    if not isinstance(variant, str) or variant not in known:
        raise InputError(f"{name}: expected one of {', '.join(known)}, got {variant!r}")
