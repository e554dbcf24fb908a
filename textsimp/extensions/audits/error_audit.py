"""By how much scores fall when outputs say something false, by `audits.synthetic`.

An insertion error adds to the output, a deletion takes from it.
"""

import functools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from textsimp.core.declarations import Score
from textsimp.core.draws import RESAMPLES
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import Floats, Metric
from textsimp.core.sample import Sample, total
from textsimp.extensions.audits import spans, synthetic
from textsimp.extensions.audits.effects import (
    LEAST_OUTPUTS,
    Audit,
    Effect,
    Verdict,
    begin,
    check_names,
    judge,
    single_scores,
)
from textsimp.extensions.audits.modifications import draw, sampled
from textsimp.extensions.audits.synthetic import Generator, Row
from textsimp.metrics.catalogue import Metrics
from textsimp.support.errors import InputError, check_sampling, take_either

SHARES = (0.1, 0.25, 0.5, 1.0)
INDIFFERENT = 0.5
"""Within so many standard deviations of the outputs' scores a change is small (Cohen 1988)."""
_TRIES = 32  # phrases of other sources that are tried


@take_either("metrics", "metric")
def audit_errors(
    metrics: Metrics,
    predictions: Any,
    *,
    sources: Any = None,
    references: Any = None,
    errors: Sequence[str | Generator] | None = None,
    shares: Sequence[float] = SHARES,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    **options: Any,
) -> Audit:
    """Measure by how much scores fall when outputs get errors.

    An error is put into a growing share of the outputs that can have it: an output without a number
    can't have a wrong one. The scores of these outputs are compared with their scores before. The
    outputs with an error are drawn without replacement. Those of a smaller share are among those of
    a larger one.

    If the interval of its difference with the largest share contains 0, a score *doesn't notice* an
    error, or it *can't tell*. It doesn't notice one if the interval lies within half a standard
    deviation of the outputs' scores (`INDIFFERENT`). There is no verdict if fewer than
    `LEAST_OUTPUTS` outputs have the error.

    =====================  ============  =====  =================================================
    error                  category      level  what is done to the output
    =====================  ============  =====  =================================================
    ``phrase_inserted_1``  insertion     1      phrases of another source are put at its end
    ``phrase_inserted_2``  insertion     2      other sources follow it
    ``name_to_pronoun``    deletion      1      a name becomes a pronoun
    ``phrase_deleted_1``   deletion      1      it loses a phrase that the source has
    ``phrase_deleted_2``   deletion      2      it loses most of what it says
    ``number``             substitution  1      a number becomes another
    ``negated``            substitution  1      an auxiliary is negated
    =====================  ============  =====  =================================================

    Args:
        metrics: See `textsimp.score`.
        predictions: Outputs without errors, such as a person's.
        sources: The original texts. Without them insertions and deletions are made from the outputs
            alone.
        references: One or more references per source.
        errors: What is done to an output: phrase_inserted_1, phrase_inserted_2, name_to_pronoun,
            phrase_deleted_1, phrase_deleted_2, number, negated. Default: all. In Python also
            generators of your own (`audits.synthetic.Generator`) that change the target.
        shares: Shares of the outputs to change: ascending, each above 0 and at most 1.
        confidence: Coverage of the intervals.
        resamples: Number of resamples of a paired bootstrap over the outputs.
        seed: Seed of the errors, of the outputs that get them, and of the resamples.
        **options: Options of the one metric that is given by its name.

    Example:
        >>> from textsimp.extensions import audits
        >>> texts = [f"There were {number} cats on the old mat ." for number in range(20, 60)]
        >>> result = audits.audit_errors(
        ...     "bleu", texts, references=texts, errors=["number", "negated"]
        ... )
        >>> print(result)
        BLEU (easse) gets worse: number, negated.
        >>> result.effects[0].before
        100.0
    """
    check_sampling(confidence, resamples, seed, optional=False)
    sampling: dict[str, Any] = {"confidence": float(confidence), "resamples": int(resamples)}
    sampling["seed"] = seed = int(seed)
    columns = {"predictions": predictions, "sources": sources, "references": references}
    audit, checked = begin("errors", metrics, columns, options, shares, **sampling)
    generators = _generators(checked, errors)
    outputs = checked.predictions()
    pairs = [*zip(checked.sources or outputs, outputs, strict=True)]
    for error, generator in generators.items():
        made = [generator.row(*pair, seed) for pair in pairs]
        rows = {i: row for i, row in enumerate(made) if row is not None}
        if not rows:
            audit.impossible.append(error)
            continue
        versions = _with_errors(checked, rows, audit.shares, seed)
        facts = {
            "change": error,
            "category": generator.category,
            "level": next(iter(rows.values()))["level"],
            "outputs": len(versions),
            "changed": sampled(audit.shares[-1], len(versions)),
        }
        for name, metric in audit.metrics.items():
            audit.effects.extend(_effects(metric, versions, {"metric": name, **facts}, sampling))
    if not audit.effects:
        raise InputError(f"predictions: none of them can have {' or '.join(audit.impossible)}")
    return audit


def _with_errors(
    checked: Examples, rows: Mapping[int, Row], shares: Sequence[float], seed: int
) -> Examples:
    """Return outputs that can have the error: without it, and with growing shares changed."""
    outputs, able = checked.predictions(), list(rows)
    wrong = [row["target"] for row in rows.values()]
    order, _ = draw(len(able), seed)
    right = [outputs[i] for i in able]
    systems = {UNNAMED_SYSTEM: {"predictions": right}}
    for share in shares:
        texts = list(right)
        for i in order[: sampled(share, len(able))].tolist():
            texts[i] = wrong[i]
        systems[f"{share}"] = {"predictions": texts}
    shared = {name: [column[i] for i in able] for name, column in checked.shared.items()}
    return Examples(shared, systems)


def _effects(
    metric: Metric, versions: Examples, facts: Mapping[str, Any], sampling: Mapping[str, Any]
) -> Iterator[Effect]:
    """Yield the effects of an error on each score, with paired bootstrap intervals."""
    shared = list(versions.shared)

    def reduce(totals: Floats) -> dict[str, Floats]:
        scores = single_scores(metric, shared, totals)
        return {score.key: values for score, values in scores.items()}

    statistics = [*metric.compute_statistics(versions).values()]
    each = metric.reduce_examples(statistics[0])
    unchanged, *others = [Sample(rows, reduce) for rows in statistics]
    tests = [changed.minus(unchanged, **sampling) for changed in others]
    for score, value in single_scores(metric, shared, total(unchanged.rows)).items():
        bounds = [differences[score.key].interval for differences in tests]
        yield Effect(
            **facts,
            score=score,
            before=float(value),
            differences=[differences[score.key].value for differences in tests],
            intervals=bounds,
            verdict=verdict(score, bounds[-1], facts["changed"], float(np.nanstd(each[score.key]))),
        )


def verdict(
    score: Score, interval: Sequence[float], changed: int, deviation: float = math.inf
) -> Verdict:
    """Return the verdict on a score, from the interval of its difference.

    ``deviation`` is the standard deviation of the outputs' scores.
    """
    if changed < LEAST_OUTPUTS:
        return "too few outputs"
    low, high = interval
    if low <= 0 <= high:
        within = max(-low, high) <= INDIFFERENT * deviation
        return "doesn't notice" if within else "can't tell"
    return judge(low, score.better)


def _insert(level: int, phrases: Sequence[str]) -> Generator:
    change = functools.partial(_lengthen, level=level, phrases=list(dict.fromkeys(phrases)))
    return Generator(f"phrase_inserted_{level}", "insertion", "target", change)


def _phrases(texts: Sequence[str]) -> list[str]:
    return [text[start:end] for text in texts for start, end in spans.phrases(text)]


def _delete(insertion: Generator) -> Generator:
    """The output loses what the source loses in an insertion."""
    return replace(insertion, category="deletion", changes="target")


ERRORS: dict[str, Callable[[Sequence[str]], Generator]] = {
    "phrase_inserted_1": lambda texts: _insert(1, _phrases(texts)),
    "phrase_inserted_2": lambda texts: _insert(2, texts),
    "name_to_pronoun": lambda texts: _delete(synthetic.names_to_pronouns),
    "phrase_deleted_1": lambda texts: _delete(synthetic.phrases_deleted_by([1])),
    "phrase_deleted_2": lambda texts: _delete(synthetic.phrases_deleted_by([2])),
    "number": lambda texts: synthetic.numbers,
    "negated": lambda texts: synthetic.negated,
}
"""Name → its generator, from texts whose phrases may be inserted."""


def _generators(
    checked: Examples, errors: Sequence[str | Generator] | None
) -> dict[str, Generator]:
    """Return the generators of errors for these examples."""
    asked = errors if isinstance(errors, (list, tuple)) else []
    custom = {error.name: error for error in asked if isinstance(error, Generator)}
    others = [error for error in asked if not isinstance(error, Generator)] if custom else errors
    names = [] if custom and not others else check_names("errors", others, ERRORS)
    texts = checked.predictions() if checked.sources is None else checked.sources
    return {name: ERRORS[name](texts) for name in names} | custom


def _lengthen(
    text: str, source: str, chance: random.Random, *, level: int, phrases: Sequence[str]
) -> tuple[str, int] | None:
    """Phrases are added that neither text has, until the similarity is that of the level."""
    present = spans.words(text) | spans.words(source)
    if not spans.words(text):
        return None
    longer = text
    for phrase in chance.sample(phrases, min(_TRIES, len(phrases))):
        new = spans.words(phrase) - synthetic.COMMON
        if 2 * len(new - present) <= len(new):
            continue
        candidate = f"{longer.rstrip()} {phrase}"
        if level == 1:  # after a comma, before the stop
            at = len(spans.END.sub("", longer))
            candidate = f"{longer[:at]}, {phrase.strip(' ,;:–—-')}{longer[at:]}"
        similarity = spans.similarity(candidate, text)
        if synthetic.level_of(similarity) == level:
            return candidate, level
        if similarity > synthetic.SIMILARITIES[level][1]:
            longer = candidate
    return None
