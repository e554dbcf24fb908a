"""``textsimp metrics`` and ``textsimp hub datasets``."""

import json
import re
import shutil
import subprocess

import pytest

from textsimp.corpora import testsets
from textsimp.metrics import catalogue, citations
from textsimp.metrics.d_sari import DSari
from textsimp.metrics.sari import Sari
from textsimp.support.version import __version__, __year__


def test_every_metric_is_listed_with_its_variants_and_options(run, as_json):
    listed = as_json("metrics")["rows"]
    every = [*catalogue.all_names(), *catalogue.other_names()]
    assert [metric["metric"] for metric in listed] == every
    for metric in listed:
        assert metric["about"]
        assert metric["variants"]
        needed = [c.name for c in catalogue.metric_class(metric["metric"]).columns if c.required]
        assert metric["needs"] == needed
    table = run("metrics").stdout
    assert all(name in table for name in catalogue.all_names())


def test_one_metric_is_described_as_options_are_given(run, as_json):
    text = " ".join(run("metrics sari").stdout.split())
    sari = catalogue.metric_class("sari")
    assert "no lowercasing [source_tokenizer='none', lowercase=False]" in text
    assert "lowercase=True lowercase all texts first [True, False]" in text
    assert f"{sari.scores[0].about}, 0 to 100, higher is better" in text
    assert f"People: {sari.people}; see docs/trust.md." in text
    (described,) = as_json("metrics sari")["rows"]
    assert described["variants"]["easse_paper"]["options"] == {"average": "precision_recall"}
    assert [score["key"] for score in described["scores"]] == [s.key for s in sari.scores]


def test_every_test_set_is_listed(run, as_json):
    table = run("hub datasets").stdout
    assert [line.split(" ")[0] for line in table.splitlines()[1 : len(testsets.names()) + 1]] == [
        *testsets.names()
    ]
    assert "facebook/asset" in table
    assert as_json("hub datasets")["rows"] == testsets.records()


def cited(result):
    assert result.exit_code == 0, result.output
    first, *papers = re.findall(r"^@\w+\{(.+),$", result.stdout, re.MULTILINE)
    assert first == "textsimp"
    return papers


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("sari", "textsimp's own: level=aligned, multi_reference=best"),
        ("d_sari", "textsimp's own: corrected"),
        ("fkgl_components", "textsimp's own: default"),
        ("readability", "textsimp's own: default"),
        ("split_f1", "textsimp's own"),
        ("word_transformations", "textsimp's own: corpus"),
        *((name, "") for name in ("chrf", "ter", "rouge", "simplification_stats")),
    ],
)
def test_the_line_of_a_metric_names_definitions_of_textsimp_s_own(run, name, own):
    (line,) = (line for line in run("metrics").stdout.splitlines() if line.startswith(f"{name} "))
    assert line.endswith(f"; {own}") if own else "textsimp's" not in line


def test_papers_of_metrics_can_be_cited(run):
    papers = cited(run("metrics --cite sari D-SARI"))
    assert {*Sari.papers, *DSari.papers} <= {*papers}
    assert len(set(papers)) == len(papers)
    assert cited(run("metrics --cite")) == []


def test_textsimp_is_cited_with_version_and_year(run):
    entry = run("metrics --cite").stdout
    assert f"note   = {{Version {__version__}}}" in entry
    assert f"year   = {{{__year__}}}" in entry


@pytest.mark.parametrize(
    ("options", "paper", "there"),
    [
        ("sari", "post-2018-call", True),  # its tokenizer is sacrebleu's
        ("sari -O variant=xu", "post-2018-call", False),
        ("sari -O tokenizer=moses", "koehn-etal-2007-moses", True),
        ("bleu -O tokenizer=none", "post-2018-call", True),
        ("fkgl_components", "alva-manchego-etal-2019-easse", False),
        ("fkgl_components -O variant=easse", "alva-manchego-etal-2019-easse", True),
        ("d_sari", "kiss-strunk-2006-unsupervised", True),
        ("d_sari -O splitter=nltk-punkt-en", "kiss-strunk-2006-unsupervised", True),
        ("d_sari -O splitter=lines", "kiss-strunk-2006-unsupervised", False),
        ("sari", "kiss-strunk-2006-unsupervised", False),  # nothing is split
        ("bleu", "kiss-strunk-2006-unsupervised", False),
        ("sari -O level=aligned", "kiss-strunk-2006-unsupervised", True),
        ("rouge", "kiss-strunk-2006-unsupervised", True),
        ("rouge -O variant=evaluate", "kiss-strunk-2006-unsupervised", False),
        ("fkgl_components", "post-2018-call", True),
        ("fkgl_components -O variant=paper", "post-2018-call", False),
        ("word_difficulty", "tono-2020-cefr", False),
        ("sari d_sari -O splitter=pysbd", "sadvilkar-neumann-2020-pysbd", True),
    ],
)
def test_papers_follow_variants_and_tokenizers(options, paper, there, run):
    assert (paper in cited(run(f"metrics --cite {options}"))) == there


def test_options_of_what_is_cited_are_checked(fails):
    assert fails("metrics --cite sari -O variant=ux").startswith("variant: expected one of 'easse'")
    for command in ("metrics --cite -O variant=xu", "metrics sari -O variant=xu"):
        assert fails(command) == "-O: expected --cite and the names of metrics beside it"


@pytest.mark.parametrize("name", catalogue.names())
def test_all_values_of_options_have_their_papers_in_the_bibliography(name):
    metric = catalogue.metric_class(name)
    for variant in metric.presets:
        papers = citations.papers(metric.preset(variant))
        assert citations.bibtex(papers), (
            f"{name}: expected papers in textsimp/metrics/citations.bib"
        )
    assert citations.bibtex(citations.OPTION_PAPERS.values())


@pytest.mark.skipif(shutil.which("bibtex") is None, reason="needs BibTeX")
def test_bibtex_reads_all_without_a_warning(run, tmp_path):
    (tmp_path / "all.bib").write_text(run(f"metrics --cite {' '.join(catalogue.names())}").stdout)
    (tmp_path / "page.aux").write_text("\\citation{*}\n\\bibdata{all}\n\\bibstyle{plain}\n")
    done = subprocess.run(
        ["bibtex", "page"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "Warning" not in done.stdout


@pytest.mark.parametrize("name", ["fkgl", "FKGL"])
def test_an_alias_cites_the_papers_of_its_variant(run, name):
    variant = run("metrics --cite fkgl_components -O variant=easse").stdout
    assert "alva-manchego-etal-2019-easse" in variant
    assert run(f"metrics --cite {name}").stdout == variant


def test_an_alias_is_described_with_the_options_of_its_variant(run):
    described = run("metrics fkgl --json")
    assert described.stderr == "-m fkgl is fkgl_components(easse)\n"
    (fkgl,) = json.loads(described.stdout)["rows"]
    defaults = {option["option"]: option["default"] for option in fkgl["options"]}
    assert defaults == catalogue.metric_class("fkgl").default_options("easse")
