"""The report: what its numbers are, which examples it shows, and that its page is safe."""

import base64
import hashlib
import html
import json
import re
from pathlib import Path

import numpy as np
import pytest

from tests.report.pages import read, unpacked
from textsimp import report
from textsimp.metrics.catalogue import make_metrics
from textsimp.metrics.edit_ops import EditOps
from textsimp.metrics.sari import Sari
from textsimp.metrics.word_difficulty import WordDifficulty
from textsimp.report import examples, measurements, page
from textsimp.scoring.systems import leave_out
from textsimp.support import addresses
from textsimp.support.errors import InputError

SAMPLING = {"confidence": 0.95, "resamples": 200, "seed": 0}


@pytest.fixture(scope="module")
def texts(corpus, systems):
    return measurements.check(systems, **corpus)[0]


@pytest.fixture(scope="module")
def measured(texts):
    return measurements.measure(texts, {"sari": Sari.preset()}, SAMPLING)


# Rows --------------------------------------------------------------------------------------------


def test_rows_are_systems_references_and_two_baselines(measured):
    assert measured.rows == {
        "substituter": "system",
        "splitter": "system",
        "references": "references",
        "source unchanged": "baseline",
        "source truncated": "baseline",
    }


def test_references_score_the_mean_of_each_against_the_others(measured, corpus):
    scores = []
    for i in range(3):
        others = [row[:i] + row[i + 1 :] for row in corpus["references"]]
        left_out = [row[i] for row in corpus["references"]]
        score = Sari.preset().score(
            sources=corpus["sources"], predictions=left_out, references=others
        )
        scores.append(score["sari"])
    found = measured.comparisons["sari"].references["sari"]
    low, high = found.interval
    assert found.value == pytest.approx(np.mean(scores), abs=1e-9)
    assert low < found.value < high


@pytest.mark.parametrize(
    ("references", "scored"), [([["x", "y"], ["z"]], 0), ([["x", "y", "x y"], ["z", "w"]], 2)]
)
def test_as_many_references_are_scored_as_every_example_has(references, scored):
    texts, _ = measurements.check({"a": ["x y", "z"]}, ["x y", "z"], references)
    sample = leave_out(Sari.preset(), texts)
    width = Sari.preset().compute_statistics(texts)["a"].shape[1]
    assert (0 if sample is None else sample.rows.shape[1] / width) == scored


def test_texts_are_described_each(measured, corpus, systems):
    found = measured.example_scores["edit_ops"]
    flat = [text for row in corpus["references"] for text in row]
    repeated = [text for text in corpus["sources"] for _ in range(3)]
    for row, sources, texts in (
        ("splitter", corpus["sources"], systems["splitter"]),
        ("references", repeated, flat),
    ):
        metric = EditOps(tokenizer="13a")
        expected = metric.score(sources=sources, predictions=texts, per_example=True)
        assert found[row]["change_percentage"].tolist() == expected["change_percentage_per_example"]


# Tables ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def few(corpus, systems):
    """The first examples: their columns, and the outputs."""
    return tuple({name: rows[:12] for name, rows in one.items()} for one in (corpus, systems))


def test_two_forms_of_a_metric_have_columns_of_their_own(few):
    corpus, systems = few
    forms = [Sari(), Sari("xu")]
    page = report.html(systems, **corpus, metrics=forms, resamples=2)
    for form in forms:
        for predictions in systems.values():
            assert f"{form.score(**corpus, predictions=predictions)['sari']:.2f}" in page


def test_a_report_on_few_examples_says_that_they_cannot_be_tested(corpus, systems, whole):
    assert "too few to call" not in whole
    for n, said in ((5, "5 examples are too few to call"), (1, "1 example is too few to call")):
        few = {name: rows[:n] for name, rows in systems.items()}
        given = {name: rows[:n] for name, rows in corpus.items()}
        assert said in report.html(few, **given, metrics="sari", resamples=2)


# The page ----------------------------------------------------------------------------------------


def test_the_page_is_well_formed_and_its_ids_are_unique(whole):
    ids = [attributes["id"] for _, attributes in read(whole).tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_references_between_elements_are_met(whole):
    tags = read(whole).tags
    ids = {attributes.get("id") for _, attributes in tags}
    for _, attributes in tags:
        for name in ("aria-labelledby", "data-copy"):
            assert attributes.get(name) in {None, *ids}
        href = attributes.get("href")
        if href is not None and not href.startswith(("data:", "#?")):
            assert href.removeprefix("#") in ids


def test_the_page_names_no_address_to_load_from(whole):
    for tag, attributes in read(whole).tags:
        assert "src" not in attributes, tag
        assert tag not in ("link", "img", "iframe", "object", "base")
    for sheet in Path(page.__file__).parent.glob("*.css"):
        style = sheet.read_text(encoding="utf-8")
        assert "url(" not in style
        assert "@import" not in style


def test_the_policy_allows_the_scripts_of_the_page_and_no_request(whole):
    reader = read(whole)
    (policy,) = [a["content"] for _, a in reader.tags if a.get("http-equiv")]
    hashes = [
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for attributes, text in reader.scripts
        if attributes["type"] == "module"
    ]
    assert len(hashes) == 1
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )


def test_equal_arguments_give_equal_pages(whole, corpus, systems):
    again = report.html(systems, **corpus, metrics=["sari", "bleu"], resamples=200)
    assert again == whole


def test_signatures_and_citations_are_at_the_end(whole, corpus):
    end = html.unescape(whole[whole.index('id="cite-section"') :])
    assert Sari.preset().signature(corpus["references"]) in end
    assert "@article{xu-etal-2016-optimizing," in end
    assert "@inproceedings{papineni-etal-2002-bleu," in end
    assert "sun-etal-2021" not in end


def test_fkgl_never_stands_without_its_variant(whole):
    shown = re.sub(r"<script.*?</script>", "", html.unescape(whole), flags=re.DOTALL)
    copies = re.findall(r"<pre .*?</pre>", shown, re.DOTALL)
    rest = re.sub(r"<pre .*?</pre>", "", shown, flags=re.DOTALL)
    assert not re.search(r"\bFKGL\b(?! \(textsimp's count\))", rest)
    named = [text for text in copies if "FKGL" in text]
    assert len(named) == 2  # a table in two forms, of which LaTeX breaks headings
    assert all("(textsimp's" in text for text in named)


@pytest.fixture(scope="module")
def of_many():
    """Eight systems, one of them shifted by a line; names are long, or from right to left."""
    written = {"title": "تقرير", "description": "وصف"}
    sources = [f"{chr(65 + i)}: sentence {i} was written by {'a' * i}." for i in range(12)]
    outputs = [f"Sentence {i} is by {'a' * i}." for i in range(12)]
    systems = {f"{chr(97 + i) * 30}": outputs[:-i] + sources[-i:] for i in range(1, 7)}
    systems |= {"מפשט (3)": outputs, "shifted": [*outputs[1:], outputs[0]]}
    references = [[text] for text in outputs]
    return report.html(systems, sources=sources, references=references, resamples=50, **written)


def test_names_and_what_users_write_have_their_own_direction(of_many):
    assert '<h1 dir="auto">تقرير</h1>' in of_many
    assert '<p class="description" dir="auto">وصف</p>' in of_many
    assert 'dir="auto">מפשט (3)</th>' in of_many


def test_of_many_systems_an_output_of_each_is_folded_away(of_many, whole):
    assert '<details class="explained" id="outputs" open>' in whole
    folded = of_many.partition('<details class="explained" id="outputs">')[2]
    assert folded.partition("</details>")[0].count("<dt") == 8


def test_many_systems_have_a_column_of_differences_from_the_best_instead_of_matrices(few):
    corpus, systems = few
    many = {f"{name} {i}": own for name, own in systems.items() for i in range(4)}
    page = report.html(many, **corpus, metrics="sari", resamples=2)
    table = html.unescape(page.partition('id="scores"')[2].partition("</table>")[0])
    assert re.search(r'<th scope="col" class="gap"[^>]*>.*?minus substituter 0<', table)
    assert 'class="matrix' not in page
    (score,) = unpacked(page, "tests")
    assert score["label"] == "SARI (easse)"
    assert score["rows"][8:] == ["source truncated", "source unchanged"]
    assert [len(own) for own in score["cells"]] == [10] * 10


def test_letters_for_long_names_have_a_key(of_many):
    key = html.unescape(of_many.partition("Full names of systems")[2].partition("</dl>")[0])
    assert f'<dt>A</dt><dd dir="auto">{"b" * 30}</dd>' in key


def test_names_from_right_to_left_are_isolated_in_sentences(of_many):
    verdict = of_many.partition('id="verdict"')[2].partition("</section>")[0]
    sentences = re.sub("<h2.*?</h2>", "", verdict)
    assert "<bdi>מפשט (3)</bdi>" in sentences
    assert "מפשט" not in sentences.replace("<bdi>מפשט (3)</bdi>", "").replace("%D7", "")


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> ' \" & {{ 7*7 }} --> ]]>"
HOSTILE_NAME = "<img onerror=alert(1)>"


def test_texts_are_escaped_wherever_they_stand(whole):
    text = report.html(
        {HOSTILE: [f"{HOSTILE} out", "b"], HOSTILE_NAME: ["a", "b"]},
        sources=[f"{HOSTILE} source", "b"],
        references=[[f"{HOSTILE} one", f"{HOSTILE} two"], ["b", "c"]],
        title=HOSTILE,
        description=HOSTILE,
        resamples=10,
    )
    reader = read(text)
    assert len(reader.scripts) == len(read(whole).scripts)
    assert not any(tag == "img" or "onerror" in attributes for tag, attributes in reader.tags)
    assert reader.text.count("alert(1)") > 10
    embedded = {attributes.get("id"): script for attributes, script in reader.scripts}
    assert {*examples.unpack(embedded["data"])["systems"]} == {"A", HOSTILE_NAME}


def test_the_embedded_data_are_json_without_infinities(whole):
    reader = read(whole)
    embedded = [text for attributes, text in reader.scripts if attributes["type"] == "text/plain"]
    for text in embedded:
        json.dumps(examples.unpack(text), allow_nan=False)
    assert len(embedded) == 2


@pytest.mark.parametrize(
    "texts",
    [["", ""], ["one two three", ""], [" two  spaces ", "\u2028 \x85 line\u2029breaks \x0b"]],
)
def test_unusual_texts_can_be_reported(texts):
    read(report.html({"a": texts}, sources=texts[::-1], references=texts, resamples=10))


def profiled(corpus, systems, metric):
    """The profiles of a metric on a page."""
    metrics = make_metrics([metric, "sari"], "metrics")
    found = measurements.measure(measurements.check(systems, **corpus)[0], metrics, SAMPLING)
    return page._texts(found)["profiles"]


def test_a_profile_is_drawn_of_every_row_beside_what_judges(few):
    corpus, systems = few
    metric = WordDifficulty(cefr=True)
    scores = metric.score(predictions=systems["splitter"], **corpus)
    data = profiled(corpus, systems, metric)
    rows = {row.name: row.numbers for row in data["Words by frequency"].rows}
    names = ["substituter", "splitter", "references", "source unchanged", "source truncated"]
    assert [*rows] == names
    for row, prefix in (
        ("splitter", ""),
        ("source unchanged", "source_"),
        ("references", "reference_"),
    ):
        expected = [100 * scores[prefix + name] for name in metric.profiles["Words by frequency"]]
        assert rows[row] == pytest.approx(expected)
    assert len(data) == 2  # also by CEFR level


def test_a_profile_that_was_not_computed_is_not_drawn():
    data = profiled({"sources": ["a b"], "references": [["a"]]}, {"a": ["a"]}, "word_difficulty")
    assert [*data] == ["Words by frequency"]


# Writing and errors ------------------------------------------------------------------------------


def test_write_writes_the_page_and_replaces_a_file_unless_told_not_to(tmp_path):
    path = tmp_path / "new" / "report.html"
    few = {"systems": {"a": ["a b"]}, "sources": ["a b c"], "resamples": 2}
    for _ in range(2):
        report.write(path, **few)
        assert path.read_bytes() == report.html(**few).encode()
    with pytest.raises(InputError):
        report.write(path, **few, title="new", overwrite=False)
    assert path.read_bytes() == report.html(**few).encode()
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"systems": {}}, "^systems: "),
        ({"systems": {"references": ["a b"]}}, "^systems: 'references'"),
        ({"systems": {"a": ["b", "c"]}}, "predictions of a"),
        ({"references": None, "metrics": ["sari"]}, "^references: "),
        ({"metrics": 3}, "^metrics: "),
        ({"metrics": []}, "^metrics: "),
        ({"metrics": "sari(no)"}, "variant: "),
        ({"examples": 0}, "^examples: "),
        ({"confidence": 95}, "^confidence: "),
        ({"title": None}, "^title: "),
        ({"description": "\ud800"}, "description"),
    ],
)
def test_bad_input_is_told_and_nothing_is_written(tmp_path, changed, place):
    arguments = {"systems": {"a": ["a b"]}, "sources": ["a b"], "references": [["a"]], **changed}
    with pytest.raises(InputError, match=place):
        report.write(tmp_path / "report.html", **arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_library_is_named_with_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(ImportError):
        report.html({"a": ["a"]}, sources=["a"], references=["a"])


def test_it_says_what_is_known_of_peoples_judgement(whole):
    text = html.unescape(whole)
    assert Sari.people in text
    assert "docs/trust.md" in text


def test_textsimp_is_linked_where_it_has_an_address(whole, monkeypatch):
    def outside(page):
        links = [attributes.get("href") or "" for tag, attributes in read(page).tags if tag == "a"]
        return {link for link in links if not link.startswith(("#", "data:"))}

    assert outside(whole) == set()
    monkeypatch.setattr(addresses, "CODE", "https://example.org/textsimp")
    found = outside(report.html({"a": ["a b"]}, sources=["a b c"], resamples=2))
    assert "https://example.org/textsimp" in found
    assert "https://example.org/textsimp/blob/main/docs/checks.md" in found


# The first screen ---------------------------------------------------------------------------------


def test_one_table_of_systems_has_all_scores_and_shows_first_what_people_compare(whole):
    table = html.unescape(whole.partition('id="scores"')[2].partition("</thead>")[0])
    shown = re.findall(r'<th scope="col"([^>]*)>.*?>([^<]*)</button>', table)
    first = [label for attributes, label in shown if 'class="extra' not in attributes]
    assert first[:4] == ["Texts", "SARI (easse)", "BLEU (easse)", "Compression"]
    assert {"add", "keep", "delete", "Similarity"} == {
        *(label for attributes, label in shown if 'class="extra' in attributes)
    } - {"Change percentage (paper)", "Words per sentence", "Syllables per word"}


def test_the_first_scores_stand_before_the_data_checks(whole):
    assert whole.index('id="verdict"') < whole.index('id="scores"') < whole.index('id="checks"')


def test_an_interval_is_a_bar_on_the_scale_of_its_column(whole):
    table = whole.partition('id="scores"')[2].partition("</table>")[0]
    column = [re.findall(r"<td.*?</td>", row)[0] for row in table.split("</tr>")[1:-1]]
    bounds = [[*map(float, re.search(r'bounds="(\S+) (\S+)"', c).groups())] for c in column]
    bars = [[*map(float, re.search(r"--from:(.*?);--to:(.*?)\"", c).groups())] for c in column]
    low, high = min(map(min, bounds)), max(map(max, bounds))
    for own, bar in zip(bounds, bars, strict=True):
        assert bar == pytest.approx([(x - low) / (high - low) for x in own], abs=0.001)


def test_a_typical_output_is_the_changed_one_nearest_to_the_medians():
    sources = ["a b", "a b c", "a b c d", "a b", "a " * 50]
    changed = np.array([0.0, 10.0, 30.0, 90.0, 30.0])
    compression = np.array([1.0, 0.5, 0.8, 0.1, 0.8])
    assert examples.typical_example(compression, changed, sources) == 1
    assert examples.typical_example(compression, 0 * changed, sources) is None


def test_systems_stand_in_the_order_of_the_main_score_under_short_names(corpus, systems):
    named = {f"experiments/2024/{name}/predictions.txt": of for name, of in systems.items()}
    texts, full_names = measurements.check({**named, "copy": corpus["sources"]}, **corpus)
    metrics = {"sari": Sari.preset()}
    found = measurements.measure(texts, metrics, SAMPLING, full_names=full_names)
    assert found.systems == ["substituter", "splitter", "copy"]
    assert [*found.full_names.values()] == [*named][::-1]


def test_without_references_there_is_no_row_of_references_and_no_score_that_needs_them(
    corpus, systems
):
    text = report.html(systems, sources=corpus["sources"], resamples=10)
    assert "source unchanged" in text
    assert not any(attributes.get("id") == "tests-section" for _, attributes in read(text).tags)


# Data checks --------------------------------------------------------------------------------------


def test_problems_of_the_texts_are_told_with_links_to_their_examples(corpus, systems):
    wrong = {**systems, "<i>&co": ["", *systems["splitter"][1:40], *corpus["sources"][40:]]}
    text = report.html(wrong, **corpus, resamples=2, examples=1)
    strip = re.search(
        r'<details class="checks problems" id="checks" open>.*?</details>', text, re.S
    )
    assert strip
    assert "Data checks: 1 problem" in strip[0]
    assert "&lt;i&gt;&amp;co: 1 output is empty" in strip[0]
    assert 'href="#?system=%3Ci%3E%26co&amp;lines=1">example 1</a>' in strip[0]


def test_without_problems_the_checks_are_a_line_to_open(whole):
    assert '<details class="checks" id="checks">\n  <summary>Data checks: no problems<' in whole


def test_columns_that_are_alike_name_the_variant_or_the_metric(systems, corpus):
    chosen = "sari, sari(tokenizer=intl), fkgl_components, fkgl_components(easse)"
    page = report.html(systems, **corpus, metrics=chosen, examples=1, resamples=5)
    heads = re.findall(
        r'<button type="button" dir="auto">(.*?)</button>', page.split("</thead>")[0]
    )
    assert "Words per sentence (textsimp&#x27;s count)" in heads
    assert "Words per sentence (easse)" in heads
    assert "keep, sari(tokenizer=intl)" in heads
    assert len({*heads}) == len(heads)
