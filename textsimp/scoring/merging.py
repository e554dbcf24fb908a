"""Statistics of pieces of a corpus, merged."""

import warnings
from collections.abc import Iterable
from pathlib import Path

from textsimp.core import statistics_files
from textsimp.core.metric import Statistics
from textsimp.metrics import catalogue


def merge(files: Iterable[str | Path], rows: int | None = None) -> dict[str, Statistics]:
    """Merge the statistics of pieces that were scored apart.

    Their scores, intervals and tests, by `score` and `compare`, are those of one run on everything,
    to the last bit.

    Args:
        files: Files that `textsimp.save` or ``textsimp score --save-statistics`` wrote, each of
            different examples, or of different systems or metrics of the same examples.
        rows: Number of rows of the whole corpus. Without it, nothing tells if the last piece is
            missing.

    Warns:
        UserWarning: No file has some of the examples.

    Example:
        >>> import tempfile
        >>> import textsimp
        >>> folder = tempfile.mkdtemp()
        >>> sari = textsimp.Sari()
        >>> texts = {"sources": ["A feline sat."], "references": ["A cat sat."]}
        >>> for i, text in enumerate(["A cat sat.", "A feline."]):
        ...     rows = {"predictions": [text], "first_row": i}
        ...     textsimp.save(sari, f"{folder}/{i}.parquet", **rows, **texts)
        >>> merged = textsimp.merge([f"{folder}/0.parquet", f"{folder}/1.parquet"])
        >>> print(textsimp.score(merged, confidence=None))  # doctest: +ELLIPSIS
                     SARI (easse) ↑
        predictions           58.83
        <BLANKLINE>
        sari|variant:easse|...
    """
    merged = statistics_files.merge(files, catalogue.metric)
    gaps = statistics_files.missing(merged, rows)
    if gaps:
        warnings.warn(gaps, stacklevel=2)
    return merged
