"""The strategies, and the doors that read them: command line and page."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import click
import pytest

from tests.splits.corpus import corpus
from textsimp.cli.split import split
from textsimp.splits import STRATEGIES

OWN: dict[str, dict[str, Any]] = {
    "poor_alignments": {"fraction": 0.1},
    "balanced": {"iterations": 9},
}
CHOICES = [
    (name, option.name, choice)
    for name in STRATEGIES
    for option in split.commands[name.replace("_", "-")].params
    if isinstance(option.type, click.Choice)
    for choice in option.type.choices
]


def test_names_are_completed_before_they_are_imported() -> None:
    code = "from textsimp import splits; assert {*splits.__all__} <= {*dir(splits)}"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_runs_as_it_is(name: str) -> None:
    data = corpus(12, 5, 3)
    made = STRATEGIES[name](data, seed=1, **OWN.get(name, {}))
    assert list(getattr(made, "kept", made)) == list(data)


@pytest.mark.parametrize(("name", "option", "choice"), CHOICES)
def test_every_choice_is_legal(name: str, option: str, choice: str) -> None:
    STRATEGIES[name](corpus(6, 3, 3), seed=1, **OWN.get(name, {}) | {option: choice})


def test_every_strategy_is_a_command_and_on_the_page() -> None:
    assert {*split.commands} == {"divergence", *(name.replace("_", "-") for name in STRATEGIES)}
    pytest.importorskip("gradio")
    from textsimp.demo import build_splits
    from textsimp.demo.splits_page import describe

    (radio,) = (b for b in build_splits().blocks.values() if b.get_block_name() == "radio")
    assert radio.choices == [(describe(name), name) for name in STRATEGIES]
