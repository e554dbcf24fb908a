"""A metric for flexeval: scores of textsimp, over the corpus and for each example."""

from flexeval import Metric, MetricResult
from flexeval.core.metric.utils import extract_text_from_outputs

import textsimp


class TextSimp(Metric):
    """
    Args:
        name: A metric of textsimp, such as "sari".
        source_key: Where an item's extra_info has the source.
        options: Options of the metric, such as {"variant": "easse_legacy"}.
    """

    def __init__(
        self, name: str = "sari", source_key: str = "source", options: dict | None = None
    ) -> None:
        self.metric = textsimp.load(name, **(options or {}))
        self.source_key = source_key

    def evaluate(self, lm_outputs, references_list, extra_info_list=None) -> MetricResult:
        scores = self.metric.compute(
            sources=[extra[self.source_key] for extra in extra_info_list],
            predictions=extract_text_from_outputs(lm_outputs),
            references=references_list,
            per_example=True,
        )
        rows = {key: scores.pop(key) for key in list(scores) if key.endswith("_per_example")}
        names = [key.removesuffix("_per_example") for key in rows]
        return MetricResult(
            summary=scores,
            instance_details=[
                dict(zip(names, row, strict=True)) for row in zip(*rows.values(), strict=True)
            ],
        )
