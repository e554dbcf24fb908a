"""Scores while a model trains: at every evaluation of `transformers`, as rewards for TRL.

Nothing is imported from ``transformers``, ``trl`` or ``torch``.
"""

from textsimp.hub.compute_metrics import ComputeMetrics, make_compute_metrics
from textsimp.hub.rewards import Reward, make_reward

__all__ = ["ComputeMetrics", "Reward", "make_compute_metrics", "make_reward"]
