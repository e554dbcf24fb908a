"""An assertion for promptfoo: SARI of one output, of variables ``source`` and ``references``."""

from textsimp import Sari


def get_assert(output, context):
    own = context["vars"]
    scores = Sari().score(
        sources=[own["source"]], predictions=[output], references=[own["references"]]
    )
    threshold = context.get("config", {}).get("threshold", 30)
    return {
        "pass": scores["sari"] >= threshold,
        "score": scores["sari"] / 100,
        "reason": scores["signature"],
    }
