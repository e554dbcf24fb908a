"""Edit operations for Hugging Face evaluate; the metric itself is ``textsimp.edits``."""

import evaluate

import textsimp.edits
import textsimp.module

_DESCRIPTION = """\
Edit operations turn the words of a source into those of its simplification: words are inserted,
deleted, replaced, kept and moved. How many, how large a share of a text changes, how that share is
distributed, and the same for the references side by side. They say what a system does, not whether
it does it well.
"""

_CITATION = """\
@inproceedings{vasquez-rodriguez-etal-2021-investigating,
  title     = {Investigating Text Simplification Evaluation},
  author    = {V{\\'a}squez-Rodr{\\'i}guez, Laura and Shardlow, Matthew and Przyby{\\l}a, Piotr and
               Ananiadou, Sophia},
  booktitle = {Findings of the Association for Computational Linguistics: ACL-IJCNLP 2021},
  pages     = {876--882},
  year      = {2021}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    sources: list of the original texts.
    predictions: list of the simplifications, one per source.
    references: optional; list of the reference simplifications: a string or a list of strings per
        source.
    variant: "paper" (default) or "shortest": the value of path.
    path: which of the shortest edit paths is counted: "paper", as published, or "shortest", the one
        with the fewest insertions.
    moves: None (default), "one_to_one" or "paper": see Returns.
    tokenizer: "none" (default), as published: words are what stands between single spaces; "13a",
        "intl", "moses" or "penn" for texts that aren't tokenised.
    per_example: also <score>_per_example, a list of one number per example, and
        operations_per_example, a list of strings such as "3-2-".
    confidence: also <score>_interval, a bootstrap interval with this coverage, such as 0.95.
    resamples: number of bootstrap resamples (default 1000).
    seed: seed of the resamples (default 0).
    signature: whether signature is among the results (default True).
    lists: whether results that are lists are (default True). With both False all are numbers.
Returns:
    change_percentage: share of operations other than keeping, 0 to 100, mean over examples.
    corpus_change_percentage: the same of the sums over the corpus.
    insert, delete, replace, keep: number of words.
    move: number of words deleted in one place and inserted in another; they count as both, too.
        Paired one to one, or as published with moves="paper". Where moves is given, they stand for
        both in operations_per_example.
    change_distribution: number of examples with a change percentage from 0 to below 10, from 10 to
        below 20, ..., from 90 to 100.
    reference_...: each of these for the references, means over the references of a source.
    signature: what exactly was computed.
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


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class EditOps(textsimp.module.Module):
    """Edit operations from sources to predictions and references."""

    metric_class = textsimp.edits.EditOps

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info(
            _DESCRIPTION,
            _CITATION,
            _KWARGS_DESCRIPTION,
            reference_urls=["https://aclanthology.org/2021.findings-acl.77"],
        )
