"""Pictures as Vega-Lite specifications, which become files and show in notebooks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from textsimp.support.extras import require


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture.

    Attributes:
        spec: The Vega-Lite specification, which ``altair.Chart.from_dict`` also takes.
    """

    spec: dict[str, Any]

    def draw(self, form: str = "svg") -> bytes:
        """Return the picture as ``"svg"``, ``"png"`` or ``"pdf"``; nothing is fetched."""
        convert = getattr(require("vl_convert", extra="report"), f"vegalite_to_{form}")
        options = {"scale": 2} if form == "png" else {}
        drawn = convert(json.dumps(self.spec), allowed_base_urls=[], **options)
        return drawn.encode() if isinstance(drawn, str) else bytes(drawn)

    def savefig(self, file: Any, *, format: str = "svg", **_: Any) -> None:
        """Write the picture to an open binary file."""
        file.write(self.draw(format))

    def _repr_svg_(self) -> str:
        return self.draw().decode()
