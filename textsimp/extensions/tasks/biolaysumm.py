"""BioLaySumm 2024 and 2025: lay summaries of biomedical articles."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np

from textsimp.core.sample import Sample, average, join, means_of
from textsimp.core.significance import FEWEST
from textsimp.corpora.row_ids import Coverage, empty
from textsimp.corpora.tables import read_table
from textsimp.corpora.text_files import Rows, check_lengths, read_texts
from textsimp.extensions.tasks import models
from textsimp.extensions.tasks.task import Run, Task, sample_of
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.readability import Readability
from textsimp.metrics.rouge import f1_scores
from textsimp.support.errors import InputError
from textsimp.text.sentences import get_splitter

_JOURNALS = ("elife", "plos")
_ROUGE = ("ROUGE1", "ROUGE2", "ROUGELsum")
_READABILITY = {"FKGL": "fkgl", "CLI": "coleman_liau", "DCRS": "dale_chall"}
_BEFORE = {2024: _ROUGE, 2025: ("ROUGE", "BLEU", "METEOR")}  # year → names
_MISSING = {
    "METEOR": "needs NLTK's WordNet, and the organisers' tokenization, which isn't known",
    "AlignScore": "isn't computed here: its model is that of the package alignscore",
    "SummaC": "isn't computed here: SummaCConv is another model than entailment:variant=summac's",
}
_TEXTSTAT = "FKGL, CLI, DCRS: textstat 0.7.3 or 0.7.4; later versions give other numbers"


def measure(gold: str, predictions: str, *, year: Literal[2024, 2025] = 2025) -> Run:
    """Score a run: of one journal, or the mean of both if gold and run are folders.

    Args:
        gold: The file of gold, or a folder.
        predictions: The file of the run, or a folder.
        year: The year, whose columns differ.
    """
    journals = [_read(*files) for files in _find_journals(gold, predictions)]
    names = (*_BEFORE[year], "BERTScore", *_READABILITY, "LENS", "AlignScore", "SummaC")
    missing = {name: why for name, why in _MISSING.items() if name in names}
    parts = []
    for journal in journals:
        samples = _score_texts(*journal[:2], year)
        for name, compute in _BY_MODEL.items():
            try:
                samples.append(means_of({name: compute(*journal)}))
            except (ImportError, InputError) as error:
                missing[name] = models.advise(error, [models.MODELS[name.lower()]])
        parts.append(join(samples))
    summaries = [text for outputs, *_ in journals for text in outputs]
    n = len(summaries)
    notes = [_TEXTSTAT]
    fewest = min(len(outputs) for outputs, *_ in journals)
    if fewest < FEWEST:
        notes.append(
            f"few summaries of a journal, {fewest}: intervals hold less often than they say"
        )
    return Run.of_sample(
        names,
        average(parts),
        Coverage(gold=n, scored=n, remarks=empty(summaries)),
        range(n),
        shown=4,
        missing=missing,
        notes=notes,
    )


def _score_texts(outputs: list[str], references: list[str], year: int) -> list[Sample]:
    """Return the samples of what needs no model."""
    split = get_splitter("nltk-punkt-en").split
    pairs = zip(outputs, references, strict=True)
    f1 = np.array([f1_scores(*pair, split) for pair in pairs])[:, [0, 1, 3]]
    readable = sample_of(Readability.preset("textstat_0_7_4"), _READABILITY, predictions=outputs)
    if year == 2024:
        return [readable, means_of(dict(zip(_ROUGE, f1.T, strict=True)))]
    both: dict[str, Any] = {"predictions": outputs, "references": references}
    bleu = sample_of(Bleu.preset("sacrebleu"), {"BLEU": "bleu"}, **both)
    return [readable, means_of({"ROUGE": f1.mean(axis=1)}), bleu]


_BY_MODEL: dict[str, Callable[[list[str], list[str], list[str]], list[float]]] = {
    "BERTScore": lambda outputs, references, _: models.compare("bertscore", outputs, references),
    "LENS": lambda outputs, references, firsts: models.lens(firsts, outputs, references),
}
"""Name → its numbers, from outputs, references and the articles' first lines."""


def _find_journals(gold: str, run: str) -> list[tuple[str, str]]:
    """Return the files of gold and run: those given, or of folders one for each journal."""
    if not Path(gold).is_dir():
        return [(gold, run)]
    pairs = []
    for journal in _JOURNALS:
        files = []
        for folder in (gold, run):
            matches = [str(p) for p in Path(folder).glob("*") if p.name.lower().startswith(journal)]
            if len(matches) != 1:
                raise InputError(
                    f"{folder}: expected a folder with one file whose name begins with {journal}, "
                    f"got {len(matches)}"
                )
            files += matches
        pairs.append((files[0], files[1]))
    return pairs


def _read(gold: str, run: str) -> tuple[list[str], list[str], list[str]]:
    """Return outputs, references, and the articles' first lines, which LENS reads."""
    table = read_table(gold)
    summaries, articles = table.texts("lay_summary"), table.texts("article")
    outputs = read_texts(run)
    check_lengths([Rows(summaries, gold), outputs])
    return outputs.rows, summaries, [article.split("\n")[0] for article in articles]


TASK = Task(
    name="biolaysumm",
    years=(2024, 2025),
    title="BioLaySumm",
    url="https://arxiv.org/abs/2408.08566",
    scores="lay summaries: ROUGE, BERTScore, readability, LENS; of 2025 also BLEU",
    gold="JSON lines: lay_summary, article; or a folder with a file for each journal, whose names "
    "begin with elife and plos",
    predictions="text: a line per summary; or a folder with elife.txt and plos.txt",
    measure=measure,
    needs="the extra languages; for BERTScore and LENS the extra models, and what `textsimp hub "
    f"models --fetch NAME` fetches: {models.MODELS['bertscore']}, {models.MODELS['lens']}",
    endings=(),
)
