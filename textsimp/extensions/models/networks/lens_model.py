"""LENS and LENS-SALSA: checkpoints of the package ``lens-metric``, read and run without it.

Scores are those of lens-metric 0.2.0 (Apache-2.0). It passes some arguments to its base class in
another order, so two hyper-parameters don't do what they say: layers are mixed by softmax whatever
``layer_transformation`` is, and LENS normalises them if ``train_data`` isn't empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.extensions.models.networks import checkpoints, inference
from textsimp.extensions.models.networks.checkpoints import (
    CHECKPOINT,
    EXTRA,
    HYPERPARAMETERS,
    Pretrained,
)
from textsimp.extensions.models.networks.inference import Floats32
from textsimp.support.errors import check_choice
from textsimp.support.imports import require
from textsimp.support.yaml_parsing import parse_yaml

_SALSA = "unified_metric"  # the class of LENS-SALSA, which needs no references
_DEFAULTS: dict[str, dict[str, Any]] = {  # class → hyper-parameters
    "regression_metric_multi_ref": {"pool": "avg", "layer": "mix", "train_data": None},
    _SALSA: {
        "sent_layer": "mix",
        "layer_norm": True,
        "input_segments": ["mt", "src", "ref"],
        "word_level_training": False,
        "continuous_word_labels": False,
    },
}
_CHOICES = {
    "class_identifier": [*_DEFAULTS],
    "encoder_model": ["BERT", "RoBERTa"],
    "pool": ["avg", "max", "cls", "default"],
}
_ENCODER = "encoder.model."  # how the names of its weights begin
_FILES = ("*.json", "*.txt", "*.model")  # configuration and tokenizer of an encoder

Pair = tuple[str, str]
"""An output and its source."""


def is_salsa(pretrained: Pretrained) -> bool:
    """Return whether a model is one of LENS-SALSA, without loading it."""
    return bool(_read_settings(pretrained)["class_identifier"] == _SALSA)


class LensModel:
    """A model of LENS or LENS-SALSA. Texts are lowercased."""

    def __init__(self, pretrained: Pretrained, path: Path) -> None:
        torch, transformers = require("torch", EXTRA), require("transformers", EXTRA)
        self.pretrained, self.device = pretrained, checkpoints.choose_device(pretrained)
        weights, stored = _read_checkpoint(pretrained, path)
        self.settings = settings = _read_settings(pretrained, stored)
        folder, options = str(find_encoder(pretrained)), {"local_files_only": True}
        try:
            config = transformers.AutoConfig.from_pretrained(folder, **options)
            self._longest = int(config.max_position_embeddings) - 2
            self._reader = inference.Reader(pretrained, self._longest - 2)
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **options)
            model = transformers.AutoModel.from_config(config, add_pooling_layer=False)
            encoder = {n.removeprefix(_ENCODER): w for n, w in weights.items() if _ENCODER in n}
            missing = model.load_state_dict(encoder, strict=False).missing_keys
            if missing:
                raise ValueError(f"it has no weights {missing[0]}")
            self.model = model.to(self.device, getattr(torch, pretrained.dtype)).eval()
            head = {n: w for n, w in weights.items() if _ENCODER not in n}
            self._head = {n: w.to(self.device, torch.float32) for n, w in head.items()}
            names = [settings.get("activations", "Tanh"), settings.get("final_activation")]
            self._activations = [getattr(torch.nn, (n or "identity").title())() for n in names]
            salsa = settings["class_identifier"] == _SALSA
            words = salsa and settings["word_level_training"]
            tagged = words and not settings["continuous_word_labels"]
            tags = [*map(str, settings["span_tokens"])] if tagged else []
            source = settings["span_targets"][1] if words else "src"
            if salsa and source not in settings["input_segments"]:
                raise ValueError("it doesn't read sources")
            spans = [f"<{end}{tag}>" for tag in tags for end in ("", "/")]
            self.tokenizer.add_tokens(spans)
            spans_and_padding = [*spans, self.tokenizer.pad_token]
            self._dropped = {*self.tokenizer.convert_tokens_to_ids(spans_and_padding)}
            if salsa:
                self._ask_of_pairs([("a", "a")])  # fails without weights, or with too many
            else:
                self._estimate(*[self._ask_of_texts(["a"])] * 3)
        except Exception as error:  # of any kind, as a folder can hold anything
            raise checkpoints.not_loadable(pretrained, error) from error

    def estimate(
        self, sources: Sequence[str], outputs: Sequence[str], references: Sequence[str]
    ) -> Floats32:
        """Return what a model of LENS says of outputs, a number for each with its reference."""
        columns = (sources, outputs, references)
        return self._estimate(*(self._reader.read(texts, self._ask_of_texts) for texts in columns))

    def _estimate(self, *columns: Sequence[Any] | Floats32) -> Floats32:
        s, o, r = (np.array(vectors, np.float32) for vectors in columns)
        features = np.concatenate([s, o, r, o * r, abs(o - r), o * s, abs(o - s)], axis=1)
        numbers: Floats32 = self._regress(self._tensor(features)).cpu().numpy()
        return numbers

    def rate(self, pairs: Sequence[Pair]) -> list[float]:
        """Return what a model of LENS-SALSA says of outputs and their sources."""
        return self._reader.read(pairs, self._ask_of_pairs)

    def _ask_of_texts(self, texts: list[str]) -> Floats32:
        rows, pool = self._tokenize(texts), self.settings["pool"]
        ids, mask, states = self._run(rows, [len(row) for row in rows])
        kept = (ids != self.tokenizer.pad_token_id)[..., None]
        vectors = self._mix(states, mask, self.settings["layer"], self.settings["train_data"])
        if pool == "avg":
            vectors = (vectors * kept).sum(1) / mask.sum(1, keepdim=True)
        elif pool == "max":
            vectors = vectors.masked_fill(~kept, float("-inf")).amax(1)
        else:
            vectors = (vectors if pool == "cls" else states[-1].float())[:, 0]
        numbers: Floats32 = vectors.cpu().numpy()
        return numbers

    def _ask_of_pairs(self, pairs: list[Pair]) -> list[float]:
        outputs, sources = (self._tokenize([pair[side] for pair in pairs]) for side in (0, 1))
        between = self.tokenizer.num_special_tokens_to_add(pair=True) - 2
        rows, sizes = [], []
        for output, source in zip(outputs, sources, strict=True):
            first = [i for i in output if i not in self._dropped]
            second = [i for i in source if i not in self._dropped]
            row = [*first[:-1], *[self.tokenizer.sep_token_id] * between, *second[1:]]
            rows.append(row[: self._longest])
            sizes.append(len(first))
        _, mask, states = self._run(rows, sizes)
        mixed = self._mix(states, mask, self.settings["sent_layer"], self.settings["layer_norm"])
        numbers: list[float] = self._regress(mixed[:, 0]).tolist()
        return numbers

    def _tokenize(self, texts: list[str]) -> list[list[int]]:
        """Numbers of tokens; too long texts are cut."""
        longest = self._longest - 2
        lowercased = [text.lower() for text in texts]
        rows = self.tokenizer(lowercased, truncation=True, max_length=longest).encodings
        self._reader.count_cut(rows)
        return [row.ids for row in rows]

    def _run(self, rows: list[list[int]], sizes: list[int]) -> tuple[Any, Any, Any]:
        """Return (n, tokens) ids and mask of a batch, and the states of all layers.

        ``sizes`` are the numbers of tokens of first texts; BERT reads the others as second texts.
        """
        shape = (len(rows), max(map(len, rows)))
        ids = np.full(shape, self.tokenizer.pad_token_id)
        mask, types = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for i, (row, size) in enumerate(zip(rows, sizes, strict=True)):
            ids[i, : len(row)] = row
            mask[i, : len(row)] = 1
            types[i, size:] = 1
        batch = {"input_ids": self._tensor(ids), "attention_mask": self._tensor(mask)}
        if self.settings["encoder_model"] == "BERT":
            batch["token_type_ids"] = self._tensor(types)
        with require("torch", EXTRA).inference_mode():
            states = self.model(**batch, output_hidden_states=True).hidden_states
        inference.check_finite(self.pretrained, states[-1][:, 0].float().cpu().numpy())
        return batch["input_ids"], batch["attention_mask"], states

    def _mix(self, states: Any, mask: Any, layer: int | str, norm: Any) -> Any:
        """(n, tokens, d) of a layer; or "mix", of all, weighted by softmax, times γ."""
        if layer != "mix":
            return states[layer].float()
        name = "layerwise_attention"
        weights = [self._head[f"{name}.scalar_parameters.{i}"] for i in range(len(states))]
        shares = require("torch", EXTRA).cat(weights).softmax(0)
        layers = (_normalize(state.float(), mask) if norm else state.float() for state in states)
        mixed = sum(share * layer for share, layer in zip(shares, layers, strict=True))
        return self._head[f"{name}.gamma"] * mixed

    def _regress(self, features: Any) -> Any:
        """(n,) numbers of the estimator: linear layers, each with an activation."""
        linear = require("torch", EXTRA).nn.functional.linear
        prefix, suffix = "estimator.ff.", ".weight"
        names = [n for n in self._head if n.startswith(prefix) and n.endswith(suffix)]
        numbers = sorted(int(n.removeprefix(prefix).removesuffix(suffix)) for n in names)
        for i in numbers:
            weight, bias = (self._head[f"{prefix}{i}.{part}"] for part in ("weight", "bias"))
            activation = self._activations[i == numbers[-1]]
            features = activation(linear(features, weight, bias))
        return features[:, 0]

    def _tensor(self, array: Any) -> Any:
        return require("torch", EXTRA).tensor(array, device=self.device)


def _normalize(layer: Any, mask: Any) -> Any:
    """(n, tokens, d) with mean 0 and variance 1 over the tokens and dimensions of each text."""
    kept = mask[..., None]
    count = kept.sum((1, 2), keepdim=True) * layer.shape[-1]
    mean = (layer * kept).sum((1, 2), keepdim=True) / count
    variance = (((layer - mean) * kept) ** 2).sum((1, 2), keepdim=True) / count
    return (layer - mean) / (variance + 1e-12).sqrt()


def _read_settings(
    pretrained: Pretrained, stored: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Read the hyper-parameters of a model; those ``stored`` in its checkpoint fill the gaps."""
    path = checkpoints.folder(pretrained) / HYPERPARAMETERS
    try:
        settings = {**(stored or {}), **parse_yaml(path.read_bytes())}
        for name, choices in _CHOICES.items():
            check_choice(name, settings.get(name, choices[0]), choices)
        return {**_DEFAULTS[settings["class_identifier"]], **settings}
    except (OSError, ValueError, TypeError, KeyError) as error:
        message = f"{path} isn't of a LENS model: {checkpoints.first_line(error)}"
        raise pretrained.error(message) from error


def _read_checkpoint(pretrained: Pretrained, path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return weights and stored hyper-parameters of a checkpoint, of which nothing is run."""
    try:
        stored = require("torch", EXTRA).load(
            path / CHECKPOINT, map_location="cpu", weights_only=True
        )
        return dict(stored["state_dict"]), dict(stored.get("hyper_parameters", {}))
    except Exception as error:  # of any kind, as a file can hold anything
        raise checkpoints.not_loadable(pretrained, error) from error


def find_encoder(pretrained: Pretrained, *, download: bool = False) -> Path:
    """Return the folder of an encoder's configuration and tokenizer: a model's own, or cached."""
    name = str(_read_settings(pretrained).get("pretrained_model"))
    folder = checkpoints.folder(pretrained) / name
    if folder.is_dir():
        return folder
    encoder = replace(pretrained, model=name, revision=None, argument="the model's encoder")
    options = {"local_files_only": False, "allow_patterns": [*_FILES]} if download else {}
    return checkpoints.find_cached(encoder, **options)
