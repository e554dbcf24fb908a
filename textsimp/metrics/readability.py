"""Readability formulas of twelve languages, and the numbers that they are made of.

`textsimp.metrics.readability_formulas` has the formulas, each with its paper.
"""

import functools
import importlib.metadata
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, Metric, divide
from textsimp.core.option import Option, option
from textsimp.metrics import options, textstat
from textsimp.metrics.readability_formulas import FORMULAS, Formula
from textsimp.metrics.readability_level import WEIGHTS, text_levels
from textsimp.metrics.sides import CountedSides, by_side, count_sides, side_names, whole
from textsimp.support.errors import InputError, check_choice
from textsimp.support.imports import require
from textsimp.text.languages import LANGUAGES, language_reads
from textsimp.text.sentences import DEFAULT_SPLITTER, get_splitter
from textsimp.text.syllables import counter, is_spoken
from textsimp.text.tokenizers import Encoder

__all__ = ["Readability"]

RATIOS = {
    "words_per_sentence": ("words", "sentences"),
    "syllables_per_word": ("syllables", "words"),
    "letters_per_word": ("letters", "words"),
}
_COUNTED = {
    "sentences": "total number",
    "words": "total number",
    "syllables": "total number",
    "letters": "total number",
    "characters": "letters and digits of all words",
    "polysyllables": "words of three syllables or more",
    "monosyllables": "words of one syllable",
    "long_words": "words of more than six letters",
    "difficult_words": "words that aren't on Dale and Chall's list",
}
COUNTS = tuple(_COUNTED)
_LEVEL = ("level", "texts_with_level")  # the sum of texts' levels, and their number


def _papers(of: Iterable[Formula]) -> tuple[str, ...]:
    """Keys of the papers of formulas."""
    return tuple(key for formula in of for key in formula.papers.split())


def _score_count(key: str, about: str) -> Score:
    title, unit = key.replace("_", " ").capitalize(), "words" if about.startswith("words") else key
    return Score(key, title, about, most=None, unit=unit, decimals=0)


_SCORES = (
    Score("lix", "LIX", "words per sentence and the percentage of long words", most=None),
    Score("rix", "RIX", "long words per sentence", most=None),
    Score(
        "flesch_reading_ease",
        "Flesch reading ease",
        "higher is easier, most texts from 0 to 100; each language has its own",
        least=None,
        most=None,
    ),
    Score("ari", "ARI", "automated readability index, a grade", None, None),
    Score("coleman_liau", "Coleman-Liau", "from letters per word, a grade", None, None),
    Score("smog", "SMOG", "a grade from polysyllables per sentence", most=None),
    Score("gunning_fog", "Gunning fog", "from sentences and polysyllables, a grade", most=None),
    Score(
        "dale_chall",
        "Dale-Chall",
        "with `dale_chall`: up to 4.9 is for grade 4 or below, from 9 for college",
        most=None,
    ),
    *(
        Score(f"wiener_{i}", f"Wiener Sachtextformel {i}", "a grade, for German texts", None, None)
        for i in range(1, 5)
    ),
    Score(
        "szigriszt_pazos",
        "Szigriszt-Pazos",
        "perspicuity of Spanish; higher is easier, most texts from 0 to 100",
        least=None,
        most=None,
    ),
    Score("gulpease", "GULPEASE", "for Italian; higher is easier, from 0 to 100", None, None),
    Score("fkgl", "FKGL", "a grade, in the variants of textstat", None, None),
    Score("linsear_write", "Linsear Write", "a grade, by `textstat_0_7_13`", None, None),
    Score(
        "level",
        "Level",
        "with `cefr`: predicted rating by people, 1 is A1, 6 is C2",
        least=None,
        most=None,
    ),
    Score("level_gain", "Level gain", "the source's level minus the output's", None, None),
    Score("words_per_sentence", "Words per sentence", "", most=None, decimals=1),
    Score("syllables_per_word", "Syllables per word", "", most=None),
    Score("letters_per_word", "Letters per word", "", most=None),
    *map(_score_count, _COUNTED, _COUNTED.values()),
)


@dataclass(frozen=True)
class Readability(Metric):
    """Readability formulas, and the counts that they are made of.

    Everything is of the corpus: formulas of sums over all examples, never means of the examples'
    scores. Where an example has several references, its counts are their means.

    A word is a token with a letter or digit; in English one with a syllable, as for
    `FkglComponents`, so that a text has as many words tokenized as detokenized. A text with words
    has at least one sentence; one without words has 0 by every formula.

    Example:
        >>> from textsimp import Readability
        >>> scores = Readability().score(predictions=["The cat was old. It sat on the balcony."])
        >>> scores["words"], scores["sentences"], scores["long_words"], scores["polysyllables"]
        (9, 2, 1, 1)
        >>> round(scores["lix"], 2), round(scores["flesch_reading_ease"], 2)
        (15.61, 98.87)
    """

    name: ClassVar[str] = "readability"
    about: ClassVar[str] = (
        "readability formulas beside FKGL, for English and eleven other languages, and their "
        "parts; they describe, and must not rank systems"
    )
    papers: ClassVar = (
        "tanprasert-kauchak-2021-flesch",
        *_papers(formula for key, formula in FORMULAS["en"].items() if key != "dale_chall"),
    )
    people: ClassVar[str] = (
        "it describes, and must not rank systems: by single outputs the correlation of its "
        "flesch_reading_ease with "
        "people's ratings of simplicity runs from −.14 [−.23, −.06] on one set to "
        ".30 [.19, .41] on another"
    )
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES.optional)
    scores: ClassVar = _SCORES
    presets: ClassVar = {
        "default": Preset(
            "words have a letter or digit, in English a syllable", own="textsimp's count"
        ),
        "textstat_0_7_4": Preset(
            "means over texts of FKGL, Coleman-Liau and Dale-Chall by textstat 0.7.3 or 0.7.4, as "
            "in BioLaySumm (extra `languages`)"
        ),
        "textstat_0_7_13": Preset(
            "means over texts of ten scores by textstat 0.7.13 (extra `languages`)",
            {"aggregation": "mean"},
        ),
    }
    language: str = option(
        "en",
        about="language of the texts, which chooses formulas, syllables and splitter: `en`; `de`, "
        "`es`, `fr`, `it`, `nl`, `ru` (extra `languages`); `da`, `fi`, `nb`, `pt`, `sv` for LIX "
        "and RIX only",
        suggestions=tuple(FORMULAS),
        tag="lang",
        always=True,
        reads=language_reads,
    )
    splitter: options.SplitterLike = options.splitter()
    tokenizer: str = options.tokenizer(always=False)
    dale_chall: bool = option(
        False,
        about="also `dale_chall`, for English (extra `languages`, which has the list of words)",
    )
    cefr: bool = option(
        False,
        about=f"also `level` and `level_gain`, for {', '.join(f'`{x}`' for x in WEIGHTS)} (extra "
        "`languages`)",
        label=lambda _: f"wordfreq-{importlib.metadata.version('wordfreq')}",
        parse_label=lambda _: True,
        only_with={"variant": ("default",)},
    )

    aggregation: str = option(
        about="with `textstat_0_7_13`: `mean` of the texts' scores; or `joined`, the scores of all "
        "texts as one, without Linsear Write, which reads 100 words",
        choices=("joined", "mean"),
        only_with={"variant": ("textstat_0_7_13",)},
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        get_splitter(self.splitter)
        hint = "; sari, bleu, edit_ops, f1_token and split_f1 take this language"
        others_read_it = self.language in LANGUAGES
        check_choice("language", self.language, [*FORMULAS], hint if others_read_it else "")
        _syllable_counter(self.language)  # fails now if pyphen isn't installed
        program = self._textstat
        if self.dale_chall or program:
            if self.language != "en":
                name = "variant" if program else "dale_chall"
                raise InputError(f"{name}: its words are English, got language={self.language!r}")
            textstat.easy_words()
        if self.cefr:
            if self.language not in WEIGHTS:
                rated = ", ".join(WEIGHTS)
                raise InputError(
                    f"cefr: there are levels of {rated} only, got language={self.language!r}"
                )
            require("wordfreq", extra="languages")
        if program:  # FKGL is the main score
            keys = {score.key: score for score in _SCORES}
            vars(self)["scores"] = tuple(keys[key] for key in program.scores)
            vars(self)["independent_rows"] = program is not textstat.JOINED

    @property
    def _textstat(self) -> textstat.Program | None:
        return textstat.PROGRAMS.get((self.variant, self.aggregation))

    def _usual(self, option: Option) -> Any:
        """The splitter is the language's."""
        if option.name == "splitter":
            english = self.language == "en" or self.language not in LANGUAGES
            return DEFAULT_SPLITTER if english else LANGUAGES[self.language].splitter
        return super()._usual(option)

    def formulas(self) -> dict[str, Formula]:
        """Score → formula."""
        every = FORMULAS[self.language].items()
        return {key: formula for key, formula in every if key != "dale_chall" or self.dale_chall}

    def paper_keys(self) -> tuple[str, ...]:
        """Its papers, with those of the language's formulas."""
        of_level = ("naous-etal-2024-readme", "speer-2022-wordfreq") if self.cefr else ()
        return (self.papers[0], *_papers(self.formulas().values()), *of_level)

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """The language's formulas and all that they are made of; the same of other columns."""
        if self._textstat:
            return side_names(self._textstat.scores, shared)
        used = {part for formula in self.formulas().values() for part in formula.counts}
        own = [*self.formulas(), *(key for key, of in RATIOS.items() if used.issuperset(of))]
        own += [key for key in COUNTS if key in used]
        if not self.cefr:
            return side_names(own, shared)
        compared = [side for side in shared if side != SOURCES.name]
        gains = side_names(["level_gain"], compared) if SOURCES.name in shared else ()
        return (*side_names([*own, "level"], shared), *gains)

    def prepare(
        self, sources: list[str] | None, references: list[list[str]] | None
    ) -> CountedSides:
        count = functools.partial(self._count, Encoder(self.tokenizer, lowercase=False))
        return count_sides(self._textstat.count if self._textstat else count, sources, references)

    def statistics(self, prepared: CountedSides, predictions: list[str]) -> Floats:
        """Return counts, or grades by textstat, of each side; zeros for missing columns."""
        return prepared.beside(predictions)

    def statistic_names(self, width: int) -> list[str]:
        own = (*COUNTS, *_LEVEL) if self.cefr else COUNTS
        return [*side_names(self._textstat.counts if self._textstat else own)]

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Scores of summed counts; of predictions and sources the sums are integers."""
        scores: dict[str, Any] = {}
        reduce = self._textstat.reduce if self._textstat else self._reduce_counts
        for side, counts in by_side(self.by_name(totals)).items():
            scores |= {side + key: value for key, value in reduce(counts).items()}
            if not self._textstat:
                scores |= {side + key: whole(counts[key], side) for key in COUNTS}
        if self.cefr:
            source = scores["source_level"]
            for side in ("", "reference_"):
                level = scores[f"{side}level"]
                both = (source != 0) & (level != 0)  # else there is no text with words
                scores[f"{side}level_gain"] = np.where(both, source - level, 0.0)
        return scores

    def _reduce_counts(self, counts: dict[str, Floats]) -> dict[str, Floats]:
        """Formulas and ratios, and the mean level."""
        scores = {}
        for key, formula in self.formulas().items():
            score = formula(**{part: counts[part] for part in formula.counts})
            scores[key] = np.where(counts["words"] > 0, score, 0.0)
        scores |= {key: divide(counts[of], counts[over]) for key, (of, over) in RATIOS.items()}
        if self.cefr:
            scores["level"] = divide(counts["level"], counts["texts_with_level"])
        return scores

    def _count(self, encoder: Encoder, texts: list[str]) -> Floats:
        """(n, counts) of texts."""
        counts = np.empty((len(texts), len(COUNTS)))
        tokens = encoder.encode(texts)
        count = functools.partial(count_word, language=self.language, difficult=self.dale_chall)
        counts[:, 1:] = encoder.sum_counts(tokens, count, len(COUNTS) - 1)
        worded = counts[:, COUNTS.index("words")] > 0  # by a user's splitter maybe no sentence
        splitter = get_splitter(self.splitter)
        counts[:, 0] = np.maximum(splitter.count(texts), worded)
        if self.cefr:
            levels = text_levels(texts, splitter, encoder, count, self.language)
            counts = np.hstack([counts, levels])
        return counts


# Words ------------------------------------------------------------------------------------------

# A consonant that belongs to the syllable after it, as of French l'homme, qu'il, Italian l'amico.
_ELIDED = re.compile(r"^(?:qu|[bcdfghjklmnpqrstvwxz])['’](?=\w)", re.IGNORECASE)


@functools.lru_cache(2**16)
def count_word(token: str, language: str, difficult: bool) -> tuple[int, ...]:
    """Count a token for `COUNTS`, without sentences; zeros if it is no word."""
    characters = sum(map(str.isalnum, token))
    if not (is_spoken(token) if language == "en" else characters):
        return (0,) * (len(COUNTS) - 1)
    letters = sum(map(str.isalpha, token))
    syllables = _syllable_counter(language)(token)
    return (
        1,
        syllables,
        letters,
        characters,
        syllables >= 3,
        syllables == 1,
        letters > 6,
        difficult and not is_easy(token),
    )


@functools.cache
def _syllable_counter(language: str) -> Callable[[str], int]:
    if "flesch_reading_ease" not in FORMULAS[language]:
        return lambda word: 0
    count = counter(LANGUAGES[language].syllables or "textsimp")
    if language == "en":
        return count
    return lambda word: max(1, count(_ELIDED.sub("", word)))


_ENDINGS = ("s", "es", "n", "ly")
_VOWEL_ENDINGS = ("ed", "en", "ing", "er", "est")  # before them e is lost, consonants double


def is_easy(word: str) -> bool:
    """Return whether a word is on Dale and Chall's list, by the paper's rules except for names."""
    word = word.lower().replace("’", "'").strip(".")
    if word in textstat.easy_words() or f"{word}." in textstat.easy_words():  # such as mrs.
        return True
    if not any(map(str.isalpha, word)):
        return True
    if "-" in word:
        return all(map(is_easy, filter(None, word.split("-"))))
    return not textstat.easy_words().isdisjoint(_stems(re.sub("'s?$", "", word)))


def _stems(word: str) -> Iterator[str]:
    """Yield the words of which a word may be a regular form."""
    yield word
    for ending in (*_ENDINGS, *_VOWEL_ENDINGS):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:
            continue
        yield stem
        if stem.endswith("i"):
            yield f"{stem[:-1]}y"
        if ending in _VOWEL_ENDINGS:
            yield f"{stem}e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]
