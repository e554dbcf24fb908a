"""``textsimp errors``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from textsimp.cli import show
from textsimp.cli.data import FILE, tables_in
from textsimp.cli.options import (
    FORCE,
    check_plot,
    form_options,
    plot_option,
    sampling_options,
    write_plot,
)
from textsimp.core import significance
from textsimp.corpora.files import note
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.support.errors import InputError

if TYPE_CHECKING:
    from textsimp.errors.levels import LevelsOfSystems
    from textsimp.errors.reading import Annotated


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option(
    "--by", metavar="COLUMN", help="The column that names systems. Default: system, if it is there."
)
@click.option(
    "--unit",
    type=click.Choice(["characters", "tokens"]),
    default="characters",
    show_default=True,
    help="Of edit distances: characters, or Treebank tokens.",
)
@click.option(
    "--per",
    type=click.Choice(["source", "longer"]),
    default="source",
    show_default=True,
    help="Whose length divides an edit distance: the source's, or that of the longer text.",
)
@click.option(
    "--drop-noise",
    is_flag=True,
    help="Leave out of edit distances what has too little in common with its source.",
)
@sampling_options
@form_options
@plot_option("the labels of systems")
@FORCE
def errors(
    files: Sequence[str],
    by: str | None,
    unit: Any,
    per: Any,
    drop_noise: bool,
    confidence: float,
    resamples: int,
    seed: int,
    form: str,
    plot: str | None,
    force: bool,
) -> None:
    """Tables of information errors, from labels.

    FILES are JSONL, JSON, CSV, TSV or parquet tables with the columns insertion, deletion and
    substitution, whose labels are 0, 1, 2, -1 (gibberish) or empty. Either a row is an output, with
    one label or a list of annotators' labels; or it is what one annotator said, with the columns
    annotator and item (or id), and files of several annotators, or folders of them, are merged.

    How often each system has each label, with intervals. Where there are several annotators, how
    far they agree. Where all files have the columns source and prediction, how outputs of each
    level differ from their sources.

    \b
    Examples:
      textsimp errors labels.jsonl
      textsimp errors annotations --by model --plot labels.png
      textsimp errors labels.csv --unit tokens --drop-noise --latex
    """
    check_plot(plot, force)
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    significance.check(confidence, resamples, seed, optional=False)
    files = tables_in(files)
    if len(set(files)) < len(files):
        raise InputError("expected different files, got one twice")

    from textsimp import errors as information
    from textsimp.errors.reading import read

    systems = read(files, by)
    distribution = information.distribution(
        {name: found.labels for name, found in systems.items()}, **sampling
    )
    parts: dict[str, Any] = {"distribution": distribution}
    pooled: dict[str, Any] = {
        category: [row for found in systems.values() for row in found.labels[category]]
        for category in CATEGORIES
    }
    if any(len(row) > 1 for rows in pooled.values() for row in rows):
        parts["agreement"] = information.agreement(**pooled, **sampling)
    if all(found.sources and found.predictions for found in systems.values()):
        parts |= _by_level(systems, unit, per, drop_noise)
    elif whole := sum(found.whole for found in systems.values()):
        note(
            f"no tables by level: {whole:,} of {len(pooled[CATEGORIES[0]]):,} outputs have a "
            "source and a prediction, and all need them"
        )
    if plot is not None:
        write_plot(plot, information.plot(distribution), force)
    _show(parts, form, sampling, _titles(unit, per, drop_noise, confidence))
    if plot is not None:
        note(f"written: {plot}")


def _by_level(
    systems: Mapping[str, Annotated], unit: Any, per: Any, drop_noise: bool
) -> dict[str, LevelsOfSystems]:
    from textsimp import errors as information
    from textsimp.errors.levels import LevelsOfSystems

    lengths, distances = {}, {}
    for name, labelled in systems.items():
        texts = labelled.sources, labelled.predictions
        length = information.length_change(*texts)
        distance = information.edit_distance(*texts, unit=unit, per=per)
        if drop_noise:
            distance[information.noise(*texts)] = np.nan
        lengths[name] = information.by_level(length, **labelled.labels)
        distances[name] = information.by_level(distance, **labelled.labels)
    found = {"length_change": lengths, "edit_distance": distances}
    return {name: LevelsOfSystems(of_systems) for name, of_systems in found.items()}


def _titles(unit: str, per: str, drop_noise: bool, confidence: float) -> dict[str, str]:
    divisor = "source" if per == "source" else "longer of source and output"
    without = ", without noise" if drop_noise else ""
    by_level = "by level: mean ± standard deviation (outputs)"
    return {
        "distribution": f"Labels in percent of the labelled, {100 * confidence:g} % intervals",
        "agreement": "Agreement of annotators, all systems together",
        "length_change": f"Length change in percent of the source's Treebank tokens, {by_level}",
        "edit_distance": f"Edit distance in {unit} per {unit[:-1]} of the {divisor}{without}, "
        f"{by_level}",
    }


def _show(
    parts: Mapping[str, Any], form: str, sampling: Mapping[str, Any], titles: Mapping[str, str]
) -> None:
    if form == "json":
        show.as_json({**sampling, **{name: part.to_dict() for name, part in parts.items()}})
        return
    if form == "csv":
        show.as_csv([record for name in parts for record in _records(name, parts[name].to_dict())])
        return
    for i, (name, part) in enumerate(parts.items()):
        click.echo("\n" * (i > 0), nl=False)
        if form == "text":
            show.line(titles[name])
            show.grid(part.grid())
        else:
            click.echo(f"% {titles[name]}" if form == "latex" else f"{titles[name]}:\n")
            click.echo(show.for_paper(form, part), nl=False)


def _records(table: str, found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A number a row, of all tables."""

    def record(system: str, category: str, name: str, value: Any, **more: Any) -> dict[str, Any]:
        low, high = more.pop("interval", None) or (None, None)
        rest = {"low": low, "high": high, "deviation": None, "outputs": None} | more
        named = {"table": table, "system": system, "category": category, "quantity": name}
        return {**named, "value": value, **rest}

    for system, scores in found.items():
        if table == "distribution":
            for name, value in scores.items():
                if f"{name}_interval" in scores:
                    category, _, quantity = name.partition("_")
                    of_category = category in CATEGORIES
                    yield record(
                        system,
                        category if of_category else "",
                        quantity if of_category else name,
                        value,
                        interval=scores[f"{name}_interval"],
                    )
        elif table == "agreement":  # the keys are categories
            outputs = scores["outputs"]
            for name in ("majority", "nonzero", "nonzero_agreed", "alpha"):
                interval = scores["interval"] if name == "alpha" else None
                yield record("", system, name, scores[name], interval=interval, outputs=outputs)
        else:
            for category, levels in scores.items():
                for level, of in levels.items():
                    more = {"deviation": of["deviation"], "outputs": of["outputs"]}
                    yield record(system, category, str(level), of["mean"], **more)
