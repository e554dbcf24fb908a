"""What the extension `models` adds to textsimp."""

from textsimp.support.extensions import Command, Extension

EXTENSION = Extension(
    commands={
        "hub models": Command(
            "textsimp.extensions.models.cli.models:models",
            "List the pretrained models of metrics, or download one.",
            "Commands",
        ),
    },
    metrics={
        "bertscore": "textsimp.extensions.models.bertscore:BertScore",
        "embedding_similarity": (
            "textsimp.extensions.models.embedding_similarity:EmbeddingSimilarity"
        ),
        "level": "textsimp.extensions.models.level:Level",
        "regression": "textsimp.extensions.models.regression:Regression",
        "lens": "textsimp.extensions.models.lens:Lens",
        "entailment": "textsimp.extensions.models.entailment:Entailment",
    },
    aligners={"embedding": "textsimp.extensions.models.embedding_aligner:embedding_aligner"},
)
"""Metrics in the order of lists and cards."""
