"""Published numbers: what the file says, and looking a number up in it."""

import pytest

from textsimp import InputError
from textsimp.metrics import catalogue
from textsimp.scoring import published
from textsimp.scoring.published import describe, family, look_up

ROWS = published.table("published")
FORMULAS = {row["formula"]: row["compares"] for row in published.table("formulas")}


def described(score):
    return [(row["system"], row["test_set"], row.get("printed")) for row in look_up(score)]


# The file


def test_every_row_is_complete_and_written_once():
    keys = [(r["paper"], r["system"], r["test_set"], r["metric"], r["printed"]) for r in ROWS]
    assert len({*keys}) == len(keys)
    for row in ROWS:
        assert all(
            (
                row["paper"],
                row["system"],
                row["test_set"],
                row["formula"],
                row["value"],
                row["outputs"],
            )
        ), row
        assert row["metric"] in ("SARI", "BLEU", "FKGL")
        assert row["equal"] in ("yes", "cut", "no")


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: "-".join(row[k] for k in ("system", "metric", "printed"))
)
def test_the_value_gives_the_printed_number_as_the_row_says(row):
    unit = 10.0 ** -len(row["printed"].partition(".")[2])
    off = float(row["value"]) - float(row["printed"])
    rounded = abs(off) <= unit / 2 + 5e-4  # values are rounded themselves
    cut = -1e-9 <= off < unit
    assert {"yes": rounded, "cut": cut, "no": not rounded and not cut}[row["equal"]]


def test_formulas_of_sari_are_those_of_the_families_but_for_case():
    assert {family(row)["formula"] for row in ROWS if row["metric"] == "SARI"} == {*FORMULAS}
    assert not any(family(row) for row in ROWS if row["metric"] != "SARI")
    for formula in FORMULAS:
        name, _, variant = formula.partition(":variant=")
        assert variant in ("", *catalogue.metric_class(name).presets)


def test_what_is_said_of_star_and_the_default_is_what_the_rows_say():
    gaps = {
        formula: [
            float(row["default"]) - float(row["printed"])
            for row in ROWS
            if family(row).get("formula") == formula and row["equal"] != "no"
        ]
        for formula in FORMULAS
    }
    star, eight = gaps["sari:variant=star"], [-gap for gap in gaps["sari:variant=easse_legacy"]]
    assert f"{min(star):.1f} to {max(star):.1f} higher" in FORMULAS["sari:variant=star"]
    assert f"{min(eight):.2f} to {max(eight):.2f} lower" in FORMULAS["sari:variant=easse_legacy"]


# Looking a number up


def test_a_printed_number_is_named_with_its_formula_and_todays_value():
    (row,) = look_up("27.37")
    assert describe(row) == (
        "27.37 is the SARI of Dress on Newsela in Zhang & Lapata 2017, by STAR "
        "(sari:variant=star); by today's default it is 38.37"
    )


@pytest.mark.parametrize("given", ["27.4", "27.3", "27.37", "27.373", "27.3729", "0.2737", "0.274"])
def test_decimals_may_be_fewer_or_more_cut_or_rounded_and_a_share(given):
    assert ("Dress", "Newsela", "27.37") in described(given)


@pytest.mark.parametrize("given", ["27.38", "27.36", "27.5", "27.2", "27.379", "2.737"])
def test_another_number_is_not_found(given):
    assert ("Dress", "Newsela", "27.37") not in described(given)


def test_a_number_that_was_cut_is_found_rounded_too():
    assert ("SBMT-SARI", "TurkCorpus, legacy", "37.91") in described("37.91")
    assert ("SBMT-SARI", "TurkCorpus, legacy", "37.91") in described("37.92")
    assert "in Xu et al. 2016, cut instead of rounded, by SARI.py" in describe(look_up("37.91")[0])


def test_the_nearest_of_a_number_that_was_not_reproduced_is_not_it():
    (row,) = look_up("40.45")
    assert row["equal"] == "no"
    assert ", not reproduced: the nearest is 40.419, by STAR" in describe(row)
    assert described("40.419") == []


def test_exact_numbers_come_before_rounded_ones():
    found = [printed for *_, printed in described("37.2")]
    assert found[0] == "37.20"
    assert {"37.22", "37.25", "37.27"} <= {*found[1:]}


@pytest.mark.parametrize("row", published.table("field")[::40], ids=lambda row: row["value"])
def test_what_published_shows_is_found(row):
    shown = f"{float(row['value']):.2f}"
    assert (row["system"], row["test_set"]) in [one[:2] for one in described(shown)]


def test_what_published_shows_is_named_with_its_signature_after_what_papers_print():
    assert [describe(row) for row in look_up("47.82")] == [
        "47.8163 is what openai-gpt-3.5-turbo (Kew et al. 2023) has on ASSET by "
        "sari|variant:easse|tok:13a|case:lc|refs:10"
    ]
    (row,) = look_up("44.15")  # printed, and shown
    assert row["printed"] == "44.15"


def test_a_number_with_one_decimal_is_looked_up_among_printed_ones_only():
    assert all("printed" in row for row in look_up("39.9") + look_up("0.399"))


def test_numbers_of_other_metrics_are_left_out_if_one_is_named():
    assert look_up("23.21", ["bleu"])
    assert not look_up("23.21", ["sari"])


@pytest.mark.parametrize("given", ["", "x", "27,37", "nan", True, None])
def test_what_is_no_number_is_refused(given):
    with pytest.raises(InputError):
        look_up(given)  # type: ignore[arg-type]
