"""Outputs with labels of information errors, and what their paper prints of them."""

from tests.given import rows
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
        self.rows = rows(FOLDER / f"{FILES[system]}.jsonl")
        self.labels = {category: self.column(category) for category in CATEGORIES}
        self.texts = {name + "s": self.column(name) for name in ("source", "prediction")}

    def column(self, name):
        return [row[name] for row in self.rows]
