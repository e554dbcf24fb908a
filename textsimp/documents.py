"""Corpora of documents and their simplifications: sizes, word odds, sentence operations.

The analyses of Sun, Jin & Wan 2021 ("Document-Level Text Simplification: Dataset, Criteria and
Baseline", EMNLP). Every function takes the documents in one of three forms:

- a `datasets.Dataset`, whose columns are named by ``source`` and ``target``;
- a `datasets.DatasetDict` of such: the result is one per split, under the split's name;
- two columns of strings: ``corpus_statistics(sources, targets)``.

Results are plain dicts of ints and floats. A ratio of nothing to nothing is NaN.
"""

from __future__ import annotations

import bisect
import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from textsimp.columns import InputError, check_lengths, nearest, texts
from textsimp.extras import require
from textsimp.text.sentence_alignment import LEXICAL, AlignerLike, Links, get_aligner
from textsimp.text.sentences import DEFAULT_SPLITTER, get_splitter
from textsimp.text.tokenizers import TOKENIZERS, Encoder

OPERATIONS = ("joined", "split", "deleted", "added", "reordered")

_Function = TypeVar("_Function", bound=Callable[..., Any])
_SplitText = Callable[[str], list[str]]


def _each_split(function: _Function) -> _Function:
    """Let a function of one Dataset take a DatasetDict too."""

    @functools.wraps(function)
    def wrapped(data: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(data, dict):
            return function(data, *args, **kwargs)
        results = {}
        for name, part in data.items():
            try:
                results[name] = function(part, *args, **kwargs)
            except InputError as error:
                raise InputError(f"split {name}: {error}") from None
        if all(hasattr(result, "column_names") for result in results.values()):
            return type(data)(results)
        return results

    return cast(_Function, wrapped)


@_each_split
def corpus_statistics(
    data: Any,
    targets: Any = None,
    *,
    source: str = "source",
    target: str = "target",
    splitter: str | _SplitText = DEFAULT_SPLITTER,
    tokenizer: str = "13a",
) -> dict[str, Any]:
    """Sizes of a corpus of documents and their simplifications (the paper's Table 5).

    Args:
        data: Documents, see the module's docstring.
        targets: Their simplifications, when ``data`` is a column of strings.
        source: The column of documents in a Dataset.
        target: The column of simplifications in a Dataset.
        splitter: Sentence splitter, see `textsimp.text.sentences.get_splitter`.
        tokenizer: What counts as a word: the tokens of ``"13a"``, which makes tokenised and
            detokenised text comparable, or of another tokenizer; ``"none"`` splits on white space,
            as the paper does on its tokenised text. Punctuation marks count.

    Returns:
        ``documents``; for both sides, ``source_`` and ``target_``: ``sentences``, ``words``,
        ``sentences_per_document``, ``words_per_document`` and ``words_per_sentence``; and
        ``sentence_compression_ratio`` and ``word_compression_ratio``, totals of the target over
        totals of the source.

    Raises:
        InputError: Columns that are missing, of unequal length or not of strings; unknown
            splitter or tokenizer.
    """
    sources, targets = _pair(data, targets, source, target)
    encoder, splitting = _encoder(tokenizer), get_splitter(splitter)
    result: dict[str, Any] = {"documents": len(sources)}
    for side, column in (("source", sources), ("target", targets)):
        sentences = int(splitting.count(column).sum())
        words = len(encoder.encode(column).ids)
        result[f"{side}_sentences"] = sentences
        result[f"{side}_words"] = words
        result[f"{side}_sentences_per_document"] = sentences / len(column)
        result[f"{side}_words_per_document"] = words / len(column)
        result[f"{side}_words_per_sentence"] = _ratio(words, sentences)
    for unit in ("sentence", "word"):
        totals = result[f"target_{unit}s"], result[f"source_{unit}s"]
        result[f"{unit}_compression_ratio"] = _ratio(*totals)
    return result


@_each_split
def odds_ratio(
    data: Any,
    targets: Any = None,
    *,
    words: str | Sequence[str],
    source: str = "source",
    target: str = "target",
    tokenizer: str = "13a",
) -> dict[str, Any]:
    """How much more often the simple side uses a word, or any word of a list (equation 1).

    With n(x) the occurrences of x among the N words of a side,

        odds(x) = n(x) / (N − n(x)),  odds ratio = odds of the target side / odds of the source side

    above 1 if the simplifications prefer the word. Nothing is smoothed: a word that only the
    source has gives 0, one that only the target has infinity, one that neither has NaN. The
    p-value is that of Pearson's chi-square test on the same 2 × 2 table with Yates' continuity
    correction (SciPy's ``chi2_contingency``); NaN for a word that neither side has.

    Args:
        data: Documents, see the module's docstring. Texts are lowercased.
        targets: Their simplifications, when ``data`` is a column of strings.
        words: A word, or a list of them whose occurrences are added up. One token each, of any
            case.
        source: The column of documents in a Dataset.
        target: The column of simplifications in a Dataset.
        tokenizer: What counts as a word, as in `corpus_statistics`.

    Returns:
        ``odds_ratio``, ``p_value``, ``chi2``, ``source_count`` and ``target_count`` of the words
        together; ``source_words`` and ``target_words``, the sizes of both sides; and ``by_word``,
        the first five for each word (lowercased), with ``source_rank`` and ``target_rank``: 1
        plus the number of distinct words that are more frequent on that side, so a word that a side
        lacks comes after all that it has.

    Raises:
        InputError: As `corpus_statistics`; also no word, or one that isn't exactly one token.
        ImportError: SciPy is not installed (extra ``documents``).
    """
    sources, targets = _pair(data, targets, source, target)
    encoder = _encoder(tokenizer)
    listed = texts([words] if isinstance(words, str) else words, "words")
    ids = {word.strip().lower(): _single_token(word, encoder) for word in listed}
    sides = [encoder.encode(column).ids for column in (sources, targets)]
    source_counts, target_counts = (
        np.bincount(s, minlength=len(encoder.vocabulary)) for s in sides
    )

    def compare(chosen: list[int]) -> dict[str, Any]:
        counts = [int(side[chosen].sum()) for side in (source_counts, target_counts)]
        return _compare(*counts, *map(len, sides))

    by_word = {}
    for word, i in ids.items():
        by_word[word] = compare([i])
        by_word[word]["source_rank"] = 1 + int((source_counts > source_counts[i]).sum())
        by_word[word]["target_rank"] = 1 + int((target_counts > target_counts[i]).sum())
    return {
        **compare(sorted(set(ids.values()))),
        "source_words": len(sides[0]),
        "target_words": len(sides[1]),
        "by_word": by_word,
    }


@_each_split
def drop_long(
    data: Any,
    targets: Any = None,
    *,
    max_words: int = 1000,
    source: str = "source",
    target: str = "target",
    tokenizer: str = "13a",
) -> Any:
    """Leave out documents that have more than ``max_words`` words on either side.

    Args:
        data: Documents, see the module's docstring.
        targets: Their simplifications, when ``data`` is a column of strings.
        max_words: The longest that stays.
        source: The column of documents in a Dataset.
        target: The column of simplifications in a Dataset.
        tokenizer: What counts as a word, as in `corpus_statistics`.

    Returns:
        What was given, in its order: a Dataset or DatasetDict with all its columns, or the lists
        ``(sources, targets)``.

    Raises:
        InputError: As `corpus_statistics`; also a negative ``max_words``.
    """
    if isinstance(max_words, bool) or not isinstance(max_words, int) or max_words < 0:
        raise InputError(f"max_words: expected a number of words, 0 or more, got {max_words!a}")
    sources, columns = _pair(data, targets, source, target)
    encoder = _encoder(tokenizer)
    longest = np.maximum(
        *(np.diff(encoder.encode(column).offsets) for column in (sources, columns))
    )
    rows = np.flatnonzero(longest <= max_words).tolist()
    if hasattr(data, "column_names"):
        return data.select(rows)
    return [sources[i] for i in rows], [columns[i] for i in rows]


@_each_split
def sentence_operations(
    data: Any,
    targets: Any = None,
    *,
    source: str = "source",
    target: str = "target",
    splitter: str | _SplitText = DEFAULT_SPLITTER,
    aligner: AlignerLike = LEXICAL,
    threshold: float | None = None,
    links: str = "best",
    monotone: bool = False,
) -> dict[str, Any]:
    """Estimate how sentences were joined, split, deleted, added and reordered (Tables 3–4).

    Counted on the automatic alignment that `align_sentences` makes, with its limits.

    Args:
        data: Documents, see the module's docstring.
        targets: Their simplifications, when ``data`` is a column of strings.
        source: The column of documents in a Dataset.
        target: The column of simplifications in a Dataset.
        splitter: Sentence splitter, see `textsimp.text.sentences.get_splitter`.
        aligner: See `align_sentences`.
        threshold: See `align_sentences`.
        links: See `align_sentences`.
        monotone: See `align_sentences`.

    Returns:
        ``documents``, ``source_sentences``, ``target_sentences`` and the numbers of sentences

        - ``joined``: target sentences aligned with two or more source sentences;
        - ``split``: source sentences aligned with two or more target sentences;
        - ``deleted``: source sentences aligned with none;
        - ``added``: target sentences aligned with none;
        - ``reordered``: the fewest aligned target sentences to take out for the others to follow
          the order of the source, each standing for the source sentence it is most similar to;

        and of each, ``documents_with_joined`` and so on: the number of documents that have any.

    Raises:
        InputError: As `corpus_statistics` and `align_sentences`.
    """
    sources, targets = _pair(data, targets, source, target)
    aligning = get_aligner(aligner, threshold=threshold, links=links, monotone=monotone)
    splitting = get_splitter(splitter)
    sides = [[splitting.sentences(text) for text in column] for column in (sources, targets)]
    counts = np.array([_operations(found) for found in aligning.align(*sides)])
    return {
        "documents": len(sources),
        "source_sentences": sum(map(len, sides[0])),
        "target_sentences": sum(map(len, sides[1])),
        **dict(zip(OPERATIONS, counts.sum(0).tolist(), strict=True)),
        **{
            f"documents_with_{name}": int(n)
            for name, n in zip(OPERATIONS, (counts > 0).sum(0), strict=True)
        },
    }


def align_sentences(
    source_sentences: Any,
    target_sentences: Any,
    threshold: float | None = None,
    *,
    aligner: AlignerLike = LEXICAL,
    links: str = "best",
    monotone: bool = False,
) -> list[tuple[int, int]]:
    """Align the sentences of one document with those of its simplification.

    `textsimp.text.sentence_alignment.get_aligner` says how. A sentence can be aligned with several,
    which come from being split or joined.

    Limits of the lexical aligner: it sees words, not meaning. A sentence all of whose content words
    were replaced counts as deleted and added; a part of a split sentence that adds only what the
    rest of the document implies counts as added; sentences that repeat one another can be aligned
    crosswise and then count as split or joined.

    Args:
        source_sentences: The document's sentences, a list of strings.
        target_sentences: Its simplification's.
        threshold: Similarity from which sentences may be aligned, above 0 and at most 1; None for
            the aligner's own, 0.15.
        aligner: See `get_aligner`.
        links: See `get_aligner`.
        monotone: See `get_aligner`.

    Returns:
        Pairs (index in source_sentences, index in target_sentences), sorted.

    Raises:
        InputError: Not lists of strings, or see `get_aligner`.
    """
    sources = texts(source_sentences, "source_sentences")
    targets = texts(target_sentences, "target_sentences")
    aligning = get_aligner(aligner, threshold=threshold, links=links, monotone=monotone)
    (found,) = aligning.align([sources], [targets])
    return [(int(i), int(j)) for i, j in np.argwhere(found > -np.inf)]


def _pair(data: Any, targets: Any, source: str, target: str) -> tuple[list[str], list[str]]:
    if hasattr(data, "column_names") and hasattr(data, "select"):
        if targets is not None:
            raise InputError("targets: expected none beside a Dataset, which has its own column")
        for name in (source, target):
            if name not in data.column_names:
                columns = ", ".join(data.column_names)
                raise InputError(f"column {name!a}: the dataset has none; it has {columns}")
        return texts(data[source], source), texts(data[target], target)
    if targets is None:
        raise InputError(
            "targets: expected a column of strings beside the column of sources; without it, "
            f"expected a Dataset or DatasetDict, got {type(data).__name__}"
        )
    pair = texts(data, "sources"), texts(targets, "targets")
    check_lengths(sources=pair[0], targets=pair[1])
    return pair


def _encoder(tokenizer: str) -> Encoder:
    if not isinstance(tokenizer, str) or tokenizer not in TOKENIZERS:
        names = ", ".join(TOKENIZERS)
        meant = nearest(tokenizer, TOKENIZERS)
        raise InputError(f"tokenizer: expected one of {names}, got {tokenizer!a}{meant}")
    return Encoder(tokenizer, lowercase=True)


def _ratio(numerator: int, denominator: int) -> float:
    return numerator / denominator if denominator else math.nan


def _single_token(word: str, encoder: Encoder) -> int:
    ids = encoder.encode([word]).ids
    if len(ids) != 1:
        raise InputError(f"words: expected one token each, got {len(ids)} in {word!a}")
    return int(ids[0])


def _compare(
    source_count: int, target_count: int, source_words: int, target_words: int
) -> dict[str, Any]:
    contingency = require("scipy.stats.contingency", extra="documents")
    table = np.array(
        [
            [target_count, target_words - target_count],
            [source_count, source_words - source_count],
        ]
    )
    chi2 = p_value = math.nan
    if table.sum(0).all() and table.sum(1).all():
        chi2, p_value = map(float, contingency.chi2_contingency(table)[:2])
    return {
        "odds_ratio": float(contingency.odds_ratio(table, kind="sample").statistic),
        "p_value": p_value,
        "chi2": chi2,
        "source_count": source_count,
        "target_count": target_count,
    }


def _operations(links: Links) -> tuple[int, ...]:
    """The numbers of OPERATIONS in one document."""
    aligned = links > -np.inf
    per_source, per_target = aligned.sum(1), aligned.sum(0)
    order = [int(links[:, j].argmax()) for j in np.flatnonzero(per_target)]
    tails: list[int] = []  # the least end of a non-decreasing subsequence of each length
    for position in order:
        place = bisect.bisect_right(tails, position)
        tails[place : place + 1] = [position]
    return (
        int((per_target > 1).sum()),
        int((per_source > 1).sum()),
        int((per_source == 0).sum()),
        int((per_target == 0).sum()),
        len(order) - len(tails),
    )
