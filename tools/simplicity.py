"""z(aligned) − z(length) with constants of references: r with ratings of simplicity, and gaming.

    python tools/simplicity.py FOLDER

FOLDER holds ``ratings/*.jsonl``, ``asset_test`` and ``turkcorpus_test``, as for ``trust.py``. The
constants are means over both test sets' references, each scored against the others.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from textsimp import Sari
from textsimp.corpora import testsets

SETS = {
    "simpeval_past": "overall",
    "simpeval_2022": "overall",
    "simpda_2022": "simplicity",
    "wikida": "simplicity",
    "questeval": "simplicity",
    "structural": "simplicity",
    "wu_asset": "simplicity",
    "d_wikipedia": "simplicity-overall",
    "qa": "correct",
}
ALIGNED = Sari(level="aligned")


def measure(sources, predictions, references):
    """Return aligned scores, and lengths in words by the sources'."""
    scores = ALIGNED.score(
        sources=sources, predictions=predictions, references=references, per_example=True
    )
    lengths = [
        len(p.split()) / max(1, len(s.split())) for s, p in zip(sources, predictions, strict=True)
    ]
    return np.array(scores["sari_per_example"]), np.array(lengths)


def constants(folder):
    found = []
    for name in ("asset_test", "turkcorpus_test"):
        sources, references = testsets.load(name, str(folder))
        scores, lengths = [], []
        for k in range(len(references[0])):
            others = [row[:k] + row[k + 1 :] for row in references]
            own = measure(sources, [row[k] for row in references], others)
            scores.append(own[0])
            lengths.append(own[1])
        found.append([np.mean(scores), np.std(scores), np.mean(lengths), np.std(lengths)])
    return np.mean(found, axis=0)


def rated(folder, name, column):
    """Return sources, outputs, references other than the output, and mean ratings."""
    asset = dict(zip(*testsets.load("asset_test", str(folder)), strict=True))
    rows = []
    for line in (folder / "ratings" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        given = row.get("references") or asset.get(row["source"], [])
        others = [text for text in given if text != row["prediction"]]
        ratings = row[column] if isinstance(row[column], list) else [row[column]]
        ratings = [rating for rating in ratings if rating is not None]
        if others and ratings and row.get("system") not in ("copy", "scramble_words"):
            rows.append((row["source"], row["prediction"], others, np.mean(ratings)))
    return zip(*rows, strict=True)


def main(folder):
    mean, spread, length, width = constants(folder)
    print(f"aligned {mean:.2f} ± {spread:.2f}, length {length:.3f} ± {width:.3f}")
    print("r: aligned, shortness, the difference, the difference with length from −1 on")

    def combine(scores, lengths):
        z, z_length = (scores - mean) / spread, (lengths - length) / width
        return z, -z_length, z - z_length, z - np.maximum(z_length, -1)

    for name, column in SETS.items():
        sources, predictions, references, ratings = map(list, rated(folder, name, column))
        found = combine(*measure(sources, predictions, references))
        print(name, *(f"{np.corrcoef(values, ratings)[0, 1]:.2f}" for values in found))
    sources, references = testsets.load("asset_test", str(folder))
    file = folder / "asset_test" / "systems" / "ACCESS.txt"
    tricks = {
        "ACCESS": file.read_text(encoding="utf-8").splitlines(),
        "empty": [""] * len(sources),
        "one word": [text.split()[0] for text in sources],
        "three words": [" ".join(text.split()[:3]) for text in sources],
    }
    for name, texts in tricks.items():
        found = combine(*measure(sources, texts, references))
        print(name, *(f"{values.mean():.2f}" for values in found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
