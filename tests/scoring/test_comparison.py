"""Comparing systems on the same data."""

import json

import numpy as np
import pytest

import textsimp
from tests.scoring.comparing import COLUMNS, REFERENCES, SOURCES, SYSTEMS, only
from textsimp import ColumnMeans, InputError, compare
from textsimp.core.examples import Examples
from textsimp.core.significance import holm
from textsimp.metrics import catalogue
from textsimp.metrics.sari import Sari


def test_scores_are_those_of_each_system_alone():
    result = only(SYSTEMS, **COLUMNS, resamples=50)
    for name, predictions in SYSTEMS.items():
        alone = Sari.preset().score(
            predictions=predictions, **COLUMNS, confidence=0.95, resamples=50
        )
        assert result["systems"][name] == alone


@pytest.mark.parametrize(
    "metrics",
    [
        [Sari("xu"), "sari"],
        ["sari", Sari("xu")],
        [Sari(), Sari("xu"), Sari("xu", lowercase=False), Sari("xu", per_order=True)],
        [Sari(per_order=True), Sari()],
    ],
)
def test_every_configuration_of_a_metric_is_scored(metrics):
    found = textsimp.score(SYSTEMS, **COLUMNS, metrics=metrics, confidence=None)["splitter"]
    expected = [Sari() if metric == "sari" else metric for metric in metrics]
    assert [scores.metric for scores in found.values()] == expected


def test_headings_show_how_configurations_differ():
    metrics = [Sari(), Sari(lowercase=False), Sari("xu")]
    found = textsimp.score(SYSTEMS, **COLUMNS, metrics=metrics, confidence=None)
    heads = ["", "SARI (easse) case:lc ↑", "SARI (easse) case:mixed ↑", "SARI (xu) ↑"]
    assert found.grid().header == heads


@pytest.mark.parametrize("order", [["worse", "better"], ["better", "worse"]])
def test_without_a_baseline_systems_are_tested_against_the_best(order):
    """The best of each metric, by its direction; source and truncated source are none."""
    firsts = [row[0] for row in REFERENCES]
    texts = {"better": firsts, "worse": [f"{text} x y z" for text in firsts]}
    systems = {name: texts[name] for name in order}
    found = compare(systems, **COLUMNS, metric=["bleu", "sari"], resamples=20, baselines=True)
    assert {one.baseline for one in found.values()} == {"better"}
    assert "minus better (best)" in str(found)
    numbers = {name: {"ter": [n] * 12, "comet": [n] * 12} for name, n in (("a", 1.0), ("b", 2.0))}
    metrics = [ColumnMeans("lower", names="ter"), ColumnMeans(names="comet")]
    found = compare(numbers, metrics=metrics, resamples=20)
    assert [one.baseline for one in found.values()] == ["a", "b"]


def test_the_first_is_the_baseline_of_a_metric_without_a_direction():
    found = only(SYSTEMS, **COLUMNS, metric="edit_ops", resamples=20)
    assert found.baseline == next(iter(SYSTEMS))
    assert "(best)" not in str(found)


def test_differences_are_against_the_baseline():
    result = only({**SYSTEMS, "copy": SOURCES}, **COLUMNS, baseline="copy", resamples=50)
    assert list(result["differences"]) == ["splitter", "substituter"]
    for name, difference in result["differences"].items():
        for score in ("sari", "add", "keep", "delete"):
            expected = result["systems"][name][score] - result["systems"]["copy"][score]
            assert difference[score] == pytest.approx(expected, abs=1e-12)


def test_examples_are_compared_as_their_columns_are():
    systems = {name: {"predictions": predictions} for name, predictions in SYSTEMS.items()}
    given = Examples(COLUMNS, systems)
    assert only(given, resamples=50) == only(SYSTEMS, **COLUMNS, resamples=50)
    alone, expected = textsimp.score(given), textsimp.score(SYSTEMS, **COLUMNS)
    assert alone.to_dict() == expected.to_dict()


def test_the_result_is_plain_data_even_for_numpy_numbers():
    numbers = {"confidence": np.float32(0.75), "resamples": np.int32(20), "seed": np.int8(127)}
    result = only(SYSTEMS, **COLUMNS, **numbers)
    assert json.loads(json.dumps(result.to_dict())) == result
    assert result == only(SYSTEMS, **COLUMNS, confidence=0.75, resamples=20, seed=127)


def test_merged_metrics_of_different_systems_or_rows_are_not_one_table(tmp_path):
    def save(name, metric, system, rows):
        path = tmp_path / f"{name}.parquet"
        given = {column: texts[rows] for column, texts in COLUMNS.items()}
        textsimp.save(metric, path, predictions=SOURCES[rows], system=system, **given)
        return path

    first = save("first", Sari(), "a", slice(0, 12))
    bleu = textsimp.Bleu("easse")
    references = {"references": COLUMNS["references"]}
    for name, system, rows in (("b", "b", slice(0, 12)), ("a", "a", slice(0, 11))):
        given = {column: texts[rows] for column, texts in references.items()}
        textsimp.save(
            bleu, tmp_path / f"{name}.parquet", predictions=SOURCES[rows], system=system, **given
        )
        merged = textsimp.merge([first, tmp_path / f"{name}.parquet"])
        with pytest.raises(InputError):
            textsimp.score(merged)
        assert textsimp.score(merged, metrics="sari", confidence=None).to_markdown()


# What every system should beat -------------------------------------------------------------------

BASELINES = ["source unchanged", "source truncated"]


def test_baselines_are_scored_like_systems_when_they_are_asked_for():
    results = textsimp.score(SYSTEMS, **COLUMNS, baselines=True, resamples=50)
    assert [*results] == [*SYSTEMS, *BASELINES]
    unchanged = Sari().score(predictions=SOURCES, **COLUMNS, confidence=0.95, resamples=50)
    assert results["source unchanged"]["sari"] == unchanged
    assert textsimp.score(SYSTEMS, **COLUMNS, resamples=50) == {n: results[n] for n in SYSTEMS}


def test_nobody_is_best_where_the_source_is_ahead_shown_or_not():
    for shown in (False, True):
        found = compare(SYSTEMS, **COLUMNS, metrics=["sari", "bleu"], baselines=shown)
        assert [found[name].best for name in ("sari", "bleu")] == [["substituter"], []]
        assert [*found["bleu"].ahead] == BASELINES


def test_baselines_change_no_test_of_systems():
    plain = only(SYSTEMS, **COLUMNS, metric="bleu", resamples=200)
    found = only(SYSTEMS, **COLUMNS, metric="bleu", resamples=200, baselines=True)
    assert {*plain.systems} == {*SYSTEMS}
    assert found.baseline == plain.baseline
    (other,) = plain.differences
    assert found.differences[other] == plain.differences[other]
    assert found.baselines == BASELINES
    adjusted = found.differences["source unchanged"]["bleu"]
    assert adjusted.permutation_p_holm == 4 * adjusted.permutation_p  # two systems, two baselines
    assert found.detectable == plain.detectable


def test_a_single_system_may_be_compared_with_the_baselines():
    one = {"splitter": SYSTEMS["splitter"]}
    found = only(one, **COLUMNS, baselines=True, baseline="source unchanged", resamples=50)
    copied = only({"copy": SOURCES, **one}, **COLUMNS, baseline="copy", resamples=50)
    expected, test = (r.differences["splitter"]["sari"] for r in (copied, found))
    assert (test.value, test.permutation_p) == (expected.value, expected.permutation_p)
    assert found.detectable == copied.detectable


# Names that users type ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["metric", "metrics"])
def test_metric_and_metrics_are_the_same(name):
    systems = {system: texts[:12] for system, texts in SYSTEMS.items()}
    named = {name: "bleu", **{column: texts[:12] for column, texts in COLUMNS.items()}}
    results = textsimp.score(systems, **named, confidence=None)
    assert list(results["splitter"]) == ["bleu"]
    assert only(systems, **named, resamples=20)["signature"].startswith("bleu|")
    score = f"{results['splitter']['bleu'].main.value:.4f}"
    found = textsimp.explain(score, predictions=systems["splitter"], **named)
    assert found.matches[0].signature.startswith("bleu|")
    assert "BLEU" in textsimp.report.html(systems, **named, resamples=20)
    assert textsimp.trainer.make_reward(**{name: "bleu"})


def test_a_list_of_texts_is_the_system_predictions():
    results = textsimp.score(SYSTEMS["splitter"], **COLUMNS, confidence=None)
    assert results == textsimp.score(
        {"predictions": SYSTEMS["splitter"]}, **COLUMNS, confidence=None
    )
    assert "predictions" in textsimp.report.html(SYSTEMS["splitter"], **COLUMNS, resamples=20)


def signatures(**options):
    few = {name: texts[:3] for name, texts in COLUMNS.items()}
    results = textsimp.score(SYSTEMS["splitter"][:3], **few, **options, confidence=None)
    return {name: scores.signature for name, scores in results["predictions"].items()}


def test_an_option_is_for_all_metrics_that_have_it():
    found = signatures(metrics=["sari", "bleu", "readability"], tokenizer="intl", variant="xu")
    assert "|variant:xu|tok:intl|" in found["sari"]
    assert all("|tok:intl|" in signature for signature in found.values())
    own = "sari(tokenizer=char), bleu"
    found = signatures(metrics=own, tokenizer="intl", level="aligned", splitter="nltk-punkt-de")
    assert "|tok:char|" in found["sari"]
    assert all("|splitter:nltk-punkt-de" in signature for signature in found.values())


def test_a_language_sets_the_options_of_all_metrics():
    names = ["sari", "bleu", "fkgl_components", "simplification_stats", "readability"]
    found = signatures(metrics=names, language="de")
    parts = {name: signature.split("|") for name, signature in found.items()}
    assert all("tok:intl" in parts[name] for name in names[:4])
    assert all(any(p.startswith("splitter:nltk-punkt-de") for p in parts[n]) for n in names[2:])
    assert "syll:pyphen-de" in parts["fkgl_components"]
    assert "lang:de" in parts["readability"]
    assert signatures(metric="sari", language="de") == {"sari": found["sari"]}
    for some in (names, "fkgl"):
        assert signatures(metrics=some, language="en") == signatures(metrics=some)
    lexical = "simplification_stats(lexical_complexity=True)"
    assert "|lang:de|" in signatures(metrics=lexical, language="de")["simplification_stats"]


def test_a_language_without_formula_is_refused():
    names = ["sari", "bleu", "edit_ops", "f1_token", "split_f1"]
    catalogue.make_metrics(names, "metrics", language="hi")
    with pytest.raises(InputError):
        signatures(metrics=["sari", "readability"], language="hi")


@pytest.mark.parametrize(
    ("short", "name"), [("copy", "source unchanged"), ("truncation", "source truncated")]
)
def test_baselines_have_short_names(short, name):
    fast = {**COLUMNS, "metric": "sari", "resamples": 20}
    ours = SYSTEMS["splitter"]
    found = compare({"ours": ours}, **fast, baseline=short)["sari"]
    expected = compare({"ours": ours}, **fast, baselines=True, baseline=name)["sari"]
    assert found.differences["ours"] == expected.differences["ours"]
    assert short in found.baselines
    same = {"ours": ours, "same": COLUMNS["sources"]}
    assert compare(same, **fast, baseline=short)["sari"].baseline == short
    named = compare({"ours": COLUMNS["sources"], short: ours}, **fast, baseline=short)["sari"]
    assert (named.baseline, named.baselines) == (short, [])


# Several baselines -------------------------------------------------------------------------------


def test_differences_from_each_baseline_are_those_with_it_alone():
    """But for p-values adjusted for all three tests: both from copying, one from the other."""
    fast = {**COLUMNS, "metric": ["sari", "bleu"], "resamples": 200}
    both = compare(SYSTEMS, **fast, baseline=["copy", "splitter"])
    for name, found in both.items():
        assert found.baseline == "copy"
        assert [*found.other_differences] == ["splitter"]
        tests = []
        for baseline, differences in found.from_each.items():
            alone = compare(SYSTEMS, **fast, baseline=baseline)[name]
            assert not alone.other_differences
            for system, own in alone.differences.items():
                assert differences[system][name].interval == own[name].interval
                assert differences[system][name].permutation_p == own[name].permutation_p
            tests.append(differences["substituter"][name])
        tests.append(found.differences["splitter"][name])
        p_values = holm([test.permutation_p for test in tests])
        assert [test.permutation_p_holm for test in tests] == p_values
        back = found.other_differences["splitter"]["copy"][name].reversed
        assert back == found.differences["splitter"][name]


def test_only_comparisons_with_a_best_system_that_scores_chose_are_of_all_pairs():
    scores = np.random.default_rng(0).normal(0, 1, (4, 40)) + np.array([[0.9], [0.5], [0.3], [0]])
    systems = {f"s{i}": {"score": own} for i, own in enumerate(scores)}
    metric = textsimp.ColumnMeans(names="score")
    chosen = only(systems, metric=metric)
    planned = only(systems, metric=metric, baseline="s0")
    p_values = [test["score"].permutation_p for test in planned.differences.values()]
    assert p_values == [test["score"].permutation_p for test in chosen.differences.values()]
    for found, factors in ((planned, [3, 2, 1]), (chosen, [6, 3, 3])):
        adjusted = [test["score"].permutation_p_holm for test in found.differences.values()]
        assert adjusted == holm(p_values, factors)
        assert found.test("s0", "s3").permutation_p_holm == adjusted[-1]


def test_of_many_systems_one_that_is_far_worse_is_not_among_the_best():
    """Of 60 systems: 1,770 pairs, for which 1,000 swaps would give no p-value below 1."""
    rng = np.random.default_rng(0)
    ease = rng.normal(0, 1, 50)
    systems = {f"s{i}": {"score": ease + rng.normal(0, 1, 50)} for i in range(59)}
    found = only(
        {**systems, "far": {"score": ease - 3}}, metric=textsimp.ColumnMeans(names="score")
    )
    assert "far" not in found.best
    assert found.test("far", found.ranked[0]).permutation_p_holm < 0.001
    assert len(found.best) > 50


def test_marks_show_from_which_baselines_a_score_differs():
    near = [*SYSTEMS["splitter"][:-1], SYSTEMS["substituter"][-1]]
    systems = {**SYSTEMS, "near": near}
    found = compare(systems, **COLUMNS, baseline=["copy", "splitter"])
    rows = {row[0]: str(row[1]).partition(" ")[0] for row in found.grid().rows}
    marks = {name: "".join(c for c in text if c in "†‡") for name, text in rows.items()}
    assert marks["substituter"] == "†‡"
    assert marks["splitter"] == marks["near"] == "†"
    assert marks["copy"] == "‡"
    assert "† copy, ‡ splitter (paired permutation test, p < 0.05, Holm-adjusted" in str(found)
    assert r"$^{\dagger}$$^{\ddagger}$" in found.to_latex()
    assert "†‡" in found.to_markdown(intervals=False)


def test_a_caption_says_where_a_baseline_of_the_table_is_ahead():
    found = compare(SYSTEMS, **COLUMNS, metric=["sari", "bleu"], baseline=["copy", "truncation"])
    assert "By BLEU a baseline is ahead, so none is bold." in found.to_latex()
    alone = compare(SYSTEMS, **COLUMNS, metric=["sari"], baseline=["copy", "truncation"])
    assert "a baseline is ahead" not in alone.to_latex()


def test_records_have_a_row_for_each_baseline():
    found = compare(SYSTEMS, **COLUMNS, baseline=["copy", "splitter"], resamples=20)
    rows = [
        row for row in found.records() if (row["system"], row["score"]) == ("substituter", "sari")
    ]
    assert [row["baseline"] for row in rows] == ["copy", "splitter"]
    assert [row["difference"] for row in rows] == [
        found["sari"].differences["substituter"]["sari"].value,
        found["sari"].other_differences["splitter"]["substituter"]["sari"].value,
    ]


EXAMPLES = Examples(COLUMNS, {name: {"predictions": own} for name, own in SYSTEMS.items()})
WRONG = {
    "^metrics?: ": {"metric": "sari", "metrics": "sari"},
    "^metrics?: expected one of sari": {"metric": []},
    "^metrics?: expected metrics, as in": {"metric": [3]},
    "^metrics?: expected metrics, .* got {": {"metric": {"sari": {}}},
    "unknown option 'nothing' of sari: expected one of": {"metric": ["sari"], "nothing": 8},
    "^systems: expected a mapping from names to predictions": {"systems": [SOURCES, SOURCES]},
    "^systems: expected names, got 3": {"systems": {"a": SOURCES, 3: SOURCES}},
    "^baseline: expected one of .*, got 3": {"baseline": 3},
    "^baseline: expected one of .*, got \\[\\]": {"baseline": []},
    "^confidence: expected a number between 0 and 1, got None": {"confidence": None},
    "^per_example: expected True or False, got 'no'": {"per_example": "no"},
    "'bleux'": {"metrics": "bleux"},
    "^metrics?: .*xu.* twice": {"metrics": [Sari("xu"), Sari("xu")]},
    "^metrics?: fkgl .*'de'": {"metrics": ["sari", "fkgl"], "language": "de"},
    "lexicon=1": {"metrics": ["sari", "bleu"], "lexicon": 1},
    "splitter=": {"metrics": ["sari", "bleu"], "splitter": "nltk-punkt-de"},
    "^language: .*'xx'": {"metrics": ["sari"], "language": "xx"},
    "^metrics?: .*sari": {"metrics": [Sari()], "language": "de"},
    "^sources: ": {"systems": EXAMPLES},
    "^references: ": {"references": None},
    "row 1 of predictions of b": {"systems": {"a": SOURCES, "b": ["x", None, *SOURCES[2:]]}},
    "predictions of b has 47": {"systems": {"a": SOURCES, "b": SOURCES[1:]}},
    "^systems: ": {"systems": {"a": SOURCES}},
    "^baseline: .*'x'": {"baseline": "x"},
    "^baseline: .*'y'": {"baseline": ["copy", "y"]},
    "^baseline: .*'copy'": {"baseline": ["copy", "copy"]},
    "^baseline: .* 5$": {
        "systems": {**SYSTEMS, "a": SOURCES},
        "baseline": ["copy", "truncation", *SYSTEMS, "a"],
    },
    "^baselines: .*'yes'": {"baselines": "yes"},
    "^baselines: .*sources": {"sources": None, "metric": "bleu", "baselines": True},
}


@pytest.mark.parametrize("place", WRONG)
def test_what_is_wrong_is_told_with_its_place(place):
    with pytest.raises(InputError, match=place):
        compare(**{"systems": SYSTEMS, **COLUMNS, **WRONG[place]})


def test_few_examples_have_no_marks():
    few = {name: texts[:8] for name, texts in {**SYSTEMS, **COLUMNS}.items()}
    columns = {name: few.pop(name) for name in COLUMNS}
    with pytest.warns(UserWarning, match="8 examples"):
        found = compare(few, **columns, baseline=["copy", "splitter"])
    assert "†" not in str([row[1] for row in found.grid().rows])
