"""Measure texts batch by batch, so that memory doesn't grow with their number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from textsimp.cli.score_files import LoadedSystems, SavedFiles, SpooledRows
from textsimp.core import statistics_files
from textsimp.core.examples import Examples
from textsimp.core.joined_statistics import Batches
from textsimp.core.metric import Metric
from textsimp.core.statistics_files import StatisticsFile
from textsimp.scoring import soundness
from textsimp.support.errors import InputError, rows_after
from textsimp.support.progress import progress


@dataclass(frozen=True)
class MeasuredBatches:
    """What is left of texts that were measured batch by batch."""

    parts: Sequence[StatisticsFile]
    shown: Sequence[str]  # baselines
    hidden: Sequence[str]  # other baselines, see `add_baselines`
    ends: Examples  # the first and the last examples, which are checked
    rows: SpooledRows | None  # scores of examples, if they are to be written


def check_batches(
    metrics: Mapping[str, Metric], saved: SavedFiles, shards: str, *, published: bool
) -> None:
    """Check that texts can be measured in batches, before they are."""
    needs = [f"{x.name} with these options" for x in metrics.values() if not x.independent_rows]
    needs += ["--per-example without FILE"] if saved.per_example == "" else []
    needs += ["--published"] if published else []
    for need in needs:
        raise InputError(
            f"{need} needs all texts at once, and the shards {shards} are read in batches: put "
            "their rows into one file"
        )


def measure_batches(
    metrics: Mapping[str, Metric],
    loaded: LoadedSystems,
    asked: Sequence[str],
    saved: SavedFiles,
    form: str,
) -> MeasuredBatches:
    """Measure systems and baselines, and show on a terminal how many rows are done."""
    rows = SpooledRows(saved.per_example) if saved.per_example else None
    sums, ends = Batches(), list[Examples]()
    shown, hidden = dict[str, None](), dict[str, None]()
    with progress(unit=" rows", unit_scale=True) as bar:
        for batch in loaded.batches or ():
            first = saved.first_row + batch.first
            texts, different, equal = loaded.add_baselines(batch.examples, asked, saved, form)
            shown |= dict.fromkeys(different)
            hidden |= dict.fromkeys(equal)
            with rows_after(batch.first):
                parts = {name: x.measure(texts, first, piece=True) for name, x in metrics.items()}
            measured = {name: replace(part, runs=loaded.runs) for name, part in parts.items()}
            digests: dict[str, int] = {}
            if loaded.stored or saved.statistics:
                digests = statistics_files.digests(texts.shared, first)
            sums.add(StatisticsFile("the texts", measured, digests))
            if rows is not None:
                rows.add(measured, batch.examples, first)
            ends = [soundness.take_ends([*ends, batch.examples])]
            bar.update(len(texts))
    baselines = [name for name in texts.systems if name in shown]
    equal = [name for name in hidden if name not in shown]
    return MeasuredBatches(sums.files(), baselines, equal, ends[0], rows)
