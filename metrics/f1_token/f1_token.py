"""Token F1 for Hugging Face evaluate; the metric is ``textsimp.F1Token``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.f1_token


class F1Token(textsimp.hub.module.Module):
    """Words in common with the most similar reference.

    Examples:

        >>> import textsimp
        >>> f1_token = textsimp.load("f1_token")
        >>> result = f1_token.compute(
        ...     predictions=["The cat sat on the mat."],
        ...     references=[["The cat sat.", "A dog lay on a mat."]],
        ... )
        >>> round(result["f1_token"], 2)
        72.73
    """

    metric_class = textsimp.metrics.f1_token.F1Token

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
