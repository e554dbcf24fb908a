"""Scoring with many processes or machines, which Dask runs (extra ``scale``).

Scores are those of one process, to the last bit. `measure` takes a ``distributed.Client``, or uses
the current one; `textsimp.score` and `textsimp.compare` take what it returns in place of systems.
"""

from textsimp.scale.cluster import connect, measure

__all__ = ["connect", "measure"]
