"""What ``textsimp score``, ``compare`` and ``merge`` compute, step by step."""

import contextlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

import click

from textsimp.cli import score_files
from textsimp.cli.data_arguments import Files, check_command
from textsimp.cli.data_reading import read_batches
from textsimp.cli.score import Request
from textsimp.cli.score_files import RowsFile
from textsimp.core import cells, joined_statistics, statistics_files
from textsimp.core.comparisons import Comparisons
from textsimp.core.examples import Examples, check_scripts
from textsimp.core.joined_statistics import Batches
from textsimp.core.metric import Progress, Statistics, group
from textsimp.core.scores import Scores, Value
from textsimp.core.statistics_files import StatisticsFile
from textsimp.corpora.checks import Finding
from textsimp.corpora.reading import parse_system
from textsimp.corpora.shards import Batch
from textsimp.corpora.text_files import is_pattern, shards
from textsimp.metrics import catalogue
from textsimp.scoring import soundness, verdict
from textsimp.scoring.comparison import make_comparison
from textsimp.scoring.published import Field, find_field
from textsimp.scoring.ranking import judge
from textsimp.scoring.systems import (
    ALL_BASELINES,
    add_baselines,
    asked_baselines,
    check_alike,
    check_baselines,
    check_names,
    score_baselines,
)
from textsimp.support.errors import InputError, rows_after
from textsimp.support.progress import progress

_FLAGS = {"ids": "id", "columns": "column"}  # of arguments that are called otherwise


@dataclass(frozen=True)
class MeasuredTexts:
    """Systems whose texts were measured, of shards batch by batch."""

    parts: Sequence[StatisticsFile]  # the statistics, with baselines
    ends: Examples  # without baselines; of shards the first and the last examples
    baselines: Sequence[str] = ()  # that are shown
    hidden: Sequence[str] = ()  # other baselines, see `add_baselines`
    whole: Examples | None = None  # with baselines; None of shards
    rows: RowsFile | None = None  # scores of examples, if they are to be written
    findings: Sequence[Finding] = ()  # of the data checks
    notes: Sequence[str] = ()  # warnings
    realigned: Mapping[str, float] = field(default_factory=dict)  # shifted systems → scores


_NO_TEXTS = MeasuredTexts([], Examples({}, {}))


class ScoreReport:
    """Comparisons by one or more metrics, with what is printed beside them.

    Attributes:
        comparisons: Metric → comparison.
        first: The comparison by the first metric.
        tests: The comparisons, if there are several systems; else none.
        scores: Metric → system → scores, those of published systems last.
        rankings: Metric with a direction → ranking, if there are several systems.
        verdict: Its sentences.
        ahead: The sentence on published systems that are ahead.
        unranked: System that can't be ranked → the reason.
        short_names: System → its name in tables.
        published: Published system → metric → score.
        remark: A line on published systems.
        warnings: What was printed on standard error.
        places: Role, such as ``sources`` → what was given, for JSON.
        texts: The texts of which JSON has digests, if they were read whole.
        files: Files that were written.
    """

    def __init__(
        self,
        request: Request,
        measured: Mapping[str, Statistics],
        notes: Sequence[str],
        places: Mapping[str, Any],
        texts: MeasuredTexts = _NO_TEXTS,
    ) -> None:
        """Compare systems, and print warnings: ``notes`` and those of tests."""
        self.request, self.places, self.files = request, places, list[Path]()
        self.texts = None if texts.whole is None else texts.ends
        first = next(iter(measured.values()))
        every = [*first.groups]
        names = [name for name in every if name not in texts.baselines]
        in_text = request.form == "text"
        short = cells.shorten_names(every) if in_text else {name: name for name in every}
        reasons = verdict.find_unranked(texts.findings, names, first.examples, first.runs)
        self.short_names = short
        self.unranked = {short[name]: reasons[name] for name in names if name in reasons}
        against = [short[name] for name in request.baseline]
        each = texts.whole if request.per_example == "" else None  # for lists in JSON
        if any(short[name] != name for name in every):
            measured = {metric: x.rename(short) for metric, x in measured.items()}
        options = (against, each, texts.baselines, self.unranked)
        self.comparisons = Comparisons(
            (metric, make_comparison(x, *options, **request.sampling))
            for metric, x in measured.items()
        )
        self.first = next(iter(self.comparisons.values()))
        self.tests = self.comparisons if len(self.first.systems) > 1 else Comparisons()
        cautions = [x.caution for x in self.comparisons.values()] if len(names) > 1 else []
        self.warnings = [*filter(None, dict.fromkeys([*notes, *cautions]))]
        for text in self.warnings:
            click.echo(f"Warning: {text}", err=True)
        self._add_published()
        realigned = {short.get(name, name): x for name, x in texts.realigned.items()}
        self._judge(texts.findings, realigned)

    def _add_published(self) -> None:
        """Add published scores of these texts by the same signatures, if they are asked for."""
        self.scores = {metric: dict(x.systems) for metric, x in self.comparisons.items()}
        self.published: Field = {}
        self.remark = ""
        if not self.request.published or self.request.form == "bare":
            return
        own, confidence = self.own_systems(), self.first.confidence
        found, self.remark = find_field(self.texts, self.scores, own, confidence)
        self.published = {f"{n}, published" if n in own else n: found[n] for n in found}
        for metric, scores in self.scores.items() if found else ():
            first = self.comparisons[metric].first
            for name, values in self.published.items():  # some may have none by this metric
                main = {next(iter(first.predictions)): values.get(metric, Value(None))}
                alone = {"predictions": main, "sources": {}, "references": {}, "details": {}}
                scores[name] = Scores(**{**vars(first), **alone})

    def _judge(self, findings: Sequence[Finding], realigned: Mapping[str, float]) -> None:
        """Say who leads."""
        rankings = judge(self.comparisons)  # of a single system, too
        self.rankings = rankings if self.tests else {}
        main = next(iter(rankings), "")
        field = {n: scores[main].value for n, scores in self.published.items() if main in scores}
        self.ahead = verdict.name_published(rankings[main], field) if field else ""
        problems = (self.unranked, realigned, findings)
        self.verdict = verdict.write(self.rankings.values(), *problems, field)

    def own_systems(self) -> list[str]:
        """Return the systems that are no baselines."""
        return [name for name in self.first.systems if name not in self.first.baselines]


def run(request: Request) -> ScoreReport:
    """Read and measure systems, compare them, and write the files that are asked for."""
    score_files.check(request)
    stored, files = _read_statistics(request)
    first: Examples | None = None
    if files.predictions or files.data or not stored:
        batches = read_batches({n: x.columns for n, x in request.metrics.items()}, files)
        first = next(batches).examples
    else:
        _check_alone(request, stored[0].where)
    named = [name for part in stored for name in part.first.groups]
    own = group(first.systems, first.runs) if first else {}
    stored_first = bool(stored) and request.files.predictions[0] not in files.predictions
    names = [*named, *own] if stored_first else [*own, *named]
    if request.gate and not request.baseline:
        request = replace(request, baseline=names[:1])
    asked = asked_baselines(request.baseline, names) if first else []
    check_names(names)
    check_baselines(request.baseline, [*names, *asked], "--baseline")
    if len(names) + len(asked) < request.least:
        raise InputError("compare needs at least two systems, got one: repeat -p FILE")
    if first is None:
        return _report_statistics(request, _join(request, stored))
    _check_texts(request, files, first)
    texts = _measure(request, files, chain([Batch(0, first)], batches), stored, asked)
    parts = [*stored, *texts.parts] if stored_first else [*texts.parts, *stored]
    joined = _join(request, parts)
    measured = {name: score_baselines(x, texts.hidden) for name, x in joined.items()}
    notes = [joined_statistics.missing(measured)] if stored else []
    texts = _check(request, files, measured, texts)
    report = ScoreReport(request, measured, [*notes, *texts.notes], vars(request.files), texts)
    if request.per_example or request.save_statistics:
        report.files = score_files.write(request, texts.rows, measured, texts.parts)
    return report


def merge(request: Request, files: Sequence[str], rows: int | None) -> ScoreReport:
    """Merge files of statistics of a corpus of so many ``rows``, and compare their systems."""
    paths = [*chain.from_iterable(shards(f) if is_pattern(f) else [f] for f in files)]
    merged = joined_statistics.merge(paths, catalogue.metric)
    systems = [*next(iter(merged.values())).groups]
    check_names(systems)
    check_baselines(request.baseline, systems, "--baseline")
    return _report_statistics(request, merged, {"statistics": paths}, rows)


# Reading -----------------------------------------------------------------------------------------


def _read_statistics(request: Request) -> tuple[list[StatisticsFile], Files]:
    """Read the systems of which there are statistics; return also the files of the others."""
    texts: list[str | Path] = []
    stored: list[StatisticsFile] = []
    for argument in request.files.predictions:
        file, _, name = parse_system(str(argument))
        paths = shards(str(file)) if is_pattern(str(file)) else [str(file)]
        if statistics_files.is_file(paths[0]):  # or pieces
            metrics = request.metrics
            stored += [statistics_files.load(x, name, metrics, catalogue.metric) for x in paths]
        else:
            texts.append(argument)
    saved = {"--per-example": request.per_example, "--save-statistics": request.save_statistics}
    for option, value in saved.items():
        if stored and value is not None:
            raise InputError(f"{option}: {stored[0].where} has statistics and no texts")
    return stored, replace(request.files, predictions=texts)


def _check_alone(request: Request, where: str) -> None:
    """Check that no option is about texts, where there are statistics alone."""
    options = {**vars(request.files), "published": request.published}
    for name, value in options.items():
        if value and name not in ("predictions", "data_dir"):  # which may be in the environment
            option = _FLAGS.get(name, name).replace("_", "-")
            raise InputError(f"{where} has statistics and no texts: leave out --{option}")


def _check_texts(request: Request, files: Files, texts: Examples) -> None:
    """Check that these texts can be measured as they are asked for."""
    if request.per_example is not None and texts.runs:
        raise InputError(f"--per-example: expected one run of {next(iter(texts.runs))}")
    if not files.shards:
        return
    metrics = request.metrics.values()
    needs = [f"{x.name} with these options" for x in metrics if not x.independent_rows]
    needs += ["--per-example without FILE"] if request.per_example == "" else []
    needs += ["--published"] if request.published else []
    for need in needs:
        raise InputError(
            f"{need} needs all texts at once, and the shards {files.shards} are read in batches: "
            "put their rows into one file"
        )


# Measuring ---------------------------------------------------------------------------------------


def _measure(
    request: Request,
    files: Files,
    batches: Iterable[Batch],
    stored: Sequence[StatisticsFile],
    asked: Sequence[str],
) -> MeasuredTexts:
    """Measure systems and baselines, batch by batch, so that memory doesn't grow with shards."""
    rows = RowsFile(request.per_example) if request.per_example else None
    parts, sums, ends = list[StatisticsFile](), Batches(), list[Examples]()
    different, equal = dict[str, None](), dict[str, None]()  # baselines
    with contextlib.ExitStack() as stack:
        update: Progress | None = None
        if sys.stderr.isatty():  # importing tqdm takes as long as scoring a thousand examples
            update = stack.enter_context(progress(unit=" examples", unit_scale=True)).update
        for batch in batches:
            first = request.first_row + batch.first
            texts, shown, hidden = _add_baselines(request, batch.examples, stored, asked)
            different |= dict.fromkeys(shown)
            equal |= dict.fromkeys(hidden)
            with rows_after(batch.first):
                part = _measure_part(request, texts, first, update, digests=bool(stored))
            if rows is not None:
                rows.add(part.measured, batch.examples, first)
            if files.shards:
                sums.add(part)
                ends = [soundness.take_ends([*ends, batch.examples])]
            else:
                parts, ends = [part], [batch.examples]
    return MeasuredTexts(
        parts or sums.files(),
        ends[0],
        baselines=[name for name in texts.systems if name in different],
        hidden=[name for name in equal if name not in different],
        whole=None if files.shards else texts,
        rows=rows,
    )


def _measure_part(
    request: Request, texts: Examples, first: int, update: Progress | None, *, digests: bool
) -> StatisticsFile:
    """Return the statistics of a batch, of which the first row has the number ``first``."""
    measured = {
        name: metric.measure(texts, first, update, piece=True)
        for name, metric in request.metrics.items()
    }
    compared = digests or bool(request.save_statistics)
    columns = statistics_files.digests(texts.shared, first) if compared else {}
    return StatisticsFile("the texts", measured, columns)


def _add_baselines(
    request: Request, texts: Examples, stored: Sequence[StatisticsFile], asked: Sequence[str]
) -> tuple[Examples, list[str], list[str]]:
    """Return what `add_baselines` does, if the texts have all examples of other systems."""
    rows = range(request.first_row, request.first_row + len(texts))
    extents = [part.first.extent for part in stored]
    there = all(extent.first in rows and extent.last in rows for extent in extents)
    if asked or (there and request.form != "bare" and not request.save_statistics):
        show = bool(asked) or request.form in ("text", "json")
        return add_baselines(texts, asked, show=show, required=bool(asked))
    return texts, [], []


def _join(request: Request, parts: Sequence[StatisticsFile]) -> Mapping[str, Statistics]:
    """Return metric → statistics of all systems, which must be a whole corpus unless saved."""
    joined = joined_statistics.join(parts) if len(parts) > 1 else parts[0].measured
    if not request.save_statistics:
        joined_statistics.check_corpus(joined)
    return joined


# Reporting ---------------------------------------------------------------------------------------


def _check(
    request: Request, files: Files, measured: Mapping[str, Statistics], texts: MeasuredTexts
) -> MeasuredTexts:
    """Return the texts with what the data checks find, and warnings."""
    metrics = [statistics.metric for statistics in measured.values()]
    notes = [check_scripts(metrics, texts.whole or texts.ends)]
    findings = soundness.check_ends(texts.ends) if request.check else []
    if not findings:
        return replace(texts, notes=notes)
    examples = next(iter(measured.values())).examples
    notes.append(soundness.summarize(findings, examples, check_command(files)))
    realigned: Mapping[str, float] = {}
    if texts.whole is not None:
        main = texts.parts[0].first
        notes.append(soundness.warn_of_ranking(findings, texts.ends, main))
        realigned = verdict.score_realigned(findings, texts.ends, main)
    return replace(texts, notes=notes, findings=findings, realigned=realigned)


def _report_statistics(
    request: Request,
    measured: Mapping[str, Statistics],
    files: Mapping[str, Any] | None = None,
    rows: int | None = None,
) -> ScoreReport:
    """Compare systems of which only statistics are there, of a corpus of so many ``rows``."""
    check_alike(measured)
    known = {n: score_baselines(x, ALL_BASELINES, keep=True) for n, x in measured.items()}
    notes = [joined_statistics.missing(measured, rows)]
    return ScoreReport(request, known, notes, vars(request.files) if files is None else files)
