"""The annotation scheme of Devaraj et al. (2022), in our words, with examples of our own."""

from __future__ import annotations

from dataclasses import dataclass

QUESTIONS = {
    "insertion": "Does the output say something that the source doesn't?",
    "deletion": "Does the output leave out something that the source says?",
    "substitution": "Does the output say something else in place of what the source says?",
}
"""What is asked about each category."""

LEVELS = {
    0: ("none or trivial", "No, or only something trivial: what a reader takes away is the same."),
    1: ("main idea kept", "Yes, something that matters; but the main idea of the source is kept."),
    2: ("main idea lost", "Yes, and the main idea of the source is not kept."),
}
"""Level → what a button says, and what it means."""

GIBBERISH_MEANS = (
    "gibberish",
    "The output can't be read as a text: no category can be judged, so it stands for all three.",
)

RULES = (
    "Compare with the source only, not with what you know about the world.",
    "Simpler words for the same thing are no error, and neither is another order.",
    "Something left out is a deletion, something added an insertion; only where one stands for the "
    "other is it a substitution.",
    "Each category is judged by itself: an output may have errors of all three.",
)


@dataclass(frozen=True)
class Example:
    """An output for a source, its level in one category, and why."""

    level: int
    source: str
    prediction: str
    why: str


EXAMPLES = {
    "insertion": (
        Example(
            0,
            "The ferry departs at noon.",
            "The ferry, a kind of ship, leaves at noon.",
            "It explains a word and tells nothing new.",
        ),
        Example(
            0,
            "Lena teaches physics.",
            "Lena is a teacher. She teaches physics.",
            "That she is a teacher is in the source.",
        ),
        Example(
            1,
            "The ferry departs at noon.",
            "The ferry leaves at noon and carries cars.",
            "Cars are new; when it leaves is kept.",
        ),
        Example(
            1,
            "The museum reopened in May.",
            "The old museum opened again in May after repairs.",
            "Neither its age nor repairs are in the source.",
        ),
        Example(
            2,
            "The museum reopened in May.",
            "The museum opened in May. A fire destroyed it a week later.",
            "What is new is now the point.",
        ),
        Example(
            2,
            "Lena teaches physics.",
            "Lena won a prize for her book about physics.",
            "A prize and a book, and no teaching.",
        ),
    ),
    "deletion": (
        Example(
            0,
            "As a matter of fact, the bridge is 300 metres long.",
            "The bridge is 300 metres long.",
            "What went says nothing.",
        ),
        Example(
            0,
            "The river rose sharply and quickly overnight.",
            "The river rose quickly overnight.",
            "The two words say nearly the same.",
        ),
        Example(
            1,
            "The bridge, built in 1911, is 300 metres long.",
            "The bridge is 300 metres long.",
            "The year is missing; the length is kept.",
        ),
        Example(
            1,
            "The river rose overnight and flooded two villages in the valley.",
            "The river rose and flooded two villages.",
            "When and where are missing; the flood is kept.",
        ),
        Example(
            2,
            "The vaccine protects children, but it can't be stored without ice.",
            "Ice is needed to store things.",
            "Nothing of the vaccine is left.",
        ),
        Example(
            2,
            "After two years of talks the strike ended.",
            "There were talks for two years.",
            "That the strike ended was the point.",
        ),
    ),
    "substitution": (
        Example(
            0,
            "The physician examined the patient.",
            "The doctor looked at the patient.",
            "Simpler words for the same.",
        ),
        Example(
            0,
            "The town has 20,140 inhabitants.",
            "About 20,000 people live in the town.",
            "Rounded, and said so.",
        ),
        Example(
            1,
            "The physician examined the patient on Monday.",
            "The nurse examined the patient on Monday.",
            "Somebody else did it; that it was done is kept.",
        ),
        Example(
            1,
            "The town has 20,140 inhabitants and a harbour.",
            "The town has 2,140 people and a harbour.",
            "Another number in a sentence that is otherwise true.",
        ),
        Example(
            2,
            "The court rejected the appeal.",
            "The court allowed the appeal.",
            "The opposite of the source.",
        ),
        Example(
            2,
            "The comet can be seen from Chile only.",
            "The stars can be seen from everywhere.",
            "Another statement about other things.",
        ),
    ),
}
"""Category → examples, two of each level."""

GIBBERISH_EXAMPLES = (
    Example(
        -1,
        "The comet can be seen from Chile only.",
        "the the comet , , can seen the of of only only",
        "Not a sentence, and no sense can be made of it.",
    ),
    Example(
        -1,
        "The ferry departs at noon.",
        "Ferry ferry ferry a a noon is is is is",
        "Words repeat without a meaning.",
    ),
)
