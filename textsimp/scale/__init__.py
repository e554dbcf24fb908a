"""Scoring with many processes or machines, which Dask runs (extra ``scale``).

Scores are those of one process, to the last bit, whatever the partitions. The cluster is the
user's: `statistics` and `score` take a ``distributed.Client``, or use the current one.
"""

from textsimp.scale.cluster import connect
from textsimp.scale.scoring import measure, score, statistics

__all__ = ["connect", "measure", "score", "statistics"]
