"""Log SARI to MLflow, with its signature as a tag."""

import mlflow
import pandas as pd

from textsimp import Sari

rows = pd.read_json("examples/examples.jsonl", lines=True)
scores = Sari.preset().score(
    sources=rows["source"], predictions=rows["splitter"], references=rows["references"]
)
with mlflow.start_run(run_name="splitter") as run:
    mlflow.log_metrics(scores.to_dict(signature=False, lists=False))
    mlflow.set_tag("sari.signature", scores.signature)
