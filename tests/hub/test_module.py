"""What the modules promise to users of ``evaluate``."""

import copy
import doctest
import importlib
import inspect
import json
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import evaluate
import pytest
from datasets import Dataset, DownloadConfig

import textsimp
from tests.given import given_to
from textsimp import hub
from textsimp.core.metric import SCORE_OPTIONS, extra_required_columns
from textsimp.metrics.catalogue import METRICS, metric_class
from textsimp.metrics.description import FLAT_OPTIONS
from textsimp.support.errors import InputError

ROWS = {
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


def numbers(result):
    return {name: value for name, value in result.items() if name != "signature"}


@pytest.fixture(scope="module", params=hub.names())
def module(request):
    return textsimp.load(request.param, experiment_id="test_module")


@pytest.fixture
def rows(module):
    return given_to(module.metric_class, ROWS)


@pytest.fixture(scope="module")
def sari():
    return textsimp.load("sari", experiment_id="test_module")


def test_every_metric_has_a_module_and_every_module_a_metric():
    assert sorted(METRICS) == hub.names()


def test_a_module_scores_what_its_metric_scores(module, rows):
    metric = metric_class(module.name).preset()
    result = module.compute(**rows)
    assert result == metric.score(**rows)
    assert result["signature"].startswith(f"{module.name}|variant:")
    assert result["signature"].endswith(f"|v:{textsimp.__version__}")


def test_every_result_can_be_saved(module, rows, tmp_path):
    result = module.compute(**rows, per_example=True, confidence=0.9, resamples=20)
    file = evaluate.save(tmp_path / "result.json", **result)
    saved = json.loads(file.read_text())
    assert repr({name: saved[name] for name in result}) == repr({**result})  # plain; NaN too


def test_a_module_names_its_licence_code_and_papers(monkeypatch):
    monkeypatch.setattr("textsimp.support.addresses.CODE", "https://code.example/us")
    sari = textsimp.load("sari")
    assert sari.license == "Apache-2.0"
    assert sari.homepage == "https://code.example/us/blob/main/metrics/sari/README.md"
    assert sari.codebase_urls == ["https://code.example/us"]
    assert "https://aclanthology.org/Q16-1029" in sari.reference_urls


def test_a_stream_is_scored_by_its_batches(sari):
    stream = Dataset.from_dict(ROWS).to_iterable_dataset()
    shared = {name: ROWS[name] for name in ("sources", "references")}
    for call in (
        partial(sari.compute, **{**ROWS, "references": stream}),
        partial(textsimp.score, {"ours": stream}, **shared),
        partial(textsimp.score, stream, **shared),
    ):
        with pytest.raises(InputError, match=r"stream.*add_batch"):
            call()
    for batch in stream.batch(3):
        sari.add_batch(**batch)
    assert sari.compute() == sari.compute(**ROWS)


def test_combined_modules_share_one_call():
    alike = [name for name in hub.names() if not extra_required_columns(metric_class(name))]
    modules = {name: textsimp.load(name) for name in alike}
    modules["sari_xu"] = textsimp.load("sari", "xu")
    combined = evaluate.combine(modules)
    at_once = combined.compute(**ROWS)
    for i in range(0, 4, 2):
        combined.add_batch(**{name: column[i : i + 2] for name, column in ROWS.items()})
    assert combined.compute() == at_once
    assert at_once["sari_xu_signature"].startswith("sari|variant:xu")


def halves_of(columns):
    return [{name: rows[i : i + 2] for name, rows in columns.items()} for i in (0, 2)]


def share(name, halves, folder):
    """What two modules return that share their examples as two processes do, in two threads."""

    def compute(process):
        options = {"num_process": 2, "process_id": process, "experiment_id": "shared"}
        module = textsimp.load(name, cache_dir=str(folder), **options)
        module.add_batch(**halves[process])
        return module.compute()

    with ThreadPoolExecutor(2) as pool:
        second = pool.submit(compute, 1)
        return compute(0), second.result()


@pytest.mark.parametrize(
    ("name", "columns"),
    [("sari", ROWS), ("fkgl_components", {"predictions": ROWS["predictions"]})],
    ids=["all columns", "without those that are optional"],
)
def test_processes_share_the_work(name, columns, tmp_path):
    first, second = share(name, halves_of(columns), tmp_path)
    assert second is None
    assert first == metric_class(name).preset().score(**columns)


def test_different_columns_of_processes_are_refused(tmp_path):
    halves = halves_of(ROWS)
    del halves[0]["sources"]
    with pytest.raises(InputError):
        share("fkgl_components", halves, tmp_path)
    assert not list(tmp_path.rglob("*.arrow"))  # the next evaluation finds nothing in its way


def test_options_given_at_loading_are_defaults_and_the_configuration_name_is_the_variant():
    options = {"per_example": True, "confidence": 0.8, "resamples": 7, "seed": 5}
    loaded = textsimp.load("sari", "xu", **options)
    sari = metric_class("sari")
    assert loaded.compute(**ROWS) == sari("xu").score(**ROWS, **options)
    others = {**options, "seed": 6}
    assert loaded.compute(**ROWS, variant="easse", seed=6) == sari().score(**ROWS, **others)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("seed", -1),
        ("confidence", 95),
        ("variant", "nonesuch"),
        ("varaint", "xu"),
        ("signature", "no"),
        ("lists", 0),
    ],
)
def test_bad_options_are_refused_when_a_module_is_loaded_and_when_it_computes(option, value, sari):
    for call in (partial(textsimp.load, "sari"), partial(sari.compute, **ROWS)):
        with pytest.raises(InputError, match=f"{option}(: |')"):
            call(**{option: value})
    with pytest.raises(InputError):
        textsimp.load("sari", config_name="xu", variant="easse")


def test_arguments_of_loaders_are_no_options():
    loaded = evaluate.load(
        str(hub.path("sari")),
        verification_mode="no_checks",
        trust_remote_code=True,
        download_mode="force_redownload",
        download_config=DownloadConfig(local_files_only=True),
        module_type="metric",
        revision="main",
        token=None,
    )
    assert loaded.compute(**ROWS) == metric_class("sari").preset().score(**ROWS)


def test_a_module_meets_the_contract_of_evaluates_own(module):
    parameters = inspect.signature(type(module)._compute).parameters.values()
    assert all(p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in parameters)
    script = sys.modules[type(module).__module__]
    assert evaluate.loading.import_main_class(script.__name__) is type(module)
    _needs(module)
    done = doctest.testmod(script)
    assert done.failed == 0
    assert done.attempted > 1


def _needs(module):
    """An example can't be run without the metric's extra."""
    if module.name == "word_difficulty":
        pytest.importorskip("wordfreq", reason="needs the extra languages")


def test_the_description_of_inputs_shows_what_is_computed(module):
    example = doctest.DocTestParser().get_doctest(
        module.inputs_description, {}, module.name, None, None
    )
    assert len(example.examples) > 1
    _needs(module)
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("method", ["compute", "_compute"])
def test_signatures_list_the_metrics_options(module, rows, method):
    metric = metric_class(module.name)
    parameters = dict(inspect.signature(getattr(module, method)).parameters)
    for column in metric.columns:
        assert parameters.pop(column.name).default is None
    assert list(parameters) == ["variant", *metric.option_names(), *SCORE_OPTIONS, *FLAT_OPTIONS]
    usual = {name: parameter.default for name, parameter in parameters.items()}
    assert module.compute(**rows, **usual) == module.compute(**rows)


def test_columns_as_evaluate_stores_them_can_be_scored_directly(module, rows):
    structured = [c.name for c in module.metric_class.columns if c.kind == "structured"]
    stored = {n: [*map(json.dumps, of)] if n in structured else of for n, of in rows.items()}
    assert module._compute(**stored) == module.compute(**rows)


def test_results_can_be_numbers_only(module, rows):
    only = {"signature": False, "lists": False, "confidence": 0.9, "per_example": True}
    result = module.compute(**rows, **only)
    assert {type(value) for value in result.values()} <= {int, float}
    everything = module.compute(**rows)
    assert result == {k: v for k, v in everything.items() if isinstance(v, (int, float))}
    assert module.compute(**rows, signature=False) == numbers(everything)


@pytest.mark.filterwarnings("ignore")  # SciPy's, of too few examples
def test_evaluates_own_bootstrap_works_on_numbers():
    loaded = textsimp.load("fkgl_components", signature=False, lists=False)
    inputs = {"predictions": ROWS["predictions"], "references": ROWS["references"]}
    inputs["references"] = [row[0] for row in inputs["references"]]
    evaluator = importlib.import_module("evaluate.evaluator.base").Evaluator
    found = evaluator._compute_confidence_interval(
        metric=loaded,
        metric_inputs=inputs,
        metric_keys=loaded.compute(**inputs).keys(),  # as it does
        n_resamples=9,
        random_state=0,
    )
    assert all(of_score["standard_error"] >= 0 for of_score in found.values())


def test_a_module_can_be_sent_to_another_process():
    loaded = textsimp.load("sari", "xu")
    expected = loaded.compute(**ROWS)
    assert pickle.loads(pickle.dumps(loaded)).compute(**ROWS) == expected
    assert copy.deepcopy(loaded).compute(**ROWS) == expected
