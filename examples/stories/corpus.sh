#!/bin/sh
# A new corpus, and a shared task on it. Run it in a copy of examples.
set -e

# Documents: sizes, and which sentences were split, joined, added or moved.
textsimp documents -s documents/source.txt -t simple=documents/references/0.txt \
    --alignment aligned.csv

# From one file to three subsets with similar edits; equal sources stay together.
textsimp split balanced examples.jsonl --sizes 0.5,0.25,0.25 -T references --together source \
    -o subsets
textsimp split divergence -T references subsets/*.jsonl

# A task of one's own: official numbers, ranks with their groups, a page for the web.
textsimp task tasks/own/task.yaml --predictions tasks/own/runs --page leaderboard.html
