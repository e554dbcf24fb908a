"""The audit of metrics by changes that make texts no simpler."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np
import pytest
import sacrebleu

from tests.given import lines
from textsimp import InputError
from textsimp.audits import gaming
from textsimp.audits.perturbations import MODIFICATIONS
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.readability import Readability
from textsimp.metrics.sari import Sari


@pytest.fixture(scope="module")
def corpus() -> dict[str, Any]:
    references = [lines(f"references/{i}.txt") for i in range(3)]
    more = [["A b ."], ["One .", "Two ."]]
    return {
        "predictions": [*lines("systems/splitter.txt")[:12], "", "One two ."],
        "sources": [*lines("source.txt")[:12], "A b c .", "One or two ."],
        "references": [*map(list, list(zip(*references, strict=True))[:12]), *more],
    }


@pytest.fixture(scope="module")
def result(corpus: dict[str, Any]) -> dict[str, Any]:
    return gaming.audit(**corpus, shares=[0.3, 1.0], repeats=5, seed=7)


def scores_one_by_one(
    corpus: dict[str, Any], texts: list[str], fkgl: str, bleu_variant: str, sari: str
) -> dict[str, dict[str, Any]]:
    """What every score is, computed from the texts by the metrics and by sacrebleu."""
    grade = FkglComponents.preset(fkgl).score(predictions=texts)
    bleu = sacrebleu.corpus_bleu(
        texts,
        list(map(list, zip(*(row + [None] * 3 for row in corpus["references"]), strict=False))),
        lowercase=bleu_variant == "easse",
    )
    parts = Sari.preset(sari, per_order=True).score(**{**corpus, "predictions": texts})
    return {
        "fkgl": {
            name: grade[name] for name in ("fkgl", "words_per_sentence", "syllables_per_word")
        },
        "bleu": {
            "bleu": bleu.score,
            "brevity_penalty": bleu.bp,
            **{f"precision_{i}": value for i, value in enumerate(bleu.precisions, 1)},
        },
        "sari": {name: parts[name] for name in ("sari", "add", "keep", "delete")}
        | {
            f"{name}_{i}": value
            for name in ("add_f1", "keep_f1", "delete_precision")
            for i, value in enumerate(parts[name], 1)
        },
    }


@pytest.mark.parametrize(
    ("fkgl", "bleu", "sari"),
    [("default", "easse", "joshua"), ("easse", "easse", "easse"), ("paper", "sacrebleu", "xu")],
)
def test_curves_are_those_of_scoring_every_changed_text(
    corpus: dict[str, Any], fkgl: str, bleu: str, sari: str
) -> None:
    shares, repeats, seed = [0.3, 0.5, 1.0], 3, 7
    variants = {"fkgl": fkgl, "bleu": bleu, "sari": sari}
    result = gaming.audit(
        **corpus, shares=shares, repeats=repeats, seed=seed, confidence=0.8, **variants
    )
    assert result["variants"] == variants
    for name, modification in MODIFICATIONS.items():
        for i, share in enumerate(shares):
            repeated = [
                scores_one_by_one(
                    corpus, modification(corpus["predictions"], share, seed + r), fkgl, bleu, sari
                )
                for r in range(repeats)
            ]
            for metric, scores in repeated[0].items():
                for score in scores:
                    values = [scores[metric][score] for scores in repeated]
                    low, high = np.quantile(values, [0.1, 0.9])
                    curve = result["curves"][metric][score][name]
                    assert curve["mean"][i] == pytest.approx(np.mean(values), abs=1e-9), score
                    assert curve["low"][i] == pytest.approx(low, abs=1e-9), score
                    assert curve["high"][i] == pytest.approx(high, abs=1e-9), score
                assert set(scores) == set(result["curves"][metric])


@pytest.mark.parametrize("dale_chall", [False, True])
def test_curves_of_formulas_are_those_of_scoring_every_changed_text(
    corpus: dict[str, Any], dale_chall: bool
) -> None:
    if dale_chall:
        pytest.importorskip("textstat", reason="needs the extra languages")
    texts, shares, repeats, seed = corpus["predictions"], [0.3, 1.0], 3, 7
    result = gaming.audit(
        **corpus, shares=shares, repeats=repeats, seed=seed, readability=True, dale_chall=dale_chall
    )
    formulas = [*gaming.FORMULAS, *(["dale_chall"] if dale_chall else [])]
    assert list(result["curves"]) == ["fkgl", "bleu", "sari", *formulas]
    metric = Readability(dale_chall=dale_chall)
    assert {result["signatures"][name] for name in formulas} == {metric.signature()}
    unchanged = metric.score(predictions=texts)
    for formula in formulas:
        assert result["unchanged"][formula] == {formula: pytest.approx(unchanged[formula])}
    for name, modification in MODIFICATIONS.items():
        for i, share in enumerate(shares):
            changed = [modification(texts, share, seed + r) for r in range(repeats)]
            scores = [metric.score(predictions=lines) for lines in changed]
            for formula in formulas:
                mean = np.mean([one[formula] for one in scores])
                curve = result["curves"][formula][formula][name]
                assert curve["mean"][i] == pytest.approx(mean, abs=1e-9)


def test_dale_chall_may_be_audited_alone_beside_fkgl(corpus: dict[str, Any]) -> None:
    pytest.importorskip("textstat", reason="needs the extra languages")
    found = gaming.audit(corpus["predictions"], shares=[1.0], repeats=2, dale_chall=True)
    assert list(found["curves"]) == list(found["fooled"]) == ["fkgl", "dale_chall"]


def test_an_easier_text_has_more_reading_ease_and_less_of_all_other_formulas(
    corpus: dict[str, Any],
) -> None:
    texts = corpus["predictions"][:12]
    result = gaming.audit(texts, shares=[1.0], repeats=5, readability=True)
    for formula in gaming.FORMULAS:
        assert "random-period+replace-longest" in result["fooled"][formula]
        after = result["curves"][formula][formula]["random-period+replace-longest"]["mean"][0]
        more = after > result["unchanged"][formula][formula]
        assert more == (formula == "flesch_reading_ease")
    assert gaming.verdicts(result)["smog"].startswith("SMOG is fooled by ")


def test_unchanged_scores_are_those_of_the_predictions(
    corpus: dict[str, Any], result: dict[str, Any]
) -> None:
    expected = scores_one_by_one(corpus, corpus["predictions"], "default", "easse", "joshua")
    for metric, scores in expected.items():
        assert result["unchanged"][metric] == pytest.approx(scores, abs=1e-9)


def test_the_result_is_plain_data(result: dict[str, Any]) -> None:
    assert json.loads(json.dumps(result)) == result
    assert (result["lines"], result["repeats"], result["seed"]) == (14, 5, 7)
    assert result["signatures"]["sari"].startswith("sari|variant:joshua|")
    assert result["signatures"]["bleu"].startswith("bleu|variant:easse|")


def test_numpy_numbers_are_taken_for_numbers() -> None:
    numbers: dict[str, Any] = {
        "repeats": np.int64(3),
        "seed": np.int8(127),
        "confidence": np.float64(0.5),
    }
    found = gaming.audit(["A cat sat on it."] * 3, **numbers, shares=np.array([0.5, 1.0]))  # type: ignore[arg-type]
    assert json.loads(json.dumps(found)) == found
    assert found == gaming.audit(
        ["A cat sat on it."] * 3, repeats=3, seed=127, confidence=0.5, shares=[0.5, 1.0]
    )


def test_the_seed_decides(corpus: dict[str, Any], result: dict[str, Any]) -> None:
    options: dict[str, Any] = {"shares": [0.3, 1.0], "repeats": 5}
    assert gaming.audit(**corpus, **options, seed=7) == result
    assert gaming.audit(**corpus, **options, seed=8)["curves"] != result["curves"]


def test_metrics_are_those_that_the_columns_allow(corpus: dict[str, Any]) -> None:
    def metrics(*names: str) -> list[str]:
        columns = {name: corpus[name] for name in ("predictions", *names)}
        return list(gaming.audit(**columns, shares=[1.0], repeats=1)["curves"])

    assert metrics() == metrics("sources") == ["fkgl"]
    assert metrics("references") == ["fkgl", "bleu"]
    assert metrics("sources", "references") == ["fkgl", "bleu", "sari"]


def test_the_table_has_a_row_per_point(result: dict[str, Any]) -> None:
    rows = list(gaming.rows(result))
    scores = sum(len(scores) for scores in result["curves"].values())
    assert len(rows) == scores * (1 + 6 * 2)
    assert rows[0] == {
        "metric": "fkgl",
        "score": "fkgl",
        "modification": "none",
        "share": 0.0,
        "mean": result["unchanged"]["fkgl"]["fkgl"],
        "low": result["unchanged"]["fkgl"]["fkgl"],
        "high": result["unchanged"]["fkgl"]["fkgl"],
    }
    assert rows[2]["modification"] == "random-period"
    assert rows[2]["share"] == 1.0
    assert rows[2]["mean"] == result["curves"]["fkgl"]["fkgl"]["random-period"]["mean"][1]


def test_the_csv_holds_the_table(result: dict[str, Any]) -> None:
    file = io.StringIO()
    gaming.write_csv(result, file)
    read = list(csv.DictReader(io.StringIO(file.getvalue())))
    assert list(read[0]) == list(gaming.COLUMNS)
    assert [float(row["mean"]) for row in read] == [row["mean"] for row in gaming.rows(result)]


def test_verdicts_tell_how_much_a_metric_moves() -> None:
    def curve(*means: float) -> dict[str, list[float]]:
        return {
            "mean": list(means),
            "low": [mean - 0.1 for mean in means],
            "high": [mean + 0.1 for mean in means],
        }

    result = {
        "shares": [0.1, 0.5, 1.0],
        "unchanged": {"fkgl": {"fkgl": 9.0}, "sari": {"sari": 40.0}},
        "curves": {
            "fkgl": {
                "fkgl": {
                    "random-the": curve(8.99, 8.96, 8.92),
                    "random-period": curve(8.5, 7.0, 6.0),
                    "replace-longest": curve(8.9, 8.5, 8.0),
                }
            },
            "sari": {
                "sari": {"random-the": curve(39.9, 39.5, 39), "random-period": curve(39, 37, 36)}
            },
        },
        "fooled": {"fkgl": ["random-period", "replace-longest"], "sari": []},
    }
    assert gaming.verdicts(result) == {
        "fkgl": "FKGL is fooled by 2 of 3 modifications. The one it likes best, random-period, "
        "moves it from 9.00 by -0.50 (to 8.50) when 10% of the lines are changed and by -3.00 (to "
        "6.00) when 100% are.",
        "sari": "SARI is fooled by none of 2 modifications. The one it minds least, random-the, "
        "moves it from 40.00 by -0.10 (to 39.90) when 10% of the lines are changed and by -1.00 "
        "(to 39.00) when 100% are.",
    }


def test_a_verdict_with_one_share_tells_it_once() -> None:
    result = gaming.audit(["A b c d ."], shares=[0.5], repeats=1, modifications=["random-the"])
    assert gaming.verdicts(result)["fkgl"].endswith("when 50% of the lines are changed.")


@pytest.mark.parametrize(
    ("gains", "fooled"),
    [
        ([0.1, 0.1, 0.1], True),
        ([0.09, 0.09, 0.09], False),  # doesn't show at one decimal
        ([-0.2, -0.2, -0.2], False),
        ([0.9, 1.0, 1.1], True),
        ([0.5, 1.0, 1.5], False),  # two standard deviations
        ([0.1, 2.0, 3.9], False),
    ],
)
def test_a_metric_is_fooled_beyond_the_noise_over_repeats(gains: list[float], fooled: bool) -> None:
    assert gaming._fools(np.array(gains)) == fooled


def test_a_change_too_small_to_matter_fools_no_metric() -> None:
    """Where "the" makes ten words with 14 syllables eleven with 15, the grade falls by 0.04."""
    texts = ["The old animal sat on a table with its mother."] * 3
    result = gaming.audit(texts, shares=[1.0], repeats=10, modifications=["random-the"])
    before, curve = result["unchanged"]["fkgl"]["fkgl"], result["curves"]["fkgl"]["fkgl"]
    assert before - 0.05 < curve["random-the"]["low"][0]
    assert curve["random-the"]["high"][0] < before - 0.03
    assert result["fooled"] == {"fkgl": []}
    assert gaming.verdicts(result)["fkgl"].startswith("FKGL is fooled by none of 1 modifications.")


def test_one_repeat_tells_of_no_noise(corpus: dict[str, Any]) -> None:
    result = gaming.audit(corpus["predictions"], shares=[1.0], repeats=1)
    assert result["fooled"] == {"fkgl": None}
    assert gaming.verdicts(result)["fkgl"].startswith(
        "A single repeat doesn't tell whether FKGL is fooled by any of 6 modifications. The one it "
        "minds least,"
    )


def test_fkgl_is_fooled(result: dict[str, Any]) -> None:
    assert gaming.verdicts(result)["fkgl"].startswith("FKGL is fooled by 4 of 6 modifications.")


def test_the_plot_has_a_panel_per_metric_and_a_curve_per_modification(
    result: dict[str, Any],
) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra report")
    figure = gaming.plot(result)
    assert [panel.get_title() for panel in figure.axes] == [
        "FKGL (default): lower is better",
        "BLEU (easse): higher is better",
        "SARI (joshua): higher is better",
    ]
    for panel in figure.axes:
        curves = [line for line in panel.lines if line.get_label() in MODIFICATIONS]
        assert len(curves) == 6
        assert list(curves[0].get_xdata()) == [0, 30, 100]
    figure.savefig(io.BytesIO(), format="png")


def test_a_plot_of_formulas_has_rows_of_four_panels_and_no_empty_one(
    corpus: dict[str, Any],
) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra report")
    figure = gaming.plot(
        gaming.audit(corpus["predictions"], shares=[1.0], repeats=2, readability=True)
    )
    titles = [panel.get_title() for panel in figure.axes]
    assert titles[:4] == [
        "FKGL (default): lower is better",
        "LIX: lower is easier",
        "RIX: lower is easier",
        "Flesch reading ease: higher is easier",
    ]
    assert len(titles) == 8
    assert figure.get_figwidth() == pytest.approx(4 * 3.4)
    with_bleu = gaming.audit(
        **{k: v for k, v in corpus.items() if k != "sources"},
        shares=[1.0],
        repeats=2,
        readability=True,
    )
    assert len(gaming.plot(with_bleu).axes) == 9
    figure.savefig(io.BytesIO(), format="png")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"modifications": ["random"]},
            "modifications: expected some of random-period, .*'random'",
        ),
        ({"modifications": []}, "modifications: expected some of"),
        ({"modifications": "random-the"}, "modifications: expected some of"),
        ({"shares": []}, "shares: expected ascending numbers, above 0 to 1, got"),
        ({"shares": [0.5, 0.2]}, "shares: expected ascending numbers"),
        ({"shares": [0.0, 0.2]}, "shares: expected ascending numbers"),
        ({"shares": [10, 20]}, "shares: expected ascending numbers"),
        ({"shares": 0.5}, "shares: expected ascending numbers"),
        ({"repeats": 0}, "repeats: expected an integer of at least 1, got 0"),
        ({"seed": -1}, "seed: expected an integer of at least 0, got -1"),
        ({"confidence": 95}, "confidence: expected a number between 0 and 1, got 95"),
        ({"confidence": None}, "confidence: expected a number between 0 and 1, got None"),
        ({"fkgl": "textstat"}, "fkgl: expected one of default, easse, paper, got 'textstat'"),
        ({"bleu": "cased"}, "bleu: expected one of easse, easse_sentence, sacrebleu, got 'cased'"),
        ({"sari": "joschua"}, "sari: expected one of easse, .*, got 'joschua'"),
        ({"predictions": ["a", 1]}, "row 1 of predictions"),
        ({"sources": ["a", "b"]}, "expected the same number of rows in every column"),
    ],
)
def test_bad_input_is_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        gaming.audit(**{"predictions": ["a b c ."], **options})
