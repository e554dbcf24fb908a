#!/bin/sh
# A gate before a new system is released, and a corpus in pieces. Run it in a copy of examples.
set -e

# The new system must not be significantly worse than the old one.
textsimp compare -s source.txt -r references -p old=systems/splitter.txt \
    -p new=systems/substituter.txt --fail-if worse

# The other way round the step fails, with a line that says by how much.
if textsimp compare -s source.txt -r references -p old=systems/substituter.txt \
    -p new=systems/splitter.txt --fail-if worse; then
    echo "the gate let a worse system through"
    exit 1
fi

# Two jobs score a piece each; merged scores are those of the whole corpus, to the last bit.
head -n 24 examples.jsonl > first.jsonl
tail -n +25 examples.jsonl > second.jsonl
textsimp score -d first.jsonl -P splitter --save-statistics first.parquet
textsimp score -d second.jsonl -P splitter --save-statistics second.parquet --first-row 24
textsimp merge first.parquet second.parquet --csv > merged.csv
textsimp score -d examples.jsonl -P splitter --csv > whole.csv
