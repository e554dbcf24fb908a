"""What ``textsimp score``, ``compare`` and ``merge`` compute, step by step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from textsimp.cli.check import summarize_problems
from textsimp.cli.data_arguments import Files
from textsimp.cli.score_files import LoadedSystems, SavedFiles, first_of, load
from textsimp.core import cells, provenance, statistics_files
from textsimp.core.comparisons import Comparisons
from textsimp.core.examples import Examples, check_scripts
from textsimp.core.metric import Metric, Statistics
from textsimp.core.scores import Scores, Value
from textsimp.corpora.checks import Finding
from textsimp.scoring import verdict
from textsimp.scoring.baselines import (
    add_baselines,
    asked_baselines,
    check_baselines,
    check_names,
    has_baselines,
    hide,
    recognise,
)
from textsimp.scoring.comparison import check_alike, make_comparison
from textsimp.scoring.published import Field, find_field
from textsimp.scoring.ranking import judge
from textsimp.scoring.soundness import check_ends, warn_of_ranking
from textsimp.support.errors import InputError
from textsimp.support.progress import progress


@dataclass
class ScoreReport:
    """Comparisons by one or more metrics, with what is printed beside them."""

    comparisons: Comparisons  # by metric
    warnings: Sequence[str]
    short_names: Mapping[str, str]  # of systems
    unranked: Mapping[str, str] = field(default_factory=dict)  # systems → the reasons
    findings: Sequence[Finding] = ()  # of the data checks
    realigned: Mapping[str, float] = field(default_factory=dict)  # shifted systems → scores
    published: Field = field(default_factory=dict)  # system → metric → score
    remark: str = ""  # on them
    files: Sequence[Path] = ()  # that were written
    provenance: Mapping[str, Any] = field(default_factory=dict)  # of JSON

    def __post_init__(self) -> None:
        """Compute scores with those of published systems, and who leads."""
        first = first_of(self.comparisons)
        self.sampling = {n: getattr(first, n) for n in ("confidence", "resamples", "seed")}
        self.baselines = first.baselines
        self.own = [name for name in first.systems if name not in first.baselines]
        self.tests = self.comparisons if len(first.systems) > 1 else Comparisons()
        self.firsts = {metric: x.first for metric, x in self.comparisons.items()}
        self.scores = {metric: dict(x.systems) for metric, x in self.comparisons.items()}
        for metric, scores in self.scores.items() if self.published else ():
            scores |= self._score_published(metric)
        rankings = judge(self.comparisons)  # of a single system, too
        self.rankings = rankings if self.tests else {}
        main = next(iter(rankings), "")
        field = {n: scores[main].value for n, scores in self.published.items() if main in scores}
        self.ahead = verdict.name_published(rankings[main], field) if rankings else ""
        problems = (self.unranked, self.realigned, self.findings)
        self.verdict = verdict.write(self.rankings.values(), *problems, field)

    def _score_published(self, metric: str) -> dict[str, Scores]:
        """Return the scores of published systems by a metric; some may have none."""
        scores, first = dict[str, Scores](), self.firsts[metric]
        for name, values in self.published.items():
            main = {next(iter(first.predictions)): values.get(metric, Value(None))}
            alone = {"predictions": main, "sources": {}, "references": {}, "details": {}}
            scores[name] = Scores(**{**vars(first), **alone})
        return scores


def run(
    scorers: Mapping[str, Metric],
    files: Files,
    saved: SavedFiles,
    *,
    form: str,
    sampling: Mapping[str, Any],
    baseline: Sequence[str],
    no_check: bool,
    published: bool = False,
    least: int = 1,
    gate: bool = False,
) -> ScoreReport:
    """Load systems, measure and compare them, and save what is asked for.

    There must be at ``least`` so many systems. With a ``gate`` the first one is the default
    baseline.
    """
    saved.check(scorers, form)
    systems = load(scorers, files, saved, published=published)
    names = systems.names()
    baseline = baseline or (names[:1] if gate else [])
    asked = _check_names(names, baseline, least, texts=systems.texts is not None)
    if systems.texts is None:
        return report_statistics(systems.join({}, 0), form, baseline, sampling, vars(files))
    texts, shown, hidden = _add_baselines(systems.texts, systems, asked, saved, form)
    measured_texts = _measure(scorers, texts, saved.first_row)
    joined = systems.join(measured_texts, saved.first_row)
    measured = {name: hide(x, hidden) for name, x in joined.items()}
    short, main = _shorten(measured, form), first_of(measured_texts)
    findings = [] if no_check else check_ends(systems.texts)
    reasons = verdict.find_unranked(findings, names, len(texts), systems.runs)
    unranked = {short[name]: reasons[name] for name in names if name in reasons}
    realigned = verdict.score_realigned(findings, systems.texts, main)
    each = texts if saved.per_example == "" else None  # for lists in JSON
    comparisons = _compare(measured, short, baseline, sampling, each, shown, unranked)
    warnings = _warn(
        comparisons,
        statistics_files.missing(measured) if systems.stored else "",
        check_scripts([x.metric for x in measured.values()], texts),
        summarize_problems(findings, systems.texts, systems.files),
        warn_of_ranking(findings, systems.texts, main),
    )
    saved.write(measured, systems.texts)
    with_published = published and form != "bare"
    others, remark = _find_published(systems.texts, comparisons) if with_published else ({}, "")
    versions = provenance.describe(systems.texts, vars(files), sampling) if form == "json" else {}
    return ScoreReport(
        comparisons,
        warnings,
        short,
        unranked=unranked,
        findings=findings,
        realigned={short.get(name, name): score for name, score in realigned.items()},
        published=others,
        remark=remark,
        files=saved.paths,
        provenance=versions,
    )


def _check_names(
    names: Sequence[str], baseline: Sequence[str], least: int, *, texts: bool
) -> list[str]:
    """Check the names of systems and baselines; return the baselines that sources make."""
    asked = asked_baselines(baseline, names) if texts else []
    check_names(names)
    check_baselines(baseline or None, dict.fromkeys([*names, *asked]), "--baseline")
    if len(names) + len(asked) < least:
        raise InputError("compare needs at least two systems, got one: repeat -p FILE")
    return asked


def _add_baselines(
    texts: Examples, systems: LoadedSystems, asked: Sequence[str], saved: SavedFiles, form: str
) -> tuple[Examples, list[str], list[str]]:
    """Return what `add_baselines` does, if baselines are asked for or can be compared."""
    usual = form != "bare" and not saved.statistics and has_baselines(texts)
    if asked or (usual and systems.have_texts(saved.first_row)):
        return add_baselines(texts, asked, show=bool(asked) or form in ("text", "json"))
    return texts, [], []


def report_statistics(
    measured: Mapping[str, Statistics],
    form: str,
    baseline: Sequence[str],
    sampling: Mapping[str, Any],
    files: Mapping[str, Any],
    rows: int | None = None,
) -> ScoreReport:
    """Compare systems of which only statistics are there, of a corpus of so many ``rows``."""
    measured = {name: recognise(x) for name, x in measured.items()}
    short = _shorten(measured, form)
    comparisons = _compare(measured, short, baseline, sampling)
    return ScoreReport(
        comparisons,
        _warn(comparisons, statistics_files.missing(measured, rows)),
        short,
        provenance=provenance.describe(None, files, sampling) if form == "json" else {},
    )


def _measure(
    scorers: Mapping[str, Metric], texts: Examples, first_row: int
) -> dict[str, Statistics]:
    """Return metric → statistics of the texts, and show how far it is."""
    total = len(texts) * len(scorers)
    with progress(total=total, unit=" examples", unit_scale=True) as bar:
        return {name: x.measure(texts, first_row, bar.update) for name, x in scorers.items()}


def _shorten(measured: Mapping[str, Statistics], form: str) -> dict[str, str]:
    """Check that all metrics have the same systems; return their names, short ones in text."""
    check_alike(measured)
    names = [*first_of(measured).groups]
    return cells.shorten_names(names) if form == "text" else {name: name for name in names}


def _compare(
    measured: Mapping[str, Statistics],
    short_names: Mapping[str, str],
    baseline: Sequence[str],
    sampling: Mapping[str, Any],
    examples: Examples | None = None,
    baselines: Sequence[str] = (),
    unranked: Mapping[str, str] = MappingProxyType({}),
) -> Comparisons:
    """Compare systems by each metric, see `make_comparison`."""
    against = [short_names[name] for name in baseline]
    return Comparisons(
        {
            name: make_comparison(
                x.rename(short_names), against, examples, baselines, unranked, **sampling
            )
            for name, x in measured.items()
        }
    )


def _warn(comparisons: Comparisons, *notes: str) -> list[str]:
    """Print warnings, and those of tests if there are several systems; return them."""
    first = first_of(comparisons)
    if len(first.systems) - len(first.baselines) > 1:
        notes += tuple(x.caution for x in comparisons.values())
    warnings = [note for note in dict.fromkeys(notes) if note]
    for warning in warnings:
        click.echo(f"Warning: {warning}", err=True)
    return warnings


def _find_published(texts: Examples, comparisons: Comparisons) -> tuple[Field, str]:
    """Return published scores of these texts by the same signatures, and a line on them."""
    first = first_of(comparisons)
    own = {
        name: {metric: x.systems[name].main.value for metric, x in comparisons.items()}
        for name in first.systems
        if name not in first.baselines
    }
    signatures = {metric: x.signature for metric, x in comparisons.items()}
    scores, remark = find_field(texts.sources, texts.references, signatures, first.confidence, own)
    named = {f"{n}, published" if n in own else n: values for n, values in scores.items()}
    return named, remark
