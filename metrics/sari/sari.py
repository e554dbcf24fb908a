"""SARI for Hugging Face evaluate; the metric is ``textsimp.Sari``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.sari


class Sari(textsimp.hub.module.Module):
    """SARI in every published variant.

    Examples:

        >>> import textsimp
        >>> sari = textsimp.load("sari")
        >>> result = sari.compute(
        ...     sources=["About 95 species are currently accepted."],
        ...     predictions=["About 95 species are now accepted."],
        ...     references=[["About 95 species are now known.", "95 species are now accepted."]],
        ... )
        >>> round(result["sari"], 2)
        78.63
    """

    metric_class = textsimp.metrics.sari.Sari

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
