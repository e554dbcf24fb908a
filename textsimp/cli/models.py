"""``textsimp hub models``: list and download pretrained models of metrics."""

from __future__ import annotations

import itertools
import operator

import click

from textsimp.cli import printing
from textsimp.metrics import catalogue
from textsimp.metrics.notation import normalize_name
from textsimp.support.errors import InputError, nearest
from textsimp.text.models import checkpoints
from textsimp.text.models.literature import MODELS, RUN


@click.command()
@click.argument("metric", required=False)
@click.option("--fetch", metavar="NAME", help="Download a model from the Hugging Face Hub.")
@click.option("--revision", metavar="REVISION", help="Its branch, tag or commit there.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def models(
    metric: str | None,
    fetch: str | None,
    revision: str | None,
    as_json: bool,
) -> None:
    """List the pretrained models of metrics, or download one.

    The list names models that papers use; other models of the kind work as well. The metrics are
    experimental: most were tested with tiny random models only.
    Nothing else downloads them. A downloaded one is in the cache of the Hugging Face Hub, where
    `hf cache` lists and removes it.

    \b
    Examples:
      textsimp hub models
      textsimp hub models bertscore
      textsimp hub models --fetch FacebookAI/roberta-large
      textsimp score -m bertscore:model=FacebookAI/roberta-large -s source.txt -p output.txt -r refs
    """
    from textsimp.text.models import lens

    if fetch is None:
        if revision is not None:
            raise InputError("--revision goes with --fetch NAME")
        _list(None if metric is None else normalize_name(metric), as_json)
        return
    if metric is not None or as_json:
        raise InputError("--fetch NAME goes with --revision only")
    pretrained = checkpoints.Pretrained(fetch, revision, argument="--fetch")
    path = checkpoints.download(pretrained)
    if (path / checkpoints.HYPERPARAMETERS).is_file():
        lens.find_encoder(pretrained, download=True)
    printing.print_line(f"{checkpoints.signed(pretrained)} is in {path}")


def _list(metric: str | None, as_json: bool) -> None:
    metrics = catalogue.WITH_MODEL
    if metric is not None and metric not in metrics:
        raise InputError(
            f"expected one of {', '.join(metrics)}, got {metric!r}{nearest(metric, metrics)}"
        )
    published = [model for model in MODELS if metric in (None, model.metric)]
    if as_json:
        printing.print_json([model._asdict() for model in published])
        return
    for name, group in itertools.groupby(published, operator.attrgetter("metric")):
        click.echo(click.style(name, bold=True))
        for model in group:
            click.echo(f"  {model.name} ({model.licence}, {model.size})")
            options = " ".join(f"-O {option}" for option in model.options.split())
            click.echo(f"    {model.about}{f'; {options}' if options else ''}")
    click.echo(
        f"\nExperimental: of these weights tests run those of {RUN} only, and otherwise tiny "
        "random models. `textsimp hub models --fetch NAME` downloads one."
    )
