"""Draws the figures of docs/audits.md from the example corpus.

python docs/images/audits.py
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from textsimp import Sari
from textsimp.audits import Audit, audit_errors, audit_gaming

FOLDER = Path(__file__).parent
EXAMPLES = FOLDER.parents[1] / "examples"


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def draw(result: Audit) -> None:
    png = io.BytesIO()
    result.plot().savefig(png, format="png", dpi=100)
    # 256 colours are enough for it, and a third of the bytes.
    image = Image.open(png).convert("RGB").quantize(256)
    image.save(FOLDER / f"audit-{result.kind}.png", optimize=True)


def main() -> None:
    references = [lines(f"references/{i}.txt") for i in range(3)]
    draw(
        audit_gaming(
            ["fkgl_components", "bleu", Sari("joshua")],
            lines("systems/substituter.txt"),
            sources=lines("source.txt"),
            references=list(zip(*references, strict=True)),
        )
    )
    draw(
        audit_errors(
            ["sari", "bleu", "d_sari"],
            references[0],
            sources=lines("source.txt"),
            references=list(zip(*references[1:], strict=True)),
        )
    )


if __name__ == "__main__":
    main()
