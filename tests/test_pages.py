"""What visitors of the pages see: the functions behind the buttons, without a browser."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import textsimp
from textsimp import Sari, catalogue
from textsimp.demo import build_compare, build_demo, build_splits
from textsimp.demo.examples import examples, labelled
from textsimp.metrics.information_errors import CATEGORIES

gradio = pytest.importorskip("gradio", reason="gradio is not installed")
pytest.importorskip("vl_convert", reason="vl-convert-python is not installed")

EXAMPLES = Path(__file__).parents[1] / "examples"
HOSTILE = "<script>alert(1)</script>"
SENTENCES = examples("sentences")
SOURCES = [row["source"] for row in SENTENCES]


def plain(shown: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", shown)).split())


def handlers(page: Any, action: str, output: str = "html") -> list[Any]:
    """The functions that an event or a button of this text starts, in the order of tabs."""
    return [
        function
        for function in page.fns.values()
        for block, event in function.targets
        if action in (event, getattr(page.blocks.get(block), "value", ""))
        and function.outputs
        and function.outputs[0].get_block_name() == output
    ]


def see(page: Any, action: str, tab: int = 0, **boxes: Any) -> str:
    """What is shown after a click, with some boxes filled in.

    Args:
        page: The page.
        action: What the button says, or an event such as ``"load"``.
        tab: Which of the buttons that say so.
        boxes: The first word of a label → value; a tuple for several boxes of the same label.
    """
    function = handlers(page, action)[tab]
    given: dict[str, Iterator[Any]] = {
        name: iter(value if isinstance(value, tuple) else (value,)) for name, value in boxes.items()
    }

    def value(block: Any) -> Any:
        label = (block.label or block.get_block_name()).split(" ")[0].strip(",")
        return next(given.get(label, iter(())), block.value)

    return str(function.fn(*map(value, function.inputs)))


def filled(page: Any) -> Any:
    """What "Fill in an example" puts into the boxes."""
    (function,) = {
        id(f): f
        for f in page.fns.values()
        for block, _ in f.targets
        if getattr(page.blocks.get(block), "value", "") == "Fill in an example"
    }.values()
    return function.fn()


def api(page: Any, name: str) -> Any:
    (function,) = [f for f in page.fns.values() if f.api_name == name]
    return function.fn


def row(shown: str, name: str) -> str:
    """The cells of a row of the first table that has it."""
    rows = (plain(found) for found in re.findall("<tr.*?</tr>", shown, flags=re.DOTALL))
    return next(found.removeprefix(f"{name} ") for found in rows if found.startswith(f"{name} "))


def compared(**boxes: Any) -> str:
    """What the page shows of three systems, with some boxes filled in otherwise."""
    page = build_compare()
    sources, references, *systems = filled(page)
    usual = {
        "Sources": sources,
        "References": references,
        "Name": (*systems[:3], ""),
        "Outputs": (*systems[3:], ""),
    }
    return see(page, "Compare", **{**usual, **boxes})


@pytest.fixture(scope="module")
def three() -> str:
    return compared()


# A metric


def test_labels_are_typed_side_by_side_and_texts_may_be_left_out() -> None:
    page = build_demo("information_errors")
    assert "1.000" in row(see(page, "load"), "information_errors")
    boxes = {"Insertion:": "0 0 1", "Deletion:": "2, -1", "Substitution:": ""}
    shown = see(page, "Score", **boxes, Source="", Prediction="")
    assert row(shown, "insertion_0") == "100.00"
    assert row(shown, "deletion_labelled") == row(shown, "substitution_labelled") == "0"
    wrong = see(page, "Score", **{**boxes, "Deletion:": "3"})
    assert "row 0 of deletion (counted from 0): expected one of 0, 1, 2, -1 or None" in plain(wrong)


def test_a_table_of_labels_is_filled_in_and_scored() -> None:
    page = build_demo("information_errors")
    shown = see(page, "Score", tab=1, dataframe=filled(page))
    labels = {name: [row[name] for row in labelled()[:12]] for name in CATEGORIES}
    expected = textsimp.InformationErrors().score(**labels)
    assert row(shown, "deletion_1").startswith(f"{expected['deletion_1']:.2f} [")
    assert "12 examples" in plain(shown)


def test_labels_come_from_a_table_file_only() -> None:
    page = build_demo("information_errors")
    shown = see(page, "Score", tab=2, a=str(EXAMPLES / "labels.jsonl"))
    assert "30 examples" in plain(shown)


def test_the_api_takes_what_else_a_metric_reads() -> None:
    score = api(build_demo("information_errors"), "score")
    found = score(**{name: [0, [1, 1, 0]] for name in CATEGORIES})
    assert found["deletion_rate"] == 0.5


def test_systems_are_compared_by_metrics_that_read_their_texts_only() -> None:
    page = build_compare()
    (metric,) = (b for b in page.blocks.values() if getattr(b, "label", "") == "metric")
    offered = [name for name, _ in metric.choices]
    assert "sari" in offered
    assert "information_errors" not in offered


def test_a_metrics_page_starts_with_the_scores_and_edits_of_an_example() -> None:
    shown = see(build_demo("sari"), "load")
    expected = Sari().score(
        sources=SOURCES[:1],
        predictions=[SENTENCES[0]["splitter"]],
        references=[SENTENCES[0]["references"]],
    )
    assert plain(shown).startswith("sari (easse), one example score value")
    assert row(shown, "sari") == f"{expected['sari']:.2f}"
    assert expected["signature"] in shown
    assert "<del" in shown.partition("Edits")[2]


def test_scores_are_headed_by_their_variants() -> None:
    shown = plain(see(build_demo(textsimp.load("sari", "xu")), "load"))
    assert shown.startswith("sari (xu), one example")


def test_examples_scores_have_the_decimals_of_the_table() -> None:
    shown = see(build_demo("edit_ops"), "load")
    (of_example,) = re.findall(r"1 · change_percentage ([\d.]+)", plain(shown))
    assert row(shown, "change_percentage").startswith(f"{of_example} ")
    compares = compared(metric="edit_ops", variant="paper", resamples=100)
    of_examples = re.findall(r"<small>.*? <b>([\d.]+)</b></small>", compares)
    assert all(re.fullmatch(r"\d+\.\d", score) for score in of_examples)


def test_one_example_has_no_interval() -> None:
    shown = see(build_demo("sari"), "Score", confidence="0.95")
    assert "[" not in plain(shown)


def test_a_table_is_scored_with_intervals_unless_they_are_switched_off() -> None:
    page = build_demo("sari")
    rows = filled(page)
    shown = see(page, "Score", tab=1, dataframe=rows, resamples=100)
    assert "12 examples" in shown
    assert re.fullmatch(r"\d\d\.\d\d \[\d\d\.\d\d, \d\d\.\d\d\]", row(shown, "sari"))
    assert shown.count('class="example"') == 12
    without = see(page, "Score", tab=1, dataframe=rows, confidence="(none)")
    assert re.fullmatch(r"\d\d\.\d\d", row(without, "sari"))


def test_files_are_scored_and_the_page_says_how_many_examples_it_shows() -> None:
    shown = see(
        build_demo("sari"),
        "Score",
        tab=2,
        sources=str(EXAMPLES / "source.txt"),
        references=[str(path) for path in sorted((EXAMPLES / "references").iterdir())],
        predictions=str(EXAMPLES / "systems" / "splitter.txt"),
        resamples=100,
    )
    assert "48 examples" in shown
    assert shown.count('class="example"') == 20
    assert "20 of 48 examples are shown." in shown


@pytest.mark.parametrize("order", ["lowest", "highest"])
def test_examples_are_ordered_by_their_scores(order: str) -> None:
    page = build_demo("sari")
    shown = see(
        page, "Score", 1, dataframe=filled(page), examples=f"{order} score first", resamples=100
    )
    scores = [float(value) for value in re.findall(r"· sari <b>([\d.]+)</b>", shown)]
    assert len(scores) == 12
    assert scores == sorted(scores, reverse=order == "highest")


def test_scores_of_sources_and_references_stand_beside_those_of_predictions() -> None:
    shown = see(build_demo("fkgl_components"), "load")
    assert "score predictions sources references" in " ".join(plain(shown).split()[:12])
    assert len(row(shown, "words").split()) == 3


def test_lists_of_scores_have_a_table_of_their_own() -> None:
    shown = plain(see(build_demo(textsimp.load("sari", per_order=True)), "load"))
    assert re.search(r"score 1 2 3 4 add_precision( \d+\.\d\d){4} add_recall", shown)


def test_lists_of_sources_and_references_stand_below_those_of_predictions() -> None:
    shown = plain(see(build_demo("edit_ops"), "load"))
    assert re.search(r"change_distribution( \d){10} of references( \d\.\d{3}){10}", shown)


def test_without_sources_texts_are_shown_without_marks() -> None:
    shown = see(build_demo("bleu"), "Score", Source="", Prediction=HOSTILE)
    assert "<h2>Texts</h2>" in shown
    assert "<h2>Edits</h2>" not in shown
    assert "&lt;script&gt;" in shown.partition("Texts")[2]
    assert not re.search("<del|<ins|<script", shown)


def test_what_is_wrong_is_told_in_place_of_scores() -> None:
    page = build_demo("sari")
    assert plain(see(page, "Score", Source=" ")) == "sari needs sources, and there are none"
    assert "weight: expected None or an integer from 1 to" in see(page, "Score", weight=0)
    assert "weight: expected None or an integer from 1 to" in see(page, "Score", weight=1.5)


def test_the_page_of_ones_own_metric_is_headed_by_its_class() -> None:
    class Mine(Sari):
        """SARI, but mine.

        More.
        """

        name = "mine"

    page = build_demo(SimpleNamespace(metric_class=Mine, defaults={"variant": "xu"}))
    assert page.title == "Mine"
    assert plain(see(page, "load")).startswith("sari (xu), one example")
    assert not [b for b in page.blocks.values() if getattr(b, "label", "") == "Metric card"]


def test_a_variant_sets_the_other_options() -> None:
    page = build_demo("sari")
    (function,) = handlers(page, "input", "dropdown")
    shown = dict(zip([b.label for b in function.outputs], function.fn("joshua"), strict=True))
    preset = Sari("joshua")
    assert shown["weight"] == preset.weight == 8
    assert shown["source_tokenizer"] == preset.source_tokenizer
    assert shown["lowercase"] is preset.lowercase


def test_a_program_scores_as_the_metric_does() -> None:
    columns = {
        "sources": SOURCES[:3],
        "predictions": [row["splitter"] for row in SENTENCES[:3]],
        "references": [row["references"] for row in SENTENCES[:3]],
    }
    found = api(build_demo("sari"), "score")(**columns, options={"variant": "xu"})
    assert found == Sari("xu").score(**columns, per_example=True).to_dict()


def test_a_program_is_told_what_is_wrong_in_words_that_a_page_can_show() -> None:
    score = api(build_demo("sari"), "score")
    columns = {"sources": ["a"], "predictions": ["a"], "references": [["a"]]}
    for change, message in (
        ({"sources": None}, "sources: sari needs this column"),
        ({"options": {"variant": "<b>"}}, "got '&lt;b&gt;'"),
        ({"options": {"resamples": 2001, "confidence": 0.95}}, "at most 2,000 on this page"),
    ):
        with pytest.raises(gradio.Error, match=message):
            score(**{**columns, **change})


# Several systems


def test_systems_are_ranked_and_tested_against_the_first(three: str) -> None:
    expected = textsimp.compare(
        {"source": SOURCES, "splitter": [row["splitter"] for row in SENTENCES]},
        sources=SOURCES,
        references=[row["references"] for row in SENTENCES],
    ).to_dict()
    difference = expected["differences"]["splitter"]
    low, high = difference["sari_interval"]
    cells = row(three, "splitter")
    assert cells.startswith(f"{expected['systems']['splitter']['sari']:.2f} [")
    assert f"{difference['sari']:+.2f} [{low:+.2f}, {high:+.2f}] 0.001 0.002 0.001 0.002" in cells
    assert row(three, "source unchanged").endswith("baseline")
    ranking = plain(three).partition("permutation")[2]
    assert 0 < ranking.index("substituter") < ranking.index("splitter") < ranking.index("baseline")


def test_p_values_of_several_systems_are_adjusted_on_the_page(three: str) -> None:
    assert "p, bootstrap Holm p, permutation Holm" in plain(three)
    assert "Holm: adjusted for the number of systems" in plain(three)
    assert "Beware" not in three


def test_all_scores_stand_side_by_side_and_four_are_drawn(three: str) -> None:
    _, _, scores = three.partition("All scores")
    assert re.fullmatch(r"(\d+\.\d\d ?){3}", row(scores, "keep"))
    assert re.findall(r'aria-label="(\w+) with intervals"', three) == [
        "sari",
        "add",
        "keep",
        "delete",
    ]


def test_the_comparison_can_be_saved(three: str) -> None:
    (data,) = re.findall(
        r'download="comparison.json" href="data:application/json;base64,(.*?)"', three
    )
    saved = json.loads(base64.b64decode(data))
    assert list(saved["systems"]) == ["source unchanged", "splitter", "substituter"]
    assert saved["baseline"] == "source unchanged"


def test_the_examples_that_differ_most_have_all_outputs_with_edits(three: str) -> None:
    cards = re.findall(r'<div class="example">.*?</div>', three, flags=re.DOTALL)
    assert len(cards) == 10
    spreads = []
    for card in cards:
        scores = [float(score) for score in re.findall(r"<small>.*? <b>([\d.]+)</b></small>", card)]
        assert len(scores) == 3
        spreads.append(max(scores) - min(scores))
        assert "<ins" in card
    assert spreads == sorted(spreads, reverse=True)


def test_another_system_can_be_the_baseline() -> None:
    shown = compared(baseline=" splitter ", resamples=100)
    assert row(shown, "splitter").endswith("baseline")
    assert "difference from splitter" in shown
    assert plain(compared(baseline="nobody")).startswith("baseline: expected one of source unchan")


def test_systems_need_different_names() -> None:
    shown = compared(Name=("a", "a", "b", ""))
    assert plain(shown) == "two systems are called 'a'"


def test_the_page_takes_ten_systems() -> None:
    systems = {f"system {i}": SOURCES[:2] for i in range(11)}
    with pytest.raises(gradio.Error, match="at most 10 systems, got 11"):
        api(build_compare(), "compare")(
            systems=systems, sources=SOURCES[:2], references=[["a"], ["b"]]
        )


def test_files_are_systems_named_after_them() -> None:
    shown = see(
        build_compare(),
        "Compare",
        tab=1,
        sources=str(EXAMPLES / "source.txt"),
        references=[str(path) for path in sorted((EXAMPLES / "references").iterdir())],
        systems=[str(EXAMPLES / "systems" / f"{name}.txt") for name in ("splitter", "substituter")],
        resamples=100,
    )
    assert row(shown, "splitter").endswith("baseline")
    assert "48 examples" in shown


def test_metrics_that_only_describe_leave_systems_in_their_order() -> None:
    shown = compared(metric="edit_ops", variant="paper", resamples=100)
    ranking = plain(shown.partition("</table>")[0])
    assert ranking.index("source unchanged") < ranking.index("splitter")
    assert ranking.index("splitter") < ranking.index("substituter")


def test_lists_of_scores_have_a_row_per_system_and_those_of_references_one() -> None:
    texts = "A b c\nD e f"
    shown = plain(
        compared(
            metric="edit_ops",
            variant="paper",
            Sources=texts,
            References=texts,
            Name=("one", "two", "", ""),
            Outputs=(texts, "D e f\nA b c", "", ""),
            resamples=100,
        )
    )
    assert shown.count("reference_change_distribution") == 1
    assert "change_distribution, one 2 [2, 2] 0" in shown
    assert "change_distribution, two 0 [0, 0] 0" in shown


def test_without_sources_systems_are_compared_too() -> None:
    shown = compared(metric="bleu", variant="sacrebleu", Sources="", resamples=100)
    assert plain(shown).startswith("bleu (sacrebleu), 48 examples system bleu (sacrebleu) interval")
    assert re.search(r"precisions, splitter( \d+\.\d\d \[\S+ \S+\]){4}", plain(shown))
    assert not re.search("<del|<ins", shown.partition("differs most")[2].partition("Example")[2])


def test_a_metric_brings_its_variants() -> None:
    (function,) = handlers(build_compare(), "input", "dropdown")
    changed = function.fn("d_sari")
    presets = list(catalogue.metric_class("d_sari").presets)
    assert [value for _, value in changed.choices] == presets
    assert changed.value == presets[0]


def test_a_program_compares_as_the_function_does() -> None:
    systems = {"a": ["The cat sat."], "b": ["A cat sat."]}
    columns = {"sources": ["The feline sat."], "references": [["A cat sat."]]}
    compare = api(build_compare(), "compare")
    found = compare(systems=systems, **columns, options={"resamples": 100})
    assert found == textsimp.compare(systems, **columns, resamples=100).to_dict()
    with pytest.raises(gradio.Error, match=r"a has 2, .*b has 1"):
        compare(systems={"a": ["x", "y"], "b": ["x"]}, **columns)


# The splits of a corpus


def test_subsets_are_drawn_as_operations_and_change_percentages() -> None:
    page = build_splits()
    shown = see(page, "Measure", A=filled(page))
    assert re.findall(r'<svg role="img" aria-label="([^"]*)"', shown) == [
        "Shares of operations, by subset",
        "Change percentages, by subset",
    ]
    assert "<img" not in shown
