"""Options that several metrics have, each declared once."""

from collections.abc import Callable, Sequence
from typing import Any

from textsimp.core.option import option
from textsimp.text import parts_of_speech, sentence_alignment, word_alignment
from textsimp.text.functions import Function
from textsimp.text.languages import language_reads, splitter_reads, tokenizer_reads
from textsimp.text.sentences import DEFAULT_SPLITTER, SPLITTERS, get_splitter
from textsimp.text.tokenizers import TOKENIZERS, tokenizer_name

__all__ = ["SplitterLike", "splitter"]

TOKENIZER = (
    "as in sacrebleu: `13a` or `intl` for texts with spaces between words, `zh` for Chinese, "
    "`ja-mecab` for Japanese, `ko-mecab` for Korean, `char` for characters; as in sacremoses: "
    "`moses`, `penn`; `none` to split at white space; or a function from a text to the list of its "
    "tokens. MeCab and sacremoses come with the extra `languages`"
)
SPLITTER = (
    "how texts are split into sentences: `punkt-untrained`; `punkt-all-scripts`, after `。` and "
    "the like, too; `simple-token` for tokenised text, after the tokens `.`, `!` and `?`; `lines`; "
    "of the extra `languages` `nltk-punkt-<language>`, such as `nltk-punkt-de`, NLTK's trained "
    "Punkt, and `pysbd`, for English; or a function from a text to the list of its sentences"
)

SplitterLike = str | Function
TokenizerLike = str | Function
AlignerLike = sentence_alignment.AlignerLike
WordAlignerLike = word_alignment.WordAlignerLike
PartsLike = parts_of_speech.PartsLike


def tokenizer(default: str = "13a", *, about: str = TOKENIZER, **rules: Any) -> Any:
    """Return the tokenizer option; ``rules`` are further attributes of `Option`."""
    return option(
        default,
        about=about,
        choices=TOKENIZERS,
        functions=True,
        tag="tok",
        label=tokenizer_name,
        often_unreported=True,
        for_tokens={"none": "13a"},
        reads=tokenizer_reads,
        **{"always": True, **rules},
    )


def lowercase(
    about: str = "lowercase all texts first", default: bool = True, always: bool = True
) -> Any:
    """Return the option that lowercases texts."""
    return option(
        default,
        about=about,
        tag="case",
        labels={True: "lc", False: "mixed"},
        always=always,
        often_unreported=True,
    )


def level() -> Any:
    """Return the option of the level: corpus, sentence or aligned."""
    return option(
        about="sum counts over the `corpus`; average the scores of each `sentence`; or score "
        "documents by the mean over groups of their `aligned` sentences",
        choices=("corpus", "sentence", "aligned"),
        own={"aligned": "aligned"},
    )


def word_aligner() -> Any:
    """Return the option of the word aligner."""
    return option(
        word_alignment.LEXICAL,
        about="how words are aligned: `lexical`, or a function from the words of two texts to "
        "pairs of indices",
        suggestions=(word_alignment.LEXICAL,),
        label=lambda aligner: word_alignment.get_word_aligner(aligner).name,
        always=True,
        reads=lambda aligner, texts: callable(aligner) or language_reads("en", texts),
    )


def split() -> Any:
    """Return the option that splits tokenised text into words."""
    return option(
        about="split the tokenised text on white space, or on each single `space`",
        choices=("whitespace", "space"),
        of_variants=True,
    )


def splitter(
    *,
    about: str = SPLITTER,
    names: Sequence[str] = SPLITTERS,
    label: Callable[[Any], str] = lambda s: get_splitter(s).name,
    always: bool = True,
    **rules: Any,
) -> Any:
    """Return the option of the sentence splitter; ``rules`` are attributes of `Option`."""
    return option(
        DEFAULT_SPLITTER,
        about=about,
        suggestions=names,
        label=label,
        always=always,
        often_unreported=always,
        for_tokens=dict.fromkeys(("simple-token", "stop-tokens"), DEFAULT_SPLITTER),
        reads=splitter_reads,
        **rules,
    )
