#!/bin/sh
# A study, from outputs to a paper's paragraph. Run it in a copy of the folder examples.
# stories/made_up.py plays the raters and the model: nobody rated anything.
set -e

# Who rates what: 20 sources, two systems, all by three raters, and controls.
textsimp rate design -s source.txt -p systems -r references --names anna ben cem \
    --items 20 --per-output 3 --controls -o plan.jsonl

# Anna and Ben get spreadsheets, and send them back.
textsimp rate sheet plan.jsonl -o sheets
mkdir answers
for rater in anna ben; do
    python stories/made_up.py fill sheets/$rater.xlsx
    cp sheets/$rater.xlsx answers
done

# Cem gets a link.
textsimp rate serve plan.jsonl --answers answers --port 7877 > links.txt &
page=$!
trap 'kill $page' EXIT
python stories/made_up.py rate links.txt cem
kill $page

# A language model rates all outputs by the same scheme.
python stories/made_up.py serve 8127 &
model=$!
trap 'kill $model' EXIT
judge=judge:made-up:answers=judges.jsonl:base_url=http://127.0.0.1:8127/v1
textsimp score -m sari,$judge -s source.txt -r references -p systems --json > scores.json
textsimp judge --base-url http://127.0.0.1:8127/v1 --model made-up --plan plan.jsonl \
    -o judges.jsonl --people answers

# Who is better by people, how far they agree, and who fails controls.
textsimp ratings answers --plan plan.jsonl
textsimp ratings answers --plan plan.jsonl --latex > ratings.tex

# How far SARI and the judge agree with them.
textsimp meta -d answers --plan plan.jsonl -m sari,$judge --rating simplicity

# Everything on one page, and the paragraph for the paper.
textsimp report -s source.txt -r references -p systems --ratings answers --plan plan.jsonl \
    -o report.html
textsimp statement scores.json > statement.md
textsimp statement answers --plan plan.jsonl --latex > paragraph.tex
