"""``textsimp score`` and ``textsimp compare``."""

import csv
import hashlib
import io
import json
import platform
import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.commands import of_data
from tests.documentation import check_keys, section
from tests.given import columns, lines, rows, systems, users_systems, write
from textsimp import compare, score
from textsimp.cli.score import choose_metrics
from textsimp.metrics import catalogue
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.sari import Sari
from textsimp.support.version import __version__

FILES = "-s source.txt -r references/0.txt -r references/1.txt -r references/2.txt"
SPLITTER = "-p systems/splitter.txt"
FAST = "--resamples 20"


def loaded(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def cells(printed, number=0):
    """The cells of the first table that is printed, or of another."""
    part = printed.split("\n\n")[number + 1]
    return [re.split(r" {2,}", line.strip()) for line in part.splitlines()]


# Scores


def test_scores_are_those_of_the_library(examples, as_json):
    sampling = {"confidence": 0.5, "resamples": 30, "seed": 7}
    options = "--confidence 0.5 --resamples 30 --seed 7"
    report = as_json(f"score -m sari,bleu {FILES} {SPLITTER} {options}")
    for metric in (Sari.preset(), Bleu.preset()):
        expected = metric.score(predictions=lines("systems/splitter.txt"), **columns(), **sampling)
        assert report["signatures"][metric.name] == expected.signature
        assert report["systems"]["splitter"][metric.name] == expected.to_dict(signature=False)
    assert report["examples"] == 48
    assert {name: report[name] for name in sampling} == sampling


def test_scores_of_each_example_are_in_the_json(examples, fails, as_json):
    report = as_json(f"score {FILES} -p systems {FAST} --per-example")
    for scores in report["systems"].values():
        assert len(scores["sari"]["sari_per_example"]) == 48
    message = fails(f"score {FILES} {SPLITTER} --per-example")
    assert message == "--per-example needs a FILE, or --json"


def test_the_references_have_a_row_if_a_metric_scores_them(examples, run):
    printed = run(f"score -m sari,fkgl {FILES} -p systems {FAST}").stdout
    rows = [row[0] for row in cells(printed)[1:]]
    assert rows == ["substituter", "splitter", "source truncated", "source unchanged", "references"]
    saved = run(f"score -m fkgl {FILES} -p systems {FAST} --save-statistics s.parquet").stdout
    assert [row[0] for row in cells(saved)[1:]] == [
        *("splitter", "substituter", "source"),
        rows[-1],
    ]


def test_all_prints_a_row_for_each_score(examples, run):
    command = f"score -m sari,bleu {FILES} -p systems {FAST}"
    printed = run(f"{command} --all").stdout
    short = run(command).stdout
    assert "All scores: --all" in short
    assert printed.startswith(short.split("\n\n")[0])
    assert cells(printed) == cells(short)
    assert cells(printed, 1)[0] == ["sari", *(row[0] for row in cells(short)[1:])]
    assert [row[0] for row in cells(printed, 1)] == ["sari", "SARI", "add", "keep", "delete"]
    assert cells(printed, 2)[0][0] == "bleu"
    (precisions,) = [row for row in cells(printed, 2) if row[0] == "n-gram precisions"]
    assert precisions[2].startswith("82.04 ")


# Several systems


def test_several_systems_are_ranked_and_tested_against_the_best(examples, run, as_json):
    arguments = "-p systems/splitter.txt -p copy=source.txt -p systems/substituter.txt"
    report = as_json(f"score {FILES} {arguments}")
    assert list(report["systems"]) == ["substituter", "splitter", "source truncated", "copy"]
    assert report["baselines"] == ["source truncated"]  # the other is copy
    assert report["baseline"] == "substituter"
    expected = compare({**systems(), "copy": lines("source.txt")}, **columns())["sari"]
    for system in ("copy", "splitter"):
        assert report["differences"][system]["sari"] == expected["differences"][system]
    header, *rows = cells(run(f"score {FILES} {arguments}").stdout)
    assert header == ["SARI (easse) ↑", "p vs best"]
    assert [row[0] for row in rows] == ["substituter", "splitter", "source truncated", "copy"]
    assert rows[0][1:] == ["★ 41.48 [39.69, 43.14]"]
    assert rows[1][2] == "0.003*"


def test_each_metric_has_a_best_system_of_its_own(examples, run, as_json):
    arguments = f"-m sari,bleu {FILES} {THREE} {FAST}"
    report = as_json(f"score {arguments}")
    assert report["baseline"] == "substituter"
    assert report["baseline_by_metric"] == {"sari": "substituter", "bleu": "copy"}
    assert [*report["differences"]["substituter"]] == ["bleu"]
    heads = cells(run(f"compare {arguments}").stdout)[0]
    assert [head for head in heads if "minus" in head] == ["minus substituter (best)", "minus copy"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--seed 1 --seed 2", "--seed: expected one value, got 2"),
        ("-s source.txt", "--sources: expected one value, got 2: put a pattern in quotes"),
        ("-d a.jsonl b.jsonl", "--data: expected one value, got 2: put a pattern in quotes"),
        ("--baseline copy --baseline copy", "--baseline: expected different systems, got 'copy'"),
        ("--baseline cpoy", "--baseline: expected one of 'splitter', 'substituter', 'copy', got"),
        ("--json --csv", "expected one of --json, --csv, got 2"),
        ("--latex --csv --markdown", "expected one of --csv, --markdown, --latex, got 3"),
    ],
)
def test_values_that_compare_does_not_take_are_told(options, message, examples, fails):
    assert fails(f"compare {FILES} -p systems -p copy=source.txt {options}").startswith(message)


def test_systems_in_files_come_before_those_in_columns(examples, run):
    arguments = "-d examples.jsonl -P again=substituter -p systems -P more=splitter"
    printed = run(f"compare {arguments} {FAST} --json").stdout
    assert [*users_systems(printed)] == ["splitter", "substituter", "again", "more"]
    assert json.loads(printed)["baseline"] == "substituter"


# Several runs, several baselines


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("score", "ours=runs/0.txt -p ours=runs/1.txt ours=runs/2.txt"),
        ("compare", "ours=runs/*.txt"),
        ("score", "ours=runs"),
    ],
)
def test_files_of_one_name_are_runs_of_a_system(command, files, seeds, run, as_json):
    given = {"ours": seeds, "substituter": systems()["substituter"]}
    expected = compare(given, **columns(), metric="sari", resamples=20)["sari"]
    options = f"{FILES} -p {files} -p systems/substituter.txt {FAST}"
    report = as_json(f"{command} {options}")
    plain = json.loads(json.dumps(expected["systems"]["ours"]))
    assert report["systems"]["ours"]["sari"] == {k: plain[k] for k in plain if k != "signature"}
    tests = report["differences"]["ours"]["sari"]
    assert tests == json.loads(json.dumps(expected["differences"]["ours"]))
    spread = f"± {plain['sari_spread']:.2f}"
    assert spread in run(f"{command} {options}").stdout
    assert spread in run(f"{command} {options} --markdown --no-intervals").stdout


def test_the_methods_say_that_systems_of_runs_need_both_tests(seeds, run):
    words = "of several runs differ significantly only if the interval"
    assert words in run(f"score {FILES} -p ours=runs -p systems --latex").stdout
    assert words not in run(f"score {FILES} -p ours=runs/0.txt -p systems --latex").stdout


def test_a_system_is_not_merged_with_runs_of_the_same_name(seeds, run, fails):
    run(f"score {FILES} -p ours=runs --save-statistics runs.parquet")
    run(f"score {FILES} -p ours=runs/0.txt --save-statistics one.parquet")
    for files in ("runs.parquet one.parquet", "one.parquet runs.parquet"):
        assert "runs.parquet: 'ours' has 3 runs: expected" in fails(f"merge {files}")


def test_scores_of_examples_are_of_one_run(seeds, run, fails):
    message = fails(f"score {FILES} -p ours=runs --per-example x.tsv")
    assert message == "--per-example: expected one run of ours"


def test_a_run_with_errors_leaves_its_system_unranked(seeds, run):
    write("runs/1.txt", [*seeds[1][1:], seeds[1][0]])
    found = run(f"score {FILES} -p ours=runs")
    assert found.stdout.startswith("Nothing can be ranked: ours (run 2) seems shifted")
    assert "textsimp check -s source.txt -p ours=runs -r references/0.txt " in found.stderr


def test_several_baselines_have_marks_in_tables_and_p_values_in_json(examples, run, as_json):
    command = f"compare {FILES} -p systems --baseline copy --baseline splitter {FAST}"
    expected = compare(
        systems(), **columns(), baseline=["copy", "splitter"], metric="sari", resamples=20
    )
    for form, method in (("latex", "to_latex"), ("markdown", "to_markdown")):
        assert run(f"{command} --{form}").stdout.startswith(getattr(expected, method)())
    report = as_json(f"{command}")
    assert report["baseline"] == "copy"
    plain = json.loads(json.dumps(expected["sari"].to_dict()))["other_differences"]["splitter"]
    found = report["other_differences"]["splitter"]
    assert found["substituter"]["sari"] == plain["substituter"]
    everything = cells(run(f"{command} --all").stdout, 1)[0]
    assert [head for head in everything if "minus" in head] == ["minus copy", "minus splitter"]


def test_score_marks_its_ranked_table_as_compare_does(examples, run):
    options = f"{FILES} -p systems --baseline copy --baseline splitter {FAST} --latex"
    rows = [
        sorted(line for line in run(f"{command} {options}").stdout.splitlines() if "&" in line)
        for command in ("score", "compare")
    ]
    assert rows[0] == rows[1]
    assert any("dagger" in row for row in rows[0])
    everything = run(f"score {options.removesuffix('--latex')} --all").stdout
    assert "minus copy" in everything
    assert "minus splitter" in everything


# p-values of several systems, and of few examples

THREE = "-p systems -p copy=source.txt"


def test_several_systems_have_holms_p_values_in_all_forms(examples, run, as_json):
    command = f"{FILES} {THREE} --baseline copy"
    report = as_json(f"score {command}")
    found = report["differences"]["substituter"]["sari"]
    assert found["sari_permutation_p"] == 1 / 1001
    assert found["sari_permutation_p_holm"] == found["sari_bootstrap_p_holm"] == 2 / 1001
    for name in ("score", "compare"):
        printed = run(f"{name} {command}").stdout
        (row,) = [row for row in cells(printed) if row[0] == "substituter"]
        assert row[-1] == "0.002*"
        assert "\np: paired permutation test against the system in the heading, " in printed
    everything = run(f"compare {command} --all").stdout
    assert cells(everything, 1)[0][-4:] == ["p, bootstrap", "Holm", "p, permutation", "Holm"]
    assert ["0.001", "0.002", "0.001", "0.002"] in [row[-4:] for row in cells(everything, 1)]


BASELINES = {"source truncated", "source unchanged"}


def test_a_system_stands_beside_what_it_should_beat(examples, run):
    printed = run(f"score {FILES} {SPLITTER}").stdout
    rows = {row[0]: row[1:] for row in cells(printed)[1:]}
    assert {*rows} == {"splitter", *BASELINES}
    assert len(rows["splitter"]) == 1
    assert rows["source unchanged"][1] == "0.002*"
    assert printed.startswith("splitter beats the baselines by SARI: 34.4, ")


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(f"-m bleu -r references {SPLITTER}", id="no sources"),
        pytest.param(f"{FILES} {SPLITTER} --save-statistics s.parquet", id="a piece"),
        *(f"{FILES} -p systems {form}" for form in ("--csv", "--latex", "--markdown", "-b")),
    ],
)
def test_there_are_no_baselines_without_sources_for_a_piece_and_for_papers(options, examples, run):
    printed = run(f"score {options} {FAST}").stdout
    assert "source unchanged" not in printed
    assert printed


def few(n):
    """Options for the first examples only."""
    for name in ("source", "systems/splitter", "systems/substituter", "references/0"):
        write(f"{n}/{name}.txt", lines(f"{name}.txt")[:n])
    return f"-s {n}/source.txt -r {n}/references -p {n}/systems -p copy={n}/source.txt"


@pytest.mark.parametrize("command", ["score", "compare"])
def test_fewer_than_ten_examples_come_with_a_warning(command, examples, run, as_json):
    result = run(f"{command} {few(5)} --json")
    warning = result.stderr.removeprefix("Warning: ").rstrip("\n")
    assert warning.startswith("5 examples: the bootstrap cannot test so few")
    assert json.loads(result.stdout)["warnings"] == [warning]
    assert run(f"{command} {few(10)}").stderr == ""
    assert as_json(f"{command} {few(10)}")["warnings"] == []
    assert run(f"score {few(5).split(' -p ')[0]} -p 5/source.txt").stderr == ""  # nothing tested
    one = run(f"{command} {few(1)}")
    assert "Warning: one example: no test" in one.stderr
    assert not re.search(r"\d  +[01]\.\d{3}\*?$", one.stdout, re.MULTILINE)
    assert "**" not in run(f"{command} {few(9)} --markdown").stdout


# Tables for papers


def test_a_table_for_a_paper_is_that_of_the_library(examples, run, as_json):
    outputs = {**dict(reversed(systems().items())), "copy": lines("source.txt")}
    expected = score(outputs, metrics=["sari", "bleu"], **columns())
    command = f"score -m sari,bleu {FILES} {THREE}"
    assert run(f"{command} --latex").stdout.startswith(expected.to_latex())
    assert run(f"{command} --markdown").stdout.startswith(expected.to_markdown())
    bare = run(f"{command} --latex --no-intervals").stdout
    assert bare.startswith(expected.to_latex(intervals=False))
    *_, methods, behind = bare.splitlines()
    assert methods.startswith("% We report sari|variant:easse|")
    assert behind == (
        "% No system leads by BLEU: copy is highest with 62.9, which a baseline has, too."
    )
    assert expected.best == {"sari": ["substituter"], "bleu": []}
    best = as_json(f"{command}")["best"]
    assert best == expected.best


def test_csv_has_values_ends_and_p_values_in_columns(examples, run, as_json):
    command = f"-m sari,bleu {FILES} {THREE} --baseline copy {FAST}"
    report = as_json(f"score {command}")
    rows = list(csv.DictReader(io.StringIO(run(f"score {command} --csv").stdout)))
    found = {row["system"]: row for row in rows if row["score"] == "sari"}
    assert [*found] == [*users_systems(json.dumps(report))]
    value, test = (report[part]["splitter"]["sari"] for part in ("systems", "differences"))
    expected = {"value": value["sari"], "difference": test["sari"]}
    expected |= dict(zip(("low", "high"), value["sari_interval"], strict=True))
    expected |= dict(zip(("difference_low", "difference_high"), test["sari_interval"], strict=True))
    for name in ("bootstrap_p", "permutation_p", "bootstrap_p_holm", "permutation_p_holm"):
        expected[name] = test[f"sari_{name}"]
        assert found["copy"][name] == ""
    assert {name: float(found["splitter"][name]) for name in expected} == expected
    for system, row in found.items():
        assert row["signature"] == report["signatures"]["sari"]
        assert row["best"] == str(system in report["best"]["sari"])
        assert row["baseline"] == "copy"
    assert len([row for row in rows if row["score"].startswith("precisions[")]) == 3 * 4


def listed_keys(heading):
    """The keys that a table of docs/cli.md lists."""
    heads = re.findall(r"^\| (`.*?`) \|", section(heading), re.MULTILINE)
    return re.findall("`(.*?)`", " ".join(heads))


@pytest.mark.parametrize(
    "command",
    [
        f"score {FILES} {SPLITTER} {FAST}",
        f"score {FILES} -p systems {FAST} --baseline substituter",
        f"score -m bleu -r references {SPLITTER} {FAST}",  # nothing to compare
        f"score -m fkgl_components {SPLITTER} {FAST}",
        f"compare -m sari,bleu {FILES} -p systems {FAST}",
        "merge s.parquet --resamples 20",
    ],
)
def test_json_has_the_keys_that_the_documentation_lists(command, examples, run, as_json):
    run(f"score {FILES} -p systems --resamples 20 --save-statistics s.parquet")
    report = as_json(f"{command}")
    assert [*report] == listed_keys("Keys of the JSON")
    assert [*report["provenance"]] == listed_keys("Keys of the provenance")
    assert (report["format"], report["version"]) == (1, __version__)


JSON_OF = {  # command in docs/cli.md → commands that print it
    "check": [f"check -s source.txt {SPLITTER}", f"check -s source.txt {SPLITTER} --fix new.txt"],
    "explain": ["explain 19.62", f"explain 67.49 -m f1_token {FILES} {SPLITTER}"],
    "power": [f"power {FILES} {SPLITTER} {FAST}"],
    "documents": ["documents -s documents/source.txt -t documents/systems"],
    "split random": ["split random examples.jsonl --sizes 0.5,0.5 -o halves"],
    "split divergence": ["split divergence -T references a=examples.jsonl b=examples.jsonl"],
    "metrics": ["metrics", "metrics sari"],
    "hub datasets": ["hub datasets"],
}


@pytest.mark.parametrize("command", JSON_OF)
def test_json_of_every_command_has_the_keys_that_the_documentation_lists(command, examples, run):
    check_keys("Keys of other commands", command, run, JSON_OF)


def test_differences_in_json_have_the_keys_that_the_documentation_lists(examples, as_json):
    report = as_json(f"compare {FILES} -p systems {FAST}")
    for system in {*report["systems"]} - {report["baseline"]}:
        keys = [key.replace("sari", "<score>") for key in report["differences"][system]["sari"]]
        assert keys[:6] == listed_keys("Keys of a difference")


def test_json_says_what_it_was_computed_with(examples, as_json):
    report = as_json(f"score {FILES} {SPLITTER} {FAST}")["provenance"]
    assert report["textsimp"] == __version__
    assert report["python"] == platform.python_version()
    assert report["packages"]["numpy"] == np.__version__
    assert "sacrebleu" in report["packages"]
    assert [report[name] for name in ("confidence", "resamples", "seed")] == [0.95, 20, 0]
    assert report["files"]["references"] == [f"references/{i}.txt" for i in range(3)]


def test_digests_of_the_data_are_those_of_sha256sum(examples, as_json):
    report = as_json(f"score {FILES} {SPLITTER} {FAST}")["provenance"]
    found = {(one["column"], one["system"]): one for one in report["data"]}
    references = [Path(f"references/{i}.txt") for i in range(3)]
    for key, files in {
        ("sources", None): [Path("source.txt")],
        ("references", None): references,
        ("predictions", "splitter"): [Path("systems/splitter.txt")],
    }.items():
        whole = b"".join(file.read_bytes() for file in files)
        assert found[key]["sha256"] == hashlib.sha256(whole).hexdigest()
        assert found[key]["rows"] == 48


def test_csv_of_one_system_has_no_columns_of_tests(examples, run):
    text = run(f"score -m fkgl_components {FILES} {SPLITTER} {FAST} --csv").stdout
    header, *rows = csv.reader(io.StringIO(text))
    expected = ["system", "metric", "score", "example", "value", "low", "high", "n", "signature"]
    assert header == expected
    assert {row[2] for row in rows} >= {"fkgl", "source_fkgl", "reference_fkgl"}


# Tables


def test_a_score_called_like_its_metric_keeps_its_name():
    assert catalogue.labels({"a": ["x", "y"], "b(v)": ["b", "x"], "c": ["b"]}) == {
        "a": {"x": "a.x", "y": "y"},
        "b(v)": {"b": "b(v)", "x": "b(v).x"},
        "c": {"b": "c.b"},
    }


def signatures(result):
    return loaded(result)["signatures"]


def test_easses_names_say_which_variant_was_taken(examples, run):
    result = run(f"score -m sari,bleu,fkgl {FILES} {SPLITTER} {FAST} --json")
    assert result.stderr == "-m fkgl is fkgl_components(easse)\n"
    assert signatures(result)["fkgl"].startswith("fkgl_components|variant:easse|")


def test_bare_numbers(examples, run):
    assert run(f"score -b {FILES} {SPLITTER} {FAST}").stdout == "34.36\n"
    printed = run(f"score -b -m sari bleu {FILES} -p systems {FAST}").stdout
    assert printed == "34.36\n49.01\n41.48\n53.42\n"


def shift(name):
    """Write `shifted.txt`: a system's outputs, of which the first line is lost."""
    write("shifted.txt", [*lines(f"systems/{name}.txt")[1:], "It rained."])


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_shifted_system_is_not_ranked_and_it_is_said_first(command, examples, run, as_json):
    shift("substituter")
    options = f"{command} {FILES} -p shifted.txt -p copy=source.txt"
    first, _, rest = run(options).stdout.partition("\n")
    assert first.startswith("Nothing can be ranked: shifted seems shifted: its outputs match")
    table = rest.partition("\n\n")[2].partition("\n\n")[0]
    assert not {*"★☆≈"} & {*table}
    assert table.splitlines()[-1].startswith("shifted ") == (command == "score")
    latex = run(f"{options} --latex").stdout
    assert not re.search(r"shifted.*textbf", latex)
    assert "shifted leads significantly" in run(f"{options} --no-check").stdout
    found = as_json(f"{options}")
    assert found["best"] == {"sari": []}


WIDE = ["-m", "sari,bleu,fkgl_components", *FILES.split(), *FAST.split(), "-p", "systems"]
LONG = "experiment-2026-bart-large-cnn-finetuned-wikiauto-asset-beam-5-seed-{:02}"


def test_a_table_is_cut_between_metrics(examples, terminal):
    printed = terminal(80, "compare", *WIDE)
    heads = [cells(printed, number)[0] for number in range(3)]
    assert heads == [
        ["SARI (easse) ↑", "minus substituter (best)", "p"],
        ["BLEU (easse) ↑", "minus substituter", "p"],
        ["FKGL (textsimp's count)", "minus splitter", "p"],
    ]


def test_sentences_are_broken_between_words(examples, terminal):
    for width in (40, 61, 82):
        verdict = terminal(width, "score", *WIDE).partition("\n\n")[0]
        assert max(map(len, verdict.splitlines())) <= width
        assert not re.search(r"(\[[^\]]*|p =|p <)$", verdict, re.MULTILINE)


@pytest.mark.parametrize("command", ["score", "compare"])
def test_twelve_long_names_are_one_table_with_a_key(command, examples, terminal):
    names = [LONG.format(number) for number in range(12)]
    for name in names:
        shutil.copy("systems/splitter.txt", f"{name}.txt")
    files = [part for name in names for part in ("-p", f"{name}.txt")]
    baseline = ["--baseline", names[3]]
    printed = terminal(80, command, *FILES.split(), *FAST.split(), *files, *baseline, "--no-check")
    rows = cells(printed)
    assert {row[0] for row in rows[1:]} == {f"seed-{n:02}" for n in range(12)} | BASELINES
    key = printed.split("\n\n")[-1].splitlines()
    assert key == [f"seed-{number:02}: {name}" for number, name in enumerate(names)]
    assert " seed-03 " in rows[0][1] + " "
    assert max(len(line) for line in printed.splitlines() if line not in key) <= 80


# Names and values, as people write them


def chosen(names, options):
    return [(choice.cls, choice.options) for choice in choose_metrics(names, options)]


def options_of(metric, listed):
    """Every option with every value that `textsimp metrics NAME` shows for it."""
    if "\noptions, with their defaults" not in listed:
        return []
    variants, options = (" ".join(part.split()) for part in listed.split("\n\n")[-3:-1])
    presets = map(repr, catalogue.metric_class(metric).presets)
    found = [("variant", variant) for variant in presets if f" {variant} " in variants]
    value = r"None|True|False|\d+(?:\.\d+)?|'[^']*'"
    found += re.findall(rf"(\w+)=({value})", f"{variants} {options}")
    for option, values in re.findall(rf"(\w+)=(?:{value}) [^=]*?\[(.*?)\]", options):
        found += [(option, each) for each in values.split(", ")]
    return found


@pytest.mark.parametrize("name", catalogue.names())
def test_values_are_taken_as_they_are_listed(name, run):
    found = options_of(name, run(f"metrics {name}").stdout)
    metric = catalogue.metric_class(name)
    options = metric.option_names() and ["variant", *metric.option_names()]  # one variant alone
    assert {option for option, _ in found} == {*options}
    needed = {f.name: f.only_with for f in metric.declared_options()}
    needed["keep_recall"] = {"level": ("sentence",)}
    for option, value in found:
        for pasted in (value, *shlex.split(value)):  # as it is, and as a shell hands it over
            ((_, given),) = chosen([name], [f"{option}={pasted}"])
            assert repr(given[option]) == value
            with_it = {other: values[0] for other, values in needed.get(option, {}).items()}
            metric.configure({**with_it, **given})


# Where the texts come from


COLUMNS = "-P splitter -P substituter"


@pytest.mark.parametrize(
    "texts",
    [
        f"{FILES} -p systems",
        "-t examples --data-dir .. -p systems",
        f"-d examples.jsonl {COLUMNS}",
        "-d examples.jsonl -p systems",
        f"-d examples.jsonl {SPLITTER} -P substituter",
        f"{FILES} -p splitter.jsonl substituter.jsonl",
    ],
)
def test_files_folders_and_tables_are_scored_alike(texts, examples, expected, run):
    for name in ("splitter", "substituter"):
        write(f"{name}.jsonl", [{"prediction": row[name]} for row in rows("examples.jsonl")])
    assert of_data(run(f"score {texts} {FAST} --json")) == expected


def test_the_folder_of_test_sets_may_be_a_variable(examples, expected, run):
    texts, variable = "-t examples -p systems", {"TEXTSIMP_DATA_DIR": ".."}
    assert of_data(run(f"score {texts} {FAST} --json", env=variable)) == expected


def test_lists_written_as_text_in_a_csv_file_are_no_references(examples, fails):
    corpus = rows("examples.jsonl")
    write("data.csv", [{**row, "references": str(row["references"])} for row in corpus])
    message = fails(f"score -d data.csv {COLUMNS}")
    place = "row 0 of column 'references' of data.csv (counted from 0): "
    assert message.startswith(f"{place}expected a text, got a list written as text, ")
    assert "in CSV each has a column of its own, or a cell holds a JSON list" in message


def test_columns_of_a_dataset(examples, expected, run, tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    write("repository/validation.parquet", rows("examples.jsonl"))
    command = f"score -d repository --split validation {COLUMNS} {FAST} --json"
    assert of_data(run(command)) == expected


def test_standard_input_is_a_file(examples, expected, run, fails):
    outputs = Path("systems/splitter.txt").read_text(encoding="utf-8")
    piped = "-p splitter=- -p systems/substituter.txt"
    assert of_data(run(f"score {FILES} {piped} {FAST} --json", input=outputs)) == expected
    data = Path("examples.jsonl").read_text(encoding="utf-8")
    assert of_data(run(f"score -d - {COLUMNS} {FAST} --json", input=data)) == expected
    assert "standard input can be read only once" in fails("score -s - -p - -r references")


# Bad input: one sentence, exit code 2


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("score", "sari needs sources: give -s FILE, -t TEST_SET, or -d DATA"),
        (f"score {FILES} -p gone.txt", "gone.txt: no such file"),
        (f"score {FILES} -p short.txt", "source.txt has 48 lines, but short.txt has 47 lines; to "),
        (f"score -m sarri {FILES} {SPLITTER}", "unknown metric 'sarri' (did you mean 'sari'?): ex"),
        (f"score {FILES} {SPLITTER} -O varian=xu", "unknown option 'varian' of sari (did you mean"),
        (f"score {FILES} {SPLITTER} -O variant=ux", "variant: expected one of 'easse', "),
        (f"score {FILES} {SPLITTER} -O variant", "-O: expected OPTION=VALUE, got 'variant'"),
        (f"score {FILES} {SPLITTER} -O lists=no", "unknown option 'lists' of sari"),
        (f"score {FILES} {SPLITTER} --confidence 95", "confidence: expected a number between"),
        (f"score {FILES} {SPLITTER} -b --json", "expected -b or --json, got both"),
        (f"score {FILES} -p references=source.txt", "systems: 'references' names another row of "),
        (f"compare {FILES} {SPLITTER}", "compare needs at least two systems"),
        (f"score {FILES} {SPLITTER} -P a", "--prediction-column needs a table: give -d DATA"),
        (f"score {FILES} {SPLITTER} -S a", "--source-column and -s or -t both give the sources"),
        (f"score -t . -r references {SPLITTER}", "-t gives sources and references: leave out"),
        ("score -d examples.jsonl", "examples.jsonl has no column 'prediction'; its columns are"),
        ("score -d examples.jsonl -P splitter --split dev", "examples.jsonl is a file: --config a"),
        (f"score {FILES} {SPLITTER} --split test", "--config and --split are of a dataset: give"),
        ("score -d examples.jsonl -P Splitter", "examples.jsonl has no column 'Splitter' (did you"),
        (f"score -t nowhere {SPLITTER}", "unknown test set 'nowhere': expected a folder or one of"),
        (f"score -t turkcorpus-test {SPLITTER}", "unknown test set 'turkcorpus-test' (did you m"),
        ("metrics fkgl_component", "unknown metric 'fkgl_component' (did you mean 'fkgl_compone"),
    ],
)
def test_bad_input_is_one_sentence(command, message, examples, fails):
    write("short.txt", lines("systems/splitter.txt")[1:])
    assert fails(command).startswith(message)


def test_a_file_whose_name_has_an_equals_sign_is_a_file(examples, run):
    Path("systems/splitter.txt").rename("a=b.txt")
    assert [*users_systems(run(f"score {FILES} -p a=b.txt {FAST} --json").stdout)] == ["a=b"]


def test_a_mistyped_option_is_answered_by_the_nearest(run):
    assert "--references" in run("score --refrences x").output.split("No such option")[1]


@pytest.mark.parametrize("name", ["a\nb", "\x1b[31mred", "a\u2028b"])
def test_a_message_is_one_line_whatever_it_quotes(name, examples, fails):
    Path(name).write_text("one line\n")
    shown = name.encode("unicode_escape").decode()
    for arguments in (["-p", name], ["-p", f"{name}x"], ["-p", "systems", "-m", name]):
        assert shown in fails(f"score {FILES}", *arguments)
    for option in (f"{name}=3", f"variant={name}", f"{name}.variant=xu"):
        assert fails(f"score {FILES} {SPLITTER}", "-O", option).isprintable()
    assert shown in fails("score -d examples.jsonl", "-P", name)
    assert shown in fails(f"compare {FILES} -p systems", "--baseline", name)


def test_a_table_has_a_line_for_each_system_whatever_its_name(examples, run, succeed):
    result = succeed(f"score {FILES} {FAST}", "-p", "a\nb=source.txt", "-p", "\x1b[31mc=source.txt")
    assert "\na b  " in result.stdout
    assert "\na b: a\\nb\n" in result.stdout
    compared = run(
        f"compare {FILES} {FAST} {SPLITTER}", "-p", "a\nb=source.txt", "--baseline", "a\nb"
    )
    assert "  minus a b  " in compared.stdout
    assert "\n[31mc: \\x1b[31mc\n" in result.stdout


@pytest.mark.parametrize("form", ["csv", "markdown", "latex", "json"])
def test_terminal_codes_in_names_are_escapes_in_every_form(form, examples, succeed):
    ran = succeed(f"score {FILES} {FAST} {SPLITTER} --{form}", "-p", "\x1b[31mc=source.txt")
    assert "\x1b" not in ran.stdout
    assert "1b[31mc" in ran.stdout.replace("u001b", "1b")
