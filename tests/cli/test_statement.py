"""``textsimp statement``."""

from pathlib import Path


def test_the_command_reads_what_score_and_compare_print(run, examples, as_json):
    texts = "-s source.txt -p systems -r references --json"
    for name, command in (("scores", "score"), ("compared", "compare -m bleu")):
        Path(f"{name}.json").write_text(run(f"{command} {texts}").stdout, "utf-8")
    markdown = run("statement scores.json compared.json").stdout
    assert "\n- SARI [@xu-etal-2016-optimizing" in markdown
    assert "against `splitter`" in markdown or "against `substituter`" in markdown
    latex = run("statement scores.json --latex").stdout
    assert r"\citep{xu-etal-2016-optimizing," in latex
    assert as_json("statement scores.json")["C3"]
