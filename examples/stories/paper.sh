#!/bin/sh
# A results table and a study for a paper. Run it in a copy of the folder examples.
set -e

# Are the outputs what they should be? The exit code is 1 if they aren't.
textsimp check -s source.txt -r references -p systems

# The table: booktabs, main scores with intervals, and a caption with signatures.
textsimp score -m sari,bleu,fkgl -s source.txt -r references -p systems --latex > table.tex

# Differences from a baseline, and what these examples can detect at all.
textsimp compare -m sari,bleu -s source.txt -r references -p systems --baseline copy
textsimp power -s source.txt -r references -p systems

# A page for reading outputs.
textsimp report -s source.txt -r references -p systems -o report.html

# A study: who sees which outputs; then what invented ratings say, and which metric agrees with them.
textsimp rate design -s source.txt -p systems --per-rater 40 --controls -o plan.jsonl
textsimp ratings ratings.jsonl
textsimp meta -d ratings.jsonl -m sari,bleu

# What the paper has to cite.
textsimp metrics --cite sari > sari.bib
