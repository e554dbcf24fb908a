"""BERTScore beside the package bert-score, on the same random model: CPU time and memory.

    OMP_NUM_THREADS=1 python benchmarks/bertscore.py [--examples 300] [--references 4] [--runs 3]

It needs the extra ``models`` and the package ``bert-score``. The model is a BERT of 6 layers of 384
with random weights and a vocabulary of whole words; layer 5 is compared, and neither computes the
sixth. Texts are those of ``benchmarks/sari.py``, about 20 words. Both have loaded the model
before. Medians of runs that take turns; *again* scores another system with the same references.
Memory is that of a process of its own.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from sari import Corpus, Zipfian
from timing import Row, medians, peak, show

from textsimp import BertScore
from textsimp.text.models import running

LAYER = 5
WORDS = 30_000


def make_model(folder: Path) -> None:
    """Write a random BERT that knows the most frequent words of `Zipfian`, and its tokenizer."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", "-"]
    words = list(dict.fromkeys([*words, *(word.lower() for word in Zipfian().words[:WORDS])]))
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    BertTokenizerFast(
        vocab={word: i for i, word in enumerate(words)},
        vocab_file=str(folder / "vocab.txt"),
        model_max_length=512,
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
    )
    BertModel(config).save_pretrained(folder)


def contestants(folder: Path, corpus: Corpus) -> dict[str, Callable[[], object]]:
    """What scores a new system of the corpus each time, with the model loaded before."""
    from bert_score import BERTScorer

    package = BERTScorer(str(folder), num_layers=LAYER, device="cpu")
    metric = BertScore(model=str(folder), layer=LAYER)
    runner = running.encoder(metric.pretrained()[0])

    def again() -> object:
        return metric.score(predictions=next(corpus.systems), references=corpus.references)

    def first() -> object:
        runner._made.clear()
        runner._bytes = 0
        return again()

    return {
        "bert-score": lambda: package.score(next(corpus.systems), corpus.references),
        "`BertScore`": first,
        "`BertScore`, again": again,
    }


def more_memory(name: str, folder: str, examples: int, references: int) -> float:
    """MB that a contestant takes beyond model and texts."""
    task = contestants(Path(folder), Zipfian().corpus(examples, references))[name]
    before = peak()
    task()
    return peak() - before


def rows(examples: int, references: int, runs: int) -> Iterator[Row]:
    data = f"{examples:,} × {references} references"
    with tempfile.TemporaryDirectory() as folder:
        make_model(Path(folder))
        seconds = medians(contestants(Path(folder), Zipfian().corpus(examples, references)), runs)
        peer = None
        for name, took in seconds.items():
            memory = None
            if not name.endswith("again"):
                with ProcessPoolExecutor(1, get_context("spawn")) as process:
                    sizes = (folder, examples, references)
                    memory = process.submit(more_memory, name, *sizes).result()
            row = Row(name, data, took, peer, memory)
            yield row
            peer = peer or row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--examples", type=int, default=300)
    parser.add_argument("--references", type=int, default=4)
    parser.add_argument("--runs", type=int, default=3)
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
