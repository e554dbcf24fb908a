"""What reviewers ask of an evaluation, answered from saved results: text for a paper."""

import html
import json
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core import tables
from textsimp.core.declarations import write_value
from textsimp.corpora import testsets
from textsimp.corpora.files import decode, read_bytes
from textsimp.extensions.people import Judgements, Scheme, analyse, read
from textsimp.extensions.people.judgements.schemes import NAMES
from textsimp.metrics import catalogue, citations
from textsimp.support.errors import InputError
from textsimp.support.parsing import parse_json

QUESTIONS: dict[str, str] = json.loads(Path(__file__).with_name("checklist.json").read_bytes())
"""Those of the Responsible NLP checklist that results say something about."""

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
_PEOPLE = {
    "D1": "[A screenshot of the page; disclaimers of risks, if there are any.]",
    "D2": "[How raters were recruited; what they were paid, and whether that is adequate where "
    "they live.]",
    "D3": "[How raters consented to the use of their answers.]",
    "D4": "[Which ethics board approved the study, or why none had to.]",
}

Sentences = Iterator[tuple[str, str]]
"""(question, sentence); `code` and [@citation] are marked as in Markdown."""


@dataclass(frozen=True)
class Statement:
    """Text for a paper.

    Attributes:
        answers: Question → sentences. What nobody can know from results stands in brackets, to be
            filled in. `Code` and [@citation] are marked as in Pandoc's Markdown.
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
            items = (_write(text, tables.escape_latex, _latex_markup) for text in sentences)
            title = tables.escape_latex(f"{code}. {QUESTIONS[code]}")
            lines = [f"  \\item {text}\n" for text in items]
            parts.append(f"\\paragraph{{{title}}}\n\\begin{{itemize}}\n{''.join(lines)}")
        return "".join(f"{part}\\end{{itemize}}\n" for part in parts)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: question → sentences."""
        return {code: [*sentences] for code, sentences in self.answers.items()}

    def __str__(self) -> str:
        return self.to_markdown()


def statement(
    files: str | Path | Sequence[str | Path], scheme: str | Path | None = None
) -> Statement:
    """Say what the Responsible NLP checklist of ACL Rolling Review asks, from saved results.

    Args:
        files: What `textsimp score --json`, `compare --json` or `merge --json` printed (.json), a
            report (.html), or answers of people and language models.
        scheme: The scheme of the answers, if it isn't one of textsimp's: a YAML or JSON file.

    Example:
        >>> import textsimp
        >>> found = textsimp.statement("examples/annotations/ann.jsonl", "information_errors")
        >>> found.answers["D4"]
        ['[Which ethics board approved the study, or why none had to.]']
    """
    paths = [files] if isinstance(files, (str, Path)) else [*files]
    if not paths:
        raise InputError("files: expected saved results, got none")
    results = [path for path in paths if Path(path).suffix.lower() in (".json", ".html")]
    rest = [path for path in paths if path not in results]
    sentences = [pair for path in results for pair in _of_file(path)]
    if rest:
        sentences += _of_answers(read(rest, scheme), scheme)
    answers: dict[str, list[str]] = {code: [] for code in QUESTIONS}
    for code, text in dict.fromkeys(sentences):
        answers[code].append(text)
    return Statement({code: texts for code, texts in answers.items() if texts})


def _of_file(path: str | Path) -> list[tuple[str, str]]:
    """Say what a report, or JSON of scores, tells of its making."""
    text = decode(read_bytes(path), path).removeprefix("\ufeff")
    if Path(path).suffix.lower() == ".html":
        found = _PROVENANCE.search(text)
        text = html.unescape(found[1]) if found else ""
    try:
        result = parse_json(text)
        wrong = [key for key, kind in _KINDS.items() if not isinstance(result[key], kind)]
        if not wrong:
            return [*_of_scores(_present(result))]
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        wrong = [str(error)]
    raise InputError(
        f"{path}: expected what `textsimp score --json` or `textsimp compare --json` printed, "
        f"or a report; answers are .jsonl files; not as printed: {', '.join(wrong)}"
    )


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _of_scores(result: Mapping[str, Any]) -> Sentences:
    signatures: dict[str, str] = result["signatures"]
    made = _present(result.get("provenance", {}))
    sizes = [
        match for one in signatures.values() for match in re.findall(r"\|n?refs:([\d-]+)", one)
    ]
    examples = f"{result['examples']:,} examples"
    yield from _of_data(made, f"{examples}, with {sizes[0]} references each" if sizes else examples)
    yield "B1", "textsimp [@textsimp]."
    yield "B2", "textsimp is under the licence Apache-2.0."
    versions = {"textsimp": result["version"], "Python": made.get("python", "[version]")}
    versions |= made.get("packages", {})
    packages = ", ".join(f"{name} {version}" for name, version in versions.items())
    yield "C4", f"Scores were computed by {packages}."
    for signature in signatures.values():
        yield from _of_metric(signature)
    yield "C1", f"Scores were computed on {made.get('platform', '[platform]')}."
    yield "C1", "[Parameters, GPU hours and infrastructure of the systems that were scored.]"
    drawn = f"{result['resamples']:,}"
    yield (
        "C3",
        f"Intervals are {100 * result['confidence']:g} % percentile bootstrap intervals over "
        f"{examples} ({drawn} resamples, seed {result['seed']}).",
    )
    yield from _of_tests(result, drawn)
    runs = {
        name: len(values)
        for name, own in result.get("systems", {}).items()
        for scores in own.values()
        for key, values in scores.items()
        if key.endswith("_runs")
    }
    for name, many in runs.items():
        yield "C3", f"Scores of `{name}` are means over {many} runs, which its intervals draw, too."
    if runs:
        yield (
            "C3",
            "p-values are of these runs. Systems of several runs differ significantly only if the "
            "interval of the difference doesn't contain 0, either.",
        )
    if published := (result.get("published") or {}).get("systems"):
        yield "C3", f"Scores of published systems, {len(published):,} here, were not tested."
    yield (
        "C3",
        f"[Whether outputs{' of others' * bool(runs)} are of a single run, or the best of some.]",
    )


def _of_data(made: Mapping[str, Any], sizes: str) -> Sentences:
    """Say what is known of the test set: its creators, licence and sizes."""
    files = made.get("files", {})
    named = {part.name: (corpus, part) for corpus in testsets.CORPORA for part in corpus.test_sets}
    if files.get("test_set") in named:
        corpus, part = named[files["test_set"]]
        splits = {one.split: one.sources for one in corpus.test_sets}
        splits["training"] = corpus.training_pairs
        known = [f"{n:,} in {split}" for split, n in splits.items() if n]
        name = f"{corpus.corpus} (`{part.name}`)"
        yield "B1", f"{name} is by {corpus.paper}."
        yield "B2", f"{name}: {corpus.licence}."
        yield "B6", f"{name} has {', '.join(known) or '[sizes of its splits]'}."
    else:
        given = [files.get(role) for role in ("test_set", "data", "dataset", "sources")]
        what = next((f"`{one}`" for one in given if isinstance(one, str)), "the test set")
        yield "B1", f"[Who made {what}.]"
        yield "B2", f"[Licence or terms of {what}.]"
        yield "B6", f"[Sizes of the training and development data that belong to {what}.]"
    digests = [
        f"{one['column']} `{one['sha256'][:12]}`"
        for one in made.get("data", [])
        if one.get("system") is None
    ]
    hashed = f" SHA-256, first digits: {', '.join(digests)}." if digests else ""
    yield "B6", f"Scores are of {sizes}.{hashed}"


def _of_metric(signature: str) -> Sentences:
    """Spell a signature out, and cite the metric's papers."""
    name = signature.partition("|")[0]
    written = f"Its signature is `{signature}`."
    model = re.search(r"\|model:([^|]+)", signature)
    if model and name in catalogue.all_names():  # the model may not be here
        cls, ran = catalogue.metric_class(name), f"`{model[1]}`"
        title = cls.scores[0].title
        yield "C4", f"{title}: model {ran}. {written}"
        yield "B1", f"{title} {_cite(cls.papers)}, with {ran} [by whom]."
        yield "B2", f"[Licence of {ran}.]"
        yield "C1", f"{title} ran {ran}: [its parameters, and the hours and kind of processor.]"
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it may be of another version
            metric = catalogue.metric(signature)
    except InputError:
        yield "C4", f"[What `{name}` is and how it was set.] {written}"
        yield "B1", f"[Who made `{name}`.]"
        return
    title, about = metric.scores[0].title, metric.presets[metric.variant].about
    named = [one.name for one in metric.declared_options() if metric.in_signature(one)]
    options = "".join(f", {option} `{write_value(getattr(metric, option))}`" for option in named)
    yield "C4", f"{title}: variant `{metric.variant}` ({about}){options}. {written}"
    yield "B1", f"{title} {_cite(citations.papers(metric))}."


def _cite(papers: Sequence[str]) -> str:
    return f"[{'; '.join(f'@{key}' for key in papers)}]" if papers else "[by whom]"


def _of_tests(result: Mapping[str, Any], drawn: str) -> Sentences:
    baselines = result.get("baselines", [])
    others = [name for name in result.get("differences", {}) if name not in baselines]
    test = f"paired permutation tests ({drawn} random assignments)"
    if others:
        adjusted = ", adjusted by Holm's method" * (len(others) > 1)
        own = result.get("baseline_by_metric", {}).values()
        named = sorted({*own, *result.get("other_differences", ())})
        against = ", ".join(f"`{name}`" for name in named)
        yield "C3", f"p-values are of {test} against {against}{adjusted}."
    elif result.get("pairs"):
        yield "C3", f"p-values are of {test} of each two systems, adjusted by Holm's method."


def _of_answers(answers: Judgements, scheme: str | Path | None) -> Sentences:
    judged = (answers.frame["how"] != "").groupby(answers.frame["answer"], sort=False).first()
    for chosen, of_raters in ((~judged, _of_people), (judged, _of_judges)):
        rows = [*chosen.to_numpy().nonzero()[0]]
        if rows:
            yield from of_raters(answers.take(rows), scheme)


def _of_people(answers: Judgements, scheme: str | Path | None) -> Sentences:
    yield "D1", _ask(answers, scheme)
    yield from _of_ratings(answers, "people", "D2")
    yield from _PEOPLE.items()


def _of_judges(answers: Judgements, scheme: str | Path | None) -> Sentences:
    yield "E1", _ask(answers, scheme)
    for rater, own in answers.answers.groupby("rater"):
        asked = ", ".join(f"`{how}`" for how in sorted({*own["how"]}))
        invalid = f"{100 * (own['invalid'] != '').mean():.1f} % of its {len(own):,} answers"
        yield "E1", f"The language model `{rater}` was asked with {asked}; {invalid} are invalid."
    yield from _of_ratings(answers, "language models", "E1")
    yield "C1", "[Parameters of the language models that rated, and what their answers cost.]"
    yield "E1", "[Which AI assistants were used in research and writing.]"


def _ask(answers: Judgements, scheme: str | Path | None) -> str:
    """Say what raters were asked, if the scheme is at hand with the same wording."""
    name = answers.scheme.partition("|")[0]
    found = Scheme.load(scheme or name) if scheme or name in NAMES else None
    if found is None or str(found) != answers.scheme:
        return f"[Instructions and questions{f' of the scheme `{answers.scheme}`' * bool(name)}.]"
    asked = " ".join(f"{key}: “{one.question}”" for key, one in found.criteria.items())
    return f"Raters read (scheme `{found}`): “{found.instructions}” {asked}"


def _of_ratings(answers: Judgements, who: str, question: str) -> Sentences:
    """Say how many ratings there are, and how far raters agree."""
    found = analyse(answers)
    counts, alphas = found.counts, []
    for name, one in found.agreement.items():
        shown = "undefined" if one.raters.alpha is None else f"{one.raters.alpha:.2f}"
        if one.raters.alpha is not None and one.raters.interval:
            shown += " [{:.2f}, {:.2f}]".format(*one.raters.interval)
        alphas.append(f"{name} {shown}")
    yield (
        question,
        f"{counts['raters']:,} {who} gave {counts['ratings']:,} ratings of outputs of "
        f"{counts['systems']:,} systems for {counts['items']:,} sources.",
    )
    yield (
        "C3",
        f"Krippendorff's alpha of {who} ({100 * found.confidence:g} % intervals over outputs): "
        f"{', '.join(alphas)}; `{found.signature}`.",
    )


def _write(text: str, escape: Callable[[str], str], mark: Callable[[str], str]) -> str:
    """Escape a sentence but for its markup."""
    parts: Iterable[str] = _MARKUP.split(text)
    return "".join(mark(part) if i % 2 else escape(part) for i, part in enumerate(parts))


def _latex_markup(part: str) -> str:
    if part.startswith("`"):
        return rf"\texttt{{{tables.escape_latex(part.strip('`'))}}}"
    return rf"\citep{{{part[1:-1].replace('@', '').replace('; ', ',')}}}"
