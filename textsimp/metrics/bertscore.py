"""BERTScore: how well the tokens of two texts match, by a pretrained model's vectors.

The numbers are those of the package ``bert-score`` of Zhang et al. (2020) times 100.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd  # type: ignore[import-untyped]

from textsimp.core.columns import as_number
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score, option
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, MeanMetric, divide
from textsimp.metrics.modelled import ModelMetric
from textsimp.support.arguments import Option
from textsimp.support.errors import InputError, listed
from textsimp.text.models import checkpoints
from textsimp.text.models.inference import Encoder, Floats32, encoder
from textsimp.text.models.literature import LAYERS

_CHARACTERS_AT_ONCE = 2**17  # some 30,000 tokens, whose vectors are in memory together
_HEADER = ["LAYER", "P", "R", "F"]


class BertScoreReferences(NamedTuple):
    """The texts that outputs are compared with. Vectors, which are large, are made later."""

    sources: list[str] | None
    references: list[list[str]]
    weights: Floats
    """(vocabulary,) what a token weighs."""


class _Text(NamedTuple):
    vectors: Floats32  # (tokens, d)
    norms: Floats32  # (tokens,)
    weights: Floats  # (tokens,) their sum is 1


@dataclass(frozen=True)
class BertScore(ModelMetric, MeanMetric):
    """BERTScore with the most similar reference, mean over examples; and with the source.

    Each token is matched with the most similar one of the other text, by the cosine of their
    vectors in a layer of the model. Precision is the mean over the output's tokens, recall that
    over the reference's, F1 their harmonic mean. The best of several references counts, for each of
    the three by itself. Scores are in percent; those of the package bert-score range from 0 to 1.

    With sources the outputs are also scored against them, which shows how much was kept.

    Special tokens may be matched but have no weight. A text without tokens scores 0 with any other,
    before baselines are subtracted. If all tokens of a text have no weight, as with a single
    reference and ``idf``, they get equal weights.
    """

    name: ClassVar[str] = "bertscore"
    about: ClassVar[str] = "experimental: likeness to the references, by vectors of tokens"
    papers: ClassVar = ("zhang-etal-2020-bertscore",)
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES.optional)
    presets: ClassVar = {"zhang": Preset("as the authors' package bert-score")}
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
    idf: bool = option(
        False,
        about="weigh tokens by how few of the references have them",
        label=lambda on: "yes" if on else "no",
        always=True,
    )
    baseline: str | None = option(
        None,
        about="a file of bert-score's `rescale_baseline` for the model, with columns `LAYER,P,R,F`:"
        " a score of so much becomes 0",
        always=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._baseline(self._layer())
        # Not a field: whether rows depend on one another is no option of its own.
        object.__setattr__(self, "independent_rows", not self.idf)

    def label(self, option: Option) -> Any:
        """The layer by its number, the baseline by what is taken off."""
        if option.name == "layer":
            return self._layer()
        if option.name == "baseline":
            if self.baseline is None:
                return "no"
            return ",".join(f"{value:g}" for value in self._baseline(self._layer()))
        return super().label(option)

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """Those with the references, then those with the source, if these are there."""
        names = self.mean_names()
        return names[:3] * ("references" in shared) + names[3:] * ("sources" in shared) or names[:3]

    def slices(self, examples: Examples) -> list[slice]:
        """Few examples each, as vectors of tokens are large; `prepare_slices` sees to ``idf``."""
        return self.slice_by_size(examples, _CHARACTERS_AT_ONCE)

    def prepare_slices(self, examples: Examples) -> Iterator[tuple[slice, BertScoreReferences]]:
        """Slices of the examples; tokens weigh the same in all."""
        whole = self.prepare(examples.sources, examples.references)
        for rows in self.slices(examples):
            own = whole.sources and whole.sources[rows]
            yield rows, whole._replace(sources=own, references=whole.references[rows])

    def prepare(
        self, sources: list[str] | None, references: list[list[str]] | None
    ) -> BertScoreReferences:
        if references is None:
            if sources is None or self.idf:
                other = "with idf=True" if self.idf else "or sources"
                raise InputError(f"references: bertscore needs this column {other}, got none")
            references = [[] for _ in sources]
        runner = self._runner()
        tokenizer = runner.tokenizer
        if self.idf:
            texts = [*itertools.chain.from_iterable(references)]
            seen = np.ones(len(tokenizer))
            for ids in runner.ids([_prompt(runner, text) for text in texts]):
                seen[np.unique(np.array(ids, np.int64))] += 1
            return BertScoreReferences(sources, references, np.log((len(texts) + 1) / seen))
        weights = np.ones(len(tokenizer))
        special = [tokenizer.cls_token_id, tokenizer.sep_token_id]
        weights[[i for i in special if i is not None]] = 0
        return BertScoreReferences(sources, references, weights)

    def numbers(self, prepared: BertScoreReferences, predictions: list[str]) -> Floats:
        """Return (n, 6) F1, precision and recall with references and source, in percent."""
        sources, references, weights = prepared
        rows_of_others = [
            [*of_row, *([] if sources is None else [sources[i]])]
            for i, of_row in enumerate(references)
        ]
        texts = self._texts(weights, itertools.chain(predictions, *rows_of_others))
        rows = np.zeros((len(predictions), 6))
        for row, prediction, others in zip(rows, predictions, rows_of_others, strict=True):
            matches = _match(texts.get(prediction), [texts.get(other) for other in others])
            if sources is not None:
                row[3:] = matches[-1]
                matches = matches[:-1]
            if len(matches):
                row[:3] = matches.max(axis=0)
        precision, recall, f1 = self._baseline(self._layer())
        unlike: Floats = np.tile([f1, precision, recall], 2)
        return 100 * (rows - unlike) / (1 - unlike)

    def _texts(self, weights: Floats, texts: Iterable[str]) -> dict[str, _Text]:
        """Each text that has tokens."""
        runner = self._runner()
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        encoded_texts = {}
        encoded = runner.encode([_prompt(runner, text) for text in distinct])
        for text, one in zip(distinct, encoded, strict=True):
            own: Floats = weights[one.ids]
            if one.special.all():
                continue
            if not own.any():
                own = (~one.special).astype(np.float64)
            norms = np.linalg.norm(one.vectors, axis=1)
            encoded_texts[text] = _Text(one.vectors, norms, own / own.sum())
        return encoded_texts

    def _runner(self) -> Encoder:
        return encoder(self.run_as(self.model), self._layer())

    def _layer(self) -> int:
        pretrained = self.run_as(self.model)
        most = int(checkpoints.config(pretrained).num_hidden_layers)
        layer = self.layer
        if layer is None:
            layer = LAYERS.get(checkpoints.signed(pretrained).partition("@")[0].rpartition("/")[2])
        if layer is not None and layer <= most:
            return layer
        expected = f"layer: expected a layer from 0 to {most}"
        if self.layer is not None:
            raise InputError(f"{expected}, as {self.model} has, got {layer}")
        raise InputError(
            f"{expected}, as the authors of BERTScore have none for {self.model!r}: pass its last "
            f"one, layer={most}, if you know no better one"
        )

    def _baseline(self, layer: int) -> Floats:
        """(3,) precision, recall and F1 that unlike texts have; 0 without a file."""
        if self.baseline is None:
            return np.zeros(3)
        try:
            table = pd.read_csv(self.baseline, dtype=str, index_col=False)
        except (OSError, ValueError) as error:
            raise InputError(f"baseline: can't read {self.baseline}: {error}") from error
        if [*table] != _HEADER:
            raise InputError(
                f"baseline: expected columns {','.join(_HEADER)} in {self.baseline}, "
                f"got {','.join(table)}"
            )
        table = table.set_index("LAYER")
        row = table.loc[str(layer)] if str(layer) in table.index else []
        values = np.array([as_number(value) for value in row])
        if not len(values) or not (np.isfinite(values) & (values < 1)).all():
            raise InputError(
                f"baseline: expected three numbers below 1 for layer {layer} in {self.baseline}, "
                f"got {listed(row) or 'none'}"
            )
        return values


def _prompt(runner: Encoder, text: str) -> str:
    """A text as the model is to read it."""
    text = text.strip()
    return runner.prefix + text if text else text


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
