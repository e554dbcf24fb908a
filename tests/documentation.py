"""What the documentation shows, run as it stands there."""

import doctest
import importlib
import json
import re
import shlex
import shutil
import subprocess

import pytest

from tests.commands import environment, make_runner
from tests.project import EXAMPLES, PROJECT
from textsimp.cli import main

EXTENSION_PAGES = sorted(
    page.relative_to(PROJECT).as_posix() for page in PROJECT.glob("docs/extensions/*.md")
)
"""Pages on extensions; all others are on the core."""
NEEDS = {  # what is imported by their examples, and the extra that it comes with
    "textsimp.extensions.people.page.host_check": ("gradio", "demo"),
    "textsimp.extensions.people.page.owner_page": ("gradio", "demo"),
    "textsimp.scoring.explanation": ("pysbd", "languages"),  # else it leaves out forms, and says so
    "textsimp.report": ("jinja2", "report"),
    "textsimp.testing": ("MeCab", "languages"),  # it tries every tokenizer
    "docs/notation.md": ("MeCab", "languages"),
    "docs/report.md": ("jinja2", "report"),
    "docs/spaces.md": ("gradio", "demo"),
    **dict.fromkeys(("docs/figures.md", "textsimp.report.figures"), ("altair", "figures")),
    "metrics/readability/README.md": ("textstat", "languages"),  # which brings pyphen
    "metrics/simplification_stats/README.md": ("wordfreq", "languages"),
    "metrics/word_difficulty/README.md": ("cefrpy", "languages"),
    "textsimp.metrics.word_difficulty": ("wordfreq", "languages"),
}
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SHELL = re.compile(r"^```(?:sh|console)\n(.*?)^```", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"^([ ]*)```python\n(.*?)^\1```", re.DOTALL | re.MULTILINE)


def skip_without_extra(name):
    if name in NEEDS:
        module, extra = NEEDS[name]
        pytest.importorskip(module, reason=f"needs the extra {extra}")


def section(heading):
    """A section of docs/cli.md."""
    text = (PROJECT / "docs" / "cli.md").read_text(encoding="utf-8")
    return text.partition(f"### {heading}\n")[2].partition("\n#")[0]


def check_keys(heading, command, run, printed_by):
    """The JSON of a command has the keys that a table lists; ``printed_by`` has all its rows."""
    rows = re.findall(r"^\| (`.*) \| (.*) \|", section(heading), re.MULTILINE)
    table = {name: keys for names, keys in rows for name in re.findall("`(.*?)`", names)}
    assert {*table} == {*printed_by}
    for example in printed_by[command]:
        report = json.loads(run(f"{example} --json").stdout)
        assert [*report] == ["format", "version", *re.findall("`([^`-]*?)`", table[command])]


def check_docstrings(name):
    """Run the examples in the docstrings of a module."""
    skip_without_extra(name)
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert failed == 0


def check_python_blocks(page):
    """Run the Python of a page, whose blocks share their variables."""
    skip_without_extra(page)
    names = {"__name__": "__main__"}
    text = (PROJECT / page).read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        line = text[: block.start()].count("\n") + 1
        code = re.sub(f"^{block[1]}", "", block[2], flags=re.MULTILINE)
        if ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, names, page, page, line)
            runner = doctest.DocTestRunner(optionflags=OPTIONS)
            runner.run(test, clear_globs=False)
            assert runner.failures == 0
            names.update(test.globs)
        else:
            exec(compile("\n" * line + code, page, "exec"), names)


def check_commands(page, folder, monkeypatch, *, not_run):
    """Run the commands of a page, one after the other, beside a copy of the example corpus."""
    shutil.copytree(EXAMPLES, folder / "examples")
    monkeypatch.chdir(folder)
    text = (PROJECT / page).read_text(encoding="utf-8")
    run = 0
    for command, shown in steps(text):
        if command.startswith("cd "):
            monkeypatch.chdir(command.removeprefix("cd "))
        elif not command.startswith(not_run):
            printed = run_command(command)
            run += 1
            if shown:
                assert doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS)
    assert run


def run_command(command):
    """What a line prints; plain ones run in this process, which has imported everything."""
    if command.startswith("textsimp ") and not re.search(r"[|<>$\\]", command):
        result = make_runner().invoke(main, shlex.split(command)[1:])
        assert result.exit_code == 0, result.output
        return result.stdout
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def steps(text):
    """(command, what is shown below it) of all shell examples; only after ``$`` is output shown."""
    found = []
    for block in SHELL.findall(text):
        lines = re.sub(r"\\\n *", "", block).splitlines(keepends=True)
        prompt = "$ " if block.startswith("$ ") else ""
        for line in lines:
            if line.startswith(prompt):
                command = re.sub(r"\s+# .*", "", line.removeprefix(prompt)).strip()
                found.append((command, ""))
            else:
                command, shown = found.pop()
                found.append((command, shown + line))
    return found
