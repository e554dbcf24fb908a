"""Score with unitxt: SARI of the splitter's outputs, with unitxt's own intervals."""

import json
from pathlib import Path
from typing import List  # noqa: UP035  # unitxt knows no list[str]

from unitxt.api import create_dataset, evaluate
from unitxt.metrics import HuggingfaceMetric
from unitxt.task import Task
from unitxt.templates import MultiReferenceTemplate

import textsimp

textsimp.register()  # evaluate.load("textsimp/sari") finds ours, in this process

sari = HuggingfaceMetric(
    hf_metric_name="textsimp/sari",
    main_score="sari",
    hf_additional_input_fields=["sources"],
)
task = Task(
    input_fields={"sources": str},
    reference_fields={"references": List[str]},  # noqa: UP006
    prediction_type=str,
    metrics=[sari],
    default_template=MultiReferenceTemplate(
        input_format="Complex: {sources}\nSimple:", references_field="references"
    ),
)


def main() -> dict:
    lines = Path("examples/examples.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    dataset = create_dataset(
        task=task,
        test_set=[{"sources": r["source"], "references": r["references"]} for r in rows],
        split="test",
    )
    results = evaluate(predictions=[r["splitter"] for r in rows], data=dataset)
    return results.global_scores


if __name__ == "__main__":
    print(main())
