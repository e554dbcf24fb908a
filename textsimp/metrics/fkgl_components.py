"""FKGL, the Flesch-Kincaid grade level, and the numbers it is made of.

The formula is from Kincaid et al. (1975). That its components should be reported instead is from
Tanprasert & Kauchak (2021).
"""

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.examples import Examples, count_texts
from textsimp.core.metric import Floats, Metric, divide
from textsimp.core.option import option
from textsimp.metrics import options, sides, textstat
from textsimp.text.languages import LanguageProfile, language_reads
from textsimp.text.sentences import DEFAULT_SPLITTER, SPLITTERS, get_splitter
from textsimp.text.syllables import is_spoken
from textsimp.text.tokenizers import Encoder

__all__ = ["FkglComponents"]

RATIOS = ("fkgl", "words_per_sentence", "syllables_per_word")
SUMS = ("sentences", "words", "syllables")

_OF_TOKENS = ("spoken", "tokens")  # values of `words`; others take words from the text as it is

_CountSentences = Callable[[list[str]], Sequence[int] | NDArray[np.int64]]


@dataclass(frozen=True)
class FkglComponents(Metric):
    """FKGL = 0.39 · words / sentences + 11.8 · syllables / words − 15.59, and its components.

    All values are of the corpus: sums over all examples and ratios of these. Only with
    ``aggregation="mean"`` is ``fkgl`` the mean of the examples' FKGLs. If an example has several
    references, its counts are their means.

    A word (``words="spoken"``) is a 13a token with a syllable. This excludes punctuation, brackets
    of tokenized corpora (``-lrb-``) and clitics (``'s``), so a text scores the same tokenized and
    detokenized. A text with words has at least one sentence; one without words has an FKGL of 0.

    Example:
        >>> from textsimp import FkglComponents
        >>> scores = FkglComponents.preset().score(
        ...     sources=["The cat, which was old, perched upon the mat."],
        ...     predictions=["The cat was old. It sat on the mat."],
        ... )
        >>> scores["words"], scores["sentences"], scores["syllables"], scores["split_rate"]
        (9, 2, 9, 1.0)
        >>> round(scores["fkgl"], 3), round(scores["source_fkgl"], 3)
        (-2.035, 1.031)
    """

    name: ClassVar[str] = "fkgl_components"
    about: ClassVar[str] = (
        "the readability grade and its parts, which must not rank systems; its default is "
        "textsimp's count, not EASSE's FKGL: that is `variant=\"easse\"`, on ASSET two grades lower"
    )
    papers: ClassVar = ("tanprasert-kauchak-2021-flesch", "kincaid-etal-1975-derivation")
    people: ClassVar[str] = (
        "it describes, and must not rank systems: by single outputs the correlation with "
        "people's ratings of simplicity runs from −.40 [−.49, −.29] on one set to "
        ".12 [.04, .20] on another"
    )
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES.optional)
    presets: ClassVar = {
        "default": Preset(
            "words are tokens with a syllable, counted with a table and rules",
            own="textsimp's count",
        ),
        "easse": Preset(
            "EASSE's: of lowercased 13a tokens, punctuation included, and not below 0",
            {"normalize": True, "words": "tokens", "syllables": "easse", "clip": True},
        ),
        "paper": Preset(
            "the scripts behind Tanprasert and Kauchak (2021); a text is split if it has more "
            "periods than its source",
            {
                "splitter": "stop-tokens",
                "words": "readability_scripts",
                "syllables": "readability_scripts",
                "rounding": "integer_length",
            },
        ),
        "textstat": Preset(
            "textstat 0.7.4 and 0.7.3, of all texts as one",
            {
                "splitter": "textstat",
                "words": "textstat",
                "syllables": "textstat-en_US",
                "rounding": "one_decimal",
            },
            version="0.7.4",
        ),
        "textstat_0_7_13": Preset(
            "textstat 0.7.13, the mean of the texts' FKGLs",
            {
                "splitter": "textstat",
                "words": "textstat_0_7_13",
                "syllables": "cmudict",
                "aggregation": "mean",
            },
        ),
    }
    scores: ClassVar = (
        Score(
            "fkgl",
            "FKGL",
            "Flesch-Kincaid grade level; easily gamed, so not to rank by",
            least=None,
            most=None,
        ),
        Score("words_per_sentence", "Words per sentence", "", most=None, decimals=1),
        Score("syllables_per_word", "Syllables per word", "", most=None),
        Score("sentences", "Sentences", "total number", most=None, unit="sentences", decimals=0),
        Score("words", "Words", "total number", most=None, unit="words", decimals=0),
        Score("syllables", "Syllables", "total number", most=None, unit="syllables", decimals=0),
        Score.share(
            "split_rate", "Split rate", "share of texts with more sentences than their source"
        ),
    )

    splitter: options.SplitterLike = options.splitter(
        about=f"{options.SPLITTER}; or `stop-tokens` or `textstat`, as in the variants `paper` and "
        "`textstat`",
        names=(*SPLITTERS, "stop-tokens", "textstat"),
        label=lambda s: _sentence_counter(s)[0],
    )
    tokenizer: options.TokenizerLike = options.tokenizer(
        about=f"{options.TOKENIZER}; used by `words` `spoken` and `tokens`",
        always=False,
        only_with={"words": _OF_TOKENS},
    )
    normalize: bool = option(
        False,
        about="whether to lowercase and tokenise the text before it is split into sentences",
        only_with={"words": _OF_TOKENS},
    )
    words: str = option(
        about="`spoken`: tokens with a syllable; `tokens`: all of them, punctuation too; "
        "`readability_scripts`; `textstat`; `textstat_0_7_13`, with the apostrophe of `don't`",
        choices=(*_OF_TOKENS, "readability_scripts", "textstat", "textstat_0_7_13"),
    )
    syllables: str = option(
        "textsimp",
        about="`textsimp`; `easse` and `readability_scripts`, two forms of the published rule; "
        "`cmudict`, the CMU Pronouncing Dictionary, and hyphenation points for words that it lacks "
        "(extra `languages`); `pyphen-<language>` and `textstat-<language>` for other languages "
        "(extra `languages`)",
        tag="syll",
        always=True,
    )
    rounding: str = option(
        about="`none`; `integer_length`: FKGL uses words per sentence truncated to an integer, but "
        "the ratio is reported; `one_decimal`: the ratios are rounded, and so is the FKGL that is "
        "computed from them",
        choices=("none", "integer_length", "one_decimal"),
    )
    clip: bool = option(False, about="whether to report 0 for an FKGL below 0")
    aggregation: str = option(
        about="`joined`: FKGL of all texts as one; `mean`: the mean of the texts' FKGLs",
        choices=("joined", "mean"),
        often_unreported=True,
    )
    sentences: int | None = option(
        None,
        about="a known number of sentences of all predictions; examples share it in proportion to "
        "their own",
        only_with={"aggregation": ("joined",)},
        least=1,
        most=10**12,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        textstat.syllable_counter(self.syllables)
        across = self.words in _PUBLISHED_WORDS or self.splitter in _PUBLISHED_COUNTERS
        apart = self._averages or not across
        vars(self)["independent_rows"] = apart and self.sentences is None

    @property
    def _averages(self) -> bool:
        return self.aggregation == "mean"

    def cache_keys(self) -> tuple[Any, Any]:
        """What is counted; rounding and clipping come after, unless FKGLs are averaged."""
        words = (self.tokenizer, self.normalize, self.words, self.syllables)
        of_each = (self.rounding, self.clip) if self._averages else ()
        return (*words, self.splitter, self.variant == "paper", of_each), self.sentences

    def misfit(self, texts: LanguageProfile) -> str:
        """Say that the formula is for English."""
        english = language_reads("en", texts)
        return "" if english else "FKGL is a formula for English, take readability"

    def doubts(self, examples: Examples) -> str:
        """Say that texts without a final stop are one sentence with what follows them."""
        if self.splitter not in _PUBLISHED_COUNTERS or self._averages:
            return ""
        unended = count_texts(self, examples, _is_unended, share=1 / 20)
        return unended and (
            f"splitter={self.splitter!r} of {self.name} joins texts without a final stop to the "
            f"next ones, here {unended}: give splitter={DEFAULT_SPLITTER!r}"
        )

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """``fkgl``, its components and their sums; ``split_rate``; the same of other columns."""
        names = sides.side_names([*RATIOS, *SUMS, "split_rate"], shared)
        left_out = "source_split_rate" if "sources" in shared else "split_rate"
        return tuple(name for name in names if not name.endswith(left_out))

    def prepare(
        self, sources: list[str] | None, references: list[list[str]] | None
    ) -> sides.CountedSides:
        """Count sources and references; whether it was split stands last in a reference's row."""
        count = functools.partial(self._count, Encoder(self.tokenizer, self.normalize))
        of_sources = None if sources is None else count(sources)
        if references is None:
            return sides.CountedSides(count, of_sources, None)
        sizes = np.array([*map(len, references)])
        counts = np.empty((sizes.sum(), 4 + self._averages))
        for i in range(sizes.max()):  # the i-th references are a text, as predictions are
            examples = np.flatnonzero(sizes > i)
            texts = [references[k][i] for k in examples.tolist()]
            counts[sides.starts(sizes)[examples] + i] = count(texts)
        least = np.inf if of_sources is None else np.repeat(of_sources[:, -1], sizes)
        counts[:, -1] = counts[:, -1] > least
        return sides.CountedSides(count, of_sources, sides.mean_references(counts, sizes))

    def statistics(self, prepared: sides.CountedSides, predictions: list[str]) -> Floats:
        """Return counts of each side, zeros for missing columns; what was split; 1.

        The presets ``paper`` and ``textstat`` read all texts as one, with a line each. A word or
        sentence across lines counts for the line in which it begins, so the sums are exactly those
        of the whole. Resampled lines keep their counts.
        """
        counts, ones = prepared.count(predictions), np.ones(len(predictions))
        sources, references = prepared.others(counts)
        split = counts[:, -1] > (np.inf if prepared.sources is None else sources[:, -1])
        if self.sentences is not None:  # each example has a share in proportion to its own
            own = counts[:, 0] if counts[:, 0].any() else ones
            counts[:, 0] = self.sentences * own / own.sum()
        rows = [side[:, :-1] for side in (counts, sources, references)]
        return np.column_stack([*rows, split, references[:, -1], ones])

    def statistic_names(self, width: int) -> list[str]:
        of_side = (*SUMS, "fkgl") if self._averages else SUMS
        return [*sides.side_names(of_side), "split", "reference_split", "examples"]

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Scores of summed statistics; of predictions and sources the sums are integers."""
        scores: dict[str, Any] = {}
        totals_of = sides.by_side(self.by_name(totals))
        for side, sums in totals_of.items():
            no_sentence = (sums["words"] > 0) & (sums["sentences"] == 0)
            sums["sentences"] = np.where(no_sentence, 1.0, sums["sentences"])
            ratios = self._ratios(*(sums[name] for name in SUMS))
            scores |= {side + name: value for name, value in zip(RATIOS, ratios, strict=True)}
            scores |= {side + name: sides.whole(sums[name], side) for name in SUMS}
            if self._averages:
                scores[f"{side}fkgl"] = divide(sums["fkgl"], totals_of[""]["examples"])
            if side != "source_":
                scores[f"{side}split_rate"] = divide(sums["split"], totals_of[""]["examples"])
        if self.sentences is not None:
            scores["sentences"] = np.round(totals_of[""]["sentences"], 6)
        return scores

    def _ratios(self, sentences: Floats, words: Floats, syllables: Floats) -> tuple[Floats, ...]:
        """FKGL, words per sentence and syllables per word, as the rounding's program prints them.

        textstat prints the rounded ratios that its formula takes. The literature's scripts cut down
        what the formula takes (to 14, say) and print the ratio itself (14.392).
        """
        rounds = self.rounding == "one_decimal"
        length, per_word = divide(words, sentences), divide(syllables, words)
        if rounds:
            length, per_word = (textstat.rounded(ratio, 1) for ratio in (length, per_word))
        cut_length = length
        if self.rounding == "integer_length":
            cut_length = np.floor(length + 1e-9)  # means and shares are not exact
        fkgl = 0.39 * cut_length + 11.8 * per_word - 15.59
        if rounds:
            fkgl = textstat.rounded(fkgl, 1)
        if self.clip:
            fkgl = np.maximum(fkgl, 0.0)
        graded = syllables > 0 if self.words == "textstat_0_7_13" else words > 0
        if self._averages and rounds:  # textstat 0.7.4 has -15.7 for an empty text
            graded = np.full_like(graded, True)
        return np.where(graded, fkgl, 0.0), length, per_word

    def _count(self, encoder: Encoder, texts: list[str]) -> Floats:
        """(n, 4) sentences, words, syllables, and what a text that was split has more of.

        Before the last stand the FKGLs of the texts, if these are averaged.
        """
        counts = np.empty((len(texts), 4))
        count_syllables = functools.cache(textstat.syllable_counter(self.syllables))
        if self.words in _PUBLISHED_WORDS:
            count_words = _PUBLISHED_WORDS[self.words]
            counts[:, 1:3] = self._read(lambda some: count_words(some, count_syllables), texts)
        else:
            tokens, every = encoder.encode(texts), self.words == "tokens"

            def count(token: str) -> tuple[int, int]:
                return (1, count_syllables(token)) if every or is_spoken(token) else (0, 0)

            counts[:, 1:3] = encoder.sum_counts(tokens, count, 2)
            if self.normalize:
                texts = [*map(" ".join, encoder.decode(tokens))]
        _, count_sentences = _sentence_counter(self.splitter)
        counts[:, 0] = counts[:, 3] = self._read(count_sentences, texts)
        if self.variant == "paper":
            counts[:, 3] = [text.count(".") for text in texts]
        if self._averages:
            counts[:, 0] = np.maximum(counts[:, 0], counts[:, 1] > 0)  # a text with words has one
            fkgl, *_ = self._ratios(*counts[:, :3].T)
            counts = np.insert(counts, 3, fkgl, axis=1)
        return counts

    def _read(self, count: Callable[[list[str]], Any], texts: list[str]) -> Any:
        """Count texts as one, or each by itself if their FKGLs are averaged."""
        if not self._averages:
            return count(texts)
        return np.concatenate([count([text]) for text in texts])


# Sentences ---------------------------------------------------------------------------------------


def _sentence_counter(splitter: Any) -> tuple[str, _CountSentences]:
    if isinstance(splitter, str) and splitter in _PUBLISHED_COUNTERS:
        return splitter, _PUBLISHED_COUNTERS[splitter]
    chosen = get_splitter(splitter)
    return chosen.name, chosen.count


def _count_stop_tokens(texts: list[str]) -> list[int]:
    return [sum(map(text.split().count, ".?!")) for text in texts]


def _is_unended(text: str) -> bool:
    """Whether a word stands behind the last stop."""
    return any(map(str.isalnum, re.split("[.!?]", text)[-1]))


_PUBLISHED_COUNTERS: dict[str, _CountSentences] = {
    "stop-tokens": _count_stop_tokens,
    "textstat": textstat.count_sentences,
}

# Words and syllables -----------------------------------------------------------------------------

# The scripts' pattern is \W+|\$[\d\.]+|\S+; its second part can't match, because \W+ takes the $.
_SCRIPT_TOKENS = re.compile(r"\W+|\S+")
_LEADING = re.compile(r"\A\W+")
_DROPPED = {".", ",", "!", "?", " "}
_UNPOINTED = str.maketrans("", "", ".,!?")


def _count_script_words(texts: list[str], count_syllables: textstat.CountSyllables) -> Floats:
    """(n, 2) words and syllables by the scripts' regular expression, which reads across lines."""

    @functools.cache
    def syllables(token: str) -> int:
        word = token.translate(_UNPOINTED).strip()
        return max(1, count_syllables(word)) if word.isalnum() else 0

    counts = np.empty((len(texts), 2))
    for i, text in enumerate(texts):
        line = f"{text}\n"
        if i > 0:  # what stands before the first word belongs to the line before
            line = _LEADING.sub("", line)
        tokens = [t for t in _SCRIPT_TOKENS.findall(line) if t not in _DROPPED]
        counts[i] = len(tokens), sum(map(syllables, tokens))
    return counts


_PUBLISHED_WORDS = {
    "readability_scripts": _count_script_words,
    "textstat": textstat.count_words_and_syllables,
    "textstat_0_7_13": textstat.count_contracted_words,
}
