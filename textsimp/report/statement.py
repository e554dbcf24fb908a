"""Answers to a reviewers' checklist from saved results: text for a paper."""

import html
import json
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from textsimp.core import latex, tables
from textsimp.core.option import write_value
from textsimp.corpora import testsets
from textsimp.corpora.tables import read_json
from textsimp.corpora.text_files import decode, read_bytes
from textsimp.metrics import catalogue, citations
from textsimp.scoring.headlines import join
from textsimp.support.errors import InputError
from textsimp.support.extensions import load_each
from textsimp.support.parsing import parse_json

QUESTIONS: dict[str, str] = json.loads(Path(__file__).with_name("checklist.json").read_bytes())
"""Those of the Responsible NLP checklist that results say something about."""

__all__ = ["Sentences", "Statement", "statement"]

_PROVENANCE = re.compile(r'<meta name="provenance" content="([^"]*)">')  # of a report
_KINDS = {
    "version": str,
    "signatures": dict,
    "examples": int,
    "confidence": float,
    "resamples": int,
    "seed": int,
}
_MARKUP = re.compile(r"(`[^`]*`|\[@[^\]]*\])")

Sentences = Iterator[tuple[str, str]]
"""(question, sentence); `code` and [@citation] are marked as in Markdown."""


@dataclass(frozen=True)
class Statement:
    """Text for a paper.

    Attributes:
        answers: Question → sentences. Brackets mark what results don't tell, to be filled in.
            `Code` and [@citation] are marked as in Pandoc's Markdown.
    """

    answers: Mapping[str, Sequence[str]]

    def to_markdown(self) -> str:
        """Return the text in Markdown."""
        parts = []
        for code, sentences in self.answers.items():
            items = (_write(text, tables.escape_markdown, str) for text in sentences)
            parts.append(f"## {code}. {QUESTIONS[code]}\n\n" + "".join(f"- {x}\n" for x in items))
        return "\n".join(parts)

    def to_latex(self) -> str:
        """Return the text in LaTeX, with natbib's ``citep``."""
        parts = []
        for code, sentences in self.answers.items():
            items = (_write(text, latex.escape, _latex_markup) for text in sentences)
            title = latex.escape(f"{code}. {QUESTIONS[code]}")
            lines = [f"  \\item {text}\n" for text in items]
            parts.append(f"\\paragraph{{{title}}}\n\\begin{{itemize}}\n{''.join(lines)}")
        return "".join(f"{part}\\end{{itemize}}\n" for part in parts)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: question → sentences."""
        return {code: [*sentences] for code, sentences in self.answers.items()}

    def __str__(self) -> str:
        return self.to_markdown()


def statement(
    files: str | Path | Sequence[str | Path],
    scheme: str | Path | None = None,
    plan: str | Path | None = None,
) -> Statement:
    """Answer the Responsible NLP checklist of ACL Rolling Review from saved results.

    Args:
        files: What `textsimp score --json`, `compare --json` or `merge --json` printed (.json), a
            report (.html), or answers of people and language models, or folders of them.
        scheme: The scheme of the answers, if it isn't one of textsimp's: a YAML or JSON file.
        plan: The plan of the answers, such as of spreadsheets, which have no systems.

    Example:
        >>> import textsimp
        >>> print(textsimp.statement("scores.json"))  # doctest: +SKIP
        ## B1. Did you cite the creators of artifacts you used?
        ...
    """
    paths = [files] if isinstance(files, (str, Path)) else [*files]
    if not paths:
        raise InputError("files: expected saved results, got none")
    results = [path for path in paths if _is_result(path)]
    rest = [path for path in paths if path not in results]
    sentences = [pair for path in results for pair in _describe_file(path)]
    describing = [*load_each("statements")] if rest else []
    if rest and not describing:
        raise InputError(
            f"{rest[0]}: expected results (.json) or a report (.html): answers of people and "
            "models need the extension people"
        )
    sentences += [pair for describe in describing for pair in describe(rest, scheme, plan)]
    answers: dict[str, list[str]] = {code: [] for code in QUESTIONS}
    for code, text in dict.fromkeys(sentences):
        answers[code].append(text)
    return Statement({code: texts for code, texts in answers.items() if texts})


def _is_result(path: str | Path) -> bool:
    """Whether a file is a report, or JSON with a key of scores, rather than answers."""
    if Path(path).suffix.lower() == ".html":
        return True
    value = read_json(path)
    return isinstance(value, dict) and not _KINDS.keys().isdisjoint(value)


def _describe_file(path: str | Path) -> list[tuple[str, str]]:
    """Describe how the scores in a report or JSON file were computed."""
    text = decode(read_bytes(path), path).removeprefix("\ufeff")
    if Path(path).suffix.lower() == ".html":
        provenance = _PROVENANCE.search(text)
        text = html.unescape(provenance[1]) if provenance else ""
    try:
        result = parse_json(text)
        wrong = [key for key, kind in _KINDS.items() if not isinstance(result[key], kind)]
        if not wrong:
            return [*_describe_scores(_present(result))]
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        wrong = [str(error)]
    raise InputError(
        f"{path}: expected what `textsimp score --json` or `textsimp compare --json` printed, "
        f"or a report; answers are .jsonl files; not as printed: {', '.join(wrong)}"
    )


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _describe_scores(result: Mapping[str, Any]) -> Sentences:
    signatures: dict[str, str] = result["signatures"]
    provenance = _present(result.get("provenance", {}))
    examples, resamples = f"{result['examples']:,} examples", f"{result['resamples']:,}"
    yield from _describe_test_set(provenance, examples, signatures.values())
    yield "B1", "textsimp [@textsimp]."
    yield "B2", "textsimp is under the licence Apache-2.0."
    versions = {"textsimp": result["version"], "Python": provenance.get("python", "[version]")}
    versions |= provenance.get("packages", {})
    packages = ", ".join(f"{name} {version}" for name, version in versions.items())
    yield "C4", f"Scores were computed by {packages}."
    for signature in signatures.values():
        yield from _describe_metric(signature)
    yield "C1", f"Scores were computed on {provenance.get('platform', '[platform]')}."
    yield "C1", "[Parameters, GPU hours and infrastructure of the systems that were scored.]"
    yield (
        "C3",
        f"Intervals are {100 * result['confidence']:g} % percentile bootstrap intervals over "
        f"{examples} ({resamples} resamples, seed {result['seed']}).",
    )
    for sentence in (*_describe_tests(result, resamples), *_describe_runs(result)):
        yield "C3", sentence


def _describe_test_set(
    provenance: Mapping[str, Any], examples: str, signatures: Iterable[str]
) -> Sentences:
    """Name the creators, licence and sizes of the test set."""
    files = provenance.get("files", {})
    named = {part.name: (corpus, part) for corpus in testsets.CORPORA for part in corpus.test_sets}
    folder = PurePath(files.get("test_set", "")).name  # or the name alone
    if folder in named:
        corpus, part = named[folder]
        splits = {own.split: own.sources for own in corpus.test_sets}
        splits["training"] = corpus.training_pairs
        sizes = [f"{n:,} in {split}" for split, n in splits.items() if n]
        name = f"{corpus.corpus} (`{part.name}`)"
        yield "B1", f"{name} is by {corpus.paper}."
        yield "B2", f"{name}: {corpus.licence}."
        yield "B6", f"{name} has {', '.join(sizes) or '[sizes of its splits]'}."
    else:
        places = [files.get(role) for role in ("test_set", "data", "dataset", "sources")]
        name = next((f"`{place}`" for place in places if isinstance(place, str)), "the test set")
        yield "B1", f"[Who made {name}.]"
        yield "B2", f"[Licence or terms of {name}.]"
        yield "B6", f"[Sizes of the training and development data that belong to {name}.]"
    counts = re.search(r"\|n?refs:([\d-]+)", " ".join(signatures))
    sentence = f"Scores are of {examples}."
    if counts:
        noun = "reference" if counts[1] == "1" else "references"
        sentence = f"Scores are of {examples}, with {counts[1]} {noun} each."
    shared = [column for column in provenance.get("data", []) if column.get("system") is None]
    if shared:
        digests = ", ".join(f"{column['column']} `{column['sha256'][:12]}`" for column in shared)
        sentence += f" SHA-256, first digits: {digests}."
    yield "B6", sentence


def _describe_metric(signature: str) -> Sentences:
    """Spell a signature out, and cite the metric's papers."""
    name, end = signature.partition("|")[0], f"Its signature is `{signature}`."
    model = re.search(r"\|model:([^|]+)", signature)
    if model and name in catalogue.all_names():  # the model may not be here
        cls, ran = catalogue.metric_class(name), f"`{model[1]}`"
        title = cls.scores[0].title
        yield "C4", f"{title}: model {ran}. {end}"
        yield "B1", f"{title} {_cite(cls.papers)}, with {ran} [by whom]."
        yield "B2", f"[Licence of {ran}.]"
        yield "C1", f"{title} ran {ran}: [its parameters, and the hours and kind of processor.]"
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it may be of another version
            metric = catalogue.metric(signature)
    except InputError:
        yield "C4", f"[What `{name}` is and how it was set.] {end}"
        yield "B1", f"[Who made `{name}`.]"
        return
    title, about = metric.scores[0].title, metric.presets[metric.variant].about
    declared = [option for option in metric.declared_options() if metric.in_signature(option)]
    values = {option.name: write_value(getattr(metric, option.name)) for option in declared}
    options = "".join(f", {name} `{value}`" for name, value in values.items())
    yield "C4", f"{title}: variant `{metric.variant}` ({about}){options}. {end}"
    yield "B1", f"{title} {_cite(citations.papers(metric))}."


def _cite(papers: Sequence[str]) -> str:
    return f"[{'; '.join(f'@{key}' for key in papers)}]" if papers else "[by whom]"


def _describe_tests(result: Mapping[str, Any], resamples: str) -> Iterator[str]:
    baselines = result.get("baselines", [])
    others = [name for name in result.get("differences", {}) if name not in baselines]
    tests = f"paired permutation tests ({resamples} random assignments)"
    if others:
        best = result.get("baseline_by_metric", {}).values()
        against = ", ".join(f"`{x}`" for x in sorted({*best, *result.get("other_differences", ())}))
        adjusted = ", adjusted by Holm's method" if len(others) > 1 else ""
        yield f"p-values are of {tests} against {against}{adjusted}."
    elif result.get("pairs"):
        yield f"p-values are of {tests} of each two systems, adjusted by Holm's method."


def _describe_runs(result: Mapping[str, Any]) -> Iterator[str]:
    """Say which scores are means over runs, and which were not tested."""
    runs = result.get("runs", {}) | {
        name: len(values)
        for name, own in result.get("systems", {}).items()
        for scores in own.values()
        for key, values in scores.items()
        if key.endswith("_runs")
    }
    for number in dict.fromkeys(runs.values()):
        names = join([f"`{name}`" for name in runs if runs[name] == number])
        yield f"Scores of {names} are means over {number} runs, which the intervals draw, too."
    if runs:
        yield (
            "p-values are of these runs. Systems of several runs differ significantly only if the "
            "interval of the difference, adjusted likewise, doesn't contain 0, either."
        )
    if published := (result.get("published") or {}).get("systems"):
        yield f"Scores of published systems, {len(published):,} here, were not tested."
    outputs = "outputs of others" if runs else "outputs"
    yield f"[Whether {outputs} are of a single run, or the best of some.]"


def _write(text: str, escape: Callable[[str], str], mark: Callable[[str], str]) -> str:
    """Escape a sentence, except its markup."""
    parts: Iterable[str] = _MARKUP.split(text)
    return "".join(mark(part) if i % 2 else escape(part) for i, part in enumerate(parts))


def _latex_markup(part: str) -> str:
    if part.startswith("`"):
        code = latex.escape(part.strip("`")).replace(",", r",\allowbreak{}")
        return rf"\texttt{{{latex.break_signatures(code)}}}"
    return rf"\citep{{{part[1:-1].replace('@', '').replace('; ', ',')}}}"
