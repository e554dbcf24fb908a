"""Tables of audits: whether scores can be gamed, or miss errors, for tools/figures.py."""

from __future__ import annotations

from collections.abc import Sequence

from pages import Data, TestSet, table

from textsimp.core import tables
from textsimp.core.metric import COLUMNS
from textsimp.extensions.audits import Effect, audit_errors, audit_gaming
from textsimp.metrics import catalogue
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.readability import Readability
from textsimp.metrics.sari import Sari


def gaming_formulas(data: Data) -> str:
    asset = data.test_set("asset_test")
    metrics = [FkglComponents(), Readability(dale_chall=True), Bleu(), Sari("joshua")]
    result = audit_gaming(
        metrics,
        asset.systems["ACCESS"],
        sources=asset.sources,
        references=asset.references,
        shares=[1.0],
        repeats=20,
    )
    rows = []
    for name, effects in result.main_effects().items():
        metric, title = result.metrics[name.partition(".")[0]], effects[0].score.title
        title = title if isinstance(metric, Readability) else metric.heading(title)
        after = {effect.change: effect.before + effect.differences[-1] for effect in effects}
        moved = ("random-period", "replace-longest", "random-period+replace-longest")
        fooled = sum(effect.verdict == "gets better" for effect in effects)
        values = [effects[0].before, *(after[change] for change in moved)]
        rows.append([title, *values, f"{fooled} of {len(effects)}"])
    header = ["", "unchanged", "a period in each line", "longest word replaced", "both"]
    return table([*header, "fooled by"], rows)


def errors_audit(data: Data) -> str:
    """Errors in all outputs of a person that can have them: the first reference of each source."""
    metrics = [
        name
        for name in catalogue.names()
        if name != "ter"  # which takes as long as all others together
        and all(c.name in COLUMNS for c in catalogue.metric_class(name).columns if c.required)
        and catalogue.metric_class(name).scores[0].better
    ]
    asset = data.test_set("asset_test")
    outputs = [row[0] for row in asset.references]
    others = [row[1:] for row in asset.references]
    return _effects(metrics, asset, outputs, others)


def errors_access(data: Data) -> str:
    """The same of a system."""
    asset = data.test_set("asset_test")
    return _effects(["sari", "d_sari", "bleu"], asset, asset.systems["ACCESS"], asset.references)


def _effects(
    names: Sequence[str], texts: TestSet, outputs: list[str], references: list[list[str]]
) -> str:
    """Error → changes of main scores."""
    columns = {"sources": texts.sources, "references": references}
    audit = audit_errors(names, outputs, **columns, shares=[1.0])
    rows = [
        [f"`{effects[0].change}`", effects[0].outputs, *map(_change, effects)]
        for effects in zip(*map(audit.of, names), strict=True)
    ]
    titles = [audit.metrics[n].heading(audit.metrics[n].scores[0].title) for n in names]
    return table(["error", "outputs", *titles], rows)


def _change(effect: Effect) -> str:
    """A change with its interval: bold if the score gets better, italic if it doesn't notice."""
    text = tables.Cell.of(effect.differences[-1], effect.intervals[-1], 1, sign=True)
    text = str(text).replace("-", "−")
    mark = {"gets better": "**", "doesn't notice": "*"}.get(effect.verdict, "")
    return f"{mark}{text}{mark}"
