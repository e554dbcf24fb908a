"""Use every door of an installed textsimp once: what ``make release-check`` runs in the end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import textsimp

TEXTS = {
    "sources": ["About 95 species are currently accepted.", "It commenced to precipitate."],
    "references": [["About 95 species are now known."], ["It began to rain."]],
}
OUTPUTS = ["About 95 species are now accepted.", "It began to precipitate."]


def use_python() -> None:
    assert textsimp.score({"ours": OUTPUTS}, **TEXTS)["ours"]["sari"]["sari"] > 50


def use_evaluate() -> None:
    import evaluate

    with textsimp.register():
        module = evaluate.load("textsimp/sari")
    assert module.compute(predictions=OUTPUTS, **TEXTS)["sari"] > 50


def use_command_line() -> None:
    Path("source.txt").write_text("\n".join(TEXTS["sources"]), encoding="utf-8")
    Path("ours.txt").write_text("\n".join(OUTPUTS), encoding="utf-8")
    command = "textsimp score -m simplification_stats -s source.txt -p ours.txt"
    script = Path(sys.executable).with_name("textsimp")
    done = subprocess.run([script, *command.split()[1:]], capture_output=True, text=True)
    assert "compression" in done.stdout, done.stderr


def use_report() -> None:
    from textsimp import report

    assert report.html({"ours": OUTPUTS}, **TEXTS).startswith("<!doctype html>")


def use_trainer() -> None:
    from textsimp.trainer import make_reward

    columns = {"source": TEXTS["sources"], "references": TEXTS["references"]}
    assert make_reward("sari")(prompts=TEXTS["sources"], completions=OUTPUTS, **columns)[0] > 0.5


def use_datasets() -> None:
    from datasets import Dataset, DatasetDict

    from textsimp.splits import random_split

    rows = Dataset.from_list([{"source": f"{n} cats sat", "target": f"{n} sat"} for n in range(9)])
    corpus = DatasetDict(train=rows.select(range(6)), test=rows.select(range(6, 9)))
    assert len(random_split(corpus, seed=1)["test"]) == 3


def use_page() -> None:
    from textsimp.demo import build_demo

    assert build_demo("sari").get_config_file()["components"]


if __name__ == "__main__":
    assert "site-packages" in textsimp.__file__, textsimp.__file__
    for name, use in list(globals().items()):
        if name.startswith("use_"):
            use()
            print("works:", name.removeprefix("use_").replace("_", " "))
