"""Fit the readability level to people's ratings: textsimp/metrics/readability_level.csv.

    python tools/fit_readability.py --data FOLDER            fits, and writes the weights
    python tools/fit_readability.py --data FOLDER --check    1 if they differ

FOLDER holds ``readability/en.jsonl``, ``fr.jsonl`` and ``ru.jsonl``: a JSON object a line with a
``sentence`` and its ``rating``, from 1 to 6. They are the train and validation parts of ReadMe++
(Naous et al. 2024, https://github.com/tareknaous/readme, MIT), whose test parts nobody used here.
Each rated sentence counts as one, without a splitter. It also prints how well the level of
sentences that it wasn't fitted to agrees with their ratings.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pages
from pages import Data, table

from textsimp.core.metric import Floats
from textsimp.extensions.people.judgements import coefficients
from textsimp.metrics.readability import Readability, count_word
from textsimp.metrics.readability_level import FEATURES, sentence_features
from textsimp.text.tokenizers import Encoder

FILE = pages.PROJECT / "textsimp" / "metrics" / "readability_level.csv"
LANGUAGES = {"en": "English", "fr": "French", "ru": "Russian"}
FOLDS, SEED, DECIMALS = 10, 0, 3


@dataclass(frozen=True, eq=False)
class Rated:
    """Rated sentences with words, and their features."""

    sentences: list[str]
    ratings: Floats  # (n,)
    inputs: Floats  # (n, 7) a 1, and the features

    def fit(self, rows: Floats | slice = slice(None)) -> Floats:
        """Return (7,) the weights by least squares."""
        fitted: Floats = np.linalg.lstsq(self.inputs[rows], self.ratings[rows], rcond=None)[0]
        return fitted

    def cross_validate(self) -> Floats:
        """Return (n,) each sentence's level by the weights of the other nine tenths."""
        fold = np.random.default_rng(SEED).permutation(len(self.ratings)) % FOLDS
        levels = np.empty(len(self.ratings))
        for number in range(FOLDS):
            levels[fold == number] = self.inputs[fold == number] @ self.fit(fold != number)
        return levels


def read(data: Data, language: str) -> Rated:
    rated = data.rows(f"readability/{language}")
    sentences = [row["sentence"] for row in rated]
    count = functools.partial(count_word, language=language, difficult=False)
    encoder = Encoder("13a", lowercase=False)
    features = sentence_features(sentences, encoder, count, language)
    inputs = np.column_stack([np.ones(len(rated)), features])
    ratings = np.array([float(row["rating"]) for row in rated])
    worded = features[:, FEATURES.index("words")] > 0
    kept = [sentences[i] for i in np.flatnonzero(worded)]
    return Rated(kept, ratings[worded], inputs[worded])


def agreement(data: Data) -> str:
    """How the level agrees with ratings: cross-validated; beside it FKGL and the number of words.

    ``split`` is r of what the metric reports, whose splitter cuts some of the rated sentences.
    """
    lines = []
    for language, name in LANGUAGES.items():
        rated = read(data, language)
        levels = rated.cross_validate()
        features = dict(zip(FEATURES, rated.inputs.T[1:], strict=True))
        metric = Readability(language=language, cefr=True)
        split = metric.score(predictions=rated.sentences, per_example=True)["level_per_example"]
        fkgl = 0.39 * features["words"] + 11.8 * features["syllables"]
        compared = (levels, split, fkgl, features["log_words"])
        r = [float(np.corrcoef(one, rated.ratings)[0, 1]) for one in compared]
        ones = np.ones((1, len(levels)))
        rho = coefficients.spearman(levels, rated.ratings, ones).item()
        lines.append([name, len(levels), *r, rho, float(np.abs(levels - rated.ratings).mean())])
    heads = ["sentences", "level", "split", "FKGL", "ln words", "level, ρ", "level, error"]
    return table(["r with ratings", *heads], lines)


def weights(fitted: dict[str, Floats]) -> str:
    """The weights, as the card shows them."""
    heads = ["level", "constant", "ln words", "words", "syllables", "letters", "Zipf", "rare"]
    rows = [[name, *map(float, fitted[language])] for language, name in LANGUAGES.items()]
    return table(heads, rows, DECIMALS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write weights and tables, or with ``--check`` compare them: 1 if some differ."""
    options = pages.parser(__doc__).parse_args(arguments)
    data = Data(options.data)
    fitted = {language: read(data, language).fit().round(DECIMALS) for language in LANGUAGES}
    found = agreement(data)
    print(found)
    rows = [[language, *map(float, own)] for language, own in fitted.items()]
    files = {FILE: pages.as_csv(["language", "constant", *FEATURES], rows)}
    tables = {"agreement": found, "weights": weights(fitted)}
    return pages.write("fit", tables, files, check=options.check)


if __name__ == "__main__":
    sys.exit(main())
