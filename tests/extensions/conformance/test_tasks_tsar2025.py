"""TSAR 2025: what the organisers' script prints for all public runs, with made-up models."""

import contextlib
import tarfile
from functools import partial

import pytest

from tests.extensions.models.networks import fake
from tests.given import load_file
from tests.project import SHARED
from textsimp import InputError
from textsimp.extensions import tasks
from textsimp.extensions.tasks import models as runners
from textsimp.extensions.tasks import tsar2025

DATA = SHARED / "data" / "tasks"
COUNTS = ("num_instances", "coverage_n", "coverage_pct")
NAMES = (*COUNTS, *tsar2025._LEVEL, *tsar2025._SIMILARITY)


@pytest.fixture
def stub(monkeypatch):
    """Return a function that puts the made-up models of a kind in place."""

    def install(kind):
        monkeypatch.setenv("STUB", kind)
        made_up = load_file(DATA / "tsar2025" / "stub.py")

        def compare(name, outputs, others):
            name = {"meaningbert": "davebulaval/meaningbert"}.get(name, name)
            return [made_up.sim(name, *pair) for pair in zip(outputs, others, strict=True)]

        monkeypatch.setattr(runners, "compare", compare)
        says = {name: partial(made_up.level, i) for name, i in made_up.NAMES.items()}
        classifiers = {name: fake.FakeLevels(say) for name, say in says.items()}
        stack.enter_context(fake.models(**classifiers))

    with contextlib.ExitStack() as stack:
        yield install


@pytest.fixture(scope="module")
def official(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tsar2025")
    with tarfile.open(DATA / "tsar2025" / "official_data.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "data"


def test_public_runs_have_their_official_rows(goldens, stub, official):
    rows = goldens("tasks/tsar2025_stub")
    assert rows
    for row in rows:
        stub(row["stub"])
        result = tasks.score(
            "tsar2025",
            gold=official / "tsar2025_test.jsonl",
            predictions=official / "submissions" / row["team"] / row["run"],
        )
        assert {name: result[name] for name in NAMES} == {name: row[name] for name in NAMES}
        assert [*result] == [*NAMES, "exact"]


def test_edge_cases_are_read_as_officially(goldens, stub):
    for row in goldens("tasks/tsar2025_edge"):
        stub(row["stub"])
        files = {"gold": DATA / row["gold"], "predictions": DATA / row["predictions"]}
        if "error" in row:
            with pytest.raises(InputError, match=r"jsonl, line \d+"):
                tasks.score("tsar2025", **files)
        else:
            result = tasks.score("tsar2025", **files)
            assert {name: result[name] for name in NAMES} == {name: row[name] for name in NAMES}


def test_runs_are_ranked_as_officially(goldens):
    cases = goldens("tasks/tsar2025_autorank")
    assert cases
    for case in cases:
        found = tsar2025.autorank(case["rows"])
        expected = {tuple(row[:2]): row[2:] for row in case["ranking"]}
        assert {(row["team"], row["run"]) for row in found} == {*expected}
        for row in found:
            numbers = expected[row["team"], row["run"]]
            assert row["AvgScore"] == pytest.approx(numbers[0], abs=1e-12)
            if "degenerate" not in case:
                assert row["Rescaled"] == pytest.approx(numbers[1], abs=1e-9)
                assert row["AUTORANK"] == pytest.approx(numbers[2], abs=1e-9)
        if "degenerate" not in case:
            assert [[row["team"], row["run"]] for row in found] == [r[:2] for r in case["ranking"]]
            best = [[row["team"], row["run"]] for row in found if row["best of team"]]
            assert best == case["best_per_team"]


def test_a_folder_of_teams_is_ranked_at_once(stub, official):
    stub("fine")
    files = sorted((official / "submissions").glob("*/*.jsonl"))
    runs = {f"{file.parent.name}/{file.name}": file for file in files}
    gold = official / "tsar2025_test.jsonl"
    results = tasks.compare("tsar2025", gold=gold, predictions=runs, resamples=10)
    (ranking,) = results.rankings().values()
    assert len(ranking) == 48  # two of 50 have fewer instances
