"""Draws the figures of docs/figures.md and of the pages on trust, by `textsimp.figure`.

    python tools/pictures.py [NAME …]        those of the example corpus, and of ``--data FOLDER``

``docs/images/splits.py`` and ``examples/stability.py`` draw those of docs/splits.md.
"""

from __future__ import annotations

from typing import Any

import pages
import trust
import trust_sets

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
SIMPLICITY = {s.name: s.set for s in trust_sets.SIMPLICITY if s.column != "structural"}
PANELS = {trust.EASSE: "SARI", trust.BLEU: "BLEU", trust.LENGTH: "length"}
SHOWN = (*trust.FIRST.values(), trust.XU, trust.HUB, trust.DELETE, trust.F1, trust.FKGL)
PICTURES = pages.Tables()


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


@PICTURES
def figure_scores(data: pages.Data) -> Any:
    return draw_examples("scores", "sari, sari.keep, bleu", width="page")


@PICTURES
def figure_lengths(data: pages.Data) -> Any:
    return draw_examples("lengths", "sari")


@PICTURES
def trust_systems(data: pages.Data) -> Any:
    """SimpEval past without the four people, some of whose texts are references."""
    rated = data.folder / "ratings" / "simpeval_past.jsonl"
    rows = trust_sets.read_set(data, trust_sets.PAST)
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


@PICTURES
def trust_outputs(data: pages.Data) -> Any:
    rows = [
        {
            **row,
            "set": SETS[row["set"]],
            "score": row["score"].replace("`", ""),
            "coefficient": "pearson",
        }
        for row in pages.read_csv(trust.SCORES)
        if row["set"] in SETS and row["coefficient"] == trust_sets.R
    ]
    shown = [score.replace("`", "") for score in SHOWN]
    return textsimp.figure("trust", rows, metrics=shown, width="page")


def simplicity() -> list[dict[str, str]]:
    """Correlations with simplicity in docs/trust.csv, of each score on each set."""
    found = {
        (row["set"], row["score"]): row
        for row in pages.read_csv(trust.SCORES)
        if row["coefficient"] in (trust_sets.R, "simplicity-overall")
    }
    return [
        {**found[name, score], "set": panel, "metric": title, "coefficient": "pearson"}
        for score, panel in PANELS.items()
        for name, title in SIMPLICITY.items()
    ]


@PICTURES
def trust_simplicity(data: pages.Data) -> Any:
    return textsimp.figure("trust", {"": simplicity()}, width="page")


def main() -> None:
    parser = pages.parser(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="those to draw; by default all")
    options = parser.parse_args()
    pictures = PICTURES.fill(pages.Data(options.data), options.names or None)
    for name, picture in pictures.items():
        (IMAGES / f"{name}.svg").write_bytes(figures.render(picture, ".svg"))
        print(name)


if __name__ == "__main__":
    main()
