"""EASSE's modules and functions, as code that imports EASSE uses them."""

import importlib
import inspect

import numpy as np
import pytest

from tests import pinned
from tests.given import lines, rows
from tests.project import EXAMPLES
from textsimp import InputError
from textsimp.easse import bertscore, cli, report, samsa
from textsimp.easse.bleu import corpus_averaged_sentence_bleu, sentence_bleu
from textsimp.easse.sari import corpus_sari, get_corpus_sari_operation_scores, sentence_sari

OF_EASSE = [line for line in rows(pinned.GOLDENS / "programs.jsonl") if line["program"] == "EASSE"]
MODULES = {"corpus_sari": "sari", "corpus_bleu": "bleu", "corpus_f1_token": "compression"}
FILES = {
    "sys_sents_path": EXAMPLES / "systems" / "splitter.txt",
    "orig_sents_path": EXAMPLES / "source.txt",
    "refs_sents_paths": [EXAMPLES / "references" / f"{i}.txt" for i in range(3)],
}
MISSING = {
    "sari": ("compute_ngram_stats", "textsimp.Sari"),
    "quality_estimation": ("count_splits", "textsimp.SimplificationStats"),
    "samsa": ("ucca_parse", "textsimp.Samsa"),
    "annotation.word_level": ("WordOperationAnnotator", r"textsimp.WordTransformations\('easse20"),
    "report": ("write_multiple_systems_html_report", "textsimp.report.write"),
    "utils.resources": ("get_system_outputs_dir", "textsimp hub datasets and textsimp hub outputs"),
}


@pytest.fixture(scope="module")
def texts():
    """Sources, outputs and references of the example corpus, in EASSE's form."""
    outputs = cli.get_sys_sents("custom", FILES["sys_sents_path"])
    paths = FILES["orig_sents_path"], FILES["refs_sents_paths"]
    sources, references = cli.get_orig_and_refs_sents("custom", *paths)
    return sources, outputs, references


@pytest.mark.parametrize("line", OF_EASSE, ids=[f"{x['metric']} {x['system']}" for x in OF_EASSE])
def test_functions_return_what_easse_prints(line, texts):
    sources, _, references = texts
    module = importlib.import_module(f"textsimp.easse.{MODULES[line['function']]}")
    function = getattr(module, line["function"])
    systems = {"source unchanged": sources, **pinned.columns(line["corpus"])["systems"]}
    columns = {"sys_sents": systems[line["system"]], "refs_sents": references}
    if "orig_sents" in inspect.signature(function).parameters:
        columns["orig_sents"] = sources
    printed = next(iter(line["scores"].values()))
    assert function(**columns, **line["options"]) == pytest.approx(printed, abs=1e-9)
    if line["function"] == "corpus_sari":
        found = get_corpus_sari_operation_scores(**columns, **line["options"])
        expected = [line["scores"][name] for name in ("add", "keep", "delete")]
        assert isinstance(found, tuple)
        assert found == pytest.approx(expected, abs=1e-9)


def test_the_score_of_a_sentence_is_that_of_a_corpus_of_one(texts):
    sources, outputs = (column[:1] for column in texts[:2])
    refs = [sents[0] for sents in texts[2]]
    references = [[ref] for ref in refs]
    assert sentence_sari(sources[0], outputs[0], refs) == corpus_sari(sources, outputs, references)
    averaged = corpus_averaged_sentence_bleu(outputs, references)
    assert sentence_bleu(outputs[0], refs) == averaged


def test_sentence_bleu_is_sacrebleus_with_floor(texts):
    from sacrebleu import sentence_bleu as by_sacrebleu

    _, outputs, references = texts
    expected = [
        by_sacrebleu(output, refs, smooth_method="floor").score
        for output, *refs in zip(outputs, *references, strict=True)
    ]
    found = corpus_averaged_sentence_bleu(outputs, references)
    assert found == pytest.approx(np.mean(expected), abs=1e-9)


@pytest.mark.parametrize(("module", "missing"), MISSING.items())
def test_the_import_of_a_missing_name_says_what_to_use(module, missing):
    name, substitute = missing
    with pytest.raises(
        ImportError, match=rf"^textsimp has no easse\.{module}\.{name}: use {substitute}"
    ):
        exec(f"from textsimp.easse.{module} import {name}")


def test_a_missing_module_says_where_functions_are_listed():
    with pytest.raises(
        ImportError, match=r"^textsimp has no easse\.aligner: use a function that docs"
    ):
        exec("from textsimp.easse import aligner")


def test_evaluate_has_the_keys_of_easses_command(texts):
    metrics = ["bleu", "sari", "fkgl", "sent_bleu", "f1_token", "sari_by_operation", "sari_legacy"]
    found = cli.evaluate_system_output("custom", **FILES, metrics=metrics, quality_estimation=True)
    names = "bleu sent_bleu sari sari_legacy sari_add sari_keep sari_del fkgl f1_token"
    assert [*found] == [*names.split(), "quality_estimation"]
    assert found["sari"] == pytest.approx(corpus_sari(*texts), abs=1e-9)
    assert found["sari_legacy"] == pytest.approx(corpus_sari(*texts, legacy=True), abs=1e-9)
    assert "Compression ratio" in found["quality_estimation"]


def test_paths_of_references_may_be_a_text_with_commas(texts):
    paths = ",".join(map(str, FILES["refs_sents_paths"]))
    _, references = cli.get_orig_and_refs_sents("custom", FILES["orig_sents_path"], paths)
    assert references == texts[2]


def test_a_test_set_may_be_a_folder(texts, monkeypatch, tmp_path):
    monkeypatch.chdir(EXAMPLES.parent)
    found = cli.evaluate_system_output("examples", FILES["sys_sents_path"])
    assert found == cli.evaluate_system_output("custom", **FILES)
    assert [*found] == report.DEFAULT_METRICS


def test_all_scores_have_capital_names_and_features(texts):
    found = report.get_all_scores(*texts, lowercase=True)
    assert [*found][:4] == ["BLEU", "SARI", "FKGL", "Compression ratio"]
    assert found["SARI"] == pytest.approx(corpus_sari(*texts), abs=1e-9)


def test_the_report_is_ours(tmp_path, monkeypatch):
    pytest.importorskip("jinja2")
    monkeypatch.chdir(tmp_path)
    cli.report("custom", **FILES, metrics=["sari", "sari_by_operation", "fkgl"])
    assert "Test set: custom" in (tmp_path / "easse_report.html").read_text(encoding="utf-8")


def test_samsa_is_of_parses_that_the_caller_has():
    names = ("source.txt", "systems/splitter.txt", "passages.mrp")
    sources, outputs, passages = (lines(f"parses/{name}") for name in names)
    each = samsa.get_samsa_sentence_scores(sources, outputs, passages=passages)
    assert samsa.corpus_samsa(sources, outputs, passages=passages) == np.mean(each)
    assert len(each) == len(sources)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: samsa.corpus_samsa(["a"], ["a"]), "passages: expected UCCA parses of the sources"),
        (
            lambda: corpus_sari(["a", "b"], ["a", "b"], [["a", "b"], ["c"]]),
            "refs_sents: expected lists of all sentences, a list per reference",
        ),
        (lambda: corpus_sari(["a", "b"], ["a", "b"], [["a"], ["b"]]), "refs_sents: expected lists"),
        (lambda: corpus_sari(["a"], ["a"], [iter(["a"])]), "refs_sents: expected lists of all"),
        (lambda: cli.evaluate_system_output("custom"), "test_set='custom': expected orig_sents"),
        (
            lambda: cli.evaluate_system_output("custom", **FILES, analysis=True),
            "analysis: expected False; use textsimp.WordTransformations",
        ),
        (
            lambda: cli.evaluate_system_output("custom", **FILES, metrics=["star"]),
            "metrics: expected one of 'bleu', ",
        ),
    ],
)
def test_what_is_lacking_is_said(call, message, monkeypatch):
    monkeypatch.setattr(cli, "read_lines", lambda path: ["a"])
    with pytest.raises(InputError, match=f"^{message}"):
        call()


def test_bertscore_is_of_tokenised_texts_and_from_0_to_1(monkeypatch):
    class Metric:
        def __init__(self, model):
            assert model == "FacebookAI/roberta-large"

        preset = None

        def score(self, predictions, references, per_example):
            assert (predictions, references) == (["A cat ."], [["The cat ."]])
            return {f"{name}_per_example": [50] for name in ("precision", "recall", "bertscore")}

    Metric.preset = Metric
    monkeypatch.setattr(bertscore.catalogue, "metric_class", lambda name: Metric)
    assert bertscore.corpus_bertscore(["A cat."], [["The cat."]]) == (0.5, 0.5, 0.5)
