"""What type checkers are told of modules is what the metrics say of themselves."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import textwrap
import types
import typing
from pathlib import Path
from typing import Any, Literal

import evaluate
import pytest

import textsimp
from textsimp import hub
from textsimp.catalogue import metric_class
from textsimp.hub import typed
from textsimp.hub.module import _OF_LOADERS, Module
from textsimp.metric import SCORE_OPTIONS, Metric

PROJECT = Path(__file__).parents[2]


def camel(name: str) -> str:
    return "".join(map(str.capitalize, name.split("_")))


def alternatives(hint: Any) -> list[Any]:
    """The types and values that a hint allows."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return [value for part in typing.get_args(hint) for value in alternatives(part)]
    if typing.get_origin(hint) is Literal:
        return list(typing.get_args(hint))
    return [None if hint is type(None) else hint]


@pytest.mark.parametrize("name", hub.names())
def test_the_options_of_a_module_are_those_of_its_metric(name: str) -> None:
    metric = metric_class(name)
    hints = typing.get_type_hints(getattr(typed, f"{camel(name)}Options"))
    assert sorted(hints) == sorted(["variant", *metric.option_names(), *SCORE_OPTIONS])
    assert alternatives(hints["variant"]) == list(metric.presets)
    for option in metric.option_names():
        rules = metric.__dataclass_fields__[option].metadata
        allowed = alternatives(hints[option])
        if option == "splitter":
            assert allowed[0] is str
        elif rules["kind"] is bool:
            assert allowed == [bool]
        elif rules["choices"]:
            assert set(allowed) == set(rules["choices"])
        else:
            assert allowed == [rules["kind"], *([None] if rules["default"] is None else [])]


@pytest.mark.parametrize("name", hub.names())
def test_what_load_takes_is_what_the_module_and_evaluate_take(name: str) -> None:
    options = typing.get_type_hints(getattr(typed, f"{camel(name)}Options"))
    load = typing.get_type_hints(getattr(typed, f"Load{camel(name)}"))
    of_evaluate = typing.get_type_hints(typed.LoadOptions)
    assert load == options | of_evaluate
    arguments = {
        parameter
        for function in (evaluate.load, evaluate.EvaluationModule.__init__)
        for parameter in inspect.signature(function).parameters
    }
    others = {"self", "path", "config_name", "init_kwargs", "kwargs", "hash", "seed"}
    assert set(of_evaluate) == (arguments - others) | _OF_LOADERS


def test_the_options_that_metrics_share_are_those_of_score() -> None:
    assert list(typing.get_type_hints(typed.ScoreOptions)) == list(SCORE_OPTIONS)
    assert {*SCORE_OPTIONS} < {*inspect.signature(Metric.score).parameters}


@pytest.mark.parametrize("name", hub.names())
def test_modules_have_what_their_type_says(name: str) -> None:
    told = getattr(typed, f"{camel(name)}Module")
    loaded = textsimp.load(name)
    for attribute in typing.get_type_hints(typed.LoadedModule):
        assert hasattr(loaded, attribute)
    for method in ("compute", "add", "add_batch"):
        columns = inspect.signature(getattr(told, method)).parameters
        real = inspect.signature(getattr(Module, method)).parameters
        assert {c for c in columns if c != "options"} <= {*real}


def test_a_type_checker_finds_what_is_mistyped(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    code = """
    import textsimp
    sari = textsimp.load("sari", "xu", experiment_id="a", trust_remote_code=True, seed=3)
    sari.compute(sources=["a"], predictions=["a"], references=[["a"]], tokenizer="none")
    sari.compute(source=["a"], predictions=["a"])  # error
    sari.compute(sources=["a"], tokenizer="non")  # error
    sari.compute(sources=["a"], penalties=True)  # error
    textsimp.load("d_sari").compute(sources=["a"], penalties=True)
    textsimp.load("sari", varaint="xu")  # error
    textsimp.load("edit_ops", moves="one_to_one").add(source="a", prediction="b")
    name = str(input())
    textsimp.load(name, per_example=True).compute(anything=1)
    textsimp.splits.random_split
    textsimp.report.html
    textsimp.spilts  # error
    """
    file = tmp_path / "use.py"
    file.write_text(textwrap.dedent(code))
    quiet = ["--follow-imports", "silent"]  # about what the libraries lack
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", os.devnull, *quiet, file.name],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
    )
    found = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error: " in line}
    lines = file.read_text().splitlines()
    expected = {i for i, line in enumerate(lines, 1) if line.endswith("# error")}
    assert found == expected, done.stdout
    assert 'did you mean "sources"?' in done.stdout
