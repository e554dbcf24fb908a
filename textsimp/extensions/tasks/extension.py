"""What the extension `tasks` adds to textsimp."""

from textsimp.support.extensions import Command, Extension

EXTENSION = Extension(
    commands={
        "task": Command(
            "textsimp.extensions.tasks.cli.task:task",
            "Score runs of a shared task as its organisers do.",
            "Scores",
        ),
    },
)
