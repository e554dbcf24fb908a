"""``textsimp meta``."""

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest

from tests.cli.conftest import own_keys
from tests.given import rows
from tests.text.models.fake import Fake, models
from textsimp import FkglComponents, Sari, judgements
from textsimp.judgements.correlation_arguments import read_metrics
from textsimp.judgements.numbers import parse_labels
from textsimp.support.errors import InputError

FAST = "--resamples 20"


def evaluated(given, *arguments, **options):
    """What the library says, as plain data."""
    found = judgements.evaluate(given, *arguments, **{"resamples": 20, **options})
    return json.loads(json.dumps(found.to_dict()))


pytestmark = pytest.mark.filterwarnings("ignore:.*are among the references")


def test_numbers_are_those_of_the_library(examples, run):
    report = own_keys(run(f"meta -d ratings.jsonl -m sari,sari:delete=precision {FAST} --json"))
    forms = {"sari": Sari(), "sari(delete=precision)": Sari(delete="precision")}
    assert report == evaluated(rows("ratings.jsonl"), forms)


def test_options_reach_the_library(examples, run):
    options = (
        "--baseline bleu --over both --confidence 0.9 --seed 3 --standardise "
        "--references as_given --system-score mean"
    )
    report = own_keys(run(f"meta -d ratings.jsonl -m sari,bleu {options} {FAST} --json"))
    assert report == evaluated(
        rows("ratings.jsonl"),
        ["sari", "bleu"],
        baseline="bleu",
        over="both",
        confidence=0.9,
        seed=3,
        standardise=True,
        references="as_given",
        system_score="mean",
    )


def test_the_table_shows_every_level_and_what_to_beware_of(examples, succeed):
    result = succeed(f"meta -d ratings.jsonl {FAST}")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("48 outputs of 12 items by 4 systems, scored by corpus; 95 % boot")
    assert lines[1].startswith("raters: Krippendorff's α (interval) 0.")
    heads = [line.split("  ")[0] for line in lines if "Spearman ρ" in line]
    assert heads == [
        "over all outputs",
        "within an item, averaged",
        "within a system, averaged",
        "by system",
    ]
    assert (
        "Note: 12 of 12 outputs of human are among the references: it may be who wrote them"
        in lines
    )
    assert lines[-1].startswith("sari|variant:easse")
    assert result.stderr == ""


def test_a_baseline_adds_differences_with_p_values(examples, run):
    output = run(f"meta -d ratings.jsonl -m sari,bleu --baseline sari {FAST}").stdout
    minus = [line for line in output.splitlines() if line.startswith("  minus sari")]
    assert len(minus) == 4
    assert all(" p 0." in line for line in minus)
    assert "p: of the permutation test, 20 permutations" in output
    assert output.count("bleu minus sari: Williams' test of r, p ") == 2  # outputs, and systems


def test_csv_has_a_line_per_coefficient(examples, run):
    result = run(f"meta -d ratings.jsonl -m sari,bleu --baseline sari {FAST} --csv")
    found = list(csv.DictReader(io.StringIO(result.stdout)))
    assert len(found) == 2 * (3 * 3 + 5)
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


def test_other_scores_of_a_metric_are_judged_by_their_names(examples, run):
    metrics = "SARI,sari:delete=precision.keep,sari:delete=precision.delete"
    report = own_keys(run(f"meta -d ratings.jsonl -m {metrics} {FAST} --json"))
    written = [f"sari(delete=precision).{score}" for score in ("keep", "delete")]
    assert [*report["metrics"]] == ["sari", *written]
    expected = evaluated(
        rows("ratings.jsonl"), {"p": Sari(delete="precision")}, scores=["p.keep", "p.delete"]
    )
    for name, found in expected["metrics"].items():
        label = f"sari(delete=precision).{name.partition('.')[2]}"
        for level, of_level in found.items():
            got = {key: each["value"] for key, each in report["metrics"][label][level].items()}
            values = {key: each["value"] for key, each in of_level.items()}
            assert got == pytest.approx(values), (label, level)
    every = own_keys(run(f"meta -d ratings.jsonl --all-scores {FAST} --json"))
    assert list(every["metrics"]) == ["sari", "sari.add", "sari.keep", "sari.delete"]


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


def test_labels_are_placed_or_dropped(examples, run):
    words = ["bad", "good", "gibberish", "fair"]
    labelled = [{**row, "rating": words[i * 7 % 4]} for i, row in enumerate(rows("ratings.jsonl"))]
    Path("labelled.jsonl").write_text("\n".join(map(json.dumps, labelled)), "utf-8")
    given = "bad,fair,good,gibberish=drop"
    report = own_keys(run(f"meta -d labelled.jsonl --labels {given} {FAST} --json"))
    labels = {"bad": 0, "fair": 1, "good": 2, "gibberish": None}
    assert report == evaluated(labelled, ["sari"], labels=labels)
    assert any("without a rating" in note for note in report["notes"])


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("bad,good", {"bad": 0, "good": 1}),
        ("bad, good ,gibberish=3", {"bad": 0, "good": 1, "gibberish": 3}),
        ("gibberish=-1.5,bad,good", {"gibberish": -1.5, "bad": 0, "good": 1}),
        ("a=b=2,x=drop,y", {"a=b": 2, "x": None, "y": 0}),
    ],
)
def test_labels_count_up_from_zero_unless_they_have_a_number(text, labels):
    assert parse_labels(text) == labels


@pytest.mark.parametrize("text", ["", "a,", "a,a", "a=1,a", "a=x", "=1", "a=nan"])
def test_bad_labels_are_refused(text):
    with pytest.raises(InputError, match="labels: expected"):
        parse_labels(text)


def test_metrics_are_named_as_they_were_written():
    scorers, scores = read_metrics(["sari,d-sari.d_add", "sari:xu:lowercase=False"])
    form = "sari(xu, lowercase=False)"
    assert scores == ["sari", "d_sari.d_add", form]
    assert scorers[form] == Sari("xu", lowercase=False)


def test_an_alias_is_measured_in_its_variant():
    scorers, scores = read_metrics(["fkgl", "FKGL.words:variant=textstat"])
    easse, textstat = (f"fkgl_components({name})" for name in ("easse", "textstat"))
    assert scores == [easse, f"{textstat}.words"]
    assert scorers == {easse: FkglComponents("easse"), textstat: FkglComponents("textstat")}


def test_rows_name_a_model_whose_revision_is_in_the_signature(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = ["a b", "b c", "c d", "d e"]
    rows = [{"prediction": text, "rating": i} for i, text in enumerate(texts)]
    Path("rated.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    said = {text: [float(i)] for i, text in enumerate(texts)}
    with models(**{name: Fake(["score"], said) for name in ("./one", "./two")}):
        typed = "regression:model=./one,regression:model=./two"
        result = run(f"meta -d rated.jsonl -m {typed} --baseline regression:model=./one --json")
        found = own_keys(result)
    assert list(found["metrics"]) == ["regression(./one)", "regression(./two)"]
    assert found["baseline"] == "regression(./one)"
    assert "|model:./two@0123456789ab|" in found["signatures"]["regression(./two)"]


@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_a_picture_is_drawn(suffix, examples, succeed):
    result = succeed(f"meta -d ratings.jsonl -m sari,bleu {FAST} --plot plot.{suffix}")
    assert result.stderr.endswith(f"written: plot.{suffix}\n")
    begins = {"png": b"\x89PNG", "pdf": b"%PDF"}[suffix]
    assert Path(f"plot.{suffix}").read_bytes().startswith(begins)


def test_rows_without_references_are_left_out(tmp_path, run):
    path = tmp_path / "rated.csv"
    rows = [f"{i} felines sat.,{i} cats sat.,{i % 3},{'A cat.' * (i % 4)}" for i in range(12)]
    path.write_text("\n".join(["source,prediction,rating,references", *rows]), encoding="utf-8")
    found = own_keys(run(f"meta -d {path} -m sari --json"))
    assert found["outputs"] == 9
    assert "left out: 3 outputs without a reference" in found["notes"]


def test_pairs_are_counted(examples, run):
    command = "meta -d examples.jsonl -m sari,bleu.length_ratio --pairs substituter,splitter"
    expected = judgements.evaluate_pairs(
        rows("examples.jsonl"),
        ["sari", "bleu"],
        better="substituter",
        worse="splitter",
        scores=["sari", "bleu.length_ratio"],
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
        ("-d ratings.jsonl --score item --score item", "--score: expected different columns, got"),
        ("-d ratings.jsonl -m ,", "-m: expected the name of a metric at"),
        ("-d ratings.jsonl -m sari,sari", "-m: expected different metrics, got sari twice"),
        ("-d ratings.jsonl -m sari:delete", "variant: expected one of 'easse'"),
        ("-d ratings.jsonl -m sari.kep", "-m: sari has no score 'kep' (did you mean 'keep'?)"),
        ("-d ratings.jsonl -m sari.keep --all-scores", "-m: other scores are asked for"),
        ("-d ratings.jsonl --baseline bleu", "baseline: expected one of 'sari', got 'bleu'"),
        ("-d ratings.jsonl --labels a=b", "--labels: expected LABEL, LABEL=NUMBER"),
        ("-d ratings.jsonl --labels a,b", "row 0 of column 'rating' of ratings.jsonl (counted fr"),
        ("-d ratings.jsonl --plot a.txt", "--plot: expected a file that ends with .png, .pdf"),
        ("-d examples.jsonl --pairs splitter", "--pairs: expected two columns, BETTER,WORSE"),
        ("-d examples.jsonl --pairs references,splitter", "row 0 of predictions of better"),
        ("-d examples.jsonl --pairs a,b --over both", "--over and --pairs don't go together"),
        ("-d examples.jsonl --pairs a,b --seed 0", "--seed and --pairs don't go together"),
        ("-d examples.jsonl --pairs a,b --plot a.png", "--plot and --pairs don't go together"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(arguments, message, examples, fails):
    before = sorted(Path().rglob("*"))
    assert fails(f"meta {arguments}").startswith(message)
    assert sorted(Path().rglob("*")) == before


def test_answers_of_raters_are_taken_as_they_are(examples, run):
    answers = [
        json.dumps({**output, "rater": rater, "rating": rating})
        for output in rows("ratings.jsonl")
        for rater, rating in zip("AB", output["rating"], strict=True)
    ]
    Path("answers.jsonl").write_text("\n".join(answers), encoding="utf-8")
    arguments = "-m sari,simplification_stats --baseline sari --standardise --csv"
    wide = run(f"meta -d ratings.jsonl {arguments}")
    assert (wide.exit_code, wide.stdout) == (0, run(f"meta -d answers.jsonl {arguments}").stdout)
