"""The report's rows (systems, references, baselines) and their measurements."""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from types import MappingProxyType
from typing import Literal

from textsimp.core import system_names
from textsimp.core.comparisons import Comparison
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, Metric, Statistics, extra_required_columns
from textsimp.core.sample import Sample
from textsimp.core.scores import Scores, Value, rank
from textsimp.corpora.files import note
from textsimp.extensions.people import Judgements, analyse
from textsimp.extensions.people.report import report_ratings
from textsimp.extensions.people.report.report_ratings import People
from textsimp.metrics.catalogue import make_metrics
from textsimp.metrics.edit_ops import EditOps
from textsimp.scoring import baselines, comparison
from textsimp.scoring.comparison import check_examples
from textsimp.support.errors import InputError
from textsimp.text.sentences import are_documents

Tell = Callable[[str], object]
"""Is told what is done next."""

KEPT_PERCENT = baselines.KEPT_PERCENT
REFERENCES, UNCHANGED, TRUNCATED = "references", baselines.UNCHANGED, baselines.TRUNCATED

DESCRIBING = {
    "simplification_stats": (
        "compression_ratio",
        "levenshtein_similarity",
        "exact_copies",
        "additions_proportion",
        "deletions_proportion",
        "sentence_splits",
    ),
    "edit_ops": ("change_percentage",),
    "fkgl_components": ("words_per_sentence", "syllables_per_word", "fkgl"),
}
"""Metric → its scores that say what the texts are like."""
_EDITS = EditOps(tokenizer="13a")  # texts needn't be tokenised


@dataclass(frozen=True)
class Row:
    """A row of the report's tables."""

    name: str  # short, see `system_names`
    kind: Literal["system", "references", "baseline"]
    outputs: list[str]  # a text of each example; none for references
    full: str = ""  # the name that was given; of systems only


@dataclass(frozen=True)
class Data:
    """The checked columns and rows."""

    given: Examples  # systems by their short names
    rows: list[Row]  # systems, then references, if there are any, and baselines
    ratings: Judgements | None = None  # of systems' outputs; items are examples, counted from 0
    unmatched: str = ""  # a sentence on ratings that were left out

    @property
    def sources(self) -> list[str]:
        """The n sources."""
        texts: list[str] = self.given.shared["sources"]
        return texts

    @property
    def references(self) -> list[list[str]] | None:
        """One or more for each source; None if there are none."""
        return self.given.references

    @property
    def examples(self) -> Examples:
        """All rows but the references as systems."""
        single = [row for row in self.rows if row.kind != "references"]
        return Examples(
            self.given.shared, {row.name: {"predictions": row.outputs} for row in single}
        )

    def take_columns(self, names: Collection[str]) -> Examples:
        """Some columns that only systems have."""
        systems = self.given.systems.items()
        return Examples({}, {s: {n: own[n] for n in names if n in own} for s, own in systems})

    @cached_property
    def documents(self) -> bool:
        """Whether at least half of the sources have several sentences."""
        return are_documents(self.sources)

    @property
    def systems(self) -> list[Row]:
        """The rows of systems."""
        return [row for row in self.rows if row.kind == "system"]

    @property
    def rounds(self) -> int:
        """The number of references that every example has, if more than one; else 0."""
        least = min(map(len, self.references or [[]]))
        return least if least > 1 else 0


@dataclass(frozen=True)
class Sampling:
    """Options of intervals and tests, see `textsimp.core.significance`."""

    confidence: float
    resamples: int
    seed: int


@dataclass(frozen=True)
class Measurements:
    """All measurements that the page shows."""

    data: Data
    sampling: Sampling  # of intervals and tests
    comparisons: Mapping[str, Comparison]  # by metrics with a direction, the main one first
    describing: Mapping[str, Mapping[str, Scores]]  # metric without a direction → row → scores
    statistics: Mapping[str, Statistics]  # of all metrics, by name
    features: Mapping[str, Mapping[str, Floats]]  # score of `DESCRIBING` → row → of each text
    people: People | None = None  # what they say, if there are ratings
    unranked: Mapping[str, str] = field(default_factory=dict)  # systems with errors, and these

    @cached_property
    def judging(self) -> dict[str, Metric]:
        """Metrics with a direction, the main one first."""
        metrics = {name: self.statistics[name].metric for name in self.comparisons}
        return {name: metric for name, metric in metrics.items() if metric.ranks()}

    @property
    def metrics(self) -> dict[str, Metric]:
        """All metrics by name."""
        return self.judging | {name: self.statistics[name].metric for name in self.describing}

    @property
    def first(self) -> str:
        """The name of the main metric; empty if none judges."""
        return next(iter(self.judging), "")

    def is_people(self, name: str) -> bool:
        """Whether a metric is a criterion of people's ratings."""
        return name.startswith(report_ratings.PREFIX)

    def systems(self, name: str) -> Mapping[str, Scores]:
        """Return the scores of systems and baselines by a metric."""
        compared = self.comparisons.get(name)
        return self.describing[name] if compared is None else compared.systems

    def values(self, name: str) -> list[Mapping[str, Value]]:
        """Return score → value and interval of each row by a metric; empty without scores."""
        systems, compared = self.systems(name), self.comparisons.get(name)
        first = next(iter(systems.values()))
        of_rows = {row: scores.predictions for row, scores in systems.items()}
        of_rows[REFERENCES] = first.references if compared is None else compared.references
        return [of_rows.get(row.name, {}) for row in self.data.rows]

    def signature(self, name: str) -> str:
        """Return the signature of a metric, or of the analysis of ratings."""
        return next(iter(self.systems(name).values())).signature

    def per_example(self, name: str, system: str) -> dict[str, Floats]:
        """Return score → (n,) or (n, m) scores of a system's examples."""
        measured = self.statistics[name]
        return measured.metric.reduce_examples(measured.systems[system])


def measure(
    data: Data,
    metrics: Mapping[str, Metric],
    sampling: Sampling,
    tell: Tell = str,
    language: str | None = None,
    unranked: Mapping[str, str] = MappingProxyType({}),
) -> Measurements:
    """Measure all rows by all metrics, and compare systems, but for ``unranked`` ones.

    ``tell`` is called with each metric's name before.
    """
    shared = data.examples.shared
    judging = {n: one for n, one in metrics.items() if one.with_main(shared).scores[0].better}
    others = {name: metric for name, metric in metrics.items() if name not in judging}
    describing = make_metrics([*DESCRIBING], "metrics", language=language)
    if language in (None, "en"):
        describing["edit_ops"] = _EDITS
    describing |= others
    if "word_difficulty" not in {metric.name for metric in others.values()}:
        describing |= _word_difficulty(language)
    measured, references = dict[str, Statistics](), dict[str, Sample | None]()
    for name, metric in (judging | describing).items():
        tell(name)
        examples = (
            data.take_columns(extra_required_columns(metric))
            if extra_required_columns(metric)
            else data.examples
        )
        measured[name] = metric.measure(examples)
        if name not in describing:
            references[name] = comparison.leave_out(metric, examples)
    options = vars(sampling)
    comparisons = {
        name: comparison.make_comparison(
            measured[name],
            None,
            baselines=[one for one in (UNCHANGED, TRUNCATED) if one in measured[name].systems],
            unranked=unranked,
            references=references[name],
            all_pairs=True,
            **options,
        )
        for name in references
    }
    described = {name: measured[name].score(**options) for name in describing}
    people = None
    if data.ratings is not None:
        names = [row.name for row in data.systems]
        people = People(data.ratings, analyse(data.ratings, **options), len(data.sources))
        for name, metric in people.metrics.items():
            values = people.values(name.removeprefix(report_ratings.PREFIX), names)
            own = {system: {"ratings": of_one} for system, of_one in values.items()}
            measured[name] = metric.measure(Examples({}, own))
            comparisons[name] = people.compare(name, unranked, **options)
    main = next((one for one in comparisons.values() if one.main.better), None)
    if main is not None:
        ranked = [name for name in rank(main.systems) if name not in main.baselines]
        places = {name: place for place, name in enumerate(ranked)}  # the best first
        rows = sorted(data.rows, key=lambda row: places.get(row.name, len(data.rows)))
        data = replace(data, rows=rows)
    text_features: dict[str, dict[str, Floats]] = {}
    for name in ("simplification_stats", "edit_ops"):
        text_features |= features(measured[name], data)
    errors = {row.name: unranked[row.name] for row in data.systems if row.name in unranked}
    numbers = (comparisons, described, measured, text_features, people)
    return Measurements(data, sampling, *numbers, errors)


def _word_difficulty(language: str | None) -> dict[str, Metric]:
    """Return the metric, if wordfreq is installed and has frequencies of the language."""
    if find_spec("wordfreq"):
        with suppress(InputError):
            return make_metrics(["word_difficulty"], "metrics", language=language)
    return {}


def check(
    systems: Mapping[str, object] | Examples,
    sources: object,
    references: object,
    metrics: Iterable[Metric] = (),
    ratings: Judgements | None = None,
) -> Data:
    """Check the columns that metrics need, and add rows of references and baselines."""
    shared = {"sources": sources, "references": references}
    checked = check_examples([_EDITS, *metrics], systems, shared)
    short = system_names.shorten([*checked.systems], [REFERENCES, UNCHANGED, TRUNCATED])
    baselines.check_names(checked.systems, [REFERENCES, UNCHANGED, TRUNCATED])
    texts, lists = checked.shared["sources"], checked.references
    rows = [Row(short[name], "system", checked.predictions(name), name) for name in checked.systems]
    if lists is not None:
        rows.append(Row(REFERENCES, "references", []))
    rows.append(Row(UNCHANGED, "baseline", texts))
    rows.append(Row(TRUNCATED, "baseline", [*map(baselines.truncate, texts)]))
    unmatched = ""
    if ratings is not None:
        outputs = {name: checked.predictions(name) for name in checked.systems}
        ratings, unmatched = report_ratings.match(ratings, texts, outputs, short)
        if unmatched:
            note(unmatched)
    given = Examples(checked.shared, {short[name]: own for name, own in checked.systems.items()})
    return Data(given, rows, ratings, unmatched)


def features(measured: Statistics, data: Data) -> dict[str, dict[str, Floats]]:
    """Return score → row → values of every text: (n,), or (all references,)."""
    matrices = dict(measured.systems)
    if data.references is not None:
        texts = [text for row in data.references for text in row]
        pairs = zip(data.sources, data.references, strict=True)
        sources = {"sources": [source for source, row in pairs for _ in row]}
        outputs = Examples(sources, {REFERENCES: {"predictions": texts}})
        matrices |= measured.metric.compute_statistics(outputs)
    reduced = {row: measured.metric.reduce_examples(rows) for row, rows in matrices.items()}
    names = set.intersection(*map(set, reduced.values()))
    return {name: {row: own[name] for row, own in reduced.items()} for name in names}
