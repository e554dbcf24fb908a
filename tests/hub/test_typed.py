"""What type checkers are told of modules is what the metrics say of themselves."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
import sys
import textwrap
import typing
from pathlib import Path

import evaluate
import pytest

import textsimp
from textsimp import hub
from textsimp.core.metric import SCORE_OPTIONS, Metric
from textsimp.hub import typed
from textsimp.hub.module import _OF_LOADERS, Module
from textsimp.metrics.catalogue import metric_class
from textsimp.metrics.description import FLAT_OPTIONS

PROJECT = Path(__file__).parents[2]
TYPED = "textsimp/hub/typed.py"
EXPORTS = "textsimp/__init__.py"


def test_what_load_takes_beside_options_is_what_evaluate_takes() -> None:
    of_evaluate = typing.get_type_hints(typed.LoadOptions)
    arguments = {
        parameter
        for function in (evaluate.load, evaluate.EvaluationModule.__init__)
        for parameter in inspect.signature(function).parameters
    }
    others = {"self", "path", "config_name", "init_kwargs", "kwargs", "hash", "seed"}
    assert set(of_evaluate) == (arguments - others) | _OF_LOADERS


def test_the_options_that_metrics_share_are_those_of_score() -> None:
    assert list(typing.get_type_hints(typed.ScoreOptions)) == [*SCORE_OPTIONS, *FLAT_OPTIONS]
    assert {*SCORE_OPTIONS} < {*inspect.signature(Metric.score).parameters}


@pytest.mark.parametrize("name", hub.names())
def test_modules_have_what_their_type_says(name: str) -> None:
    told = getattr(typed, f"{metric_class(name).__name__}Module")
    loaded = textsimp.load(name)
    for attribute in typing.get_type_hints(typed.LoadedModule):
        assert hasattr(loaded, attribute)
    for method in ("compute", "add", "add_batch"):
        columns = inspect.signature(getattr(told, method)).parameters
        real = inspect.signature(getattr(Module, method)).parameters
        declared = {name for c in loaded.metric_class.columns for name in (c.name, c.one)}
        assert {c for c in columns if c != "options"} <= {*real, *declared}


def test_a_type_checker_finds_what_is_mistyped(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    code = """
    import textsimp
    sari = textsimp.load("sari", "xu", experiment_id="a", trust_remote_code=True, seed=3)
    sari.compute(sources=["a"], predictions=["a"], references=[["a"]], tokenizer="none")
    sari.compute(source=["a"], predictions=["a"])  # error
    sari.compute(sources=["a"], tokenizer="non")  # error
    sari.compute(sources=["a"], penalties=True)  # error
    sari.compute(zero_division=True)  # error
    sari.compute(weight=None)
    sari.add_batch(predictions=["a"], references=["a"])  # error
    textsimp.load("d_sari").compute(sources=["a"], penalties=True)
    textsimp.load("d_sari", splitter=str.split).add(source="a", prediction="a", reference="a")
    textsimp.load("d_sari", splitter=len)  # error
    textsimp.load("sari", varaint="xu")  # error
    textsimp.load("edit_ops", moves="one_to_one").add(source="a", prediction="b")
    name = str(input())
    textsimp.load(name, per_example=True).compute(anything=1)
    textsimp.splits.random_split
    textsimp.report.html
    textsimp.spilts  # error
    """
    told = check_types(code, tmp_path, PROJECT)
    assert 'did you mean "sources"?' in told


METRIC = """
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, Preset, Score, option
from textsimp.core.metric import Floats, Metric


@dataclass(frozen=True)
class WordCount(Metric):
    name: ClassVar[str] = "word_count"
    about: ClassVar[str] = "words"
    description: ClassVar[str] = "Words."
    papers: ClassVar[tuple[str, ...]] = ()
    columns: ClassVar = (PREDICTIONS,)
    presets: ClassVar = {"usual": Preset("as they are"), "halves": Preset("half of them")}
    scores: ClassVar = (Score("words", "Words", "of all texts", most=None),)

    variant: str = "usual"
    times: int | None = option(None, about="how often", kind=int, least=1, most=9)
    unit: str = option(
        "words",
        about="what is counted",
        choices=("words", *(f"{n} characters at once" for n in range(1, 6))),
    )

    def prepare(self) -> None:
        return None

    def statistics(self, prepared: Any, predictions: list[str]) -> Floats:
        return np.array([[float(len(text.split()))] for text in predictions])

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        return {"words": totals[..., 0] * (self.times or 1)}
"""
MODULE = '''
import evaluate

import textsimp.hub.module
import textsimp.metrics.word_count


class WordCount(textsimp.hub.module.Module):
    """Words."""

    metric_class = textsimp.metrics.word_count.WordCount

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
'''


def test_a_metric_is_exported_and_typed_by_the_tool_alone(tmp_path: Path) -> None:
    pytest.importorskip("ruff")
    pytest.importorskip("mypy")
    project = tmp_path / "project"
    for folder in ("textsimp", "metrics", "tools"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PROJECT / folder, project / folder, ignore=ignore)
    shutil.copy(PROJECT / "README.md", project)
    (project / "textsimp" / "metrics" / "word_count.py").write_text(METRIC)
    (project / "metrics" / "word_count").mkdir()
    (project / "metrics" / "word_count" / "word_count.py").write_text(MODULE)
    catalogue = project / "textsimp" / "catalogue.py"
    entry = '"word_count": "textsimp.metrics.word_count:WordCount"'
    catalogue.write_text(catalogue.read_text().replace("METRICS = {", f"METRICS = {{{entry}, ", 1))

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(project), "HF_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )

    checked = run("tools/tables.py", "--check")
    assert checked.returncode == 1
    assert f"README.md, {TYPED}, {EXPORTS}; run python tools/tables.py" in checked.stderr
    assert run("tools/tables.py").returncode == 0
    assert run("tools/tables.py", "--check").returncode == 0
    style = ("--diff", "--isolated", "--line-length=100")
    formatted = run("-m", "ruff", "format", *style, TYPED, EXPORTS)
    assert formatted.returncode == 0, formatted.stdout
    code = """
    import textsimp
    word_count = textsimp.load("word_count", times=2)
    word_count.add(prediction="a b")
    print(word_count.compute(unit="words")["words"])
    print(textsimp.WordCount(times=3).score(predictions=["a b"])["words"])
    def mistyped() -> None:
        word_count.add()  # error
        textsimp.WordCounts()  # error
        word_count.compute(unit="word")  # error
        word_count.compute(variant="other")  # error
        word_count.compute(times="2")  # error
        textsimp.load("word_count", time=2)  # error
    """
    check_types(code, tmp_path, project)
    done = run(str(tmp_path / "use.py"))
    assert done.stdout == "4.0\n6.0\n", done.stderr


def check_types(code: str, folder: Path, project: Path) -> str:
    """What mypy tells of a user's code; the lines that it tells of are those marked as errors."""
    file = folder / "use.py"
    file.write_text(textwrap.dedent(code))
    quiet = ["--follow-imports", "silent"]  # about what the libraries lack
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", os.devnull, *quiet, file.name],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(project)},
        capture_output=True,
        text=True,
        check=False,
    )
    found = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error: " in line}
    lines = file.read_text().splitlines()
    expected = {i for i, line in enumerate(lines, 1) if line.endswith("# error")}
    assert found == expected, done.stdout
    return done.stdout
