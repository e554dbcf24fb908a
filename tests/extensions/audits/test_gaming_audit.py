"""The audit of metrics by changes that make no text simpler."""

import numpy as np
import pytest

from textsimp import Bleu, FkglComponents, InputError, Readability, Sari
from textsimp.core.declarations import Score
from textsimp.extensions.audits import audit_gaming, gaming_audit
from textsimp.extensions.audits.modifications import MODIFICATIONS, draw


@pytest.fixture(scope="module")
def few(corpus):
    """Twelve examples, an empty output and a short one."""
    return {
        "predictions": [*corpus["predictions"][:12], "", "One two ."],
        "sources": [*corpus["sources"][:12], "A b c .", "One or two ."],
        "references": [*corpus["references"][:12], ["A b ."], ["One .", "Two ."]],
    }


def changed_lines(modification, texts, share, seed):
    """The texts, a share of them changed."""
    order, where = draw(len(texts), seed)
    chosen = {*order[: round(share * len(texts))].tolist()}
    return [
        modification.line(text, where[i]) if i in chosen else text for i, text in enumerate(texts)
    ]


def score(metric, few, texts):
    """The single numbers of the metric, computed from the texts."""
    columns = {c.name: few[c.name] for c in metric.columns if c.name in few}
    scores = metric.score(**{**columns, "predictions": texts}).to_dict(signature=False)
    return {name: value for name, value in scores.items() if type(value) is not list}


@pytest.mark.parametrize(
    "metric",
    [
        *(FkglComponents(), FkglComponents("easse"), Bleu(), Bleu("sacrebleu"), Readability()),
        *(FkglComponents("paper"), Sari(), Sari("joshua"), Sari("xu")),  # all outputs as one text
    ],
    ids=str,
)
def test_differences_are_those_of_scoring_every_changed_text(few, metric):
    texts, shares, repeats, seed = few["predictions"], [0.3, 1.0], 3, 7
    found = audit_gaming(metric, **few, shares=shares, repeats=repeats, seed=seed, confidence=0.8)
    assert found.signatures == {metric.name: metric.signature(few["references"])}
    before = score(metric, few, texts)
    for name, modification in MODIFICATIONS.items():
        for i, share in enumerate(shares):
            changed = [changed_lines(modification, texts, share, seed + r) for r in range(repeats)]
            after = [score(metric, few, lines) for lines in changed]
            for effect in (one for one in found.effects if one.change == name):
                key = effect.score.key
                assert effect.before == pytest.approx(before[key], abs=1e-9)
                values = np.array([scores[key] for scores in after]) - before[key]
                assert effect.differences[i] == pytest.approx(values.mean(), abs=1e-9), effect
                bounds = np.quantile(values, [0.1, 0.9])
                assert effect.intervals[i] == pytest.approx(bounds, abs=1e-9), effect


def test_easier_texts_count_as_better_for_formulas(few):
    found = audit_gaming("readability", few["predictions"][:12], shares=[1.0], repeats=5)
    for formula in Readability().formulas():
        *_, effect = found.of("readability", formula)
        assert (effect.change, effect.verdict) == ("random-period+replace-longest", "gets better")
        assert (effect.differences[0] > 0) == (formula == "flesch_reading_ease")


@pytest.mark.parametrize(
    ("differences", "verdict"),
    [
        ([0.1, 0.1, 0.1], "gets better"),
        ([0.09, 0.09, 0.09], "doesn't notice"),  # doesn't show at one decimal
        ([-0.2, -0.2, -0.2], "gets worse"),
        ([0.9, 1.0, 1.1], "gets better"),
        ([0.5, 1.0, 1.5], "doesn't notice"),  # two standard deviations
        ([0.1, 2.0, 3.9], "doesn't notice"),
    ],
)
def test_a_score_is_fooled_beyond_the_noise_over_repeats(differences, verdict):
    bleu, fkgl = Bleu.scores[0], FkglComponents.scores[0]
    assert gaming_audit.verdict(bleu, np.array(differences), 10) == verdict
    assert gaming_audit.verdict(fkgl, -np.array(differences), 10) == verdict


def test_below_ten_changed_outputs_there_is_no_verdict():
    for differences in (np.zeros(3), np.ones(3)):
        assert gaming_audit.verdict(Bleu.scores[0], differences, 9) == "too few outputs"


def test_scores_without_a_direction_move_and_shares_move_by_less():
    assert gaming_audit.verdict(Score("s", "S", ""), np.ones(3), 10) == "moves"
    share = Score("s", "S", "", most=1, better="higher")
    assert gaming_audit.verdict(share, np.full(3, 0.001), 10) == "gets better"
    assert gaming_audit.verdict(share, np.full(3, 0.0009), 10) == "doesn't notice"


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"modifications": ["random"]}, "^modifications: "),
        ({"shares": [0.5, 0.2]}, "^shares: "),
        ({"repeats": 0}, "^repeats: "),
        ({"seed": -1}, "^seed: "),
        ({"confidence": 95}, "^confidence: "),
        ({"confidence": None}, "^confidence: "),
        ({"metrics": "sari"}, "^sources: "),
        ({"metrics": "information_errors"}, "^metrics: "),
        ({"predictions": ["a", 1]}, "row 1 of predictions"),
        ({"sources": ["a", "b"]}, "sources has 2"),
    ],
)
def test_bad_input_is_refused(options, place):
    with pytest.raises(InputError, match=place):
        audit_gaming(**{"metrics": "fkgl_components", "predictions": ["a b c ."], **options})
