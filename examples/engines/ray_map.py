"""Scores of a corpus in parquet files, by Ray: python ray_map.py FILE..."""

import os
import sys

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read when Ray is imported
import ray

import textsimp

function = textsimp.map_statistics(
    ["sari", "fkgl_components"],
    sources="source",
    predictions="prediction",
    references="references",
)

if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False)  # or the address of a cluster
    pairs = ray.data.read_parquet(sys.argv[1:])  # with a column `row`: their numbers, from 0
    mapped = pairs.map_batches(function, batch_size=20_000, batch_format="pyarrow")
    values = (row["statistics"] for row in mapped.iter_rows())
    scores = textsimp.score(textsimp.merge(values))
    print(scores)
