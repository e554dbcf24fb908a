"""D-SARI for Hugging Face evaluate; the metric is ``textsimp.DSari``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.d_sari


class DSari(textsimp.hub.module.Module):
    """D-SARI, as published and corrected.

    Examples:

        >>> import textsimp
        >>> d_sari = textsimp.load("d_sari")
        >>> result = d_sari.compute(
        ...     sources=["the old cat sat on the mat . it was raining , so it stayed there ."],
        ...     predictions=["the cat sat on the mat . it rained ."],
        ...     references=["a cat sat on a mat . it rained ."],
        ... )
        >>> round(result["d_sari"], 2)
        68.17
    """

    metric_class = textsimp.metrics.d_sari.DSari

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
