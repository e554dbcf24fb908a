"""Scores at every evaluation of a ``Seq2SeqTrainer`` of ``transformers``.

Nothing is imported from ``transformers`` or ``torch``: the trainer hands over NumPy arrays.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textsimp.core import columns
from textsimp.core.examples import UNNAMED_SYSTEM, Examples, warn
from textsimp.core.metric import Metric, check_columns
from textsimp.hub.prepared_corpora import PreparedCorpora
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError, take_either

_MAX_DISPLACED_SHARE = 0.1  # of the rows whose text is in the column
_NO_LETTERS = re.compile(r"[\W_]+")
_Texts = list[str] | None


@take_either("metrics", "metric")
def make_compute_metrics(
    tokenizer: Any,
    metrics: catalogue.Metrics = ("sari",),
    sources: Any = None,
    references: Any = None,
    *,
    source_prefix: str = "",
    **options: Any,
) -> ComputeMetrics:
    """Make the ``compute_metrics`` of a ``Seq2SeqTrainer``.

    Set ``predict_with_generate=True`` in the training arguments. If you pass no sources, set
    ``include_for_metrics=["inputs"]`` too. ``docs/tools.md`` has a snippet to copy.

    Args:
        tokenizer: The model's tokenizer. It decodes predictions, labels and inputs.
        metrics: One or more metrics, as `textsimp.score` takes them.
        sources: The original texts, one per row of the evaluation set, in its order. By default
            the model's inputs are decoded, which are cut at the model's maximum length.
        references: One or more references per row. By default the labels are decoded: one
            reference each, cut as well.
        source_prefix: Prefix of every input, such as ``"simplify: "`` for T5. It is removed from
            decoded inputs, because it is no part of the source.
        **options: ``variant`` and other options, each of all metrics by name that have it. The
            option ``tokenizer`` stands behind the name: ``metrics="sari(tokenizer=none)"``.

    Returns:
        A function of ``transformers.EvalPrediction``. It returns the scores that are single
        numbers, as floats: ``sari``, ``add``, ``keep`` and ``delete`` for SARI. If several
        metrics report the same name, it stands after the metric: ``d_sari.add``, ``sari(xu).add``.
        Its attribute ``signatures`` says what was computed.
    """
    if not isinstance(source_prefix, str):
        raise InputError(f"source_prefix: expected a string, got {source_prefix!r}")
    chosen = catalogue.make_metrics(metrics, "metrics", options)
    check_columns(chosen.values(), "a Trainer")
    sources = None if sources is None else columns.texts(sources, "sources")
    references = None if references is None else columns.references(references)
    columns.check_lengths(sources=sources, references=references)
    return ComputeMetrics(tokenizer, chosen, sources, references, source_prefix.strip())


@dataclass(eq=False)
class ComputeMetrics:
    """The function that `make_compute_metrics` returns.

    Attributes:
        signatures: Metric → signature of its scores. It contains the number of references after
            the first evaluation, or at once if you passed references.
    """

    tokenizer: Any
    metrics: Mapping[str, Metric]
    sources: list[str] | None
    references: list[list[str]] | None
    source_prefix: str

    def __post_init__(self) -> None:
        # Without a padding token, the trainer pads with the token that ends a text.
        ids = (getattr(self.tokenizer, f"{name}_token_id", None) for name in ("pad", "eos"))
        self._pad: Any = next((i for i in ids if i is not None), None)
        if self._pad is None:
            raise InputError("tokenizer: expected one with a pad_token or eos_token, got neither")
        self.signatures = {
            name: metric.signature(self.references) for name, metric in self.metrics.items()
        }
        self._batches: list[tuple[_Texts, _Texts, _Texts]] = []  # of an evaluation that goes on
        self._prepared = {name: PreparedCorpora() for name in self.metrics}

    def __call__(self, evaluated: Any, compute_result: bool = True) -> dict[str, float]:
        """Score a ``transformers.EvalPrediction``.

        With ``batch_eval_metrics=True`` the trainer calls this once per batch, and sets
        ``compute_result`` with the last one. Before that the result is empty.
        """
        batches, self._batches = self._batches, []  # an error leaves none
        batches.append(self._read(evaluated))
        if not compute_result:
            self._batches = batches
            return {}
        predictions, labels, inputs = map(_join, zip(*batches, strict=True))
        assert predictions is not None  # no ids are an error
        return self._score(predictions, labels, inputs, evaluated)

    def _read(self, evaluated: Any) -> tuple[_Texts, _Texts, _Texts]:
        """Decode predictions, and as many labels and inputs; None where there are no token ids."""
        predictions = self._decode(evaluated.predictions)
        if predictions is None:
            raise InputError(
                f"predictions: expected token ids, got {_show(evaluated.predictions)}; "
                "set predict_with_generate=True in the Seq2SeqTrainingArguments"
            )
        if not predictions:
            raise InputError("predictions: expected at least one row, got an empty dataset")
        inputs = evaluated.inputs
        if isinstance(inputs, Mapping):  # what a model reads, with batch_eval_metrics
            inputs = inputs.get("input_ids")
        labels, inputs = self._decode(evaluated.label_ids), self._decode(inputs)
        try:
            columns.check_lengths(predictions=predictions, labels=labels, inputs=inputs)
        except InputError as error:
            raise InputError(
                f"{error}. Generate one output per input (num_return_sequences=1). With "
                "batch_eval_metrics=True on several devices pass sources to make_compute_metrics, "
                "and leave out include_for_metrics=['inputs']"
            ) from None
        return predictions, labels, inputs

    def _score(
        self, predictions: list[str], labels: _Texts, inputs: _Texts, evaluated: Any
    ) -> dict[str, float]:
        """Score decoded rows; messages describe what was ``evaluated``."""
        if inputs is not None:
            inputs = self._without_prefix(inputs)
        self._check_rows(predictions, labels, inputs)
        decoded = None if labels is None else [[text] for text in labels]
        shared = {"sources": self.sources or inputs, "references": self.references or decoded}
        present = {name: column for name, column in shared.items() if column is not None}
        self._check_needs(present, evaluated)
        examples = Examples(present, {UNNAMED_SYSTEM: {"predictions": predictions}})
        warn(self.metrics.values(), examples)
        scores: dict[str, dict[str, Any]] = {}
        for name, metric in self.metrics.items():
            result = self._prepared[name].measure(metric, examples).score()[UNNAMED_SYSTEM]
            self.signatures[name] = result.signature
            scores[name] = result.to_dict(signature=False, lists=False)
        labels_of = catalogue.labels(scores)
        return {
            labels_of[name][score]: float(value)
            for name, values in scores.items()
            for score, value in values.items()
        }

    def _check_rows(self, predictions: list[str], labels: _Texts, inputs: _Texts) -> None:
        """Check that the user's columns have the rows that are evaluated, in their order."""
        column: Sequence[Any] | None = self.sources or self.references
        if column is None:
            return
        columns.check_not_transposed(self.references or (), len(predictions))
        if len(column) != len(predictions):
            raise InputError(
                f"expected as many rows as are evaluated, {len(predictions)}, in the sources and "
                f"references given to make_compute_metrics, which have {len(column)}. They belong "
                "to one evaluation dataset: for another, make another compute_metrics, or leave "
                "them out for inputs and labels to be decoded"
            )
        if self.sources is not None and inputs is not None:
            _check_order("sources", [[text] for text in self.sources], inputs)
        if self.references is not None and labels is not None:
            _check_order("references", self.references, labels)

    def _check_needs(self, shared: Mapping[str, Any], evaluated: Any) -> None:
        """Check that there are the columns that metrics need."""
        advice = {
            "sources": "Set include_for_metrics=['inputs'] in the Seq2SeqTrainingArguments, for "
            "token ids to be decoded, or pass sources to make_compute_metrics; "
            f"got {_show(evaluated.inputs)} as inputs",
            "references": "Evaluate a dataset with labels that are token ids or pass references to "
            f"make_compute_metrics; got {_show(evaluated.label_ids)} as labels",
        }
        for metric in self.metrics.values():
            for column in metric.columns:
                name = column.name
                if column.required and name in advice and name not in shared:
                    raise InputError(f"{name}: {metric.name} needs them. {advice[name]}")

    def _decode(self, ids: Any) -> list[str] | None:
        """Texts of token ids, or None for anything else."""
        batches = ids if isinstance(ids, list) else [ids]  # eval_do_concat_batches=False
        texts: list[str] = []
        for batch in batches:
            if hasattr(batch, "detach"):  # a tensor, of a single batch
                batch = batch.detach().cpu().numpy()
            if not (isinstance(batch, np.ndarray) and batch.ndim == 2 and batch.dtype.kind in "iu"):
                return None
            padded = np.where(batch < 0, self._pad, batch)  # the trainer pads with -100
            decoded = self.tokenizer.batch_decode(padded, skip_special_tokens=True)
            texts += (text.strip() for text in decoded)
        return texts

    def _without_prefix(self, inputs: list[str]) -> list[str]:
        if not self.source_prefix:
            start = inputs[0][: inputs[0].find(":") + 1]
            irrelevant = self.sources is not None or len(inputs) == 1
            if start and not irrelevant and all(text.startswith(start) for text in inputs):
                warnings.warn(
                    f"all inputs begin with {start!r}: if that is an instruction to the model and "
                    "no part of the sources, pass it to make_compute_metrics as source_prefix",
                    stacklevel=4,
                )
            return inputs
        for i, text in enumerate(inputs):
            if not text.startswith(self.source_prefix):
                raise InputError(
                    f"row {i} of the inputs (counted from 0): expected it to begin with "
                    f"source_prefix={self.source_prefix!r}, got {text[:60]!r}"
                )
        return [text[len(self.source_prefix) :].lstrip() for text in inputs]


def _check_order(name: str, column: Sequence[Sequence[str]], decoded: list[str]) -> None:
    """Check that decoded texts, which may be cut, have the order of a column.

    At most a tenth of those that the column has may be in other rows only.
    """
    here, missing = 0, []
    for i, (raw, cells) in enumerate(zip(decoded, column, strict=True)):
        if raw[:1].isalnum() and any(cell.startswith(raw) for cell in cells):
            here += 1  # most are found without looking at their letters
        elif text := _letters(raw):
            if any(_letters(cell).startswith(text) for cell in cells):
                here += 1
            else:
                missing.append((i, text))
    if len(missing) <= _MAX_DISPLACED_SHARE * (here + len(missing)):
        return
    in_order = sorted((_letters(cell), i) for i, cells in enumerate(column) for cell in cells)
    elsewhere = []
    for i, text in missing:
        at = bisect_left(in_order, (text, 0))
        if at < len(in_order) and in_order[at][0].startswith(text):
            elsewhere.append((i, in_order[at][1]))
    if len(elsewhere) > _MAX_DISPLACED_SHARE * (here + len(elsewhere)):
        row, other_row = elsewhere[0]
        raise InputError(
            f"expected {name} in the order in which rows are evaluated, but row {row} of the "
            f"evaluation (counted from 0), {decoded[row][:60]!r}, is row {other_row} of {name}, "
            f"and {len(elsewhere)} of {len(decoded)} rows are displaced. Sort {name} like the "
            "evaluation dataset, don't group it by length, or leave them out for inputs and labels "
            "to be decoded"
        )


def _join(batches: Sequence[_Texts]) -> _Texts:
    """Put the rows of batches below each other; None if one has none."""
    if any(rows is None for rows in batches):
        return None
    return [text for rows in batches for text in rows or ()]


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKD", text)).casefold()


def _show(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} of shape {value.shape}"
    return "None" if value is None else f"a {type(value).__name__}"
