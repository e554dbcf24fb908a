"""Prepared sides: right whoever shares them, and bounded."""

import itertools
import sys
import threading

import numpy as np
import pytest

from textsimp.core import prepared
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import extra_required_columns
from textsimp.core.prepared import PreparedSides
from textsimp.metrics.catalogue import metric_class, names

WORDS = [f"{a}{b}{mark}" for a in "abcdef" for b in "uvwxyz" for mark in ("", ",", " .")]


def texts(n, seed):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(0, 12))) for _ in range(n)]


def side(n, seed):
    first, second = texts(n, seed + 1), texts(n, seed + 2)
    return texts(n, seed), [list(row) for row in zip(first, second, strict=True)]


def examples(sources, predictions, references):
    shared = {"sources": sources, "references": references}
    given = {name: column for name, column in shared.items() if column is not None}
    return Examples(given, {UNNAMED_SYSTEM: {"predictions": predictions}})


def alone(scorer, *columns):
    """Statistics without prepared sides."""
    return scorer.compute_statistics(examples(*columns))[UNNAMED_SYSTEM]


def in_threads(jobs):
    """Run all at once; raises the first error."""
    errors = []
    start = threading.Barrier(len(jobs))

    def run(job):
        start.wait()
        try:
            job()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@pytest.fixture(autouse=True)
def frequent_switches():
    """Threads take turns every few instructions."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize(
    "name", [n for n in names() if not extra_required_columns(metric_class(n))]
)
def test_threads_that_share_prepared_sides_get_what_score_gives(name):
    scorer, shared = metric_class(name).preset(), PreparedSides()
    sides = [side(12, 10 * i) for i in range(3)]  # one more than are kept
    systems = [  # each has words that no other has
        [f"{text} new{i} more{i}, x{j}{i}" for j, text in enumerate(texts(12, 1000 + i))]
        for i in range(8)
    ]
    order = [divmod(k, len(systems)) for k in range(len(sides) * len(systems))]
    expected = [alone(scorer, sides[i][0], systems[j], sides[i][1]) for i, j in order]

    def score(thread):
        for (i, j), right in itertools.islice(zip(order, expected, strict=True), thread, None, 4):
            sources, references = sides[i]
            found = shared.statistics(scorer, examples(sources, systems[j], references))
            np.testing.assert_array_equal(found, right)

    in_threads([lambda i=i: score(i) for i in range(4)])


@pytest.fixture
def counted(monkeypatch):
    """One entry per side that SARI prepared: its number of examples."""
    sari = metric_class("sari")
    calls = []
    original = sari.prepare

    def prepare(self, sources, references):
        calls.append(len(sources))
        return original(self, sources, references)

    monkeypatch.setattr(sari, "prepare", prepare)
    return calls


def test_two_sides_are_kept(counted):
    scorer, shared = metric_class("sari").preset(), PreparedSides()
    for n in (3, 4, 3, 4, 5, 4, 3):
        sources, references = side(n, 0)
        shared.statistics(scorer, examples(sources, texts(n, 7), references))
    assert counted == [3, 4, 5, 3]


def test_references_that_their_owner_changes_are_prepared_anew(counted):
    scorer, shared = metric_class("sari").preset(), PreparedSides()
    sources, references = side(5, 0)
    predictions = texts(5, 7)
    for _ in range(2):
        found = shared.statistics(scorer, examples(sources, predictions, references))
        np.testing.assert_array_equal(found, alone(scorer, sources, predictions, references))
        references[0][0] += " and more"
    of_alone = 2
    assert len(counted) == 2 + of_alone


def test_the_words_that_a_side_learns_are_bounded(counted, monkeypatch):
    scorer, shared = metric_class("sari").preset(), PreparedSides()
    sources, references = side(5, 0)
    monkeypatch.setattr(prepared, "_CHARACTERS_LEARNT", 100)
    for i in range(12):
        predictions = [f"{i}-{j}-word" for j in range(5)]  # 40 characters or more
        found = shared.statistics(scorer, examples(sources, predictions, references))
        assert (found == alone(scorer, sources, predictions, references)).all()
    of_statistics_of, anew = 12, 6  # every other time
    assert len(counted) == of_statistics_of + anew


@pytest.mark.parametrize("bound", ["_CHARACTERS_KEPT", "_CHARACTERS_LEARNT"])
def test_what_is_too_large_is_scored_and_not_kept(bound, counted, monkeypatch):
    scorer, shared = metric_class("sari").preset(), PreparedSides()
    sources, references = side(5, 0)
    monkeypatch.setattr(prepared, bound, 20)
    found = [
        shared.statistics(scorer, examples(sources, texts(5, 7), references)) for _ in range(2)
    ]
    assert counted == [5, 5]
    assert (found[0] == found[1]).all()


def test_a_side_that_was_interrupted_is_prepared_anew(counted, monkeypatch):
    scorer, shared = metric_class("sari").preset(), PreparedSides()
    sources, references = side(5, 0)
    expected = shared.statistics(scorer, examples(sources, texts(5, 7), references))
    with monkeypatch.context() as patch:
        patch.setattr(metric_class("sari"), "statistics", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            shared.statistics(scorer, examples(sources, texts(5, 7), references))
    found = shared.statistics(scorer, examples(sources, texts(5, 7), references))
    assert (found == expected).all()
    assert len(counted) == 2


def test_without_other_columns_every_prediction_is_scored():
    scorer, shared = metric_class("fkgl_components").preset(), PreparedSides()
    for n in (2, 4, 3, 2):
        found = shared.statistics(scorer, examples(None, texts(n, n), None))
        assert (found == alone(scorer, None, texts(n, n), None)).all()
