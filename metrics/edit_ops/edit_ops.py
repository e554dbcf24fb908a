"""Edit operations for Hugging Face evaluate; the metric is ``textsimp.EditOps``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.edit_ops


class EditOps(textsimp.hub.module.Module):
    """Edit operations from sources to predictions and references.

    Examples:

        >>> import textsimp
        >>> edit_ops = textsimp.load("edit_ops")
        >>> result = edit_ops.compute(
        ...     sources=["About 95 species are currently accepted ."],
        ...     predictions=["About 95 species are now accepted ."],
        ... )
        >>> result["replace"], result["keep"], round(result["change_percentage"], 2)
        (1, 6, 14.29)
    """

    metric_class = textsimp.metrics.edit_ops.EditOps

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
