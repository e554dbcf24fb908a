"""Scoring with many processes or machines, which Dask runs (extra ``scale``).

Scores are those of one process, to the last bit, whatever the partitions. The cluster is the
user's: `statistics` takes a ``distributed.Client``, or uses the current one.
"""

from textsimp.scale.cluster import connect
from textsimp.scale.scoring import measure, statistics

__all__ = ["connect", "measure", "statistics"]
