"""Files for the Hugging Face Hub that ``textsimp score`` writes."""

from collections.abc import Sequence
from pathlib import Path

from textsimp.cli.data_arguments import Files
from textsimp.core import tables
from textsimp.core.comparisons import Comparisons
from textsimp.hub.eval_results import (
    ModelScore,
    find_benchmark,
    format_eval_results,
    format_model_index,
)
from textsimp.support.errors import InputError
from textsimp.support.files import Contents, check_new, write_files


class HubFiles:
    """Results of one system on a test set that can be named."""

    def __init__(
        self,
        eval_results: str | Path | None,
        model_index: str | Path | None,
        files: Files,
        overwrite: bool,
    ) -> None:
        self.eval_results, self.model_index, self.overwrite = eval_results, model_index, overwrite
        paths = {"--eval-results": eval_results, "--model-index": model_index}
        for option, path in paths.items():
            if path is not None:
                tables.check_ending(option, path, [".yaml"])
        check_new([Path(path) for path in paths.values() if path], overwrite=overwrite)
        self.benchmark = find_benchmark(files.test_set, files.data, files.config, files.split)
        if eval_results and "/" not in self.benchmark.id:
            raise InputError(
                f"--eval-results: {self.benchmark.id} is no dataset on the Hugging Face Hub, to "
                "which results belong; --model-index takes any test set"
            )
        if files.missing == "skip":
            raise InputError("results on the Hub are of all examples, without --missing skip")

    def write(self, comparisons: Comparisons) -> Sequence[Path]:
        """Write the files of the one system, and return them."""
        first = next(iter(comparisons.values()))
        names = [name for name in first.systems if name not in first.baselines]
        if len(names) > 1:
            raise InputError(f"results on the Hub are of one model, got {', '.join(names)}")
        scores = []
        for metric, x in comparisons.items():
            value = x.systems[names[0]].main.value
            if value is not None:
                scores.append(
                    ModelScore(metric, x.metric.heading(x.main.title), value, x.signature)
                )
        contents: dict[Path, Contents] = {}
        if self.eval_results:
            text = format_eval_results(self.benchmark, scores)
            contents[Path(self.eval_results)] = text.encode()
        if self.model_index:
            text = format_model_index(names[0], self.benchmark, scores)
            contents[Path(self.model_index)] = text.encode()
        write_files(contents, overwrite=self.overwrite)
        return [*contents]
