"""An evaluator for Langfuse: SARI of one output; the item's input is the source."""

from langfuse import Evaluation

from textsimp import Sari


def sari(*, input, output, expected_output, **more) -> Evaluation:
    references = [expected_output] if isinstance(expected_output, str) else expected_output
    scores = Sari().score(sources=[input], predictions=[output], references=[references])
    return Evaluation(name="sari", value=scores["sari"], comment=scores["signature"])
