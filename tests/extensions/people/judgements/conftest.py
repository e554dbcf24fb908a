"""Files of answers and plans."""

import csv

import pytest

from textsimp.core.tables import json_lines


@pytest.fixture
def written(tmp_path):
    """``written([row, …], "name.csv")`` → a file with these rows."""

    def write(rows, name="answers.jsonl"):
        path = tmp_path / name
        if path.suffix == ".csv":
            with open(path, "w", newline="", encoding="utf-8") as file:
                table = csv.DictWriter(file, rows[0])
                table.writeheader()
                table.writerows(rows)
        else:
            path.write_text(json_lines(rows), encoding="utf-8")
        return path

    return write


def answers_to(plan):
    """Made-up answers to all screens of a plan."""
    rows, scheme = [], plan.scheme
    for i, screen in enumerate(plan.screens):
        if scheme.compares:
            ratings = dict.fromkeys(scheme.criteria, "AB"[i % 2])
        else:
            one = {name: [*c.steps][i % len(c.steps)] for name, c in scheme.criteria.items()}
            ratings = [one] * len(screen.predictions)
        rows += screen.answers(scheme, ratings, seconds=9, time="2024-05-01T10:00:00")
    return rows
