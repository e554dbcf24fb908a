"""``textsimp judge``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import (
    FILE,
    DataCommand,
    data_options,
    one_system,
    read_data,
    tables_in,
)
from textsimp.cli.options import form_options
from textsimp.cli.ratings import SCHEME
from textsimp.core import tables
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.corpora.files import note
from textsimp.support.errors import InputError

if TYPE_CHECKING:
    from textsimp.judgements import Plan
    from textsimp.judges.panel import Panel

_SETTINGS = ("samples", "temperature", "seed", "answer_tokens")  # options of `Panel`
_RUN = ("concurrency", "timeout")  # options of `Panel.run`


@click.command(cls=DataCommand)
@data_options
@SCHEME
@click.option(
    "--plan", type=FILE, metavar="FILE", help="A plan made for people, in place of -s and -p."
)
@click.option(
    "--model",
    "models",
    multiple=True,
    required=True,
    metavar="NAME",
    help="A model on the server; repeat it for a panel.",
)
@click.option(
    "--base-url",
    metavar="URL",
    help="A server with OpenAI's chat completions, such as http://localhost:8000/v1. Its key is "
    "read from the environment variable TEXTSIMP_JUDGE_KEY.",
)
@click.option("--prompt", type=FILE, metavar="FILE", help="A prompt of yours.")
@click.option("--samples", default=1, help="How often each question is asked.")
@click.option("--temperature", default=0.0, help="Of sampling.")
@click.option("--seed", default=0, help="Of order and sampling.")
@click.option(
    "--answer-tokens",
    default=1024,
    help="How long an answer may be; models that think first need more.",
)
@click.option("--controls", is_flag=True, help="Add a tenth of controls, as for people.")
@click.option("--audit", is_flag=True, help="Ask about versions of one system with tricks.")
@click.option("--max-requests", type=int, metavar="N", help="Requests at most, failed ones too.")
@click.option("--max-tokens", type=int, metavar="N", help="Tokens of requests and answers at most.")
@click.option("--concurrency", default=4, help="Requests under way at once.")
@click.option("--timeout", type=float, default=120, help="Seconds to wait for the server.")
@click.option(
    "--dry-run", is_flag=True, help="Print the numbers of requests and tokens, and one prompt."
)
@click.option(
    "--people",
    type=FILE,
    multiple=True,
    metavar="FILE...",
    help="People's ratings by the same scheme, found by source and text, to compare with.",
)
@click.option(
    "-o",
    "--output",
    type=FILE,
    required=True,
    metavar="FILE",
    help="The answers: JSONL. What has an answer there isn't asked again.",
)
@form_options
def judge(
    scheme: str | None,
    plan: str | None,
    models: Sequence[str],
    base_url: str | None,
    prompt: str | None,
    controls: bool,
    audit: bool,
    max_requests: int | None,
    max_tokens: int | None,
    dry_run: bool,
    people: Sequence[str],
    output: str,
    form: str,
    **more: Any,
) -> None:
    """Ask language models what people are asked, and say how far to believe them.

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
    """
    from tqdm import tqdm  # type: ignore[import-untyped]

    from textsimp import audits, judgements, judges
    from textsimp.judges.panel import Panel, self_preferences
    from textsimp.judges.prompts import Prompt
    from textsimp.judges.servers import Budget

    settings, run = ({name: more.pop(name) for name in names} for names in (_SETTINGS, _RUN))
    if plan is None:
        study = _design(scheme, controls, settings["seed"], audit, **more)
    elif audit or controls or any(more[name] for name in ("sources", "predictions", "data")):
        raise InputError("--plan: expected no -s, -p, -d, --controls or --audit beside it")
    else:
        study = judgements.read_plan(plan, scheme)
    panel = Panel(study, models, output, prompt=Prompt.load(prompt), **settings)
    if dry_run:
        _describe(panel)
        return
    if base_url is None:
        raise InputError("expected the address of a server: give --base-url")
    for warning in self_preferences(models, study.systems):
        note(f"Warning: {warning}")
    total = len(panel.questions)
    with tqdm(total=total, initial=total - len(panel.open_questions()), disable=None) as bar:
        budget = Budget(max_requests, max_tokens)
        missing = panel.run(base_url, budget, **run, progress=bar.update)
    if panel.file.rows():
        answers = judgements.read(output, study.scheme)
        others = judgements.read(tables_in(people), study.scheme) if people else None
        result: Any = audits.audit_judges(answers) if audit else judges.assess(answers, others)
        if form in ("json", "csv"):
            printing.print_result(form, result)
        else:
            printing.print_tables(form, result.tables())
    if missing:
        note(missing)
        raise click.exceptions.Exit(1)


def _design(scheme: str | None, controls: bool, seed: int, audit: bool, **files: Any) -> Plan:
    """Return a study of the systems, or of one system with tricks."""
    from textsimp import audits, judgements

    data = read_data({"judge": [SOURCES, PREDICTIONS, REFERENCES.optional]}, **files)
    sources = data.sources or []
    systems = {name: data.predictions(name) for name in data.systems}
    if audit:
        systems = audits.trick_judges(sources, systems[one_system(data, "judge --audit")])
    return judgements.design(
        sources,
        systems,
        scheme or "likert",
        references=data.references,
        raters=1,
        controls=controls,
        seed=seed,
    )


def _describe(panel: Panel) -> None:
    """Print what a run would take."""
    questions = panel.open_questions()
    done = len(panel.questions) - len(questions)
    before = f", and {done:,} are answered already" if done else ""
    printing.print_line(f"{len(questions):,} requests{before}; each invalid answer is one more")
    tokens = sum(map(panel.estimate_tokens, questions))
    printing.print_line(f"about {tokens:,} tokens, if answers were as long as possible")
    if questions:
        click.echo(f"\n{tables.without_codes(panel.text(questions[0]))}")
