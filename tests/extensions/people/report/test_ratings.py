"""People's ratings beside the scores of a report."""

import re

import numpy as np
import pytest

from tests.given import lines, write
from tests.report.pages import data_of, measures_of, section
from textsimp import report
from textsimp.extensions import people
from textsimp.metrics import catalogue
from textsimp.report import measurements, score_tables
from textsimp.scoring import headlines
from textsimp.support.errors import InputError

SYSTEMS = {name: lines(f"systems/{name}.txt")[:12] for name in ("splitter", "substituter")}
CORPUS = {
    "sources": lines("source.txt")[:12],
    "references": [[text] for text in lines("references/0.txt")[:12]],
}
SAMPLING = {"confidence": 0.95, "resamples": 200, "seed": 0}


def rated(**ratings):
    """Ratings that are turned against the scores of two systems: question → (worst, best)."""
    return in_columns(
        {q: {"splitter": [b] * 12, "substituter": [a] * 12} for q, (a, b) in ratings.items()}
    )


def in_columns(ratings):
    """Ratings of both systems' outputs: question → system → a rating, or a list, of each output."""
    columns = {q: [row for name in SYSTEMS for row in own[name]] for q, own in ratings.items()}
    columns |= {"item": [*range(12)] * 2, "source": CORPUS["sources"] * 2}
    columns["system"] = [name for name in SYSTEMS for _ in range(12)]
    columns["prediction"] = [text for own in SYSTEMS.values() for text in own]
    return people.Judgements.of(columns, [*ratings])


def answers(tmp_path, *rows, **options):
    """Read these rows of a file."""
    return people.read(write(tmp_path / "answers.jsonl", rows), **options)


def row(example, system, rater, rating, text=None):
    """An answer on an output of the corpus, or on another text."""
    prediction = SYSTEMS[system][example] if text is None else text
    outputs = {"source": CORPUS["sources"][example], "prediction": prediction}
    return {"item": example, "system": system, "rater": rater, "rating": rating, **outputs}


def compared(tmp_path, answer, raters="ab"):
    """Comparisons of both systems' outputs, with the same answer to all of them."""
    rows = [
        {
            "item": i,
            "system": [["splitter"], ["substituter"]],
            "prediction": [SYSTEMS["splitter"][i], SYSTEMS["substituter"][i]],
            "source": CORPUS["sources"][i],
            "rater": rater,
            **dict.fromkeys(("fluency", "meaning", "simplicity"), answer),
        }
        for i in range(12)
        for rater in raters
    ]
    return answers(tmp_path, *rows, scheme="pairwise")


def measured(ratings, metrics=()):
    chosen = catalogue.make_metrics(metrics, "metrics") if metrics else {}
    texts, _ = measurements.check(SYSTEMS, *CORPUS.values(), chosen.values())
    return measurements.measure(texts, chosen, SAMPLING, ratings=matched(ratings, SYSTEMS))


def matched(ratings, systems):
    names = {name: name for name in systems}
    return ratings.for_report(CORPUS["sources"], systems, names, **SAMPLING)


# Reading and matching ---------------------------------------------------------------------------


def test_ratings_stand_in_table_plot_verdict_and_examples():
    ratings = rated(simplicity=([1, 1, 1], [4, 5, 6]), meaning=(2, 3))
    page = report.html(SYSTEMS, **CORPUS, metrics="sari", ratings=ratings, resamples=200)
    assert (
        "splitter leads significantly by simplicity (raters): 5.0, 4.0 [3.0, 5.0] above"
        in section(page)
    )
    assert "splitter leads significantly by meaning (raters): 3" in section(page)
    measures = measures_of(page)
    assert {*map(tuple, measures["ratings.simplicity.mean"])} == {(5,) * 12, (1,) * 12}
    assert score_tables.first_pair(measured(ratings)) == ("meaning (raters)", "simplicity (raters)")
    beside = measured(ratings, ["sari"])  # a metric, whose plots are in the section on people
    assert score_tables.first_pair(beside) == ("Similarity", "SARI (easse)")


def test_a_criterion_without_ratings_is_an_error():
    ratings = rated(simplicity=(1, 2), meaning=(None, None))
    with pytest.raises(InputError, match=r"^ratings: .*'meaning'"):
        report.html(SYSTEMS, **CORPUS, ratings=ratings)


def test_values_and_differences_are_those_of_the_analysis(tmp_path):
    rng = np.random.default_rng(0)
    rows = [
        row(i, system, rater, int(rng.integers(1, 6)))
        for i in range(12)
        for system in SYSTEMS
        for rater in "abc"
    ]
    read = answers(tmp_path, *rows, criteria=["rating"])
    found = measured(read, ["sari"])
    analysis = people.analyse(read, resamples=200)
    first, second = found.systems
    compared = found.comparisons["ratings.rating"]
    for system in (first, second):
        assert compared.systems[system].main == analysis.systems[system]["rating"]
    (expected,) = analysis.differences.items()
    assert compared.test(*expected[0]) == expected[1]["rating"]


def test_a_text_counts_for_all_systems_that_wrote_it(tmp_path):
    rows = [row(i, "splitter", "a", i % 5) for i in range(12)]
    twins = {"splitter": SYSTEMS["splitter"], "twin": SYSTEMS["splitter"]}
    read = answers(tmp_path, *rows, criteria=["rating"])
    assert {*matched(read, twins).judgements.frame["system"]} == {("splitter", "twin")}


def test_ratings_of_other_sources_and_systems_are_left_out_and_counted(tmp_path):
    elsewhere = {**row(0, "splitter", "a", 5), "source": "Another.", "item": "x"}
    other = {**row(0, "splitter", "b", 5, "By another system."), "system": "another"}
    rows = [row(0, "splitter", "a", 1), elsewhere, other]
    read = answers(tmp_path, *rows, criteria=["rating"])
    assert matched(read, SYSTEMS).unmatched == (
        "Left out of 3 ratings: 1 of other sources, 1 of texts that no system wrote."
    )
    with pytest.raises(InputError):
        matched(answers(tmp_path, elsewhere, criteria=["rating"]), SYSTEMS)


def test_ratings_without_texts_are_refused(tmp_path):
    plain = {"item": 0, "system": "splitter", "rater": "a", "rating": 1}
    read = answers(tmp_path, plain, criteria=["rating"])
    with pytest.raises(InputError, match="column 'source'"):
        report.html(SYSTEMS, **CORPUS, ratings=read)


def test_ratings_are_what_read_returns():
    with pytest.raises(InputError):
        report.html(SYSTEMS, **CORPUS, ratings="answers.jsonl")  # type: ignore[arg-type]


def test_controls_count_for_raters_and_not_for_systems(tmp_path):
    plan = people.design(CORPUS["sources"], SYSTEMS, "likert", per_rater=20, controls=True)
    rows = []
    for screen in plan.screens:
        worst = dict.fromkeys(("fluency", "meaning", "simplicity"), 1)
        rows += screen.answers(plan.scheme, {**worst, "simpler": 0})
    found = matched(answers(tmp_path, *rows), SYSTEMS)
    assert found.analysis.counts["controls"] == sum(bool(one.control) for one in plan.screens)
    lists = found.values("meaning").values()
    assert sum(len(one) for own in lists for one in own) == plan.ratings


# The section and the verdict -----------------------------------------------------------------


def test_the_sentence_on_the_leader_begins_with_little_agreement():
    """Raters disagree on each source in turn, but all outputs of a system are better."""
    own = {"splitter": [[5, 3], [3, 5]] * 6, "substituter": [[4, 2], [2, 4]] * 6}
    page = report.html(SYSTEMS, **CORPUS, ratings=in_columns({"rating": own}), resamples=200)
    start = "Raters agree little (reliability of their mean 0.00): splitter leads significantly"
    assert start in section(page)


def test_few_rated_sources_call_no_system_better(tmp_path):
    rows = [row(i, s, "a", 5 * (s == "splitter")) for i in range(5) for s in SYSTEMS]
    read = answers(tmp_path, *rows, criteria=["rating"])
    page = report.html(SYSTEMS, **CORPUS, metrics="sari", ratings=read, resamples=50)
    assert "5 examples are too few to call a system better or worse by people's rating" in (
        section(page)
    )


def test_the_difference_of_one_common_source_has_no_interval(tmp_path):
    ratings = [row(0, "splitter", "ann", 5), row(0, "substituter", "ann", 1)]
    ratings += [row(1, "splitter", "ann", 2), row(2, "substituter", "ann", 3)]
    report = measured(answers(tmp_path, *ratings, criteria=["rating"]), ["sari"])
    (*_, tests) = score_tables.tests(report)
    (_, cell), *_ = tests["cells"]
    assert "+4.00" in cell
    assert not re.search(r"\[|p [=<]|nan", cell)


def test_no_system_leads_by_ratings_if_the_interval_of_the_difference_has_zero():
    """Few raters who disagree: permutations of sources find p < 0.05, but raters differ."""
    # Of two raters only one sees a difference.
    found = measured(rated(rating=([3.0, 3.1], [5.0, 3.0])))
    compared = found.comparisons["ratings.rating"]
    first, second = compared.ranked
    test = compared.test(first, second)
    assert test is not None
    assert test.permutation_p_holm < 0.05
    assert test.interval[0] < 0 < test.interval[1]
    assert not compared.differ(first, second)
    assert {*compared.marks.values()} == {"undecided"}
    (ranking,) = found.rankings.values()
    assert headlines.describe(ranking)[0].startswith("No system leads by people's rating")


def test_steps_in_words_have_no_direction(tmp_path):
    rows = [
        {**row(i, system, "a", ""), "level": level}
        for i in range(12)
        for system, level in (("splitter", "A2"), ("substituter", "B1"))
    ]
    found = measured(answers(tmp_path, *rows, scheme="level"), ["sari"])
    assert found.judging == ["sari"]
    assert found.ratings.analysis.systems["splitter"]["level"].value == 1


def test_lower_ratings_are_better_where_the_scheme_says_so(tmp_path):
    labels = ("insertion", "deletion", "substitution")
    rows = [
        {**row(i, system, "a", 0), **dict.fromkeys(labels, -1 if i == 0 else error)}
        for i in range(12)
        for system, error in (("splitter", i % 3), ("substituter", 0))
    ]
    read = answers(tmp_path, *rows, scheme="information_errors")
    page = report.html(SYSTEMS, **CORPUS, metrics="sari", ratings=read, resamples=100)
    assert "substituter leads significantly by deletion (raters): 0" in section(page)


def test_comparisons_have_strengths_and_shares_of_wins(tmp_path):
    found = measured(compared(tmp_path, "A"), ["sari"])
    assert found.judging == ["sari"]
    ratings = compared(tmp_path, "A")
    page = report.html(SYSTEMS, **CORPUS, metrics="sari", ratings=ratings, resamples=50)
    assert re.search(
        r"comparisons the strengths in fluency are splitter \d\S+ \[.*\] and substituter −",
        section(page),
    )
    measures = measures_of(page)
    splitter = data_of(page)["systems"].index("splitter")
    assert measures["ratings.fluency.mean"][splitter] == [100] * 12
    assert measures["ratings.fluency.mean"][1 - splitter] == [0] * 12


def test_ties_put_no_system_first(tmp_path):
    ratings = compared(tmp_path, "equal")
    page = report.html(SYSTEMS, sources=CORPUS["sources"], ratings=ratings, resamples=50)
    assert "strengths in meaning are splitter 0.00 [0.00, 0.00] and substituter 0.00" in section(
        page
    )


def test_agreement_stands_in_a_table(tmp_path):
    rows = [row(i, s, rater, i % 3) for i in range(12) for s in SYSTEMS for rater in "ab"]
    found = measured(answers(tmp_path, *rows, criteria=["rating"]))
    ((_, *cells),) = found.ratings.contents(found)["agreement"].rows
    assert [cell.text for cell in cells] == ["1.00", "24", "1.00", "1.00", "–"]


def test_tables_of_people_have_the_signature_of_the_analysis():
    ratings = rated(rating=(1, 2))
    page = report.html(SYSTEMS, **CORPUS, metrics="sari", ratings=ratings, resamples=20)
    signatures = re.search(r'id="signatures"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert signatures
    assert signatures[1].count("ratings|resamples:20|seed:0|v:") == 1


# Examples ------------------------------------------------------------------------------------


def test_an_example_has_single_ratings():
    ratings = in_columns(
        {"rating": {"splitter": [[2, 2], *[[3, 5]] * 11], "substituter": [1] * 12}}
    )
    data = data_of(report.html(SYSTEMS, **CORPUS, metrics="sari", ratings=ratings, resamples=2))
    splitter = data["systems"].index("splitter")
    assert data["single"]["ratings.rating.mean"][splitter][:2] == [[2, 2], [3, 5]]
    assert data["single"]["ratings.rating.mean"][1 - splitter] == [[1]] * 12
