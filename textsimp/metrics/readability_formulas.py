"""Published readability formulas, each a function of counts summed over texts.

Counts are numbers or arrays of one shape, and so are the results. A ratio to nothing is 0. These
parameters need an explanation:

- ``letters`` excludes digits, ``characters`` includes them;
- ``polysyllables`` have three syllables or more, ``monosyllables`` one;
- ``long_words`` have more than six letters;
- ``difficult_words`` aren't on a list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from textsimp.core.metric import Floats, divide


def _reading_ease(easiest: float, length: float, weight: float) -> Callable[..., Floats]:
    """Flesch's formula, with what words per sentence and syllables per word weigh."""

    def reading_ease(sentences: Any, words: Any, syllables: Any) -> Floats:
        per_word = divide(syllables, words)
        return np.asarray(easiest - length * divide(words, sentences) - weight * per_word)

    return reading_ease


flesch = _reading_ease(206.835, 1.015, 84.6)
"""Reading ease of English (Flesch 1948)."""
amstad = _reading_ease(180, 1, 58.5)
"""Reading ease of German (Amstad 1978)."""
fernandez_huerta = _reading_ease(206.84, 1.02, 60)
"""Reading ease of Spanish (Fernández Huerta 1959), corrected.

As printed, F in 206.84 - 0.60 P - 1.02 F is the number of sentences in 100 words, by which shorter
sentences would be harder. Law (2011) reads it as words per sentence, and so does this.
"""
szigriszt_pazos = _reading_ease(206.835, 1, 62.3)
"""Perspicuity of Spanish (Szigriszt Pazos 1993)."""
kandel_moles = _reading_ease(207, 1.015, 73.6)
"""Reading ease of French (Kandel & Moles 1958)."""
flesch_vacca = _reading_ease(217, 1.3, 60)
"""Reading ease of Italian (Franchina & Vacca 1986); that of 1972 was 206 - W - 65 S."""
flesch_douma = _reading_ease(206.84, 0.93, 77)
"""Reading ease of Dutch (Douma 1960)."""
oborneva = _reading_ease(206.835, 1.3, 60.1)
"""Reading ease of Russian (Oborneva 2006)."""


def lix(sentences: Any, words: Any, long_words: Any) -> Floats:
    """LIX (Björnsson 1968): words per sentence and the percentage of long words."""
    return divide(words, sentences) + 100 * divide(long_words, words)


def rix(sentences: Any, long_words: Any) -> Floats:
    """RIX (Anderson 1983): long words per sentence."""
    return divide(long_words, sentences)


def ari(sentences: Any, words: Any, characters: Any) -> Floats:
    """Automated readability index (Smith & Senter 1967), a grade."""
    return 4.71 * divide(characters, words) + 0.5 * divide(words, sentences) - 21.43


def coleman_liau(sentences: Any, words: Any, letters: Any) -> Floats:
    """Coleman-Liau index (Coleman & Liau 1975), a grade by the paper's equations."""
    return 5.88 * divide(letters, words) - 29.6 * divide(sentences, words) - 15.8


def smog(sentences: Any, polysyllables: Any) -> Floats:
    """SMOG grade (McLaughlin 1969), which was fitted to samples of 30 sentences."""
    return 1.043 * np.sqrt(30 * divide(polysyllables, sentences)) + 3.1291


def gunning_fog(sentences: Any, words: Any, polysyllables: Any) -> Floats:
    """Gunning fog index (Gunning 1952), a grade, of all polysyllables."""
    return 0.4 * (divide(words, sentences) + 100 * divide(polysyllables, words))


def dale_chall(sentences: Any, words: Any, difficult_words: Any) -> Floats:
    """Dale-Chall score (Dale & Chall 1948) as it is computed today."""
    percent = 100 * divide(difficult_words, words)
    score = 0.1579 * percent + 0.0496 * divide(words, sentences)
    return np.asarray(score + np.where(percent > 5, 3.6365, 0.0))


def wiener_1(
    sentences: Any, words: Any, polysyllables: Any, long_words: Any, monosyllables: Any
) -> Floats:
    """First Wiener Sachtextformel (Bamberger & Vanecek 1984), a grade."""
    return (
        19.35 * divide(polysyllables, words)
        + 0.1672 * divide(words, sentences)
        + 12.97 * divide(long_words, words)
        - 3.27 * divide(monosyllables, words)
        - 0.875
    )


def wiener_2(sentences: Any, words: Any, polysyllables: Any, long_words: Any) -> Floats:
    """Second Wiener Sachtextformel, a grade."""
    return (
        20.07 * divide(polysyllables, words)
        + 0.1682 * divide(words, sentences)
        + 13.73 * divide(long_words, words)
        - 2.779
    )


def wiener_3(sentences: Any, words: Any, polysyllables: Any) -> Floats:
    """Third Wiener Sachtextformel, a grade."""
    return 29.63 * divide(polysyllables, words) + 0.1905 * divide(words, sentences) - 1.1144


def wiener_4(sentences: Any, words: Any, polysyllables: Any) -> Floats:
    """Fourth Wiener Sachtextformel, a grade."""
    return 27.44 * divide(polysyllables, words) + 0.2656 * divide(words, sentences) - 1.693


def gulpease(sentences: Any, words: Any, letters: Any) -> Floats:
    """GULPEASE (Lucisano & Piemontese 1988), for Italian."""
    return 89 + 300 * divide(sentences, words) - 10 * divide(letters, words)


PAPERS: dict[Callable[..., Floats], tuple[str, ...]] = {
    lix: ("bjornsson-1968-lasbarhet",),
    rix: ("anderson-1983-lix",),
    flesch: ("flesch-1948-new",),
    ari: ("smith-senter-1967-automated",),
    coleman_liau: ("coleman-liau-1975-computer",),
    smog: ("mclaughlin-1969-smog",),
    gunning_fog: ("gunning-1952-technique",),
    dale_chall: ("dale-chall-1948-formula", "chall-dale-1995-readability"),
    amstad: ("amstad-1978-verstandlich",),
    **dict.fromkeys((wiener_1, wiener_2, wiener_3, wiener_4), ("bamberger-vanecek-1984-lesen",)),
    fernandez_huerta: ("fernandez-huerta-1959-medidas", "law-2011-error"),
    szigriszt_pazos: ("szigriszt-pazos-1993-sistemas",),
    kandel_moles: ("kandel-moles-1958-application",),
    flesch_vacca: ("franchina-vacca-1986-adaptation",),
    gulpease: ("lucisano-piemontese-1988-gulpease",),
    flesch_douma: ("douma-1960-leesbaarheid",),
    oborneva: ("oborneva-2006-avtomatizirovannaya",),
}
"""Formula → keys of `textsimp.metrics.citations`."""
