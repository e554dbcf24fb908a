"""Draws the figures of docs/figures.md and of the pages on trust, by `textsimp.figure`.

    python tools/pictures.py [NAME …]        those of the example corpus, and of ``--data FOLDER``

``docs/images/splits.py`` and ``examples/stability.py`` draw those of docs/splits.md.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any

import pages
import trust

import textsimp
from textsimp.corpora.text_files import read_lines
from textsimp.extensions import people
from textsimp.report import figures

IMAGES = pages.PROJECT / "docs" / "images"
SETS = {
    "simpeval-past": "SimpEval past",
    "simpeval-2022": "SimpEval 2022",
    "structural-simplicity": "structural",
    "wikida-simplicity": "WikiDA, simplicity",
    "wikida-meaning": "WikiDA, meaning",
    "structural-meaning": "structural, meaning",
}
SIMPLICITY = {
    "simpeval-past": "SimpEval past",
    "simpeval-2022": "SimpEval 2022",
    "simpda-2022-simplicity": "SimpDA 2022",
    "wikida-simplicity": "WikiDA",
    "questeval-simplicity": "QuestEval",
    "structural-simplicity": "structural",
    "llms-simplicity": "LLMs",
    "llms-turkcorpus-simplicity": "LLMs, TurkCorpus",
    "d-wikipedia": "D-Wikipedia",
}
PANELS = {trust.EASSE: "SARI", trust.BLEU: "BLEU", trust.LENGTH: "length"}
SHOWN = (*trust.FIRST.values(), trust.XU, trust.HUB, trust.DELETE, trust.F1, trust.FKGL)
PICTURES: dict[str, Callable[[pages.Data], Any]] = {}


def picture(function: Callable[[pages.Data], Any]) -> Callable[[pages.Data], Any]:
    """Give a function its file's name."""
    PICTURES[function.__name__.replace("_", "-")] = function
    return function


def draw_examples(kind: str, metrics: str, **options: Any) -> Any:
    """Draw a figure of the example corpus."""
    folder = pages.PROJECT / "examples"
    references = [read_lines(path) for path in sorted((folder / "references").glob("*.txt"))]
    return textsimp.figure(
        kind,
        {path.stem: read_lines(path) for path in sorted((folder / "systems").glob("*.txt"))},
        sources=read_lines(folder / "source.txt"),
        references=[list(row) for row in zip(*references, strict=True)],
        metrics=metrics,
        **options,
    )


@picture
def figure_scores(data: pages.Data) -> Any:
    return draw_examples("scores", "sari, sari.keep, bleu", width="page")


@picture
def figure_lengths(data: pages.Data) -> Any:
    return draw_examples("lengths", "sari")


@picture
def trust_systems(data: pages.Data) -> Any:
    """SimpEval past without the four people, some of whose texts are references."""
    rated = data.folder / "ratings" / "simpeval_past.jsonl"
    rows = trust.read_set(data, trust.PAST)
    sources = {row["item"]: (row["source"], row["references"]) for row in rows}
    outputs = {(row["item"], row["system"]): row["prediction"] for row in rows}
    systems = {row["system"] for row in rows} - {*trust.HUMANS}
    return textsimp.figure(
        "people",
        {name: [outputs[item, name] for item in sources] for name in sorted(systems)},
        sources=[source for source, _ in sources.values()],
        references=[references for _, references in sources.values()],
        metrics="sari, sari(xu), sari(huggingface), bleu(sacrebleu)",
        ratings=people.read(rated, criteria=["overall_z"]),
        width="page",
    )


@picture
def trust_outputs(data: pages.Data) -> Any:
    with open(trust.SCORES, encoding="utf-8", newline="") as file:
        rows = [
            {**row, "set": SETS[row["set"]], "score": row["score"].replace("`", "")}
            for row in csv.DictReader(file)
            if row["set"] in SETS and row["coefficient"] == trust.R
        ]
    rows = [{**row, "coefficient": "pearson"} for row in rows]
    shown = [score.replace("`", "") for score in SHOWN]
    return textsimp.figure("trust", rows, metrics=shown, width="page")


def simplicity() -> list[dict[str, str]]:
    """Correlations with simplicity in docs/trust.csv, of each score on each set."""
    with open(trust.SCORES, encoding="utf-8", newline="") as file:
        found = {
            (row["set"], row["score"]): row
            for row in csv.DictReader(file)
            if row["coefficient"] in (trust.R, "simplicity-overall")
        }
    return [
        {**found[name, score], "set": panel, "metric": title, "coefficient": "pearson"}
        for score, panel in PANELS.items()
        for name, title in SIMPLICITY.items()
    ]


@picture
def trust_simplicity(data: pages.Data) -> Any:
    return textsimp.figure("trust", {"": simplicity()}, width="page")


def main() -> None:
    parser = pages.parser(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="those to draw; by default all")
    options = parser.parse_args()
    for name, function in PICTURES.items():
        if name in options.names or not options.names:
            svg = figures.render(function(pages.Data(options.data)), ".svg")
            (IMAGES / f"{name}.svg").write_bytes(svg)
            print(name)


if __name__ == "__main__":
    main()
