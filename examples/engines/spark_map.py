"""Scores of a corpus in parquet files, on Spark: spark-submit spark_map.py FILE..."""

import sys

from pyspark.sql import SparkSession

import textsimp

function = textsimp.map_statistics(
    ["sari", "fkgl_components"],
    sources="source",
    predictions="prediction",
    references="references",
)

if __name__ == "__main__":
    spark = (
        SparkSession.builder.master("local[2,4]")  # on a cluster, leave this out
        .config("spark.sql.files.maxPartitionBytes", "64MB")  # else few partitions of small files
        .getOrCreate()
    )
    pairs = spark.read.parquet(*sys.argv[1:])  # with a column `row`: their numbers, from 0
    mapped = pairs.mapInArrow(function, "statistics binary")
    values = (row.statistics for row in mapped.toLocalIterator())
    scores = textsimp.score(textsimp.merge(values))
    print(scores)
    spark.stop()
