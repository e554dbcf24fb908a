"""Answers to a reviewers' checklist from files of people's and language models' answers."""

from collections.abc import Sequence
from pathlib import Path

from textsimp.core.cells import quantity
from textsimp.extensions.people.judgements.analysis import analyse
from textsimp.extensions.people.judgements.judgements import Judgements
from textsimp.extensions.people.judgements.reading import read
from textsimp.extensions.people.judgements.schemes import NAMES, Scheme
from textsimp.report.statement import Sentences

_PEOPLE = {
    "D1": "[A screenshot of the page; disclaimers of risks, if there are any.]",
    "D2": "[How raters were recruited; what they were paid, and whether that is adequate where "
    "they live.]",
    "D3": "[How raters consented to the use of their answers.]",
    "D4": "[Which ethics board approved the study, or why none had to.]",
}


def answers(
    files: Sequence[str | Path], scheme: str | Path | None, plan: str | Path | None
) -> Sentences:
    """Describe how people and language models were asked, and how far they agree.

    Args:
        files: Files of answers.
        scheme: The scheme of the answers, if it isn't one of textsimp's.
        plan: Their plan, if there is one.

    Example:
        >>> import textsimp
        >>> found = textsimp.statement("examples/annotations/ann.jsonl", "information_errors")
        >>> found.answers["D4"]
        ['[Which ethics board approved the study, or why none had to.]']
    """
    judgements = read(files, scheme, plan=plan)
    judged = (judgements.answers["how"] != "").to_numpy()
    people, models = judgements.take(~judged), judgements.take(judged)
    if len(people):
        yield "D1", _describe_questions(people, scheme)
        yield from _describe_ratings(people, "people", "D2")
        yield from _PEOPLE.items()
    if len(models):
        yield from _describe_models(models, scheme)


def _describe_models(judgements: Judgements, scheme: str | Path | None) -> Sentences:
    yield "E1", _describe_questions(judgements, scheme)
    for rater, answers in judgements.answers.groupby("rater"):
        asked = ", ".join(f"`{how}`" for how in sorted({*answers["how"]}))
        invalid = f"{100 * (answers['invalid'] != '').mean():.1f} % of its {len(answers):,} answers"
        yield "E1", f"The language model `{rater}` was asked with {asked}; {invalid} are invalid."
    yield from _describe_ratings(judgements, "language models", "E1")
    yield "C1", "[Parameters of the language models that rated, and what their answers cost.]"
    yield "E1", "[Which AI assistants were used in research and writing.]"


def _describe_questions(judgements: Judgements, scheme: str | Path | None) -> str:
    """Say what raters were asked, if the scheme is at hand with the same wording."""
    name = judgements.scheme.partition("|")[0]
    asked = Scheme.load(scheme or name) if scheme or name in NAMES else None
    if asked is not None and str(asked) == judgements.scheme:
        criteria = asked.criteria.items()
        questions = " ".join(f"{key}: “{criterion.question}”" for key, criterion in criteria)
        return f"Raters read (scheme `{asked}`): “{asked.instructions}” {questions}"
    if name:
        return f"[Instructions and questions of the scheme `{judgements.scheme}`.]"
    return "[Instructions and questions.]"


def _describe_ratings(judgements: Judgements, raters: str, question: str) -> Sentences:
    """Say how many ratings there are, and how far raters agree."""
    analysis = analyse(judgements)
    alphas = []
    for name, agreement in analysis.agreement.items():
        alpha, interval = agreement.raters.alpha, agreement.raters.interval
        text = f"{name} undefined" if alpha is None else f"{name} {alpha:.2f}"
        if alpha is not None and interval:
            text += " [{:.2f}, {:.2f}]".format(*interval)
        alphas.append(text)
    counts = {name: quantity(n, name[:-1]) for name, n in analysis.counts.items()}
    who = f"{len(analysis.raters):,} {raters}"
    if len(analysis.raters) == 1:
        alphas = ["undefined with one rater"]
        who = "1 person" if raters == "people" else "1 language model"
    yield (
        question,
        f"{who} gave {counts['ratings']} of outputs of "
        f"{counts['systems']} for {counts['items'].replace('item', 'source')}.",
    )
    declared = sum(rater.controls for rater in analysis.raters.values())
    if declared:
        passed = sum(rater.passed for rater in analysis.raters.values())
        yield question, f"Raters passed {passed:,} of {quantity(declared, 'control')}."
    yield (
        "C3",
        f"Krippendorff's alpha of {raters} ({100 * analysis.confidence:g} % intervals over "
        f"outputs): {', '.join(alphas)}; `{analysis.signature}`.",
    )
