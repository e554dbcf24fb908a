"""What `make_compute_metrics` promises to users of ``Seq2SeqTrainer``.

The first part hands it arrays as the trainer does, the second trains and evaluates a tiny T5.
"""

from collections import UserDict
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.given import columns as example_columns
from tests.given import load_file, names_of_text_metrics
from tests.project import EXAMPLES, PROJECT
from textsimp.metrics import catalogue
from textsimp.metrics.d_sari import DSari
from textsimp.metrics.sari import Sari
from textsimp.support.errors import InputError
from textsimp.trainer import make_compute_metrics

SOURCES = ["the feline sat on the mat .", "it rained , and we left .", "nobody knows why ."]
PREDICTIONS = ["the cat sat .", "it rained . we left .", "nobody knows why ."]
LABELS = ["the cat sat on the mat .", "we left .", "why ? nobody knows ."]
REFERENCES = [[text, f"yes , {text}"] for text in LABELS]


class Words:
    """A tokenizer that gives every word a number when it first sees it; 0 pads, 1 ends."""

    pad_token_id: int | None = 0
    eos_token_id: int | None = 1

    def __init__(self):
        self.words = ["<pad>", "</s>"]

    def encode(self, texts, width=None, pad=-100):
        for word in " ".join(texts).split():
            if word not in self.words:
                self.words.append(word)
        rows = [[*map(self.words.index, text.split()), 1] for text in texts]
        width = width or max(map(len, rows))
        return np.array([(row + [pad] * width)[:width] for row in rows])

    def batch_decode(self, ids, skip_special_tokens):
        assert skip_special_tokens
        assert (ids >= 0).all()  # the tokenizers library raises OverflowError
        return [" " + " ".join(self.words[i] for i in row if i > 1) for row in ids]


@pytest.fixture
def tokenizer():
    return Words()


@pytest.fixture
def evaluated(tokenizer):
    """What the trainer hands over: ids of all rows, padded with -100."""
    return SimpleNamespace(
        predictions=tokenizer.encode(PREDICTIONS, width=12),
        label_ids=tokenizer.encode(LABELS),
        inputs=tokenizer.encode(SOURCES),
    )


def scores(metric=None, **columns):
    columns = {"sources": SOURCES, "predictions": PREDICTIONS, "references": LABELS, **columns}
    return (metric or Sari.preset()).score(**columns).to_dict(signature=False)


@pytest.mark.parametrize("name", names_of_text_metrics())
def test_every_metric_logs_the_single_numbers_it_scores(tokenizer, evaluated, name):
    expected = scores(catalogue.metric_class(name).preset())
    expected = {score: value for score, value in expected.items() if type(value) is not list}
    assert make_compute_metrics(tokenizer, name)(evaluated) == expected


texts = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "."]), max_size=8).map(" ".join)


@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=6), st.integers(9, 12))
def test_any_texts_and_padding_score_what_the_texts_score(rows, width):
    tokenizer = Words()
    sources, predictions, labels = (list(column) for column in zip(*rows, strict=True))
    ids = {
        "predictions": tokenizer.encode(predictions, width),
        "label_ids": tokenizer.encode(labels),
        "inputs": tokenizer.encode(sources, width, pad=0),
    }
    found = make_compute_metrics(tokenizer)(SimpleNamespace(**ids))
    assert found == scores(sources=sources, predictions=predictions, references=labels)


def test_each_evaluation_scores_its_texts(tokenizer, evaluated):
    compute_metrics = make_compute_metrics(tokenizer, sources=SOURCES)
    outputs = {"predictions": PREDICTIONS}, {"predictions": SOURCES}, {"references": LABELS[::-1]}
    for columns in (*outputs, *outputs):
        evaluated.predictions = tokenizer.encode(columns.get("predictions", PREDICTIONS))
        evaluated.label_ids = tokenizer.encode(columns.get("references", LABELS))
        assert compute_metrics(evaluated) == scores(**columns)


def test_metrics_may_be_given_with_their_options(tokenizer, evaluated):
    two = make_compute_metrics(tokenizer, [Sari("xu"), "sari", Sari("joshua")])
    found = two(evaluated)
    alone = [make_compute_metrics(tokenizer, s)(evaluated) for s in (Sari("xu"), "sari")]
    assert [found["sari(xu)"], found["sari"]] == [one["sari"] for one in alone]
    assert len(two.signatures) == 3


def test_each_metric_has_options_of_its_own(tokenizer, evaluated):
    metrics = "sari(tokenizer=none), d_sari(corrected)"
    result = make_compute_metrics(tokenizer, metrics, lowercase=False)(evaluated)
    assert result["sari"] == scores(Sari.preset(tokenizer="none", lowercase=False))["sari"]
    assert result["d_sari"] == scores(DSari.preset("corrected", lowercase=False))["d_sari"]


def test_names_that_metrics_share_get_the_metric_in_front(tokenizer, evaluated):
    metrics = "d_sari(penalties=True), sari"
    result = make_compute_metrics(tokenizer, metrics)(evaluated)
    document = scores(DSari.preset(penalties=True))
    assert result["sari"] == scores()["sari"]
    assert result["sari.add"] == scores()["add"]
    assert result["d_sari.sari"] == document["sari"]
    assert result["d_sari.add"] == document["add"]
    assert result["d_add"] == document["d_add"]
    assert len(result) == len(document) + len(scores())


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"metrics": ()}, "^metrics: "),
        ({"metrics": ("bleurt",)}, "'bleurt'"),
        ({"metrics": [Sari()], "variant": "xu"}, "^metrics: "),
        ({"variant": "nonesuch"}, "^variant: "),
        ({"confidence": 0.95}, "'confidence' of sari"),
        ({"metrics": "sari(colour=1)"}, "'colour' of sari"),
        ({"sources": ["a", None]}, "row 1 of sources"),
        ({"sources": SOURCES, "references": ["a", "b"]}, "references has 2"),
        ({"sources": SOURCES, "references": [["a"] * 3, ["b"] * 3]}, "^references: .*transposed"),
    ],
)
def test_what_is_wrong_is_reported_before_training(tokenizer, given, place):
    with pytest.raises(InputError, match=place):
        make_compute_metrics(tokenizer, **given)


def test_signatures_say_what_was_computed(tokenizer, evaluated):
    compute_metrics = make_compute_metrics(tokenizer, variant="xu")
    assert compute_metrics.signatures == {"sari": Sari.preset("xu").signature()}
    compute_metrics(evaluated)
    assert compute_metrics.signatures == {"sari": Sari.preset("xu").signature([["one"]])}


# Columns


def test_given_sources_are_not_cut_as_the_inputs_are(tokenizer, evaluated):
    evaluated.inputs = evaluated.inputs[:, :3]
    assert make_compute_metrics(tokenizer, sources=SOURCES)(evaluated) == scores()
    assert make_compute_metrics(tokenizer)(evaluated) != scores()


def test_given_references_stand_in_for_labels(tokenizer, evaluated):
    compute_metrics = make_compute_metrics(tokenizer, references=REFERENCES)
    assert compute_metrics(evaluated) == scores(references=REFERENCES)
    evaluated.label_ids = None
    assert compute_metrics(evaluated) == scores(references=REFERENCES)


@pytest.mark.parametrize(
    ("columns", "place"),
    [
        ({"sources": SOURCES[:2]}, "have 2"),
        ({"sources": [*SOURCES, "another"]}, "have 4"),
        ({"references": [["a"] * 3, ["b"] * 3]}, "^references: .*transposed"),
    ],
)
def test_columns_of_another_dataset_are_reported(tokenizer, evaluated, columns, place):
    with pytest.raises(InputError, match=place):
        make_compute_metrics(tokenizer, **columns)(evaluated)


ORDER = [2, 0, 1]


@pytest.mark.parametrize("name", ["sources", "references"])
@pytest.mark.parametrize("width", [2, None])
def test_columns_in_another_order_than_the_rows_are_refused(tokenizer, evaluated, name, width):
    for side, ids in vars(evaluated).items():
        setattr(evaluated, side, ids[ORDER, :width])
    columns = {"sources": SOURCES, "references": REFERENCES}
    compute_metrics = make_compute_metrics(tokenizer, **{name: columns[name]})
    with pytest.raises(InputError, match=f"row 0 of the evaluation .* row 2 of {name}"):
        compute_metrics(evaluated)


@pytest.mark.parametrize(
    "labels",
    [
        ["the cat", "we", "why ?"],
        ["The Cat sat on the mat.", "We left.", "Why? Nobody knows."],
        ["naturally", "unlike", "all others"],
        ["", "", ""],
    ],
    ids=["cut", "respelt by the tokenizer", "of other annotators", "empty"],
)
def test_labels_that_differ_from_references_may_be_in_order(tokenizer, evaluated, labels):
    evaluated.label_ids = tokenizer.encode(labels)
    compute_metrics = make_compute_metrics(tokenizer, references=REFERENCES)
    assert compute_metrics(evaluated) == scores(references=REFERENCES)


def test_a_rare_label_found_in_another_row_is_no_disorder(tokenizer):
    references = [[f"row {i} ."] for i in range(20)]
    labels = [row[0] for row in references]
    labels[7] = labels[8]  # an annotator's mistake
    ids = tokenizer.encode(labels)
    evaluated = SimpleNamespace(predictions=ids, label_ids=ids, inputs=ids)
    assert make_compute_metrics(tokenizer, references=references)(evaluated)["sari"] > 0


@pytest.mark.parametrize("displaced", [10, 11])
def test_at_most_a_tenth_of_the_rows_that_are_found_may_be_displaced(tokenizer, displaced):
    references = [[f"row {i} ."] for i in range(200)]
    labels = [row[0] for row in references[:100]]
    labels[:displaced] = [row[0] for row in references[100 : 100 + displaced]]
    labels += ["unlike all"] * 100  # which no row has
    ids = tokenizer.encode(labels)
    evaluated = SimpleNamespace(predictions=ids, label_ids=ids, inputs=ids)
    compute_metrics = make_compute_metrics(tokenizer, references=references)
    if displaced == 10:
        assert compute_metrics(evaluated)["sari"] > 0
    else:
        with pytest.raises(InputError, match="11 of 200 rows are displaced"):
            compute_metrics(evaluated)


# What can't be scored


@pytest.mark.parametrize("columns", [{}, {"sources": SOURCES, "references": LABELS}])
def test_a_dataset_without_rows_is_refused(tokenizer, evaluated, columns):
    for name in ("predictions", "label_ids", "inputs"):
        setattr(evaluated, name, getattr(evaluated, name)[:0])
    with pytest.raises(InputError) as error:
        make_compute_metrics(tokenizer, **columns)(evaluated)
    assert str(error.value) == "predictions: expected at least one row, got an empty dataset"


@pytest.mark.parametrize(
    ("name", "value", "place"),
    [
        ("predictions", np.zeros((3, 5, 7), np.float32), "^predictions: .*predict_with_generate"),
        ("predictions", (np.zeros((3, 5, 7)), np.zeros((3, 4, 2))), "^predictions: "),
        ("predictions", [(np.zeros(3),)], "^predictions: "),  # batches of tuples
        ("inputs", None, "^sources: .*include_for_metrics"),
        ("inputs", np.zeros((3, 8, 9), np.float32), r"^sources: .*\(3, 8, 9\)"),
        ("label_ids", None, "^references: "),
    ],
)
def test_what_is_no_ids_is_reported_with_the_argument_to_set(
    tokenizer, evaluated, name, value, place
):
    setattr(evaluated, name, value)
    with pytest.raises(InputError, match=place):
        make_compute_metrics(tokenizer)(evaluated)


def test_a_tokenizer_without_padding_token_pads_with_its_last(tokenizer, evaluated):
    tokenizer.pad_token_id = None
    assert make_compute_metrics(tokenizer)(evaluated) == scores()
    tokenizer.eos_token_id = None
    with pytest.raises(InputError):
        make_compute_metrics(tokenizer)


# An instruction before every input


def test_the_source_prefix_is_no_part_of_the_sources(tokenizer, evaluated):
    evaluated.inputs = tokenizer.encode([f"simplify : {text}" for text in SOURCES])
    assert make_compute_metrics(tokenizer, source_prefix="simplify : ")(evaluated) == scores()


def test_an_undeclared_source_prefix_is_warned_of(tokenizer, evaluated):
    evaluated.inputs = tokenizer.encode([f"simplify : {text}" for text in SOURCES])
    with pytest.warns(UserWarning, match="source_prefix"):
        make_compute_metrics(tokenizer)(evaluated)


def test_an_input_without_the_source_prefix_is_reported(tokenizer, evaluated):
    with pytest.raises(InputError):
        make_compute_metrics(tokenizer, source_prefix="simplify :")(evaluated)


# From step to step


def test_batches_kept_apart_score_what_they_score_together(tokenizer, evaluated):
    """As the trainer hands them over with ``eval_do_concat_batches=False``."""
    for name, ids in vars(evaluated).items():
        setattr(evaluated, name, [ids[:2], ids[2:, :9]])
    assert make_compute_metrics(tokenizer)(evaluated) == scores()


class Tensor:
    """What a batch of ids is before the trainer makes it an array."""

    def __init__(self, array):
        self.array = array

    def detach(self):
        return self

    cpu = detach

    def numpy(self):
        return self.array


def batches_of(evaluated):
    """As the trainer hands them over with ``batch_eval_metrics=True``."""
    for rows, width in ((slice(0, 2), None), (slice(2, 3), 9)):
        ids = {name: Tensor(array[rows, :width]) for name, array in vars(evaluated).items()}
        inputs = UserDict(input_ids=ids["inputs"], attention_mask=None)
        yield SimpleNamespace(**{**ids, "inputs": inputs})


def test_batches_have_the_order_of_given_columns(tokenizer, evaluated):
    compute_metrics = make_compute_metrics(tokenizer, sources=SOURCES, references=REFERENCES)
    first, last = batches_of(evaluated)
    compute_metrics(first, compute_result=False)
    assert compute_metrics(last, compute_result=True) == scores(references=REFERENCES)
    compute_metrics(last, compute_result=False)
    with pytest.raises(InputError, match="row 2 of sources"):
        compute_metrics(first, compute_result=True)


def test_batches_that_come_one_by_one_are_scored_together_also_after_an_error(tokenizer, evaluated):
    compute_metrics = make_compute_metrics(tokenizer)
    first, last = batches_of(evaluated)
    compute_metrics(first, compute_result=False)
    with pytest.raises(InputError):
        compute_metrics(SimpleNamespace(**{**vars(last), "predictions": None}), compute_result=True)
    assert compute_metrics(first, compute_result=False) == {}
    assert compute_metrics(last, compute_result=True) == scores()


@pytest.mark.parametrize(
    ("name", "rows", "counts"),
    [
        ("predictions", [0, 0, 1, 1, 2, 2], "predictions has 6, labels has 3, inputs has 3"),
        ("label_ids", [0], "predictions has 3, labels has 1, inputs has 3"),
        ("inputs", [0, 1], "predictions has 3, labels has 3, inputs has 2"),
    ],
    ids=["num_return_sequences=2", "a label for all", "inputs of one device"],
)
@pytest.mark.parametrize("columns", [{}, {"sources": SOURCES, "references": REFERENCES}])
def test_other_numbers_of_rows_are_refused(tokenizer, evaluated, name, rows, counts, columns):
    setattr(evaluated, name, getattr(evaluated, name)[rows])
    with pytest.raises(InputError, match=f"{counts}.*num_return_sequences=1"):
        make_compute_metrics(tokenizer, **columns)(evaluated)


# A real trainer


@pytest.fixture(scope="module")
def transformers():
    reason = "needs {0}: make test-trainer"
    torch = pytest.importorskip("torch", reason=reason.format("torch"))
    torch.set_num_threads(1)  # more only wait for one another in so small a model
    return pytest.importorskip("transformers", reason=reason.format("transformers"))


@pytest.fixture(scope="module")
def lines():
    return example_columns()["sources"][:10]


@pytest.fixture(scope="module")
def targets():
    """Two references of each line."""
    return [row[:2] for row in example_columns()["references"][:10]]


@pytest.fixture(scope="module")
def bpe(transformers, lines):
    """A byte-level BPE that decodes what it encodes."""
    return load_file(EXAMPLES / "train_tiny.py").make_tokenizer(lines)


@pytest.fixture
def rows(bpe, lines, targets):
    return [
        {**bpe(line), "labels": bpe(target[0])["input_ids"]}
        for line, target in zip(lines, targets, strict=True)
    ]


@pytest.fixture
def model(transformers, bpe):
    """A tiny T5, made of the same random numbers every time."""
    transformers.set_seed(0)
    config = transformers.T5Config(
        vocab_size=len(bpe),
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=1,
        num_heads=2,
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=1,
    )
    return transformers.T5ForConditionalGeneration(config)


@pytest.fixture
def make_trainer(transformers, bpe, model, rows, tmp_path):
    """The model's trainer with what `make_compute_metrics` returned and training arguments."""

    def make(compute_metrics, **arguments):
        usual = {
            "predict_with_generate": True,
            "include_for_metrics": ["inputs"],
            "generation_max_length": 24,
            "per_device_eval_batch_size": 4,
            "max_steps": 2,
            "report_to": "none",
            "save_strategy": "no",
            "disable_tqdm": True,
            "use_cpu": True,
        }
        return transformers.Seq2SeqTrainer(
            model,
            transformers.Seq2SeqTrainingArguments(str(tmp_path), **{**usual, **arguments}),
            train_dataset=rows,
            eval_dataset=rows,
            data_collator=transformers.DataCollatorForSeq2Seq(bpe, model),
            processing_class=bpe,
            compute_metrics=compute_metrics,
        )

    return make


def decoded(bpe, ids):
    return [bpe.decode([i for i in row if i > 1]) for row in ids]


def test_trainer_predicts_and_scores_the_texts_of_its_predictions(
    make_trainer, bpe, rows, lines, targets
):
    output = make_trainer(make_compute_metrics(bpe)).predict(rows)
    expected = scores(
        sources=lines,
        predictions=decoded(bpe, output.predictions),
        references=[row[0] for row in targets],
    )
    assert {name: output.metrics[f"test_{name}"] for name in expected} == expected


def test_trainer_scores_batches_one_by_one_as_together(make_trainer, bpe):
    results = []
    for batchwise in (False, True):
        compute_metrics = make_compute_metrics(bpe)
        results.append(make_trainer(compute_metrics, batch_eval_metrics=batchwise).evaluate())
    together, one_by_one = results
    for name in ("eval_sari", "eval_add", "eval_keep", "eval_delete"):
        assert one_by_one[name] == together[name]


def test_trainer_that_groups_by_length_is_reported_that_columns_are_displaced(
    transformers, make_trainer, bpe, targets
):
    old = hasattr(transformers.Seq2SeqTrainingArguments, "group_by_length")
    grouped = {"group_by_length": True} if old else {"train_sampling_strategy": "group_by_length"}
    with pytest.raises(InputError):
        make_trainer(make_compute_metrics(bpe, references=targets), **grouped).evaluate()
    assert make_trainer(make_compute_metrics(bpe), **grouped).evaluate()["eval_sari"] > 0


def test_the_snippet_to_copy_runs(bpe, model, rows, tmp_path, monkeypatch):
    page = (PROJECT / "docs" / "tools.md").read_text(encoding="utf-8")
    section = page.partition("## Scores while a model trains")[2]
    snippet = section.partition("```py\n")[2].partition("```")[0]
    names = {"tokenizer": bpe, "model": model, "train_dataset": rows, "eval_dataset": rows}
    monkeypatch.chdir(tmp_path)
    exec(snippet, names)
    state = names["trainer"].state
    assert state.best_metric == max(log.get("eval_sari", 0) for log in state.log_history)
