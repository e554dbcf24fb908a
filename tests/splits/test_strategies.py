"""The strategies, and the doors that read them: command line and page."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click
import pytest
from click.testing import CliRunner

from tests.splits.corpus import corpus
from textsimp.cli import main
from textsimp.cli.split import split
from textsimp.splits import STRATEGIES, drop_poor_alignments, random_split
from textsimp.splits.strategies import Strategy

OWN: dict[str, dict[str, Any]] = {
    "poor_alignments": {"fraction": 0.1},
    "balanced": {"iterations": 9},
}


def command_of(strategy: str) -> click.Command:
    command = split.get_command(click.Context(split), strategy.replace("_", "-"))
    assert command is not None
    return command


NAMED = [
    (name, option.name, choice)
    for name, strategy in STRATEGIES.items()
    for option in command_of(name).params
    if option.name in strategy.options and isinstance(option.type, click.Choice)
    for choice in option.type.choices
]


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_runs_as_it_is(name: str) -> None:
    data = corpus(12, 5, 3)
    strategy = STRATEGIES[name]
    options = OWN.get(name, {})
    made = strategy.split(data, 1, options)
    assert list(made.splits) == list(data)
    assert set(strategy.lists(options)) <= set(made.lists)


@pytest.mark.parametrize(("name", "option", "choice"), NAMED)
def test_every_choice_is_legal(name: str, option: str, choice: str) -> None:
    strategy = STRATEGIES[name]
    options = OWN.get(name, {}) | {option: choice}
    strategy.split(corpus(6, 3, 3), 1, options)


def test_the_columns_to_compare_are_passed_on_to_those_that_compare() -> None:
    data = corpus().rename_columns({"source": "complex", "target": "simple"})
    pair = {"source": "complex", "target": "simple", "edits": "shortest"}
    made = STRATEGIES["poor_alignments"].split(data, 0, {"fraction": 0.1}, **pair)
    expected = drop_poor_alignments(data, 0.1, **pair)
    assert made.lists["removed"]["id"][:] == expected.removed["id"][:]
    made = STRATEGIES["random"].split(data, 3, {}, **pair)
    assert made.splits["test"]["id"][:] == random_split(data, 3)["test"]["id"][:]


# A strategy that is added is at every door

Shade = Literal["light", "dark"]


def mirrored(
    data: dict[str, Any], seed: int, *, every: int = 1, shade: Shade = "light"
) -> dict[str, Any]:
    """Turn every subset around.

    Args:
        data: Subsets by name.
        seed: Without a meaning.
        every: Keep every n-th row.
        shade: How light it is.
    """
    return {name: part.take([*range(len(part) - 1, -1, -every)]) for name, part in data.items()}


@pytest.fixture
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    added = Strategy(mirrored)
    monkeypatch.setitem(STRATEGIES, "mirrored", added)


@pytest.mark.usefixtures("_added")
def test_a_strategy_that_is_added_is_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.en").write_text("a\nb\nc\n")
    Path("train.si").write_text("x\ny\nz\n")

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(main, ["split", *arguments])
        assert result.exit_code == 0, result.output
        return result.output

    assert "mirrored  " in run("--help")
    explained = run("mirrored", "--help")
    for text in ("Turn every subset around.", "--every N", "[light|dark]", "[default: 1]"):
        assert text in explained
    run("mirrored", "train.en,train.si", "--every", "2", "-o", "new")
    assert Path("new/train.en").read_text() == "c\na\n"


@pytest.mark.usefixtures("_added")
def test_a_strategy_that_is_added_is_on_the_page(tmp_path: Path) -> None:
    pytest.importorskip("gradio")
    from textsimp.demo import splits_page

    (radio,) = (
        block
        for block in splits_page.build_splits().blocks.values()
        if block.get_block_name() == "radio"
    )
    names: list[Any] = [name for _, name in radio.choices]
    assert names == [*STRATEGIES]
    assert ("Turn every subset around.", "mirrored") in radio.choices
    train = tmp_path / "train.jsonl"
    train.write_text('{"source": "a", "target": "b"}\n' * 2)
    given = splits_page.Limits(), [str(train)], "source", "target", 0.1
    assert "mirrored.zip" in splits_page.show_split(*given, "mirrored", 0)
