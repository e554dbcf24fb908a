"""MLSP-2024: where its scorer of substitutes differs from TSAR-2022's, and complexity."""

import math
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.given import write
from textsimp import InputError
from textsimp.extensions import tasks


def scored(folder, gold, run, **options):
    files = {"gold": write(folder / "gold.tsv", gold), "predictions": write(folder / "run", run)}
    return tasks.score("mlsp2024", **files, **options)


def value(id_, number, sentence="A sentence ."):
    return f"{id_}\tenglish\t{sentence}\tword\t{number}"


def rated(*numbers):
    return [value(f"en_{i}", number) for i, number in enumerate(numbers)]


# Substitutes


def test_the_target_stays_in_gold(tmp_path):
    result = scored(tmp_path, ["S\tw\tw\tw\tx"], ["S\tw\tw\tx"])
    assert (result["ACC@3@Top1"], result["Potential@1"]) == (0, 1)
    assert result["exact"]["Recall@1"] == 0.5


def test_sentences_and_targets_match_without_quotation_marks(tmp_path):
    gold = ['"An ""old"" hut ."\t"old"\taged']
    assert scored(tmp_path, gold, ['An "old" hut .\told \taged'])["ACC@1"] == 1


def test_only_the_target_as_it_stands_is_dropped_from_substitutes(tmp_path):
    assert scored(tmp_path, ['S\t"w"\tx'], ["S\tw\tw\tx"])["ACC@1"] == 1
    assert scored(tmp_path, ["S\tw\tx"], ['S\t"w"\tw\tx'])["ACC@1"] == 0


def test_the_table_has_the_official_columns_with_six_decimals(tmp_path):
    result = scored(tmp_path, ["S\tw\tx", "T\tw\tx", "U\tw\tx"], ["S\tw\tx", "T\tw", "U\tw"])
    grid = result.grid()
    assert grid.header == [
        *("", "ACC@1@Top1", "ACC@2@Top1", "ACC@3@Top1", "Potential@1", "Potential@3"),
        *("Potential@5", "Potential@10", "MAP@3", "MAP@5", "MAP@10"),
    ]
    assert grid.rows[0][1] == "0.333300"


# Complexity


def test_numbers_by_hand(tmp_path):
    result = scored(tmp_path, rated(0, 0.5, 1), rated(0.5, 0.5, 1), track="lcp")
    assert [*result] == ["pearson", "spearman", "mae", "mse", "r2", "exact"]
    assert result["mae"] == 0.166667
    assert result["mse"] == 0.083333
    assert result["r2"] == 0.5
    assert result["spearman"] == result["pearson"] == 0.866025


numbers = st.lists(st.tuples(*[st.integers(0, 20)] * 2), min_size=2, max_size=30)


@given(pairs=numbers)
def test_intervals_are_of_the_official_numbers(pairs):
    columns = [rated(*(number / 20 for number in column)) for column in zip(*pairs, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        gold, run = (write(Path(folder) / f"{i}", rows) for i, rows in enumerate(columns))
        options = {"track": "lcp", "resamples": 1}
        results = tasks.compare("mlsp2024", gold=gold, predictions=[run], **options)
    ((_, estimates),) = results.estimates.items()
    exact = results.results[0]["exact"]
    expected = [name for name in exact if name != "spearman" and math.isfinite(exact[name])]
    assert [*estimates] == expected
    assert estimates == pytest.approx({name: exact[name] for name in expected}, abs=1e-9)


def test_rows_are_joined_by_id_and_the_last_counts(tmp_path):
    gold = rated(0.1, 0.2, 0.4)
    run = [value("en_1", 0.9), *rated(0.1, 0.2, 0.4)[::-1], value("xx_1", 0.5)]
    result = scored(tmp_path, gold, run, track="lcp")
    assert result["mae"] == 0
    assert result.coverage.extra == [5]
    assert result.coverage.repeated == [3]


def test_a_file_of_all_languages_is_scored_for_one(tmp_path):
    gold = [*rated(0.1, 0.2), value("es_1", 0.3), value("es_2", 0.5)]
    run = [*rated(0.9, 0.9), value("es_1", 0.3), value("es_2", 0.5)]
    assert scored(tmp_path, gold, run, track="lcp", prefix="es")["mae"] == 0


def test_four_rows_are_left_out(tmp_path):
    dropped = [value(one, 0) for one in ("fr_150", "fr_513", "pt_600", "pt_579")]
    result = scored(tmp_path, rated(0.1, 0.2) + dropped, rated(0.1, 0.2), track="lcp")
    assert result.coverage.gold == result.coverage.scored == 2


def test_ids_and_numbers_alone_are_a_file_too(tmp_path):
    result = scored(tmp_path, ["a\t0.1", "b\t0.2"], ["a\t.1", "b\t2e-1"], track="lcp")
    assert result["mae"] == 0


def test_no_correlation_is_beyond_1(tmp_path):
    """Predictions far from gold, which follow it exactly."""
    numbers = [i / 7 for i in range(30)]
    gold = write(tmp_path / "gold.tsv", rated(*numbers))
    runs = {
        f"{sign}": write(tmp_path / f"{sign}.tsv", rated(*(1e7 + sign * x for x in numbers)))
        for sign in (1, -1)
    }
    results = tasks.compare("mlsp2024", gold=gold, predictions=[*runs.values()], track="lcp")
    for name, sign in (("1", 1), ("-1", -1)):
        low, high = results.intervals[name]["pearson"]
        assert -1 <= low <= high <= 1
        assert [low, high] == pytest.approx([sign, sign], abs=1e-7)


def test_constant_predictions_have_no_correlation_and_no_interval_of_it(tmp_path):
    gold, run = write(tmp_path / "gold.tsv", rated(0, 0.5, 1)), tmp_path / "run.tsv"
    write(run, rated(0.3, 0.3, 0.3))
    results = tasks.compare("mlsp2024", gold=gold, predictions=[run], track="lcp")
    assert math.isnan(results.results[0]["pearson"])
    assert [*results.intervals["run"]] == ["mae", "mse", "r2"]


@pytest.mark.parametrize(
    ("run", "place"),
    [
        (rated(0.1), "'en_1'.*, line 2$"),
        (rated(0.1, "high"), "run, line 2: "),
        (rated(0.1, "0_1"), "run, line 2: "),
        (rated(0.1, "nan"), "run, line 2: "),
        ([*rated(0.1), ""], "run, line 2: "),
        ([*rated(0.1), '"' + "x" * 2**18], "run, line 2: "),
        ([value("en_0", 0, '"open'), *rated(0, 1)], "run, line 1: "),
    ],
)
def test_where_the_official_script_fails_a_line_says_why(tmp_path, run, place):
    with pytest.raises(InputError, match=place):
        scored(tmp_path, rated(0.1, 0.2), run, track="lcp")


def test_a_prefix_is_of_complexity_only_and_needs_two_instances(tmp_path):
    with pytest.raises(InputError):
        scored(tmp_path, ["S\tw\tx"], ["S\tw\tx"], prefix="es")
    with pytest.raises(InputError):
        scored(tmp_path, rated(0.1), rated(0.1), track="lcp")
