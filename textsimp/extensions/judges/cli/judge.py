"""``textsimp judge``."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import DataCommand, Files, data_options
from textsimp.cli.options import documented_options, form_options
from textsimp.core import tables
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.extensions.people.cli.answer_options import READING
from textsimp.support.errors import InputError, advise
from textsimp.support.progress import note

if TYPE_CHECKING:
    from textsimp.extensions.people import Plan


@click.command(cls=DataCommand)
@data_options
@documented_options(
    "textsimp.extensions.judges.panel:judge",
    READING,
    scheme="--scheme NAME|FILE",
    people="--people FILE...",
    output="-o --output FILE",
    models="--model NAME",
)
@form_options
def judge(
    files: Files,
    form: str,
    models: Sequence[str],
    output: str | Path,
    scheme: str | Path | None = None,
    plan: str | Path | None = None,
    controls: bool = False,
    dry_run: bool = False,
    people: Sequence[str | Path] = (),
    prompt: str | Path | None = None,
    samples: int = 1,
    temperature: float = 0.0,
    seed: int = 0,
    answer_tokens: int = 1024,
    max_requests: int | None = None,
    max_tokens: int | None = None,
    base_url: str = "",
    concurrency: int = 4,
    timeout: float = 120.0,
) -> None:
    """Let language models rate outputs: write their answers, print how far to trust them.

    Models read the scheme that people read, and fill the same file. What is printed: answers that
    aren't valid, agreement with each other and with people, and biases. `textsimp ratings` compares
    the systems. The exit code is 1 if answers are missing; run it again to go on.

    \b
    Examples:
      textsimp judge -s source.txt -p systems --model NAME --dry-run -o judges.jsonl
      textsimp judge -s source.txt -p systems --model NAME OTHER \\
        --base-url http://localhost:8000/v1 -o judges.jsonl
      textsimp judge --plan plan.jsonl --model NAME --base-url http://localhost:8000/v1 \\
        --people answers.jsonl -o judges.jsonl

    Args:
        models: The names of one or more models on the server.
        output: The answers: JSONL. What has an answer there isn't asked again.
        plan: A plan made for people, in place of -s and -p.
        controls: Add a tenth of controls, as for people.
        dry_run: Print the numbers of requests and tokens, and one prompt.
        people: People's ratings by the same scheme, found by source and text, to compare with.
    """
    from textsimp.extensions import judges
    from textsimp.extensions.judges.panel import Panel
    from textsimp.extensions.judges.servers import Budget
    from textsimp.extensions.people import read, read_plan
    from textsimp.extensions.people.judgements.tool_files import NO_SYSTEMS

    if plan is not None and (controls or files.sources or files.predictions or files.data):
        raise InputError("--plan: expected no -s, -p, -d or --controls beside it")
    study = _design(files, scheme, controls, seed) if plan is None else read_plan(plan, scheme)
    panel = Panel(
        study,
        models,
        output,
        prompt=prompt,
        samples=samples,
        temperature=temperature,
        seed=seed,
        answer_tokens=answer_tokens,
    )
    if dry_run:
        for line in panel.describe():
            click.echo(tables.without_codes(line))
        return
    with advise({NO_SYSTEMS: ", in place of -s and -p"}):  # before any request
        of_people = study if plan else None
        others = read(people, study.scheme, plan=of_people, checked=False) if people else None
    budget = Budget(max_requests, max_tokens)
    missing = panel.run(base_url, budget, concurrency=concurrency, timeout=timeout)
    if panel.file.rows():
        answers = read(output, study.scheme)
        printing.print_result(form, judges.assess(answers, others))
    if missing:
        note(missing)
        raise click.exceptions.Exit(1)


def _design(files: Files, scheme: str | Path | None, controls: bool, seed: int) -> "Plan":
    """Return a study in which each output is rated once."""
    from textsimp.cli.data_reading import read_data
    from textsimp.extensions.people import design

    data = read_data({"judge": [SOURCES, PREDICTIONS, REFERENCES.optional]}, files)
    return design(
        data.sources or [],
        {name: data.predictions(name) for name in data.systems},
        scheme or "likert",
        references=data.references,
        numbers=data.numbers,
        raters=1,
        controls=controls,
        seed=seed,
    )
