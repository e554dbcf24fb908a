"""JSON, YAML and numbers in texts of users."""

import pytest

from textsimp.support.parsing import parse_json, parse_number
from textsimp.support.yaml_parsing import parse_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10", 10),
        ("010", "010"),  # 8 in YAML 1.1, 10 in YAML 1.2
        ("1:30", "1:30"),
        ("1_0", "1_0"),
        ("'10'", "10"),
        ("0x1F", "0x1F"),
        ("1.", 1.0),
        ("+3", 3),
        ("1e3", 1000.0),
        ("-.5", -0.5),
        ("1e", "1e"),
        ("yes", "yes"),
        ("2026-01-02", "2026-01-02"),
        ("true", True),
        ("~", None),
        ("", None),
        ('{"a": [1, "x"]}', {"a": [1, "x"]}),
        ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
    ],
)
def test_all_but_plain_values_is_a_text_in_yaml(text, value):
    found = parse_yaml(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a: 1\nb: 2\na: 3", "'a' .*line 3"),
        ("- 1: x\n  1.0: y", "1.0 .*line 2"),
        ('{"a": 1,\n"b": {"c": 1, "c": 2}}', "'c' .*line 2"),
        ("a: [", "line 1"),
        ("[" * 1000, None),
        (b"\xff", None),
    ],
)
def test_what_is_wrong_in_yaml_is_told_with_its_line(text, where):
    with pytest.raises(ValueError, match=where):
        parse_yaml(text)


DEEP = ["[" * 200_000, '{"a": ' * 200_000]


@pytest.mark.parametrize("text", ['{"b": {"a": 1, "a": 2}}', *DEEP, b'"\xff"', "[1,"], ids=len)
def test_what_is_wrong_in_json_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011
        parse_json(text)


@pytest.mark.parametrize("text", ["1_0", "1_000.5", "1e1_0", "x", ""])
def test_a_text_that_only_python_takes_for_a_number_is_none(text):
    with pytest.raises(ValueError):  # noqa: PT011
        parse_number(text)


def test_numbers_may_have_signs_exponents_and_spaces_around():
    assert [parse_number(text) for text in (" 1", "-2.5", "+1e3", ".5")] == [1, -2.5, 1000, 0.5]
