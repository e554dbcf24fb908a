"""``textsimp audit gaming`` and ``textsimp audit errors``."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import DataCommand, data_options, one_system, read_data
from textsimp.cli.functions import function_options
from textsimp.cli.options import form_options
from textsimp.cli.score import LANGUAGE, METRICS, OPTION, choose_metrics
from textsimp.metrics import catalogue


@click.group()
def audit() -> None:
    """Test scores: do tricks raise them, and do false statements lower them?"""


def _options(function: str, *names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the options of an audit, with these arguments of its function."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        own = function_options(f"textsimp.extensions.audits:{function}", *names)
        return METRICS(OPTION(LANGUAGE(data_options(own(form_options(command))))))

    return decorate


@audit.command(cls=DataCommand)
@_options("audit_gaming", "modifications", "shares", "repeats", "confidence", "seed")
def gaming(**arguments: Any) -> None:
    """Do scores rise for changes that simplify nothing?

    A growing share of the lines gets a period or a "the", or loses its longest word, as in
    Tanprasert and Kauchak 2021. A score gets better if it improves by at least 0.1 and by more than
    three standard deviations over the repeats. Easier texts count as better for readability
    formulas.

    \b
    Examples:
      textsimp audit gaming -m fkgl_components,readability -p systems/splitter.txt
      textsimp audit gaming -m sari,bleu -s source.txt -p systems/splitter.txt -r references
    """
    _run("gaming", **arguments)


@audit.command(cls=DataCommand)
@_options("audit_errors", "errors", "shares", "confidence", "resamples", "seed")
def errors(**arguments: Any) -> None:
    """Do scores fall when outputs say something false?

    Errors are put into a growing share of those outputs that can have them: phrases of other
    sources are added, phrases and names left out, numbers changed, verbs negated, as in Appendix E
    of Devaraj et al. 2022. A score doesn't notice an error if the interval of its difference is
    narrow and contains 0. Start from outputs without errors, such as a person's.

    \b
    Examples:
      textsimp audit errors -m sari,bleu -s source.txt -p systems/splitter.txt -r references
      textsimp audit errors -s source.txt -p systems/splitter.txt -r references --error negated
    """
    _run("errors", **arguments)


def _run(
    name: str,
    *,
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
    form: str,
    settings: dict[str, Any],
    **files: Any,
) -> None:
    """Read, change, score and print."""
    from textsimp.core.metric import check_columns
    from textsimp.extensions import audits

    scorers = catalogue.make_metrics(choose_metrics(metrics, options), "-m", language=language)
    check_columns(scorers.values(), "an audit")
    data = read_data({label: metric.columns for label, metric in scorers.items()}, **files)
    system = one_system(data, f"audit {name}")
    make = getattr(audits, f"audit_{name}")
    result = make(
        list(scorers.values()),
        data.predictions(system),
        sources=data.sources,
        references=data.references,
        **settings,
    )
    if form == "text":
        _print(system, result)
    else:
        printing.print_result(form, result, system=system)


def _print(system: str, result: Any) -> None:
    ((sampling, count),) = result.sampling.items()
    printing.print_sentence(
        f"{system}: {result.outputs:,} outputs; differences of the score by the share of outputs "
        f"that are changed; the last one with its {100 * result.confidence:g} % interval over "
        f"{count:,} {sampling}"
    )
    click.echo()
    for grid in result.curves():
        printing.print_table(grid)
        click.echo()
    if result.impossible:
        printing.print_sentence(f"No output can have {', '.join(result.impossible)}.")
    printing.print_line(*result.signatures.values())
