"""Figures of public test sets in cards and documentation are those that the code computes."""

import re
import shlex

import pytest

from tests.commands import make_runner
from tests.conformance.conftest import WHOLE
from tests.given import load_tool, users_systems
from tests.project import PROJECT, SHARED
from textsimp.cli import main

DATA = SHARED / "data"
# Cards with a command → the score that it prints, and in which column of the table that stands.
COMMANDS = {
    "sari": ("sari", 4),
    "edit_ops": ("change_percentage", 2),
    "fkgl_components": ("fkgl", 2),
}
LONG = (  # in `make test-all`
    *("checks-real", "errors-audit", "fkgl-programs", "gaming-formulas"),
    "word-transformations-printed",
)


@pytest.fixture
def figures(monkeypatch):
    return load_tool(monkeypatch, "figures")


@pytest.mark.slow
def test_every_figure_is_what_is_computed(figures, capsys):
    pytest.importorskip("pyphen", reason="needs the extra languages")
    pytest.importorskip("wordfreq", reason="needs the extra languages")
    pytest.importorskip("cefrpy", reason="needs the extra languages")
    names = [name for name in figures.FIGURES if WHOLE or name not in LONG]
    assert figures.main(["--data", str(DATA), "--check", *names]) == 0, capsys.readouterr().out


@pytest.fixture
def page(figures, tmp_path, monkeypatch):
    """The only page that there is."""
    page = tmp_path / "page.md"
    monkeypatch.setattr(figures.pages, "PROJECT", tmp_path)
    monkeypatch.setattr(figures.pages, "PAGES", [page])
    return page


def test_another_figure_is_noticed_and_put_right(figures, page, capsys):
    right = (
        "- A list:\n  <!-- figures: sources -->\n"
        "  | sources of ASSET |\n  |---|\n"
        "  | 359 |\n  <!-- /figures -->\n"
    )
    figures.FIGURES["sources"] = lambda data: figures.table(
        ["sources of ASSET"], [[len(data.test_set("asset_test").sources)]]
    )
    page.write_text(right.replace("359", "358"), encoding="utf-8")
    arguments = ["--data", str(DATA), "sources"]
    assert figures.main([*arguments, "--check"]) == 1
    assert capsys.readouterr().out == "page.md differs\n"
    assert "358" in page.read_text(encoding="utf-8")
    assert figures.main(arguments) == 0
    assert page.read_text(encoding="utf-8") == right
    assert figures.main([*arguments, "--check"]) == 0


def test_a_name_without_a_function_is_told(figures, page, tmp_path, capsys):
    page.write_text("<!-- figures: sary -->\n20\n<!-- /figures -->\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        figures.main(["--data", str(DATA), "--check"])
    assert "'sary'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        figures.main(["--data", str(tmp_path / "nowhere")])
    assert "nowhere" in capsys.readouterr().err


def printed(text, monkeypatch):
    """System → metric → scores, by the command in a card; the outputs are where it says."""
    (command,) = re.findall(r"^textsimp (score .*-t asset_test.*)$", text, re.MULTILINE)
    monkeypatch.chdir(DATA / "asset_test")
    monkeypatch.setenv("TEXTSIMP_DATA_DIR", str(DATA))
    result = make_runner().invoke(main, [*shlex.split(command), "--json", "--resamples", "2"])
    assert result.exit_code == 0, result.output
    return users_systems(result.stdout)


def rounded(value, like):
    return f"{value:.{len(like.partition('.')[2])}f}".replace("-", "−")


@pytest.mark.parametrize("card", COMMANDS)
def test_the_command_in_a_card_prints_its_table(card, monkeypatch):
    score, column = COMMANDS[card]
    text = (PROJECT / "metrics" / card / "README.md").read_text(encoding="utf-8")
    found = printed(text, monkeypatch)
    rows = re.findall(r"^\| (ACCESS|DMASS-DCSS|Dress-Ls|UNTS) \((.*)\|$", text, re.MULTILINE)
    assert {system for system, _ in rows} == found.keys()
    for system, cells in rows:
        shown = re.split(r"[| *]+", cells.split("|", column - 1)[-1].strip(" *"))[0]
        assert rounded(found[system][card][score], shown) == shown
