"""Simplification statistics for Hugging Face evaluate: ``textsimp.SimplificationStats``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.simplification_stats


class SimplificationStats(textsimp.hub.module.Module):
    """What a system does to its sources.

    Examples:

        >>> import textsimp
        >>> stats = textsimp.load("simplification_stats")
        >>> result = stats.compute(
        ...     sources=["About 95 species are currently accepted, and more are found."],
        ...     predictions=["About 95 species are now accepted. More are found."],
        ... )
        >>> result["sentence_splits"], round(result["compression_ratio"], 3)
        (2.0, 0.839)
    """

    metric_class = textsimp.metrics.simplification_stats.SimplificationStats

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
