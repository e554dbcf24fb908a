"""Published readability formulas, each a constant and weighted ratios of counts summed over texts.

Counts are numbers or arrays of one shape, and so are the results. A ratio to nothing is 0. These
counts need an explanation:

- ``letters`` excludes digits, ``characters`` includes them;
- ``polysyllables`` have three syllables or more, ``monosyllables`` one;
- ``long_words`` have more than six letters;
- ``difficult_words`` aren't on a list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from textsimp.core.metric import Floats, divide

_LENGTH, _SYLLABLES, _LETTERS = "words/sentences", "syllables/words", "letters/words"
_LONG, _POLYSYLLABLES = "long_words/words", "polysyllables/words"


@dataclass(frozen=True)
class Formula:
    """A readability formula: call it with the counts that it takes.

    >>> float(Formula("bjornsson-1968-lasbarhet", 0, {"words/sentences": 2})(words=9, sentences=2))
    9.0
    """

    papers: str
    """Keys of `textsimp.metrics.citations`, with blanks between."""
    constant: float
    weights: Mapping[str, float | Callable[[Floats], Floats]]
    """Ratio, such as ``"words/sentences"`` → its weight, or a function of it."""

    @property
    def counts(self) -> list[str]:
        """The names of the counts."""
        return list(dict.fromkeys(name for ratio in self.weights for name in ratio.split("/")))

    def __call__(self, **counts: Any) -> Floats:
        score: Any = self.constant
        for ratio, weight in self.weights.items():
            value = divide(*(counts[name] for name in ratio.split("/")))
            score = score + (weight(value) if callable(weight) else weight * value)
        return np.asarray(score)


def _wiener(constant: float, polysyllables: float, length: float, **more: float) -> Formula:
    """One of the Wiener Sachtextformeln, grades of German."""
    weights = {_POLYSYLLABLES: polysyllables, _LENGTH: length}
    weights |= {f"{name}/words": weight for name, weight in more.items()}
    return Formula("bamberger-vanecek-1984-lesen", constant, weights)


_ANY = {
    "lix": Formula("bjornsson-1968-lasbarhet", 0, {_LENGTH: 1, _LONG: 100}),
    "rix": Formula("anderson-1983-lix", 0, {"long_words/sentences": 1}),
}
# Flesch's formula: what words per sentence and syllables per word weigh.
_EASE = {
    "en": ("flesch-1948-new", 206.835, 1.015, 84.6),
    "de": ("amstad-1978-verstandlich", 180, 1, 58.5),
    # As printed, F in 206.84 - 0.60 P - 1.02 F is the number of sentences in 100 words, by which
    # shorter sentences would be harder. Law reads it as words per sentence.
    "es": ("fernandez-huerta-1959-medidas law-2011-error", 206.84, 1.02, 60),
    "fr": ("kandel-moles-1958-application", 207, 1.015, 73.6),
    "it": ("franchina-vacca-1986-adaptation", 217, 1.3, 60),  # that of 1972 was 206 - W - 65 S
    "nl": ("douma-1960-leesbaarheid", 206.84, 0.93, 77),
    "ru": ("oborneva-2006-avtomatizirovannaya", 206.835, 1.3, 60.1),
}
_MORE = {
    "en": {
        "ari": Formula(
            "smith-senter-1967-automated", -21.43, {"characters/words": 4.71, _LENGTH: 0.5}
        ),
        "coleman_liau": Formula(  # by the paper's equations
            "coleman-liau-1975-computer", -15.8, {_LETTERS: 5.88, "sentences/words": -29.6}
        ),
        "smog": Formula(  # fitted to samples of 30 sentences
            "mclaughlin-1969-smog",
            3.1291,
            {"polysyllables/sentences": lambda ratio: 1.043 * np.sqrt(30 * ratio)},
        ),
        "gunning_fog": Formula("gunning-1952-technique", 0, {_LENGTH: 0.4, _POLYSYLLABLES: 40}),
        "dale_chall": Formula(  # as it is computed today
            "dale-chall-1948-formula chall-dale-1995-readability",
            0,
            {
                "difficult_words/words": lambda share: np.asarray(
                    15.79 * share + np.where(100 * share > 5, 3.6365, 0.0)
                ),
                _LENGTH: 0.0496,
            },
        ),
    },
    "de": {
        "wiener_1": _wiener(-0.875, 19.35, 0.1672, long_words=12.97, monosyllables=-3.27),
        "wiener_2": _wiener(-2.779, 20.07, 0.1682, long_words=13.73),
        "wiener_3": _wiener(-1.1144, 29.63, 0.1905),
        "wiener_4": _wiener(-1.693, 27.44, 0.2656),
    },
    "es": {
        "szigriszt_pazos": Formula(
            "szigriszt-pazos-1993-sistemas", 206.835, {_LENGTH: -1, _SYLLABLES: -62.3}
        )
    },
    "it": {
        "gulpease": Formula(
            "lucisano-piemontese-1988-gulpease", 89, {"sentences/words": 300, _LETTERS: -10}
        )
    },
}

FORMULAS: dict[str, dict[str, Formula]] = {
    **{
        language: _ANY
        | {
            "flesch_reading_ease": Formula(
                papers, easiest, {_LENGTH: -length, _SYLLABLES: -syllables}
            )
        }
        | _MORE.get(language, {})
        for language, (papers, easiest, length, syllables) in _EASE.items()
    },
    **dict.fromkeys(("da", "fi", "nb", "pt", "sv"), _ANY),
}
"""Language → score → formula."""
