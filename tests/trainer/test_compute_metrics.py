"""What `make_compute_metrics` promises to users of ``Seq2SeqTrainer``, by arrays as it has them."""

from collections import UserDict
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    with pytest.raises(InputError):
        make_compute_metrics(tokenizer, source_prefix="simplify :")(evaluated)
    evaluated.inputs = tokenizer.encode([f"simplify : {text}" for text in SOURCES])
    assert make_compute_metrics(tokenizer, source_prefix="simplify : ")(evaluated) == scores()
    with pytest.warns(UserWarning, match="source_prefix"):
        make_compute_metrics(tokenizer)(evaluated)


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
