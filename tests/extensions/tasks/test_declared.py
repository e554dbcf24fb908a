"""Tasks that a YAML file declares: joined rows, official numbers, ranks, and what is wrong."""

import datetime
import re

import pytest

from tests.given import lines, write
from textsimp import Bleu, InputError, Sari
from textsimp.extensions import tasks

SOURCES, GOLD = lines("source.txt")[:20], lines("references/0.txt")[:20]
GOOD, SAME, BAD = lines("references/1.txt")[:20], lines("references/2.txt")[:20], SOURCES[::-1]
IDS = [*map(str, range(20))]
FAST = {"resamples": 499}
DECLARED = """
title: Ours <2027>
gold: gold.csv
columns: {id: id, source: source, references: reference, prediction: [output, prediction]}
metrics: [sari(tokenizer=intl), bleu]
rank_by: [sari(tokenizer=intl), bleu]
baselines: [copy, truncation]
missing: empty
decimals: 1
"""


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "task.yaml", DECLARED)
    write(tmp_path / "gold.csv", {"id": IDS, "source": SOURCES, "reference": GOLD})
    return tmp_path


def run(folder, name, outputs, ids=IDS, column="output"):
    return write(folder / f"{name}.csv", {"id": ids, column: outputs})


def declare(folder, old, new):
    assert old in DECLARED
    return write(folder / "task.yaml", DECLARED.replace(old, new))


def compare(folder, *names, **options):
    paths = [folder / f"{name}.csv" for name in names]
    return tasks.compare(folder / "task.yaml", predictions=paths, **FAST, **options)


def test_official_numbers_are_rounded_and_those_of_the_metrics(folder):
    path = run(folder, "ours", GOOD[::-1], IDS[::-1])
    result = tasks.score(folder / "task.yaml", predictions=path)
    texts = {"predictions": GOOD, "references": GOLD}
    expected = {
        "sari(tokenizer=intl)": Sari(tokenizer="intl").score(sources=SOURCES, **texts)["sari"],
        "bleu": Bleu().score(**texts)["bleu"],
    }
    assert result["exact"] == pytest.approx(expected)
    assert {name: result[name] for name in expected} == {
        n: round(x, 1) for n, x in expected.items()
    }


@pytest.mark.parametrize(
    ("missing", "kept"), [("empty", [*GOOD[:-1], ""]), ("skip", GOOD[:-1]), ("error", None)]
)
def test_rows_that_a_run_lacks_are_empty_or_left_out_or_an_error(folder, missing, kept):
    declare(folder, "missing: empty", f"missing: {missing}")
    path = run(folder, "ours", GOOD[:-1], IDS[:-1])
    if kept is None:
        with pytest.raises(InputError):
            tasks.score(folder / "task.yaml", predictions=path)
        return
    result = tasks.score(folder / "task.yaml", predictions=path)
    assert (
        result["exact"]["bleu"]
        == Bleu().score(predictions=kept, references=GOLD[: len(kept)])["bleu"]
    )
    assert (result.coverage.missing, result.coverage.scored) == ([20], len(kept))


@pytest.mark.parametrize("of_gold", [True, False])
def test_ids_that_only_gold_or_the_run_has_are_told_and_rows_are_then_complete(
    folder, capsys, of_gold
):
    ids = {"key" if of_gold else "id": IDS}
    write(folder / "ours.csv", {**ids, "output": GOOD})
    if not of_gold:
        write(folder / "gold.csv", {"source": SOURCES, "reference": GOLD})
    result = tasks.score(folder / "task.yaml", predictions=folder / "ours.csv")
    assert result.coverage.scored == 20
    without = folder / ("ours.csv" if of_gold else "gold.csv")
    assert f"in their order: {without} has no ids (id)" in capsys.readouterr().err
    for outputs in (GOOD[:2], [*GOOD, "More."]):
        own = {name: map(str, range(len(outputs))) for name in ids}
        write(folder / "ours.csv", {**own, "output": outputs})
        with pytest.raises(InputError, match="rows, gold 20"):
            tasks.score(folder / "task.yaml", predictions=folder / "ours.csv")


def test_ranks_are_those_that_significantly_better_and_worse_runs_leave(folder):
    for name, outputs in {"bad": BAD, "good": GOOD, "same": SAME, "twin": GOOD}.items():
        run(folder, name, outputs)
    results = compare(folder, "bad", "good", "same", "twin")
    first = {row["run"]: (row["rank"], row["ranks"]) for row in results.ranking()}
    assert first == {
        "good": (1, "1–3"),
        "twin": (1, "1–3"),
        "same": (3, "1–3"),
        "bad": (4, "4"),
        "copy": (None, ""),
        "truncation": (None, ""),
    }
    assert len(results.pairs) == 6
    assert results.pairs["bad", "good"]["bleu"].permutation_p_holm < 0.05


def test_of_many_runs_those_that_lie_apart_have_other_ranks(folder):
    """55 pairs: no Holm p-value of 1,000 swaps would be below 0.05."""
    names = ["good", *(f"bad{i}" for i in range(10))]
    for name in names:
        run(folder, name, GOOD if name == "good" else BAD)
    ranks = [row["ranks"] for row in compare(folder, *names).ranking() if row["rank"]]
    assert ranks == ["1", *["2–11"] * 10]


def test_equal_runs_are_ordered_by_the_next_number_and_else_share_a_rank(folder):
    declare(
        folder,
        "bleu]\nrank_by: [sari(tokenizer=intl), bleu]",
        "bleu, sari.add]\nrank_by: [sari.add, bleu]",
    )
    shorter = [text.rsplit(" ", 1)[0] for text in SOURCES]
    for name, outputs in {"shorter": shorter, "whole": SOURCES, "twin": SOURCES}.items():
        run(folder, name, outputs)
    rows = compare(folder, "shorter", "whole", "twin").ranking()
    assert [row["sari.add"] for row in rows] == [0] * 5
    assert [(row["run"], row["rank"]) for row in rows[:3]] == [
        ("whole", 1),
        ("twin", 1),
        ("shorter", 3),
    ]


def test_the_page_has_all_tables_and_no_script(folder):
    run(folder, "ours", GOOD)
    results = compare(folder, "ours")
    page = results.to_page()
    titles = [title for title in results.tables() if not title.startswith("Intervals")]
    assert all(title.replace("<2027>", "&lt;2027&gt;") in page for title in titles)
    assert "<script" not in page
    assert "<2027>" not in page


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("title: Ours <2027>", "", "'title'"),
        ("title: Ours <2027>", "title: 2027", "title: "),
        ("gold: gold.csv", "data: gold.csv", "field: "),
        ("prediction: [output, prediction]", "output: x", "columns: field: "),
        ("source: source, ", "", "metrics: .* needs source:"),
        ("bleu]\nrank", "blue]\nrank", "metrics: .*'blue'"),
        ("rank_by: [sari", "rank_by: [fkgl, sari", "rank_by: "),
        ("[copy,", "[nothing,", "baselines: .*'nothing'"),
        ("missing: empty", "missing: none", "missing: "),
        ("decimals: 1", "decimals: 1.5", "decimals: "),
        ("decimals: 1", "decimals: [", "bad YAML"),
        ("decimals: 1", "url: javascript:alert(1)", "url: "),
        ("decimals: 1", "year: next", "year: "),
        ("decimals: 1", "not_computed: [lens]", "not_computed: "),
        ("decimals: 1", "not_computed: {bleu: No reason.}", "bleu: .*another"),
        ("id: id", "id: [[]]", "columns: "),
        ("metrics: [sari(tokenizer=intl), bleu]", "metrics: []", "metrics: "),
        ("bleu]\nrank", "readability.fkgl]\nrank", "metrics: .*readability"),
        ("metrics: [sari(tokenizer=intl), bleu]", "metrics: {rank: sari}", "rank: .*another"),
    ],
)
def test_what_is_wrong_with_a_declaration_is_told(folder, old, new, place):
    path = declare(folder, old, new)
    with pytest.raises(InputError, match=re.escape(str(path)) + ".*" + place):
        tasks.find(path)


def test_baselines_that_no_run_is_ahead_of_are_told_below_the_ranks(folder):
    declare(folder, "rank_by: [sari(tokenizer=intl), bleu]", "rank_by: [bleu]")
    run(folder, "worse", BAD)
    run(folder, "same", GOLD)
    notes = compare(folder, "worse").grid().notes
    assert any(re.match(r"By BLEU no run beats copy \(.*\) or truncation \(", x) for x in notes)
    assert not any("no run beats" in note for note in compare(folder, "worse", "same").grid().notes)


def test_the_verdict_says_who_leads_and_whether_significantly(folder):
    for name, outputs in {"ours": GOLD, "twin": GOLD, "worse": BAD}.items():
        run(folder, name, outputs)
    (lead,) = compare(folder, "worse", "ours").verdict()
    assert re.fullmatch(r"ours leads.* by SARI with .*: worse has .* \(p [<=] .*\)\.", lead)
    (lead,) = compare(folder, "worse", "ours", "twin").verdict()
    assert lead.startswith("ours and twin share the first rank by SARI with ")
    alone = compare(folder, "worse").verdict()
    assert alone[0].startswith("worse, the only run, is ranked by SARI with ")
    declare(folder, "rank_by: [sari(tokenizer=intl), bleu]", "rank_by: []")
    unranked = compare(folder, "ours", "worse")
    assert unranked.verdict() == ["The task declares no ranking, so no run leads."]
    assert unranked.grid().notes[0] == unranked.verdict()[0]


def test_the_page_shows_titles_with_ranks_and_intervals_in_one_table(folder):
    for name, outputs in {"ours": GOLD, "worse": BAD}.items():
        run(folder, name, outputs)
    page = compare(folder, "worse", "ours").to_page()
    table = page[page.index("<table") : page.index("</table>")]
    assert re.findall(r'<th scope="col".*?>(.*?)</th>', table)[:4] == [
        "run",
        "rank",
        "SARI",
        "BLEU",
    ]
    assert table.count("<small>[") >= 4 * 2  # with the baselines
    assert table.count('<tr class="baseline">') == 2
    assert f"{datetime.date.today():%Y-}" in page
    assert page.index("ours leads") < page.index("<table")
    assert "Intervals" not in page


def test_a_run_called_as_a_baseline_is_an_error(folder):
    run(folder, "copy", GOOD)
    with pytest.raises(InputError):
        compare(folder, "copy")


def test_a_task_without_gold_needs_it(folder):
    declare(folder, "gold: gold.csv\n", "")
    run(folder, "ours", GOOD)
    with pytest.raises(InputError):
        compare(folder, "ours")
    assert compare(folder, "ours", gold=folder / "gold.csv").results[0]["bleu"] > 0
