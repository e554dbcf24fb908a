"""Scores of a corpus in parquet files, by Dask: python dask_map.py FILE..."""

import sys

import dask.dataframe
from dask.distributed import Client

import textsimp

function = textsimp.map_statistics(
    ["sari", "fkgl_components"],
    sources="source",
    predictions="prediction",
    references="references",
)

if __name__ == "__main__":
    with Client(n_workers=2, threads_per_worker=1):  # or the address of a cluster
        pairs = dask.dataframe.read_parquet(sys.argv[1:])  # with a column `row`: numbers from 0
        mapped = pairs.map_partitions(function, meta={"statistics": object})
        values = mapped["statistics"].compute()
    scores = textsimp.score(textsimp.merge(values))
    print(scores)
