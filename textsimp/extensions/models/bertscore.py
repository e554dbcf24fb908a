"""BERTScore: how well the tokens of two texts match, by a pretrained model's vectors.

The numbers are those of the package ``bert-score`` of Zhang et al. (2020) times 100.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, MeanMetric, divide
from textsimp.core.option import Option, option
from textsimp.extensions.models.modelled import ModelMetric
from textsimp.extensions.models.networks import checkpoints
from textsimp.extensions.models.networks.inference import Floats32, TokenEncoder
from textsimp.extensions.models.networks.literature import LAYERS
from textsimp.metrics.aligned import SentenceMetric
from textsimp.support.errors import InputError

Prepared = tuple[bool, list[list[str]]]
"""Whether there are sources; references of each example, and its source. Vectors are made later."""


class _Text(NamedTuple):
    vectors: Floats32  # (tokens, d)
    norms: Floats32  # (tokens,)
    weights: Floats  # (tokens,) their sum is 1


@dataclass(frozen=True)
class BertScore(SentenceMetric, ModelMetric, MeanMetric):
    """BERTScore with the most similar reference, mean over examples; and with the source.

    Each token is matched with the most similar one of the other text, by the cosine of their
    vectors in a layer of the model. Precision is the mean over the output's tokens, recall that
    over the reference's, F1 their harmonic mean. Of several references the best counts, separately
    for each of the three. Scores are in percent; those of the package bert-score range from 0 to 1.

    With sources the outputs are also scored against them, which shows how much was kept.

    Special tokens may be matched but have no weight, unless a text has no others. A text without
    tokens scores 0 with any other.
    """

    name: ClassVar[str] = "bertscore"
    about: ClassVar[str] = "experimental: likeness to the references, by vectors of tokens"
    papers: ClassVar = ("zhang-etal-2020-bertscore",)
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES.optional)
    presets: ClassVar = {"zhang": Preset("as the authors' package bert-score")}
    characters_at_once: ClassVar = 2**17  # some 30,000 tokens, whose vectors are in memory together
    meaning: ClassVar = "bertscore_to_source"
    scores: ClassVar = (
        Score("bertscore", "BERTScore", "F1 with the references", None, better="higher"),
        Score(
            "precision",
            "BERTScore precision",
            "mean over the output's tokens of the likeness to a reference's",
            None,
            better="higher",
        ),
        Score(
            "recall",
            "BERTScore recall",
            "mean over a reference's tokens of the likeness to the output's",
            None,
            better="higher",
        ),
        Score("bertscore_to_source", "BERTScore to source", "F1 with the source", None),
        Score(
            "precision_to_source",
            "BERTScore precision to source",
            "how much of the output is like something in the source",
            None,
        ),
        Score(
            "recall_to_source",
            "BERTScore recall to source",
            "how much of the source is like something in the output",
            None,
        ),
    )

    layer: int | None = option(
        None,
        about="of the model, whose vectors are compared: 0 for its embeddings, 1 for its first; "
        "None for what the authors found best, for models that they have tried",
        least=0,
        most=1000,
        always=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._layer()

    def label(self, option: Option) -> Any:
        """The layer by its number."""
        return self._layer() if option.name == "layer" else super().label(option)

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """Those with the references, then those with the source, if these are there."""
        names = self.mean_names()
        return names[:3] * ("references" in shared) + names[3:] * ("sources" in shared) or names[:3]

    def prepare(self, sources: list[str] | None, references: list[list[str]] | None) -> Prepared:
        if references is None and sources is None:
            raise InputError("references: bertscore needs this column or sources, got none")
        rows = [[] for _ in sources or ()] if references is None else references
        if sources is not None:
            rows = [[*row, source] for row, source in zip(rows, sources, strict=True)]
        return sources is not None, rows

    def numbers(self, prepared: Prepared, predictions: list[str]) -> Floats:
        """Return (n, 6) F1, precision and recall with references and source, in percent."""
        with_sources, rows_of_others = prepared
        texts = self._texts(itertools.chain(predictions, *rows_of_others))
        rows = np.zeros((len(predictions), 6))
        for row, prediction, others in zip(rows, predictions, rows_of_others, strict=True):
            matches = _match(texts.get(prediction), [texts.get(other) for other in others])
            if with_sources:
                row[3:] = matches[-1]
                matches = matches[:-1]
            if len(matches):
                row[:3] = matches.max(axis=0)
        return 100 * rows

    def _texts(self, texts: Iterable[str]) -> dict[str, _Text]:
        """Each text that has tokens."""
        runner = checkpoints.load_once(self.pretrained, TokenEncoder, self._layer())
        special = {runner.tokenizer.cls_token_id, runner.tokenizer.sep_token_id}
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        encoded_texts = {}
        texts = map(str.strip, distinct)  # an empty one has no tokens but the special ones
        encoded = runner.encode([text and runner.prefix + text for text in texts])
        for text, tokens in zip(distinct, encoded, strict=True):
            if tokens.special.all():
                continue
            counted = np.array([token not in special for token in tokens.ids.tolist()])
            counted = counted if counted.any() else ~tokens.special
            norms = np.linalg.norm(tokens.vectors, axis=1)
            encoded_texts[text] = _Text(tokens.vectors, norms, counted / counted.sum())
        return encoded_texts

    def _layer(self) -> int:
        most = int(checkpoints.config(self.pretrained).num_hidden_layers)
        layer = self.layer
        if layer is None:
            name, _, _ = checkpoints.signed(self.pretrained).partition("@")
            layer = LAYERS.get(name.rpartition("/")[2])
        if layer is None or layer > most:
            raise InputError(
                f"layer: expected a number from 0 to {most} for {self.model!r}, got {layer}: "
                f"pass its last, layer={most}, if you know no better layer"
            )
        return layer


def _match(prediction: _Text | None, others: list[_Text | None]) -> Floats:
    """(others, 3) F1, precision and recall with each of them, 0 to 1."""
    scores = np.zeros((len(others), 3))
    present = [i for i, other in enumerate(others) if other is not None]
    if prediction is None or not present:
        return scores
    texts = [other for other in others if other is not None]
    sizes = [len(text.norms) for text in texts]
    starts = np.cumsum([0, *sizes[:-1]])
    similar = prediction.vectors @ np.concatenate([text.vectors for text in texts]).T
    similar /= prediction.norms[:, None] * np.concatenate([text.norms for text in texts])
    np.clip(similar, -1, 1, out=similar)  # what float32 is off by
    precision = prediction.weights @ np.maximum.reduceat(similar, starts, axis=1)
    weights = np.concatenate([text.weights for text in texts])
    recall = np.add.reduceat(weights * similar.max(axis=0), starts)
    f1 = divide(2 * precision * recall, precision + recall)
    scores[present] = np.column_stack([f1, precision, recall])
    return scores
