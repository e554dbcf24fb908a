"""EuroEval reads this file in the current folder: simplification, scored by textsimp's SARI."""

from dataclasses import replace

from euroeval import DatasetConfig
from euroeval.languages import ENGLISH
from euroeval.metrics import SourceBasedMetric
from euroeval.tasks import SIMPL

import textsimp

textsimp.register()  # evaluate.load("textsimp/sari") finds ours, in this process

sari = SourceBasedMetric(
    name="sari_easse",
    pretty_name="SARI (EASSE)",
    huggingface_id="textsimp/sari",
    results_key="sari",
    compute_kwargs={"variant": "easse"},
    postprocessing_fn=lambda score: (score, f"{score:.2f}"),  # it is 0 to 100 already
)
MY_SIMPLIFICATION = DatasetConfig(
    name="my-simplification",
    pretty_name="My simplification corpus",
    source={"train": "train.csv", "val": "val.csv", "test": "test.csv"},
    task=replace(SIMPL, metrics=[sari]),
    languages=[ENGLISH],
)
