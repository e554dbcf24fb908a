"""What the extension `judges` adds to textsimp."""

from textsimp.support.extensions import Command, Extension

EXTENSION = Extension(
    commands={
        "judge": Command(
            "textsimp.extensions.judges.cli.judge:judge",
            "Let language models rate outputs: write their answers, print how far to trust them.",
            "Outputs",
        ),
    },
    metrics={"judge": "textsimp.extensions.judges.metric:Judge"},
)
