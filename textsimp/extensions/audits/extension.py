"""What the extension `audits` adds to textsimp."""

from textsimp.support.extensions import Command, Extension

EXTENSION = Extension(
    commands={
        "audit": Command(
            "textsimp.extensions.audits.cli.audit:audit",
            "Test scores: do tricks raise them, and do false statements lower them?",
            "Outputs",
        ),
    },
)
