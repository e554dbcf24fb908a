"""Split F1 for Hugging Face evaluate; the metric is ``textsimp.SplitF1``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.split_f1


class SplitF1(textsimp.hub.module.Module):
    """Whether sentences are split where the references split them.

    Examples:

        >>> import textsimp
        >>> split_f1 = textsimp.load("split_f1")
        >>> result = split_f1.compute(
        ...     sources=["The cat, which was old, sat on the mat and the dog slept."],
        ...     predictions=["The cat sat on the mat. The dog slept."],
        ...     references=[["The cat was old. It sat on a mat. The dog slept."]],
        ... )
        >>> round(result["split_f1"], 2)
        66.67
    """

    metric_class = textsimp.metrics.split_f1.SplitF1

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
