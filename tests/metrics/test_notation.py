"""The notation of metrics: what is printed is read back, at every door."""

import contextlib
import pickle
import re
import time
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textsimp
from tests.given import lines
from tests.pinned import GOLDENS
from tests.strategies import times
from textsimp import Bleu, ColumnMeans, FkglComponents, InputError, Sari
from textsimp.core.examples import ScriptWarning
from textsimp.metrics import catalogue
from textsimp.support import extensions
from textsimp.support.extensions import Extension, Installed
from textsimp.support.version import __version__

CLASSES = [cls for cls in map(catalogue.metric_class, catalogue.names()) if cls.declared_options()]
PINNED = [path.read_text("utf-8") for path in GOLDENS.glob("*/pinned.json")]
SIGNATURES = sorted({*re.findall(r'"(\w+\|[^"]*)"', "\n".join(PINNED))})


# In and out --------------------------------------------------------------------------------------


def values(option):
    """Values of an option, legal for the most part."""
    kinds = {
        int: st.integers(option.least or 0, option.most or 10**6),
        float: st.floats(allow_nan=False) | st.integers(),
        str: st.text(min_size=1),
    }
    some = [*option.choices, *option.suggestions, *([None] * (option.default is None))]
    if not some or not option.choices:
        return kinds.get(option.kind, st.nothing()) | st.sampled_from(some or [option.default])
    return st.sampled_from(some)


@st.composite
def metrics(draw):
    cls, needed = draw(st.sampled_from([*CLASSES, ColumnMeans])), {}
    chosen = draw(st.lists(st.sampled_from(cls.declared_options()), unique=True, max_size=4))
    options = {option.name: draw(values(option)) for option in chosen}
    if cls is ColumnMeans:
        options = {"names": draw(st.lists(st.text(min_size=1), min_size=1).map(",".join))}
        needed = {"names": "comet"}
    try:
        return cls(draw(st.sampled_from([*cls.presets])), **options)
    except (InputError, ImportError):
        return cls(**needed)


@times(3)
@given(metrics())
def test_what_is_printed_is_read_back(metric):
    assert textsimp.metric(str(metric)) == metric
    assert hash(textsimp.metric(str(metric))) == hash(metric)
    assert eval(repr(metric)) == metric


@pytest.mark.parametrize(
    ("metric", "text"),
    [
        (Sari(), "sari"),
        (Sari("xu"), "sari(xu)"),
        (Sari("xu", tokenizer="intl"), "sari(xu, tokenizer=intl)"),
        (Sari(weight=2), "sari(weight=2)"),
        (Sari("xu", tokenizer="none"), "sari(xu)"),  # as the variant has it
        (ColumnMeans(names="comet"), "column(comet)"),
        (ColumnMeans("lower", names="ter,wer"), "column([ter, wer], variant=lower)"),
        (ColumnMeans(names='a "b"'), 'column("a ""b""")'),
    ],
)
def test_only_what_differs_from_the_variant_is_printed(metric, text):
    assert str(metric) == text
    assert repr(metric) == f"textsimp.metric({text!r})"


@pytest.mark.parametrize(
    "text",
    [
        "sari(xu, tokenizer=intl)",
        "sari:xu:tokenizer=intl",
        "sari:variant=xu:tokenizer=intl",
        "SARI( variant = xu,tokenizer='intl' )",
        'Sari("XU", Tokenizer="intl")',
        " sari  ( xu , tokenizer=intl )",
        "sari  :xu:tokenizer=intl",
    ],
)
def test_one_metric_may_be_written_in_many_ways(text):
    assert textsimp.metric(text) == Sari("xu", tokenizer="intl")


def test_values_in_shells_may_have_colons():
    (choice,) = catalogue.read(r"sari:aligner=embedding:a/b:level=aligned:x=C:\models", "m")
    assert choice.options == {"aligner": "embedding:a/b", "level": "aligned", "x": r"C:\models"}


@pytest.mark.parametrize("text", ["sari(xu).keep", "sari:xu.keep"])
def test_a_score_may_be_named(text):
    (choice,) = catalogue.read(text, "m")
    assert choice.label() == "sari(xu).keep"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sary(xu)", r"unknown metric 'sary' \(did you mean 'sari'\?\)"),
        ("sari(xu", "metric: .* read 'sari\\(xu' from character 8 "),
        ("bleu, sari:", "metric: .* from character 12 "),
        ("bleu sari", "metric: .* read 'bleu sari' from character 5 "),
        ("sari(xu tokenizer=intl)", "metric: .* from character 9 "),
        ("sari(tokenizer=intl, xu)", "metric: .* first value of sari, got 'xu'"),
        ("sari(weight=2,weight=3)", "metric: weight of sari is given twice"),
        ("sari(xu, variant=star)", "metric: variant of sari is given twice"),
        ("sari(lowercaes=1)", r"unknown option 'lowercaes' of sari \(did you mean 'lowercase'\?\)"),
        ("sari(ux)", "variant: expected one of 'easse', "),
        ("sari(xu).kep", r"metric: sari has no score 'kep' \(did you mean 'keep'\?\)"),
        ("sari(xu).keep", "metric: expected one metric"),
        ("sari, bleu", "metric: expected one metric"),
        ("sari(tokenizer=custom-mine)", "tokenizer: custom-mine is a function of the user's own"),
        ("bleu(threshold=0_1, level=aligned)", "threshold: .* got '0_1'"),
    ],
)
def test_an_error_says_what_was_read_where_and_what_was_expected(text, message):
    with pytest.raises(InputError, match=f"^{message}"):
        textsimp.metric(text)


@given(st.text("sarixu(),:.=[]'\"|v ", max_size=15))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(InputError):
        textsimp.metric(text)


# Signatures --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pinned", SIGNATURES)
def test_a_pinned_signature_gives_its_metric(pinned):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScriptWarning)
        metric = textsimp.metric(pinned.replace("*", "1.2.3"))
    refs = re.search(r"refs:(\d)", pinned)
    counts = (int(refs[1]), int(refs[1])) if refs else None
    signature = re.sub(r"(?<=[:-])\d+\.\d+[.\w]*", "*", metric.signature(counts))
    assert signature == pinned


@given(metrics())
def test_a_signature_is_a_metric_of_the_same_signature(metric):
    signature = metric.signature()
    if not {",", "|", ":"} & {*str(metric)}:  # which may stand in texts of signatures, too
        assert textsimp.metric(signature).signature() == signature


@pytest.mark.parametrize("metric", [Sari(level="aligned"), Bleu("sacrebleu", level="aligned")])
def test_none_that_a_signature_spells_out_is_read_as_none(metric):
    assert "|threshold:0.15|" in metric.signature()
    assert textsimp.metric(metric.signature()) == metric


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("sari|variant:xu|tok:custom-mine|case:lc|v:0.1.0", "tok:custom-mine .* function"),
        ("sari|variant:xu|tok:14a|case:lc|v:0.1.0", r"tok:14a \(tokenizer: expected"),
        ("sari|variant:ux|tok:13a|case:lc|v:0.1.0", "variant: expected"),
        ("sari|variant:xu|case:lc|colour:red|v:0.1.0", r"'sari\|variant:xu\|tok:none\|"),
        ("bleu|variant:easse|nrefs:1|case:lc|eff:yes|tok:13a|smooth:exp|version:2", "eff:no"),
    ],
)
def test_what_a_signature_does_not_give_is_said(signature, message):
    with pytest.raises(InputError, match=message):
        textsimp.metric(signature)


def test_other_versions_and_numbers_of_references_are_warned_of():
    signature = f"sari|variant:xu|tok:none|case:lc|refs:2|v:{__version__}"
    metric = textsimp.metric(signature)
    columns = {"sources": ["a b"], "predictions": ["a"]}
    metric.score(**columns, references=[["a", "b"]])
    with pytest.warns(ScriptWarning):
        metric.score(**columns, references=["a"])
    with pytest.warns(ScriptWarning, match="v:0.0.9"):
        assert textsimp.metric(signature.replace(__version__, "0.0.9")) == Sari("xu")


@pytest.mark.parametrize(
    "name",
    ["fkgl_components", "readability", "word_difficulty", "edit_ops", "simplification_stats"],
)
def test_references_that_outputs_are_not_compared_with_are_in_no_signature(name):
    metric = catalogue.metric(name)
    columns = {"sources": lines("source.txt"), "predictions": lines("systems/splitter.txt")}
    alone = metric.score(**columns)
    both = metric.score(**columns, references=lines("references/0.txt"))
    assert {key: both[key] for key in alone} == dict(alone)  # the signature is one of them
    assert "refs:" not in alone.signature


def test_a_signature_with_references_beside_the_outputs_is_still_read():
    metric = FkglComponents("easse")
    with warnings.catch_warnings():
        warnings.simplefilter("error", ScriptWarning)
        read = textsimp.metric(metric.signature().replace("|v:", "|refs:10|v:"))
        read.score(predictions=["It rained."], references=["Rain fell."])
    assert read == metric


# Doors -------------------------------------------------------------------------------------------


COLUMNS = {"sources": ["a b c"], "references": [["a b", "a c"]]}


@pytest.mark.parametrize(
    "chosen",
    [
        "sari, sari(xu), bleu",
        ["sari", "sari:xu", Bleu()],
        ["sari,sari(xu)", "bleu"],
        f"sari, {Sari('xu').signature()},{Bleu().signature()}",
    ],
)
def test_metrics_are_named_by_texts_objects_and_mixtures(chosen):
    found = textsimp.score(["a b"], **COLUMNS, metrics=chosen, confidence=None)["predictions"]
    assert {name: scores.metric for name, scores in found.items()} == {
        "sari": Sari(),
        "sari(xu)": Sari("xu"),
        "bleu": Bleu(),
    }


def test_a_language_is_for_metrics_that_do_not_set_its_options():
    found = catalogue.make_metrics("sari(tokenizer=char), bleu", "m", language="de")
    assert [str(metric) for metric in found.values()] == [
        "sari(tokenizer=char)",
        "bleu(tokenizer=intl)",
    ]


def test_an_option_that_all_metrics_set_themselves_is_refused():
    with pytest.raises(InputError):
        catalogue.make_metrics(["sari(weight=2)", "bleu"], "metrics", {"weight": 3})


# Metrics of one's own ----------------------------------------------------------------------------


@textsimp.mean_metric("copied_outputs", better="lower", least=0, most=1)
def copied_outputs(sources, predictions, references=None):
    """Share of outputs that equal their source."""
    return [source == prediction for source, prediction in zip(sources, predictions, strict=True)]


SYSTEMS = {name: lines(f"systems/{name}.txt") for name in ("splitter", "substituter")}


def test_a_function_is_a_metric_by_its_name():
    assert str(copied_outputs) == "copied_outputs"
    assert textsimp.metric("copied-outputs") == copied_outputs
    assert pickle.loads(pickle.dumps(copied_outputs)) is copied_outputs
    sources = lines("source.txt")
    found = textsimp.compare(
        {**SYSTEMS, "copy": sources}, sources=sources, metric=["copied_outputs"], resamples=50
    )["copied_outputs"]
    assert found.systems["copy"].main.value == 1
    assert found.systems["copy"].main.interval == [pytest.approx(0.9259, abs=1e-4), 1]
    assert "copy" not in found.best
    assert found.signature == f"copied_outputs|variant:mean|v:{__version__}"


def test_a_function_of_the_user_stands_in_reports_and_files(tmp_path):
    sources = lines("source.txt")
    page = textsimp.report.html(SYSTEMS, sources=sources, metrics=copied_outputs, resamples=20)
    assert "Share of outputs that equal their source" in page
    columns = {"sources": sources, "predictions": SYSTEMS["splitter"]}
    textsimp.save(copied_outputs, tmp_path / "0.parquet", **columns)
    merged = textsimp.merge([tmp_path / "0.parquet"])
    assert merged["copied_outputs"].metric == copied_outputs


MANY = 20_000


@pytest.mark.parametrize(
    "text",
    [
        "sari" + " " * MANY + "x",
        "sari\n" + "\t " * MANY + "x",
        "sari(" + " " * MANY,
        "sari(a=[b" + " " * MANY + "!",
        "sari(a=" + "'" * MANY + "x",
        "sari(a=" + "[" * MANY,
        "sari" + ":a" * MANY + ",!",
        "sari|" + "a|" * MANY + " ",
        "a," * MANY + "!",
    ],
    ids=lambda text: text[:10],
)
def test_long_texts_are_refused_at_once(text):
    start = time.perf_counter()
    with pytest.raises(InputError):
        textsimp.metric(text)
    assert time.perf_counter() - start < 5  # a quadratic pattern takes minutes


@pytest.mark.parametrize(
    ("name", "function", "message"),
    [
        ("sari", lambda predictions: [1], "name: "),
        ("My Own", lambda predictions: [1], "name: "),
        ("own", lambda prediction: [1], r"own: .*\(did you mean 'predictions'\?\)"),
        ("own", lambda predictions: [1, 2], "own: .* 1 examples"),
        ("own", lambda predictions: [None], "own: .* 1 examples"),
    ],
)
def test_what_is_no_mean_metric_is_refused(name, function, message):
    with pytest.raises(InputError, match=f"^{message}"):
        textsimp.mean_metric(name)(function).score(predictions=["a"])


@pytest.mark.parametrize("loaded", ["copied_outputs", "Sari"])
def test_metrics_of_other_packages_are_found_by_their_entry_points(loaded, monkeypatch):
    names = ("theirs", "sari", "copied_outputs")  # of which the last two are taken
    extension = Extension(metrics=dict.fromkeys(names, f"{__name__}:{loaded}"))
    installed = (Installed("theirs", "their-package", extension),)
    monkeypatch.setattr(extensions, "installed", lambda: installed)
    assert textsimp.metric("theirs") == {"Sari": Sari()}.get(loaded, copied_outputs)
    assert textsimp.metric("sari") == Sari()
    assert textsimp.metric("copied_outputs") == copied_outputs
    assert {"copied_outputs", "theirs"} <= {*catalogue.other_names()}
