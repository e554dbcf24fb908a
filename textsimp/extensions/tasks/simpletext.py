"""CLEF SimpleText: task 3 of 2024, task 1 of 2025 and 2026. The official row is EASSE's report."""

from collections.abc import Sequence
from os import fspath
from pathlib import Path
from typing import Any, Literal, get_args

from textsimp.core import sample
from textsimp.core.sample import Sample
from textsimp.corpora.row_ids import check_once, cover, empty, join
from textsimp.corpora.tables import Table, read_json, read_table
from textsimp.extensions.tasks.task import Run, Task, sample_of
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.sari import Sari
from textsimp.metrics.simplification_stats import EASSE_NAMES, SimplificationStats
from textsimp.support.errors import InputError, listed

_KEYS = ("pair_id", "para_id", "sent_id", "snt_id", "abs_id")
_COMPLEX = ("complex", "source_snt", "abs_source")
_SIMPLE = ("simple_auto", "simple", "simplified_snt", "simplified_abs")
_OUTPUT = ("prediction", "simplified_snt", "simplified_abs")

_LEXICAL = "Lexical complexity score"
_NO_RANKS = (
    "needs EASSE's table of word ranks, which isn't here; `textsimp score -m "
    "simplification_stats -O lexical_complexity=true` uses wordfreq's ranks"
)
Year = Literal[2024, 2025, 2026]

Ids = tuple[str, ...]
Texts = dict[Ids, str]
"""Ids of an instance → its text."""


def measure(
    gold: str,
    predictions: str,
    *,
    year: Year = 2026,
    level: Literal["sentence", "document"] | None = None,
    sources: str | Path | None = None,
) -> Run:
    """Score a run: rows are joined by their ids.

    Args:
        gold: The file of gold.
        predictions: The file of the run.
        year: The order of the columns: that of 2024, or of later years.
        level: document joins the sentences of a pair_id. Default: the level of the files.
        sources: The file of sources, where gold has references only.
    """
    originals = _read(fspath(sources or gold), _COMPLEX)
    references = _read(gold, _SIMPLE)
    outputs = _read(predictions, _OUTPUT)
    remarks = empty([*outputs.values()])
    order = [*originals]
    if level == "document" or len({len(key) for key in (*originals, *references, *outputs)}) > 1:
        lengths = {len(key) for key in outputs}
        lacking = {key[:1] for key in originals if {len(key)} == lengths and key not in outputs}
        references, outputs = _join_sentences(references, order), _join_sentences(outputs, order)
        originals = _join_sentences(originals, order)
        short = [i for i, key in enumerate(outputs, 1) if key in lacking]
        remarks |= {"document that lacks a sentence": short} if short else {}
    keys = [key for key in originals if key in references]
    if not keys:
        raise InputError(f"{gold}: no reference has a source in {sources or gold}")
    scored = [keys[i] for i, _ in join(keys, [*outputs])]
    if not scored:
        raise InputError(f"{predictions}: no row has an instance of {gold}")
    source_texts, reference_texts, predicted = (
        [column[key] for key in scored] for column in (originals, references, outputs)
    )
    quality = ("FKGL", "SARI", "BLEU") if year == 2024 else ("SARI", "BLEU", "FKGL")
    return Run.of_sample(
        ("count", *quality, *EASSE_NAMES, _LEXICAL),
        _score_texts(source_texts, reference_texts, predicted),
        cover(keys, [*outputs], scored=len(scored), remarks=remarks),
        scored,
        counts={"count": len(scored)},
        decimals=2,
        missing={_LEXICAL: _NO_RANKS},
    )


def _score_texts(sources: list[str], references: list[str], outputs: list[str]) -> Sample:
    """Return EASSE's numbers."""
    copied: dict[str, Any] = {"sources": sources, "predictions": outputs}
    pairs: dict[str, Any] = {"predictions": outputs, "references": references}
    return sample.join(
        [
            sample_of(Sari.preset(), {"SARI": "sari"}, sources=sources, **pairs),
            sample_of(Bleu.preset(), {"BLEU": "bleu"}, **pairs),
            sample_of(FkglComponents.preset("easse"), {"FKGL": "fkgl"}, predictions=outputs),
            sample_of(SimplificationStats.preset(), EASSE_NAMES, **copied),
        ]
    )


def _read(path: str, names: Sequence[str]) -> Texts:
    """Return ids → text from the first column that a file has."""
    table = _read_mapping(path)
    if table is None:
        table = read_table(path)
    keys = [name for name in _KEYS if name in table.names]
    column = next((name for name in names if name in table.names), None)
    if column is None or not keys:
        expected = f"ids ({', '.join(_KEYS)}) and one of {', '.join(names)}"
        hint = "; the option sources names a file of sources" if names is _COMPLEX else ""
        raise InputError(f"{path}: expected {expected}; it has {', '.join(table.names)}{hint}")
    instances = table.ids(keys)
    check_once(instances, path)
    return dict(zip(instances, table.texts(column), strict=True))


def _read_mapping(path: str) -> Table | None:
    """Read a JSON object, pair_id → text or fields, as a table; None for another file."""
    content = read_json(path)
    if not isinstance(content, dict) or not content:
        return None
    rows = [value if isinstance(value, dict) else {_SIMPLE[0]: value} for value in content.values()]
    for name, row in zip(content, rows, strict=True):
        if {*row} != {*rows[0]}:
            expected, got = listed(rows[0]), listed(row) or "none"
            raise InputError(
                f"{path}, entry {name!r}: expected the keys of the first, {expected}, got {got}"
            )
    columns = {name: [row[name] for row in rows] for name in rows[0]} | {"pair_id": [*content]}
    return Table(path, [*columns], columns.__getitem__)


def _join_sentences(texts: Texts, order: Sequence[Ids]) -> Texts:
    """Join the texts of each document, which the first id names, by spaces."""
    places = {key: i for i, key in enumerate(order)}
    documents: dict[Ids, list[str]] = {}
    for key in sorted(texts, key=lambda key: places.get(key, len(places))):
        documents.setdefault(key[:1], []).append(texts[key].strip())
    return {key: " ".join(filter(None, parts)) for key, parts in documents.items()}


TASK = Task(
    name="simpletext",
    years=get_args(Year),
    title="CLEF SimpleText",
    url="https://simpletext-project.com",
    scores="EASSE's report: SARI, BLEU, FKGL and what a system does to its sources",
    gold="JSON: a list of pair_id, complex and simple_auto, for sentences also para_id and "
    "sent_id; or the references as pair_id → simple_auto, with --sources. Of 2024: snt_id, "
    "source_snt and simplified_snt, or abs_id, abs_source and simplified_abs",
    predictions="JSON: a list of pair_id, prediction, for sentences also para_id and sent_id; of "
    "2024 snt_id and simplified_snt, or abs_id and simplified_abs",
    measure=measure,
)
