"""``textsimp report``."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import (
    NO_CHECK,
    DataCommand,
    data_options,
    read_data,
    tables_in,
)
from textsimp.cli.options import FORCE, documented_options, sampling_options
from textsimp.cli.score import LANGUAGE, OPTION, choose_metrics, metrics_option
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files


@click.command(cls=DataCommand)
@data_options
@metrics_option(
    "Metrics that need texts only, or column:COLUMN. The first one with a direction chooses "
    "examples of high and low score. Profiles, as of word_difficulty, are drawn. Default: sari and "
    "bleu, of documents at level aligned; with -O alone sari; without references none."
)
@OPTION
@documented_options(
    "textsimp.report.__init__:html",
    "textsimp.extensions.people.judgements.reading:read",
    answers="--ratings FILE...",
    output="-o --output FILE",
    description="--description TEXT",
    scheme="--scheme NAME|FILE",
    criteria="--rating COLUMN",
)
@LANGUAGE
@FORCE
@NO_CHECK
@sampling_options
def report(
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
    force: bool,
    no_check: bool,
    sampling: dict[str, Any],
    answers: Sequence[str | Path] = (),
    output: str | Path = "report.html",
    description: str | None = None,
    title: str = "Simplification report",
    examples: int = 10,
    published: bool = False,
    before: str | Path | None = None,
    scheme: str | Path | None = None,
    criteria: Sequence[str] | None = None,
    **files: Any,
) -> None:
    """Write a report on systems: one HTML file for the browser.

    It has scores with intervals and paired tests, the references and two baselines beside the
    systems, plots of what the systems do, and examples with every edit marked. Without references
    it has the metrics that need none. People's --ratings are shown beside the scores. The file
    needs no network.

    \b
    Examples:
      textsimp report -s source.txt -p systems -r references
      textsimp report -s source.txt -p systems -r references -o new.html --before report.html
      textsimp report -s source.txt -p systems -o - > report.html
      textsimp report -t asset_test -p ours=output.txt -p theirs=baseline.txt \\
          -o asset.html --title "ASSET, June"

    Args:
        answers: Files of people's ratings or comparisons, as `textsimp ratings` reads them; a
            folder stands for its .jsonl files. They are matched by source and text.
        output: The HTML file to write; - is standard output.
        description: What the test set is, for the page's head. Default: its files.
    """
    from textsimp import report as reports
    from textsimp.cli.check import summarize_problems
    from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
    from textsimp.core.metric import check_columns
    from textsimp.corpora import checks
    from textsimp.extensions.people import read
    from textsimp.metrics.catalogue import OF_COLUMNS, make_metrics

    if (scheme or criteria) and not answers:
        raise InputError("--scheme and --rating are of files of ratings: give --ratings")
    path = None if output == "-" else Path(output)
    if path is not None:
        check_new([path], overwrite=force)
    chosen = choose_metrics(metrics or ["sari"], options) if metrics or options else None
    readers = {"report": [SOURCES, PREDICTIONS, REFERENCES.optional]}
    if chosen is not None:
        configuration = make_metrics(chosen, "-m")
        texts_only = [m for m in configuration.values() if m.name not in OF_COLUMNS]
        check_columns(texts_only, "a report")
        readers |= {name: [*metric.columns] for name, metric in configuration.items()}
    data = read_data(readers, **files)
    by_people = read(tables_in(answers), scheme, criteria=criteria) if answers else None
    outputs = {name: data.predictions(name) for name in data.systems}
    findings = []
    if not no_check:
        findings = checks.run(data.sources or [], data.references, outputs, data.reference_files)
    page = reports.html(
        data,
        metrics=chosen,
        ratings=by_people,
        language=language,
        description=_name_files(files) if description is None else description,
        check=False if no_check else findings,
        title=title,
        examples=examples,
        published=published,
        before=before,
        **sampling,
    ).encode()
    if problems := summarize_problems(findings, data, files):
        click.echo(f"Warning: {problems}", err=True)
    if path is None:
        sys.stdout.buffer.write(page)
    else:
        write_files({path: page}, overwrite=force)
        printing.print_line(f"written: {output}")


def _name_files(files: Mapping[str, Any]) -> str:
    """Name the test set, or the files of sources and references."""
    names = {"Test set": files["test_set"], "Data": files["data"], "Sources": files["sources"]}
    parts = [f"{label}: {Path(name).name}" for label, name in names.items() if name]
    if files["references"]:
        parts.append(f"References: {', '.join(Path(name).name for name in files['references'])}")
    return " · ".join(parts)
