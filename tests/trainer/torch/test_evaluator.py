"""What docs/tools.md says of ``evaluate.evaluator``."""

import evaluate
import pytest
from datasets import Dataset

import textsimp

transformers = pytest.importorskip("transformers")
TASK = "text2text-generation"


class Copies:
    task = TASK

    def __call__(self, texts, **options):
        return [{"generated_text": text} for text in texts]


def test_an_evaluator_works_with_transformers_4_only():
    if int(transformers.__version__.split(".")[0]) > 4:
        with pytest.raises(KeyError, match=TASK):
            evaluate.evaluator(TASK)
        return
    data = Dataset.from_dict({"text": ["a big cat"], "label": ["a cat"]})
    run = evaluate.evaluator(TASK).compute
    result = run(Copies(), data, metric=textsimp.load("f1_token"), device=-1)
    assert result["f1_token"] == pytest.approx(80)
    with pytest.raises(textsimp.InputError, match="sari needs this column"):
        run(Copies(), data, metric=textsimp.load("sari"), device=-1)
