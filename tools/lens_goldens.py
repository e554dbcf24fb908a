"""Scores of tiny random models by the package lens-metric 0.2.0, for tests of the metric ``lens``.

It needs an environment of its own::

    python3.11 -m venv lens
    lens/bin/pip install lens-metric==0.2.0 'pandas<2' 'numpy<2' 'transformers<4.50' 'torch<2.6'
    lens/bin/python tools/lens_goldens.py

The package's own classes write the checkpoints to ``tests/text/models/torch/lens/``, a folder each
as on the Hub, and its own functions the scores to ``scores.json`` in each.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import torch
import transformers
import yaml
from lens.lens_score import LENS, LENS_SALSA
from lens.models import RegressionMetricMultiReference, UnifiedMetric, load_from_checkpoint
from pytorch_lightning import Trainer
from tokenizers import ByteLevelBPETokenizer

FOLDER = Path(__file__).parents[1] / "tests" / "text" / "models" / "torch" / "lens"
WORDS = "a cat sat on the mat . it rained dogs ran , and we left was big small red very house good"
SOURCES = [
    "The cat sat on the mat, and it rained.",
    "Dogs ran.",
    "a very very big red house was left , and we ran , and dogs sat on it . " * 3,
    "<good> a </good> cat [PAD] ran </s>",
    "ÉTÉ 2021: it rained!",
    "we left .",
]
OUTPUTS = ["The cat sat. It rained.", "dogs ran", SOURCES[2], "a CAT ran", "", "  we  left ."]
REFERENCES = [
    ["A cat sat on a mat.", "it rained ."],
    ["Dogs ran fast.", "dogs left .", "Dogs ran."],
    ["a big house . " * 12],
    ["a cat", "<pad> cat"],
    ["It rained in 2021.", ""],
    ["We left.", "left"],
]
COMMON: dict[str, Any] = {
    "nr_frozen_epochs": 0.3,
    "dropout": 0.15,
    "batch_size": 4,
    "hidden_sizes": [6, 5],
    "pretrained_model": "encoder",
    "validation_data": ["valid.csv"],
}
LENS_SETTINGS: dict[str, Any] = {**COMMON, "layer": "mix", "pool": "avg", "topk": 3}
SALSA_SETTINGS: dict[str, Any] = {
    **COMMON,
    "train_data": ["train.csv"],
    "sent_layer": "mix",
    "layer_transformation": "sparsemax",
    "input_segments": ["mt", "src"],
}
WORD_SETTINGS: dict[str, Any] = {
    **SALSA_SETTINGS,
    "encoder_model": "RoBERTa",
    "word_level_training": True,
    "word_layer": 1,
    "score_target": "lens_score",
    "input_segments": ["edited", "original"],
    "span_targets": ["edited", "original"],
    "span_tokens": ["good", "bad"],
    "word_weights": [0.2, 0.3, 0.5],
}
MODELS: dict[str, tuple[type, dict[str, Any]]] = {
    "bert": (RegressionMetricMultiReference, {**LENS_SETTINGS, "encoder_model": "BERT"}),
    "roberta": (
        RegressionMetricMultiReference,
        {**LENS_SETTINGS, "encoder_model": "RoBERTa", "train_data": ["train.csv"]},
    ),
    "unified": (UnifiedMetric, {**SALSA_SETTINGS, "encoder_model": "BERT", "layer_norm": False}),
    "salsa": (UnifiedMetric, WORD_SETTINGS),
}
CHANGES: dict[str, list[dict[str, Any]]] = {
    "bert": [{"pool": "max"}, {"pool": "cls", "layer": 1}, {"final_activation": "sigmoid"}],
    "roberta": [{"pool": "default"}, {"train_data": None}, {"pool": "max", "layer": 2}],
    "unified": [{"sent_layer": 2}, {"layer_norm": True}],
    "salsa": [{"word_layer": 2}],
}
"""Hyper-parameters that are scored with the same weights, too."""


def write_encoder(kind: str, folder: Path) -> None:
    """Write a tiny random encoder and its tokenizer."""
    folder.mkdir(parents=True)
    if kind == "BERT":
        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS.split(), "##s", "2021", ":"]
        (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
        size, config, cls = len(words), transformers.BertConfig, transformers.BertModel
        special = {}
        settings = {"tokenizer_class": "BertTokenizer", "do_lower_case": True}
    else:
        made = ByteLevelBPETokenizer()
        tokens = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
        made.train_from_iterator([WORDS] * 9, vocab_size=290, special_tokens=tokens)
        made.save_model(str(folder))
        size, config, cls = (
            made.get_vocab_size(),
            transformers.RobertaConfig,
            transformers.RobertaModel,
        )
        special = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
        settings = {"tokenizer_class": "RobertaTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    sizes = {"hidden_size": 8, "num_hidden_layers": 3, "num_attention_heads": 2}
    sizes |= {"intermediate_size": 8, "max_position_embeddings": 40, "vocab_size": size}
    cls(config(**sizes, **special, initializer_range=0.5)).save_pretrained(folder)


def write_model(name: str) -> None:
    """Write a checkpoint, and its hyper-parameters, as Lightning does."""
    cls, settings = MODELS[name]
    torch.manual_seed(len(name))
    write_encoder(settings["encoder_model"], Path("encoder"))
    model = cls(**settings)
    with torch.no_grad():
        for part, weight in model.named_parameters():
            if not part.startswith("encoder."):
                weight.add_(torch.randn_like(weight) * 0.5)
            elif "LayerNorm" in part:
                weight.add_(torch.randn_like(weight) * 0.1)
    trainer = Trainer(logger=False, accelerator="cpu", enable_checkpointing=True)
    trainer.strategy.connect(model)
    Path("checkpoints").mkdir()
    trainer.save_checkpoint("checkpoints/model.ckpt", weights_only=True)
    kind = "unified_metric" if cls is UnifiedMetric else "regression_metric_multi_ref"
    # Published ones don't name the data, which the checkpoint does.
    named = {name: value for name, value in settings.items() if not name.endswith("_data")}
    write_settings({**named, "class_identifier": kind})


def write_settings(settings: dict[str, Any]) -> None:
    """Write the hyper-parameters of the model in this folder."""
    Path("hparams.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")


def score() -> dict[str, Any]:
    """Return the scores of the model in this folder."""
    path, batch = "checkpoints/model.ckpt", {"batch_size": 4}
    model = load_from_checkpoint(path)
    if isinstance(model, RegressionMetricMultiReference):
        texts = SOURCES, OUTPUTS, REFERENCES
        return {
            "scores": LENS(path).score(*texts, **batch),
            "rescaled": LENS(path, rescale=True).score(*texts, **batch),
        }
    if not model.word_level:  # which LENS_SALSA can't score
        rows = [{"src": s.lower(), "mt": o.lower()} for s, o in zip(SOURCES, OUTPUTS, strict=True)]
        return {"scores": [100 * one for one in model.predict(rows, **batch).scores]}
    # The package fails where output and source together are too long.
    kept = [i for i in range(len(SOURCES)) if i != 2]
    texts = [[column[i] for i in kept] for column in (SOURCES, OUTPUTS)]
    scores, tags = LENS_SALSA(path).score(*texts, **batch)
    return {"rows": kept, "scores": scores, "tags": tags}


def main() -> None:
    """Write all models and scores."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    texts = {"sources": SOURCES, "predictions": OUTPUTS, "references": REFERENCES}
    write = {"ensure_ascii": False, "indent": 1}
    (FOLDER / "texts.json").write_text(json.dumps(texts, **write) + "\n", encoding="utf-8")
    for name in MODELS:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            write_model(name)
            settings = yaml.safe_load(Path("hparams.yaml").read_text(encoding="utf-8"))
            scores = [{"changes": {}, **score()}]
            for changes in CHANGES[name]:
                write_settings({**settings, **changes})
                scores.append({"changes": changes, **score()})
            write_settings(settings)
            Path("scores.json").write_text(json.dumps(scores, **write) + "\n", encoding="utf-8")
            for file in Path("encoder").glob("*.safetensors"):
                file.unlink()
            shutil.copytree(folder, FOLDER / name)
            os.chdir(FOLDER)


if __name__ == "__main__":
    main()
