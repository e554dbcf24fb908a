"""``textsimp report`` with people's ratings."""

from pathlib import Path

from tests.report.pages import measures_of


def test_files_of_ratings_are_shown(examples, succeed, fails):
    texts = "report -s source.txt -r references -p systems --resamples 20 -o new.html"
    result = succeed(f"{texts} --ratings ratings.jsonl")
    assert "ratings.rating.mean" in measures_of(Path("new.html").read_text("utf-8"))
    left = "Left out of 96 ratings: 46 of texts that no system wrote."
    assert left in result.stderr
    assert left in Path("new.html").read_text("utf-8")
    for option in ("--scheme likert", "--rating rating", "--plan plan.jsonl"):
        assert "give --ratings" in fails(f"{texts} --force {option}")
    assert "examples.jsonl" in fails(f"{texts} --force --ratings examples.jsonl")


def test_labels_of_errors_are_ratings(examples, succeed):
    labels = "--ratings labels.jsonl --scheme information_errors"
    succeed(f"report -d labels.jsonl {labels} --resamples 5 -o new.html")
    measures = measures_of(Path("new.html").read_text("utf-8"))
    assert max(map(max, measures["ratings.deletion.mean"])) > 0
