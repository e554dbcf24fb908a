"""``--published`` of score and report; ``textsimp hub outputs``."""

import re
from pathlib import Path

import pytest

from tests.given import columns
from textsimp import Bleu, Sari
from textsimp.scoring import published, verdict

FILES = "-s source.txt -r references -p systems --published --resamples 20"


@pytest.fixture
def known(examples, monkeypatch):
    """The example corpus as a test set with a published system by SARI, and one by BLEU, too."""
    sources, references = columns().values()
    digest = published.digest(sources, references)
    rows = [
        {"test_set": "Ours", "system": system, "paper": "Who 2020", "value": value}
        | {"signature": published.bare(metric.signature(references)), "low": low, "high": high}
        for system, metric, value, low, high in (
            ("between", Sari(), "38.5", "37", "40"),
            ("last", Sari(), "1.25", "", ""),
            ("last", Bleu(), "2.5", "", ""),
        )
    ]
    tables = {"field": rows, "test_sets": [{"test_set": "Ours", "digest": digest}]}
    monkeypatch.setattr(published, "table", tables.__getitem__)
    yield
    verdict._public_gap.cache_clear()  # which has read this table


def test_published_systems_are_ranked_among_ones_own_without_p(known, run):
    shown = run(f"score -m sari,bleu {FILES}").stdout
    names = re.findall(r"^(\w+(?: \(Who 2020\))?)  ", shown, re.M)
    assert names[:4] == ["substituter", "between (Who 2020)", "splitter", "last (Who 2020)"]
    assert re.search(r"^between \(Who 2020\) +38\.50 \[37\.00, 40\.00\]$", shown, re.M)
    assert re.search(r"^last \(Who 2020\) +1\.25 +2\.50$", shown, re.M)
    assert "2 published systems on Ours, by the same signatures; they have no p-values" in shown


@pytest.fixture
def many(known, monkeypatch):
    """Further published systems by SARI: nine ahead of ones own, and nine behind."""
    tables = {name: published.table(name) for name in ("field", "test_sets")}
    first = tables["field"][0]
    for i in range(9):
        tables["field"] += [first | {"system": f"high {i}", "value": f"{50 + i}"}]
        tables["field"] += [first | {"system": f"less {i}", "value": f"{10 + i}"}]


def test_published_systems_with_more_are_named_as_untested(many, run, as_json):
    shown = run(f"score -m sari {FILES}").stdout.partition("\n")[0]
    said = (
        "9 published systems are ahead of substituter, untested: high 8 (58.0), high 7 (57.0) and"
    )
    assert shown.startswith("substituter leads significantly by SARI: ")
    assert f". {said} 7 others." in shown
    assert any(said in one for one in as_json(f"score {FILES}")["verdict"])
    lower = run(f"score -m sari -s source.txt -r references -p high=references/0.txt {FILES}")
    assert "published systems are ahead" not in lower.stdout


def test_five_published_systems_above_and_below_are_shown_and_all_with_all(many, run, as_json):
    shown, every = (run(f"score -m sari {FILES} {more}").stdout for more in ("", "--all"))
    near = [*(f"high {i}" for i in (4, 3, 2, 1, 0)), *(f"less {i}" for i in (8, 7, 6, 5, 4))]
    assert re.findall(r"^(high \d|less \d)", shown, re.M) == near
    assert "All scores and published systems: --all" in shown
    assert len(re.findall(r"^(?:high|less) \d \(Who 2020\)", every, re.M)) == 18
    assert len(as_json(f"score {FILES}")["published"]["systems"]) == 20


def test_ones_own_system_of_the_same_name_stays(known, as_json):
    options = "-m sari -s source.txt -r references --published --resamples 20 --json"
    ours = "between (Who 2020)=systems/splitter.txt"
    scores = as_json(f"score {options} -p", ours)["systems"]
    assert scores["between (Who 2020)"]["sari"]["sari"] != 38.5
    assert scores["between (Who 2020), published"]["sari"]["sari"] == 38.5


def test_json_names_them(known, run, as_json):
    report = as_json(f"score -m sari,bleu {FILES}")
    assert report["published"]["systems"] == ["between (Who 2020)", "last (Who 2020)"]
    assert report["systems"]["between (Who 2020)"]["sari"]["sari"] == 38.5
    assert report["systems"]["between (Who 2020)"]["bleu"]["bleu"] is None
    assert "between (Who 2020)" not in report["differences"]
    assert "between (Who 2020)" not in report["best"]["sari"]
    assert "between (Who 2020)" in run(f"score -m sari {FILES} --csv").stdout


@pytest.mark.parametrize(("form", "start"), [("markdown", ""), ("latex", "% ")])
def test_tables_for_papers_say_that_they_are_untested_and_which_are_ahead(many, run, form, start):
    shown = run(f"score -m sari {FILES} --{form}").stdout
    assert "between (Who 2020)" in shown
    assert "Systems with a paper in brackets are published ones, which were not tested." in shown
    assert f"\n{start}9 published systems are ahead of substituter, untested: high 8" in shown
    assert f"\n{start}20 published systems on Ours, by the same signatures; they have" in shown


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_a_table_of_a_single_system_says_which_are_ahead(many, run, form):
    options = "-s source.txt -r references -p systems/splitter.txt --published --resamples 20"
    shown = run(f"score -m sari {options} --{form}").stdout
    assert "10 published systems are ahead of splitter, untested: high 8" in shown


def test_a_bare_number_is_of_ones_own(known, run):
    assert len(run(f"score -b -m sari {FILES}").stdout.splitlines()) == 2


def test_other_texts_say_why_there_are_none(examples, run):
    shown = run(f"score -m sari {FILES}").stdout
    assert "sources and references aren't those of ASSET; " in shown
    assert "(Kew et al. 2023)" not in shown


def test_a_report_has_them(known, run):
    pytest.importorskip("jinja2", reason="needs the extra report")
    run(f"report {FILES} -m sari --examples 1")
    page = Path("report.html").read_text("utf-8")
    assert "between (Who 2020)</th>" in page
    assert "2 published systems on Ours" in page


def test_outputs_are_listed_with_place_and_licence(run, as_json):
    shown = run("hub outputs").stdout
    assert re.search(r"^github.com/facebookresearch/muss +CC BY-NC 4\.0", shown, re.MULTILINE)
    assert "github.com/facebookresearch/muss, muss_system_outputs: " in shown
    rows = as_json("hub outputs")["rows"]
    assert {"repository", "path", "systems", "test_sets", "licence"} == {*rows[0]}
    listed = {row["repository"] for row in rows}
    for row in published.table("published"):
        assert {*re.findall(r"[\w-]+/[\w-]+(?= )", row["outputs"])} & listed, row["outputs"]
