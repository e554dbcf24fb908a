"""``textsimp check``."""

from pathlib import Path

import click

from textsimp.cli.data_arguments import DataCommand, Files, data_options
from textsimp.cli.options import FORCE, documented_options, form_options
from textsimp.core import tables
from textsimp.support.files import check_new


@click.command(cls=DataCommand)
@data_options
@form_options
@documented_options()
@FORCE
@click.pass_context
def check(
    context: click.Context,
    /,
    files: Files,
    form: str,
    force: bool,
    each: bool = False,
    fix: str | Path | None = None,
) -> None:
    """Find data problems: lost lines, mixed tokenisation, what language models leave in outputs.

    A system with an error can't be ranked: its file has lost a line, or its outputs are references.
    A problem makes scores wrong: empty outputs, outputs that are tokenised where references aren't.
    A note is worth knowing, such as many copies of the source.

    \b
    Examples:
      textsimp check -s source.txt -p systems -r references
      textsimp check -t asset_test -p output.txt --json
      textsimp check -s source.txt -p output.txt --fix clean.txt
      textsimp check -d 'shards/*.parquet' -P ours

    Exit codes: 0 if there are no errors or problems, 1 if there are, 2 for bad input.

    Args:
        each: List each finding, however many there are.
        fix: Write the outputs to FILE, .txt or .jsonl, without preambles, closing notes, code
            fences, quotation marks around texts and <think>…</think>. Lines that are shifted move
            back to their sources; a lost one is empty. What isn't certain is left alone, and
            listed.
    """
    from textsimp.cli import check_report

    path = None if fix is None else Path(fix)
    if path is not None:
        tables.check_ending("--fix", path, [".txt", ".jsonl"])
        check_new([path], overwrite=force)
    if path is None and files.shards:
        findings = check_report.check_shards(files, form, each=each)
    else:
        findings = check_report.check_texts(files, form, path, each=each, overwrite=force)
    context.exit(int(check_report.count_problems(findings) > 0))
