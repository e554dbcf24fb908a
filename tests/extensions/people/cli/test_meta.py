"""``textsimp meta``."""

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest

from tests.commands import own_keys
from tests.extensions.models.networks.fake import Fake, models
from tests.given import lines, rows, write
from textsimp import DSari, FkglComponents, Sari
from textsimp.extensions import people
from textsimp.extensions.people.judgements.correlation_arguments import find_baseline, read_metrics

FAST = "--resamples 20"


def evaluated(given, *arguments, **options):
    """What the library says, as plain data."""
    found = people.evaluate(given, *arguments, **{"resamples": 20, **options})
    return json.loads(json.dumps(found.to_dict()))


OPTIONS = "--baseline bleu --over both --confidence 0.9 --seed 3 --standardise "
OPTIONS += "--references as_given --system-score mean"
GIVEN = {"baseline": "bleu", "over": "both", "confidence": 0.9, "seed": 3, "standardise": True}
GIVEN |= {"references": "as_given", "system_score": "mean"}
LEVELS = ["within_items", "systems"]


@pytest.mark.parametrize(
    ("typed", "metrics", "options"),
    [
        ("sari,sari:delete=precision", ["sari", "sari(delete=precision)"], {}),
        ("SARI,sari:delete=precision.keep", ["sari", "sari(delete=precision).keep"], {}),
        (f"sari,bleu {OPTIONS}", ["sari", "bleu"], GIVEN),
        (
            "sari,bleu --level within_items --level systems --clusters",
            ["sari", "bleu"],
            {"levels": LEVELS, "clusters": True},
        ),
    ],
)
def test_numbers_are_those_of_the_library(typed, metrics, options, examples, run):
    report = own_keys(run(f"meta -d ratings.jsonl -m {typed} {FAST} --json"))
    assert report == evaluated(rows("ratings.jsonl"), metrics, **options)
    assert [*report["metrics"]] == metrics
    assert [*report["clusters"]] == options.get("levels", [])


def test_the_table_has_every_level_with_differences_and_what_to_beware_of(examples, succeed):
    result = succeed(f"meta -d ratings.jsonl -m sari,bleu --baseline sari {FAST}")
    header, *lines = result.stdout.splitlines()
    assert header.split()[:4] == ["level", "metric", "Pearson", "r"]
    assert [" ".join(line.split()[:3]) for line in lines if "minus sari" in line] == [
        *("outputs minus sari", "within items minus", "within systems minus"),
        "systems minus sari",
    ]
    assert all(" p 0." in line for line in lines if "minus sari" in line)
    notes = lines[12:]
    assert notes[0].startswith("48 outputs of 12 items by 4 systems, scored by corpus; 95 % boot")
    assert notes[1:3] == [
        "within items: mean of 12 items, 4 outputs each",
        "within systems: mean of 4 systems, 12 outputs each",
    ]
    assert notes[3].startswith("raters: Krippendorff's α (interval) 0.")
    human = "12 of 12 outputs of human are among the references: it may be who wrote them"
    assert human in notes
    about = "p: of 20 permutations, adjusted for all coefficients"
    assert f"{about}; by system, of 4 systems, it is at least 0.12" in notes
    assert notes[-2].startswith("sari|variant:easse")
    assert result.stderr == ""


def test_csv_has_a_line_per_coefficient(examples, run):
    result = run(f"meta -d ratings.jsonl -m sari,bleu --baseline sari {FAST} --csv")
    found = list(csv.DictReader(io.StringIO(result.stdout)))
    assert len(found) == 2 * (3 + 4 + 3 + 5)
    plain = evaluated(rows("ratings.jsonl"), ["sari", "bleu"], baseline="sari")
    for record in found:
        path = record["metric"], record["level"], record["coefficient"]
        estimate = plain["metrics"][path[0]][path[1]][path[2]]
        assert float(record["value"]) == pytest.approx(estimate["value"])
        if record["coefficient"] != "soft_accuracy":  # which has no interval
            assert float(record["low"]) == pytest.approx(estimate["interval"][0])
        gap = plain["gaps"].get(path[0], {}).get(path[1], {}).get(path[2])
        assert record["gap"] == ("" if gap is None else str(gap["value"]))
    assert "outputs of human are among the references" in result.stderr


@pytest.mark.parametrize("name", ["ratings.csv", "ratings.parquet"])
def test_tables_of_other_kinds_have_lists_of_ratings_too(name, examples, run):
    frame = pd.DataFrame(rows("ratings.jsonl"))
    if name.endswith("parquet"):
        frame.to_parquet(name)
    else:
        for column in ("references", "rating"):
            frame[column] = frame[column].map(json.dumps)
        frame.to_csv(name, index=False)
    report = own_keys(run(f"meta -d {name} {FAST} --json"))
    assert report == evaluated(rows("ratings.jsonl"), ["sari"])


def test_a_column_per_rater_of_which_some_cells_are_empty(examples, run):
    given = [
        {**row, "rating": [row["rating"][0], None]} for row in rows("ratings.jsonl")[:20]
    ] + rows("ratings.jsonl")[20:]
    frame = pd.DataFrame(given)
    frame["one"], frame["two"] = zip(*frame["rating"], strict=True)
    frame["references"] = frame["references"].map(json.dumps)
    frame.drop(columns="rating").to_csv("two.csv", index=False)
    report = own_keys(run(f"meta -d two.csv --rating one,two {FAST} --json"))
    assert report == evaluated(given, ["sari"])


def test_metrics_are_named_in_the_notation_and_an_alias_by_its_variant():
    form = "sari(xu, lowercase=False)"
    assert read_metrics(["d-sari.d_add", "sari:xu:lowercase=False"]) == {
        "d_sari.d_add": (DSari(), "d_add"),
        form: (Sari("xu", lowercase=False), ""),
    }
    easse, textstat = (f"fkgl_components({name})" for name in ("easse", "textstat"))
    assert read_metrics(["fkgl", "FKGL:textstat.words"]) == {
        easse: (FkglComponents("easse"), ""),
        f"{textstat}.words": (FkglComponents("textstat"), "words"),
    }


def test_judges_are_named_without_their_server_unless_two_would_be_the_same():
    one = "judge(m, answers=a.jsonl, base_url=http://localhost:8000/v1)"
    chosen = read_metrics(f"sari, {one}, judge(n, samples=2, criterion=meaning)")
    assert [*chosen] == ["sari", "judge(m)", "judge(n, samples=2)"]
    assert find_baseline(one, [*chosen], chosen) == "judge(m)"
    assert [*read_metrics(f"{one}, judge(m)")] == [one, "judge(m)"]


def test_rows_name_a_model_whose_revision_is_in_the_signature(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = ["a b", "b c", "c d", "d e"]
    rows = [{"prediction": text, "rating": i} for i, text in enumerate(texts)]
    write("rated.jsonl", rows)
    said = {text: [float(i)] for i, text in enumerate(texts)}
    with models(**{name: Fake(["score"], said) for name in ("./one", "./two")}):
        typed = "regression:model=./one,regression:model=./two"
        result = run(f"meta -d rated.jsonl -m {typed} --baseline regression:model=./one --json")
        found = own_keys(result)
    assert list(found["metrics"]) == ["regression(./one)", "regression(./two)"]
    assert found["baseline"] == "regression(./one)"
    assert "|model:./two@0123456789ab|" in found["signatures"]["regression(./two)"]


def test_rows_without_references_are_left_out(tmp_path, run):
    path = tmp_path / "rated.csv"
    rows = [f"{i} felines sat.,{i} cats sat.,{i % 3},{'A cat.' * (i % 4)}" for i in range(12)]
    write(path, ["source,prediction,rating,references", *rows])
    found = own_keys(run(f"meta -d {path} -m sari --json"))
    assert found["outputs"] == 9
    assert "left out: 3 outputs without a reference" in found["notes"]


@pytest.mark.parametrize(
    "option",
    [
        *("--rating prediction", "--score prediction", "--baseline sari", "--over items"),
        *(
            "--level outputs",
            "--clusters",
            "--standardise",
            "--item source",
            "--system prediction",
            "--system-score mean",
        ),
    ],
)
def test_options_of_ratings_are_refused_beside_pairs(option, examples, fails):
    message = fails(f"meta -d examples.jsonl --pairs substituter,splitter {option}")
    assert message.startswith(f"--pairs: expected no {option.split(' ')[0]}, which is of ratings")


def test_help_names_no_values_that_only_python_has(run):
    assert "None" not in run("meta --help").stdout


def test_pairs_are_counted(examples, run):
    command = "meta -d examples.jsonl -m sari,bleu.length_ratio --pairs substituter,splitter"
    expected = people.evaluate_pairs(
        rows("examples.jsonl"),
        ["sari", "bleu.length_ratio"],
        better="substituter",
        worse="splitter",
    )
    assert own_keys(run(f"{command} --json")) == json.loads(json.dumps(expected.to_dict()))
    header, first, *_ = run(command).stdout.splitlines()
    assert header.split("  ")[-1] == "p, sign test"
    assert first.split()[:2] == ["sari", f"{expected.metrics['sari'].share:.3f}"]
    assert run(f"{command} --latex").stdout == expected.to_latex()
    records = list(csv.DictReader(io.StringIO(run(f"{command} --csv").stdout)))
    assert [record["higher"] for record in records] == [
        str(found.higher) for found in expected.metrics.values()
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "expected a table or dataset: give -d FILE"),
        (
            "-d examples.jsonl -P splitter",
            "examples.jsonl has no column 'rating'; its columns are 'source', 'references', "
            "'splitter', 'substituter': choose with --rating, or --pairs",
        ),
        ("-d ratings.jsonl --rating rat", "ratings.jsonl has no column 'rat' (did you mean 'rat"),
        ("-d ratings.jsonl --rating source", "row 0 of column 'source' of ratings.jsonl (counted"),
        ("-d ratings.jsonl --score source", "row 0 of source (counted from 0): expected a finite"),
        ("-d ratings.jsonl -m ,", "-m: expected metrics, as in"),
        ("-d ratings.jsonl -m sari,sari", "-m: expected different metrics, got sari twice"),
        ("-d ratings.jsonl -m sari:delete", "variant: expected one of 'easse'"),
        ("-d ratings.jsonl -m sari.kep", "-m: sari has no score 'kep' (did you mean 'keep'?)"),
        ("-d ratings.jsonl --baseline bleu", "baseline: expected one of 'sari', got 'bleu'"),
        ("-d examples.jsonl --pairs splitter", "--pairs: expected two columns, BETTER,WORSE"),
        ("-d examples.jsonl --pairs references,splitter", "row 0 of predictions of better"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(arguments, message, examples, fails):
    before = sorted(Path().rglob("*"))
    assert fails(f"meta {arguments}").startswith(message)
    assert sorted(Path().rglob("*")) == before


def write_answers(outputs):
    answers = [
        {**output, "rater": rater, "rating": rating}
        for output in outputs
        for rater, rating in zip("AB", output["rating"], strict=True)
    ]
    write("answers.jsonl", answers)


def test_answers_of_raters_may_have_scores_but_no_columns_of_other_names(examples, run, fails):
    outputs = [{**row, "lens": len(row["prediction"])} for row in rows("ratings.jsonl")]
    write_answers(outputs)
    write("wide.jsonl", outputs)
    scored = run("meta -d answers.jsonl --score lens --csv")
    assert (scored.exit_code, scored.stdout) == (
        0,
        run("meta -d wide.jsonl --score lens --csv").stdout,
    )
    for chosen in ("--item lens", "--system item", "-S prediction", "-P source", "-R source"):
        assert "of answers.jsonl: call it" in fails(f"meta -d answers.jsonl {chosen}")
    write_answers([{**row, "lens": None} for row in outputs])
    assert "expected one score 'lens'" in fails("meta -d answers.jsonl --score lens")


def test_columns_of_answers_are_scores(examples, succeed):
    texts = zip(lines("source.txt"), lines("systems/splitter.txt"), strict=True)
    answers = [
        {"rater": "a", "item": i, "system": "splitter", "source": source, "prediction": output}
        | {"control": "", "meaning": i % 5, "simplicity": i % 3}
        for i, (source, output) in enumerate(texts)
    ]
    write("answers.jsonl", answers)
    succeed("meta -d answers.jsonl --rating simplicity -m column:meaning --json")
