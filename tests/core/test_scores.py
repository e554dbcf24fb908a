"""Scores are values with fields, and mappings of the plain dict that `evaluate` and JSON hold."""

import copy
import json
import pickle
import re
from collections.abc import Mapping

import pandas
import pytest
from hypothesis import given

import textsimp
from tests import strategies
from textsimp import Bleu, EditOps, FkglComponents, Sari
from textsimp.core.comparisons import Comparisons
from textsimp.core.scores import Scores, Value

SOURCES = ["A feline sat on the mat.", "It rained, so we left.", "Nobody knows."]
PREDICTIONS = ["A cat sat on the mat.", "It rained. We left.", "Nobody knows."]
REFERENCES = [["A cat sat."], ["It rained. So we left.", "We left."], ["No one knows."]]
COLUMNS = {"sources": SOURCES, "references": REFERENCES}
SAMPLES = {"confidence": 0.9, "resamples": 20}
SYSTEMS = {"copy": SOURCES, "our_system": PREDICTIONS}


def scored(metric, **options):
    return metric.score(predictions=PREDICTIONS, **COLUMNS, **options)


@pytest.fixture(scope="module")
def sari():
    return scored(Sari(), per_example=True, **SAMPLES)


@pytest.fixture(scope="module")
def edits():
    return scored(EditOps(), per_example=True, **SAMPLES)


@pytest.fixture(scope="module")
def results():
    return textsimp.score(SYSTEMS, metrics=["sari", "bleu"], **COLUMNS, **SAMPLES)


@pytest.fixture(scope="module")
def comparison():
    return textsimp.compare(SYSTEMS, **COLUMNS, **SAMPLES, baseline="copy")["sari"]


# One metric, one system -----------------------------------------------------------------------


def test_scores_are_a_mapping_equal_to_the_plain_dict(sari):
    assert isinstance(sari, Mapping)
    assert [*sari.items()] == [*sari.to_dict().items()]
    assert "sari_interval" in sari


def test_each_score_has_its_value_interval_and_rows(sari):
    assert sari.main is sari.predictions["sari"]
    for name, value in sari.predictions.items():
        assert value.value == sari[name]
        assert value.interval == sari[f"{name}_interval"]
        assert value.per_example == sari[f"{name}_per_example"]
        assert not value.many


def test_scores_of_sources_and_references_are_apart_from_those_of_predictions():
    found = scored(FkglComponents())
    assert list(found.sides()) == ["predictions", "sources", "references"]
    for side, prefix in (("predictions", ""), ("sources", "source_"), ("references", "reference_")):
        assert found.sides()[side]["fkgl"].value == found[f"{prefix}fkgl"]
    alone = FkglComponents().score(predictions=PREDICTIONS)
    assert list(alone.sides()) == ["predictions"]
    assert alone.sources == alone.references == {}


@given(columns=strategies.columns())
def test_plain_dicts_survive_json(columns):
    for metric in (Sari(per_order=True), EditOps(), Bleu(), FkglComponents()):
        plain = metric.score(**columns, per_example=True, confidence=0.9, resamples=3).to_dict()
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_the_line_for_a_paper_has_score_interval_and_signature(sari):
    low, high = sari["sari_interval"]
    line = f"SARI {sari['sari']:.2f} [{low:.2f}, {high:.2f}] ({sari.signature})"
    assert str(sari) == repr(sari) == line
    assert sari.signature == Sari().signature(REFERENCES)
    assert str(scored(Sari())) == f"SARI {sari['sari']:.2f} ({sari.signature})"


def test_tables_show_predictions_beside_sources_and_references():
    found = scored(FkglComponents())
    header, _, first, *_ = found.to_markdown().splitlines()
    assert header == "|  | predictions | sources | references |"
    shown = [found[f"{side}fkgl"] for side in ("", "source_", "reference_")]
    assert first == f"| FKGL | {' | '.join(f'{value:.2f}' for value in shown)} |"
    assert found.to_markdown().endswith(f"\n`{found.signature}`\n")


def test_tables_show_several_numbers_side_by_side_and_counts_without_decimals():
    rows = [line.split(" | ") for line in scored(EditOps()).to_markdown().splitlines()]
    found = {row[0].removeprefix("| "): row[1:] for row in rows if len(row) == 3}
    assert found["Change distribution"][0] == "1 1 0 0 1 0 0 0 0 0"
    assert found["Inserted"] == ["0", "1.000 |"]  # that of references is a mean
    assert found["Kept"] == ["10", "5.00 |"]


# Several systems, several metrics -------------------------------------------------------------

SENTENCES = [f"The feline sat upon mat number {i} and did nothing at all." for i in range(20)]
SIMPLE = [f"The cat sat on mat {i}." for i in range(20)]
MANY = {"sources": SENTENCES, "references": SIMPLE}
THREE = {"copy": SENTENCES, "ours": SIMPLE, "theirs": [*SIMPLE[:19], SENTENCES[19]]}


@pytest.fixture(scope="module")
def three():
    return textsimp.score(THREE, metrics=["sari", "fkgl_components"], **MANY, resamples=200)


@pytest.fixture(scope="module")
def tested():
    return textsimp.compare(THREE, **MANY, resamples=200, baseline="copy")


def signatures(results):
    return [scores.signature for scores in results["ours"].values()]


TEXT = """\
                SARI (easse) ↑  FKGL (textsimp's count)
copy         4.63 [4.63, 4.63]        4.82 [4.82, 4.82]
ours    ☆ 75.00 [75.00, 75.00]     -1.45 [-1.45, -1.45]
theirs  ☆ 72.97 [68.70, 75.00]     -0.96 [-1.45, -0.07]"""
MARKDOWN = """\
|  | SARI (easse) ↑ | FKGL (textsimp's count) |
| --- | ---: | ---: |
| copy | 4.63 [4.63, 4.63] | 4.82 [4.82, 4.82] |
| ours | **75.00** [75.00, 75.00] | -1.45 [-1.45, -1.45] |
| theirs | **72.97** [68.70, 75.00] | -0.96 [-1.45, -0.07] |"""
LATEX = r"""
copy & 4.63 [4.63, 4.63] & 4.82 [4.82, 4.82] \\
ours & \textbf{75.00} [75.00, 75.00] & $-$1.45 [$-$1.45, $-$1.45] \\
theirs & \textbf{72.97} [68.70, 75.00] & $-$0.96 [$-$1.45, $-$0.07] \\
"""
BEST = (
    "the best system, and all that do not differ significantly from it (paired permutation test, p"
)
EACH = "0.05, Holm-adjusted, each metric by itself)"


def test_systems_that_do_not_differ_from_the_best_are_marked_and_in_bold(three):
    """FKGL ranks nobody."""
    assert three.best == {"sari": ["ours", "theirs"], "fkgl_components": []}
    table, _, notes = str(three).partition("\n\n")
    legend = "☆ the best score, and those not significantly different from it"
    test = "(paired permutation test at p < 0.05, Holm-adjusted, each metric by itself)"
    assert (table, notes.split("\n")) == (TEXT, [f"{legend} {test}", *signatures(three)])
    table, meaning, notes = three.to_markdown().split("\n\n")
    assert (table, meaning) == (MARKDOWN, f"Bold: {BEST} >= {EACH}.")
    assert notes.splitlines() == [f"`{signature}`" for signature in signatures(three)]
    assert three._repr_markdown_() == three.to_markdown()


def test_latex_of_scores_is_a_table_whose_caption_says_what_a_reader_needs(three):
    latex = three.to_latex()
    assert f"\\midrule{LATEX}\\bottomrule" in latex
    caption = latex.partition("\\raggedright ")[2].partition("}\n\\end{table")[0]
    *sentences, sari, _ = caption.split("\n")
    assert sentences == [
        "Scores on 20 examples, 1 reference each.",
        r"In brackets: 95~\% bootstrap intervals.",
        rf"Bold: {BEST}~$\geq$~{EACH}.",
    ]
    shown = sari.replace(r"\textbar{}\allowbreak{}", "|").replace("$-$", "-")
    assert shown == signatures(three)[0]
    assert "brackets" not in three.to_latex(intervals=False)


def test_a_single_best_system_has_a_mark_of_its_own():
    two = {"copy": SENTENCES, "ours": SIMPLE}
    text = str(textsimp.score(two, **MANY, resamples=200))
    assert re.findall("[★☆] (75|4|significantly)", text) == ["75", "significantly"]
    assert "★ significantly the best system (" in text


def test_nothing_is_bold_without_intervals_of_one_system_or_of_one_example():
    one = {"sources": ["a b c"], "references": ["a b"]}
    for results in (
        textsimp.score(THREE, **MANY, confidence=None),
        textsimp.score({"ours": SIMPLE}, **MANY, resamples=20),
        textsimp.score({"a": ["a b"], "b": ["a"]}, **one, resamples=20),
    ):
        assert "bold" not in results.to_latex().lower()
        assert "**" not in results.to_markdown()


@pytest.mark.parametrize(("examples", "marked"), [(9, False), (10, True)])
def test_nothing_is_marked_with_fewer_than_ten_examples(examples, marked):
    shared = {name: column[:examples] for name, column in MANY.items()}
    systems = {name: outputs[:examples] for name, outputs in THREE.items()}
    results = textsimp.score(systems, **shared, resamples=200)
    comparison = textsimp.compare(systems, **shared, resamples=200, baseline="copy")
    assert [r"\textbf{" in found.to_latex() for found in (results, comparison)] == [marked] * 2
    assert comparison["sari"].p_cell("ours").endswith("*") == marked


def test_bold_is_decided_at_the_level_that_goes_with_the_intervals():
    strict = textsimp.score(THREE, **MANY, confidence=0.999, resamples=200)
    assert strict.best == {"sari": ["ours", "theirs"]}
    assert "p >= 0.001, Holm-adjusted)" in strict.to_markdown()


def test_an_arrow_says_whether_lower_scores_are_better():
    metric = textsimp.ColumnMeans("lower", names="ter")
    results = textsimp.score({"a": {"ter": [1.0]}}, metrics=metric, confidence=None)
    assert results.grid().header[1].endswith(" ↓")


def test_tables_may_leave_intervals_out(results, comparison):
    for found in (results, comparison):
        assert re.search(r"\d, ", found.to_latex())
        for text in (found.to_latex(intervals=False), found.to_markdown(intervals=False)):
            assert not re.search(r"\d, ", text.partition("caption")[0])
    difference = comparison.differences["our_system"]["sari"].value
    assert f" & +{difference:.2f} & " in comparison.to_latex(intervals=False)


# Against a baseline ---------------------------------------------------------------------------

TESTED = """\
                SARI (easse) ↑               minus copy       p
copy         4.63 [4.63, 4.63]
ours    ☆ 75.00 [75.00, 75.00]  +70.37 [+70.37, +70.37]  0.010*
theirs  ☆ 72.97 [68.70, 75.00]  +68.34 [+64.07, +70.37]  0.010*"""
BOTH_TESTS = """\
|  | SARI (easse) ↑ | minus copy | p, bootstrap | Holm | p, permutation | Holm |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| copy | 4.63 [4.63, 4.63] |  |  |  |  |  |
| ours | **75.00** [75.00, 75.00] | +70.37 [+70.37, +70.37] | 0.005 | 0.010 | 0.005 | 0.010 |
| theirs | **72.97** [68.70, 75.00] | +68.34 [+64.07, +70.37] | 0.005 | 0.010 | 0.005 | 0.010 |"""


def test_a_comparison_prints_differences_with_one_p_value_or_all(tested):
    table, _, notes = str(tested).partition("\n\n")
    assert table == TESTED
    expected = "p: paired permutation test against the system in the heading, Holm-adjusted; "
    assert f"\n{expected}* p < 0.05\n" in notes
    table, meaning, _ = tested["sari"].to_markdown().split("\n\n")
    assert (table, meaning) == (BOTH_TESTS, f"Bold: {BEST} >= 0.05, Holm-adjusted).")
    one = tested["sari"].differences["ours"]["sari"]
    plain = tested["sari"]["differences"]["ours"]
    assert plain["sari_permutation_p_holm"] == one.permutation_p_holm == 2 * one.permutation_p


def test_of_one_difference_there_is_no_other_p_value(comparison):
    header, *_ = comparison.to_markdown().splitlines()
    assert header == "|  | SARI (easse) ↑ | minus copy | p, bootstrap | p, permutation |"


def test_a_comparison_has_fields_and_is_a_mapping_of_the_plain_dict(comparison):
    assert comparison["systems"]["copy"] == comparison.systems["copy"].to_dict()
    assert comparison.baseline == "copy"
    assert (comparison.confidence, comparison.resamples, comparison.seed) == (0.9, 20, 0)


def test_a_comparison_has_the_same_in_bold_as_results(three):
    for baseline in THREE:
        found = textsimp.compare(THREE, **MANY, resamples=200, baseline=baseline)["sari"]
        assert list(found.best) == found["best"] == three.best["sari"]
        assert found.to_latex().count(r"\textbf{") == 2


def test_several_comparisons_are_one_table_with_the_columns_of_each():
    found = textsimp.compare(THREE, **MANY, metric=["sari", "bleu"], resamples=200, baseline="copy")
    assert isinstance(found, Comparisons)
    heads = ["SARI (easse) ↑", "minus copy", "p", "BLEU (easse) ↑", "minus copy", "p"]
    assert found.grid().header == ["", *heads]
    sari, bleu = (comparison.grid().rows for comparison in found.values())
    rows = [[*left[:3], *right[1:3]] for left, right in zip(sari, bleu, strict=True)]
    assert [[*row[:3], *row[4:6]] for row in found.grid().rows] == rows
    assert json.loads(json.dumps(found)) == {name: one.to_dict() for name, one in found.items()}


# Rows for pandas -------------------------------------------------------------------------------

KEYS = ["system", "metric", "score", "example", "value", "low", "high", "n"]


@pytest.mark.parametrize("metrics", ["sari", ["sari", "edit_ops"]])
@pytest.mark.parametrize("call", [textsimp.score, textsimp.compare])
def test_results_of_one_metric_or_several_have_a_row_per_number(call, metrics):
    found = call(SYSTEMS, metrics=metrics, **COLUMNS, **SAMPLES, per_example=True)
    names = [metrics] if isinstance(metrics, str) else metrics
    frame = found.to_pandas()
    assert list(frame.columns)[: len(KEYS)] == KEYS
    assert found.records()[0]["example"] is None
    for name in names:
        scores = found["copy"][name] if call is textsimp.score else found[name].systems["copy"]
        own = frame[(frame.system == "copy") & (frame.metric == name)]
        whole = own[own.example.isna()].set_index("score")
        main = name if name == "sari" else "insert"
        assert (whole.value[main], whole.n[main]) == (scores[main], 3)
        assert [whole.low[main], whole.high[main]] == scores[f"{main}_interval"]
        rows = own[(own.score == main) & own.example.notna()]
        assert rows.example.tolist() == [0, 1, 2]
        assert rows.value.tolist() == scores[f"{main}_per_example"]
        assert rows.low.isna().all()
        assert set(rows.n) == {1}
        if name == "edit_ops":
            assert whole.value["reference_insert"] == scores["reference_insert"]
            bins = [whole.value[f"change_distribution[{j}]"] for j in range(10)]
            assert bins == scores["change_distribution"]


def test_rows_of_a_comparison_have_differences_and_tests():
    found = textsimp.compare(SYSTEMS, **COLUMNS, **SAMPLES, baseline="copy")
    frame = found.to_pandas().set_index(["system", "score"])
    own, baseline = frame.loc["our_system", "sari"], frame.loc["copy", "sari"]
    test = found["sari"].differences["our_system"]["sari"]
    shown = [own.difference, own.difference_low, own.difference_high, own.permutation_p]
    assert shown == [test.value, *test.interval, test.permutation_p]
    assert (own.baseline, own.best) == ("copy", True)
    assert pandas.isna([baseline.difference, baseline.permutation_p]).all()


def test_one_example_has_no_p_values_and_the_table_says_so():
    columns = {"sources": ["a b c"], "references": ["a b"]}
    systems = {"copy": ["a b c"], "ours": ["a b"]}
    with pytest.warns(UserWarning, match=r"^one example: "):
        found = textsimp.compare(systems, **columns, baseline="copy")["sari"]
    plain = found["differences"]["ours"]
    assert [plain[name] for name in plain if name.startswith("sari_") and "_p" in name] == [
        None
    ] * 4
    ours, *_ = [line for line in found.to_markdown().splitlines() if line.startswith("| ours")]
    assert ours.endswith("] |  |  |")
    assert "`one example: no test" in found.to_markdown()
    assert found.best == []


def test_few_examples_are_compared_with_a_warning_where_it_was_asked(recwarn):
    for n in (9, 10):
        columns = {"sources": SENTENCES[:n], "references": SIMPLE[:n]}
        systems = {name: rows[:n] for name, rows in THREE.items()}
        textsimp.compare(systems, **columns, metric=["sari", "bleu"], resamples=20, baseline="copy")
    (warning,) = recwarn
    assert str(warning.message).startswith("9 examples: the bootstrap cannot test so few")
    assert warning.filename == __file__


# All of them ----------------------------------------------------------------------------------


def test_json_takes_results_as_they_are(sari, results, comparison):
    for found in (sari, results, comparison):
        assert json.loads(json.dumps(found, allow_nan=False)) == found.to_dict() == found


@pytest.mark.parametrize("made", ["sari", "edits", "results", "comparison"])
@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))]
)
def test_copies_and_pickles_are_equal(made, again, request):
    value = request.getfixturevalue(made)
    found = again(value)
    assert type(found) is type(value)
    assert found.to_dict() == value.to_dict()
    assert found.to_markdown() == value.to_markdown()
    assert str(found) == str(value)


def test_a_main_score_of_several_numbers_prints_them_side_by_side(sari):
    many = Scores(**{**vars(sari), "predictions": {"sari": Value([1.5, 20.25])}})
    assert str(many) == f"SARI 1.50 20.25 ({sari.signature})"
