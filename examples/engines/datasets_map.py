"""Scores of a corpus in parquet files, by two processes: python datasets_map.py FILE..."""

import sys

import datasets

import textsimp

function = textsimp.map_statistics(
    ["sari", "fkgl_components"],
    sources="source",
    predictions="prediction",
    references="references",
)

if __name__ == "__main__":
    pairs = datasets.Dataset.from_parquet(sys.argv[1:])
    mapped = pairs.map(
        function,
        with_indices=True,  # numbers of rows, so that no column needs to have them
        batched=True,
        batch_size=20_000,
        num_proc=2,
        remove_columns=pairs.column_names,
    )
    scores = textsimp.score(textsimp.merge(mapped["statistics"], rows=len(pairs)))
    print(scores)
