"""Trains a classifier of information errors, in the three stages of Devaraj et al. (2022).

    python examples/train_error_classifier.py labels.jsonl substitution my-classifier \
        --model FacebookAI/roberta-base --pairs pairs.jsonl

labels.jsonl has a row per output: source, prediction and, under the name of the category, a label
(0, 1, 2) or a list of annotators' labels. pairs.jsonl has pairs of a source and a simplification
(target) without errors. The stages (section 9 and Appendix E of the paper):

1. synthetic errors in the pairs: 10 epochs;
2. the labelled outputs of 80 % of the sources: 50 epochs;
3. all labelled outputs: 1 epoch.

In the first two stages the checkpoint is kept that has the largest mean of F1(1) and F1(2) on the
outputs of the other sources. The report sets the second stage's checkpoint beside the baselines of
`error_features.py` on these outputs, so it flatters a little. Install the extra `models`.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import transformers
from error_features import count, folds, predict, read_jsonl, read_outputs, source_key, tabulate
from sklearn.metrics import f1_score

from textsimp.extensions.audits.synthetic import GENERATORS

Row = tuple[str, str, int]  # source, simplification, label

# Epochs, learning rate at the start, and after how many steps the model is evaluated. The paper
# doesn't say the second stage's batch size and rate: those of the first are taken.
STAGES = {"synthetic": (10, 1e-4, 100), "labelled": (50, 1e-4, 10), "all": (1, 3e-5, None)}
BATCH_SIZE = 64


def make_synthetic_rows(real: list[tuple[str, str]], category: str, seed: int) -> list[Row]:
    """All pairs with level 0, and synthetic errors in them: the sets of the paper's Table 13.

    For insertions, level 1 is sampled down to the size of level 2.
    """
    generators = [one for one in GENERATORS.values() if one.category == category]
    rows = (generator.row(*pair, seed) for generator in generators for pair in real)
    made = [row for row in rows if row is not None]
    levels: dict[int, list[Row]] = {1: [], 2: []}
    for row in made:
        levels[row["level"]].append((row["source"], row["target"], row["level"]))
    if category == "insertion":
        size = min(len(levels[1]), len(levels[2]))
        levels[1] = random.Random(seed).sample(levels[1], size)
    return [*((source, target, 0) for source, target in real), *levels[1], *levels[2]]


def oversample(rows: list[Row], seed: int) -> list[Row]:
    """Repeat rows of minority labels until each label has as many as the most frequent one."""
    rng = np.random.default_rng(seed)
    labels = np.array([label for _, _, label in rows])
    most = np.unique(labels, return_counts=True)[1].max()
    chosen = [
        np.resize(rng.permutation(np.flatnonzero(labels == label)), most)
        for label in np.unique(labels)
    ]
    return [rows[i] for i in np.concatenate(chosen)]


def encode(tokenizer: Any, rows: list[Row], longest: int) -> list[dict[str, Any]]:
    """Token ids of pairs, with their labels."""
    sources, targets, labels = zip(*rows, strict=True)
    tokens = tokenizer(list(sources), list(targets), truncation=True, max_length=longest)
    return [
        {**{name: values[i] for name, values in tokens.items()}, "labels": label}
        for i, label in enumerate(labels)
    ]


def mean_f1(evaluated: Any) -> dict[str, float]:
    """Mean of F1(1) and F1(2), for the Trainer."""
    guesses = evaluated.predictions.argmax(axis=-1)
    return {
        "mean_f1": f1_score(
            evaluated.label_ids, guesses, labels=[1, 2], average="macro", zero_division=0
        )
    }


def train_stage(
    stage: str, model: Any, tokenizer: Any, rows: list[Row], test: list[Row], seed: int
) -> None:
    """Train a model in place."""
    epochs, rate, every = STAGES[stage]
    longest = min(tokenizer.model_max_length, model.config.max_position_embeddings - 2, 512)
    training = encode(tokenizer, oversample(rows, seed), longest)
    steps = epochs * math.ceil(len(training) / BATCH_SIZE)
    best: dict[str, Any] = {"save_strategy": "no"}
    if every is not None:
        often = {"eval_steps": min(every, steps), "save_steps": min(every, steps)}
        best = {"eval_strategy": "steps", "save_strategy": "steps", "save_total_limit": 1, **often}
        best |= {"load_best_model_at_end": True, "metric_for_best_model": "mean_f1"}
    with tempfile.TemporaryDirectory() as folder:
        transformers.Trainer(
            model,
            transformers.TrainingArguments(
                folder,
                num_train_epochs=epochs,
                learning_rate=rate,
                per_device_train_batch_size=BATCH_SIZE,
                per_device_eval_batch_size=BATCH_SIZE,
                seed=seed,
                report_to="none",
                **best,
            ),
            train_dataset=training,
            eval_dataset=encode(tokenizer, test, longest),
            data_collator=transformers.DataCollatorWithPadding(tokenizer),
            compute_metrics=mean_f1,
        ).train()


def predict_labels(model: Any, tokenizer: Any, rows: list[Row]) -> list[int]:
    """Predict the likeliest label of each simplification."""
    classify = transformers.pipeline(
        "text-classification", model=model, tokenizer=tokenizer, device=model.device
    )
    pairs = [{"text": source, "text_pair": target} for source, target, _ in rows]
    results = classify(pairs, batch_size=BATCH_SIZE, truncation=True)
    return [int(result["label"]) for result in results]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("labels", type=Path, help="JSONL: source, prediction, labels")
    parser.add_argument("category", choices=["insertion", "deletion", "substitution"])
    parser.add_argument("output", type=Path, help="folder for the classifier")
    parser.add_argument("--model", required=True, help="folder or Hub name of a transformer")
    parser.add_argument("--pairs", type=Path, help="JSONL: source, target without errors")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    data = read_outputs(read_jsonl(options.labels), options.category)
    tested = data.take(folds(data, options.seed)[0])
    trained = data.without(tested)
    rows, test, training = (
        [(*pair, label) for pair, label in zip(part.texts, part.labels.tolist(), strict=True)]
        for part in (data, tested, trained)
    )
    test_keys = {source_key(source) for source, _, _ in test}

    transformers.set_seed(options.seed)
    tokenizer = transformers.AutoTokenizer.from_pretrained(options.model)
    names = {label: str(label) for label in range(3)}
    model = transformers.AutoModelForSequenceClassification.from_pretrained(
        options.model, id2label=names, label2id={name: label for label, name in names.items()}
    )
    if options.pairs is not None:
        pairs = [(row["source"], row["target"]) for row in read_jsonl(options.pairs)]
        made = make_synthetic_rows(pairs, options.category, options.seed)
        made = [row for row in made if source_key(row[0]) not in test_keys]
        train_stage("synthetic", model, tokenizer, made, test, options.seed)
    train_stage("labelled", model, tokenizer, training, test, options.seed)

    guesses = np.array(predict_labels(model, tokenizer, test))
    predicted = {options.output.name: guesses, **predict(trained, tested)}
    samples = {name: count(tested, labels) for name, labels in predicted.items()}
    print(tabulate(samples).to_markdown())
    train_stage("all", model, tokenizer, rows, test, options.seed)
    tokenizer.save_pretrained(options.output)
    model.save_pretrained(options.output)


if __name__ == "__main__":
    main()
