"""Completions of prompts, as TRL's trainers hand them to rewards."""

from types import SimpleNamespace

from tests.given import columns, systems

SOURCES, REFERENCES = (column[:4] for column in columns().values())
OUTPUTS = [texts[:4] for texts in systems().values()]

# Two completions for each of four prompts.
COMPLETIONS = [text for pair in zip(*OUTPUTS, strict=True) for text in pair]
PROMPTS = [f"Simplify: {source}" for source in SOURCES for _ in range(2)]
COLUMNS = {
    "source": [source for source in SOURCES for _ in range(2)],
    "references": [row for row in REFERENCES for _ in range(2)],
}


def called(reward, completions=None, prompts=None, **given):
    """As TRL calls it."""
    return reward(
        prompts=PROMPTS if prompts is None else prompts,
        completions=COMPLETIONS if completions is None else completions,
        completion_ids=[[1, 2]] * 8,
        **{**COLUMNS, **given},
        trainer_state=SimpleNamespace(global_step=0),
        log_extra=lambda column, values: None,
        log_metric=lambda name, value: None,
    )
