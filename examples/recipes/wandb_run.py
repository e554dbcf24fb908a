"""Log SARI to Weights & Biases without network, with its signature in the configuration."""

import pandas as pd
import wandb

from textsimp import Sari

rows = pd.read_json("examples/examples.jsonl", lines=True)
scores = Sari.preset().score(
    sources=rows["source"], predictions=rows["splitter"], references=rows["references"]
)
with wandb.init(project="simplification", name="splitter", mode="offline") as run:
    run.config["sari_signature"] = scores.signature
    run.log(scores.to_dict(signature=False, lists=False))
