"""D-SARI for Hugging Face evaluate; the metric itself is ``textsimp.d_sari``."""

import evaluate

import textsimp.d_sari
import textsimp.module

_DESCRIPTION = """\
D-SARI scores simplifications of whole documents: SARI of each document, with penalties for output
that is too short, too long or has another number of sentences than the reference. 0 to 100, higher
is better; a corpus scores the mean over its documents.
"""

_CITATION = """\
@inproceedings{sun-etal-2021-document,
  title     = {Document-Level Text Simplification: Dataset, Criteria and Baseline},
  author    = {Sun, Renliang and Jin, Hanqi and Wan, Xiaojun},
  booktitle = {Proceedings of the 2021 Conference on Empirical Methods in Natural Language
               Processing},
  pages     = {7997--8013},
  year      = {2021}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    sources: list of the original documents.
    predictions: list of the simplified documents to score, one per source.
    references: list of the reference documents: a string or a list of strings per source.
    variant: "sun" (default), the authors' script, or "corrected".
    splitter: how sentences are counted: "nltk-punkt-untrained" (default), "simple-token", "pysbd",
        or a function from a text to the list of its sentences.
    tokenizer: "13a", "intl", "moses", "penn" or "none".
    penalties: also lp1, lp2, slp (0 to 1) and the plain sari, add, keep, delete.
    per_example: also <score>_per_example, a list of one number per document.
    confidence: also <score>_interval, a bootstrap interval with this coverage, such as 0.95.
    resamples: number of bootstrap resamples (default 1000).
    seed: seed of the resamples (default 0).
    signature: whether signature is among the results (default True).
    lists: whether results that are lists are (default True). With both False all are numbers.
Returns:
    d_sari, d_add, d_keep, d_delete: scores from 0 to 100.
    signature: what exactly was computed.
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


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class DSari(textsimp.module.Module):
    """D-SARI, as published and corrected."""

    metric_class = textsimp.d_sari.DSari

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info(
            _DESCRIPTION,
            _CITATION,
            _KWARGS_DESCRIPTION,
            reference_urls=["https://aclanthology.org/2021.emnlp-main.630"],
        )
