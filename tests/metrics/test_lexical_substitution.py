"""Lexical substitution is what its definition says."""

import json
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.literal import lexical_substitution as literal
from textsimp import LexicalSubstitution

items = st.sampled_from(["a", "b", "c", "A", "", "a b", *"defghijkl"])
rows = st.tuples(items, st.lists(items, max_size=8), st.lists(items, max_size=14))


@pytest.mark.parametrize("variant", LexicalSubstitution.presets)
@given(examples=st.lists(rows, min_size=1, max_size=6))
def test_scores_equal_the_literal_definition(variant, examples):
    targets, gold, substitutes = map(list, zip(*examples, strict=True))
    columns = {"targets": targets, "gold": gold, "substitutes": substitutes}
    scores = LexicalSubstitution(variant).score(**columns, per_example=True)
    for k in range(1, 11):
        expected = [literal.lexical_substitution(*row, k, variant) for row in examples]
        for name in expected[0]:
            values = [float(row[name]) for row in expected]
            assert scores[f"{name}_per_example"] == pytest.approx(values, abs=1e-12)
            assert scores[name] == pytest.approx(fmean(values), abs=1e-12)


ROWS = [
    {"targets": "w", "gold": ["x", "x", "y"], "substitutes": ["y", "x"]},
    {"targets": "v", "gold": ["gave in"], "substitutes": []},
]
TABLES = {
    "lists.jsonl": ROWS,
    "lists.csv": [
        "targets,gold,substitutes",
        'w,"[""x"", ""x"", ""y""]","[""y"", ""x""]"',
        'v,"[""gave in""]",[]',
    ],
    "columns.csv": [
        "target,gold 1,gold 2,gold 3,substitute 1,substitute 2",
        "w,x,x,y,y,x",
        "v,gave in,,,,",
    ],
}


@pytest.mark.parametrize("name", TABLES)
def test_lists_are_read_from_tables(name, write, succeed):
    result = succeed("score -m lexical_substitution --json -d", write(name, *TABLES[name]))
    (found,) = json.loads(result.stdout)["systems"].values()
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    expected = LexicalSubstitution().score(**columns).to_dict(signature=False, lists=False)
    assert found["lexical_substitution"].items() >= expected.items()
