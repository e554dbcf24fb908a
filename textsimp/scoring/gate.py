"""A gate for continuous integration: which systems are worse than the baseline."""

import math
from collections.abc import Mapping
from typing import Literal

from textsimp.core import significance
from textsimp.core.comparisons import Comparison
from textsimp.core.significance import NO_DIFFERENCE, Difference
from textsimp.scoring import headlines
from textsimp.scoring.ranking import Ranking, judge

Rule = Literal["worse", "not-better"]


def find_failures(
    comparison: Comparison, rule: Rule, by: float = 0.0, unranked: Mapping[str, str] | None = None
) -> list[str]:
    """Return a sentence on each system that fails, compared with the baseline by the main score.

    Args:
        comparison: The systems.
        rule: ``worse``: a system fails if it is significantly worse than the baseline, by the
            paired permutation test. ``not-better``: unless it is significantly better.
        by: The difference that doesn't count yet, in points of the main score as it is printed. A
            system is then worse, or better, if the whole interval of its difference lies beyond.
        unranked: Systems with errors in their outputs, which fail, with what these are.
    """
    sentences = headlines.describe_unranked(unranked or {})
    rest = {comparison.baseline, *comparison.baselines, *(unranked or {})}
    for ranking in judge({"": comparison}).values():
        for name, tests in comparison.differences.items():
            if name not in rest:
                test = tests.get(comparison.main.key, NO_DIFFERENCE)
                sentences += _find_failure(ranking, name, test, rule, by)
    return sentences


def _find_failure(
    ranking: Ranking, name: str, test: Difference, rule: Rule, by: float
) -> list[str]:
    baseline, column = ranking.comparison.baseline, ranking.column
    if ranking.comparison.too_few_examples or test.permutation_p_holm is None:
        return [f"{name} can't be tested against {baseline}: too few examples have both scores."]
    gain, *ends = (column.gain(column.scale * x) for x in (test.value, *test.interval))
    low, high = sorted(ends) if by else (gain, gain)
    significant = test.is_significant(ranking.comparison.confidence)
    better, worse = significant and low > by, significant and high < -by
    if not worse and (rule == "worse" or better):
        return []
    verdict = "is worse than" if worse else "isn't better than"
    side = "below" if test.value < 0 else "above"
    details = headlines.p_text(test.permutation_p_holm)
    if test.interval_decides:
        details += " of these runs"
    size = significance.detectable(test, ranking.comparison.confidence)
    if size and not significant:
        shown = headlines.two_digits(column.scale * size)
        details += f"; smallest detectable difference: {shown} {ranking.unit}"
    if by:
        baseline += f" by more than {by:g}"
    scale = math.copysign(column.scale, test.value)
    ends = sorted(scale * end for end in test.interval)
    margin = headlines.cite_interval(ranking, scale * test.value, ends)
    return [f"{name} {verdict} {baseline}: {margin} {ranking.unit} {side} ({details})."]
