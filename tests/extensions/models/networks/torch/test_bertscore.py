"""BERTScore, held against the package bert-score on the same random models."""

import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extensions.models.networks import tiny
from textsimp import BertScore, InputError
from textsimp.easse.bertscore import get_bertscore_sentence_scores
from textsimp.extensions.models.networks import checkpoints, inference
from textsimp.extensions.models.networks.literature import LAYERS

transformers = pytest.importorskip("transformers")
torch = pytest.importorskip("torch")

KINDS = ("bert", "roberta", "distilbert", "albert", "t5")
NAMES = ("precision", "recall", "bertscore")
OLD = transformers.__version__.startswith("4.")
SOURCES = [
    "a small cat sat on the mat .",
    "dogs ran , and we left .",
    "it rained",
    "a very red house",
]
PREDICTIONS = [
    "the cat sat .",
    "dogs ran quickly and we left .",
    "it rained",
    "big cats bought a mat",
]
REFERENCES = [
    ["a cat sat on the mat .", "the dogs"],
    ["we left", "it rained very"],
    ["it rained"],
    ["small red house", "a big cats", "x"],
]
COLUMNS = {"predictions": PREDICTIONS, "references": REFERENCES}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Folders with random encoders."""
    folder = tmp_path_factory.mktemp("models")
    return {kind: tiny.encoder(kind, folder / kind) for kind in KINDS}


def by_package(folder, layer, **options):
    """What bert-score says of each example, in percent."""
    package = pytest.importorskip("bert_score")
    predictions = options.pop("predictions", PREDICTIONS)
    references = options.pop("references", REFERENCES)
    found = package.score(
        predictions,
        references,
        model_type=str(folder),
        num_layers=layer,
        nthreads=0,
        device="cpu",
        **options,
    )
    return {name: 100 * v.double().numpy() for name, v in zip(NAMES, found, strict=True)}


def rows(metric, **columns):
    found = metric.score(**(columns or COLUMNS), per_example=True)
    return {name: found[f"{name}_per_example"] for name in NAMES}


def assert_same(found, expected, within=1e-5):
    """Within so much where 1 is the most."""
    for name in NAMES:
        assert np.allclose(found[name], expected[name], rtol=0, atol=100 * within), name


# Against the package --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["bert", "distilbert", "albert", "t5"])
def test_it_is_what_the_package_says(models, kind):
    """Layers of T5 end with its norm, which hidden states of transformers lack."""
    for layer in (1, 2, 3) if kind == "t5" else (0, 2, 3):
        metric = BertScore(model=str(models[kind]), layer=layer)
        assert_same(rows(metric), by_package(models[kind], layer))


def test_easses_function_returns_shares_of_what_the_package_says(models):
    refs = [row[0] for row in REFERENCES]
    options = {"model": str(models["bert"]), "layer": 2}
    found = get_bertscore_sentence_scores(PREDICTIONS, [refs], **options)
    percent = {name: 100 * shares for name, shares in zip(NAMES, found, strict=True)}
    assert_same(percent, by_package(models["bert"], 2, references=[[ref] for ref in refs]))


def test_byte_pairs_are_read_with_a_space_first_as_by_the_package(models, tmp_path):
    """On transformers 5 the package's option for that does nothing: its tokenizer has to."""
    metric = BertScore(model=str(models["roberta"]), layer=2)
    spaced = models["roberta"]
    if not OLD:
        spaced = tmp_path / "roberta"
        shutil.copytree(models["roberta"], spaced)
        tiny.change(spaced, "tokenizer_config.json", add_prefix_space=True)
    columns = {"predictions": ["cat sat"], "references": ["mat cat sat"]}
    assert_same(rows(metric), by_package(spaced, 2))
    assert_same(rows(metric, **columns), by_package(spaced, 2, **columns))


@pytest.mark.skipif(not OLD, reason="bert-score can't read empty texts with transformers 5")
def test_empty_texts_are_what_they_are_in_the_package(bert):
    columns = {
        "predictions": ["", "the cat", "", " "],
        "references": [["the cat"], ["", "a mat"], [""], ["it rained", ""]],
    }
    metric = BertScore(model=str(bert), layer=2)
    assert_same(rows(metric, **columns), by_package(bert, 2, **columns))


def test_texts_longer_than_the_model_are_cut_as_by_the_package(bert):
    long = " ".join(["the cat sat on the mat and dogs ran very quickly ."] * 9)
    columns = {"predictions": [long, "a cat"], "references": [[long, "x"], [long]]}
    with pytest.warns(UserWarning, match="32 tokens"):
        found = rows(BertScore(model=str(bert), layer=2), **columns)
    assert_same(found, by_package(bert, 2, **columns))


WRITTEN = st.lists(st.sampled_from([*tiny.WORDS[:12], "[SEP]", "Ünknown"]), min_size=1, max_size=6)


@settings(max_examples=15)
@given(
    st.lists(st.tuples(WRITTEN, st.lists(WRITTEN, min_size=1, max_size=3)), min_size=2, max_size=5)
)
def test_it_is_what_the_package_says_of_any_texts(bert, examples):
    predictions = [" ".join(words) for words, _ in examples]
    references = [[" ".join(words) for words in several] for _, several in examples]
    columns = {"predictions": predictions, "references": references}
    expected = by_package(bert, 2, **columns)
    found = rows(BertScore(model=str(bert), layer=2), **columns)
    weighs = ~np.isnan(expected["precision"]) & ~np.isnan(expected["recall"])
    for name in NAMES:
        assert np.allclose(np.array(found[name])[weighs], expected[name][weighs], atol=1e-3)
        assert (np.array(found[name]) <= 100 + 1e-9).all()


# What it says of itself -----------------------------------------------------------------------


def test_with_sources_it_is_scored_against_them_too(bert):
    metric = BertScore(model=str(bert), layer=2)
    both = metric.score(sources=SOURCES, **COLUMNS, per_example=True)
    alone = metric.score(predictions=PREDICTIONS, references=SOURCES, per_example=True)
    for name in NAMES:
        expected = alone[f"{name}_per_example"]
        assert both[f"{name}_to_source_per_example"] == pytest.approx(expected, abs=1e-4)
        assert both[name] == pytest.approx(metric.score(**COLUMNS)[name], abs=1e-4)
    assert both.main.value == both["bertscore"]


def test_without_references_it_is_scored_against_sources_alone(bert):
    metric = BertScore(model=str(bert), layer=2)
    found = metric.score(sources=SOURCES, predictions=PREDICTIONS, per_example=True)
    both = metric.score(sources=SOURCES, **COLUMNS, per_example=True)
    assert list(found.predictions) == [f"{n}_to_source" for n in ("bertscore", *NAMES[:2])]
    for name in found.predictions:
        assert found[f"{name}_per_example"] == pytest.approx(both[f"{name}_per_example"], abs=1e-4)
    assert str(found).startswith("BERTScore to source ")
    assert not found.metric.scores[0].better


def test_it_needs_something_to_compare_with(bert):
    with pytest.raises(InputError):
        BertScore(model=str(bert), layer=2).score(predictions=PREDICTIONS)


def test_empty_texts_have_nothing_in_common(bert, models):
    columns = {
        "sources": ["", "a cat", "", "a cat"],
        "predictions": ["", "", "a cat", " \n"],
        "references": [[""], ["a cat"], ["", " "], ["", "a"]],
    }
    for folder in (bert, models["roberta"], models["t5"]):
        found = BertScore(model=str(folder), layer=2).score(**columns, per_example=True)
        for name in NAMES:
            assert found[f"{name}_per_example"] == [0, 0, 0, 0]
            assert found[f"{name}_to_source_per_example"] == [0, 0, 0, 0]


def test_it_is_the_same_for_any_batch_and_part(bert, monkeypatch):
    columns = {name: column * 5 for name, column in {**COLUMNS, "sources": SOURCES}.items()}
    whole = rows(BertScore(model=str(bert), layer=2), **columns)
    for batch_size in (1, 3):
        monkeypatch.setattr(BertScore, "characters_at_once", 50 * batch_size)
        metric = BertScore(model=str(bert), layer=2, batch_size=batch_size)
        assert len([*metric.prepare_slices(metric.check(**columns))]) > 5
        assert_same(rows(metric, **columns), whole)


def test_layers_above_are_not_computed(bert):
    for layer in (1, 3):
        runner = checkpoints.load_once(
            checkpoints.Pretrained(str(bert)), inference.TokenEncoder, layer
        )
        assert len(runner.model.encoder.layer) == layer


# Options --------------------------------------------------------------------------------------


def test_the_layer_is_the_published_one_by_name(bert, tmp_path):
    folder = tmp_path / "distilbert-base-uncased"
    tiny.bert(folder, num_hidden_layers=6)
    metric = BertScore(model=str(folder))
    assert "|layer:5|" in metric.signature()
    assert rows(metric) == rows(BertScore(model=str(folder), layer=5))


def test_a_model_without_a_published_layer_needs_one(bert, tmp_path):
    short = tiny.bert(tmp_path / "roberta-large")  # by name, but with three layers
    for options in ({"model": str(bert)}, {"model": str(bert), "layer": 4}, {"model": str(short)}):
        with pytest.raises(InputError):
            BertScore(**options)


def test_the_layer_and_weights_are_in_the_signature(bert):
    metric = BertScore(model=str(bert), layer=2)
    name = checkpoints.signed(metric.pretrained)
    assert metric.signature(REFERENCES).startswith(
        f"bertscore|variant:zhang|layer:2|model:{name}|dtype:float32|refs:1-3|"
    )


def test_published_layers_are_those_of_the_package():
    utils = pytest.importorskip("bert_score.utils")
    assert {name.rpartition("/")[2]: i for name, i in utils.model2layers.items()} == LAYERS
    assert len(LAYERS) == len(utils.model2layers)
