"""LENS and LENS-SALSA are those of lens-metric 0.2.0 (docs/extensions/models.md)."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

from textsimp import InputError, Lens, compare

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.filterwarnings("ignore:.*are longer than the:UserWarning")

GOLDENS = Path(__file__).with_name("lens")
TEXTS = json.loads((GOLDENS / "texts.json").read_text(encoding="utf-8"))
CASES = {
    f"{folder.name}-{i}": (folder.name, case)
    for folder in sorted(GOLDENS.glob("*/"))
    if folder.is_dir()
    for i, case in enumerate(json.loads((folder / "scores.json").read_text(encoding="utf-8")))
}


def change(folder, **settings):
    """Change hyper-parameters of a model."""
    path = folder / "hparams.yaml"
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **settings}))
    return folder


def near(expected):
    return pytest.approx(expected, rel=1e-5, abs=1e-4)


@pytest.fixture
def copy(tmp_path):
    """``copy(name)``: a copy of a model to change."""

    def make(name):
        return Path(shutil.copytree(GOLDENS / name, tmp_path / name))

    return make


def score(folder, rows=None, **options):
    texts = {
        name: column if rows is None else [column[i] for i in rows]
        for name, column in TEXTS.items()
    }
    return Lens(model=str(folder), **options).score(**texts, per_example=True)


@pytest.mark.parametrize("batch_size", [1, 64])
@pytest.mark.parametrize("name", CASES)
def test_scores_are_those_of_the_package(name, batch_size, copy):
    model, expected = CASES[name]
    folder = change(copy(model), **expected["changes"])
    found = score(folder, expected.get("rows"), batch_size=batch_size)
    assert found["lens_per_example"] == near(expected["scores"])
    assert found["lens"] == near(np.mean(expected["scores"]))
    if "rescaled" in expected:
        rescaled = score(folder, rescale=True)
        assert rescaled["lens_per_example"] == near(expected["rescaled"])


def test_the_best_reference_counts():
    texts = {"sources": ["a cat sat ."], "predictions": ["a cat ."]}
    metric = Lens(model=str(GOLDENS / "bert"))
    several = metric.score(**texts, references=[["dogs", "we left", "a cat"]])["lens"]
    alone = [
        metric.score(**texts, references=[[text]])["lens"] for text in ("dogs", "we left", "a cat")
    ]
    assert several == near(max(alone))


@pytest.mark.parametrize("model", ["bert", "salsa"])
def test_documents_are_scored_by_their_aligned_sentences(model):
    rows = [["a cat sat .", "dogs ran and we left ."], ["a cat .", "we left ."], ["cat .", "left"]]
    sources, outputs, references = rows
    folder = str(GOLDENS / model)
    document = Lens(
        model=folder,
        level="aligned",
        splitter=lambda text: text.split("\n"),
        aligner=lambda source, target: [(0, 0), (1, 1)],
    )
    columns = {"sources": ["\n".join(sources)], "predictions": ["\n".join(outputs)]}
    found = document.score(**columns, references=[["\n".join(references)]])["lens"]
    each = Lens(model=folder).score(
        sources=sources,
        predictions=outputs,
        references=[[text] for text in references],
        per_example=True,
    )["lens_per_example"]
    assert found == near((4 * each[0] + 6 * each[1]) / 10)  # by the words of the sources
    with pytest.raises(InputError):
        document.score(**columns)


def test_systems_are_compared_with_intervals_and_the_model_in_the_signature():
    systems = {"ours": TEXTS["predictions"], "copy": TEXTS["sources"]}
    others = {name: TEXTS[name] for name in ("sources", "references")}
    metric = Lens(model=str(GOLDENS / "roberta"))
    found = compare(systems, metric=metric, **others, resamples=50)["lens"]
    whole = metric.score(predictions=TEXTS["predictions"], **others)["lens"]
    assert found["systems"]["ours"]["lens"] == near(whole)
    assert "|rescale:no|model:roberta@" in found["signature"]
    assert metric.paper_keys() == ("maddela-etal-2023-lens",)


@pytest.mark.parametrize("model", ["bert", "salsa"])
def test_half_precision_is_near(model):
    half = score(GOLDENS / model, dtype="bfloat16")
    assert half["lens"] == pytest.approx(score(GOLDENS / model)["lens"], abs=5)
    assert "|dtype:bfloat16|" in half.signature


def test_salsa_needs_no_references_and_can_not_be_rescaled():
    salsa = str(GOLDENS / "salsa")
    texts = {"sources": ["a cat sat ."], "predictions": ["a cat ."]}
    alone = Lens(model=salsa).score(**texts)["lens"]
    assert Lens(model=salsa).score(**texts, references=[["dogs"]])["lens"] == alone
    assert Lens(model=salsa).paper_keys() == ("heineman-etal-2023-dancing",)
    with pytest.raises(InputError):
        Lens(model=salsa, rescale=True)
    with pytest.raises(InputError):
        Lens(model=str(GOLDENS / "bert")).score(**texts)


def test_an_output_and_source_that_are_too_long_together_are_cut():
    long = "a cat sat on the mat . " * 9
    scores = Lens(model=str(GOLDENS / "salsa")).score(
        sources=[long, long + "dogs ran"], predictions=[long, long], per_example=True
    )
    first, second = scores["lens_per_example"]
    assert first == near(second)


class Harmful:
    """Runs code when it is unpickled."""

    def __reduce__(self):
        return open, ("touched", "w")


def test_no_code_in_a_checkpoint_is_run(copy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = copy("bert")
    path = folder / "checkpoints" / "model.ckpt"
    torch.save({**torch.load(path, weights_only=True), "callbacks": Harmful()}, path)
    with pytest.raises(InputError):
        score(folder)
    assert not Path("touched").exists()


@pytest.mark.parametrize(
    ("model", "settings"),
    [
        ("bert", {"class_identifier": "other"}),
        ("bert", {"encoder_model": "XLM"}),
        ("bert", {"pool": "sum"}),
        ("bert", {"layer": 4}),
        ("bert", {"activations": "none"}),
        ("bert", {"pretrained_model": "no/encoder"}),
        ("bert", {"class_identifier": "unified_metric"}),
        ("unified", {"input_segments": ["mt", "ref"]}),
    ],
)
def test_a_model_that_can_not_be_run_is_refused(model, settings, copy):
    folder = change(copy(model), **settings)
    with pytest.raises(InputError):
        score(folder)


def test_a_checkpoint_that_lacks_weights_is_refused(copy):
    folder = copy("bert")
    path = folder / "checkpoints" / "model.ckpt"
    stored = torch.load(path, weights_only=True)
    for name in ("estimator.ff.3.bias", "encoder.model.embeddings.word_embeddings.weight"):
        kept = {n: w for n, w in stored["state_dict"].items() if n != name}
        torch.save({**stored, "state_dict": kept}, path)
        with pytest.raises(InputError, match=name.removeprefix("encoder.model.")):
            score(folder)
    path.unlink()
    with pytest.raises(InputError):
        score(folder)
