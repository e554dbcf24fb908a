"""Does a score notice when outputs say something false? By how much it falls for each error.

As `gaming` puts changes into outputs that make them no simpler, this puts the errors of
`textsimp.errors.synthetic` into outputs, and sees how the scores of metrics change. An error is one
of the output against its source: an insertion adds to the output, a deletion takes from it.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from textsimp.audits import gaming
from textsimp.audits.perturbations import draw, sampled
from textsimp.core import examples, significance, tables
from textsimp.core.declarations import Score
from textsimp.core.examples import ONE, Examples
from textsimp.core.metric import Metric, check_columns
from textsimp.core.tables import Grid, Tabular
from textsimp.errors import spans, synthetic
from textsimp.errors.synthetic import Generator, Guesses
from textsimp.metrics.catalogue import Metrics
from textsimp.scoring import comparison
from textsimp.support.errors import InputError
from textsimp.support.extras import require

SHARES = (0.1, 0.25, 0.5, 1.0)
LEAST_OUTPUTS = 10
"""So many must have an error before there is a verdict."""
_TRIES = 32  # phrases of other sources looked at
_OF_RECORDS = ("metric", "score", "error", "category", "level", "outputs", "before")

Verdict = Literal["gets worse", "gets better", "moves", "doesn't notice", "too few outputs"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True)
class Effect:
    """What an error does to a score.

    Attributes:
        metric: The metric's name.
        score: Which of its scores.
        error: The error's name.
        category: Of the error.
        level: Of the error.
        outputs: How many outputs can have the error. The scores are of these only.
        changed: How many of them have it, where the largest share have.
        before: The score without errors.
        changes: By how much it changes, for each share of these outputs that have the error.
        intervals: [low, high] of each change, of a paired bootstrap over the outputs.
    """

    metric: str
    score: Score
    error: str
    category: str
    level: int
    outputs: int
    changed: int
    before: float
    changes: list[float]
    intervals: list[list[float]]

    def to_dict(self) -> dict[str, Any]:
        """All as plain data."""
        return {**vars(self), "score": self.score.key, "verdict": self.verdict}

    @property
    def verdict(self) -> Verdict:
        """Whether the score notices the error, where the largest share of outputs have it.

        It doesn't if the interval of its change has 0 in it. A score that only describes moves;
        others get worse, or better, which is the wrong way.
        """
        low, high = self.intervals[-1]
        if self.changed < LEAST_OUTPUTS:
            return "too few outputs"
        if low <= 0 <= high:
            return "doesn't notice"
        if not self.score.better:
            return "moves"
        return "gets better" if (low > 0) == (self.score.better == "higher") else "gets worse"


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Tabular):
    """What `audit` returns. It prints what it found, and turns into tables and a figure.

    Attributes:
        metrics: Name → metric.
        effects: Of every error, on every score that is one number.
        impossible: Errors that no output can have.
        outputs: How many outputs there are.
        shares: Of the outputs that can have an error, those that have it.
        confidence: Coverage of the intervals.
        resamples: Of the bootstrap.
        seed: Of the errors, their places and the resamples.
        signatures: Metric → its own.
    """

    metrics: Mapping[str, Metric]
    effects: list[Effect]
    impossible: list[str]
    outputs: int
    shares: list[float]
    confidence: float
    resamples: int
    seed: int
    signatures: Mapping[str, str]

    def of(self, metric: str) -> list[Effect]:
        """The effects on a metric's main score."""
        main = self.metrics[metric].scores[0]
        return [e for e in self.effects if e.metric == metric and e.score.key == main.key]

    def verdicts(self) -> dict[str, str]:
        """Metric → a sentence: which errors it notices."""
        return {metric: self._verdict(metric) for metric in self.metrics}

    def _verdict(self, metric: str) -> str:
        found: dict[str, list[str]] = {verdict: [] for verdict in VERDICTS}
        for effect in self.of(metric):
            found[effect.verdict].append(effect.error)
        parts = [f"{verdict}: {', '.join(errors)}" for verdict, errors in found.items() if errors]
        return f"{self._title(metric)} {'; '.join(parts)}."

    def _title(self, metric: str) -> str:
        return self.metrics[metric].titled(self.metrics[metric].scores[0].title)

    def __str__(self) -> str:
        """A line per metric."""
        return "\n".join(self.verdicts().values())

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """All as plain data."""
        return {
            "effects": [effect.to_dict() for effect in self.effects],
            "verdicts": self.verdicts(),
            "impossible": self.impossible,
            "outputs": self.outputs,
            "shares": self.shares,
            "confidence": self.confidence,
            "resamples": self.resamples,
            "seed": self.seed,
            "signatures": dict(self.signatures),
        }

    def grid(self) -> Grid:
        """A row per error: by how much main scores change where the largest share have it."""
        columns = {metric: self.of(metric) for metric in self.metrics}
        places = {
            metric: tables.places([e.before for e in effects], effects[0].score)
            for metric, effects in columns.items()
        }
        rows = [
            [
                first.error,
                f"{first.outputs:,}",
                *(
                    tables.cell(e.changes[-1], e.intervals[-1], places[e.metric], sign=True)
                    for e in (first, *others)
                ),
            ]
            for first, *others in zip(*columns.values(), strict=True)
        ]
        header = ["error", "outputs", *map(self._title, self.metrics)]
        return Grid(header, rows, list(self.signatures.values()))

    def to_frame(self) -> Any:
        """A ``pandas.DataFrame``: a row per score, error and share, with ``change``, its bounds."""
        return tables.frame(self.records())

    def records(self) -> list[dict[str, Any]]:
        """The rows of `to_frame`."""
        found = []
        for effect in self.effects:
            plain = effect.to_dict()
            named = {name: plain[name] for name in _OF_RECORDS}
            points = zip(self.shares, effect.changes, effect.intervals, strict=True)
            for share, change, (low, high) in points:
                found.append({**named, "share": share, "change": change, "low": low, "high": high})
        return found

    def plot(self) -> Any:
        """How main scores change with the share of outputs that have an error, with intervals.

        Errors that fewer than `LEAST_OUTPUTS` outputs have are left out.

        Returns:
            A ``matplotlib.figure.Figure``; save it with its ``savefig``.

        Raises:
            ImportError: matplotlib is not installed; the message names the extra.
        """
        figure = require("matplotlib.figure", extra="report").Figure(
            figsize=(max(6.0, 3.6 * len(self.metrics)), 4.4), layout="constrained"
        )
        panels = figure.subplots(1, len(self.metrics), squeeze=False)[0]
        percent = [0.0, *(100 * share for share in self.shares)]
        for panel, metric in zip(panels, self.metrics, strict=True):
            for effect, style in zip(self.of(metric), itertools.cycle(gaming.STYLES)):
                if effect.changed < LEAST_OUTPUTS:
                    continue
                low, high = ([0.0, *ends] for ends in zip(*effect.intervals, strict=True))
                gaming.draw_curve(
                    panel, percent, (low, [0.0, *effect.changes], high), effect.error, style
                )
            panel.axhline(0, color="0.6", linewidth=0.8, zorder=0)
            better = self.metrics[metric].scores[0].better
            panel.set_title(self._title(metric) + (f": {better} is better" if better else ""))
            panel.set_xlabel("outputs with the error (%)")
            panel.set_ylabel("change of the score")
            panel.spines[["top", "right"]].set_visible(False)
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
        return figure


def audit(
    metrics: Metrics,
    predictions: Any,
    *,
    sources: Any = None,
    references: Any = None,
    errors: Sequence[str] | None = None,
    model: Guesses | str | None = None,
    shares: Sequence[float] = SHARES,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    **options: Any,
) -> Audit:
    """Measure by how much scores fall when outputs get errors.

    An error is put into a growing share of the outputs that can have it, and the score of these
    outputs is compared with what it was: an output without a number can't have a wrong one. The
    outputs with an error are drawn without replacement, and those of a smaller share are among
    those of a larger one.

    ====================  ============  =====  ====================================================
    error                 category      level  what is done to the output
    ====================  ============  =====  ====================================================
    ``phrase_inserted_1`` insertion     1      phrases of another source are put at its end
    ``phrase_inserted_2`` insertion     2      other sources follow it
    ``name_to_pronoun``   deletion      1      a name becomes a pronoun
    ``phrase_deleted_1``  deletion      1      it loses a phrase that the source has
    ``phrase_deleted_2``  deletion      2      it loses most of what it says
    ``number``            substitution  1      a number becomes another
    ``negated``           substitution  1      an auxiliary is negated
    ``masked_words_1``    substitution  1      two words become a model's third guesses
    ``masked_words_2``    substitution  2      every fifth word becomes a model's fifth guess
    ====================  ============  =====  ====================================================

    Args:
        metrics: See `textsimp.score`.
        predictions: The outputs, as true as can be: of people, or of a good system.
        sources: The original texts. Without them what is inserted or deleted is judged by the
            outputs alone.
        references: One or more references per source.
        errors: Names of errors; None for all that can be made.
        model: For the last two, see `textsimp.errors.synthetic.masked_words`.
        shares: Ascending, each above 0 and at most 1.
        confidence: Coverage of the intervals.
        resamples: Of the bootstrap.
        seed: Of the errors, of who gets them, and of the resamples.
        **options: Of the one metric that is given by its name.

    Raises:
        InputError: Bad columns, metrics, options, errors or shares; or no output can have any of
            the errors.

    Example:
        >>> from textsimp.audits.errors import audit
        >>> texts = [f"There were {number} cats on the old mat ." for number in range(20, 60)]
        >>> result = audit("bleu", texts, references=texts, errors=["number", "negated"])
        >>> print(result)
        BLEU (easse) gets worse: number, negated.
        >>> result.effects[0].before
        100.0
    """
    significance.check(confidence, resamples, seed, optional=False)
    gaming.check_shares(shares)
    scorers, more = comparison.chosen(metrics, options)
    check_columns(scorers.values(), "an audit")
    shared = {"sources": sources, "references": references, **more}
    checked = examples.check(scorers.values(), {ONE: predictions}, shared)
    generators = _generators(checked, errors, model)
    sampling = {"resamples": int(resamples), "seed": int(seed)}
    effects: list[Effect] = []
    impossible: list[str] = []
    for error, generator in generators.items():
        versions = _with_errors(checked, generator, shares, int(seed))
        if versions is None:
            impossible.append(error)
            continue
        of_error = {
            "error": error,
            "category": generator.category,
            "level": (ERRORS | WITH_MODEL)[error],
            "changed": sampled(shares[-1], len(versions)),
        }
        for name, metric in scorers.items():
            effects += _effects(name, metric, versions, of_error, float(confidence), **sampling)
    if not effects:
        raise InputError(f"predictions: none of them can have {' or '.join(impossible)}")
    return Audit(
        metrics=scorers,
        effects=effects,
        impossible=impossible,
        outputs=len(checked),
        shares=[float(share) for share in shares],
        confidence=float(confidence),
        **sampling,
        signatures={name: m.signature(checked.references) for name, m in scorers.items()},
    )


def _with_errors(
    checked: Examples, generator: Generator, shares: Sequence[float], seed: int
) -> Examples | None:
    """Of those outputs that can have the error: without it, and with a growing share that has it.

    None if there are none.
    """
    outputs = checked.predictions()
    sources = outputs if checked.sources is None else checked.sources
    found = [generator.row(*pair, seed) for pair in zip(sources, outputs, strict=True)]
    able = [i for i, row in enumerate(found) if row is not None]
    if not able:
        return None
    wrong = [row["target"] for row in found if row is not None]
    order, _ = draw(len(able), seed)
    right = [outputs[i] for i in able]
    systems = {ONE: {"predictions": right}}
    for share in shares:
        texts = list(right)
        for i in order[: sampled(share, len(able))].tolist():
            texts[i] = wrong[i]
        systems[f"{share}"] = {"predictions": texts}
    shared = {name: [rows[i] for i in able] for name, rows in checked.shared.items()}
    return Examples(shared, systems)


def _effects(
    name: str,
    metric: Metric,
    versions: Examples,
    of_error: Mapping[str, Any],
    confidence: float,
    resamples: int,
    seed: int,
) -> Iterator[Effect]:
    """The effects of an error on each score of a metric that is one number."""
    without, *others = metric.statistics_of(versions).values()
    before = metric.reduce(without.sum(axis=0))
    found = []
    for statistics in others:
        changes = significance.differences(
            metric.reduce, without.sum(axis=0), statistics.sum(axis=0)
        )
        _, resampled = significance.paired_bootstrap(
            metric.reduce, without, statistics, resamples, seed
        )
        found.append((changes, significance.intervals(resampled, confidence)))
    for key in metric.reported(list(versions.shared)):
        side, _ = metric.side_of(key)
        if side == "predictions" and before[key].ndim == 0:
            yield Effect(
                **of_error,
                metric=name,
                score=metric.score_named(key),
                outputs=len(versions),
                before=float(before[key]),
                changes=[float(changes[key]) for changes, _ in found],
                intervals=[bounds[key] for _, bounds in found],
            )


# The errors --------------------------------------------------------------------------------------

ERRORS = {
    "phrase_inserted_1": 1,
    "phrase_inserted_2": 2,
    "name_to_pronoun": 1,
    "phrase_deleted_1": 1,
    "phrase_deleted_2": 2,
    "number": 1,
    "negated": 1,
}
"""Name → level."""
WITH_MODEL = {"masked_words_1": 1, "masked_words_2": 2}


def _generators(
    checked: Examples, names: Sequence[str] | None, model: Guesses | str | None
) -> dict[str, Generator]:
    """The errors of these names, made for these examples."""
    known = [*ERRORS, *(WITH_MODEL if model is not None else ())]
    if names is None:
        names = known
    listed = names if isinstance(names, (list, tuple)) else [names]
    lacking = [name for name in WITH_MODEL if name not in known and name in listed]
    if lacking:
        raise InputError(f"errors: {lacking[0]} needs a model")
    names = gaming.check_names("errors", names, known)
    texts = checked.predictions() if checked.sources is None else checked.sources
    makers: dict[str, Callable[[], Generator]] = {
        "phrase_inserted_1": lambda: _inserting(1, _phrases(texts)),
        "phrase_inserted_2": lambda: _inserting(2, texts),
        "name_to_pronoun": lambda: _deleting(synthetic.names_to_pronouns),
        "phrase_deleted_1": lambda: _deleting(synthetic.phrases_deleted_by(levels=[1])),
        "phrase_deleted_2": lambda: _deleting(synthetic.phrases_deleted_by(levels=[2])),
        "number": lambda: synthetic.numbers,
        "negated": lambda: synthetic.negated,
    }
    if model is not None:
        guesses = synthetic.guesses(model)
        makers |= {
            name: functools.partial(synthetic.masked_words, guesses, level)
            for name, level in WITH_MODEL.items()
        }
    return {name: makers[name]() for name in names}


def _deleting(generator: Generator) -> Generator:
    """What is an insertion where the source loses it, is a deletion where the output does."""
    return replace(generator, category="deletion", changes="target")


def _phrases(texts: Sequence[str]) -> list[str]:
    return [text[start:end] for text in texts for start, end in spans.phrases(text)]


def _inserting(level: int, phrases: Sequence[str]) -> Generator:
    change = functools.partial(_lengthen, level=level, phrases=list(dict.fromkeys(phrases)))
    return Generator(f"phrase_inserted_{level}", "insertion", "target", change)


def _lengthen(
    text: str, source: str, chance: random.Random, *, level: int, phrases: Sequence[str]
) -> tuple[str, int] | None:
    """Phrases are added that neither text has, until the similarity is that of the level."""
    said = spans.words(text) | spans.words(source)
    if not spans.words(text):
        return None
    longer = text
    for phrase in chance.sample(phrases, min(_TRIES, len(phrases))):
        new = spans.words(phrase) - synthetic.COMMON
        if 2 * len(new - said) <= len(new):
            continue
        candidate = _appended(longer, phrase) if level == 1 else f"{longer.rstrip()} {phrase}"
        similarity = spans.similarity(candidate, text)
        if synthetic.level_of(similarity) == level:
            return candidate, level
        if similarity > synthetic.SIMILARITIES[level][1]:
            longer = candidate
    return None


def _appended(text: str, phrase: str) -> str:
    """The phrase after a comma, before the stop."""
    end = spans.END.search(text)
    at = len(text) if end is None else end.start()
    return f"{text[:at]}, {phrase.strip(' ,;:–—-')}{text[at:]}"
