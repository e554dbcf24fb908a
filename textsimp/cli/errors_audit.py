"""``textsimp errors-audit``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from textsimp.cli import show
from textsimp.cli.data import data_options, one_system, read_data
from textsimp.cli.options import (
    FORCE,
    check_plot,
    form_options,
    plot_option,
    sampling_options,
    write_plot,
)
from textsimp.cli.score import METRICS, OPTION, parse_options
from textsimp.core import significance, tables
from textsimp.core.metric import check_columns
from textsimp.corpora.files import note
from textsimp.metrics import catalogue


@click.command()
@METRICS
@OPTION
@data_options
@click.option(
    "--error",
    "errors",
    multiple=True,
    metavar="NAME",
    help="What is done to an output; repeat it for several. Default: all.",
)
@click.option(
    "--mask-model",
    metavar="NAME",
    help="Folder or Hub name of a masked language model, for two errors more.",
)
@click.option(
    "--share",
    "shares",
    multiple=True,
    type=float,
    help="Share of the outputs with the error, from small to large; repeat it. "
    "Default: 0.1, 0.25, 0.5, 1.",
)
@sampling_options
@plot_option("curves")
@FORCE
@form_options
def errors_audit(
    metrics: Sequence[str],
    options: Sequence[str],
    errors: Sequence[str],
    mask_model: str | None,
    shares: Sequence[float],
    confidence: float,
    resamples: int,
    seed: int,
    plot: str | None,
    force: bool,
    form: str,
    **files: Any,
) -> None:
    """See whether scores fall when outputs say something false.

    Errors are put into a growing share of those outputs that can have them: phrases of other
    sources are added, phrases and names left out, numbers changed, verbs negated, as in Appendix E
    of Devaraj et al. 2022. A score that doesn't get worse doesn't notice. Start from outputs that
    are true, such as a person's.

    \b
    Examples:
      textsimp errors-audit -m sari,bleu -s source.txt -p systems/splitter.txt -r references
      textsimp errors-audit -s source.txt -p systems/splitter.txt -r references --error negated
    """
    from textsimp.audits import errors as auditing

    check_plot(plot, force)
    scorers = catalogue.configured(parse_options(metrics, options), "-m")
    check_columns(scorers.values(), "an audit")
    significance.check(confidence, resamples, seed, optional=False)
    data = read_data({name: metric.columns for name, metric in scorers.items()}, **files)
    system = one_system(data, "errors-audit")
    result = auditing.audit(
        list(scorers.values()),
        data.predictions(system),
        sources=data.sources,
        references=data.references,
        errors=errors or None,
        model=mask_model,
        shares=shares or auditing.SHARES,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )
    if plot is not None:
        write_plot(plot, result.plot(), force)
    if form == "text":
        _print(system, result)
    else:
        show.in_form(form, result, system=system)
    if plot is not None:
        note(f"written: {plot}")


def _print(system: str, result: Any) -> None:
    show.line(
        f"{system}: {result.outputs:,} outputs; changes of the score by the share of those that "
        "can have the error;"
    )
    click.echo(f"the last one with its {100 * result.confidence:g} % bootstrap interval\n")
    for metric, verdict in result.verdicts().items():
        effects = result.of(metric)
        places = tables.places([effect.before for effect in effects], effects[0].score)
        rows = []
        for effect in effects:
            *changes, last = (tables.number(c, places, sign=True) for c in effect.changes)
            interval = tables.interval(effect.intervals[-1], places, sign=True)
            before = tables.number(effect.before, places)
            rows.append(
                [effect.error, f"{effect.outputs:,}", before, *changes, f"{last} {interval}"]
            )
        head = result.metrics[metric].titled(metric)
        show.table([head, "outputs", "before", *(f"{share:.0%}" for share in result.shares)], rows)
        show.line(verdict)
        click.echo()
    if result.impossible:
        show.line(f"No output can have {', '.join(result.impossible)}.")
    for signature in result.signatures.values():
        click.echo(signature)
