"""All measures of a corpus of documents, as `textsimp documents` prints them."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from textsimp.core.columns import parallel_texts
from textsimp.core.draws import RESAMPLES
from textsimp.core.tables import Grid
from textsimp.documents.corpus_sizes import corpus_statistics, odds_ratio
from textsimp.documents.document_alignment import Alignment, iterate_alignments, sum_operations
from textsimp.documents.documents_tables import make_grids
from textsimp.support.progress import progress
from textsimp.support.version import __version__
from textsimp.text.functions import cache_scope
from textsimp.text.sentence_alignment import LEXICAL, get_aligner, tokenizer_of_words
from textsimp.text.sentences import ALL_SCRIPTS, get_splitter

Linked = Literal["best", "mutual", "all"]


@dataclass(frozen=True)
class Measures:
    """Measures of documents and their simplifications.

    Attributes:
        results: A dict for each target: its name ``target``, ``statistics`` (`corpus_statistics`),
            ``operations`` (`sentence_operations`) and ``odds_ratios`` (`odds_ratio`).
        alignments: A dict for each group of aligned sentences: ``target_name``, ``document`` (from
            1), the operation and the sentences.
        signature: The options, for a paper.
    """

    results: list[dict[str, Any]]
    alignments: list[dict[str, Any]]
    signature: str

    def tables(self) -> dict[str, Grid]:
        """Return title → table, as `textsimp documents` prints them."""
        return make_grids(self.results)


def measure_documents(
    sources: Sequence[str],
    targets: Mapping[str, Sequence[str]],
    *,
    words: Sequence[str] = (),
    tokenizer: str = "13a",
    splitter: str = ALL_SCRIPTS,
    aligner: str = LEXICAL,
    threshold: float | None = None,
    links: Linked = "best",
    monotone: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Measures:
    """Measure documents: sizes, and sentences split, joined, added or moved.

    Args:
        sources: Documents.
        targets: Their simplifications, by the name of their author or system.
        words: Words whose odds ratios are wanted; on the command line also a file with a word per
            line.
        tokenizer: What counts as a word: 13a, intl, char, zh, ja-mecab, ko-mecab, moses, penn or
            none; also for the lexical aligner if it is for texts without spaces.
        splitter: What splits documents into sentences: punkt-all-scripts, punkt-untrained,
            simple-token, nltk-punkt-de and other languages'.
        aligner: What says how similar two sentences are: lexical, or embedding: and a model of
            sentence-transformers, a folder or a name on the Hub.
        threshold: Similarity from which sentences may be aligned, from 0 to 1. Default: the
            aligner's own.
        links: Each sentence is aligned with the best one of the other side, only where that is
            mutual, or with all that are similar.
        monotone: No links that cross, so nothing is reordered.
        resamples: Number of resamples and swaps of documents, for the odds ratios of words.
        seed: Their seed.

    Raises:
        InputError: Columns of unequal lengths or not of strings, or bad options.

    >>> targets = {"ours": ["A hen sat. A boy ran."]}
    >>> measures = measure_documents(["A hen sat and a boy ran."], targets)
    >>> measures.results[0]["operations"]["split"], measures.alignments[0]["operation"]
    (1, 'split')
    """
    sentence_splitter = get_splitter(splitter)
    sentence_aligner = get_aligner(
        aligner,
        threshold=threshold,
        links=links,
        monotone=monotone,
        tokenizer=tokenizer_of_words(tokenizer),
    )
    pairs = {
        name: parallel_texts(sources=sources, targets=column) for name, column in targets.items()
    }
    results: list[dict[str, Any]] = []
    groups: list[dict[str, Any]] = []
    for name, pair in pairs.items():
        statistics = corpus_statistics(*pair, splitter=splitter, tokenizer=tokenizer)
        results.append({"target": name, "statistics": statistics, "operations": {}})
        if words:
            drawing = {"resamples": resamples, "seed": seed}
            odds = odds_ratio(*pair, words=words, tokenizer=tokenizer, **drawing)
            results[-1]["odds_ratios"] = odds
    with cache_scope():
        for result, pair in zip(results, pairs.values(), strict=True):
            iterator = iterate_alignments(pair, sentence_splitter, sentence_aligner)
            title = {"desc": result["target"], "unit": " documents"}
            alignments = [*progress(iterable=iterator, total=len(sources), **title)]
            result["operations"] = sum_operations(alignments)
            for document, alignment in enumerate(alignments, 1):
                place = {"target_name": result["target"], "document": document}
                groups += ({**place, **group} for group in _describe_groups(alignment))
    options = {
        "tok": tokenizer,
        "splitter": sentence_splitter.name,
        "aligner": sentence_aligner.name,
        "threshold": sentence_aligner.threshold,
        "links": links,
        "monotone": "yes" if monotone else None,
    }
    chosen_options = [f"{key}:{value}" for key, value in options.items() if value is not None]
    signature = "|".join(["documents", *chosen_options, f"v:{__version__}"])
    return Measures(results, groups, signature)


def _describe_groups(alignment: Alignment) -> Iterator[dict[str, Any]]:
    """Yield groups of aligned sentences, with the operation on each group."""
    labels, moved = alignment.target_operations(), set(alignment.reordered())
    similarities = dict(zip(alignment.links, alignment.similarities, strict=True))
    for sources, targets in alignment.groups():
        several = len(sources) > 1, len(targets) > 1
        operation = "deleted" if not targets else labels[targets[0]]
        pairs = itertools.product(sources, targets)
        values = [similarities[pair] for pair in pairs if pair in similarities]
        yield {
            "operation": "split and joined" if all(several) else operation,
            "reordered": not moved.isdisjoint(targets),
            "similarity": round(min(values), 4) if values else None,
            "source_sentences": [i + 1 for i in sources],
            "target_sentences": [j + 1 for j in targets],
            "source": [alignment.source[i] for i in sources],
            "target": [alignment.target[j] for j in targets],
        }
