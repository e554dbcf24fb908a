"""Scores by length of the source."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.comparing import COLUMNS, SOURCES, SYSTEMS
from textsimp.core.metric import Statistics
from textsimp.core.significance import FEWEST
from textsimp.metrics.catalogue import metric
from textsimp.scoring import lengths
from textsimp.scoring.systems import check_examples
from textsimp.support.errors import InputError

SAMPLING = {"confidence": 0.95, "resamples": 50, "seed": 0}


def measure(name="sari") -> Statistics:
    chosen = metric(name)
    return chosen.measure(check_examples([chosen], SYSTEMS, COLUMNS))


@given(st.lists(st.integers(1, 30), min_size=1, max_size=120))
def test_groups_share_out_all_sources_in_order_of_length(words):
    groups = lengths.group(["two " + "word " * n for n in words])
    assert sorted(i for rows in groups.values() for i in rows) == [*range(len(words))]
    bounds = [
        (min(words[i] for i in rows), max(words[i] for i in rows)) for rows in groups.values()
    ]
    assert all(high < low for (_, high), (low, _) in itertools.pairwise(bounds))
    assert len(groups) == 1 or min(map(len, groups.values())) >= FEWEST
    assert len(groups) <= lengths.MOST_GROUPS


def test_groups_are_about_equal():
    sources = ["word " * (2 + n % 50) for n in range(500)]
    assert [(label, len(rows)) for label, rows in lengths.group(sources).items()] == [
        ("2–11", 100),
        ("12–21", 100),
        ("22–31", 100),
        ("32–41", 100),
        ("42–51", 100),
    ]


def test_texts_without_spaces_are_counted_in_characters():
    assert [*lengths.group(["猫が座った。"] * 10 + ["犬がここに座った。"] * 10)] == ["6", "9"]


def test_scores_are_those_of_the_groups_alone():
    scores = lengths.score_by_length(measure(), SOURCES, **SAMPLING)
    for label, rows in lengths.group(SOURCES).items():
        texts = {name: [column[i] for i in rows] for name, column in COLUMNS.items()}
        for system, outputs in SYSTEMS.items():
            alone = metric("sari").score(
                predictions=[outputs[i] for i in rows], **texts, **SAMPLING
            )
            assert scores[label][system].to_dict() == alone.to_dict()


def test_a_metric_of_the_whole_text_has_no_scores_by_length():

    measured = measure("f1_token")
    measured = replace(measured, metric=measured.metric.declare(independent_rows=False))
    with pytest.raises(InputError, match="row of statistics for each example, got sums"):
        lengths.score_by_length(measured, SOURCES, **SAMPLING)
