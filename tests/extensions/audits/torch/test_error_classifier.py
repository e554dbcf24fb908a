"""Classifiers of transformers, trained by the example from tiny random models."""

import gc
import json
import sys

import pytest

from tests.given import load_file
from tests.project import EXAMPLES

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

EXAMPLE = EXAMPLES / "train_error_classifier.py"


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """More threads only wait for one another in so small a model.

    Imported modules aren't searched for garbage, which takes longer than to train.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    gc.freeze()
    yield
    gc.unfreeze()
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def example():
    """The example, with shorter stages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLES)
        module = load_file(EXAMPLE)
    module.STAGES = {"synthetic": (1, 3e-3, 3), "labelled": (4, 3e-3, 6), "all": (1, 1e-3, None)}
    module.BATCH_SIZE = 8
    return module


@pytest.fixture(scope="module")
def rows():
    """Outputs whose words show the error."""
    return [
        {"source": f"the cat {i} sat on the mat", "prediction": text, "insertion": label}
        for i in range(20)
        for text, label in (
            (f"the cat {i} sat on a mat", 0),
            (f"a cat {i} sat on the mat", 0),
            (f"the cat {i} ran", 1),
            ("dog" if i % 4 else "it", 2 if i % 2 else 0),
        )
    ]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory, rows):
    """A folder with a random BERT of two layers."""
    tokenizers = pytest.importorskip("tokenizers")
    folder = tmp_path_factory.mktemp("models") / "tiny"
    words = {word for row in rows for word in (row["source"] + " dog ran it").split()}
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *sorted(words)]
    bare = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({w: i for i, w in enumerate(vocabulary)}, unk_token="[UNK]")
    )
    bare.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    bare.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=bare, pad_token="[PAD]", unk_token="[UNK]", model_max_length=40
    ).save_pretrained(folder)
    transformers.set_seed(0)
    transformers.BertModel(
        transformers.BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=48,
            initializer_range=0.5,  # different texts make a difference from the start
        )
    ).save_pretrained(folder)
    return folder


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def seen():
    """Of each stage: the sources and labels that it trains on, and the sources that it tests on."""
    return []


@pytest.fixture(scope="module")
def trained(example, tiny, rows, seen, tmp_path_factory):
    """The folder of a trained classifier, with a file of what the example printed."""
    folder = tmp_path_factory.mktemp("trained")
    pairs = [
        {"source": f"{source}, when old Ann Lee {word} it.", "target": f"{source} Ann Lee {word}"}
        for source in ("the mat", *(row["source"] for row in rows[::4]))
        for word in ("saw", "sang")
    ]
    real = transformers.Trainer.train

    def train(self, **options):
        sources = [
            {example_tokens(self, row) for row in part}
            for part in (self.train_dataset, self.eval_dataset)
        ]
        seen.append((sources[0], [row["labels"] for row in self.train_dataset], sources[1]))
        return real(self, **options)

    def example_tokens(trainer, row):
        return str(trainer.data_collator.tokenizer.decode(row["input_ids"]).split("[SEP]")[0])

    arguments = [
        *(write(folder / "labels.jsonl", rows), "insertion", folder / "insertions"),
        *("--model", tiny, "--pairs", write(folder / "pairs.jsonl", pairs)),
    ]
    with pytest.MonkeyPatch.context() as patch, open(folder / "printed.md", "w") as printed:
        patch.setattr(transformers.Trainer, "train", train)
        patch.setattr(sys, "argv", [str(EXAMPLE), *map(str, arguments)])
        patch.setattr(sys, "stdout", printed)
        example.main()
    return folder / "insertions"


def test_the_example_reports_on_sources_that_it_set_aside(trained):
    printed = (trained.parent / "printed.md").read_text()
    for predictor in ("insertions", "features", "majority"):
        assert f"| {predictor} | " in printed


def test_the_example_trains_in_three_stages(trained, seen):
    (synthetic, _, tested), (labelled, _, again), (everything, _, _) = seen
    assert len(tested) == 4
    assert tested == again
    assert not labelled & tested
    assert everything == labelled | tested
    assert synthetic
    for _, labels, _ in seen:
        counts = {labels.count(label) for label in set(labels)}
        assert len(counts) == 1  # minority labels are repeated


def test_synthetic_rows_are_those_of_the_paper_s_table(example):
    text = "In 1936 Alan Turing was in Princeton, where he studied, and it rained."
    other = "Marie Curie sang, while it rained in the old town, and nobody had heard her there."
    pairs = [(text, text), (other, other)] * 5
    rows = example.make_synthetic_rows(pairs, "substitution", 0)
    assert [label for _, _, label in rows] == [0] * 10 + [1] * (len(rows) - 10)
    labels = [label for _, _, label in example.make_synthetic_rows(pairs, "insertion", 0)]
    assert labels.count(0) == 10
    assert labels.count(1) == labels.count(2)


def test_the_classifier_predicts_labels(example, trained, rows):
    model = transformers.AutoModelForSequenceClassification.from_pretrained(trained)
    tokenizer = transformers.AutoTokenizer.from_pretrained(trained)
    pairs = [(row["source"], row["prediction"], 0) for row in rows]
    found = example.predict_labels(model, tokenizer, pairs)
    assert len(found) == len(rows)
    assert len(set(found) & {0, 1, 2}) > 1
