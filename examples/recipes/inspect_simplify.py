"""A task for inspect-ai: SARI of each output, and of the corpus."""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import SampleScore, Score, metric, scorer
from inspect_ai.solver import generate, prompt_template

from textsimp import Sari

EXAMPLES = Path(__file__).parents[1] / "examples.jsonl"


@metric
def corpus():
    def sari(scores: list[SampleScore]):  # inspect reads the annotation
        rows = [each.score.metadata for each in scores]
        return Sari.preset().score(**{name: [row[name] for row in rows] for name in rows[0]})[
            "sari"
        ]

    return sari


@scorer(metrics=[corpus()])
def sari():
    async def score(state, target):
        prediction = state.output.completion.strip()
        row = {"sources": state.input_text, "predictions": prediction, "references": list(target)}
        scores = Sari.preset().score(**{name: [value] for name, value in row.items()})
        return Score(value=scores["sari"], answer=prediction, metadata=row)

    return score


@task
def simplify():
    dataset = json_dataset(str(EXAMPLES), FieldSpec(input="source", target="references"))
    solver = [prompt_template("Write this in plain English: {prompt}"), generate()]
    return Task(dataset=dataset, solver=solver, scorer=sari())
