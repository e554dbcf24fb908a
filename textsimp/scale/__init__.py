"""Corpora that are scored by many processes or machines, which Dask runs (extra ``scale``).

Everything is equal to what one process computes, to the last bit, whatever the partitions.

A cluster is given as ``client``: a ``distributed.Client``, a scheduler's address, or a number of
processes to start on this machine and to end afterwards. Unless it is given, the current client is
used, or a process per core is started. A script needs no ``if __name__ == "__main__":`` for it.
"""

from textsimp.scale.corpora import annotate, divergence, drop_poor_alignments
from textsimp.scale.scoring import gather, score, statistics

__all__ = [
    "annotate",
    "divergence",
    "drop_poor_alignments",
    "gather",
    "score",
    "statistics",
]
