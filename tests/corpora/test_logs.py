"""Logs of language models, as lm-eval 0.4.13 and inspect-ai 0.3.285 wrote those in logs/."""

import importlib.util
import re
import shutil
from pathlib import Path

import pytest

from tests import given
from textsimp import InputError
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.corpora import logs, reading
from textsimp.corpora.reading import System

LOGS = Path(__file__).with_name("logs")
(MULTI,) = LOGS.glob("lm_eval/*/samples_asset_multi*")
(TINY,) = LOGS.glob("lm_eval/*/samples_asset_tiny*")
ONE, OTHER = sorted(LOGS.glob("inspect/*"))
(EPOCHS,) = LOGS.glob("epochs/*")
READERS = {"sari": [SOURCES, PREDICTIONS, REFERENCES]}
COPIES = [
    "The feline sat upon the mat.",
    "He departed prior to noon.",
    "The committee approved the proposal.",
]
OUTPUTS = ["The cat sat on the mat.", "He left before noon.", "The group approved the plan."]
REFERENCE_LISTS = [
    ["The cat sat on the mat.", "A cat was on the mat."],
    ["He left before noon.", "He went away before noon."],
    ["The group agreed to the plan.", "The committee said yes."],
]
SAMPLE = {"id": "s0", "epoch": 1, "input": "s", "output": {"completion": "p"}}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(name, rows):
    return str(given.write(name, rows))


def read(data, **options):
    return reading.read(READERS, data=str(data), **options)


def columns(examples):
    return examples.shared, examples.systems


def outputs(examples):
    return {name: examples.predictions(name) for name in examples.systems}


def chat(source, output):
    roles = {"system": "Simplify.", "user": source, "assistant": output}
    return {"messages": [{"role": role, "content": text} for role, text in roles.items()]}


def answer(name, output, error=None, **more):
    body = {"model": "gpt-4o-mini", "choices": [{"message": {"content": output}}], **more}
    return {"custom_id": name, "response": {"status_code": 200, "body": body}, "error": error}


@pytest.mark.parametrize(
    ("log", "expected", "said"),
    [
        (TINY, {"i82qcls7": ["lol"] * 3}, "read as an lm-eval log, system i82qcls7: id = .doc_id"),
        (MULTI, {"i82qcls7": ["lol"] * 3}, "of the filter 'first', the first of 'first', 'raw'"),
        (ONE, {"mockllm/model": OUTPUTS}, "read as an inspect-ai log, system mockllm/model"),
        (ONE.parent, {"mockllm/model": OUTPUTS, "mockllm/other": COPIES}, "joined by the column"),
        (f"{ONE.parent}/*_asset_*.eval", {"mockllm/model": OUTPUTS, "mockllm/other": COPIES}, ""),
        (EPOCHS, {"mockllm/other": OUTPUTS}, "epoch 1 of 2; -P 'epoch 2' has the next ones"),
    ],
)
def test_logs_have_sources_references_and_a_system_per_model(log, expected, said, capsys):
    examples = read(log)
    assert examples.sources == COPIES
    assert examples.references == REFERENCE_LISTS
    assert outputs(examples) == expected
    assert said in capsys.readouterr().err


def test_columns_are_the_fields_that_are_named():
    assert read(ONE, names={"sources": [".metadata.domain"]}).sources == ["wiki"] * 3
    assert outputs(read(EPOCHS, systems=[System(column="epoch 2")])) == {"epoch 2": OUTPUTS}


def test_the_text_of_a_list_that_lm_eval_writes_is_references():
    rows = given.rows(MULTI)[:3]
    for row, source in zip(rows, COPIES, strict=True):
        row["doc"] = {"original": source}
    examples = read(write("samples_asset.jsonl", rows))
    assert examples.sources == COPIES
    assert examples.references == REFERENCE_LISTS
    assert [*examples.systems] == ["samples_asset"]


def test_inspect_logs_are_the_same_as_json():
    given.write("log.json", logs._load_eval(ONE))
    assert columns(read("log.json")) == columns(read(ONE))


def test_inspect_logs_are_the_same_without_the_package(monkeypatch):
    pytest.importorskip("inspect_ai")
    expected = [columns(read(log)) for log in (ONE, EPOCHS)]
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert [columns(read(log)) for log in (ONE, EPOCHS)] == expected


def test_the_last_messages_of_chats_are_source_and_output(capsys):
    rows = [chat(*texts) | {"references": texts[1]} for texts in zip(COPIES, OUTPUTS, strict=True)]
    examples = read(write("chats.jsonl", rows))
    assert examples.sources == COPIES
    assert outputs(examples) == {"chats": OUTPUTS}
    part = {"type": "text", "text": "He left."}
    rows[1]["messages"][2]["content"] = [part, {"type": "image_url"}]
    assert outputs(read(write("parts.jsonl", rows)))["parts"][1] == "He left."


def test_batch_outputs_are_joined_by_custom_id(capsys):
    write("gold.jsonl", [{"id": n, "source": n, "references": [n]} for n in ("a", "b", "c")])
    failed = {"custom_id": "c", "response": None, "error": {"code": "batch_expired"}}
    batch = System(write("batch.jsonl", [answer("b", "B"), answer("a", "A"), failed]))
    examples = read("gold.jsonl", systems=[batch], missing="skip")
    assert outputs(examples) == {"gpt-4o-mini": ["A", "B"]}
    assert "1 of 3 requests failed, the first 'c'" in capsys.readouterr().err
    Path("source.txt").write_text("a\nb\n", encoding="utf-8")
    with pytest.raises(InputError, match="batch outputs are in any order: expected sources in a"):
        reading.read({"x": [SOURCES]}, sources="source.txt", systems=[batch])


CHOICE = {"message": {"content": "p"}}


@pytest.mark.parametrize(
    "row",
    [
        chat("s", "p") | {"finish_reason": "length"},
        chat("s", "p") | {"stop_reason": "max_tokens"},
        answer("a", "p", choices=[CHOICE | {"finish_reason": "length"}]),
        answer("a", "p", incomplete_details={"reason": "max_output_tokens"}),
        {"prediction": "p", "finish_reason": "length"},
    ],
)
def test_outputs_that_were_cut_are_told_with_the_first(row, capsys):
    whole = answer("a", "p") if "response" in row else {**row, "finish_reason": "stop"}
    whole.pop("stop_reason", None)
    reading.read({"x": [PREDICTIONS]}, data=write("log.jsonl", [whole, row, row]), ids=[])
    said = "log.jsonl: 2 of 3 outputs were cut at the limit of tokens, the first in line 2\n"
    assert said in capsys.readouterr().err


def test_a_cut_output_of_inspect_is_told(capsys):
    log = logs._load_eval(ONE)
    log["samples"][2]["output"]["choices"][0]["stop_reason"] = "max_tokens"
    given.write("log.json", log)
    read("log.json")
    assert "1 of 3 outputs were cut at the limit of tokens, the first in sample 3" in (
        capsys.readouterr().err
    )


def test_a_request_that_failed_before_it_succeeded_has_its_output():
    write("gold.jsonl", [{"id": "a", "source": "a", "references": ["a"]}])
    rows = [{"custom_id": "a", "response": None, "error": {"code": "expired"}}, answer("a", "A")]
    examples = read("gold.jsonl", systems=[System(write("batch.jsonl", rows))])
    assert outputs(examples) == {"gpt-4o-mini": ["A"]}


def test_each_model_of_a_file_of_chats_is_a_system():
    rows = [
        chat(source, output) | {"references": [source], "model": model}
        for model, texts in (("a/b", OUTPUTS), ("c", COPIES))
        for source, output in zip(COPIES, texts, strict=True)
    ]
    assert outputs(read(write("chats.jsonl", rows))) == {"a/b": OUTPUTS, "c": COPIES}


def test_an_example_in_the_prompt_is_no_output():
    rows = [chat("s", "p") | {"references": ["r"]} for _ in range(2)]
    rows[1]["messages"].append({"role": "user", "content": "asked, not answered"})
    with pytest.raises(InputError, match=r"line 2: \.messages: expected a text or messages"):
        read(write("chats.jsonl", rows))


def test_logs_whose_ids_name_other_sources_are_not_joined():
    log = logs._load_eval(ONE)
    for sample, source in zip(log["samples"], COPIES[::-1], strict=True):
        sample["metadata"]["source"] = sample["input"] = source
    given.write("out/2026-01-02T03-04-05+00-00_asset_a.json", log | {"eval": {"model": "other"}})
    shutil.copy(ONE, "out")
    with pytest.raises(InputError, match="expected ids that belong to the same sources"):
        read("out")


def test_a_table_with_predictions_is_no_log():
    rows = [chat("s", "p") | {"source": "s", "prediction": "q", "references": ["r"]}]
    assert outputs(read(write("table.jsonl", rows))) == {"table": ["q"]}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([chat("s", "p"), {"messages": []}], "table.jsonl, line 2: .messages: expected a text or "),
        ([{"doc_id": 0, "doc": {}, "resps": [[[-1.5, False]]]}], "line 1: .resps: expected a text"),
        ([answer("a", "", error={"code": 1})], "expected outputs, but all 1 requests failed"),
        ([answer("a", "p"), answer("b", None)], "line 2: .response.body.choices.0.message.content"),
    ],
)
def test_what_is_wrong_with_outputs_of_a_log_is_told(rows, message):
    with pytest.raises(InputError, match=message):
        reading.read({"x": [PREDICTIONS]}, data=write("table.jsonl", rows))


def test_the_error_for_unknown_fields_lists_all():
    rows = [{"doc_id": 0, "doc": {"easy": "s"}, "resps": [["p"]]}]
    with pytest.raises(InputError, match=r"no column 'source'.*'\.doc\.easy'"):
        read(write("table.jsonl", rows))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"samples": None, "status": "started"}, "expected samples, got none; its status is star"),
        ({"samples": [{"id": 1}]}, "log.json, sample 1: expected the fields 'epoch', 'id', 'in"),
        ({"samples": [SAMPLE, SAMPLE]}, "log.json, sample 2: an earlier one has its id 's0'"),
        ({"samples": [3]}, "log.json, sample 1: expected the fields .*, got int 3"),
    ],
)
def test_what_is_wrong_with_an_inspect_log_is_told(change, message):
    given.write("log.json", {"eval": {}, **change})
    with pytest.raises(InputError, match=message):
        read("log.json")


def test_a_log_that_was_cancelled_is_noted(capsys):
    log = logs._load_eval(ONE) | {"status": "cancelled"}
    log["samples"].pop()
    given.write("log.json", log)
    assert read("log.json").sources == COPIES[:2]
    assert "log.json: its status is cancelled; it has 2 samples" in capsys.readouterr().err


def test_a_failed_sample_is_an_error():
    log = logs._load_eval(ONE)
    log["samples"][1]["error"] = {"message": "no answer"}
    given.write("log.json", log)
    with pytest.raises(InputError, match=r"sample 2 \('s1'\) has no output.*: no answer; `inspect"):
        read("log.json")


def test_a_file_that_is_no_zip_and_logs_of_several_tasks_are_errors():
    Path("broken.eval").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"broken\.eval: expected an inspect-ai log that ended"):
        read("broken.eval")
    with pytest.raises(InputError, match="no such file"):
        read("absent.eval")
    several = re.escape("has logs of several tasks, 'asset_multi', 'asset_tiny'")
    with pytest.raises(InputError, match=several):
        read(TINY.parent)


def test_commands_read_logs(succeed):
    shutil.copytree(ONE.parent, "out")
    assert succeed("score -b -d out").stdout.split() == ["71.38", "9.93"]
    assert "no problems" in succeed("check -d out").stdout
    assert succeed("compare -d out --json").exit_code == 0
    assert "71.38" in succeed(f"explain -m sari -d out/{ONE.name} 71.38").stdout
    succeed("report -d out -o report.html --examples 1 --resamples 20")
    assert "mockllm/other" in Path("report.html").read_text("utf-8")
