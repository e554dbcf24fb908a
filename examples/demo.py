"""Score the example corpus by every module of evaluate: what `make demo` runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import textsimp
from textsimp import hub

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results" / "demo.json"
COPY = "source unchanged"
OPTIONS = {"d_sari": {"tokenizer": "13a"}, "edit_ops": {"tokenizer": "13a"}}


def lines(name: str) -> list[str]:
    """The lines of a file; only a line feed ends a line."""
    return (HERE / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def rows(name: str) -> dict[str, list[Any]]:
    """The columns of a JSON Lines file."""
    table = [json.loads(line) for line in lines(name)]
    return {column: [row[column] for row in table] for column in table[0]}


def outputs(folder: str, *systems: str) -> dict[str, dict[str, list[str]]]:
    """The predictions of some systems, and the sources as those of one that changes nothing."""
    texts = {name: lines(f"{folder}systems/{name}.txt") for name in systems}
    texts = {COPY: lines(f"{folder}source.txt"), **texts}
    return {name: {"predictions": predictions} for name, predictions in texts.items()}


def sentences() -> dict[str, Any]:
    """Sources and references of the sentences."""
    references = [lines(f"references/{i}.txt") for i in range(3)]
    return {"sources": lines("source.txt"), "references": list(zip(*references, strict=True))}


def corpus_of(module: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """What all systems share, and the columns of each, for a module."""
    if module == "d_sari":
        shared = {"sources": lines("documents/source.txt")}
        shared["references"] = lines("documents/references/0.txt")
        return shared, outputs("documents/", "shortener", "rewriter")
    if module == "samsa":
        shared = {"sources": lines("parses/source.txt"), "passages": lines("parses/passages.mrp")}
        return shared, outputs("parses/", "splitter", "shortener")
    if module == "information_errors":
        labels = rows("labels.jsonl")
        names = ("insertion", "deletion", "substitution")
        return {}, {"labelled outputs": {name: labels[name] for name in names}}
    if module == "lexical_substitution":
        words = rows("substitutes.jsonl")
        own = {"substitutes": words["substitutes"]}
        return {"targets": words["target"], "gold": words["gold"]}, {"substitutes": own}
    return sentences(), outputs("", "splitter", "substituter")


def print_scores() -> dict[str, Any]:
    """Print a line per module; return its results."""
    found: dict[str, Any] = {}
    print(f"{'module':21}{'score':21}values on the example corpus; ↑ higher is better, ↓ lower")
    for name in hub.names():
        module = textsimp.load(name, **OPTIONS.get(name, {}))  # through evaluate.load
        score = module.metric_class.scores[0]
        shared, systems = corpus_of(name)
        try:
            results = {
                system: module.compute(**shared, **columns, per_example=True)
                for system, columns in systems.items()
            }
        except ImportError as error:  # without the extra that it needs
            print(f"{name:21}{error}")
            continue
        found[name] = results
        values = [f"{system} {result[score.key]:.2f}" for system, result in results.items()]
        arrow = {"higher": " ↑", "lower": " ↓"}.get(score.better or "", "")
        print(f"{name:21}{score.key + arrow:21}{', '.join(values)}")
    return found


def main() -> None:
    found = print_scores()
    shared, systems = corpus_of("sari")
    systems.pop(COPY)
    texts = {name: columns["predictions"] for name, columns in systems.items()}
    test = textsimp.compare(texts, **shared)["sari"]
    ((name, differences),) = test.differences.items()
    low, high = differences["sari"].interval
    print(
        f"\n{name} - {test.baseline}: SARI {differences['sari'].value:+.2f} "
        f"[{low:+.2f}, {high:+.2f}], paired permutation p = {differences['sari'].permutation_p:.3f}"
    )
    RESULTS.parent.mkdir(exist_ok=True)
    saved = {"scores": found, "comparison": test.to_dict()}
    RESULTS.write_text(json.dumps(saved, indent=1, ensure_ascii=False), encoding="utf-8")
    print(f"Everything, with each example's score, is in {RESULTS.relative_to(HERE.parent)}")


if __name__ == "__main__":
    main()
