"""A metric for deepeval: SARI of one output, 0 to 1, without a judge."""

from deepeval.metrics import BaseMetric

from textsimp import Sari


class SariMetric(BaseMetric):
    __name__ = "SARI"

    def __init__(self, threshold: float | None = None) -> None:
        self.threshold = threshold

    def measure(self, test_case, *args, **kwargs) -> float:
        scores = Sari.preset().score(
            sources=[test_case.input],
            predictions=[test_case.actual_output],
            references=[(test_case.metadata or {}).get("references", [test_case.expected_output])],
        )
        self.score = scores["sari"] / 100
        self.reason = scores["signature"]
        self.is_successful()
        return self.score

    async def a_measure(self, test_case, *args, **kwargs) -> float:
        return self.measure(test_case)
