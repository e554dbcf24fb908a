"""Lexical substitution for Hugging Face evaluate; it is ``textsimp.LexicalSubstitution``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.lexical_substitution


class LexicalSubstitution(textsimp.hub.module.Module):
    """How well ranked substitutes of complex words match those of annotators.

    Examples:

        >>> import textsimp
        >>> result = textsimp.load("lexical_substitution").compute(
        ...     targets=["erected", "capitulated"],
        ...     gold=[["built", "built", "made"], ["gave in", "surrendered", "gave in"]],
        ...     substitutes=[["raised", "built", "made"], ["surrendered"]],
        ... )
        >>> result["potential_1"], result["potential_3"], result["acc_3_top1"]
        (0.5, 1.0, 0.5)
    """

    metric_class = textsimp.metrics.lexical_substitution.LexicalSubstitution

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
