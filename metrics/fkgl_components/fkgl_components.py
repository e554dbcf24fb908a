"""The components of FKGL for Hugging Face evaluate; the metric is ``textsimp.FkglComponents``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.fkgl_components


class FkglComponents(textsimp.hub.module.Module):
    """FKGL and its components.

    Examples:

        >>> import textsimp
        >>> fkgl = textsimp.load("fkgl_components")
        >>> result = fkgl.compute(
        ...     sources=["The cat, which was old, perched upon the mat."],
        ...     predictions=["The cat was old. It sat on the mat."],
        ... )
        >>> result["words_per_sentence"], result["syllables_per_word"], result["split_rate"]
        (4.5, 1.0, 1.0)
    """

    metric_class = textsimp.metrics.fkgl_components.FkglComponents

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
