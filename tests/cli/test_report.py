"""``textsimp report``."""

import re
from pathlib import Path

import pytest

from tests.given import columns, lines, systems
from tests.report.pages import data_of, section
from textsimp import report, score
from textsimp.core.metric import extra_required_columns
from textsimp.metrics import catalogue
from textsimp.report import measurements, page
from textsimp.scoring.systems import split_runs

FILES = "-s source.txt -r references -p systems/splitter.txt -p systems/substituter.txt"


def test_the_page_is_that_of_the_library(examples, succeed):
    result = succeed(
        f"report {FILES} -m sari -O variant=xu --examples 3 --resamples 50 --seed 1 -o new.html",
        *("--title", "A title", "--description", "Ours."),
    )
    assert result.stdout == "written: new.html\n"
    expected = report.html(
        systems(),
        **columns(),
        metrics="sari(xu)",
        title="A title",
        description="Ours.",
        examples=3,
        resamples=50,
        seed=1,
    )
    assert Path("new.html").read_text(encoding="utf-8") == expected


def test_sources_are_needed_and_references_by_metrics_that_read_them(examples, fails):
    assert fails("report -p systems").startswith("report needs sources: ")
    for options in ("-m bleu", "-m edit_ops,bleu"):
        assert fails(f"report -s source.txt -p systems {options}").startswith(
            "bleu needs references: "
        )
    assert fails("report -s source.txt -p systems -O variant=xu").startswith(
        "sari needs references: "
    )
    assert not Path("report.html").exists()


def test_without_references_there_are_no_scores_by_them(examples, succeed):
    succeed("report -s source.txt -p systems --examples 1 --resamples 10")
    text = Path("report.html").read_text(encoding="utf-8")
    assert "sari|" not in text
    assert "edit_ops|" in text


def test_a_page_can_be_written_to_standard_output_and_its_head_names_files(examples, run):
    done = run(f"report {FILES} -m sari --resamples 10 -o - --title", "é\u2028")
    assert done.exit_code == 0, done.output
    assert "é\u2028" in done.stdout_bytes.decode()
    assert "Sources: source.txt · References: references" in done.stdout
    assert b"\r" not in done.stdout_bytes


def test_steps_are_told_as_they_are_taken(examples):
    told = []
    texts, _ = measurements.check(
        {"a": lines("systems/splitter.txt")}, lines("source.txt"), lines("references/0.txt")
    )
    metrics = catalogue.make_metrics(["sari", "bleu"], "metrics")
    sampling = {"confidence": 0.95, "resamples": 5, "seed": 0}
    found = measurements.measure(texts, metrics, sampling, tell=told.append)
    page.render(found, 1, {"title": "", "description": ""}, None, told.append)
    assert told == ["sari", "bleu", *found.describing, *page.STEPS]


def test_bad_input_writes_nothing(examples, fails):
    assert "metrics: information_errors needs insertion" in fails(
        f"report {FILES} -m information_errors"
    )
    reserved = fails("report -s source.txt -r references -p references=source.txt")
    assert reserved.endswith("'references' names another row of tables: choose another name")
    assert not Path("report.html").exists()


def test_every_metric_with_a_direction_can_be_reported(examples, succeed):
    classes = {name: catalogue.metric_class(name) for name in catalogue.names()}
    judging = [
        name
        for name, cls in classes.items()
        if cls.scores[0].better and not extra_required_columns(cls)
    ]
    few = {}
    for name in ("source", "references/0", "systems/splitter"):
        few[name] = Path(f"{Path(name).name}.few.txt")
        few[name].write_text("\n".join(lines(f"{name}.txt")[:10]), encoding="utf-8")
    source, reference, output = few.values()
    metrics = f"-m {','.join(judging)} --examples 1 --resamples 2"
    succeed(f"report -s {source} -r {reference} -p {output} {metrics}")


def test_documents_are_scored_and_linked_at_level_aligned_by_default(examples, succeed):
    files = "-s documents/source.txt -r documents/references -p documents/systems/shortener.txt"
    succeed(f"report {files} --resamples 2 -o new.html")
    page = Path("new.html").read_text("utf-8")
    assert "sari|variant:easse|tok:13a|case:lc|level:aligned|" in page
    (drawn,) = data_of(Path("new.html").read_text("utf-8"))["drawn"]
    sources = lines("documents/source.txt")
    assert [text.count('class="linked"') for text in drawn] == [1] * len(sources)


# Several runs

RUNS = "-s source.txt -r references -p ours=runs -p systems -m sari,bleu --resamples 50"


def test_systems_of_runs_have_the_verdict_of_score_and_a_row_each(seeds, succeed):
    first, _ = succeed(f"score {RUNS}").stdout.split("\n", 1)
    succeed(f"report {RUNS}")
    page = Path("report.html").read_text(encoding="utf-8")
    assert section(page).startswith(f"Verdict {first} What each metric says")
    mean = score({"ours": seeds, **systems()}, **columns(), resamples=50)["ours"]["sari"].main
    row = page[page.index(f">{mean.value:.2f}</span>") :].partition("</td>")[0]
    assert f"± {mean.spread:.2f}" in row
    assert data_of(page)["systems"] == ["substituter", "ours", "splitter"]


def test_examples_of_runs_are_those_of_the_first(seeds):
    options = {"resamples": 5, "metrics": "sari", **columns()}
    runs, first = (
        data_of(report.html({"ours": outputs}, **options)) for outputs in (seeds, seeds[0])
    )
    assert [runs[key] for key in ("texts", "drawn")] == [first[key] for key in ("texts", "drawn")]
    assert runs["measures"] == first["measures"]


def test_histograms_of_runs_count_all_outputs(seeds):
    single, runs = split_runs({"ours": seeds})
    texts, _ = measurements.check(single, **columns(), runs=runs)
    (edits,) = catalogue.make_metrics(["edit_ops"], "metrics").values()
    every = measurements.score_examples(edits.measure(texts), texts)
    alone = edits.measure(measurements.check({"one": seeds[2]}, **columns())[0])
    last = measurements.score_examples(alone, texts)["one"]["change_percentage"]
    assert every["ours"]["change_percentage"].tolist()[2 * len(last) :] == last.tolist()


def test_a_run_with_errors_is_named_by_checks_and_linked_if_it_is_shown(seeds, succeed):
    for run in (1, 2):  # the second is shown nowhere
        Path(f"runs/{run - 1}.txt").write_text("\n" + "\n".join(seeds[run - 1][1:]), "utf-8")
    succeed("report -s source.txt -p ours=runs --examples 1 --resamples 10")
    page = Path("report.html").read_text(encoding="utf-8")
    assert re.search(r"ours \(run 1\).*<a href=.*system=ours", page)
    assert not re.search(r"ours \(run 2\): 1 output is empty <a", page)


@pytest.mark.parametrize("command", ["report", "figure people -o people.svg"])
def test_people_rate_one_run(command, seeds, fails):
    message = fails(f"{command} {RUNS} --ratings ratings.jsonl --rating rating")
    assert message.startswith("ratings: expected one run of each system, got 3 of 'ours'")
