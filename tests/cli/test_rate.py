"""``textsimp rate design``: a plan in a file, and what the study can detect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from textsimp.ratings import design


def texts(folder: Path) -> dict[str, list[str]]:
    return {path.stem: path.read_text().splitlines() for path in sorted(folder.glob("*.txt"))}


def test_it_writes_the_plan_of_design_and_says_what_it_detects(examples: Path, run: Any) -> None:
    result = run(
        "rate design -s source.txt -p systems --per-rater 30 --controls --seed 4 -o p.jsonl"
    )
    assert result.exit_code == 0
    sources = Path("source.txt").read_text().splitlines()
    plan = design(sources, texts(Path("systems")), per_rater=30, controls=True, seed=4)
    assert list(map(json.loads, Path("p.jsonl").read_text().splitlines())) == plan.to_dicts()
    assert result.stdout == "\n".join([*plan.describe(), "written: p.jsonl", ""])


def test_references_are_in_the_plan(examples: Path, run: Any) -> None:
    run("rate design -s source.txt -p systems -r references -o p.jsonl")
    with open("p.jsonl", encoding="utf-8") as file:
        assert len(json.loads(file.readline())["references"]) == 3


def test_own_schemes_are_files(examples: Path, run: Any) -> None:
    criteria = {"good": {"question": "Is it good?", "steps": {"1": "No.", "2": "Yes."}}}
    Path("own.json").write_text(json.dumps({"name": "own", "version": 1, "criteria": criteria}))
    result = run("rate design -s source.txt -p systems --scheme own.json -o p.jsonl")
    assert result.stdout.startswith("own: 288 ratings by 3 raters\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--scheme best_worst", "best_worst needs 4 systems or more, got 2"),
        ("--per-rater 1", "per_rater: expected room for a source, 2 ratings beside controls"),
        ("--per-output 4", "per_output: expected an integer from 1 to 3, got 4"),
    ],
)
def test_impossible_designs_are_one_sentence_and_write_nothing(
    arguments: str, message: str, examples: Path, fails: Any
) -> None:
    assert fails(f"rate design -s source.txt -p systems -o p.jsonl {arguments}").startswith(message)
    assert not Path("p.jsonl").exists()


def test_a_plan_is_not_overwritten(examples: Path, fails: Any) -> None:
    Path("p.jsonl").write_text("mine")
    message = fails("rate design -s source.txt -p systems -o p.jsonl")
    assert message == "p.jsonl is there already: --force overwrites it"
