"""``textsimp report``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from textsimp import catalogue, report
from textsimp.metric import beyond

FILES = "-s source.txt -r references -p systems/splitter.txt -p systems/substituter.txt"


def lines(name: str) -> list[str]:
    return Path(name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def test_the_page_is_that_of_the_library(examples: Path, run: Any) -> None:
    result = run(
        f"report {FILES} --option variant=xu --examples 3 --resamples 50 --seed 1 -o new.html",
        *("--title", "A title", "--description", "Ours.", "--date", "June"),
    )
    assert result.exit_code == 0, result.output
    assert result.output == "written: new.html\n"
    expected = report.html(
        {name: lines(f"systems/{name}.txt") for name in ("splitter", "substituter")},
        sources=lines("source.txt"),
        references=list(zip(*(lines(f"references/{i}.txt") for i in range(3)), strict=True)),
        metrics={"sari": {"variant": "xu"}},
        title="A title",
        description="Ours.",
        date="June",
        examples=3,
        resamples=50,
        seed=1,
    )
    assert Path("new.html").read_text(encoding="utf-8") == expected


def test_documents_can_be_reported_at_level_aligned(examples: Path, run: Any) -> None:
    files = "-s documents/source.txt -r documents/references -p documents/systems/shortener.txt"
    result = run(f"report {files} -O level=aligned -O threshold=0.3 --resamples 10 -o new.html")
    assert result.exit_code == 0, result.output
    page = Path("new.html").read_text(encoding="utf-8")
    assert "|level:aligned|aligner:lexical|threshold:0.3|" in page
    assert page.count('class="linked"') == len(lines("documents/source.txt"))


def test_a_file_is_overwritten_only_if_told_to(examples: Path, run: Any, fails: Any) -> None:
    Path("report.html").write_text("old")
    assert fails(f"report {FILES}") == "report.html is there already: --force overwrites it"
    assert Path("report.html").read_text() == "old"
    assert run(f"report {FILES} --resamples 10 --force").exit_code == 0
    assert Path("report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_sources_and_references_are_needed(examples: Path, fails: Any) -> None:
    assert fails("report -p systems").startswith("report needs sources: ")
    assert fails("report -s source.txt -p systems").startswith("report needs references: ")


def test_bad_input_writes_nothing(examples: Path, fails: Any) -> None:
    assert "expected some of 'sari'" in fails(f"report {FILES} -m edit_ops")
    reserved = fails("report -s source.txt -r references -p references=source.txt")
    assert reserved.endswith("'references' names a row of every report: choose another name")
    assert not Path("report.html").exists()


def test_every_metric_that_judges_may_be_asked_for(examples: Path, run: Any) -> None:
    classes = {name: catalogue.metric_class(name) for name in catalogue.names()}
    judging = [name for name, cls in classes.items() if cls.ranks() and not beyond(cls)]
    result = run(f"report {FILES} -m {','.join(judging)} --examples 1 --resamples 10 -o new.html")
    assert result.exit_code == 0, result.output


def test_labels_in_the_tables_of_systems_are_shown(examples: Path, run: Any) -> None:
    rows = [json.loads(line) for line in lines("labels.jsonl")]
    for system in ("splitter", "substituter"):
        of = [json.dumps(row) for row in rows if row["system"] == system]
        Path(f"{system}.jsonl").write_text("\n".join(of) + "\n", encoding="utf-8")
    numbers = [row["item"] - 1 for row in rows if row["system"] == "splitter"]
    for name in ("source.txt", "references/0.txt"):
        texts = lines(name)
        Path("few.txt" if name == "source.txt" else "one.txt").write_text(
            "".join(f"{texts[i]}\n" for i in numbers), encoding="utf-8"
        )
    result = run(
        "report -s few.txt -r one.txt -p splitter.jsonl -p substituter.jsonl --resamples 5"
    )
    assert result.exit_code == 0, result.output
    page = Path("report.html").read_text(encoding="utf-8")
    assert 'data-errors="deletion any"' in page
    assert "Deletion rate" in page
