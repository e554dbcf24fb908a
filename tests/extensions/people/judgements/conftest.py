"""Files of answers and plans."""

import pytest

from tests.given import write


@pytest.fixture
def written(tmp_path):
    """``written([row, …], "name.csv")`` → a file with these rows."""
    return lambda rows, name="answers.jsonl": write(tmp_path / name, rows)


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
