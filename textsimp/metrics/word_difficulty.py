"""How difficult the words of texts are: shares of words by frequency, and by CEFR level.

The Zipf scale is from van Heuven et al. (2014), the frequencies are those of wordfreq (Speer 2022).
The metric card says where the levels come from.
"""

import functools
import importlib.metadata
import itertools
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, Metric, divide
from textsimp.core.option import option
from textsimp.metrics import sides
from textsimp.metrics.simplification_stats import STOP_WORDS, lettered_words
from textsimp.support.errors import InputError, check_choice
from textsimp.support.imports import require
from textsimp.text.languages import language_reads
from textsimp.text.tokenizers import Encoder

LEVELS = ("A1", "A2", "B1", "B2", "C1", "C2")

_BANDS = ("zipf_6_up", "zipf_5_6", "zipf_4_5", "zipf_3_4", "zipf_2_3", "zipf_below_2")
_SHARES = (*_BANDS, "zipf_unknown")
_RARE = _SHARES[-3:]
ZIPF_OF_RARE = 3  # rarer words are in these bands: less than one in a million
_LEVELS = tuple(f"cefr_{level.lower()}" for level in LEVELS)
_CEFR = (*_LEVELS, "cefr_unknown")
_WIDTH = 1 + len(_SHARES) + len(_CEFR)  # of a text's statistics

_BRACKET = re.compile(r"-[lr][crs]b-", re.IGNORECASE)  # as tokenized corpora write them
_CLITIC = re.compile(r"(n['’]t|['’](s|m|d|re|ve|ll)?)$", re.IGNORECASE)
_BEFORE_NOT = {"ca": "can", "wo": "will", "sha": "shall"}
_PART = re.compile(r"\w+")


def _version(package: str) -> str:
    require(package, extra="languages")
    return f"{package}-{importlib.metadata.version(package)}"


@dataclass(frozen=True)
class WordDifficulty(Metric):
    """Shares of words by frequency and by CEFR level, and mean frequency and level.

    All values are of the corpus: words counted over all examples, and ratios of these counts. If an
    example has several references, its counts are their means. Without words all scores are 0.

    A word is a 13a token with a letter. Brackets of tokenized corpora (``-lrb-``) don't count. In
    English clitics (``'s``, ``n't``) are cut off and don't count.

    Example:
        >>> from textsimp import WordDifficulty
        >>> scores = WordDifficulty().score(
        ...     sources=["The feline perched upon the mat."],
        ...     predictions=["The cat sat on the mat."],
        ... )
        >>> round(scores["mean_zipf"], 2), round(scores["source_mean_zipf"], 2)
        (5.94, 5.13)
        >>> scores["zipf_3_4"] * scores["words"], scores["source_zipf_3_4"] * scores["source_words"]
        (1.0, 3.0)
    """

    name: ClassVar[str] = "word_difficulty"
    about: ClassVar[str] = "how rare the words are and of which CEFR level (extra `languages`)"
    papers: ClassVar = (
        *("van-heuven-etal-2014-subtlex", "speer-2022-wordfreq"),
        "tono-2020-cefr",  # which cefrpy's levels are made from, and which asks to be cited
    )
    people: ClassVar[str] = (
        "it describes, and must not rank systems: by single outputs the correlation of its "
        "mean_zipf with "
        "people's ratings of simplicity runs from −.06 [−.20, .06] on one set to "
        ".08 [−.06, .21] on another"
    )
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES.optional)
    presets: ClassVar = {"zipf": Preset("bands of one unit of the Zipf scale")}
    scores: ClassVar = (
        Score("mean_zipf", "Mean Zipf frequency", "mean Zipf frequency of the known words", most=9),
        Score.share("rare_share", "Rare words", "words rarer than one in a million, or unknown"),
        Score.share("zipf_6_up", "Very common", "words found at least 1,000 times in a million"),
        Score.share("zipf_5_6", "Common", "words found 100 to 1,000 times in a million"),
        Score.share("zipf_4_5", "Fairly common", "words found 10 to 100 times in a million"),
        Score.share("zipf_3_4", "Uncommon", "words found 1 to 10 times in a million"),
        Score.share("zipf_2_3", "Rare", "words found 1 to 10 times in ten million"),
        Score.share("zipf_below_2", "Very rare", "words found less than once in ten million"),
        Score.share("zipf_unknown", "Unknown", "words that wordfreq's list lacks"),
        Score("mean_cefr", "Mean CEFR level", "A1 is 1, C2 is 6; of the known words", most=6),
        *(Score.share(f"cefr_{x.lower()}", x, "words of this CEFR level") for x in LEVELS),
        Score.share("cefr_unknown", "Of unknown level", "words that cefrpy's list lacks"),
        Score("words", "Words", "total number", most=None, unit="words", decimals=0),
    )
    profiles: ClassVar = {"Words by frequency": _SHARES, "Words by CEFR level": _CEFR}

    language: str = option(
        "en",
        about="language of the texts: any in wordfreq except `zh`, `ja` and `ko`, which need a "
        "segmenter",
        tag="freq",
        label=lambda language: f"{_version('wordfreq')}-{language}",
        parse_label=lambda label: label.rpartition("-")[2],
        always=True,
        reads=language_reads,
    )
    cefr: bool = option(
        False,
        about="also `mean_cefr` and the share of words of each CEFR level, for English (extra "
        "`languages`)",
        labels={False: "no"},
        label=lambda on: _version("cefrpy") if on else "no",
        parse_label=lambda _: True,
    )
    content_words: bool = option(
        False,
        about=f"leave out the {STOP_WORDS} most frequent words of the language",
        tag="words",
        labels={True: "content", False: "all"},
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cefr and self.language != "en":
            raise InputError(
                f"cefr: there are levels of English words only, got language={self.language!r}"
            )
        if self.cefr:
            _levels()  # fails if cefrpy isn't installed
        if self.language != "en":  # options can be listed without the extra
            check_choice("language", self.language, _languages())

    def paper_keys(self) -> tuple[str, ...]:
        """Its papers, of CEFR levels only if they are there."""
        return self.papers if self.cefr else self.papers[:-1]

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        of_levels = ["mean_cefr", *_CEFR] if self.cefr else []
        return sides.side_names(["mean_zipf", "rare_share", *_SHARES, "words", *of_levels], shared)

    def prepare(
        self, sources: list[str] | None, references: list[list[str]] | None
    ) -> sides.CountedSides:
        encoder = Encoder("13a", lowercase=False)  # lowercasing is up to each language
        options = {"cefr": self.cefr, "content_words": self.content_words}
        count_word = functools.partial(_count_word, language=self.language, **options)

        def count(texts: list[str]) -> Floats:
            return encoder.sum_counts(encoder.encode(texts), count_word, _WIDTH)

        return sides.count_sides(count, sources, references)

    def statistics(self, prepared: sides.CountedSides, predictions: list[str]) -> Floats:
        """Return the sum of hundredths of Zipf, and counts of words, of each side."""
        return prepared.beside(predictions)

    def statistic_names(self, width: int) -> list[str]:
        return [*sides.side_names(("zipf_hundredths", *_SHARES, *_CEFR))]

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Ratios of summed statistics; of predictions and sources the words are integers."""
        scores: dict[str, Any] = {}
        for side, counts in sides.by_side(self.by_name(totals)).items():
            words, levelled, rare = (
                sum(counts[name] for name in of) for of in (_SHARES, _LEVELS, _RARE)
            )
            weighted = sum(level * counts[name] for level, name in enumerate(_LEVELS, 1))
            known = words - counts["zipf_unknown"]
            scores[f"{side}mean_zipf"] = divide(counts["zipf_hundredths"] / 100, known)
            scores[f"{side}rare_share"] = divide(rare, words)
            scores[f"{side}mean_cefr"] = divide(weighted, levelled)
            scores |= {side + name: divide(counts[name], words) for name in (*_SHARES, *_CEFR)}
            scores[f"{side}words"] = sides.whole(words, side)
        return scores


@functools.lru_cache(2**16)
def _count_word(token: str, language: str, cefr: bool, content_words: bool) -> tuple[int, ...]:
    """Count a token: hundredths of Zipf, each band and unknown, each level and unknown."""
    counts = [0] * _WIDTH
    wordfreq, word = require("wordfreq", extra="languages"), bare_word(token, language)
    parts = wordfreq.tokenize(word, language) if content_words else ()
    if word and not (parts and _stop_words(language).issuperset(parts)):
        hundredths = counts[0] = round(100 * wordfreq.zipf_frequency(word, language))
        band = 6 - min(max(hundredths // 100, 1), 6) if hundredths else len(_BANDS)
        counts[1 + band] = 1
        if cefr:
            counts[len(_SHARES) + _level(word)] = 1
    return tuple(counts)


def _languages() -> list[str]:
    """Return the languages of wordfreq that need no segmenter."""
    every = require("wordfreq", extra="languages").available_languages()
    about = require("wordfreq.language_info", extra="languages").get_language_info
    return sorted(language for language in every if about(language)["tokenizer"] == "regex")


def bare_word(token: str, language: str) -> str:
    """Return the word to look up for a token, or "" if it is no word."""
    if language == "en":
        token = _CLITIC.sub("", token)
        token = _BEFORE_NOT.get(token.lower(), token)  # after n't was cut off
    lettered = any(map(str.isalpha, token)) and not _BRACKET.fullmatch(token)
    return token if lettered else ""


@functools.cache
def _stop_words(language: str) -> frozenset[str]:
    return frozenset(itertools.islice(lettered_words(language), STOP_WORDS))


@functools.lru_cache(2**16)
def _level(word: str) -> int:
    """1 to 6, 7 if unknown: of the word's parts the hardest, of each its easiest part of speech."""
    by_tag = _levels().get_pos_level_dict_for_word
    folded = unicodedata.normalize("NFKD", word.lower())  # the list has no accents
    plain = "".join(c for c in folded if not unicodedata.combining(c))
    try:
        levels = [by_tag(part, word_level_as_float=True) for part in _PART.findall(plain)]
    except IndexError:  # cefrpy raises it for words beyond the end of its list
        levels = [None]
    if not all(levels):
        return len(LEVELS) + 1
    return int(max(round(min(of_part.values())) for of_part in levels))


@functools.cache
def _levels() -> Any:
    return require("cefrpy", extra="languages").CEFRAnalyzer()
