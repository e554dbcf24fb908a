"""The report's verdict and its tables of tests: that they show what was compared."""

import html
import itertools
import math
import re
from urllib.parse import parse_qs

import numpy as np
import pytest

from tests.given import columns, lines
from tests.given import systems as example_systems
from tests.number_texts import Fewer, N, Number, around, texts
from tests.project import PROJECT
from tests.report.pages import section
from textsimp import report
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.sari import Sari
from textsimp.report import measurements, page, score_tables
from textsimp.scoring import headlines

SAMPLING = {"confidence": 0.95, "resamples": 2000, "seed": 0}
NUMBER = Number()


def measured(systems, sources=0, metric=NUMBER, unranked=(), sampling=SAMPLING):
    """What the report measures of numbers."""
    n = len(next(iter(systems.values())))
    outputs = {system: texts(x) for system, x in systems.items()}
    checked, _ = measurements.check(outputs, texts(sources, n), None)
    errors = {name: f"{name} seems shifted" for name in unranked}
    return measurements.measure(checked, {metric.name: metric}, sampling, unranked=errors)


def told(*args, **options):
    """What the report says of the metric."""
    found = measured(*args, **options)
    ((name, ranking),) = found.rankings.items()
    return page._describe(found, name, ranking)


def matrix(found):
    (shown,) = itertools.starmap(score_tables.matrix, found.rankings.items())
    assert shown is not None
    return shown


def score_table(found):
    return score_tables.table(found, "scores", "Scores", found.columns)


def rows(table):
    return {name.text: cells for name, *cells in table.rows}


# What is said ------------------------------------------------------------------------------------


def test_systems_without_a_score_are_named():
    systems = {"a": around(5), "b": around(3), "none": [math.nan] * N}
    assert told(systems)[-1] == "Number is undefined for none."


def test_references_are_compared_where_they_have_been_scored():
    systems = {"copied": [references[0] for references in REFERENCES]}
    checked, _ = measurements.check(systems, lines("source.txt"), REFERENCES, [Sari()])
    found = measurements.measure(checked, {"sari": Sari()}, SAMPLING | {"resamples": 2})
    (ranking,) = found.rankings.values()
    assert headlines.describe(ranking)[-1].startswith("copied is above the references (4")


def test_ratings_of_sentences_are_told_to_be_of_sentences():
    sources = lines("documents/source.txt")[:2]
    references = lines("documents/references/0.txt")[:2]
    page = report.html({"a": sources}, sources=sources, references=references, resamples=2)
    assert "on SimpEval 2022; on sentences, not documents." in html.unescape(page)


# Tables ------------------------------------------------------------------------------------------


def test_rows_stand_in_the_order_of_the_main_score_and_undefined_ones_last():
    systems = {"low": around(1), "none": [math.nan] * N, "high": around(9)}
    for metric, order in (
        (Number(), ["high", "source unchanged", "source truncated", "low", "none"]),
        (Fewer(), ["low", "source unchanged", "source truncated", "high", "none"]),
    ):
        table = score_table(measured(systems, 5, metric))
        assert [*rows(table)] == order
        assert table.rows[-1][1].text == "–"


@pytest.mark.parametrize(
    ("systems", "marks"),
    [
        ({"a": around(3, 2), "b": around(2.9)}, ["undecided", "undecided"]),
        ({"a": around(3), "b": around(3)}, ["undecided", "undecided"]),
        ({"a": around(3), "b": around(2)}, ["best", ""]),
    ],
)
def test_the_best_are_marked_unless_a_baseline_is_ahead(systems, marks):
    for sources, expected, behind in ((1, marks, ""), (9, ["", ""], "source unchanged")):
        cells = rows(score_table(measured(systems, sources)))
        shown = [cells[name][0] for name in systems]
        assert [cell.mark for cell in shown] == expected
        assert [cell.behind for cell in shown] == [behind] * 2


def test_a_matrix_has_systems_by_score_and_baselines_behind_them():
    found = matrix(measured({"b": around(4), "a": around(5)}, 3))
    assert [cell.text for cell in found.header[1:]] == [
        *("a", "b", "source unchanged", "source truncated")
    ]
    assert [(name.text, name.small) for name, *_ in found.rows] == [
        ("a", ["5.00"]),
        ("b", ["4.00"]),
    ]
    first, second = rows(found).values()
    assert (first[0].text, second[1].text) == ("", "")
    assert [cell.text for cell in first[1:]] == ["+1.00", "+2.00", "+2.00"]
    assert [cell.mark for cell in first] == ["", "better", "better", "better"]
    assert (second[0].text, second[0].small[0]) == ("−1.00", "[−1.00, −1.00]")
    assert second[0].mark == "worse"
    state = parse_qs(first[1].href.removeprefix("#?"))
    assert state == {"a": ["a"], "b": ["b"], "sort": ["-gap"], "score": ["number.number"]}
    assert [cell.href for cell in first[2:]] == ["", ""]


def test_few_examples_mark_no_system_and_no_difference():
    found = measured({"a": [5] * 9, "b": [3] * 9}, 2)
    marks = {cell.mark for own in rows(matrix(found)).values() for cell in own}
    marks |= {cell.mark for own in rows(score_table(found)).values() for cell in own}
    assert marks == {""}


def test_twelve_systems_differ_significantly_with_the_usual_number_of_resamples():
    systems = {f"s{i}": [20 - i + j % 2 for j in range(30)] for i in range(12)}
    found = matrix(measured(systems, sampling=SAMPLING | {"resamples": 1000}))
    assert not any(cell.mark == "alike" for own in rows(found).values() for cell in own)


def test_a_system_with_an_error_is_neither_marked_nor_tested_nor_bold_in_downloads():
    found = measured({"a": around(9), "b": around(5), "c": around(3)}, 1, unranked=["a"])
    table = score_table(found)
    assert {name: own[0].mark for name, own in rows(table).items() if name in "abc"} == {
        "a": "unranked",
        "b": "best",
        "c": "",
    }
    assert [*rows(matrix(found))] == ["b", "c"]
    assert "a" not in [cell.text for cell in matrix(found).header]
    latex = table.to_latex()
    assert re.findall(r"(\w+) & \\textbf", latex) == ["b"]


# The page ----------------------------------------------------------------------------------------


def write(metrics, systems=None, n=48, **given):
    chosen = systems or {name: texts[:n] for name, texts in example_systems().items()}
    given.setdefault("resamples", 200)
    return report.html(chosen, sources=lines("source.txt")[:n], metrics=metrics, **given)


REFERENCES = columns()["references"]


def test_the_page_begins_with_the_verdict_and_has_a_matrix_for_each_metric(whole):
    page = whole
    assert page.index('id="verdict"') < page.index('id="systems-section"')
    text = section(page)
    assert "substituter leads significantly by SARI: 41.5, 7.1 [" in text
    assert "By BLEU source unchanged (62.9) and source truncated (61.1) are ahead of" in text
    assert "Don't read BLEU as quality here." in text
    assert f"BLEU and people: {Bleu.people}" in text
    assert page.count('class="matrix') == 2
    assert page.count("<details open>") == 1
    assert "▽<span" in page


def test_the_docs_quote_the_verdict_on_the_example_corpus():
    docs = (PROJECT / "docs" / "report.md").read_text(encoding="utf-8")
    quoted = re.sub(r"\s+", " ", re.sub(r"^> |\*\*", "", docs, flags=re.MULTILINE))
    said = section(write(["sari"], references=REFERENCES, resamples=1000))
    told = said.removeprefix("Verdict ").partition(" What each")[0].replace("\u00a0", " ")
    assert told.startswith("substituter leads significantly by SARI")
    assert told in quoted


def test_the_example_is_the_median_of_those_in_which_the_best_is_ahead(whole, corpus, systems):
    options = {**corpus, "per_example": True, "confidence": None}
    best, other = (
        np.array(Sari().score(predictions=systems[name], **options)["sari_per_example"])
        for name in ("substituter", "splitter")
    )
    ahead = [*np.flatnonzero(best > other + 1e-9)]
    example = sorted(ahead, key=lambda i: best[i] - other[i])[len(ahead) // 2]
    shown = html.unescape(whole.partition('id="deciding"')[2].partition("</div>")[0])
    assert f"Example {example + 1}</a>" in shown
    assert corpus["sources"][example] in shown
    assert f"{len(ahead)} in which substituter is ahead" in shown
    (link,) = re.findall(r'href="#\?(sort=[^"]*)"', shown)
    wanted = {"sort": "-gap", "a": "substituter", "b": "splitter", "by": "0", "score": "sari.sari"}
    assert parse_qs(link) == {key: [value] for key, value in wanted.items()}


def test_forms_of_a_metric_have_names_and_places_of_their_own():
    page = write([Sari(), Sari("xu")], references=REFERENCES, resamples=20)
    assert re.search(r"leads?.* by SARI \(easse\):.*leads?.* by SARI \(xu\):", section(page))
    ids = re.findall(r'<[^>]* id="([^"]*)"', page.partition("<script")[0])
    assert len({*ids}) == len(ids)
    assert not any(re.search(r"\s", id) for id in ids)
    assert 'score=sari%28xu%29.sari"' in page


def test_without_a_metric_that_judges_it_is_said_what_to_read_instead():
    text = section(write(["fkgl_components"]))
    assert text.startswith("Verdict Nothing here says which system is better.")
    assert "most need references, and there are none" in text
    text = section(write(["fkgl_components"], references=REFERENCES))
    assert "No metric with a direction was requested. Read instead" in text


def shifted(texts):
    """Outputs of which the first line is lost."""
    return [*texts[1:], "It rained."]


def test_the_verdict_says_first_that_a_shifted_system_cannot_be_ranked_and_why():
    systems = {"ours": shifted(lines("systems/substituter.txt")), "theirs": lines("source.txt")}
    page = write(["sari"], systems, references=REFERENCES)
    text = section(page)
    start = "Verdict Nothing can be ranked: ours seems shifted: its outputs match the sources one"
    assert text.startswith(start)
    assert "Realigned, ours would score 41." in text
    assert "ours leads" not in text
    rows = re.findall(r'<tr class="system">.*?</tr>', page, re.DOTALL)
    own = [re.sub("<[^>]+>", "", row) for row in rows if "ours" in row]
    assert any("⚠ not ranked" in row for row in own)
    assert not any(sign in row for row in own for sign in "★☆≈")
    unchecked = section(write(["sari"], systems, references=REFERENCES, check=False))
    assert unchecked.startswith("Verdict ours leads significantly by SARI")


def test_where_references_are_shifted_no_system_can_be_ranked():
    first, *others = zip(*REFERENCES, strict=True)
    moved = [list(row) for row in zip(shifted(first), *others, strict=True)]
    text = section(write(["sari"], references=moved))
    assert text.startswith("Verdict Nothing can be ranked: reference 1 seems shifted")
    assert "leads" not in text
