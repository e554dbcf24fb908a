"""What ``textsimp statement`` says of metrics of a model."""

from tests.report.results import state_results


def test_the_model_is_named_and_its_size_asked_for(tmp_path):
    signature = "bertscore|variant:f1|model:roberta-large@1|v:0.1.0"
    answers = state_results(tmp_path, signatures={"bertscore": signature})
    assert any("`roberta-large@1`: [its parameters" in text for text in answers["C1"])
    assert "[Licence of `roberta-large@1`.]" in answers["B2"]
