"""How metrics of models are written."""

from textsimp.metrics import catalogue


def test_the_name_of_a_model_needs_no_option():
    lens, column = catalogue.read("lens(me/model-1.0), column:comet:variant=lower", "m")
    assert lens.options == {"model": "me/model-1.0"}
    assert column.options == {"names": "comet", "variant": "lower"}
