"""SAMSA for Hugging Face evaluate; the metric is ``textsimp.Samsa``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.samsa


class Samsa(textsimp.hub.module.Module):
    """Scenes of the source, each whole in a sentence of its own.

    Examples:

        >>> import textsimp
        >>> samsa = textsimp.load("samsa")
        >>> passage = {
        ...     "words": ["Tom", "bought", "bread", ",", "but", "Eva", "had", "none", "."],
        ...     "scenes": [
        ...         {"words": [0, 1, 2], "relations": [[[1]]], "participants": [[[0]], [[2]]]},
        ...         {"words": [5, 6, 7], "relations": [[[6]]], "participants": [[[5]], [[7]]]},
        ...     ],
        ... }
        >>> result = samsa.compute(
        ...     sources=["Tom bought bread, but Eva had none."],
        ...     predictions=["Tom bought bread. Eva had none."],
        ...     passages=[passage],
        ... )
        >>> result["samsa"], result["samsa_abl"]
        (100.0, 100.0)
    """

    metric_class = textsimp.metrics.samsa.Samsa

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
