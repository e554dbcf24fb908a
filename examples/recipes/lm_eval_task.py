"""What lm_eval_task.yaml refers to."""

from textsimp import FkglComponents, Sari

SARI = Sari.preset()
FKGL = FkglComponents.preset("easse")


def process_results(doc, results):
    """Hand the texts on: a corpus score isn't a mean of scores of sentences."""
    prediction = results[0].strip()
    return {"sari": (doc["source"], prediction, doc["references"]), "fkgl": prediction}


def sari(examples):
    sources, predictions, references = zip(*examples, strict=True)
    return SARI.score(sources=sources, predictions=predictions, references=references)["sari"]


def fkgl(predictions):
    return FKGL.score(predictions=predictions)["fkgl"]
