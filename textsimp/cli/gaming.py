"""``textsimp gaming-audit``."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.audits.perturbations import MODIFICATIONS
from textsimp.cli import show
from textsimp.cli.data import FILE, data_options, one_system, read_data
from textsimp.cli.options import check_plot, plot_option
from textsimp.core import tables
from textsimp.support.files import Contents, check_new, write_files


@click.command()
@data_options
@click.option(
    "--modification",
    "modifications",
    multiple=True,
    type=click.Choice(list(MODIFICATIONS)),
    help="What is done to a line; repeat it for several. Default: all.",
)
@click.option(
    "--share",
    "shares",
    multiple=True,
    type=float,
    help="Share of the lines to change, from small to large; repeat it. Default: 0.1 to 1.",
)
@click.option("--repeats", type=int, default=100, show_default=True, help="With other lines.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first repeat.")
@click.option(
    "--confidence",
    type=float,
    default=0.95,
    show_default=True,
    help="Share of the repeats that an interval covers.",
)
@click.option("--fkgl", default="default", show_default=True, help="Variant of FKGL.")
@click.option("--bleu", default="easse", show_default=True, help="Variant of BLEU.")
@click.option("--sari", default="joshua", show_default=True, help="Variant of SARI.")
@click.option("--readability", is_flag=True, help="Also the formulas of readability.")
@click.option("--dale-chall", is_flag=True, help="Also Dale-Chall (extra readability).")
@click.option("--csv", type=FILE, metavar="FILE", help="Write all curves as CSV.")
@plot_option("them")
@click.option("--force", is_flag=True, help="Overwrite files that are there already.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def gaming_audit(
    modifications: Sequence[str],
    shares: Sequence[float],
    repeats: int,
    seed: int,
    confidence: float,
    fkgl: str,
    bleu: str,
    sari: str,
    readability: bool,
    dale_chall: bool,
    csv: str | None,
    plot: str | None,
    force: bool,
    as_json: bool,
    **files: Any,
) -> None:
    """See how gaming moves FKGL, BLEU and SARI.

    Nothing gets simpler by these changes: a growing share of the lines of a system's output gets a
    period or a "the", or loses its longest word, as in Tanprasert and Kauchak 2021. BLEU needs
    references, SARI sources too. A metric counts as fooled by a change that makes its score better
    by at least 0.1 and by more than three standard deviations over the repeats.

    \b
    Examples:
      textsimp gaming-audit -s source.txt -p systems/splitter.txt -r references
      textsimp gaming-audit -p systems/splitter.txt --repeats 20 --csv curves.csv --plot curves.png
      textsimp gaming-audit -p systems/splitter.txt --share 1 --readability
    """
    from textsimp.audits import gaming
    from textsimp.metrics.fkgl_components import FkglComponents

    written = [Path(name) for name in (csv, plot) if name is not None]
    check_new(written, overwrite=force)
    check_plot(plot, force)
    data = read_data({"gaming-audit": FkglComponents.columns}, **files)
    system = one_system(data, "gaming-audit")
    result = gaming.audit(
        data.predictions(system),
        sources=data.sources,
        references=data.references,
        modifications=modifications or tuple(MODIFICATIONS),
        shares=shares or gaming.SHARES,
        repeats=repeats,
        seed=seed,
        confidence=confidence,
        fkgl=fkgl,
        bleu=bleu,
        sari=sari,
        readability=readability,
        dale_chall=dale_chall,
    )
    outputs: dict[Path, Contents] = {}
    if csv is not None:
        text = io.StringIO()
        gaming.write_csv(result, text)
        outputs[Path(csv)] = text.getvalue().encode()
    if plot is not None:
        figure = gaming.plot(result)
        outputs[Path(plot)] = lambda file: figure.savefig(
            file, format=Path(plot).suffix[1:].lower()
        )
    write_files(outputs, overwrite=force)
    if as_json:
        show.as_json({**result, "system": system, "verdicts": gaming.verdicts(result)})
        return
    _print_curves(system, result, gaming.verdicts(result))
    for name in filter(None, (csv, plot)):
        show.line(f"written: {name}")


def _print_curves(system: str, result: Mapping[str, Any], verdicts: Mapping[str, str]) -> None:
    from textsimp.audits import gaming

    show.line(
        f"{system}: {result['lines']:,} lines, mean of {result['repeats']:,} repeats by the share "
        "of lines changed;"
    )
    click.echo(f"the last column covers {100 * result['confidence']:g} % of them\n")
    for metric, scores in result["curves"].items():
        unchanged = result["unchanged"][metric][metric]
        places = tables.places([unchanged, *(max(c["mean"]) for c in scores[metric].values())])
        rows = []
        for modification, curve in scores[metric].items():
            means = [tables.number(value, places) for value in curve["mean"]]
            bounds = (curve["low"][-1], curve["high"][-1])
            interval = tables.cell(curve["mean"][-1], bounds, places)
            rows.append([modification, tables.number(unchanged, places), *means[:-1], interval])
        header = [
            f"{metric} ({result['variants'][metric]})",
            "0%",
            *(f"{share:.0%}" for share in result["shares"]),
        ]
        show.table(header, rows)
        click.echo(f"{verdicts[metric]}\n")
    click.echo(
        f"Fooled: better by at least {gaming.LEAST_CHANGE:g} and by more than "
        f"{gaming.LEAST_DEVIATIONS} standard deviations over the repeats, with the largest share "
        "of lines changed.\n"
    )
    for signature in dict.fromkeys(result["signatures"].values()):
        click.echo(signature)
