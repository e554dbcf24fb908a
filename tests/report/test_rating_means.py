"""People's ratings beside the scores of a report."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.given import lines
from tests.report.test_example_data import data_of
from tests.report.test_verdict import section
from textsimp import report
from textsimp.report import rating_means, report_rows, score_pairs
from textsimp.support.errors import InputError

pytestmark = pytest.mark.usefixtures("undrawn")


def rated(**ratings: Any) -> dict[str, dict[str, Any]]:
    """Two systems whose ratings are turned against their scores: question → (worst, best)."""
    names = ("splitter", "substituter")
    texts = {name: lines(f"systems/{name}.txt")[:12] for name in names}
    return {
        "splitter": {"predictions": texts["splitter"]}
        | {q: [b] * 12 for q, (_, b) in ratings.items()},
        "substituter": {"predictions": texts["substituter"]}
        | {q: [a] * 12 for q, (a, _) in ratings.items()},
    }


CORPUS = {
    "sources": lines("source.txt")[:12],
    "references": [[text] for text in lines("references/0.txt")[:12]],
}


def test_an_output_counts_once_however_many_rated_it_and_not_without_a_rating():
    means = rating_means.read(["simplicity", "meaning"])
    scores = means.score(simplicity=[[1, 2, 3], 4, [None], "5"], meaning=[1, 1, None, [2]])
    assert scores["simplicity"] == 11 / 3
    assert scores["meaning"] == 4 / 3
    assert math.isnan(means.score(simplicity=[None], meaning=[None])["meaning"])


def test_a_rating_is_a_number():
    with pytest.raises(InputError, match=r"row 1 of simplicity .*: expected a rating, a list of"):
        rating_means.read(["simplicity"]).score(simplicity=[1, "good"])


def test_ratings_stand_in_table_plot_verdict_and_examples():
    systems = rated(simplicity=(1, [4, 5]), meaning=(2, 3))
    questions = ["simplicity", "meaning"]
    page = report.html(systems, **CORPUS, metrics="sari", rating=questions, resamples=200)
    assert (
        "splitter leads significantly by simplicity (raters): 4.5, 3.5 [3.5, 3.5] above"
        in section(page)
    )
    assert "SARI puts substituter first, simplicity (raters) last." in section(page)
    measures = {measure["key"]: measure["values"] for measure in data_of(page)["measures"]}
    assert {*map(tuple, measures["ratings.simplicity"])} == {(4.5,) * 12, (1,) * 12}

    data = report_rows.check(systems, *CORPUS.values(), rating=questions)
    found = report_rows.measure(data, {}, report_rows.Sampling(0.95, 5, 0))
    assert [axis.title for axis in score_pairs.axes(found)[:2]] == [
        "simplicity (raters) (higher is better)",
        "meaning (raters) (higher is better)",
    ]


def test_a_column_rating_is_found_by_its_name_and_others_are_needed():
    assert "leads significantly by people's rating" in section(
        report.html(rated(rating=(1, 2)), sources=CORPUS["sources"], resamples=200)
    )
    with pytest.raises(InputError, match=r"unknown column 'rating': expected .*, simplicity"):
        report.html(rated(rating=(1, 2)), **CORPUS, rating="simplicity", resamples=2)


def test_all_systems_are_rated_or_none():
    systems = rated(rating=(1, 2))
    del systems["splitter"]["rating"]
    with pytest.raises(InputError, match="rating of splitter: expected this column"):
        report.html(systems, **CORPUS, resamples=2)
