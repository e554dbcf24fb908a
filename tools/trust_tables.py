"""The tables of docs/trust.md, of its details and of trust.csv: names, reading, writing."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping

import figures

from textsimp.metrics import catalogue

WORD = "trust"  # of the marks in pages

# Names in the tables ------------------------------------------------------------------------------

PAST, NEW, WIKIDA, DOCUMENTS = "SimpEval past", "SimpEval 2022", "WikiDA", "D-Wikipedia"
ERRORS = {
    "deletion": "deletion",
    "repetition": "repetition",
    "coherence": "coherence",
    "outdomain": "hallucination",
}
EASSE, PRECISION, HUB = "`sari` easse", "`sari` easse, delete=precision", "`sari` huggingface"
XU, BLEU, EDITS = "`sari` xu", "`bleu` sacrebleu", "`edit_ops` paper"
PUBLISHED = (EASSE, PRECISION, XU, HUB, BLEU)
"""What papers report, and is looked at more closely."""
BEST = "`sari` easse, multi_reference=best"
ALIGNED = "`sari` easse, level=aligned"
ALIGNED_PRECISION = f"{ALIGNED}, delete=precision"
DELETE, D_SARI, F1 = "`sari`: delete", "`d_sari` sun", "`f1_token`"
LENGTH = "`simplification_stats`: compression_ratio"
FIRST = {
    "`easse`": EASSE,
    "best reference": BEST,
    "aligned": ALIGNED,
    "BLEU": BLEU,
    "length": LENGTH,
}
"""Columns of the first page's table."""
SIMPDA, LLMS, QUESTIONS = "SimpDA 2022", "LLMs", "questions on documents"
CEILING = "ceiling"
ALPHA = "agreement of raters, α"
SYSTEM = "within a system, r"
GAINS = ("`easse`", "delete=precision", "`xu`", "the Hub's")
TURK = "TurkCorpus's references"


def ranks(label: str) -> bool:
    return catalogue.metric_class(label.split("`")[1]).scores[0].better != ""


def number(value: float) -> str:
    """Two decimals, as correlations are written.

    >>> number(-0.047), number(0.999), number(-0.001)
    ('−.05', '1.00', '.00')
    """
    text = f"{abs(round(value, 9)):.2f}".removeprefix("0")
    return f"−{text}" if value < 0 and text != ".00" else text


def read_number(cell: str) -> float:
    """The first number of a cell."""
    return float(cell.split()[0].strip("*;,").replace("−", "-"))


# Tables -------------------------------------------------------------------------------------------

Tables = Mapping[str, Mapping[str, Mapping[str, str]]]  # table → row → column → cell


TURK = "TurkCorpus's references"


def read_tables(text: str) -> Tables:
    """The tables of the page."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for mark in figures.marked(WORD).finditer(text):
        lines = [line[2:-2].split(" | ") for line in mark[3].splitlines() if line.startswith("| ")]
        if lines:
            header, *rows = lines
            found[mark[2]] = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    return found


def read_scores(text: str) -> Tables:
    """The tables of docs/trust.csv, which have all scores: ``all-SET``."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        cell = "–"
        if row["value"]:
            cell = number(float(row["value"]))
        if row["low"]:
            cell += f" [{number(float(row['low']))}, {number(float(row['high']))}]"
        cell += "".join(f"; {part}" for part in row["note"].split("; ") if part)
        found.setdefault(f"all-{row['set']}", {}).setdefault(row["score"], {})[
            row["coefficient"]
        ] = cell
    return found


def write_scores(tables: Tables) -> str:
    """The same as CSV: a line per set, score and coefficient."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["set", "score", "coefficient", "value", "low", "high", "note"])
    for name, rows in tables.items():
        for label, cells in rows.items():
            for head, cell in cells.items():
                value, _, note = cell.partition("; ")
                numbers = [part for part in re.split(r"[ \[\],]+", value) if part not in ("", "–")]
                numbers = [f"{read_number(part):.2f}" for part in numbers]
                padding = [""] * (3 - len(numbers))
                row = [name.removeprefix("all-"), label, head, *numbers, *padding, note]
                writer.writerow(row)
    return file.getvalue()
