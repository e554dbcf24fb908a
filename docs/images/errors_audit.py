"""Draws the figure of docs/errors.md from the example corpus.

python docs/images/errors_audit.py
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from textsimp.audits import errors as auditing

EXAMPLES = Path(__file__).parents[2] / "examples"


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def main() -> None:
    references = [lines(f"references/{i}.txt") for i in range(3)]
    result = auditing.audit(
        ["sari", "bleu", "d_sari"],
        references[0],
        sources=lines("source.txt"),
        references=[list(row) for row in zip(*references[1:], strict=True)],
    )
    png = io.BytesIO()
    result.plot().savefig(png, format="png", dpi=100)
    # 256 colours are enough for it, and a third of the bytes.
    image = Image.open(png).convert("RGB").quantize(256)
    image.save(Path(__file__).with_suffix(".png"), optimize=True)


if __name__ == "__main__":
    main()
