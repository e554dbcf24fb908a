"""Find the configurations of metrics that give a printed score."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from textsimp.core import examples, tables
from textsimp.core.declarations import PREDICTIONS, Score
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import Metric
from textsimp.core.tables import Grid, Tabular
from textsimp.corpora.row_ids import Missing, join_columns
from textsimp.metrics import catalogue
from textsimp.scoring.configurations import (
    PREPARATIONS,
    PREPARED,
    Configuration,
    compute_scores,
    group_by_score,
    make_configurations,
    prepare,
)
from textsimp.scoring.published import EQUAL, parse_score, ratios
from textsimp.scoring.systems import split_runs
from textsimp.support.errors import InputError, take_either
from textsimp.support.progress import progress
from textsimp.text.functions import cache_scope
from textsimp.text.sentences import are_documents

MAX_MATCHES = 10  # in a table
MAX_NEAREST = 5  # in a table without matches
_EASSE_RANKS = (
    "No configuration gives EASSE's lexical complexity score: its ranks of words aren't available. "
    "simplification_stats(lexical_complexity=True) takes the ranks of wordfreq."
)
_NEAR = 100  # rounding units around the printed score in which matches by chance are estimated


@dataclass(frozen=True)
class Match:
    """A score, and the configurations of a metric that give it.

    Attributes:
        configuration: The likeliest of these configurations.
        value: The score.
        printed: The printed score in units of the score: 40.13 for a printed 0.4013, too.
        decimals: The decimals of the printed score, in the same units.
        signature: The signature of this configuration.
        also: The other configurations.
        drawn: Whether another program draws such a score, so that the printed one is only near.
    """

    configuration: Configuration
    value: float
    printed: float
    decimals: int
    signature: str
    also: tuple[Configuration, ...]
    drawn: bool = False

    @property
    def off(self) -> float:
        """The difference from the printed score."""
        return self.value - self.printed

    @property
    def cut(self) -> bool:
        """Whether the printed score is this one cut, where it would round to another."""
        return not self.drawn and abs(self.off) > 0.5 * 10.0**-self.decimals + EQUAL

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            **self.configuration.to_dict(),
            "value": self.value,
            "off": self.off,
            "signature": self.signature,
            "also": [configuration.to_dict() for configuration in self.also],
        }


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Tabular):
    """The configurations of metrics that give a printed score.

    Attributes:
        score: As it was printed.
        matches: Scores that round to it, or were cut, in the order in which they were found: those
            of the likeliest configurations first.
        nearest: The nearest scores within one point, of 100, if there is no match.
        tried: The number of configurations that were computed.
        notes: Warnings, and what was left out.
        by_chance: Whether as many scores as likely as the first match are expected to match by
            chance.
    """

    score: str
    matches: Sequence[Match]
    nearest: Sequence[Match]
    tried: int
    notes: Sequence[str]
    by_chance: bool = False

    def __str__(self) -> str:
        """The result in a line."""
        if not self.matches:
            gives = "gives" if self.nearest else "comes within one point of"
            sentence = (
                f"None of {self.tried:,} configurations tried {gives} {self.score}. The likeliest "
                "reason is that the score is of other outputs or another test set"
            )
            return f"{sentence}. Nearest first" if self.nearest else sentence
        number = sum(1 + len(match.also) for match in self.matches)
        verb = "give" if number > 1 else "gives"
        configurations = f"{number:,} of {self.tried:,} configurations tried"
        if self.by_chance:
            return f"{configurations} {verb} {self.score}, no more than match by chance"
        return f"{configurations} {verb} {self.score}; likeliest first"

    def head(self) -> list[Match]:
        """The likeliest matches, or else the nearest scores."""
        return [*self.matches[:MAX_MATCHES]] or [*self.nearest]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "score": self.score,
            "matches": [match.to_dict() for match in self.matches],
            "nearest": [match.to_dict() for match in self.nearest],
            "tried": self.tried,
            "notes": [*self.notes],
        }

    def grid(self) -> Grid:
        """A row per score: score, difference from the printed score, and configuration."""
        return match_grid(self.head(), found=bool(self.matches))


def match_grid(matches: Sequence[Match], *, found: bool = True) -> Grid:
    """Return a row per score, with the signatures below; what was ``found`` may have been cut."""
    rows = []
    for match in matches:
        decimals = match.decimals + 2  # or every match would look alike
        value = tables.number(match.value, decimals)
        off = tables.number(match.off, decimals, sign=True)
        metric = str(match.configuration)
        if found and match.cut:
            metric += " (cut, not rounded)"
        elif found and match.drawn:
            metric += " (drawn)"
        rows.append([value, off, metric])
    signatures = [match.signature for match in matches]
    return Grid(["score", "off by", "metric"], rows, signatures, named=3)


@take_either("metrics", "metric")
def explain(
    score: str | float,
    *,
    sources: Any = None,
    predictions: Any = None,
    references: Any = None,
    metrics: str | Sequence[str] | None = None,
    ids: Any = None,
    missing: Missing = "error",
    every: bool = False,
    **columns: Any,
) -> Explanation:
    """Find the configurations of metrics that give a printed score.

    `explain` tries every variant with all values of the options that papers tend to leave out
    (tokenizer, case, deletions, …) and with any two changes of its options. It tries all references
    together, and each alone. If no variant gives the score by such options, it also tries texts
    that are prepared otherwise (`PREPARATIONS`). It doesn't try the level ``aligned``. Likelier
    configurations come first.

    Args:
        score: The score as it was printed. `"40.10"` has two decimals and matches any score that
            rounds to it, or that was cut to it. A score from 0 to 100 may be printed as a share
            (`"0.401"`), and a score from 0 to 1 in percent.
        sources: The original texts.
        predictions: The simplifications that were scored; or a list of runs, such as of several
            seeds, whose mean was printed, or one of them.
        references: One or more reference simplifications per source.
        metrics: Names of metrics; ``"sari.keep"`` for another score than the main one. By default
            all metrics that rank systems, aren't slow, and need no other columns; metrics of
            documents only if the sources have several sentences.
        ids: An id of each source. Predictions with ids, ``{"ids": …, "predictions": …}``, are
            joined by it.
        missing: Of ids that predictions lack: ``"error"``; ``"empty"`` outputs; ``"skip"`` rows.
        every: Whether options that only tell variants apart, such as SARI's `weight`, are varied.
        **columns: Other columns that metrics read.

    Returns:
        The configurations that match, or else the nearest ones.

    Example:
        >>> import textsimp
        >>> result = textsimp.explain(
        ...     "46.57",
        ...     sources=["A feline sat on it."],
        ...     predictions=["A cat sat on it."],
        ...     references=["A cat sat."],
        ... )
        >>> str(result.matches[0].configuration), round(result.matches[0].value, 4)
        ('sari', 46.5675)
    """
    texts = {"sources": sources, "references": references}
    several, _ = split_runs({PREDICTIONS.name: predictions})
    joined, texts = join_columns(several, texts, ids, missing)
    present = []
    for run in joined.values():
        predicted = run if isinstance(run, Mapping) else {PREDICTIONS.name: run}
        whole = {**texts, **predicted, **columns}
        present.append({name: rows for name, rows in whole.items() if rows is not None})
    chosen = choose_metrics(metrics, present[0])
    read = [examples.read(chosen, None, run) for run in present]
    systems = {str(i): run.systems[UNNAMED_SYSTEM] for i, run in enumerate(read)}
    checked = Examples(read[0].shared, systems)
    return explain_examples(
        score, chosen if metrics else suitable(chosen, checked), checked, every=every
    )


def choose_metrics(
    metrics: str | Sequence[str] | None, columns: Collection[str]
) -> dict[type[Metric], Score]:
    """Return the named metrics, or all usual ones that need no other columns, each with a score."""
    if metrics is not None:
        choices = catalogue.read(metrics, "metrics")
        if not choices or any(choice.options or choice.metric for choice in choices):
            raise InputError(
                f"metrics: expected names without options, which are tried here, got {metrics!r}"
            )
        named = {choice.cls: choice.score or choice.cls.scores[0].key for choice in choices}
        return {cls: cls.preset().find_score(key) for cls, key in named.items()}
    every = map(catalogue.metric_class, catalogue.names())
    missing = {
        cls: [c.name for c in cls.columns if c.required and c.name not in columns]
        for cls in every
        if cls.scores[0].better and not cls.slow
    }
    if all(missing.values()):
        raise InputError(
            f"{min(missing.values(), key=len)[0]}: no metric that ranks systems can do without "
            "this column: expected it, or metrics by their names"
        )
    return {cls: cls.scores[0] for cls, names in missing.items() if not names}


def suitable(
    scores: Mapping[type[Metric], Score], examples: Examples
) -> Mapping[type[Metric], Score]:
    """Leave out metrics of documents if the sources are sentences, unless no other is left."""
    if examples.sources and are_documents(examples.sources):
        return scores
    return {cls: score for cls, score in scores.items() if cls.reads == "sentences"} or scores


def explain_examples(
    score: str | float,
    chosen: Mapping[type[Metric], Score],
    examples: Examples,
    *,
    every: bool = False,
    found: Callable[[Match], object] = lambda match: None,
) -> Explanation:
    """Do what `explain` does, for checked examples of one system, or of its runs.

    ``found`` gets each match at once, before other configurations with its score are known.
    """
    search = _Search(score, chosen, examples, found)
    search.run(every)
    candidates = search.candidates()
    notes, nearest, chance = [], [], False
    if search.matches:
        chance, expected = _expect_by_chance(search.matches, candidates)
        if expected >= 0.1:
            notes.append(
                f"Scores lie so close together here that about {expected:.1f} match by chance. A "
                "simpler explanation is likelier."
            )
        if any(match.drawn for match in search.matches):
            notes.append(
                "Drawn: evaluate prints ROUGE as the median of a bootstrap without a seed, so that "
                "no mean gives its numbers exactly."
            )
    else:
        notes.append("Metrics without a direction and slow metrics are tried only if named.")
        nearest = search.nearest(candidates)
    if any(score.key == "lexical_complexity" for score in chosen.values()):
        notes.append(_EASSE_RANKS)
    if search.missing:
        notes.append(
            f"Some configurations are left out. {'; '.join(dict.fromkeys(search.missing))}"
        )
    matches = [*map(search.with_others, search.matches)]
    return Explanation(
        str(score), matches, nearest, sum(map(len, search.scores.values())), notes, chance
    )


_Candidate = tuple[float, type[Metric], float, list[Configuration]]
"""Distance from the printed score in rounding units, metric, score, configurations that give it."""


class _Search:
    """The configurations that are tried for a printed score, and what they give."""

    def __init__(
        self,
        score: str | float,
        chosen: Mapping[type[Metric], Score],
        examples: Examples,
        found: Callable[[Match], object],
    ) -> None:
        self.declared = {
            cls: chosen[cls] for cls in sorted(chosen, key=lambda cls: cls.reads == "documents")
        }
        self.readings = {cls: parse_score(score, main) for cls, main in self.declared.items()}
        self.examples, self.found = examples, found
        self.missing: list[str] = []  # why configurations are left out
        # metric, and how texts are prepared → its scores
        self.scores: dict[tuple[type[Metric], str], list[tuple[float, Configuration]]] = {}
        self.drawn: dict[Configuration, float] = {}  # how far printed scores may be from it
        self.matches: list[Match] = []

    def run(self, every: bool) -> None:
        """Try variants, other usual configurations, texts that are prepared, then all others."""
        configurations: list[Configuration] = []
        for cls in self.declared:
            made, missing = make_configurations(cls, self.examples, every)
            configurations += made
            self.missing += missing
        configurations.sort(key=lambda x: x.stage)
        with cache_scope(), progress(desc="Configurations", total=len(configurations)) as bar:
            done = sum(x.stage == 0 for x in configurations)
            self._measure(configurations[:done], self.examples, bar)  # matches are told at once
            if not self.matches:
                usual = [x for x in configurations if x.stage < PREPARED]
                self._measure(usual[done:], self.examples, bar)
                self._measure_prepared(usual, bar)
                done = len(usual)
            self._measure(configurations[done:], self.examples, bar)

    def _measure_prepared(self, usual: Sequence[Configuration], bar: Any) -> None:
        """Try prepared texts by variants with at most one other option, if nothing matches yet."""
        simple = [x for x in usual if len(x.metric.changed_options()) < 2]
        for name, change in () if self.matches else PREPARATIONS.items():
            texts = prepare(self.examples, change)
            if (texts.shared, texts.systems) != (self.examples.shared, self.examples.systems):
                self._measure([replace(x, prepared=name) for x in simple], texts, bar)

    def _measure(self, members: Sequence[Configuration], texts: Examples, bar: Any) -> None:
        """Compute scores, those of a metric together, then look for matches stage by stage."""
        stages: dict[tuple[int, type[Metric]], list[tuple[float, Configuration]]] = {
            (member.stage, type(member.metric)): [] for member in members
        }
        values: dict[Configuration, float] = {}
        for cls, main in self.declared.items():
            configurations = [member for member in members if type(member.metric) is cls]
            for score in compute_scores(configurations, texts, main.key):
                bar.update()
                if score.missing:
                    self.missing.append(score.missing)
                values[score.configuration] = score.value
                self.drawn[score.configuration] = score.drawn_error
        for member in members:
            if math.isfinite(values[member]):
                stages[member.stage, type(member.metric)].append((values[member], member))
        for (_, cls), new in stages.items():
            before = self.scores.setdefault((cls, members[0].prepared), [])
            matches = [
                self._match(cls, value, equal)
                for value, equal in group_by_score(new)
                if self._fits(value, equal[0])
                and all(abs(value - other) > EQUAL for other, _ in before)
            ]
            before += new
            matches.sort(key=lambda x: (x.configuration.plausibility, x.cut, abs(x.off)))
            self.matches.extend(matches)
            with bar.external_write_mode():
                for match in matches:
                    self.found(match)

    def _fits(self, value: float, configuration: Configuration) -> bool:
        """Whether the printed score is a score, rounded or cut, or drawn around it."""
        readings, drawn = self.readings[type(configuration.metric)], self.drawn[configuration]
        near = any(abs(value - number) <= drawn + half for number, half, _ in readings)
        return near or min(ratios(value, readings)) <= 1

    def _match(self, cls: type[Metric], value: float, equal: list[Configuration]) -> Match:
        """Compare a score with the printed one."""
        readings, (first, *others) = self.readings[cls], equal
        off = ratios(value, readings)
        printed, _, decimals = readings[off.index(min(off))]
        references = self.examples.references if first.reference is None else (1, 1)
        signature = first.metric.signature(references)
        return Match(first, value, printed, decimals, signature, tuple(others), min(off) > 1)

    def candidates(self) -> list[_Candidate]:
        """Return all scores, the nearest to the printed one first."""
        candidates = [
            (min(ratios(value, self.readings[cls])), cls, value, equal)
            for (cls, _), pairs in self.scores.items()
            for value, equal in group_by_score(pairs)
        ]
        return sorted(candidates, key=lambda x: (x[0], x[-1][0].plausibility))

    def nearest(self, candidates: Sequence[_Candidate]) -> list[Match]:
        """Return the nearest within a point, or a hundredth of the score's range."""
        near = [self._match(cls, value, equal) for _, cls, value, equal in candidates[:MAX_NEAREST]]
        points = {cls: (score.most or 100) / 100 for cls, score in self.declared.items()}
        return [x for x in near if abs(x.off) <= points[type(x.configuration.metric)]]

    def with_others(self, match: Match) -> Match:
        """Return a match with all other configurations that give its score."""
        first = match.configuration
        pairs = self.scores[type(first.metric), first.prepared]
        same = [x for value, x in pairs if abs(value - match.value) <= EQUAL and x != first]
        others = sorted(dict.fromkeys(same), key=lambda x: x.plausibility)
        return replace(match, also=tuple(others))


def _expect_by_chance(
    matches: Sequence[Match], candidates: Sequence[_Candidate]
) -> tuple[bool, float]:
    """Return whether chance explains the first matches, and how many matches it explains in all."""
    width = max(1, min(_NEAR, candidates[-1][0]))
    stages = [equal[0].stage for ratio, _, _, equal in candidates if ratio <= width]
    expected = 1.5 / width  # of a score, which may also have been cut
    first = matches[0].configuration.stage
    alike = sum(match.configuration.stage == first for match in matches)
    chance = expected * (sum(stage <= first for stage in stages) - alike) >= alike
    return chance, expected * len(stages)
