"""The functions behind ``easse evaluate`` and ``easse report``, on files."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from textsimp.easse.quality_estimation import corpus_quality_estimation
from textsimp.easse.report import compute_scores, write_html_report
from textsimp.easse.substitutes import replace_missing
from textsimp.easse.utils.constants import DEFAULT_METRICS
from textsimp.easse.utils.helpers import read_lines
from textsimp.easse.utils.resources import get_orig_sents, get_refs_sents
from textsimp.support.errors import InputError

__getattr__ = replace_missing(__name__, "textsimp.score, textsimp.compare or textsimp.report.write")

PathLike = str | Path
Paths = str | Sequence[PathLike]
"""Several paths, or a text with commas between them."""


def get_sys_sents(test_set: str, sys_sents_path: PathLike | None = None) -> list[str]:
    """Read the outputs of a system, by default from standard input."""
    return read_lines(sys_sents_path or "-")


def get_orig_and_refs_sents(
    test_set: str, orig_sents_path: PathLike | None = None, refs_sents_paths: Paths | None = None
) -> tuple[list[str], list[list[str]]]:
    """Read sources and references: of ``"custom"`` from files."""
    if test_set != "custom":
        return get_orig_sents(test_set), get_refs_sents(test_set)
    if orig_sents_path is None or refs_sents_paths is None:
        raise InputError("test_set='custom': expected orig_sents_path and refs_sents_paths")
    paths = refs_sents_paths.split(",") if isinstance(refs_sents_paths, str) else refs_sents_paths
    return read_lines(orig_sents_path), [*map(read_lines, paths)]


def evaluate_system_output(
    test_set: str,
    sys_sents_path: PathLike | None = None,
    orig_sents_path: PathLike | None = None,
    refs_sents_paths: Paths | None = None,
    tokenizer: str | None = "13a",
    lowercase: bool = True,
    metrics: Iterable[str] = DEFAULT_METRICS,
    analysis: bool = False,
    quality_estimation: bool = False,
) -> dict[str, Any]:
    """Return the scores of a system, by the keys of ``easse evaluate``."""
    if analysis:
        raise InputError("analysis: expected False; use textsimp.WordTransformations('easse2019')")
    options: dict[str, Any] = {"lowercase": lowercase, "tokenizer": tokenizer}
    outputs = get_sys_sents(test_set, sys_sents_path)
    sources, references = get_orig_and_refs_sents(test_set, orig_sents_path, refs_sents_paths)
    scores = compute_scores(sources, outputs, references, metrics, **options)
    if not quality_estimation:
        return scores
    return scores | {"quality_estimation": corpus_quality_estimation(sources, outputs, **options)}


def report(
    test_set: str,
    sys_sents_path: PathLike | None = None,
    orig_sents_path: PathLike | None = None,
    refs_sents_paths: Paths | None = None,
    report_path: PathLike = "easse_report.html",
    lowercase: bool = True,
    **options: Any,
) -> None:
    """Write textsimp's report. Other options are those of `write_html_report`."""
    outputs = get_sys_sents(test_set, sys_sents_path)
    sources, references = get_orig_and_refs_sents(test_set, orig_sents_path, refs_sents_paths)
    texts = sources, outputs, references
    write_html_report(report_path, *texts, test_set, lowercase=lowercase, **options)
