"""``textsimp hub models``: pretrained models of metrics."""

import click

from textsimp.cli import printing
from textsimp.cli.options import documented_options, form_options
from textsimp.core.tables import Grid
from textsimp.extensions.models import fetch_model
from textsimp.extensions.models.networks.literature import MODELS, RUN


@click.command()
@documented_options()
@form_options
def models(form: str, fetch: str | None = None, revision: str | None = None) -> None:
    """List the pretrained models of metrics, or download one.

    The list names models that papers use; other models of the kind work as well. The metrics are
    experimental: most were tested with tiny random models only.
    Nothing else downloads them. A downloaded one is in the cache of the Hugging Face Hub, where
    `hf cache` lists and removes it.

    \b
    Examples:
      textsimp hub models
      textsimp hub models --fetch FacebookAI/roberta-large
      textsimp score -m bertscore:model=FacebookAI/roberta-large -s source.txt -p output.txt -r refs

    Args:
        fetch: Download a model from the Hugging Face Hub.
        revision: Its branch, tag or commit there.
    """
    if fetch is not None:
        printing.print_line(fetch_model(fetch, revision))
    else:
        notes = [
            f"{model.name} ({model.licence}), for {model.metric}: {model.about}"
            + "".join(f"; -O {option}" for option in model.options.split())
            for model in MODELS
        ]
        notes.append(
            f"Experimental: of these weights tests run those of {RUN} only, and otherwise tiny "
            "random models. `textsimp hub models --fetch NAME` downloads one."
        )
        grid = Grid(
            ["model", "size"], [[model.name, model.size] for model in MODELS], notes, named=2
        )
        printing.print_list(form, [model._asdict() for model in MODELS], grid)
