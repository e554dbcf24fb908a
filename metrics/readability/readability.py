"""Readability formulas for Hugging Face evaluate; the metric is ``textsimp.Readability``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.readability


class Readability(textsimp.hub.module.Module):
    """Readability formulas and what they are made of.

    Examples:

        >>> import textsimp
        >>> readability = textsimp.load("readability")
        >>> result = readability.compute(
        ...     sources=["The feline, which was venerable, perched upon the mat."],
        ...     predictions=["The cat was old. It sat on the mat."],
        ... )
        >>> result["words_per_sentence"], result["long_words"], result["source_long_words"]
        (4.5, 0, 2)
        >>> round(result["lix"], 1), round(result["source_lix"], 1)
        (4.5, 31.2)
    """

    metric_class = textsimp.metrics.readability.Readability

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
