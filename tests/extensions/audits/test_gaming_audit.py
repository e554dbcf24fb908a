"""The audit of metrics by changes that make no text simpler."""

import numpy as np
import pytest
import sacrebleu

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


@pytest.fixture(scope="module")
def result(few):
    return audit_gaming(["fkgl_components", "bleu"], **few, shares=[0.3, 1.0], repeats=5, seed=7)


def changed_lines(modification, texts, share, seed):
    """The texts, a share of them changed."""
    order, where = draw(len(texts), seed)
    chosen = {*order[: round(share * len(texts))].tolist()}
    return [
        modification.line(text, where[i]) if i in chosen else text for i, text in enumerate(texts)
    ]


def scores_one_by_one(few, texts, fkgl, bleu_variant, sari):
    """Every score, computed from the texts by the metrics and by sacrebleu."""
    grade = FkglComponents.preset(fkgl).score(predictions=texts)
    bleu = sacrebleu.corpus_bleu(
        texts,
        list(map(list, zip(*(row + [None] * 3 for row in few["references"]), strict=False))),
        lowercase=bleu_variant == "easse",
    )
    parts = Sari.preset(sari).score(**{**few, "predictions": texts})
    return {
        "fkgl_components": {
            name: grade[name] for name in ("fkgl", "words_per_sentence", "syllables_per_word")
        },
        "bleu": {"bleu": bleu.score, "brevity_penalty": bleu.bp},
        "sari": {name: parts[name] for name in ("sari", "add", "keep", "delete")},
    }


@pytest.mark.parametrize(
    ("fkgl", "bleu", "sari"),
    [
        ("default", "easse", "joshua"),
        ("easse", "easse", "easse"),
        ("paper", "sacrebleu", "xu"),  # FKGL of all outputs as one text
    ],
)
def test_differences_are_those_of_scoring_every_changed_text(few, fkgl, bleu, sari):
    shares, repeats, seed = [0.3, 0.5, 1.0], 3, 7
    metrics = [FkglComponents(fkgl), Bleu(bleu), Sari.preset(sari)]
    found = audit_gaming(metrics, **few, shares=shares, repeats=repeats, seed=seed, confidence=0.8)
    before = scores_one_by_one(few, few["predictions"], fkgl, bleu, sari)
    for name, modification in MODIFICATIONS.items():
        for i, share in enumerate(shares):
            repeated = [
                scores_one_by_one(
                    few,
                    changed_lines(modification, few["predictions"], share, seed + r),
                    fkgl,
                    bleu,
                    sari,
                )
                for r in range(repeats)
            ]
            for metric, scores in repeated[0].items():
                for score in scores:
                    values = [scores[metric][score] for scores in repeated]
                    bounds = np.quantile(values, [0.1, 0.9])
                    (effect,) = (e for e in found.of(metric, score) if e.change == name)
                    expected = before[metric][score]
                    assert effect.before == pytest.approx(expected, abs=1e-9)
                    difference = np.mean(values) - expected
                    assert effect.differences[i] == pytest.approx(difference, abs=1e-9), score
                    assert effect.intervals[i] == pytest.approx(bounds - expected, abs=1e-9), score


def test_differences_of_formulas_are_those_of_scoring_every_changed_text(few):
    texts, shares, repeats, seed = few["predictions"], [0.3, 1.0], 3, 7
    metric = Readability()
    found = audit_gaming(metric, texts, shares=shares, repeats=repeats, seed=seed)
    assert found.signatures == {"readability": metric.signature()}
    unchanged = metric.score(predictions=texts)
    for name, modification in MODIFICATIONS.items():
        for i, share in enumerate(shares):
            changed = [changed_lines(modification, texts, share, seed + r) for r in range(repeats)]
            scores = [metric.score(predictions=lines) for lines in changed]
            for formula in metric.formulas():
                mean = np.mean([one[formula] for one in scores])
                (effect,) = (e for e in found.of("readability", formula) if e.change == name)
                assert effect.before == pytest.approx(unchanged[formula])
                assert effect.differences[i] == pytest.approx(mean - effect.before, abs=1e-9)


def test_easier_texts_count_as_better_for_formulas(few):
    found = audit_gaming("readability", few["predictions"][:12], shares=[1.0], repeats=5)
    for formula in Readability().formulas():
        *_, effect = found.of("readability", formula)
        assert (effect.change, effect.verdict) == ("random-period+replace-longest", "gets better")
        assert (effect.differences[0] > 0) == (formula == "flesch_reading_ease")


def test_the_seed_decides(few, result):
    options = {"shares": [0.3, 1.0], "repeats": 5}
    again, other = (
        audit_gaming(["fkgl_components", "bleu"], **few, **options, seed=seed) for seed in (7, 8)
    )
    assert again.to_dict() == result.to_dict()
    assert other.to_dict() != result.to_dict()


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
