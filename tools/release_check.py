"""Check what a release would upload: built, installed in an empty environment, and used there.

    python tools/release_check.py            names what is not filled in yet
    python tools/release_check.py --final    fails for it

The files are left in ``dist/``. It asks PyPI for the packages that textsimp needs.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import textsimp
from textsimp.support import addresses

PROJECT = Path(__file__).parents[1]
DIST = PROJECT / "dist"
EXTRAS = "report,demo,scale"
USE = "--use"  # what it calls itself with in the empty environment
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
    command = "textsimp score -m simplification_stats -s source.txt -p ours.txt --workers 2"
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


def use_all() -> None:
    """Use every door of an installed textsimp once."""
    assert "site-packages" in textsimp.__file__, textsimp.__file__
    for name, use in list(globals().items()):
        if name.startswith("use_") and use is not use_all:
            use()
            print("works:", name.removeprefix("use_").replace("_", " "))


def run(*command: str | Path, cwd: Path = PROJECT) -> None:
    """Run a command, which must succeed."""
    print(">", *command, flush=True)
    subprocess.run(list(map(str, command)), cwd=cwd, check=True)


def main() -> None:
    """Build, check, install, use."""
    missing = ""
    if not addresses.CODE:
        missing = (
            "CODE in textsimp/support/addresses.py is empty: a release has no link to its home"
        )
    if missing and "--final" in sys.argv:
        sys.exit(missing)
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST)
    wheel = DIST / f"textsimp-{textsimp.__version__}-py3-none-any.whl"
    run(sys.executable, "-m", "twine", "check", "--strict", *sorted(DIST.iterdir()))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "empty", with_pip=True)
        python = folder / "empty" / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", f"{wheel}[{EXTRAS}]", cwd=folder)
        run(python.with_name("textsimp"), "demo", cwd=folder)
        run(python, Path(__file__), USE, cwd=folder)
    print(missing, f"textsimp {textsimp.__version__} works from {DIST.name}/", sep="\n")


if __name__ == "__main__":
    use_all() if USE in sys.argv else main()
