"""A report on one or many systems: one HTML file that also works offline.

    >>> from textsimp import report
    >>> page = report.html({"ours": ["A cat sat on it."]}, sources=["A feline was seated on it."])
    >>> page.startswith("<!doctype html>")
    True

- In: outputs of systems, sources, references and people's ratings, for `html` and `write`.
- Out: a page. Read ``measurements.py`` first, then ``page.py``, which fills in the templates of
  ``parts/``. The other files make a part of the page each, or figures for papers.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.core import columns
from textsimp.core.draws import RESAMPLES
from textsimp.core.examples import Examples
from textsimp.core.metric import check_columns
from textsimp.corpora import checks
from textsimp.corpora.findings import Finding
from textsimp.corpora.row_ids import Missing, join_columns
from textsimp.metrics.catalogue import OF_COLUMNS, Metrics, make_metrics
from textsimp.report import measurements
from textsimp.scoring import verdict
from textsimp.scoring.systems import split_runs
from textsimp.support import files
from textsimp.support.errors import (
    InputError,
    check_integer,
    check_sampling,
    check_switch,
    shown,
    take_either,
)
from textsimp.support.progress import progress
from textsimp.text.sentences import are_documents

__all__ = ["html", "write"]


def write(
    path: str | Path,
    systems: Mapping[str, Any] | Examples,
    *,
    sources: Any = None,
    references: Any = None,
    overwrite: bool = True,
    **options: Any,
) -> None:
    """Write a report, see `html`, to a file, which may exist unless ``overwrite`` is false.

    The file appears whole or not at all.
    """
    if not isinstance(path, (str, Path)):
        raise InputError(f"path: expected the name of a file, got {path!r}")
    check_switch("overwrite", overwrite)
    files.check_new([Path(path)], overwrite=overwrite)
    text = html(systems, sources=sources, references=references, **options)
    files.write_files({Path(path): text.encode()}, overwrite=overwrite)


@take_either("metrics", "metric")
def html(
    systems: Mapping[str, Any] | Examples,
    *,
    sources: Any = None,
    references: Any = None,
    ids: Any = None,
    missing: Missing = "error",
    metrics: Metrics | None = None,
    ratings: Any = None,
    language: str | None = None,
    title: str = "Simplification report",
    description: str = "",
    examples: int = 10,
    check: bool | Sequence[Finding] = True,
    published: bool = False,
    before: str | Path | None = None,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> str:
    """Make a report as an HTML page.

    The same arguments and versions give the same page, to the byte. Terminals show the progress.

    Args:
        systems: Name → predictions, one per source; or name → column → rows, of ``predictions``
            and what ``column(…)`` reads. A list of these is several runs. Or all columns, as
            `Examples`.
        sources: The original texts.
        references: One or more reference simplifications per source, if there are any.
        ids: An id of each source. Systems that have a column ``ids``, too, are joined by it.
        missing: What becomes of ids that a system lacks: ``"error"``; ``"empty"``, an empty output;
            or ``"skip"``: they are left out of all systems.
        metrics: Names such as ``"sari"`` and ``"bleu"``, or metrics with their options such as
            ``Sari("xu")``. The first one with a direction is the main one: it chooses examples of
            high and low score. By default SARI and BLEU, of documents at level ``aligned``, or
            without references none.
        ratings: People's ratings or comparisons, such as what `people.read` returned. They are
            matched by source and text.
        language: The language of the texts, such as ``"de"``: sets the options that depend on it.
        title: The page's title.
        description: Plain text about the test set.
        examples: The number of examples in each group.
        check: Whether the page has data checks; or findings of `textsimp.checks.find`.
        published: Also published systems, if the test set is ASSET, TurkCorpus or WikiSmall.
        before: An earlier report: how each system's scores differ from it where the sources are
            the same, and which outputs became better or worse most.
        confidence: Coverage of the intervals; differences are significant if p is below
            1 − confidence.
        resamples: Number of bootstrap resamples and of random assignments.
        seed: Seed of both, and of the sampled examples.

    Returns:
        The page. It makes no request. Its examples take at most about 20 MB before they are
        compressed; if there are more, those of groups come first.
    """

    sampling = check_sampling(confidence, resamples, seed, optional=False)
    shared = {"sources": sources, "references": references}
    systems, runs = split_runs(systems)
    systems, shared = join_columns(systems, shared, ids, missing)
    default = metrics is None
    if metrics is None:
        lists = systems.references if isinstance(systems, Examples) else shared.get("references")
        metrics = () if lists is None else ("sari", "bleu")
    chosen = {}
    if metrics or not default:
        chosen = make_metrics(metrics, "metrics", language=language)
    check_columns([m for m in chosen.values() if m.name not in OF_COLUMNS], "a report")
    examples = check_integer("examples", examples, 1)
    _check_options(check, published, ratings, {"title": title, "description": description})
    from textsimp.report import page  # here, because `textsimp score` doesn't need it

    texts, full_names = measurements.check(
        systems, shared["sources"], shared.get("references"), chosen.values(), runs
    )
    documents = are_documents(texts.shared["sources"])
    if default and chosen and documents:
        aligned = "sari(level=aligned), bleu(level=aligned)"
        chosen = make_metrics(aligned, "metrics", language=language)
    names = {full_names.get(name, name): name for name in texts.systems}
    outputs = {name: texts.predictions(name) for name in texts.systems}
    if ratings is not None:
        measurements.check_rated(texts)
        rated = {full_name: outputs[name] for full_name, name in names.items()}
        ratings = ratings.for_report(texts.shared["sources"], rated, names, **sampling)
    if before is not None:
        from textsimp.report import since

        earlier = since.read(before)
    steps = len({*chosen, *measurements.DESCRIBING, "word_difficulty"}) + len(page.STEPS)
    form = "{desc}: step {n_fmt} of {total_fmt} |{bar}| {elapsed}"
    with progress(total=steps, bar_format=form) as bar:

        def tell(step: str) -> None:
            bar.set_description(step, refresh=False)
            bar.update()

        findings = None if isinstance(check, bool) else [finding.rename(names) for finding in check]
        if check is True:
            findings = checks.run(texts.shared["sources"], texts.references, outputs)
        report = measurements.measure(
            texts,
            chosen,
            sampling,
            documents=documents,
            full_names=full_names,
            language=language,
            unranked=verdict.find_unranked(findings or [], outputs, len(texts), texts.runs),
            ratings=ratings,
            tell=tell,
        )
        changes = None if before is None else since.contents(report, earlier)
        heading = {"title": title, "description": description}
        return page.render(
            report, examples, heading, findings, tell, published=published, changes=changes
        )


def _check_options(check: Any, published: Any, ratings: Any, heading: Mapping[str, Any]) -> None:
    if isinstance(check, bool) or not columns.is_sequence(check):
        check_switch("check", check)
    check_switch("published", published)
    for name, text in heading.items():
        if not isinstance(text, str):
            raise InputError(f"{name}: expected a string, got {text!r}")
        columns.texts([text], name)
    if ratings is not None and not hasattr(ratings, "for_report"):
        raise InputError(
            f"ratings: expected people.Judgements, or others with for_report, got {shown(ratings)}"
        )
