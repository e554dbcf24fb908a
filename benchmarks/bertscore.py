"""BERTScore beside the package bert-score, on the same random model: CPU time and memory.

    OMP_NUM_THREADS=1 python benchmarks/bertscore.py [--examples 500] [--references 4] [--runs 3]

It needs the extra ``models`` and the package ``bert-score``. The model is a BERT of 6 layers of 384
with random weights and a vocabulary of whole words; layer 5 is compared, and neither computes the
sixth. Texts are those of ``benchmarks/sari.py``, about 20 words. Both have loaded the model
before. Medians of runs that take turns; *again* scores another system with the same references.
Memory is the most that a process of its own had beyond what it had with model and texts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from sari import Corpus, Zipfian
from timing import medians

from textsimp import BertScore
from textsimp.models import running

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
        "BertScore": first,
        "BertScore, again": again,
    }


def peak() -> float:
    """MB; ru_maxrss would count the parent's too."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--examples", type=int, default=500)
    parser.add_argument("--references", type=int, default=4)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--memory", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    corpus = Zipfian().corpus(args.examples, args.references)
    if args.memory:
        name, folder = args.memory
        task = contestants(Path(folder), corpus)[name]
        before = peak()
        task()
        print(f"  {name:18} {peak() - before:6.0f} MB beyond {before:.0f}")
        return
    with tempfile.TemporaryDirectory() as made:
        make_model(Path(made))
        print(f"{args.examples:,} examples x {args.references} references", flush=True)
        seconds = medians(contestants(Path(made), corpus), args.runs)
        for name, took in seconds.items():
            print(f"  {name:18} {took:6.1f} s {took / seconds['bert-score']:6.2f} x", flush=True)
        sizes = [f"--examples={args.examples}", f"--references={args.references}"]
        for name in [*seconds][:2]:
            command = [sys.executable, __file__, *sizes, "--memory", name, made]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
