"""The components of FKGL for Hugging Face evaluate; the metric is ``textsimp.readability``."""

import evaluate

import textsimp.module
import textsimp.readability

_DESCRIPTION = """\
FKGL, the Flesch-Kincaid grade level, with what it is made of: words per sentence, syllables per
word, and the numbers of sentences, words and syllables, of the predictions and, if given, of the
sources and references. FKGL alone should not rank simplification systems.
"""

_CITATION = """\
@inproceedings{tanprasert-kauchak-2021-flesch,
  title     = {Flesch-Kincaid is Not a Text Simplification Evaluation Metric},
  author    = {Tanprasert, Teerapaun and Kauchak, David},
  booktitle = {Proceedings of the 1st Workshop on Natural Language Generation, Evaluation, and
               Metrics (GEM 2021)},
  pages     = {1--14},
  year      = {2021}
}
@techreport{kincaid-etal-1975-derivation,
  title       = {Derivation of New Readability Formulas (Automated Readability Index, Fog Count and
                 Flesch Reading Ease Formula) for Navy Enlisted Personnel},
  author      = {Kincaid, J. Peter and Fishburne, Robert P. and Rogers, Richard L. and
                 Chissom, Brad S.},
  institution = {Naval Technical Training Command, Research Branch},
  number      = {8-75},
  year        = {1975}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: list of the simplifications to measure.
    sources: list of the original texts, one per prediction; optional.
    references: list of the reference simplifications, a string or a list of strings per prediction;
        optional.
    variant: "default", "easse", "paper" or "textstat".
    splitter: how sentences are counted: "nltk-punkt-untrained" (default), "simple-token", "pysbd",
        "stop-tokens", "textstat", or a function from a text to the list of its sentences.
    syllables: how syllables are counted: "textsimp" (default), "easse", "readability_scripts",
        "pyphen-<language>" or "textstat-<language>".
    sentences: the number of sentences of the predictions, where it is known.
    per_example: also <score>_per_example, a list of one number per example.
    confidence: also <score>_interval, a bootstrap interval with this coverage, such as 0.95.
    resamples: number of bootstrap resamples (default 1000).
    seed: seed of the resamples (default 0).
    signature: whether signature is among the results (default True).
    lists: whether results that are lists are (default True). With both False all are numbers.
Returns:
    fkgl: the grade level; it may be negative.
    words_per_sentence, syllables_per_word: its components.
    sentences, words, syllables: sums over all predictions.
    split_rate: share of predictions with more sentences than their source, 0 to 1.
    source_fkgl, reference_fkgl, ...: the same of the other columns that are given.
    signature: what exactly was computed.
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


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class FkglComponents(textsimp.module.Module):
    """FKGL and its components."""

    metric_class = textsimp.readability.FkglComponents

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info(
            _DESCRIPTION,
            _CITATION,
            _KWARGS_DESCRIPTION,
            reference_urls=["https://aclanthology.org/2021.gem-1.1"],
        )
