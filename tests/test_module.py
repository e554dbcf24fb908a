"""What the modules promise to users of ``evaluate``."""

from __future__ import annotations

import inspect
import json
import math
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest
from datasets import Dataset

import textsimp
from textsimp import hub
from textsimp.catalogue import METRICS, metric_class
from textsimp.columns import InputError
from textsimp.module import Module

ROWS: dict[str, list[Any]] = {
    "sources": [
        "The feline reclined on the mat .",
        "It rained , and we left .",
        "",
        "A b c d e f .",
    ],
    "predictions": ["The cat lay on the mat .", "It rained . We left .", "", "A b c ."],
    "references": [
        ["The cat lay on a mat ."],
        ["It rained . We left .", "We left ."],
        [""],
        ["A b ."],
    ],
}


def numbers(result: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in result.items() if name != "signature"}


@pytest.fixture(scope="module", params=hub.names())
def module(request: pytest.FixtureRequest) -> Any:
    return textsimp.load(request.param, experiment_id="test_module")


@pytest.fixture(scope="module")
def sari() -> Any:
    return textsimp.load("sari", experiment_id="test_module")


def test_every_metric_has_a_module_and_every_module_a_metric() -> None:
    assert sorted(METRICS) == hub.names()


def test_the_shared_class_is_abstract_so_that_it_is_never_the_one_loaded() -> None:
    assert inspect.isabstract(Module)


def test_a_module_scores_what_its_metric_scores(module: Any) -> None:
    metric = metric_class(module.name).preset()
    assert module.compute(**ROWS) == metric.score(**ROWS)


@pytest.mark.parametrize("name", sorted(METRICS))
def test_memory_is_bounded_without_changing_a_score(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variant in metric_class(name).presets:
        scorer = metric_class(name).preset(variant)
        with monkeypatch.context() as patch:
            whole = scorer.score(**ROWS, per_example=True)
            patch.setattr("textsimp.metric._CHARACTERS_AT_ONCE", 30)
            assert scorer.score(**ROWS, per_example=True) == whole


def test_a_module_names_itself_in_its_signature(module: Any) -> None:
    result = module.compute(**ROWS)
    assert result["signature"].startswith(f"{module.name}|variant:")
    assert result["signature"].endswith(f"|v:{textsimp.__version__}")


def test_batches_give_what_one_call_gives(module: Any) -> None:
    for i in range(0, 4, 3):
        module.add_batch(**{name: column[i : i + 3] for name, column in ROWS.items()})
    assert module.compute() == module.compute(**ROWS)


def test_single_examples_give_what_one_call_gives(module: Any) -> None:
    for source, prediction, reference in zip(*ROWS.values(), strict=True):
        module.add(source=source, prediction=prediction, reference=reference)
    assert module.compute() == module.compute(**ROWS)


def test_every_result_can_be_saved(module: Any, tmp_path: Path) -> None:
    result = module.compute(**ROWS, per_example=True, confidence=0.9, resamples=20)
    file = evaluate.save(tmp_path / "result.json", **result)
    saved = json.loads(file.read_text())
    assert {name: saved[name] for name in result} == result


def test_results_are_plain_numbers_none_of_them_nan(module: Any) -> None:
    def check(value: Any) -> None:
        if isinstance(value, (list, dict)):
            for part in value.values() if isinstance(value, dict) else value:
                check(part)
        else:
            assert type(value) in (int, float, str)
            assert not (isinstance(value, float) and math.isnan(value))

    check(module.compute(**ROWS, per_example=True, confidence=0.9, resamples=20))


def test_per_example_scores_are_the_scores_of_each_example_alone(module: Any) -> None:
    result = module.compute(**ROWS, per_example=True)
    for i in range(4):
        alone = numbers(
            module.compute(**{name: column[i : i + 1] for name, column in ROWS.items()})
        )
        for name, value in alone.items():
            assert result[f"{name}_per_example"][i] == pytest.approx(value, abs=1e-9), name


def test_intervals_hold_the_score_and_the_seed_decides_them(module: Any) -> None:
    result = module.compute(**ROWS, confidence=0.99, resamples=200, seed=3)
    again = module.compute(**ROWS, confidence=0.99, resamples=200, seed=3)
    assert result == again
    main = next(iter(result))
    low, high = result[f"{main}_interval"]
    assert low <= result[main] <= high


def test_an_unknown_option_is_told_with_those_there_are(module: Any) -> None:
    with pytest.raises(InputError, match=r"unknown option 'colour'.*'variant'.*'confidence'"):
        module.compute(**ROWS, colour="red")
    with pytest.raises(InputError, match="variant: expected one of"):
        module.compute(**ROWS, variant="nonesuch")
    with pytest.raises(InputError, match="confidence: expected a number between 0 and 1"):
        module.compute(**ROWS, confidence=95)


def test_an_error_leaves_nothing_behind(module: Any) -> None:
    with pytest.raises(InputError, match="row 1 of predictions"):
        module.compute(**{**ROWS, "predictions": ["a", None, "b", "c"]})
    with pytest.raises(InputError):
        module.compute(**ROWS, colour="red")
    assert len(module) == 0
    assert module.compute(**ROWS) == module.compute(**ROWS)


def test_compute_without_examples_is_an_error(module: Any) -> None:
    with pytest.raises(InputError, match="predictions: expected"):
        module.compute()


def test_options_given_at_loading_are_defaults() -> None:
    loaded = textsimp.load("sari", variant="xu")
    assert loaded.compute(**ROWS)["signature"].startswith("sari|variant:xu")
    assert loaded.compute(**ROWS, variant="easse")["signature"].startswith("sari|variant:easse")
    with pytest.raises(InputError, match="unknown option 'varaint'"):
        textsimp.load("sari", varaint="xu")


def test_the_configuration_name_is_the_variant() -> None:
    assert "variant:xu" in textsimp.load("sari", "xu").compute(**ROWS)["signature"]


def test_references_may_be_one_string_per_example(sari: Any) -> None:
    first = [row[0] for row in ROWS["references"]]
    wrapped = [[text] for text in first]
    assert sari.compute(**{**ROWS, "references": first}) == sari.compute(
        **{**ROWS, "references": wrapped}
    )


def test_columns_of_a_dataset_can_be_passed_on(sari: Any) -> None:
    dataset = Dataset.from_dict(ROWS)
    assert sari.compute(**{name: dataset[name] for name in ROWS}) == sari.compute(**ROWS)


def test_combined_modules_share_one_call() -> None:
    modules = {name: textsimp.load(name) for name in hub.names()}
    modules["sari_xu"] = textsimp.load("sari", "xu")
    combined = evaluate.combine(modules)
    at_once = combined.compute(**ROWS)
    for i in range(0, 4, 2):
        combined.add_batch(**{name: column[i : i + 2] for name, column in ROWS.items()})
    assert combined.compute() == at_once
    assert at_once["sari_xu_signature"].startswith("sari|variant:xu")


def test_prepared_references_are_found_by_their_strings(
    sari: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    original = sari.metric_class.prepare

    def prepare(self: Any, sources: Any, references: Any) -> Any:
        calls.append(1)
        return original(self, sources, references)

    monkeypatch.setattr(sari.metric_class, "prepare", prepare)
    rows = {**ROWS, "sources": ["One .", "Two .", "Three .", "Four ."]}
    first = sari.compute(**rows)
    assert sari.compute(**rows) == first
    assert len(calls) == 1
    sari.compute(**{**rows, "sources": ["One .", "Two .", "Three .", "Five ."]})
    assert len(calls) == 2
    assert sari.compute(**rows) == first
    assert len(calls) == 2


def test_scoring_leaves_the_random_state_alone(sari: Any) -> None:
    before = str(np.random.get_state())  # noqa: NPY002
    sari.compute(**ROWS, confidence=0.9, resamples=10)
    assert str(np.random.get_state()) == before  # noqa: NPY002


def test_processes_share_the_work(tmp_path: Path, sari: Any) -> None:
    code = """
    import json, sys, textsimp
    rows, process = json.loads(sys.argv[1]), int(sys.argv[2])
    module = textsimp.load(
        "sari", num_process=2, process_id=process, experiment_id="shared", cache_dir=sys.argv[3]
    )
    mine = slice(2 * process, 2 * process + 2)
    module.add_batch(**{name: column[mine] for name, column in rows.items()})
    print(json.dumps(module.compute()))
    """
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code), json.dumps(ROWS), str(i), str(tmp_path)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for i in range(2)
    ]
    first, second = (json.loads(process.communicate(timeout=120)[0]) for process in processes)
    assert second is None
    assert first == sari.compute(**ROWS)
