"""Outputs with labels of information errors, and what their paper prints of them."""

import json

from tests.project import SHARED
from textsimp.metrics.information_errors import CATEGORIES

FOLDER = SHARED / "data" / "information_errors"
FILES = {
    "ref": "reference",
    "access": "ACCESS",
    "controlTS": "ControlTS",
    "dress": "Dress",
    "editNTS": "EditNTS",
    "t5_vanilla": "T5",
}


class Annotated:
    """Columns of the annotated outputs of a system."""

    def __init__(self, system):
        with open(FOLDER / f"{FILES[system]}.jsonl", encoding="utf-8") as file:
            self.rows = [json.loads(line) for line in file]
        self.labels = {category: self.column(category) for category in CATEGORIES}
        self.texts = {name + "s": self.column(name) for name in ("source", "prediction")}

    def column(self, name):
        return [row[name] for row in self.rows]
