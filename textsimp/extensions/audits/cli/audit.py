"""``textsimp audit gaming`` and ``textsimp audit errors``."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import DataCommand, Files, data_options, one_system
from textsimp.cli.options import Callback, documented_options, form_options
from textsimp.cli.score import LANGUAGE, METRICS, OPTION, choose_metrics
from textsimp.metrics import catalogue


@click.group()
def audit() -> None:
    """Test scores: do tricks raise them, and do false statements lower them?"""


def _options(function: str) -> Callable[[Callback], Callback]:
    """Give a command the options of an audit, which the docstring of its function describes."""

    def decorate(command: Callback) -> Callback:
        documented = documented_options(f"textsimp.extensions.audits.{function}")
        return METRICS(OPTION(LANGUAGE(data_options(documented(form_options(command))))))

    return decorate


@audit.command(cls=DataCommand)
@_options("gaming_audit:audit_gaming")
def gaming(
    files: Files,
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
    form: str,
    modifications: Sequence[str] | None = None,
    shares: Sequence[float] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    repeats: int = 100,
    confidence: float = 0.95,
    seed: int = 0,
) -> None:
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
    from textsimp.extensions.audits import audit_gaming

    system, columns = _read("audit gaming", files, metrics, options, language)
    result = audit_gaming(
        **columns,
        modifications=modifications,
        shares=shares,
        repeats=repeats,
        confidence=confidence,
        seed=seed,
    )
    _print(form, system, result)


@audit.command(cls=DataCommand)
@_options("error_audit:audit_errors")
def errors(
    files: Files,
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
    form: str,
    errors: Sequence[str] | None = None,
    shares: Sequence[float] = (0.1, 0.25, 0.5, 1.0),
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> None:
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
    from textsimp.extensions.audits import audit_errors

    system, columns = _read("audit errors", files, metrics, options, language)
    result = audit_errors(
        **columns,
        errors=errors,
        shares=shares,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )
    _print(form, system, result)


def _read(
    command: str,
    files: Files,
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
) -> tuple[str, dict[str, Any]]:
    """Return the name of the system, and what an audit takes: metrics and columns."""
    from textsimp.cli.data_reading import read_data
    from textsimp.core.metric import check_columns

    scorers = catalogue.make_metrics(choose_metrics(metrics, options), "-m", language=language)
    check_columns(scorers.values(), "an audit")
    data = read_data({label: metric.columns for label, metric in scorers.items()}, files)
    system = one_system(data, command)
    return system, {
        "metrics": list(scorers.values()),
        "predictions": data.predictions(system),
        "sources": data.sources,
        "references": data.references,
    }


def _print(form: str, system: str, result: Any) -> None:
    if form != "text":
        printing.print_result(form, result, system=system)
        return
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
