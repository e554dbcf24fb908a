"""What is said of people's judgement is what docs/trust.md's tables say."""

import json
import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.given import load_tool
from textsimp import Bleu, Sari, judgements
from textsimp.judgements import coefficients
from textsimp.metrics import catalogue

PROJECT = Path(__file__).parents[1]
ESTIMATE = re.compile(r"−?\d?\.\d\d \[−?\d?\.\d\d,\s−?\d?\.\d\d\]")
DECIMAL = re.compile(r"−?\d*\.\d+")
CELLS = re.compile(r"<!-- cells: (.+?) -->\n(.*?)<!-- /cells -->", re.DOTALL)
WORDS = ("the", "a", "cat", "dog", "sat", "lay", "ran", "on", "by", "mat", "hat", "very", "old")


@pytest.fixture
def trust(monkeypatch):
    return load_tool(monkeypatch, "trust")


@pytest.fixture(scope="module")
def rows():
    """Random outputs of four systems of fifteen sources; a reference of some is the output."""
    rng = random.Random(7)

    def text():
        return " ".join(rng.choices(WORDS, k=rng.randint(4, 9)))

    found = []
    for item in range(15):
        source, references = text(), [text() for _ in range(3)]
        for system in "dbca":
            output = rng.choice([text(), text(), references[0]])
            rating = [rng.randint(0, 5) for _ in range(3)]
            found.append(
                {
                    "item": item,
                    "system": system,
                    "source": source,
                    "prediction": output,
                    "references": references,
                    "rating": rating,
                }
            )
    return found


METRICS = {"`sari` easse": Sari(), "`bleu` sacrebleu": Bleu("sacrebleu")}


def scores():
    return {label: (metric, metric.scores[0].key) for label, metric in METRICS.items()}


def figures_of(text):
    """Estimates with their intervals, and the other numbers with decimals."""
    text = " ".join(text.split())
    return {*ESTIMATE.findall(text), *DECIMAL.findall(ESTIMATE.sub("", text))}


def cells_of(tables, names):
    """The text of some tables, and their single numbers."""
    text = "; ".join(
        cell
        for name in names
        for label, cells in tables[name].items()
        for cell in (label, *cells.values())
    )
    return {*ESTIMATE.findall(text), *DECIMAL.findall(text)}


@pytest.fixture(scope="module")
def tables():
    with pytest.MonkeyPatch.context() as patch:
        trust = load_tool(patch, "trust")
        module = sys.modules["trust_tables"]
        scores = module.read_scores(trust.SCORES.read_text("utf-8"))
        return module.read_tables(trust.pages()) | scores


PAGES = [
    page
    for pattern in ("README.md", "docs/*.md", "metrics/*/README.md")
    for page in sorted(PROJECT.glob(pattern))
    if CELLS.search(page.read_text("utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(PROJECT)) for page in PAGES])
def test_figures_in_sentences_are_cells_of_the_tables_that_these_name(page, tables):
    for names, text in CELLS.findall(page.read_text("utf-8")):
        assert figures_of(text)
        assert figures_of(text) <= cells_of(tables, names.split(", "))


def test_a_metrics_own_line_has_figures_of_its_row(tables):
    measured = {label.split("`")[1] for label in tables["outputs"]}
    assert len(measured) > 8
    for name in measured:
        rows = {
            table: {label: cells for label, cells in tables[table].items() if f"`{name}`" in label}
            for table in ("outputs", "systems")
        }
        people = catalogue.metric_class(name).people
        assert figures_of(people) <= cells_of(rows, rows)


def test_all_scores_are_read_as_they_were_written(trust):
    text, module = trust.SCORES.read_text("utf-8"), sys.modules["trust_tables"]
    tables = module.read_scores(text)
    assert module.write_scores(tables) == text
    assert tables["all-injected"]["`sari` easse"]["coherence"] == ".23 [.14, .35]; 34 tied; p .845"


def test_the_figures_are_those_of_meta(trust, rows):
    data = trust.rated(rows, {"overall": "rating"}, METRICS.values())
    found = trust.measure(data, scores())
    expected = judgements.evaluate(rows, METRICS, resamples=trust.RESAMPLES)
    over_systems = judgements.evaluate(rows, METRICS, over="systems", resamples=trust.RESAMPLES)
    for label in METRICS:
        for of, level, name, source in (
            (found.outputs, "outputs", "pearson", expected),
            (found.within, "within_items", "kendall", expected),
            (found.within_systems, "within_systems", "pearson", expected),
            (found.systems, "systems", "spearman", expected),
            (found.pairs, "systems", "accuracy", expected),
            (found.over_systems, "systems", "spearman", over_systems),
        ):
            ours, theirs = trust.estimate(of["overall"][label]), source.metrics[label][level][name]
            assert ours.value == pytest.approx(theirs.value), (label, level)
            assert theirs.interval == pytest.approx([ours.low, ours.high]), (label, level)


def test_differences_are_within_systems_too(trust, rows, monkeypatch):
    first, second = METRICS
    monkeypatch.setattr(trust, "COMPARED", METRICS)
    given = [{**row, "overall_z": row["rating"]} for row in rows]
    header, _, line = trust.differences(given).splitlines()
    cells = dict(zip(header.split(" | "), line.split(" | "), strict=True))
    gap = judgements.evaluate(rows, METRICS, baseline=first, over="both").gaps[second][
        "within_systems"
    ]
    expected = trust.Estimate(gap["pearson"].value, *gap["pearson"].interval)
    assert cells["within a system, r"] == str(expected)


def test_bleu_of_the_best_reference_is_the_best_of_those_of_each(trust, rows):
    bleu = Bleu("sacrebleu")
    best = trust.BestBleu("sacrebleu")
    found = best.reduce_examples(trust.statistics(rows, [best])[best])["bleu"]
    for score, row in zip(found, rows, strict=True):
        alone = [
            bleu.score(predictions=[row["prediction"]], references=[text])["bleu"]
            for text in row["references"]
        ]
        assert score == pytest.approx(max(alone))


def test_some_systems_are_measured_as_if_there_were_no_others(trust, rows):
    every = trust.rated(rows, {"overall": "rating"}, METRICS.values())
    kept = every.only(every.systems != "b")
    without = trust.rated(
        [row for row in rows if row["system"] != "b"], {"overall": "rating"}, METRICS.values()
    )
    found, expected = (trust.measure(data, scores(), 0) for data in (kept, without))
    for label in METRICS:
        assert found.systems["overall"][label] == expected.systems["overall"][label]
        assert found.outputs["overall"][label] == pytest.approx(expected.outputs["overall"][label])


def test_pairs_are_those_of_meta(trust, rows, tmp_path):
    pairs = [
        {**better, "better": better["prediction"], "worse": worse["prediction"]}
        for better, worse in zip(rows[::4], rows[1::4], strict=True)
    ]
    (tmp_path / "ratings").mkdir()
    for error in sys.modules["trust_tables"].ERRORS:
        lines = (json.dumps(row) + "\n" for row in pairs)
        (tmp_path / "ratings" / f"injected_{error}.jsonl").write_text("".join(lines), "utf-8")
    keep = {"keep": (Sari(), "keep")}
    found = trust.injected(trust.Data(tmp_path), {**scores(), **keep})["deletion"]
    wanted = ["sari", "sari.keep", "bleu"]
    of = judgements.evaluate_pairs(
        pairs, ["sari", "bleu"], scores=wanted, references="as_given"
    ).metrics
    assert found["`sari` easse"] == trust.preference(of["sari"])
    assert found["keep"] == trust.preference(of["sari.keep"])


def test_ties_within_a_source_count_as_in_kendalls_tau_b(trust):
    x, y = np.array([[1.0, 1, 2, 3, 3, 0]]), np.array([2.0, 1, 2, 2, 5, 1])
    expected = coefficients.kendall(x[0], y, np.ones((1, 6)))[None]
    assert trust.within(x, y, np.zeros(6, int), np.ones((1, 1))) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("value", "shown"), [(0.345, ".34"), (-0.047, "−.05"), (-0.001, ".00"), (1, "1.00")]
)
def test_numbers_are_written_and_read(trust, value, shown):
    assert trust.number(value) == shown
    assert sys.modules["trust_tables"].read_number(shown) == pytest.approx(value, abs=0.0051)


def test_the_first_page_stays_short(trust):
    assert len(trust.PAGES[0].read_text("utf-8").split()) <= 1200


def test_the_mean_of_more_raters_is_more_reliable(trust):
    rows = [{"one": [4], "same": [r, r], "two": [r, r + r % 2]} for r in range(8)]
    assert trust.mean_reliability(rows, "same") == pytest.approx(1)
    alpha = judgements.rater_agreement([row["two"] for row in rows]).alpha
    assert alpha is not None
    assert trust.mean_reliability(rows, "two") == pytest.approx(2 * alpha / (1 + alpha))
    assert np.isnan(trust.mean_reliability(rows, "one"))


def test_length_is_held_as_partial_correlation_holds_it(trust, rows):
    data = trust.rated(rows, {"overall": "rating"}, METRICS.values())
    length = trust.LENGTH, trust.DELETE, trust.D_SARI
    metrics = dict(zip(length, (Bleu("sacrebleu"), Sari(), Sari()), strict=True))
    scores = {label: (metric, metric.scores[0].key) for label, metric in metrics.items()}
    line = trust.shortening({"a": (data, "overall")}, scores).splitlines()[2]
    bleu, sari, _ = trust.by_example(data, scores)
    x = np.column_stack([np.ones(len(bleu)), bleu])
    left = [y - x @ np.linalg.lstsq(x, y, rcond=None)[0] for y in (sari, data.ratings["overall"])]
    assert line.split(" | ")[-1] == f"{trust.number(np.corrcoef(left)[0, 1])} |"
