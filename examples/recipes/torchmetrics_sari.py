"""SARI for torchmetrics: exact over batches and processes, since statistics are kept."""

import torch
from torchmetrics import Metric
from torchmetrics.utilities import dim_zero_cat

import textsimp


class Sari(Metric):
    higher_is_better = True
    full_state_update = False

    def __init__(self, **options) -> None:
        super().__init__()
        self.sari = textsimp.Sari(**options)
        self.add_state("statistics", default=[], dist_reduce_fx="cat")

    def update(self, predictions, references, sources) -> None:
        texts = {"predictions": predictions, "references": references, "sources": sources}
        (rows,) = self.sari.compute_statistics(self.sari.check(**texts)).values()
        self.statistics.append(torch.from_numpy(rows).to(self.device))

    def compute(self):
        totals = dim_zero_cat(self.statistics).sum(dim=0).cpu().numpy()
        return torch.tensor(float(self.sari.reduce(totals)["sari"]))
