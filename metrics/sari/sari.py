"""SARI for Hugging Face evaluate; the metric itself is ``textsimp.sari``."""

import evaluate

import textsimp.module
import textsimp.sari

_DESCRIPTION = """\
SARI scores simplifications against their sources and references: how well they add, keep and delete
words (n-grams of order 1 to 4). 0 to 100, higher is better. Every published variant is available
under its name and written in the signature that comes with the score.
"""

_CITATION = """\
@article{xu-etal-2016-optimizing,
  title   = {Optimizing Statistical Machine Translation for Text Simplification},
  author  = {Xu, Wei and Napoles, Courtney and Pavlick, Ellie and Chen, Quanze and
             Callison-Burch, Chris},
  journal = {Transactions of the Association for Computational Linguistics},
  volume  = {4},
  pages   = {401--415},
  year    = {2016}
}
@inproceedings{alva-manchego-etal-2019-easse,
  title     = {{EASSE}: Easier Automatic Sentence Simplification Evaluation},
  author    = {Alva-Manchego, Fernando and Martin, Louis and Scarton, Carolina and Specia, Lucia},
  booktitle = {Proceedings of EMNLP-IJCNLP 2019: System Demonstrations},
  pages     = {49--54},
  year      = {2019}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    sources: list of the original texts.
    predictions: list of the simplifications to score, one per source.
    references: list of the reference simplifications: a string or a list of strings per source.
    variant: "easse" (default), "easse_paper", "easse_legacy", "xu", "huggingface" or "joshua".
    tokenizer: "13a", "intl", "moses", "penn" or "none".
    lowercase: lowercase all texts first.
    delete: score deletions by "f1" or "precision".
    orders: average over "all" four n-gram orders or the "existing" ones.
    per_order: also precision, recall and F1 of each operation, a list of one number per order.
    per_example: also <score>_per_example, a list of one number per example.
    confidence: also <score>_interval, a bootstrap interval with this coverage, such as 0.95.
    resamples: number of bootstrap resamples (default 1000).
    seed: seed of the resamples (default 0).
    signature: whether signature is among the results (default True).
    lists: whether results that are lists are (default True). With both False all are numbers.
Returns:
    sari, add, keep, delete: scores from 0 to 100.
    signature: what exactly was computed.
Examples:

    >>> import textsimp
    >>> sari = textsimp.load("sari")
    >>> result = sari.compute(
    ...     sources=["About 95 species are currently accepted."],
    ...     predictions=["About 95 species are now accepted."],
    ...     references=[["About 95 species are now known.", "95 species are now accepted."]],
    ... )
    >>> round(result["sari"], 2)
    78.63
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Sari(textsimp.module.Module):
    """SARI in every published variant."""

    metric_class = textsimp.sari.Sari

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info(
            _DESCRIPTION,
            _CITATION,
            _KWARGS_DESCRIPTION,
            reference_urls=[
                "https://aclanthology.org/Q16-1029",
                "https://aclanthology.org/D19-3009",
            ],
        )
