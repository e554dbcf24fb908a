"""Word transformations for Hugging Face evaluate; it is ``textsimp.WordTransformations``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.word_transformations


class WordTransformations(textsimp.hub.module.Module):
    """How well words are deleted, moved, replaced, copied and added.

    Examples:

        >>> import textsimp
        >>> word_transformations = textsimp.load("word_transformations")
        >>> result = word_transformations.compute(
        ...     sources=["He subsequently purchased a car."],
        ...     predictions=["He bought a car."],
        ...     references=["He later bought a car."],
        ... )
        >>> round(result["delete"], 2), round(result["replace"], 2), round(result["copy"], 2)
        (0.0, 66.67, 100.0)
    """

    metric_class = textsimp.metrics.word_transformations.WordTransformations

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
