"""What visitors of the pages see: the functions behind the buttons, without a browser."""

import csv
import io
import json
import re
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest

import textsimp
from tests import given
from tests.demo.pages import files, filled, handlers, page, plain, see
from tests.project import EXAMPLES
from textsimp import Sari, hub, report
from textsimp.core import tables
from textsimp.core.metric import extra_required_columns
from textsimp.demo import build_demo
from textsimp.demo.example_corpus import SYSTEMS, examples
from textsimp.metrics import catalogue
from textsimp.metrics.information_errors import CATEGORIES

gradio = pytest.importorskip("gradio", reason="gradio is not installed")

HOSTILE = "<script>alert(1)</script>"
SENTENCES = examples("sentences")
SOURCES = [row["source"] for row in SENTENCES]


def cells(shown, score):
    """What stands beside a score, whose range stands below its name."""
    for found in re.findall("<tr.*?</tr>", shown, flags=re.DOTALL):
        heading, *others = re.findall("<t[hd].*?</t[hd]>", found, flags=re.DOTALL)
        if plain(heading.partition("<small>")[0].replace("<wbr>", "")) == score:
            return " ".join(map(plain, others))
    raise AssertionError(f"no row of {score}")


def report_text(tab=0, **boxes):
    """The report on two systems, with some boxes filled in otherwise; or a message."""
    shown = see(page("compare"), "Compare", tab, **boxes)
    document = re.search(r'<iframe [^>]*srcdoc="([^"]*)"></iframe>', shown)
    return unescape(document[1]) if document else plain(shown)


# A metric


def test_labels_are_typed_side_by_side_and_texts_may_be_left_out():
    site = page("information_errors")
    assert "1.000" in cells(see(site, "open"), "Information errors")
    boxes = {"Insertion:": "0 0 1", "Deletion:": "2, -1", "Substitution:": ""}
    shown = see(site, "Score", **boxes, Source="", Prediction="")
    expected = {"Insertion 0": "100.00", "Deletion labelled": "0", "Substitution labelled": "0"}
    assert {name: cells(shown, name).split()[0] for name in expected} == expected
    wrong = see(site, "Score", **{**boxes, "Deletion:": "3"})
    assert "row 0 of deletion (counted from 0): expected one of 0, 1, 2, -1 or None" in plain(wrong)


def test_a_table_of_labels_is_scored():
    shown = see(page("information_errors"), "Score", tab=1, Text=[str(EXAMPLES / "labels.jsonl")])
    rows = examples("labels")
    labels = {name: [row[name] for row in rows] for name in CATEGORIES}
    expected = textsimp.InformationErrors().score(**labels)
    assert cells(shown, "Deletion 1").startswith(f"{expected['deletion_1']:.2f} [")
    assert f"{len(rows)} examples" in plain(shown)


def test_items_are_typed_one_per_line():
    site = page("lexical_substitution")
    boxes = {"Gold": "send\nuse\nuse", "Substitutes": "send\n\nuse"}
    shown = see(site, "Score", Target="deploy", **boxes)
    assert cells(shown, "ACC@1@Top1").startswith("0.0000")
    assert cells(shown, "ACC@2@Top1") == "1.0000 0.0000 from 1.0000"


def test_systems_are_compared_by_metrics_that_read_their_texts_only():
    site = page("compare")
    (metric,) = (b for b in site.blocks.values() if getattr(b, "label", "") == "Metric")
    offered = [name for _, name in metric.choices]
    assert "sari" in offered
    assert "information_errors" not in offered


def test_a_metrics_page_starts_with_the_scores_and_edits_of_an_example():
    shown = see(page("sari"), "open")
    expected = Sari().score(
        sources=SOURCES[:1],
        predictions=[SENTENCES[0]["splitter"]],
        references=[SENTENCES[0]["references"]],
    )
    assert plain(shown).startswith("SARI, one example SARI (easse), EASSE's default")
    assert cells(shown, "SARI") == f"{expected['sari']:.2f}"
    assert expected["signature"] in shown
    assert "<del" in shown.partition("Edits")[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", hub.names())
def test_every_metric_scores_an_example_at_once(name):
    metric = catalogue.metric_class(name)
    kind = {"samsa": "parses", "lexical_substitution": "substitutes"}.get(name, "labels")
    row = examples(kind)[0]
    if not extra_required_columns(metric):
        row = examples(metric.reads)[0]
        row = {**row, "prediction": row[SYSTEMS[metric.reads][0]]}
    columns = {c.name: [row.get(c.name, row.get(c.usual_names[0]))] for c in metric.columns}
    expected = metric.preset().score(**columns)
    value = expected.main.value
    shown = see(page(name), "open")
    places = tables.count_decimals([value], metric.scores[0])
    assert cells(shown, metric.scores[0].title).split()[0] == tables.number(value, places)
    assert expected.signature in shown


def test_examples_scores_have_the_decimals_of_the_table():
    shown = see(page("edit_ops"), "open")
    (of_example,) = re.findall(r"1 · Change percentage ([\d.]+)", plain(shown))
    assert cells(shown, "Change percentage").startswith(f"{of_example} ")


TEXTS = [str(EXAMPLES / "source.txt"), *map(str, sorted((EXAMPLES / "references").iterdir()))]
FILES = {"tab": 1, "Text": [*TEXTS, str(EXAMPLES / "systems" / "splitter.txt")]}


def test_files_are_scored_and_the_page_says_how_many_examples_it_shows():
    shown = see(page("sari"), "Score", **FILES)
    assert "48 examples" in shown
    assert re.fullmatch(r"\d\d\.\d\d \[\d\d\.\d\d, \d\d\.\d\d\]", cells(shown, "SARI"))
    assert shown.count('class="example"') == 20
    assert "20 of 48 examples are shown." in shown


def test_data_checks_stand_above_the_scores(tmp_path):
    shown = plain(see(page("sari"), "Score", Prediction=""))
    assert shown.startswith("SARI, one example SARI (easse), EASSE's default")
    assert " order. Data checks: 1 problem the system: 1 output is empty (example 1)" in shown
    outputs = [row["splitter"] for row in SENTENCES]
    shifted = given.write(tmp_path / "ours.txt", [*outputs[1:], outputs[0]])
    boxes = {**FILES, "Text": [*TEXTS, str(shifted)]}
    assert "ours seems shifted" in see(page("sari"), "Score", **boxes)
    compared = see(page("compare"), "Compare", **boxes)
    assert "ours seems shifted" in compared.partition("<iframe")[0]
    assert "Data checks" not in see(page("sari"), "open")


def test_without_sources_only_empty_outputs_are_found():
    fkgl = page("fkgl_components")
    shown = plain(see(fkgl, "Score", Source="", Prediction=""))
    assert "Data checks: 1 problem the system: 1 output is empty (example 1) score" in shown
    assert "Data checks" not in see(fkgl, "Score", Source="")


def test_a_modules_page_starts_with_its_options_and_lists_stand_side_by_side():
    site = build_demo(textsimp.load("sari", "xu", per_order=True))
    (variant,) = [b for b in site.blocks.values() if getattr(b, "label", "") == "Variant"]
    assert variant.value == "xu"
    shown = see(site, "open")
    assert re.match(r"\d+\.\d\d( \d+\.\d\d){3}$", cells(shown, "add, precision"))


def test_without_sources_texts_are_shown_without_marks():
    shown = see(page("bleu"), "Score", Source="", Prediction=HOSTILE)
    assert "<h2>Texts</h2>" in shown
    assert "<h2>Edits</h2>" not in shown
    assert "&lt;script&gt;" in shown.partition("Texts")[2]
    assert not re.search("<del|<ins|<script", shown)


def test_what_is_wrong_is_shown_in_place_of_scores():
    site = page("sari")
    assert plain(see(site, "Score", Source=" ")) == "sari needs sources, and there are none"
    assert "weight: expected an integer from 1 to" in see(site, "Score", Weight=0)
    assert "weight: expected an integer from 1 to" in see(site, "Score", Weight=1.5)


def test_the_page_of_ones_own_metric_is_headed_by_its_class():
    class Mine(Sari):
        """SARI, but mine.

        More.
        """

        name = "mine"

    site = build_demo(SimpleNamespace(metric_class=Mine, defaults={"variant": "xu"}))
    assert site.title == "Mine"
    assert plain(see(site, "open")).startswith("SARI, one example SARI (xu), the script of 2016")
    assert not [b for b in site.blocks.values() if getattr(b, "label", "") == "Metric card"]


def test_a_variant_sets_the_other_options():
    site = page("sari")
    (function,) = handlers(site, "input", "dropdown")
    shown = dict(zip([b.label for b in function.outputs], function.fn("joshua"), strict=True))
    preset = Sari("joshua")
    assert shown["Weight"] == preset.weight == 8
    assert shown["Source tokenizer"] == preset.source_tokenizer
    assert shown["Lowercase"] is preset.lowercase


# Several systems


def test_the_report_on_the_systems_stands_in_a_frame_that_reaches_nothing_else():
    site = page("compare")
    assert plain(see(site, "Compare", Outputs=("",) * 4)) == "there is nothing to score"
    shown = see(site, "Compare")
    (sandbox,) = re.findall(r'<iframe [^>]*sandbox="([^"]*)"', shown)
    assert {*sandbox.split()} == {"allow-scripts", "allow-downloads"}  # so it has no origin
    expected = report.html(
        {name: [row[name] for row in SENTENCES] for name in ("splitter", "substituter")},
        sources=SOURCES,
        references=[row["references"] for row in SENTENCES],
        metrics=[Sari()],
    )
    (document,) = re.findall(r'srcdoc="([^"]*)"', shown)
    assert unescape(document).replace('<base href="about:srcdoc">', "") == expected


SMALL = {
    "Sources": "A b.\nC d.",
    "References": "A.\nC.",
    "Name": ("a", "b", "", ""),
    "Outputs": ("A b.\nC.", "A.\nC.", "", ""),
}


def test_what_is_typed_cannot_leave_the_frame():
    site = page("compare")
    name = f'{HOSTILE}"></iframe>'
    boxes = {**SMALL, "Name": ("a", name, "", "")}
    shown = see(site, "Compare", **boxes)
    assert shown.count("<iframe") == shown.count("</iframe>") == 1
    assert "<script" not in shown


def test_a_report_about_a_metric_without_a_direction_adds_sari():
    assert "SARI" in report_text(Metric="edit_ops", Variant="paper", **SMALL)


@pytest.mark.parametrize(
    ("boxes", "message"),
    [
        ({"Metric": "bleu", "Variant": "sacrebleu", "Sources": ""}, "sources: "),
        ({"Name": ("a", "a", "b", "")}, "two systems are called 'a'"),
    ],
)
def test_what_no_report_can_be_made_of_is_refused(boxes, message):
    assert report_text(**boxes).startswith(message)


def test_the_page_takes_ten_systems(write):
    table = write(
        "table.csv", ",".join(["source", "reference", *"abcdefghijk"]), ",".join("s" * 13)
    )
    assert "at most 10 systems, got 11" in report_text(tab=1, Text=[table])


@pytest.mark.parametrize(("name", "action"), [("sari", "Score"), ("compare", "Compare")])
def test_a_page_opens_with_the_results_of_what_its_boxes_hold(name, action):
    site = page(name)
    shown = see(site, "open")
    assert shown == see(site, action)
    assert shown in [one["props"].get("value") for one in site.config["components"]]


def test_new_scores_stand_beside_the_last_ones():
    site = page("sari")
    assert " from " not in see(site, "Score")
    shown = see(site, "Score", Prediction=SOURCES[0])
    before, now = (cells(see(site, "open"), "SARI"), cells(shown, "SARI").split()[0])
    gain = f"{float(now) - float(before):.2f}".replace("-", "−")
    assert cells(shown, "SARI") == f"{now} {gain} from {before}"
    shown = see(page("compare"), "Compare", Name=("ours", "theirs", "", ""))
    assert "Before: substituter leads significantly by SARI" in plain(shown)


def test_a_metric_brings_its_variants():
    (function,) = handlers(page("compare"), "input", "dropdown")
    changed = function.fn("d_sari")
    presets = list(catalogue.metric_class("d_sari").presets)
    assert [value for _, value in changed.choices] == presets
    assert changed.value == presets[0]


# The splits of a corpus


LINE = '{"source": "A cat sat down.", "target": "A cat sat."}\n'


@pytest.mark.parametrize(
    ("names", "action", "message"),
    [
        ("a/x.jsonl b/x.jsonl", "Only measure", "subset x: expected one table, or x.source.txt"),
        ("x.a.jsonl x.b.jsonl", "Only measure", "subset x: expected one table, or x.source.txt"),
        ("x.source.txt x.target.txt x.y.txt", "Only measure", "subset x: expected"),
        ("removed.jsonl x.jsonl", "Make the split", "'removed' is the name of a list"),
    ],
)
def test_no_file_of_a_subset_is_left_out_silently(tmp_path, names, action, message):
    files = [given.write(tmp_path / name, LINE) for name in names.split()]
    boxes = {"A": [*map(str, files)], "Another": "poor_alignments"}
    assert plain(see(page("splits"), action, **boxes)).startswith(message)


def test_figures_of_subsets_can_be_saved():
    site = page("splits")
    saved = files(see(site, "Only measure", A=filled(site)))
    found = {name: list(csv.DictReader(io.StringIO(text))) for name, text in saved.items()}
    assert [*found] == [f"subsets-{part}.csv" for part in ("operations", "divergence", "worst")]
    assert [row["subset"] for row in found["subsets-operations.csv"]] == [
        *("train", "validation", "test")
    ]
    first, *others = found["subsets-worst.csv"]
    changes = [float(row["change_percentage"]) for row in (first, *others)]
    assert changes == sorted(changes, reverse=True)
    lines = (Path(filled(site)[0]).parent / f"{first['removed_from']}.jsonl").read_text(
        encoding="utf-8"
    )
    assert json.loads(lines.splitlines()[int(first["removed_row"])])["source"] == first["source"]
