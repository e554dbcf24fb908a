"""Word difficulty for Hugging Face evaluate; the metric is ``textsimp.WordDifficulty``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.word_difficulty


class WordDifficulty(textsimp.hub.module.Module):
    """The profile of a text's words by difficulty.

    Examples:

        >>> import textsimp
        >>> word_difficulty = textsimp.load("word_difficulty")
        >>> result = word_difficulty.compute(
        ...     sources=["The feline perched upon the mat."],
        ...     predictions=["The cat sat on the mat."],
        ... )
        >>> round(result["mean_zipf"], 2), round(result["source_mean_zipf"], 2)
        (5.94, 5.13)
    """

    metric_class = textsimp.metrics.word_difficulty.WordDifficulty

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
