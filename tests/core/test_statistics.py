"""Files of statistics: pieces of a corpus, scored anywhere, are one run on everything."""

from __future__ import annotations

import gc
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

import textsimp
from tests.given import given_to, lines
from textsimp import InputError, Sari, compare, merge, score
from textsimp.core import statistics, sums
from textsimp.core.examples import Examples
from textsimp.metrics import catalogue
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.scoring import comparison

SOURCES, COPY = lines("source.txt"), lines("source.txt")
OURS, THEIRS = lines("systems/splitter.txt"), lines("systems/substituter.txt")
REFERENCES = [
    list(row) for row in zip(*(lines(f"references/{i}.txt") for i in range(3)), strict=True)
]
N = len(SOURCES)
SAMPLING: dict[str, Any] = {"confidence": 0.95, "resamples": 60, "seed": 3}


def columns(metric: Any, predictions: list[str], rows: slice = slice(None)) -> dict[str, Any]:
    texts = {"sources": SOURCES, "predictions": predictions, "references": REFERENCES}
    return {name: column[rows] for name, column in given_to(metric, texts).items()}


def save(path: Path, metric: Any, rows: slice = slice(None), **more: Any) -> Path:
    """The statistics of some rows of a system, ours unless another is given."""
    predictions = more.pop("predictions", OURS)
    start = more.pop("first_row", rows.start or 0)
    given = columns(type(metric), predictions, rows)
    metric.save(path, **given, system=more.pop("system", "ours"), first_row=start, **more)
    return path


def pieces_of(n: int, seed: int) -> list[slice]:
    """Everything in some pieces, in any order."""
    chance = random.Random(seed)
    ends = [0, *sorted(chance.sample(range(1, n), 3)), n]
    found = [slice(a, b) for a, b in itertools.pairwise(ends)]
    chance.shuffle(found)
    return found


@pytest.fixture(params=[None, 7], ids=["rows", "blocks"])
def many(request: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows are kept; or blocks, as of more than 100,000 examples."""
    if request.param:
        monkeypatch.setattr(sums, "MANY", request.param)
        monkeypatch.setattr(sums, "BLOCKS", 16)


@pytest.mark.parametrize("name", catalogue.names())
def test_merged_pieces_are_one_run_to_the_last_bit(name: str, many: None, tmp_path: Path) -> None:
    metric = catalogue.metric_class(name)()
    systems = {"ours": OURS, "theirs": THEIRS}
    files = []
    for system, predictions in systems.items():
        for rows in pieces_of(N, seed=len(files)):
            path = tmp_path / f"{len(files)}.parquet"
            files.append(save(path, metric, rows, predictions=predictions, system=system))
    random.Random(1).shuffle(files)
    merged = merge(files)
    own = {c.name for c in metric.columns if c.own}
    given = {system: columns(type(metric), of) for system, of in systems.items()}
    one_run = comparison.checked_systems(
        [metric],
        {system: {n: r for n, r in of.items() if n in own} for system, of in given.items()},
        {name: rows for name, rows in given["ours"].items() if name not in own},
    )
    expected = score(one_run, metrics=metric, **SAMPLING)
    assert score(merged, **SAMPLING).to_dict() == expected.to_dict()
    found = compare(merged, baseline="ours", **SAMPLING)[name].to_dict()
    compared = compare(one_run, metric=metric, baseline="ours", **SAMPLING).to_dict()
    assert found | {"best": {*found["best"]}} == compared | {"best": {*compared["best"]}}


def forms(name: str) -> list[Any]:
    """A metric's variants, and other levels."""
    metric = catalogue.metric_class(name)
    found = [metric(variant) for variant in metric.presets]
    for option, values in (("level", ("sentence", "aligned")), ("aggregate", ("corpus", "mean"))):
        for f in metric.declared():
            if f.name == option:
                found += [metric(**{option: v}) for v in values if v in f.metadata["choices"]]
    return found


@pytest.mark.parametrize("name", catalogue.names())
def test_statistics_of_an_example_are_bit_equal_whatever_others_are_beside_it(name: str) -> None:
    metric = catalogue.metric_class(name)
    for form in forms(name):
        if form.independent_rows:
            (whole,) = form.statistics_of(form.check(**columns(metric, OURS))).values()
            for cut in (slice(0, 1), slice(3, 11), slice(7, N)):
                (rows,) = form.statistics_of(form.check(**columns(metric, OURS, cut))).values()
                assert rows.tolist() == whole[cut].tolist(), form


@pytest.mark.parametrize("name", catalogue.names())
def test_statistics_of_all_forms_have_a_name_each(name: str) -> None:
    metric = catalogue.metric_class(name)
    given = columns(metric, OURS, slice(0, 3))
    less = {c.name for c in metric.columns if not c.required}
    for form in forms(name):
        if getattr(form, "aligned", False):
            less -= {"sources"}
        for some in (given, {name: rows for name, rows in given.items() if name not in less}):
            (rows,) = form.statistics_of(form.check(**some)).values()
            names = form.statistic_names(rows.shape[1])
            assert len(names) == len({*names}) == rows.shape[1]
            assert all(name and not name.isdigit() for name in names)


def test_names_of_statistics_say_what_the_columns_are(tmp_path: Path) -> None:
    table = pq.read_table(save(tmp_path / "s.parquet", Sari(), first_row=5))
    assert table.column_names[:2] == ["row", "sari/ours/add_correct_1"]
    assert table["row"].to_pylist() == list(range(5, 5 + N))
    (rows,) = Sari().statistics_of(Sari.check(**columns(Sari, OURS))).values()
    names = Sari().statistic_names(36)
    assert names[4:8] == [f"add_predicted_{n}" for n in (1, 2, 3, 4)]
    assert table["sari/ours/delete_reference_4"].to_pylist() == rows[:, -1].tolist()
    added = rows[:, names.index("add_correct_1")] <= rows[:, names.index("add_predicted_1")]
    assert added.all()
    xu = Sari("xu")
    (rows,) = xu.statistics_of(xu.check(**columns(Sari, OURS))).values()
    by_name = dict(zip(xu.statistic_names(40), rows.mean(axis=0), strict=True))
    scores = xu.score(**columns(Sari, OURS))
    for operation in ("add", "keep", "delete"):
        assert 100 * by_name[operation] == pytest.approx(scores[operation])


def test_several_metrics_and_forms_stand_in_a_file_that_another_process_wrote(
    tmp_path: Path,
) -> None:
    script = """
import sys
from pathlib import Path
from tests.core.test_statistics import COPY, N, OURS, REFERENCES, SOURCES, THEIRS
from textsimp.core import statistics
from textsimp.metrics import catalogue
from textsimp.core.examples import Examples
of_sari = [catalogue.make_metric("sari", variant, {}) for variant in ("easse", "xu")]
metrics = catalogue.make_metrics(of_sari, "m")
metrics |= catalogue.make_metrics(["bleu", "fkgl_components"], "m")
for i, rows in enumerate([slice(9, N), slice(0, 9)]):
    examples = Examples(
        {"sources": SOURCES[rows], "references": REFERENCES[rows]},
        {name: {"predictions": p[rows]} for name, p in (("ours", OURS), ("theirs", THEIRS))},
    )
    statistics.gather_to(Path(sys.argv[1]) / f"{i}.parquet", metrics, examples, rows.start)
"""
    subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], check=True, cwd=Path(__file__).parents[2]
    )
    files = sorted(tmp_path.iterdir())
    merged = merge(files)
    assert [*merged] == ["sari", "sari (xu)", "bleu", "fkgl_components"]
    expected = score(
        {"ours": OURS, "theirs": THEIRS},
        metrics=[Sari(), Sari("xu"), Bleu(), FkglComponents()],
        sources=SOURCES,
        references=REFERENCES,
        **SAMPLING,
    )
    assert score(merged, **SAMPLING).to_dict() == expected.to_dict()
    some = score(merged, metrics=["bleu"], **SAMPLING)
    assert some["ours"]["bleu"].to_dict() == expected["ours"]["bleu"].to_dict()
    assert Bleu.load(files[1]).score("theirs").examples == 9
    with pytest.raises(
        InputError, match=r"one form of sari, got sari, sari \(xu\); textsimp.merge"
    ):
        Sari.load(files[0])
    with pytest.raises(InputError, match="expected statistics of one form of d_sari, got none"):
        textsimp.DSari.load(files[0])
    with pytest.raises(InputError, match="expected no options of statistics"):
        score(merged, metrics={"sari": {"variant": "xu"}})


class Cluster(RuleBasedStateMachine):
    """Whatever was scored, in whatever order: the files are one run on the rows that they have."""

    @initialize()
    def make_folder(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.files: dict[int, list[Path]] = {}
        self.made = 0

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    @rule(start=st.integers(0, N - 3), size=st.integers(1, 3), together=st.booleans())
    def score_piece(self, start: int, size: int, together: bool) -> None:
        start = start // 3 * 3  # pieces begin at multiples of 3
        if start in self.files or start + 3 > N:
            return
        rows = slice(start, start + size)
        of = {"ours": {"predictions": OURS[rows]}, "theirs": {"predictions": THEIRS[rows]}}
        shared = {"sources": SOURCES[rows], "references": REFERENCES[rows]}
        parts = [of] if together else [{name: own} for name, own in of.items()]
        self.files[start] = []
        for systems in parts:
            path = Path(self.folder.name) / f"{self.made}.parquet"
            self.made += 1
            statistics.gather_to(path, {"sari": Sari()}, Examples(shared, systems), start)
            self.files[start].append(path)
        self.size = {**getattr(self, "size", {}), start: size}

    @rule(chance=st.randoms(use_true_random=False))
    def merge_all(self, chance: random.Random) -> None:
        files = [path for of in self.files.values() for path in of]
        if not files:
            return
        chance.shuffle(files)
        merged = statistics.merge(files, catalogue.make_metric)
        rows = [i for start in sorted(self.files) for i in range(start, start + self.size[start])]
        expected = score(
            {"ours": [OURS[i] for i in rows], "theirs": [THEIRS[i] for i in rows]},
            sources=[SOURCES[i] for i in rows],
            references=[REFERENCES[i] for i in rows],
            **SAMPLING,
        )
        assert score(merged, **SAMPLING).to_dict() == expected.to_dict()
        assert bool(statistics.missing(merged)) is (rows != list(range(len(rows))))


TestCluster = Cluster.TestCase
TestCluster.settings = settings(max_examples=6, stateful_step_count=8)


@pytest.mark.filterwarnings("error")
def test_rows_that_no_file_has_are_told(tmp_path: Path) -> None:
    files = [
        save(tmp_path / "a.parquet", Sari(), slice(2, 5)),
        save(tmp_path / "b.parquet", Sari(), slice(6, 9)),
    ]
    with pytest.warns(UserWarning, match=r"^rows 0 to 1, row 5 \(counted from 0\) are in no file"):
        merged = merge(files)
    assert Sari.load(files[0]).score().examples == 3
    assert score(merged, confidence=None)["ours"]["sari"].examples == 6


def test_pieces_that_dont_fit_are_refused_by_the_name_of_their_file(tmp_path: Path) -> None:
    first = save(tmp_path / "first.parquet", Sari(), slice(0, 6))

    def refused(metric: Any, rows: slice, match: str, **more: Any) -> None:
        other = save(tmp_path / "other.parquet", metric, rows, overwrite=True, **more)
        with pytest.raises(InputError, match=match):
            merge([first, other])

    refused(Sari(), slice(4, 8), r"first.parquet and .*other.parquet both have rows 4 to 5 \(co")
    refused(Sari(), slice(5, 6), "both have row 5 .*of sari, ours: .*--first-row")
    refused(
        *(Sari("xu"), slice(6, 8)),
        r"other.parquet: expected sari with variant easse, as in .*first.parquet, got xu",
    )
    refused(
        *(Sari(lowercase=False), slice(6, 8)),
        r"expected sari with options \{\}, as in .*first.parquet, got \{'lowercase': False\}",
    )
    refused(
        *(Sari(), slice(0, 5)),
        "expected the same rows of all systems, but sari has rows 0 to 5 of ours and rows 0 to 4 ",
        system="theirs",
    )
    with pytest.raises(InputError, match=r"first.parquet: expected each file once, got it twice"):
        merge([first, tmp_path / "." / "first.parquet"])
    with pytest.raises(InputError, match=r"expected a list of files of statistics, got .*first"):
        merge(str(first))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="expected files of statistics, got none"):
        merge([])


def test_pieces_of_other_columns_are_refused(tmp_path: Path) -> None:
    metric, files = FkglComponents(), [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    metric.save(files[0], predictions=OURS[:4], sources=SOURCES[:4])
    metric.save(files[1], predictions=OURS[4:6], first_row=4)
    with pytest.raises(InputError, match=r"b.parquet: expected fkgl_components of sources, as in"):
        merge(files)


def test_pieces_of_a_metric_that_takes_all_texts_for_one_are_refused(tmp_path: Path) -> None:
    metric = FkglComponents("textstat")
    with pytest.raises(InputError, match="takes all texts for one with these options: pieces of a"):
        metric.save(tmp_path / "b.parquet", predictions=OURS[3:], first_row=3)
    metric.save(tmp_path / "a.parquet", predictions=OURS)
    assert FkglComponents.load(tmp_path / "a.parquet").score() == metric.score(predictions=OURS)


def rewritten(path: Path, **about: Any) -> Path:
    """A copy of a file that says something else of itself."""
    table = pq.read_table(path)
    said = json.loads(pq.read_metadata(path).metadata[b"textsimp"]) | about
    other = path.with_name("rewritten.parquet")
    pq.write_table(table.replace_schema_metadata({b"textsimp": json.dumps(said)}), other)
    return other


def test_what_isnt_a_whole_file_of_this_version_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "a.parquet", Sari())
    whole = path.read_bytes()
    assert merge([rewritten(path)]).keys() == {"sari"}  # parquet is parquet
    with pytest.raises(InputError, match=r"rewritten.parquet: statistics of textsimp 0\.0, which"):
        merge([rewritten(path, version="0.0")])
    with pytest.raises(InputError, match=r"rewritten.parquet: expected a file of statistics"):
        merge([rewritten(path, metrics=[])])
    table = pq.read_table(path)
    kept = {b"textsimp": pq.read_metadata(path).metadata[b"textsimp"]}
    for odd in (table.drop_columns(["sari/ours/add_correct_2"]), table.slice(0, 0)):
        pq.write_table(odd.replace_schema_metadata(kept), tmp_path / "odd.parquet")
        with pytest.raises(
            InputError, match=r"odd.parquet: expected all columns that were written"
        ):
            merge([tmp_path / "odd.parquet"])
    pq.write_table(table, tmp_path / "not.parquet")
    with pytest.raises(InputError, match=r"not.parquet: expected a file of statistics, as --save"):
        merge([tmp_path / "not.parquet"])
    for part in (b"", whole[:200], whole[:-3], b"row,sari\n1,2\n"):
        path.write_bytes(part)
        with pytest.raises(InputError, match=r"a.parquet: not a parquet file"):
            merge([path])
    path.write_bytes(whole[:300] + bytes(200) + whole[500:])
    with pytest.raises(InputError, match=r"a.parquet: not a (whole )?parquet file|expected all"):
        Sari.load(path).score()
    with pytest.raises(InputError, match=r"nothing.parquet: no such file"):
        merge([tmp_path / "nothing.parquet"])
    with pytest.raises(InputError, match="not a parquet file"):
        merge([tmp_path])


@pytest.mark.parametrize("system", ["a/b", '"', "ünï→", "row", "x" * 300, "a\nb"])
def test_any_name_of_a_system_comes_back(system: str, tmp_path: Path) -> None:
    path = save(tmp_path / "a.parquet", Sari(), system=system)
    assert [*Sari.load(path).systems] == [system]
    assert Sari.load(path).score() == Sari().score(**columns(Sari, OURS))


def test_what_cant_be_saved_is_refused_before_anything_is_computed(tmp_path: Path) -> None:
    class Never(Sari):
        def statistics_of(self, examples: Any) -> Any:
            raise AssertionError("computed")

    given, path = columns(Sari, OURS), tmp_path / "a.parquet"
    for metric, more, match in (
        (Never(tokenizer=str.split), {}, "tokenizer: sari has a method_descriptor here"),
        (Never(), {"first_row": -1}, "first_row: expected an integer from 0 to 1,000,000"),
        (Never(), {"first_row": 2**64}, "first_row: expected an integer from 0"),
        (Never(), {"first_row": True}, "first_row: expected an integer from 0"),
        (Never(), {"first_row": 1.0}, "first_row: expected an integer from 0"),
        (Never(), {"system": 3}, "system: expected a name, got 3"),
        (Never(), {"system": "\ud800"}, "system"),
    ):
        with pytest.raises(InputError, match=match):
            metric.save(path, **given, **more)
    path.write_bytes(b"mine")
    with pytest.raises(InputError, match=r"a.parquet is there already"):
        Never().save(path, **given)
    with pytest.raises(InputError, match="can't be written"):
        Never().save(path / "below.parquet", **given, overwrite=True)
    assert path.read_bytes() == b"mine"
    assert [*tmp_path.iterdir()] == [path]
    Sari().save(path, **given, overwrite=True, first_row=np.int64(2))
    assert Sari.load(path).systems["predictions"].ranges.tolist() == [[2, 2 + N]]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("there", [b"", b"mine"])
def test_a_process_that_is_stopped_leaves_no_half_a_file(
    sent: signal.Signals, there: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "a.parquet"
    if there:
        path.write_bytes(there)
    script = """
import os, sys, textsimp
from tests.core.test_statistics import OURS, REFERENCES, SOURCES
from textsimp.core import statistics
from textsimp.core.examples import Examples
class Corpus(Examples):
    def slices(self, rows=0):
        yield self
        os.kill(os.getpid(), int(sys.argv[2]))
        yield self
examples = Corpus({"sources": SOURCES, "references": REFERENCES}, {"ours": {"predictions": OURS}})
statistics._BYTES_AT_ONCE = 1
from pathlib import Path
statistics.gather_to(Path(sys.argv[1]), {"sari": textsimp.Sari()}, examples, overwrite=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(path), str(int(sent))],
        cwd=Path(__file__).parents[2],
        capture_output=True,
    )
    assert done.returncode == -sent
    assert [p.read_bytes() for p in tmp_path.iterdir()] == ([there] if there else [])


def test_processes_that_write_to_one_folder_score_at_the_same_time(tmp_path: Path) -> None:
    other = tmp_path / "other.parquet"

    class Corpus(Examples):
        def slices(self, rows: int = 0) -> Any:
            yield self
            child = os.fork()  # which must come to its end before this one does
            if child == 0:
                signal.alarm(60)
                try:
                    save(other, Sari())
                finally:
                    os._exit(0)
            os.waitpid(child, 0)

    examples = Corpus(
        {"sources": SOURCES, "references": REFERENCES}, {"ours": {"predictions": OURS}}
    )
    statistics.gather_to(tmp_path / "a.parquet", {"sari": Sari()}, examples)
    assert other.exists()


def test_scores_of_each_of_many_examples_in_memory_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sums, "MANY", 10)
    given = {"sources": SOURCES, "references": REFERENCES}
    each = Sari().score(**given, predictions=OURS, per_example=True)["sari_per_example"]
    assert len(each) == N
    for found in (
        score({"ours": OURS}, **given, per_example=True)["ours"]["sari"],
        compare({"ours": OURS, "copy": COPY}, **given, per_example=True).systems["ours"],
    ):
        assert found["sari_per_example"] == each


def test_options_of_scores_of_files_are_checked(tmp_path: Path) -> None:
    loaded = Sari.load(save(tmp_path / "a.parquet", Sari()))
    with pytest.raises(InputError, match="confidence"):
        loaded.score(confidence=95)
    with pytest.raises(InputError, match="system: expected one of 'ours', got 'other'"):
        loaded.score("other")
    with pytest.raises(InputError, match="per_example: expected texts, got statistics"):
        score({"sari": loaded}, per_example=True)
    with pytest.raises(InputError, match="sources: expected none beside statistics"):
        score({"sari": loaded}, sources=SOURCES)
    with pytest.raises(InputError, match="metrics: expected one of sari, got 'bleu'"):
        score({"sari": loaded}, metrics="bleu")
    with pytest.raises(InputError, match="systems: expected at least two"):
        compare({"sari": loaded})


@pytest.mark.parametrize(
    ("name", "width"),
    [("bertscore", 7), ("embedding_similarity", 3), ("regression", 4), ("entailment", 4)],
)
def test_statistics_of_metrics_with_a_model_have_a_name_each(name: str, width: int) -> None:
    without_a_model = object.__new__(catalogue.metric_class(name))
    names = without_a_model.statistic_names(width)
    assert len(names) == len({*names}) == width


def test_statistics_of_levels_are_called_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    level = catalogue.metric_class("level")
    monkeypatch.setattr(level, "level_names", lambda self: ("A1", "A2", "B1"))
    names = object.__new__(level).statistic_names(18)
    assert len({*names}) == 18  # m² + 3m
    assert names[:4] == ["A1_target_A1", "A2_target_A1", "B1_target_A1", "A1_target_A2"]
    assert names[9:13] == ["A1_target_none", "A2_target_none", "B1_target_none", "source_A1"]


@pytest.mark.parametrize("chosen", [[], {}, 3, "bleu", ["bleu"]])
def test_a_choice_of_metrics_that_statistics_lack_is_told(chosen: Any, tmp_path: Path) -> None:
    merged = merge([save(tmp_path / "0", Sari())])
    with pytest.raises(InputError, match="metrics: expected one of sari, got"):
        score(merged, metrics=chosen)
    with pytest.raises(InputError, match="metric: expected one of sari, got"):
        compare(merged, metric=chosen)


def test_statistics_are_saved_under_a_name_and_overwritten_by_a_switch(tmp_path: Path) -> None:
    for name in ("", " "):
        with pytest.raises(InputError, match="system: expected a name, got"):
            save(tmp_path / "0", Sari(), system=name)
    with pytest.raises(InputError, match="overwrite: expected True or False, got 'no'"):
        save(tmp_path / "0", Sari(), overwrite="no")


def test_scores_of_statistics_are_of_a_system_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"system: expected one of 'ours', got \[\]"):
        Sari.load(save(tmp_path / "0", Sari())).score([])  # type: ignore[arg-type]


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_after_some_rows_were_written_is_all_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(statistics, "_BYTES_AT_ONCE", 0)
    shared = {"sources": SOURCES, "references": REFERENCES}
    examples = Examples(shared, {"ours": {"predictions": OURS}})
    with pytest.raises(KeyboardInterrupt):
        statistics.gather_to(tmp_path / "0", {"sari": Sari()}, examples, each=stop)
    gc.collect()
    assert not [*tmp_path.iterdir()]
