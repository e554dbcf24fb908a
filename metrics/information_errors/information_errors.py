"""Information errors for Hugging Face evaluate; the metric is ``textsimp.InformationErrors``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.information_errors


class InformationErrors(textsimp.hub.module.Module):
    """What annotators found inserted, deleted, substituted, and how badly.

    Examples:

        >>> import textsimp
        >>> information_errors = textsimp.load("information_errors")
        >>> result = information_errors.compute(
        ...     insertion=[0, [1, 1, 0], 0, None],
        ...     deletion=[0, 2, 1, 0],
        ...     substitution=[0, 0, 0, 0],
        ... )
        >>> result["deletion_2"], result["insertion_labelled"]
        (25.0, 3)
    """

    metric_class = textsimp.metrics.information_errors.InformationErrors

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
