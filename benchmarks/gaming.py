"""FKGL beside a program that counts line by line, and the audit beside scoring every text anew.

    python benchmarks/gaming.py [--lines 1077] [--references 1] [--repeats 100]

Texts are made up, of a vocabulary with Zipf's frequencies. Some texts are scored anew, the time of
the others is extrapolated.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from nltk.tokenize.punkt import PunktSentenceTokenizer
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from texts import Zipfian
from timing import Row, cpu, show

from textsimp.extensions.audits import audit_gaming, gaming_audit
from textsimp.extensions.audits.modifications import MODIFICATIONS
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.sari import Sari
from textsimp.text.syllables import published_rule


def line_by_line(texts: list[str]) -> float:
    """FKGL as programs compute it that meet every token for the first time."""
    tokenize, punkt = Tokenizer13a().__call__.__wrapped__, PunktSentenceTokenizer()
    sentences = words = syllables = 0
    for text in texts:
        line = tokenize(Tokenizer13a(), text.lower())
        sentences += len(punkt.tokenize(line))
        for word in line.split():
            words += 1
            syllables += published_rule.__wrapped__(word, "easse")
    return 0.39 * words / sentences + 11.8 * syllables / words - 15.59


def rows(lines: int, references: int, repeats: int) -> Iterator[Row]:
    many = next(Zipfian(seed=1).corpus(20 * lines, 0).systems)
    data = f"{len(many):,} lines"
    peer = Row("FKGL, line by line, each token anew", data, cpu(lambda: line_by_line(many)))
    yield peer
    for variant in FkglComponents.presets:
        metric = FkglComponents.preset(variant)
        took = cpu(lambda metric=metric: metric.score(predictions=many))
        yield Row(f"FKGL, `{variant}`", data, took, peer)

    made_up = Zipfian().corpus(lines, references)
    corpus = {
        "sources": made_up.sources,
        "predictions": next(made_up.systems),
        "references": made_up.references,
    }
    points = repeats * len(MODIFICATIONS) * len(gaming_audit.SHARES)
    metrics = (FkglComponents.preset(), Bleu.preset(), Sari.preset("joshua", per_order=True))
    prepared = [m.prepare(corpus["sources"], corpus["references"]) for m in metrics]
    times = 2

    def score_anew() -> None:
        for _ in range(times):
            for modification in MODIFICATIONS.values():
                texts = [modification.line(text, 0.5) for text in corpus["predictions"]]
                for metric, sides in zip(metrics, prepared, strict=True):
                    metric.reduce(metric.statistics(sides, texts).sum(axis=0))

    anew = cpu(score_anew) / (times * len(MODIFICATIONS)) * points
    data = f"{points:,} versions of {lines:,} lines"
    peer = Row("audit, every text scored anew", data, anew, extrapolated=True)
    yield peer
    took = cpu(lambda: audit_gaming(metrics, **corpus, repeats=repeats))
    yield Row("`audits.audit_gaming`", data, took, peer)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lines", type=int, default=1077)
    parser.add_argument("--references", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=100)
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
