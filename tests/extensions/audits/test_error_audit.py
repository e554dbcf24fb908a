"""Whether scores notice errors that are put into outputs."""

import numpy as np
import pytest

from textsimp.core.declarations import Score
from textsimp.core.intervals import tails_of
from textsimp.extensions.audits import audit_errors, error_audit, spans, synthetic
from textsimp.extensions.audits.modifications import draw
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.sari import Sari
from textsimp.support.errors import InputError


@pytest.fixture(scope="module")
def result(corpus):
    return audit_errors(["sari", "bleu", "fkgl_components"], **corpus, resamples=50, seed=3)


def wrong(corpus, seed):
    """Row → the output with another number."""
    pairs = zip(corpus["sources"], corpus["predictions"], strict=True)
    rows = [synthetic.numbers.row(*pair, seed) for pair in pairs]
    return {i: row["target"] for i, row in enumerate(rows) if row}


@pytest.mark.parametrize("metric", [Sari("xu"), Bleu(), FkglComponents("paper")])
def test_changes_are_those_of_scoring_outputs_with_errors(corpus, metric):
    seed, shares = 3, (0.3, 1.0)
    found = audit_errors(
        metric, **corpus, errors=["number"], shares=shares, seed=seed, resamples=40, confidence=0.8
    )
    of = wrong(corpus, seed)
    order, _ = draw(len(of), seed)
    able = list(of)
    subset = {name: [rows[i] for i in able] for name, rows in corpus.items()}
    (before,) = metric.compute_statistics(metric.check(**subset)).values()
    (effect,) = found.of(metric.name)
    key = effect.score.key
    assert effect.before == pytest.approx(metric.score(**subset)[key], abs=1e-9)
    assert effect.outputs == len(of)
    for share, change, bounds in zip(shares, effect.differences, effect.intervals, strict=True):
        outputs = list(subset["predictions"])
        for i in order[: round(share * len(able))]:
            outputs[i] = of[able[i]]
        after = {**subset, "predictions": outputs}
        assert effect.before + change == pytest.approx(metric.score(**after)[key], abs=1e-9)
        (statistics,) = metric.compute_statistics(metric.check(**after)).values()
        samples = map(metric.sample, (before, statistics))
        drawn = [sample.resample(resamples=40, seed=seed)[key] for sample in samples]
        values = np.diff(drawn, axis=0)
        tails = tails_of(0.8, len(of))
        assert bounds == pytest.approx(np.quantile(values, tails).tolist(), abs=1e-9)


def test_every_error_is_put_in_by_level_and_category(result):
    found = {effect.change: (effect.category, effect.level) for effect in result.effects}
    assert found == {
        "phrase_inserted_1": ("insertion", 1),
        "phrase_inserted_2": ("insertion", 2),
        "name_to_pronoun": ("deletion", 1),
        "phrase_deleted_1": ("deletion", 1),
        "phrase_deleted_2": ("deletion", 2),
        "number": ("substitution", 1),
        "negated": ("substitution", 1),
    }
    assert not result.impossible


def test_all_single_scores_are_there_the_main_ones_by_metric(result):
    assert {e.score.key for e in result.effects if e.metric == "sari"} == {
        *("sari", "add", "keep", "delete"),
    }
    assert {e.score.key for e in result.effects if e.metric == "bleu"} >= {
        *("bleu", "brevity_penalty"),
    }
    for metric in ("sari", "bleu"):
        assert [effect.score.key for effect in result.of(metric)] == [metric] * 7


def test_outputs_get_what_the_error_is_called(corpus):
    for name, generator in error_audit._generators(Sari().check(**corpus), None).items():
        pairs = zip(corpus["sources"], corpus["predictions"], strict=True)
        rows = [(output, generator.row(source, output)) for source, output in pairs]
        made = [(output, row) for output, row in rows if row is not None]
        growth = {np.sign(len(row["target"]) - len(output)) for output, row in made}
        if "inserted" in name or name == "negated":
            assert growth == {1}
        if "deleted" in name or "pronoun" in name:
            assert growth == {-1}
        for output, row in made if "inserted" in name else ():
            similarity = spans.similarity(row["target"], output)
            assert synthetic.level_of(similarity) == row["level"] == int(name[-1])
            assert spans.words(row["target"]) - spans.words(row["source"]) - spans.words(output)


def test_an_error_may_be_a_generator_of_ones_own(corpus):
    def reverse(text, other, chance):
        return " ".join(reversed(text.split())), 2

    errors = [synthetic.Generator("reversed", "substitution", "target", reverse), "number"]
    found = audit_errors("bleu", **corpus, errors=errors, shares=[1], resamples=20).of("bleu")
    assert [(effect.change, effect.level) for effect in found] == [("number", 1), ("reversed", 2)]
    assert found[1].differences[-1] < found[0].differences[-1] < 0


def test_without_sources_outputs_are_judged_alone():
    texts = [f"It was {n}, and he was old, but they sang." for n in range(20, 60)]
    found = audit_errors("fkgl_components", texts, shares=[1], resamples=20)
    assert {effect.change for effect in found.effects} >= {"number", "negated", "phrase_deleted_1"}
    assert "name_to_pronoun" in found.impossible


@pytest.mark.parametrize(
    ("low", "high", "better", "verdict"),
    [
        (-2, -1, "higher", "gets worse"),
        (1, 2, "higher", "gets better"),
        (-2, -1, "lower", "gets better"),
        (1, 2, "lower", "gets worse"),
        (-1, 1, "higher", "doesn't notice"),
        (0, 0, "lower", "doesn't notice"),
        (0, 1, "", "doesn't notice"),
        (1, 2, "", "moves"),
        # Wider than half a standard deviation, which is 10.
        (-4.9, 1, "higher", "doesn't notice"),
        (-5.1, 1, "higher", "can't tell"),
        (-5.1, -1, "higher", "gets worse"),
    ],
)
def test_the_interval_and_the_direction_make_the_verdict(low, high, better, verdict):
    score = Score("s", "S", "a score", better=better)
    assert error_audit.verdict(score, [low, high], 10, 10) == verdict
    assert error_audit.verdict(score, [low, high], 9, 10) == "too few outputs"


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("errors", ["numbers"]),
        ("errors", []),
        ("confidence", 1),
        ("resamples", 0),
        ("seed", -1),
        ("references", None),
        ("predictions", [""] * 48),
    ],
)
def test_bad_input_is_refused(corpus, argument, value):
    with pytest.raises(InputError, match=f"^{argument}: "):
        audit_errors(**{"metrics": "sari", **corpus, argument: value})
