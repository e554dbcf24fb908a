#!/bin/bash
# Scores of a corpus in pairs/0.parquet, pairs/1.parquet and so on, by an array of Slurm jobs:
#   sbatch --array=0-99 slurm.sh
# When all have ended (a job that failed is run again alone, by --array=7):
#   textsimp merge statistics/*.parquet --rows 100000000
#SBATCH --mem=4G
#SBATCH --requeue
set -e
rows=${ROWS:-1000000}  # of each file but the last
i=$SLURM_ARRAY_TASK_ID
mkdir -p statistics
textsimp score -d "pairs/$i.parquet" -P prediction -m sari,fkgl_components --no-check \
  --save-statistics "statistics/$i.parquet" --first-row $((i * rows)) --force
