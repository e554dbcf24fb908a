"""What metrics say of themselves is true, complete, and what cards, README and modules show."""

import itertools

import pytest

from tests.given import with_all_scores
from tests.project import PROJECT
from textsimp.core.metric import SCORE_OPTIONS
from textsimp.metrics import catalogue, citations
from textsimp.metrics import description as describe
from textsimp.metrics.readability import Readability
from textsimp.metrics.readability_formulas import FORMULAS
from textsimp.support.errors import InputError

CLASSES = [catalogue.metric_class(name) for name in catalogue.names()]

every_metric = pytest.mark.parametrize("metric", CLASSES, ids=lambda metric: metric.name)


@every_metric
def test_every_score_is_declared_and_every_declared_one_reported(metric):
    made = with_all_scores(metric, next(iter(metric.presets)))
    reported = made.score_names(("sources", "references"))
    if isinstance(made, Readability):  # each language has its own
        languages = [Readability(language=code).score_names() for code in FORMULAS]
        assert {of_language[0] for of_language in languages} == {reported[0]}
        reported += tuple(itertools.chain(*languages))
        reported += Readability("textstat_0_7_13").score_names()
    declared = [score.key for score in metric.scores]
    assert reported[0] == declared[0]
    assert set(declared) <= set(reported)
    assert {made.find_score(name).key for name in reported} == set(declared)
    assert len(set(declared)) == len(declared)


@every_metric
def test_everything_has_a_line_and_papers_an_entry_in_the_bibliography(metric):
    lines = [metric.about, metric.describe(), *metric.option_lines().values()]
    lines += citations.bibtex(metric.papers)
    lines += [preset.about for preset in metric.presets.values()]
    lines += [score.title for score in metric.scores]
    assert all(lines)
    assert list(metric.option_lines()) == metric.option_names()


@every_metric
def test_nothing_of_its_files_is_left_to_be_replaced(metric):
    """``tools/new_metric.py`` writes REPLACE where a contributor has to write something."""
    patterns = (
        "metrics/{0}/*.*",
        "textsimp/metrics/{0}.py",
        "tests/**/{0}.py",
        "tests/**/test_{0}.py",
    )
    places = [
        f"{file.relative_to(PROJECT).as_posix()}:{number}"
        for pattern in patterns
        for file in sorted(PROJECT.glob(pattern.format(metric.name)))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if "REPLACE" in line
    ]
    assert not places, f"say REPLACE: {', '.join(places)}"


@every_metric
def test_the_description_of_a_module_names_all_that_can_be_given_and_is_returned(metric):
    text = describe.inputs_description(metric, "")
    given = [*(column.name for column in metric.columns), "variant"]
    for name in (*given, *metric.option_names(), *SCORE_OPTIONS, *(s.key for s in metric.scores)):
        assert f"\n    {name}: " in text


def test_a_paper_that_is_not_in_the_bibliography_is_told():
    with pytest.raises(InputError, match=r"citations\.bib has no 'xu-etal-2016-optimising' \(did"):
        citations.bibtex(["xu-etal-2016-optimising"])
