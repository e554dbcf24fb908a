"""What the extension `people` adds to textsimp."""

from textsimp.support.extensions import Command, Extension

_CLI = "textsimp.extensions.people.cli"

EXTENSION = Extension(
    commands={
        "errors": Command(
            f"{_CLI}.errors:errors",
            "Read files of information-error labels; merge them, or print tables of them.",
            "Outputs",
        ),
        "rate": Command(
            f"{_CLI}.rate:rate",
            "Let people rate outputs: write a plan, then serve a page or write sheets for it.",
            "Outputs",
        ),
        "ratings": Command(
            f"{_CLI}.ratings:ratings",
            "Read files of ratings; print systems' means with tests, and how far raters agree.",
            "Outputs",
        ),
        "meta": Command(
            f"{_CLI}.meta:meta",
            "Read a table of outputs and people's ratings; print how well metrics agree with them.",
            "Metrics",
        ),
        "figure people": Command(
            f"{_CLI}.figures:people", "Scores of systems against people's ratings.", "Commands"
        ),
        "figure trust": Command(
            f"{_CLI}.figures:trust", "How well metrics agree with people, by test set.", "Commands"
        ),
    },
    figures={
        "people": "textsimp.extensions.people.report.figures:people",
        "trust": "textsimp.extensions.people.report.figures:trust",
    },
    report=f"{_CLI}.answer_options:report_options",
    statements=["textsimp.extensions.people.statements:answers"],
)
