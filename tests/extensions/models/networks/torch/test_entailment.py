"""The metric entailment, with tiny random models."""

import json
import shutil

import numpy as np
import pytest

import textsimp
from tests.extensions.models.networks import tiny
from textsimp import Entailment, InputError
from textsimp.extensions.models.networks import checkpoints
from textsimp.extensions.models.networks.inference import Classifier

transformers = pytest.importorskip("transformers")
torch = pytest.importorskip("torch")

SOURCES = ["A cat sat on the mat. It rained.", "Dogs ran, and we left.", "", "It was big."]
OUTPUTS = ["A cat sat. It rained.", "Dogs ran. We left.", "It was very small.", ""]
COLUMNS = {"sources": SOURCES, "predictions": OUTPUTS}


@pytest.fixture(scope="session")
def nli(tmp_path_factory):
    """A folder with a random classifier of pairs."""
    return tiny.bert(
        tmp_path_factory.mktemp("models") / "nli", ["ENTAILMENT", "NEUTRAL", "CONTRADICTION"]
    )


@pytest.fixture
def relabelled(nli, tmp_path):
    """Makes the same model with other names of its labels."""

    def make(*names):
        folder = tmp_path / "-".join(names)
        shutil.copytree(nli, folder)
        labels = {str(i): name for i, name in enumerate(names)}
        tiny.change(folder, "config.json", id2label=labels)
        return folder

    return make


def by_hand(folder, premise, hypothesis):
    """The probabilities of a pair, in percent."""
    shares = torch.softmax(tiny.logits(folder, premise, hypothesis).double(), 0)
    found = (100 * shares).tolist()
    return found


def test_one_sentence_each_is_plain_inference(nli):
    source, output = "Dogs ran, and we left.", "We left."
    found = Entailment(model=str(nli)).score(sources=[source], predictions=[output])
    supported, _, contradicted = by_hand(nli, source, output)
    back, _, _ = by_hand(nli, output, source)
    assert found["supported"] == pytest.approx(supported, abs=2e-3)
    assert found["contradicted"] == pytest.approx(contradicted, abs=2e-3)
    assert found["missing"] == pytest.approx(100 - back, abs=2e-3)


def test_details_are_sentences_with_their_percentages(nli):
    found = Entailment(model=str(nli)).score(**COLUMNS, per_example=True)
    assert found["source_sentences_per_example"][0] == ["A cat sat on the mat.", "It rained."]
    assert found["sentences_per_example"][0] == ["A cat sat.", "It rained."]
    for name in ("supported", "contradicted"):
        for i, shares in enumerate(found[f"sentences_{name}_per_example"]):
            assert len(shares) == len(found["sentences_per_example"][i])
            mean = np.mean(shares) if shares else 0
            assert found[f"{name}_per_example"][i] == pytest.approx(mean)
    json.dumps(found.to_dict())


def test_labels_may_be_in_any_order_and_be_given(nli, relabelled):
    def scores(folder, **options):
        found = Entailment(model=str(folder), **options).score(**COLUMNS)
        return [found["supported"], found["contradicted"], found["missing"]]

    expected = scores(nli)
    unnamed = relabelled("LABEL_0", "LABEL_1", "LABEL_2")
    assert scores(unnamed, labels="entailment/neutral/contradiction") == expected
    assert scores(nli, labels="contradiction/neutral/entailment") != expected
    swapped = relabelled("contradiction", "neutral", "entailment")
    assert scores(swapped) == scores(nli, labels="contradiction/neutral/entailment")


def test_labels_are_checked_before_anything_is_loaded(relabelled, monkeypatch):
    monkeypatch.setattr(checkpoints, "load", None)
    with pytest.raises(InputError):
        Entailment(model=str(relabelled("LABEL_0", "LABEL_1", "LABEL_2")))


def test_a_model_whose_config_is_broken_is_refused(nli, tmp_path):
    folder = tmp_path / "broken"
    shutil.copytree(nli, folder)
    for config in ("{", "[]", '{"id2label": {"a": "b"}}', '{"id2label": 3}', "\udc80"):
        (folder / "config.json").write_bytes(config.encode(errors="surrogateescape"))
        with pytest.raises(InputError):
            Entailment(model=str(folder))


def test_without_contradiction_there_is_none(tmp_path):
    folder = tiny.bert(tmp_path / "two", ["entailment", "not_entailment"])
    found = Entailment(model=str(folder)).score(**COLUMNS, per_example=True, confidence=0.9)
    assert [*found.predictions] == ["supported", "missing"]
    assert not [name for name in found if "contradicted" in name]
    expected = by_hand(folder, SOURCES[1], "Dogs ran.")[0]
    assert found["sentences_supported_per_example"][1][0] == pytest.approx(expected, abs=2e-3)


def test_a_pair_is_asked_once_however_many_systems_and_times(nli, monkeypatch):
    asked = []
    tokenize = Classifier._tokenize

    def listen(self, texts, **options):
        asked.extend(texts)
        return tokenize(self, texts, **options)

    monkeypatch.setattr(Classifier, "_tokenize", listen)
    systems = {"a": OUTPUTS, "b": OUTPUTS[:2] + SOURCES[2:]}
    metric = Entailment(model=str(nli))
    result = textsimp.score(systems, metrics=[metric], sources=SOURCES)
    assert len(asked) == len(set(asked)) > 0
    before = len(asked)
    again = metric.score(**COLUMNS, per_example=True)
    assert len(asked) == before
    assert again["supported"] == result["a"]["entailment"]["supported"]


def test_the_signature_names_model_and_options(nli):
    labels = "entailment/neutral/contradiction"
    metric = Entailment(model=str(nli), labels=labels, splitter="simple-token")
    digest = checkpoints.compute_digest(nli)[:12]
    assert f"|model:nli@{digest}|" in metric.signature()
    assert "|labels:entailment-neutral-contradiction|splitter:simple-token|" in metric.signature()
