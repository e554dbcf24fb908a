"""Simplification statistics for Hugging Face evaluate; the metric itself is ``textsimp.stats``."""

import evaluate

import textsimp.module
import textsimp.stats

_DESCRIPTION = """\
Simplification statistics say what a system does to its sources, without references: how much
shorter the texts become, whether sentences are split, how similar the texts stay, which share of
words and n-grams is new, how rare the words are. EASSE's quality-estimation features and others,
for a system, its sources and, side by side, the references.
"""

_CITATION = """\
@inproceedings{alva-manchego-etal-2019-easse,
  title     = {{EASSE}: Easier Automatic Sentence Simplification Evaluation},
  author    = {Alva-Manchego, Fernando and Martin, Louis and Scarton, Carolina and Specia, Lucia},
  booktitle = {Proceedings of EMNLP-IJCNLP 2019: System Demonstrations},
  pages     = {49--54},
  year      = {2019}
}
@inproceedings{martin-etal-2018-reference,
  title     = {Reference-less Quality Estimation of Text Simplification Systems},
  author    = {Martin, Louis and Humeau, Samuel and Mazar{\\'e}, Pierre-Emmanuel and
               de La Clergerie, {\\'E}ric and Bordes, Antoine and Sagot, Beno{\\^i}t},
  booktitle = {Proceedings of the 1st Workshop on Automatic Text Adaptation (ATA)},
  pages     = {29--38},
  year      = {2018}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    sources: list of the original texts.
    predictions: list of the simplifications, one per source.
    references: optional; list of the reference simplifications: a string or a list of strings per
        source.
    tokenizer: "13a", "intl", "moses", "penn" or "none".
    lowercase: lowercase all texts first.
    splitter: sentence splitter: "nltk-punkt-untrained", "simple-token", "pysbd" or a function from
        a text to the list of its sentences.
    lexical_complexity: also lexical_complexity (extra "wordfreq").
    language: of the words in lexical_complexity, such as "de"; an error without it.
    per_example: also <score>_per_example, a list of one number per example.
    confidence: also <score>_interval, a bootstrap interval with this coverage, such as 0.95.
    resamples: number of bootstrap resamples (default 1000).
    seed: seed of the resamples (default 0).
    signature: whether signature is among the results (default True).
    lists: whether results that are lists are (default True). With both False all are numbers.
Returns:
    compression_ratio: characters of the prediction over those of the source.
    sentence_splits: sentences of the prediction over those of the source.
    levenshtein_similarity: of characters, 0 to 1.
    exact_copies: share of predictions equal to their source after tokenisation.
    additions_proportion, deletions_proportion: words added and deleted over the longer text's.
    words, words_per_sentence: length of the predictions.
    lexical_complexity: third quartile of log(1 + rank) of the words, if asked for.
    length_change: change of the number of words over the corpus, in percent.
    kept_words, added_words, deleted_words, reordered_words: number of words per example.
    jaccard_similarity: distinct words in common over distinct words in either.
    word_edit_distance: edit distance in words over the longer text's words, 0 to 1.
    novel_1grams, ..., novel_4grams: share of distinct n-grams that the source lacks.
    split_share: share of examples with more sentences than their source.
    unchanged_share: share of predictions that are their source, letter for letter.
    under_half_share: share of predictions with less than half the words of their source.
    source_words, source_words_per_sentence, source_lexical_complexity: of the sources.
    reference_...: each score of the predictions for the references against their sources, means
        over the references of a source.
    signature: what exactly was computed.
Examples:

    >>> import textsimp
    >>> stats = textsimp.load("simplification_stats")
    >>> result = stats.compute(
    ...     sources=["About 95 species are currently accepted, and more are found."],
    ...     predictions=["About 95 species are now accepted. More are found."],
    ... )
    >>> result["sentence_splits"], round(result["compression_ratio"], 3)
    (2.0, 0.839)
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class SimplificationStats(textsimp.module.Module):
    """What a system does to its sources."""

    metric_class = textsimp.stats.SimplificationStats

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info(
            _DESCRIPTION,
            _CITATION,
            _KWARGS_DESCRIPTION,
            reference_urls=[
                "https://aclanthology.org/D19-3009",
                "https://aclanthology.org/W18-7005",
            ],
        )
