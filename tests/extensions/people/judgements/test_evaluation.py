"""How well metrics of texts agree with people, and which text of a pair they prefer."""

import numpy as np
import pandas as pd
import pytest
from datasets import Dataset
from scipy import stats

from tests.extensions.people.judgements.test_correlation import values
from tests.given import write
from textsimp import Bleu, FkglComponents, InputError, Sari
from textsimp.extensions import people


def texts():
    """Four systems' outputs for three sources; `human` wrote one of the references."""
    rows = []
    for i, (noun, verb) in enumerate([("cat", "sat"), ("dog", "ran"), ("bird", "sang")]):
        source = f"The old {noun} frequently {verb} on the mat, which was red."
        references = [f"The old {noun} often {verb} on the red mat.", f"The {noun} {verb} often."]
        for system, output, rating in [
            ("copy", source, [40, 50]),
            ("human", references[0], [90, 95]),
            ("good", f"The old {noun} often {verb} on the mat.", [80, 70 + i]),
            ("poor", f"The {noun} {verb} mat mat red.", [10 + i, 5]),
        ]:
            rows.append(
                {
                    "item": i,
                    "system": system,
                    "source": source,
                    "prediction": output,
                    "references": references,
                    "rating": rating,
                }
            )
    return rows


def columns_of(rows, output="prediction", **other):
    """What metrics take; references are those that aren't the output."""
    return {
        "sources": [row["source"] for row in rows],
        "predictions": [row[output] for row in rows],
        "references": [[t for t in row["references"] if t != row[output]] for row in rows],
        **other,
    }


def ids_of(rows):
    return {"items": [row["item"] for row in rows], "systems": [row["system"] for row in rows]}


def evaluated(rows, *arguments, **options):
    return people.evaluate(rows, *arguments, **{"confidence": None, **options})


def test_metrics_are_computed_without_the_references_that_equal_the_output():
    rows = texts()
    without_ids = [{name: row[name] for name in row if name != "item"} for row in rows]
    found = evaluated(without_ids, ["sari", "bleu"], system_score="mean")  # items are the sources
    for name, metric in (("sari", Sari()), ("bleu", Bleu())):
        scores = metric.score(**columns_of(rows), per_example=True)
        by_name = {name: scores[f"{name}_per_example"]}
        ratings = [row["rating"] for row in rows]
        expected = people.correlate(by_name, ratings, **ids_of(rows), confidence=None)
        for level in expected.metrics[name]:
            assert values(found, name, level) == pytest.approx(values(expected, name, level))
        assert found.signatures[name] == scores["signature"]
    assert "3 outputs equal to a reference, which was left out" in found.notes
    human = "3 of 3 outputs of human are among the references: it may be who wrote them"
    assert human in found.notes


@pytest.mark.parametrize("missing", [[], None, [None], [""]])
@pytest.mark.parametrize("how", ["without_output", "as_given"])
def test_an_output_without_a_reference_is_left_out(missing, how):
    rows = texts()
    gaps = [i for i, row in enumerate(rows) if row["system"] != "human"][:2]
    holes = [{**row, "references": missing} if i in gaps else row for i, row in enumerate(rows)]
    found = evaluated(holes, ["sari", "fkgl_components"], references=how)
    full = [row for i, row in enumerate(rows) if i not in gaps]
    expected = evaluated(full, ["sari", "fkgl_components"], references=how)
    assert found.metrics == expected.metrics
    assert {*found.notes} == {*expected.notes, "left out: 2 outputs without a reference"}


def test_an_output_without_another_reference_is_left_out_of_all_metrics():
    rows = [{**row, "references": row["references"][:1]} for row in texts()]
    found = evaluated(rows, ["sari", "fkgl_components"])
    assert (found.outputs, found.systems) == (9, 3)
    assert "left out: 3 outputs without another reference" in found.notes
    assert "|refs:1|" in found.signatures["sari"]  # of what was scored


def test_a_system_scores_as_a_corpus_unless_the_mean_is_asked_for():
    rows = texts()
    found = evaluated(rows, "bleu", references="as_given")
    corpus, ratings = [], []
    for system in ("copy", "human", "good", "poor"):
        own = [row for row in rows if row["system"] == system]
        columns = columns_of(own, references=[row["references"] for row in own])
        corpus.append(Bleu().score(**columns)["bleu"])
        ratings.append(np.mean([row["rating"] for row in own]))
    assert found.system_score == "corpus"
    expected = stats.pearsonr(corpus, ratings)[0]
    assert values(found, "bleu", "systems")["pearson"] == pytest.approx(expected, abs=1e-12)
    mean = evaluated(rows, "bleu", references="as_given", system_score="mean")
    assert values(mean, "bleu", "systems")["pearson"] != pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("variant", ["easse", "paper", "textstat"])
def test_the_corpus_of_a_system_is_its_own_where_rows_depend_on_each_other(variant):
    rng = np.random.default_rng(0)
    words = ["the", "cat", "sat", "on", "while", "running", "through", "enormous", "countries"]
    rows = [
        {
            "prediction": " ".join(rng.choice(words, 5 + 3 * s)) + ("" if s % 2 else "."),
            "rating": int(rng.integers(0, 9)),
            "system": s,
        }
        for s in list(range(4)) * 8
    ]
    metric = FkglComponents(variant)
    found = people.evaluate(rows, {"fkgl": metric}, confidence=None)
    own = [[row for row in rows if row["system"] == s] for s in range(4)]
    scores = [metric.score(predictions=[r["prediction"] for r in part])["fkgl"] for part in own]
    ratings = [np.mean([r["rating"] for r in part]) for part in own]
    expected = stats.pearsonr(scores, ratings)[0]
    assert values(found, "fkgl", "systems")["pearson"] == pytest.approx(expected)


def test_rows_may_be_dicts_columns_a_dataset_or_a_frame():
    rows = texts()
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    expected = evaluated(rows).to_dict()
    for table in (columns, Dataset.from_list(rows), pd.DataFrame(rows)):
        assert evaluated(table).to_dict() == expected


def test_rows_may_be_judgements_that_were_read(tmp_path):
    answers = [
        {**row, "rater": rater, "rating": rating}
        for row in texts()
        for rater, rating in zip("AB", row["rating"], strict=True)
    ]
    found = people.read(write(tmp_path / "answers.jsonl", answers), criteria=["rating"])
    expected = evaluated(texts())
    assert evaluated(found).to_dict() == expected.to_dict()
    agreement = people.rater_agreement(found.by_output()["rating"], confidence=None)
    assert agreement == expected.raters


def test_other_scores_of_a_metric_are_named_in_the_notation_or_beside_it():
    rows = texts()
    keep = Sari().score(**columns_of(rows), per_example=True)["keep_per_example"]
    expected = stats.pearsonr(keep, [np.mean(row["rating"]) for row in rows])[0]
    metrics = "fkgl_components.words_per_sentence, sari, sari.keep"
    found = evaluated(rows, metrics, baseline="sari.keep", resamples=9)
    assert list(found.metrics) == metrics.split(", ")
    assert values(found, "sari.keep", "outputs")["pearson"] == pytest.approx(expected)
    titled = evaluated(rows, {"F1": Sari(), "keep": (Sari(), "keep")})
    assert titled.metrics["keep"] == evaluated(rows, "sari.keep").metrics["sari.keep"]
    assert titled.metrics["F1"] == evaluated(rows).metrics["sari"]


def test_columns_of_scores_are_judged_beside_metrics_or_alone():
    rows = [{**row, "model": i % 5 + 0.5} for i, row in enumerate(texts())]
    beside = evaluated(rows, "sari", score_columns=["model"], baseline="model", resamples=9)
    assert list(beside.metrics) == ["sari", "model"]
    assert set(beside.gaps) == {"sari"}
    assert "a system's score is the mean of its outputs': model" in beside.notes
    rated = [{k: row[k] for k in ("item", "system", "rating", "model")} for row in rows]
    alone = people.evaluate(rated, [], score_columns=["model"], confidence=None)
    scores, ratings = ([row[name] for row in rows] for name in ("model", "rating"))
    expected = people.correlate({"model": scores}, ratings, **ids_of(rows), confidence=None)
    assert alone.metrics == expected.metrics
    for level, found in beside.metrics["model"].items():
        of_level = {name: estimate.value for name, estimate in found.items()}
        assert of_level == pytest.approx(values(expected, "model", level))


@pytest.mark.parametrize(
    ("change", "options", "place"),
    [
        ({"rating": "good"}, {}, "row 1 of rating"),
        ({"prediction": 3}, {}, "row 1 of predictions"),
        ({}, {"rating": "ratings"}, "^rating: "),
        ({}, {"item": "items"}, "^item: "),
        ({}, {"references": "as given"}, "^references: "),
        ({}, {"system_score": "sum"}, "^system_score: "),
        ({}, {"metrics": "sary"}, "metric 'sary'"),
        ({}, {"metrics": {"a": Sari(), "b": 3}}, "^metrics: "),
        ({}, {"baseline": "bleu"}, "^baseline: "),
        ({}, {"metrics": "bleu.precisions"}, "score of bleu: "),
        ({}, {"score_columns": ["lens"]}, "^score_columns: .*'lens'"),
        ({}, {"score_columns": ["source"]}, "row 0 of source"),
        ({}, {"metrics": {"item": Sari()}, "score_columns": ["item"]}, "^score_columns: .*item"),
        ({}, {"metrics": []}, "^metrics: "),
        ({"more": 1}, {}, "row 1 of rows .*'more'"),
    ],
)
def test_bad_rows_are_refused(change, options, place):
    first, second, *others = texts()
    rows = [{**first, "references": []}, {**second, **change}, *others]  # the first counts, too
    with pytest.raises(InputError, match=place):
        people.evaluate(rows, **options)


def pairs():
    """The fourth better text is a reference, the fifth has no other one."""
    source = "The old cat frequently sat on the mat, which was red."
    return [
        {"source": source, "better": better, "worse": worse, "references": references}
        for better, worse, references in [
            ("The old cat often sat on the mat.", "Cats.", ["The old cat often sat on it."]),
            ("The cat often sat on the mat.", "The cat ate.", ["The cat often sat there."]),
            ("The dog ran.", "The cat often sat.", ["The cat often sat on the mat."]),
            ("The cat sat.", "The dog sat.", ["The cat sat.", "The dog sat on the mat."]),
            ("The cat sat.", "The dog sat.", ["The cat sat."]),
        ]
    ]


def test_pairs_are_scored_without_the_references_that_equal_one_of_them():
    rows = pairs()[:4]
    left = [[t for t in row["references"] if t != row["better"]] for row in rows]
    better, worse = (
        {
            name: metric.score(**columns_of(rows, which, references=left), per_example=True)[
                f"{name}_per_example"
            ]
            for name, metric in (("sari", Sari()), ("bleu", Bleu()))
        }
        for which in ("better", "worse")
    )
    found = people.evaluate_pairs(pairs(), ["sari", "bleu"])
    for name, of in found.metrics.items():
        higher, lower = (np.sign(np.subtract(better[name], worse[name])) == s for s in (1, -1))
        assert (of.higher, of.lower) == (higher.sum(), lower.sum())
        assert of.share == of.higher / 4
        assert of.p == pytest.approx(stats.binomtest(of.higher, of.higher + of.lower).pvalue)
        assert of.interval[0] < of.share < of.interval[1]
    assert (found.pairs, found.metrics["bleu"].higher) == (4, 2)
    assert found.notes == (
        "2 pairs equal to a reference, which was left out",
        "left out: 1 pair without another reference",
    )
    assert found.signatures["sari"] == Sari().signature(left)
    assert found.signatures["sari"] in found.to_markdown()


def test_pairs_may_keep_their_references_and_have_other_names_and_scores():
    rows = [{**row, "good": row["better"], "bad": row["worse"]} for row in pairs()]
    options = {"references": "as_given"}
    found = people.evaluate_pairs(rows, "sari.keep", better="good", worse="bad", **options)
    assert (found.pairs, list(found.metrics)) == (5, ["sari.keep"])
    turned = people.evaluate_pairs(rows, "sari.keep", better="bad", worse="good", **options)
    assert turned.metrics["sari.keep"].lower == found.metrics["sari.keep"].higher > 0


@pytest.mark.parametrize(
    "option", [{"better": "best"}, {"metrics": []}, {"references": "all"}, {"confidence": 2}]
)
def test_bad_options_of_pairs_are_refused(option):
    with pytest.raises(InputError):
        people.evaluate_pairs(pairs(), **option)
