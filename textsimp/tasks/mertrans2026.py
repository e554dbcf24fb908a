"""MER-TRANS 2026 (IberLEF): simplified texts in Spanish, Catalan, Italian and Arabic.

Official numbers are those of EASSE's SARI and sacrebleu's BLEU, both with the tokenizer ``intl``.
"""

from __future__ import annotations

from typing import Any

from textsimp.core import sample
from textsimp.corpora.files import read_texts
from textsimp.corpora.tables import is_table, read_table
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.sari import Sari
from textsimp.support.errors import InputError
from textsimp.tasks.task import Run, Task, check_once, cover, empty, join, sample_of

_IDS = ("document_id", "original_sentence_id")
_COLUMNS = ("prediction", "predictions", "simplified_text")  # of outputs, usually
_UNKNOWN = "not computed, since the organisers don't name the model of their BERTScore"


def measure(gold: str, predictions: str, prediction_column: str | None = None) -> Run:
    """Score a run: rows are joined by document and sentence, or else by their order.

    Args:
        gold: The file of gold.
        predictions: The file of the run.
        prediction_column: The column of outputs. Default: prediction or predictions or
            simplified_text.
    """
    table = read_table(gold)
    sources, references = table.texts("original_text"), table.texts("simplified_text")
    keys: list[Any] = table.ids(_IDS)
    own_keys, outputs = _read_run(predictions, prediction_column)
    if own_keys is None and len(outputs) != len(keys):
        raise InputError(
            f"{predictions} has {len(outputs):,} rows, gold {len(keys):,}: expected the columns "
            f"{' and '.join(_IDS)}, or a row for each of gold"
        )
    if own_keys in (None, keys):
        keys = own_keys = [*range(len(outputs))]  # ids that gold repeats don't matter then
    else:
        check_once(keys, gold)
    scored = join(keys, own_keys)
    if not scored:
        raise InputError(f"{predictions}: no row has an instance of {gold}")
    predicted = [outputs[j] for _, j in scored]
    own_sources, own_references = (
        [column[i] for i, _ in scored] for column in (sources, references)
    )
    pairs: dict[str, Any] = {"predictions": predicted, "references": own_references}
    bleu, sari = Bleu.preset("sacrebleu", tokenizer="intl"), Sari.preset(tokenizer="intl")
    parts = [
        sample_of(bleu, {"bleu_orig": "bleu"}, predictions=predicted, references=own_sources),
        sample_of(bleu, {"bleu_gold": "bleu"}, **pairs),
        sample_of(sari, {"sari": "sari"}, sources=own_sources, **pairs),
    ]
    return Run.of_sample(
        ("bleu_orig", "bleu_gold", "sari", "bert"),
        sample.join(parts),
        cover(keys, own_keys, scored=len(scored), remarks=empty(outputs)),
        [i for i, _ in scored],
        missing={"bert": _UNKNOWN},
    )


def _read_run(path: str, column: str | None) -> tuple[list[Any] | None, list[str]]:
    """Return the ids of a run's rows, if it has them, and its outputs."""
    if not is_table(path):
        return None, read_texts(path).rows
    table = read_table(path)
    if column is None:
        column = next((name for name in _COLUMNS if name in table.names), _COLUMNS[0])
    present = [name for name in (*_IDS, "sentence_id") if name in table.names]
    if present and (present[0] != _IDS[0] or len(present) == 1):
        raise InputError(
            f"{path}: expected the columns {' and '.join(_IDS)}, or no ids; "
            f"it has {present[0]} only"
        )
    return table.ids(present[:2]) if present else None, table.texts(column)


TASK = Task(
    name="mertrans2026",
    years=(2026,),
    title="MER-TRANS 2026",
    url="https://lastus-taln-upf.github.io/mertrans-iberlef-2026/",
    scores="SARI, BLEU with the reference and with the source",
    gold="CSV: document_id, original_sentence_id, original_text, simplified_text",
    predictions="CSV or JSONL: a column of outputs, beside document_id and original_sentence_id; "
    "or a text file with a line per row of gold",
    measure=measure,
)
