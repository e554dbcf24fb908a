"""Corpora of documents and their simplifications: sizes, word odds, aligned sentences.

The analyses of Sun, Jin & Wan 2021 ("Document-Level Text Simplification", EMNLP).

- In: two columns of strings, or, for `measure_files`, files.
- Out: plain dicts of ints and floats. A ratio of nothing to nothing is NaN.
- Read ``corpus_sizes.py`` first, then ``document_alignment.py``.
"""

from textsimp.documents.corpus_sizes import corpus_statistics, odds_ratio
from textsimp.documents.document_alignment import (
    OPERATIONS,
    Alignment,
    align_documents,
    align_sentences,
    sentence_operations,
)
from textsimp.documents.document_files import measure_files
from textsimp.documents.measures import Measures, measure_documents

__all__ = [
    "OPERATIONS",
    "Alignment",
    "Measures",
    "align_documents",
    "align_sentences",
    "corpus_statistics",
    "measure_documents",
    "measure_files",
    "odds_ratio",
    "sentence_operations",
]
