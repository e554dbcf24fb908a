"""A scorer for W&B Weave: SARI of one output, from the columns ``source`` and ``references``."""

import weave

from textsimp import Sari


class SariScorer(weave.Scorer):
    @weave.op
    def score(self, output: str, source: str, references: list[str]) -> dict:
        scores = Sari().score(sources=[source], predictions=[output], references=[references])
        return {"sari": scores["sari"], "signature": scores["signature"]}
