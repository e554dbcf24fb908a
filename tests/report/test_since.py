"""What a report says of an earlier one."""

import html
import re

import pytest

from textsimp import compare, report
from textsimp.report import since
from textsimp.support.errors import InputError

CHANGED = range(0, 48, 4)


def write(path, systems, corpus, **options):
    report.write(path, systems, **corpus, metrics="sari", resamples=2, **options)
    return path.read_text(encoding="utf-8")


def section(page):
    return page.partition('<section id="since-section"')[2].partition("</section>")[0]


@pytest.fixture(scope="module")
def renewed(systems):
    """The splitter with some outputs of the substituter, and one of a single word."""
    splitter, other = systems["splitter"], systems["substituter"]
    texts = [other[i] if i in CHANGED else text for i, text in enumerate(splitter)]
    return {**systems, "splitter": [*texts[:5], texts[5].split()[0], *texts[6:]]}


@pytest.fixture(scope="module")
def shown(whole, renewed, corpus, tmp_path_factory):
    """What a report says of an earlier one, of the same systems but for the splitter."""
    old = tmp_path_factory.mktemp("old") / "old.html"
    old.write_text(whole, encoding="utf-8")
    options = {"metrics": ["sari", "bleu"], "resamples": 200}
    return section(report.html(renewed, **corpus, before=old, **options))


def test_differences_are_those_of_compare_and_unchanged_systems_have_none(
    corpus, systems, renewed, shown
):
    pair = {"before": systems["splitter"], "now": renewed["splitter"]}
    found = compare(pair, **corpus, metrics=["sari", "bleu"], baseline="before", resamples=200)
    rows = dict(re.findall(r'dir="auto">(\w+)</th>(.*?)</tr>', shown, re.DOTALL))
    values = [float(x) for x in re.findall(r'data-value="([^"]+)"', rows["splitter"])]
    expected = [found[name].differences["now"][name].value for name in ("sari", "bleu")]
    assert values == pytest.approx([len(CHANGED) + 1, *expected], abs=1e-9)
    assert re.findall(r'data-value="([^"]+)"', rows["substituter"]) == ["0"]


def test_outputs_that_changed_most_are_shown_with_their_edits(shown):
    better, worse = shown.split("Became worse most")
    for part, sign in ((better, "+"), (worse, "−")):
        gains = re.findall(r"<bdi>splitter</bdi> (.)([\d.]+)</b>", part)
        assert {one for one, _ in gains} == {sign}
        sizes = [float(size) for _, size in gains]
        assert sizes == sorted(sizes, reverse=True)
    assert "Example 6</a>" in worse
    assert "<del" in worse


@pytest.mark.parametrize("metrics", ["sari", "sari(level=aligned)"])
def test_outputs_are_read_as_they_were_written(metrics, corpus, systems, tmp_path):
    odd = ["<b>a</b> & \"c\" 'd'", *systems["splitter"][1:4]]
    few = {name: rows[:4] for name, rows in corpus.items()}
    path = tmp_path / "old.html"
    report.write(path, {"ours": odd}, **few, metrics=metrics, resamples=2)
    earlier = since.read(path)["ours"]
    assert [*earlier.values()] == odd
    assert [source for source, _ in earlier] == few["sources"]


def test_only_sources_that_both_reports_have_count_and_repeated_ones_are_kept_apart(
    corpus, systems, tmp_path
):
    few = {name: [*rows[:20], rows[0]] for name, rows in corpus.items()}
    first = {"ours": [*systems["splitter"][:20], "Something else."]}
    old = tmp_path / "old.html"
    write(old, first, few)
    now = {"ours": systems["splitter"], "new": systems["substituter"]}
    page = section(write(tmp_path / "new.html", now, corpus, before=str(old)))
    assert "0 of 20" in page
    assert "0 of 0" in page
    assert "0 of 21" in section(write(tmp_path / "same.html", first, few, before=old))


@pytest.mark.parametrize(
    "text", ["no report", '<script type="text/plain" id="data">AAAA</script>', None]
)
def test_another_file_is_refused(text, corpus, systems, tmp_path):
    path = tmp_path / "old.html"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"^before: .*old\.html"):
        write(tmp_path / "new.html", systems, corpus, before=path)
    assert not (tmp_path / "new.html").exists()


def test_without_an_earlier_report_nothing_is_said_of_changes(whole):
    assert "since-section" not in html.unescape(whole)
