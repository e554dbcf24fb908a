"""The parts of the pages: what is read from forms and files, what is shown, and the limits."""

import re
import sys

import pytest

from tests.demo.pages import page, plain
from tests.project import EXAMPLES
from textsimp import InputError, Sari
from textsimp.core.examples import Examples
from textsimp.core.tables import Grid
from textsimp.demo import build_demo, controls, text_inputs, views
from textsimp.demo.example_corpus import examples
from textsimp.demo.limits import Limits
from textsimp.demo.metric_page import _score, show
from textsimp.metrics import catalogue
from textsimp.report import plots
from textsimp.support import addresses
from textsimp.support.version import __version__

gradio = pytest.importorskip("gradio", reason="gradio is not installed")

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)>"


# Views


def test_texts_are_escaped():
    shares = dict.fromkeys(plots.OPERATIONS, 0.25)
    texts = dict.fromkeys(("title", "description", "remark", "command", "style"), HOSTILE)
    heading = views.render("heading.html", links={HOSTILE: HOSTILE}, pages={"a": HOSTILE}, **texts)
    for made in (
        heading.partition("</style>")[2],
        views.render("results.html", shown="", problem=HOSTILE),
        Grid([HOSTILE], [[HOSTILE, HOSTILE]]).to_html(),
        plots.operations({HOSTILE: shares}).svg(HOSTILE),
    ):
        assert "&lt;script&gt;" in made
        assert "<script" not in made
        assert "<img" not in made


# Forms


SARI, FKGL = map(catalogue.metric_class, ("sari", "fkgl_components"))


def test_one_example_has_a_reference_per_line():
    data = text_inputs.read_typed(SARI, "A feline.", "A cat.", "A cat.\n\n  The cat. \n")
    assert data.sources == ["A feline."]
    assert data.references == [["A cat.", "The cat."]]
    assert data.predictions() == ["A cat."]


def test_empty_boxes_are_columns_that_were_not_given():
    data = text_inputs.read_typed(FKGL, " ", "A cat.", "")
    assert data.sources is None
    assert data.references is None
    with pytest.raises(InputError):
        text_inputs.read_typed(SARI, " ", "A cat.", "A cat.")


def test_pasted_lines_have_references_between_tabs():
    data = text_inputs.read_pasted(
        SARI, "s\nt\n", "a\tb\nc\t\n", {"x": "p\r\nq", "y": "", "z": "u\nw\n"}
    )
    assert data.references == [["a", "b"], ["c"]]
    assert data.predictions("x") == ["p", "q"]
    assert list(data.systems) == ["x", "z"]


@pytest.mark.parametrize(
    ("references", "outputs", "place"),
    [
        ("", "p", "the box of x"),
        ("a\n\n", "p\nq", "line 2 of the references"),
        ("a\nb", "", "nothing"),
    ],
)
def test_pasted_columns_must_be_there_and_equally_long(references, outputs, place):
    with pytest.raises(InputError, match=place):
        text_inputs.read_pasted(FKGL, "s\nt", references, {"x": outputs})


def uploaded(write, *names, **how):
    """What is read of text files, each with its name as its only line."""
    return text_inputs.read_uploads(SARI, [write(name, name) for name in names], **how)


def test_names_of_uploaded_files_say_what_they_hold(write):
    names = ("source.txt", "Reference 10.txt", "ref.2.txt", "0.txt", "t5.txt", "refined.txt")
    data = uploaded(write, *names)
    assert data.sources == ["source.txt"]
    assert data.references == [["0.txt", "ref.2.txt", "Reference 10.txt"]]
    assert {name: data.predictions(name) for name in data.systems} == {
        "t5": ["t5.txt"],
        "refined": ["refined.txt"],
    }


@pytest.mark.parametrize(
    ("names", "missing"),
    [
        (("t5.txt",), r"source\.txt"),
        (("source.txt", "t5.txt"), r"reference\.txt"),
        (("source.txt", "0.txt"), "predictions"),
        (("source.txt", "src.txt", "t5.txt"), r"src\.txt, source\.txt"),
        (("a.csv", "b.csv"), r"a\.csv, b\.csv"),
        (("a.csv", "source.txt"), "text files or a table"),
        (("source.txt", "0.txt", "x.txt", "y.txt"), r"x\.txt, y\.txt"),
    ],
)
def test_files_that_do_not_fit_together_are_named(write, names, missing):
    with pytest.raises(InputError, match=missing):
        uploaded(write, *names, several=False)


@pytest.mark.parametrize(
    ("metric", "files", "names"),
    [
        (FKGL, {"source.txt": ["s", "t"], "x.txt": ["p"]}, r"^source\.txt .* x\.txt has"),
        (SARI, {"table.jsonl": [{"source": "s", "x": "p"}]}, r"^table\.jsonl .*'references'"),
    ],
)
def test_messages_name_a_file_without_its_place(metric, files, names, write):
    with pytest.raises(InputError, match=names):
        text_inputs.read_uploads(metric, [write(name, *rows) for name, rows in files.items()])


def test_a_table_has_one_system_or_all_columns_of_texts_are_systems(write):
    rows = ["source,reference 1,reference 2,prediction,y", "s,a,b,p,u", "t,c,,q,v"]
    path = write("table.csv", *rows)
    one = text_inputs.read_uploads(SARI, [path], several=False)
    assert (one.references, list(one.systems)) == ([["a", "b"], ["c"]], ["table"])
    several = text_inputs.read_uploads(SARI, [path])
    assert several.shared == one.shared
    assert list(several.systems) == ["prediction", "y"]


# Limits


def test_too_much_is_refused():
    limits = Limits(rows=2, characters=15, text=5, work=40)
    limits.check([("abcd", ["efg"]), ("", [""])])
    for rows in (  # each is too much in one way
        [("", [""])] * 3,
        [("a", ["abcdef"])],
        [("abcd", ["efg"]), ("", [""] * 6)],
        [("abcde", ["abcd", "abc"])],
    ):
        with pytest.raises(InputError):
            limits.check(rows)


def test_examples_have_few_references():
    systems = {"x": {"predictions": ["a"]}}
    Limits().check_examples(Examples({"sources": ["a"], "references": [["b"] * 50]}, systems))
    with pytest.raises(InputError):
        Limits().check_examples(Examples({"references": [["b"] * 51]}, systems))
    with pytest.raises(InputError):
        Limits(characters=3).check_examples(Examples({}, {"x": {"predictions": ["aa"]}}))


# Options and pages


@pytest.mark.parametrize("name", catalogue.names())
def test_every_option_has_a_control_that_explains_it_and_gives_back_its_value(name):
    metric = catalogue.metric_class(name)
    with gradio.Blocks():
        boxes = controls.metric_controls(metric, {})
    assert [control.name for control in boxes] == ["variant", *metric.option_names()]
    about = metric.option_lines()
    assert all(control.component.info == about[control.name] for control in boxes[1:])
    for variant in metric.presets:
        preset = metric.preset(variant)
        values = [control.label(getattr(preset, control.name)) for control in boxes]
        assert metric.preset(**controls.values(boxes, values)) == preset


def test_a_control_is_of_the_kind_that_the_option_declares():
    with gradio.Blocks():
        boxes = controls.metric_controls(Sari, {})
        boxes += controls.metric_controls(catalogue.metric_class("fkgl_components"), {})
    kinds = {control.name: control.component for control in boxes}
    assert isinstance(kinds["lowercase"], gradio.Checkbox)
    assert isinstance(kinds["zero_division"], gradio.Dropdown)  # 0 or 1, and no box to tick
    assert isinstance(kinds["syllables"], gradio.Textbox)
    assert isinstance(kinds["weight"], gradio.Number)
    assert kinds["weight"].value == ""  # a page would show None as 0
    assert isinstance(kinds["threshold"], gradio.Number)


@pytest.mark.parametrize("name", catalogue.names())
def test_what_a_page_suggests_is_legal(name):
    metric = catalogue.metric_class(name)
    for option in metric.declared_options():
        with_it = {other: values[0] for other, values in option.only_with.items()}
        for value in option.suggestions:
            assert getattr(metric(**with_it, **{option.name: value}), option.name) == value


def top(site):
    """The heading of a page."""
    return next(b.value for b in site.blocks.values() if isinstance(b, gradio.HTML))


def test_pages_link_to_papers_and_code(monkeypatch):
    before = top(page("sari"))
    assert 'href="https://aclanthology.org/Q16-1029" target="_blank">Paper (2016)<' in before
    assert "Code" not in before.partition("<h1>")[2]  # no address, no link
    monkeypatch.setattr(addresses, "CODE", "https://example.org/code")
    assert '"https://example.org/code" target="_blank">Code<' in top(build_demo("sari"))


def test_a_space_links_to_its_siblings_and_says_how_to_install(monkeypatch, tmp_path):
    assert "Other pages" not in top(page("sari"))
    monkeypatch.setenv("SPACE_ID", "someone/sari")
    site = "https://huggingface.co/spaces/someone"
    shown = top(build_demo("sari"))
    assert f'<a href="{site}/d_sari" target="_blank">D-SARI</a>' in shown
    assert f'<a href="{site}/compare" target="_blank">Compare simplification systems</a>' in shown
    assert f"{site}/sari" not in shown
    assert f"<code>pip install textsimp=={__version__}</code>" in shown
    monkeypatch.chdir(tmp_path)
    wheel = f"textsimp-{__version__}-py3-none-any.whl"
    (tmp_path / wheel).touch()  # as tools/push.py uploads it
    shown = top(build_demo("sari"))
    assert f"<code>pip install {site}/sari/resolve/main/{wheel}</code>" in shown


def test_a_metrics_page_says_how_well_it_agrees_with_people():
    shown = plain(top(page("sari")))
    assert f"sentence is not reliable. Agreement with people: {Sari.people}" in shown


def test_profiles_are_drawn_of_the_sides_that_were_given():
    metric = catalogue.metric_class("word_difficulty")
    for sources in (None, ["The feline sat."]):
        data = metric().check(sources=sources, predictions=["The cat sat."])
        drawn = show(_score(metric, data, {}), data)
        (picture,) = re.findall(r"<svg role.*</svg>", drawn, re.DOTALL)
        assert 'aria-label="Words by frequency"' in picture
        assert (">predictions<" in picture, ">sources<" in picture) == (True, bool(sources))
        assert picture.count('fill="var(--p0)"') >= 1


def test_pages_are_limited():
    for name, endpoint in {"sari": "score", "compare": "compare", "splits": "split"}.items():
        site = page(name)
        assert site.analytics_enabled is False
        assert site.launch.keywords["max_file_size"] <= 8 * 2**20
        assert site._queue.default_concurrency_limit == 1
        public = [f.api_name for f in site.fns.values() if f.api_visibility != "private"]
        assert public == [endpoint]


def test_an_unknown_metric_is_refused():
    with pytest.raises(InputError):
        build_demo("sarii")


def test_without_gradio_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gradio", None)
    with pytest.raises(ImportError):
        build_demo("sari")


def test_visitors_give_parses_but_no_paths_of_the_server():
    samsa = catalogue.metric_class("samsa")
    file = EXAMPLES / "parses" / "passages.mrp"
    graph = file.read_text().splitlines()[0]
    typed = text_inputs.read_typed(samsa, "", "Ann sold the house.", graph)
    assert typed.shared["passages"][0]["scenes"]
    with pytest.raises(InputError):
        text_inputs.read_typed(samsa, "", "Ann sold the house.", str(file))


def test_a_comparison_shows_errors_but_no_notes():
    sources = [row["source"] for row in examples("sentences")]
    systems = {"lost": [*sources[1:], "It rained."], "copy": sources}
    data = text_inputs.read_pasted(
        catalogue.metric_class("edit_ops"),
        "\n".join(sources),
        "",
        {name: "\n".join(texts) for name, texts in systems.items()},
    )
    shown = views.data_checks(data, notes=False)
    assert (shown["kind"], shown["summary"]) == ("problem", "1 error")
    (text,) = shown["texts"]
    assert text.startswith("error: lost seems shifted")
