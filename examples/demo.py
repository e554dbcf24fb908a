"""Score two systems on the example corpus: what `make demo` runs."""

from __future__ import annotations

import json
from pathlib import Path

import textsimp

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results" / "demo.json"
SCORES = ("sari", "add", "keep", "delete")


def lines(name: str) -> list[str]:
    """The lines of a file; only a line feed ends a line."""
    return (HERE / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def main() -> None:
    sources = lines("source.txt")
    references = list(zip(*(lines(f"references/{i}.txt") for i in range(3)), strict=True))
    systems = {
        "source unchanged": sources,
        "splitter": lines("systems/splitter.txt"),
        "substituter": lines("systems/substituter.txt"),
    }

    sari = textsimp.load("sari")  # the module, through evaluate.load
    results = {
        name: sari.compute(
            sources=sources,
            predictions=predictions,
            references=references,
            per_example=True,
            confidence=0.95,
        )
        for name, predictions in systems.items()
    }
    del systems["source unchanged"]
    test = textsimp.compare(systems, sources=sources, references=references)["sari"]

    print(f"{len(sources)} sentences, {len(references[0])} references each, 95 % intervals\n")
    print(f"{'system':18}" + "".join(f"{score:>21}" for score in SCORES))
    for name, result in results.items():
        cells = (
            f"{result[score]:7.2f} [{low:5.2f}, {high:5.2f}]"
            for score in SCORES
            for low, high in [result[f"{score}_interval"]]
        )
        print(f"{name:18}" + "".join(f"{cell:>21}" for cell in cells))
    print(f"\n{result['signature']}")

    print("\nSARI per example (to look at outputs, not to judge them)")
    for name in systems:
        scored = sorted(zip(results[name]["sari_per_example"], systems[name], strict=True))
        for label, (score, text) in (("lowest", scored[0]), ("highest", scored[-1])):
            print(
                f"{name:12} {label:8}{score:6.2f}  {text if len(text) < 80 else text[:77] + '...'}"
            )

    ((name, differences),) = test.differences.items()
    difference = differences["sari"]
    low, high = difference.interval
    print(
        f"\n{name} - {test.baseline}: SARI {difference.value:+.2f} [{low:+.2f}, {high:+.2f}], "
        f"paired bootstrap p = {difference.bootstrap_p:.3f}, "
        f"paired permutation p = {difference.permutation_p:.3f}"
    )
    RESULTS.parent.mkdir(exist_ok=True)
    found = {"scores": results, "comparison": test.to_dict()}
    RESULTS.write_text(json.dumps(found, indent=1, ensure_ascii=False), encoding="utf-8")
    print(f"\nEverything, with each example's score, is in {RESULTS.relative_to(HERE.parent)}")


if __name__ == "__main__":
    main()
