"""``-m judge`` of every command that takes metrics."""

import pytest

from tests.extensions.judges.loopback import serve, varied
from tests.given import lines, rows, systems, write

FILES = "-s source.txt -r references -p systems"


@pytest.fixture
def ask(examples, succeed):
    """Run a command with a judge, and return what it prints, and how much it asked."""
    with serve(varied) as server:
        judge = f"-m judge:model=qwen3:8b:base_url={server.address}:answers=j.jsonl"

        def invoke(command):
            before = len(server.requests)
            printed = succeed(f"{command} {judge} --resamples 20").stdout
            return printed, len(server.requests) - before

        yield invoke


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (f"score {FILES} -m sari", "simplicity (qwen3:8b)"),
        (f"compare {FILES} --baseline splitter", "minus splitter"),
        (f"report {FILES} -o report.html --force", "report.html"),
        ("meta -d rated.jsonl", "judge(qwen3:8b"),
    ],
)
def test_every_command_with_metrics_has_it_and_asks_once(ask, command, said):
    texts = [
        {"system": name, "source": source, "prediction": output, "rating": i % 5}
        for name, outputs in systems().items()
        for i, (source, output) in enumerate(zip(lines("source.txt"), outputs, strict=True))
    ]
    write("rated.jsonl", texts)
    printed, asked = ask(command)
    assert said in printed
    assert asked == len(rows("j.jsonl")) >= len({row["prediction"] for row in texts})
    assert ask(command)[1] == 0


def test_ratings_of_each_example_are_those_of_the_answers(ask, succeed):
    ask(f"score {FILES} --per-example each.jsonl --save-statistics one.parquet")
    answers = {(row["source"], row["prediction"]): row["simplicity"] for row in rows("j.jsonl")}
    for row in rows("each.jsonl"):
        assert row["simplicity"] == answers[row["source"], row["prediction"]]
    assert "substituter" in succeed("ratings j.jsonl --resamples 20").stdout
    assert "|weighted:no|" in succeed("merge one.parquet --resamples 20").stdout
