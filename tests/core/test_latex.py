"""Tables in LaTeX: what is escaped, where intervals stand, and how wide tables are."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textsimp
from tests.latex import COLUMN, PAGE, compile_paper, measure, needs_latex
from tests.project import EXAMPLES
from textsimp.core.tables import Cell, Grid


def table(*names, notes=()):
    """A table of named rows, all of them with the same numbers."""
    rows = [[name, Cell.of(-1.5, [-2, 3], 1), "<0.001"] for name in names]
    return Grid(["", "SARI ↑", "p"], rows, [*notes])


def scores(names, metrics):
    """A table of systems with the same score by each metric."""
    number = Cell.of(41.234, [39.5, 42.75], 2)
    heads = [f"Metric {i} (variant) ↑" for i in range(metrics)]
    brackets = "In brackets: 95 % bootstrap intervals."
    rows = [[name, *[number] * metrics] for name in names]
    return Grid(["", *heads], rows, about="Scores on 48 examples.", brackets=brackets)


def test_a_table_is_a_float_for_booktabs_with_the_notes_in_its_caption():
    assert table("ours", notes=("sari|v:1", "5 % of p < 0.05")).to_latex() == (
        "\\begin{table}\n"
        "\\centering\\small\\setlength{\\tabcolsep}{4pt}\n"
        "\\begin{tabular}{@{}lrr@{}}\n"
        "\\toprule\n"
        " & SARI $\\uparrow$ & p \\\\\n"
        "\\midrule\n"
        "ours & $-$1.5 [$-$2.0, 3.0] & $<$0.001 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\caption{\\protect\\raggedright sari\\textbar{}\\allowbreak{}v:1\n"
        "5~\\% of p~$<$~0.05.}\n"
        "\\end{table}\n"
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("t5_base", r"t5\_base"),
        ("100%", r"100\%"),
        ("R&D", r"R\&D"),
        ("$x$", r"\$x\$"),
        ("#1", r"\#1"),
        ("a~b", r"a\textasciitilde{}b"),
        ("x^2", r"x\textasciicircum{}2"),
        ("{a}", r"\{a\}"),
        ("a\\b", r"a\textbackslash{}b"),
        ("a|b", r"a\textbar{}b"),
        ("<s>", "$<$s$>$"),
        ("GPT-4", "GPT-4"),  # a hyphen
        ("a--b---1", "a-{}-b-{}-{}-1"),  # no dash
        ("a -1", "a $-$1"),  # a minus
        ("[ours]", "{}[ours]"),  # or it was the space after the row above
        ("*ours", "{}*ours"),
        ("two\n\nlines", "two lines"),  # an empty line ends a paragraph
        ("\x1b[31mred", r"\textbackslash{}x1b[31mred"),  # a terminal's code
    ],
)
def test_names_are_shown_as_they_are(name, written):
    assert table(name).to_latex().splitlines()[6].partition(" & ")[0] == written


@given(st.text(st.sampled_from(r"ab1 _%&$#~^{}\-[]*|<>" + "\n"), max_size=12))
def test_no_name_adds_cells_commands_or_groups(name):
    lines = table(name).to_latex().split("\n")
    assert len(lines) == 11
    row = lines[6].removesuffix(r" \\")
    # What is escaped is a character; what is left of commands are the few that stand for one.
    rest = re.sub(r"(-|\\(textbackslash|textasciitilde|textasciicircum|textbar))\{\}", "", row)
    rest = re.sub(r"\\[&%$#_{}]|\$[-<>]\$", "", rest).removeprefix("{}")
    assert not set(rest) & set(r"\%$#_{}~^<>|")
    assert rest.count("&") == 2
    assert not row.startswith(("[", "*"))


def test_baselines_stand_behind_a_rule():
    rows = [["copy", "9"], ["ours", "1"], ["theirs", "0"]]
    latex = Grid(["", "BLEU"], rows, baselines=["copy"]).to_latex()
    assert latex.count("\\midrule") == 2
    assert latex.index("ours") < latex.index("theirs") < latex.index("copy")


LONG = "meta-llama_Llama-3.3-70B-Instruct/seed-1"


@pytest.mark.parametrize(
    ("grid", "environment", "size", "shown"),
    [  # what is in the table: one line, two, half widths, a name on several lines, two parts
        (scores("ab", 1), "table", "small", "41.23 [39.50, 42.75] \\\\"),
        (scores(["x" * 12], 2), "table", "small", "{\\scriptsize [39.50, 42.75]}"),
        (scores("ab", 6), "table*", "small", "{\\scriptsize [39.50, 42.75]}"),
        (scores(["x" * 12] * 25, 2), "table", "small", "41.23 $\\pm$ 1.62"),
        (
            scores(["x" * 12] * 46, 6),
            "table*",
            "scriptsize",
            "After $\\pm$: half the widths of 95~",
        ),
        (scores(["ours", LONG], 2), "table", "small", "{\\quad  }"),
        (scores("ab", 12), "table*", "small", "\\par\\medskip"),
        (scores(["x" * 12] * 46, 8), "table*", "scriptsize", "Intervals are left out"),
        (scores(["x"] * 90, 9), "table*", "scriptsize", "% Longer than a page"),
    ],
)
def test_a_table_is_set_as_small_as_it_has_to_be(grid, environment, size, shown):
    latex = grid.to_latex()
    assert f"\\begin{{{environment}}}\n\\centering\\{size}" in latex
    assert shown in latex


def test_two_tested_metrics_are_two_parts_of_a_column():
    cell = Cell.of(-41.234, [-42.5, -39.75], 2)
    heads = ["", *["SARI (easse) ↑", "minus substituter (best)", "p"] * 2]
    latex = Grid(heads, [["ours", *[cell, cell, "0.001*"] * 2]], joined=[2, 3, 5, 6]).to_latex()
    assert latex.startswith("\\begin{table}\n")
    assert latex.count("\\begin{tabular}{@{}lrrr@{}}") == 2


@pytest.mark.parametrize(
    ("name", "foreign"), [("Müller", ""), ("e\u0301t", ""), ("中a文", "中文"), ("CO₂", "₂")]
)
def test_characters_that_pdflatex_lacks_are_named(name, foreign):
    first = table(name).to_latex().splitlines()[0]
    assert first.endswith(f"in a font that has {foreign}") == bool(foreign)
    assert table("Wałęsa").to_latex().startswith("% Load \\usepackage[T1]{fontenc} for ę\n")


# Compiled


HOSTILE = ("</script> ' \" & % | _x_ \\ $ {}", "[a]", "*", "é", "Größe", LONG, "x" * 70)


@needs_latex
@pytest.mark.slow
def test_tables_are_as_wide_as_a_column_or_a_page(tmp_path):
    grids = [scores(HOSTILE, metrics) for metrics in (1, 2, 3, 6, 9, 14)]
    grids += [scores([f"{LONG}{i}" for i in range(46)], metrics) for metrics in (1, 2, 5)]
    tables = [grid.to_latex() for grid in grids]
    for width, latex in zip(measure(tables, tmp_path), tables, strict=True):
        assert width <= (PAGE if "{table*}" in latex else COLUMN)


@needs_latex
@pytest.mark.slow
def test_the_tables_of_commands_fit(run, monkeypatch, tmp_path):
    monkeypatch.chdir(EXAMPLES)
    texts = "-s source.txt -p systems -r references --resamples 20 --latex"
    commands = {  # command → places
        f"score -m sari,bleu {texts}": ["table"],
        f"score -m sari,bleu,fkgl,chrf,rouge --baseline copy {texts}": ["table*"],
        f"compare -m sari,bleu {texts}": ["table"],
        f"compare -m sari,bleu,fkgl {texts}": ["table*"],
        "ratings ratings.jsonl --rating rating --resamples 20 --latex": ["table"],
        "errors table labels.jsonl --resamples 20 --latex": ["table*"],
    }
    tables = []
    for command, places in commands.items():
        latex = run(command).stdout
        assert re.findall(r"begin\{(table\*?)\}", latex)[: len(places)] == places
        tables += re.findall(r"\\begin\{table.*?\\end\{table\*?\}", latex, re.DOTALL)
    for width, latex in zip(measure(tables, tmp_path), tables, strict=True):
        assert width <= (PAGE if "{table*}" in latex else COLUMN)


@needs_latex
def test_a_table_of_python_goes_into_a_paper_unchanged(tmp_path):
    ours = ["A cat sat.", "It rained.", "He left."] * 5
    found = textsimp.score(
        {"ours": ours, "theirs": ours[::-1]},
        metrics=["sari", "bleu"],
        sources=["A feline sat.", "It rained a lot.", "He went away."] * 5,
        references=ours,
        resamples=20,
    )
    assert "Overfull" not in compile_paper(found.to_latex(), tmp_path)
