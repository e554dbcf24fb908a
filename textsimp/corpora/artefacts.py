"""Artefacts: what pipelines and language models leave in texts, as data, and its removal.

    >>> clean("Sure! Here is a simpler version: The cat sat.", "The feline was seated.")
    ('The cat sat.', ['preamble'])

Ordinary prose has none of them, but for those marked ``prose``. A match counts only if the source
has none.
"""

import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from textsimp.corpora.text_faults import (
    ENCLOSING,
    END,
    find_answer,
    find_open_end,
    find_repeated,
    find_unrelated,
    find_with_source,
    find_wrapping,
)

_TEXT = r"(?:text|sentence|version|paragraph|passage|document|output|article|summary|rewrite)s?"
_SIMPLER = (
    r"(?:(?:simplif\w+|semplific\w+|vereinfach\w+|re(?:written|phrased|worded)|paraphrased)"
    rf"|(?:simpler?|easier|plain(?:er)?)(?: \w+)?? {_TEXT}"
    r"(?= (?:of|for|in|is|would|could)\b|[^\w\s]))"
)
_START = r"(?:^|[\n.!?:\"”’')\]*])\s{0,4}[*_#>\"“(\[]{0,4}"  # of a text, line or sentence
_LINE = r"(?:^|\n|\\n)[ \t]{0,8}"
_THOUGHT = r"(?:think(?:ing)?|thoughts?|reason(?:ing)?|analysis|reflection|scratchpad)"
_SURE = (
    r"(?:okay|ok|sure(?: thing)?|certainly|of course|absolutely|all ?right|great|got it|understood)"
)
_CANNOT = r"I(?: can(?:no|['’])t| can not| won['’]t|(?: am|['’]m) (?:unable|not able) to)"
_ENTITY = (
    r"(?:person|name|number|num|location|loc|place|city|country|organi[sz]ation|org|misc|date|time"
    r"|duration|money|percent|ordinal|entity|ent|event|product|url|email|phone)"
)
_compile = functools.cache(re.compile)


@dataclass(frozen=True)
class Artefact:
    """Something that is left in texts."""

    what: str  # its name in sentences
    find: Callable[[str, str], str]  # returns the first in a text with its source, or ""
    share: float = 0.01  # of outputs, above which it is a problem; 0: one makes its row worthless
    prose: bool = False  # whether prose may have it, so that references tell how often
    needs: str = ""  # in lower case, separated by |: a text that has it has one of these


def _search(pattern: str, flags: int = re.IGNORECASE) -> Callable[[str, str], str]:
    """Return a function that finds a pattern that the source lacks, or ""."""

    def find(text: str, source: str) -> str:
        search = _compile(pattern, flags).search  # when first needed, which few are
        match = search(text)
        if match is None or search(source):
            return ""
        return "" if match[0].strip().lower() in source.lower() else match[0]

    return find


ARTEFACTS: Mapping[str, Artefact] = {
    "entities": Artefact(
        "HTML entities",
        _search(r"&(?:[a-z]{2,8}|#\d{2,6}|#x[\da-f]{2,6});"),
        needs="&",
    ),
    "mojibake": Artefact(
        "characters read in a wrong encoding",
        _search("[ÂÃ][\u0080-\u00bf]|â[€\u0080]|[ÐÑ][\u0080-\u00bf][ÐÑ]|\ufffd", 0),
        needs="â|ã|ð|ñ|\ufffd",
    ),
    "unknown": Artefact(
        "placeholders of unknown words",
        _search(r"<unk>|\[UNK\]|⁇|(?<!\S)UNK(?!\S)|^\s*(?:N/A|NaN|None|null)\s*$", 0),
        needs="unk|⁇|n/a|nan|none|null",
    ),
    "pieces": Artefact(
        "pieces of words",
        _search(
            r"\S@@(?=\s|$)|(?<!\S)@@\S|(?<!\S)@[-–/.,:'\"]@(?!\S)|[▁￭￨]|(?<!\S)##\w|(?<!\S)Ġ\w", 0
        ),
        needs="@|▁|￭|￨|#|ġ",
    ),
    "separators": Artefact(
        "marks between sentences",
        _search(r"\|\|+|<:+>"),
    ),
    "anonymised": Artefact(
        "placeholders of names or numbers",
        _search(
            rf"\b{_ENTITY}@\d+\b(?!\.\w)|\b(?-i:{_ENTITY.upper()})_\d+\b|@(?:entity|ent)\d+\b"
            rf"|@(?:placeholder|card|ord)\b|\[(?-i:{_ENTITY.upper()})(?:[_ ]?\d+)?\]"
            r"|\[\*\*.*?\*\*\]"
        ),
        needs="@|_|[",
    ),
    "special": Artefact(
        "a model's special tokens",
        _search(
            r"\[(?:CLS|SEP|PAD|MASK|BOS|EOS)\]|</?s>|<(?:pad|bos|eos|mask|sep)>"
            r"|<\|\w{1,30}\|>|<extra_id_\d+>|\[/?INST\]|<</?SYS>>"
        ),
        needs="<|[",
    ),
    "tags": Artefact(
        "control tags",
        _search(r"<[A-Z][A-Z_]{2,40}_\d(?:[.,]\d+)?>", 0),
        needs="<",
    ),
    "reasoning": Artefact(
        "a model's reasoning",
        _search(rf"</?{_THOUGHT}>|◁/?think▷"),
        share=0,
        needs="<|◁",
    ),
    "refusals": Artefact(
        "refusals or questions to the user",
        _search(
            r"^\W{0,3}(?:I(?:['’]m| am)(?: \w+)? sorry\b(?! (?:for|about|to hear)\b)"
            r"|sorry, (?:but )?I\b|I apologi[sz]e\b|my apologies\b|I['’]d be (?:happy|glad) to\b"
            r"|I (?:do not|don['’]t) (?:have|see) (?:a|any|the|enough) "
            rf"(?:information|context|{_TEXT})\b"
            rf"|(?:unfortunately,? )?{_CANNOT} (?:help(?! but)|provide|answer|process|engage"
            r"|discuss|generate|respond|do (?:that|this))\b"
            r"|I can(?:no|['’])t\W{0,2}$|no changes? (?:\w+ )?(?:needed|required|necessary)\W{0,2}$"
            r"|(?:es )?tut mir leid\b|lo siento\b|je suis désolé|mi dispiace\b|desculpe\b"
            r"|het spijt me\b|很?抱歉|对不起|申し訳)"
            r"|\bas an? (?:AI|artificial intelligence|(?:large )?language model)\b"
            r"(?:\W{0,2}$|,? (?:I|my)\b|[^.!?\n]{0,60}, I\b)"
            rf"|\b{_CANNOT} (?:assist|simplify|rewrite|rephrase|fulfil|comply)"
            r"|\bplease (?:provide|share|give me|paste|send)\b[^.\n]{0,40}"
            r"\b(?:sentence|passage|paragraph|text(?: (?:you|that|to (?:be|simpl))|\W{0,2}$))"
            rf"|\b{_TEXT} is already (?:\w+ )?(?:simple|plain|easy|clear|in (?:simple|plain))\b"
            r"|\bno simplification (?:\w+ )?(?:needed|required|necessary)\b"
        ),
        share=0,
        needs="sorry|apolog|i'd |i’d |i do|i can|i won|i am|i'm|i’m|no change|tut mir leid"
        "|lo siento|je suis désol|mi dispiace|desculpe|het spijt me|抱歉|对不起|申し訳|as an ai"
        "|as a ai|artificial intelligence|language model|please|is already|no simplification",
    ),
    "prompts": Artefact(
        "words of a prompt or a chat",
        _search(
            rf"^\W{{0,4}}(?:{_SURE} here(?:['’]s| is| are)\b|{_SURE}[,.!:…]\W{{0,2}}(?:here\b"
            r"|below\b"
            r"|(?:I(?:['’]ll| will| can)|let(?:['’]s| me)) (?:simpl|rewrit|rephras|help|break))"
            rf"|here(?:['’]s| is| are)\b[^.:\n]{{0,80}}\b(?:{_TEXT}|{_SIMPLER}|attempt)\b"
            r"[^.:\n]{0,60}:|here (?:you go|it is)\W{0,2}:"
            rf"|[^:\n.]{{0,60}}\b{_SIMPLER}[^:.\n]{{0,40}}:"
            rf"|(?:the )?(?:simple|output|revised)(?: {_TEXT}){{0,2}}\W{{0,2}}:"
            rf"|(?:answer|response|input|complex|original|source|normal)(?: {_TEXT})?\W{{0,2}}:"
            r"|(?:(?:claro|por supuesto|natürlich|gerne|bien sûr|certo)\W{1,3})?"
            r"(?:hier ist|voici|aquí (?:está|tienes)|aqui está|ecco)\b[^.:\n]{0,80}:)"
        ),
        share=0,
        needs=":|here|below|i'll |i’ll |i will|i can|let's |let’s |let me",
    ),
    "echo": Artefact(
        "a prompt or another example",
        _search(
            rf"(?:{_START}|\bplease )(?:simplify|rewrite|rephrase|paraphrase|reword)"
            rf" (?:the |this )(?:following|given|above|below|(?:\w+ )?{_TEXT})\b"
            rf"|{_START}(?:complex|original|source|input|normal|sentence|text)(?: {_TEXT})?"
            r"\W{0,3}:[\s\S]{0,3000}\b(?:simpl(?:e|er|ified|ification)|output|target|answer)"
            rf"(?: {_TEXT})?\W{{0,3}}:|{_START}(?:complex|input|(?:original|source|complex|input"
            rf"|next) {_TEXT})\W{{0,3}}:"
            r"|(?:^|\n)\W{0,4}(?:user|assistant|human|system|instructions?|prompt|response|q|a)"
            rf"\W{{0,3}}:|{_START}(?:sentence|example|text) \d{{1,3}}\W{{0,2}}:"
            r"|\n\W{0,4}(?:complex|original|source|input|simplified|simple|output)"
            rf"(?: {_TEXT})?\W{{0,2}}:"
        ),
        share=0,
        needs=":|simplify|rewrite|rephrase|paraphrase|reword",
    ),
    "candidates": Artefact(
        "several candidates",
        _search(
            rf"{_START}(?:or(?:,? (?:alternatively|even simpler|more simply|simply|just))?"
            r"|alternatively|another (?:option|version|way|possibility)"
            r"|(?:option|version|candidate|alternative|variant|simplification|attempt) ?"
            r"(?:\d|[A-C]|one|two)|alternative(?: version| simplification)?)\s?[*_\"”]{0,2}:"
            r"|\n\s{0,4}or\s{0,4}\n|(?-i:[.!?][\"”]? OR [\"“A-Z])"
        ),
        share=0,
        needs=":|\n| or ",
    ),
    "notes": Artefact(
        "notes on the simplification",
        _search(
            rf"{_START}(?:note|explanation|rationale|justification|(?:key |main )?changes"
            r"(?: made)?)\W{0,3}:[^\n]{0,80}?\b(?:I|simplif\w+|original|sentences?|words?|replaced"
            r"|changed|removed)\b"
            r"|\bI(?:['’]ve| have)? (?:simplified|rephrased|reworded|paraphrased|rewrote)\b"
            r"|\bI(?:['’]ve| have)? (?:replaced|changed|removed|split|broke|shortened)\b"
            r"[^.!?]{0,60}\b(?:words?|sentences?|phrases?|terms?|language|text)\b"
            r"|\bnote that I (?:simplif|replac|chang|remov|split|kept)"
            r"|[(\[]\s?note(?: that I\b|\W{0,3}:)"
        ),
        share=0,
        needs=":|i simpl|i re|i para|i chang|i split|i broke|i short|i've |i’ve |i have |note",
    ),
    "offers": Artefact(
        "offers of a chat",
        _search(
            r"(?:\blet me know\b|\bhope (?:this|that) helps\b"
            r"|\bfeel free to (?:ask (?:me|if|for|any)|reach out|let me)\b"
            r"|\b(?:would you like|do you want) me to\b|\bis there anything else I\b"
            r"|\bif you(?:['’]d| would)? (?:like|want|need|prefer)\b[^.!?]{0,60}"
            r"\b(?:I can|I['’]ll|let me|just ask)\b)[\s\S]{0,150}$"
        ),
        share=0,
        needs="let me|hope th|feel free|would you|do you|is there any|if you",
    ),
    "fences": Artefact("code fences", _search(r"```|~~~"), share=0),
    "markup": Artefact(
        "tags or keys of markup",
        _search(
            rf"</?(?!(?:unk|s|pad|bos|eos|mask|sep|extra_id_\d+|{_THOUGHT})\b)"
            r"[a-z][a-z0-9_-]{0,30}"
            r"(?:\s[^<>]{0,60})?/?>|\[/[a-z]\w+\]"
            r"|\[(?:simpl\w+|output|answer|response|target)\]|\\boxed\{"
            r"|^\s{0,4}[{\[]\s{0,4}\"\w[^\"]{0,40}\"\s?:"
        ),
        share=0,
        needs="<|[|{|\\",
    ),
    "escapes": Artefact(
        r"escapes such as \n",
        _search(
            r"(?<!\\)\\n(?!(?:u|e|eq|abla|ot|ewline|i|mid|earrow)\b)|\\t(?=\s|[A-Z])"
            r"|\\r(?=\\n|\s|$)|\\u[0-9a-f]{4}|\\\"|_x[0-9a-f]{4}_"
        ),
        needs="\\|_x",
    ),
    "bold": Artefact(
        "Markdown's bold",
        _search(
            r"\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*|(?<![\w_])__[^\s_](?:[^_\n]*[^\s_])?__(?![\w_])"
        ),
        needs="**|__",
    ),
    "headings": Artefact(
        "Markdown's headings",
        _search(rf"{_LINE}#{{1,6}}\s+\S|(?<!\S)##+\s+(?-i:[A-Z])|(?<!\S)###+(?!\S)"),
        needs="#",
    ),
    "bullets": Artefact(
        "bullets",
        _search(
            rf"{_LINE}(?:[*+–—-]\s|[•‣◦▪●])\s*\S|[.!?:]\s+[•‣◦▪●]"
            r"|[.!?:]\s+[*-]\s+(?-i:[A-Z*]).{0,3000}[.!?:]\s+[*-]\s+(?-i:[A-Z*])"
        ),
        prose=True,
        needs="*|+|–|—|-|•|‣|◦|▪|●",
    ),
    "numbering": Artefact(
        "numbers before the text",
        _search(rf"{_LINE}(?:\d{{1,4}}[.)]|\(\d{{1,3}}\))\s+\S+"),
        prose=True,
        needs="0|1|2|3|4|5|6|7|8|9",
    ),
    "doubled": Artefact(
        "the whole source beside the output",
        find_with_source,
    ),
    "unrelated": Artefact(
        "texts about something else than the source",
        find_unrelated,
        prose=True,
    ),
    "answers": Artefact(
        "answers of up to three words",
        find_answer,
        prose=True,
    ),
    "repeated": Artefact(
        "a sentence twice",
        find_repeated,
    ),
    "glued": Artefact(
        "sentences glued together",
        _search(r"[a-z]{2}[.!?][A-Z][a-z]", 0),
        needs=".|!|?",
    ),
    "wrapped": Artefact(
        "quotation marks around the text, or one without the other",
        find_wrapping,
        prose=True,
    ),
    "cut": Artefact(
        "no final punctuation, though the source has some, as if cut off",
        find_open_end,
        prose=True,
    ),
}
"""Kind → artefact."""


def find(
    texts: Sequence[str], sources: Sequence[str], kinds: Iterable[str] = ARTEFACTS
) -> dict[str, dict[int, str]]:
    """Return kind → row → the first artefact of this kind, of the rows that have one."""
    lower = [text.lower() for text in texts]
    together = "\n".join(lower)
    written = [re.search(r"[^\W_]", text) for text in texts]  # the others are empty
    findings: dict[str, dict[int, str]] = {}
    for kind in kinds:
        needs = [part for part in ARTEFACTS[kind].needs.split("|") if part in together]
        rows = {i for part in needs for i, text in enumerate(lower) if part in text}
        hits = {i: ARTEFACTS[kind].find(texts[i], sources[i]) for i in sorted(rows) if written[i]}
        findings[kind] = {i: hit for i, hit in hits.items() if hit}
    return findings


_CLEANERS = {
    "reasoning": rf"\s*(?:(?:<({_THOUGHT})>.*?</\1>\s*)+|[^<]*</{_THOUGHT}>\s*)(?P<text>.+)",
    "code fence": r"\s*```(?:[\w-]{0,12}[ \t]*\n|(?!(?:te?xt|plain|markdown|md|json|html|xml)\b))"
    r"(?P<text>(?:(?!```).)+?)\s*```\s*",
    "preamble": rf"\W{{0,4}}(?:(?:{_SURE}\W{{1,3}})?here(?:['’]s| is)\b[^.:\n]{{0,80}}"
    rf"\b{_SIMPLER}\b[^.:\n]{{0,60}}"
    rf"|(?:the )?(?:simplified|simplification|simpler|simple|rewritten)(?: {_TEXT}){{0,2}})"
    r"\s?[*_]{0,2}:[*_]{0,2}\s*(?P<text>.+)",
}
_FLAGS = re.IGNORECASE | re.DOTALL
_MIN_PREAMBLES = 3  # outputs with the same, by more than chance
_UNSURE = ("reasoning", "refusals", "echo", "candidates", "fences", "markup")
_QUOTES = re.compile(r"[\"“”„«»`]|''")


def clean_all(texts: Sequence[str], sources: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Clean each text; a preamble that others have, too, also where the source has its words."""
    cleaned = [clean(text, source) for text, source in zip(texts, sources, strict=True)]
    preambles = Counter(
        text.partition(rest)[0].strip()
        for text, (rest, removed) in zip(texts, cleaned, strict=True)
        if removed == ["preamble"]
    )
    usual = {preamble for preamble, number in preambles.items() if number >= _MIN_PREAMBLES}
    return [clean(text, source, usual) for text, source in zip(texts, sources, strict=True)]


def clean(text: str, source: str, preambles: Collection[str] = ()) -> tuple[str, list[str]]:
    """Remove reasoning, fences, preambles, closing lines and quotation marks that the source lacks.

    Return the kinds of what was removed, too. A doubtful or empty rest leaves the text as it is.
    The ``preambles`` are removed even if the source has their words.
    """
    removed: list[str] = []
    rest = text
    while (step := _step(rest, source, removed, preambles)) is not None:
        what, rest = step
        removed.append(what)
    doubtful = any(ARTEFACTS[kind].find(rest, source) for kind in _UNSURE)
    if not removed or doubtful or not re.search(r"\w", rest):
        return text, []
    return rest, removed


def _step(
    text: str, source: str, removed: Sequence[str], preambles: Collection[str]
) -> tuple[str, str] | None:
    """Return the kind of the outermost thing to remove, and the text without it."""
    for what, rule in _CLEANERS.items():
        match = re.fullmatch(rule, text, _FLAGS)
        if match is None or what in removed or re.fullmatch(rule, source, _FLAGS):
            continue
        before = text[: match.start("text")].strip()
        words = {*re.findall(r"\w{5,}", before.lower())}
        said = words & {*re.findall(r"\w{5,}", source.lower())}
        doubtful = what == "preamble" and said and before not in preambles
        if match["text"].strip() and not doubtful:
            return what, match["text"].strip()
    before, _, last = text.rstrip().rpartition("\n")
    for kind, what in (("notes", "note"), ("offers", "offer")):
        found = ARTEFACTS[kind].find(last, source)
        first = found and not re.search(r"\w\w|[\"“‘']", last[: last.index(found)] + found[0])
        if first and what not in removed and END.match(before):
            return what, before.rstrip()
    opening, inside, closing = text.strip()[:1], text.strip()[1:-1], text.strip()[-1:]
    closed = closing in ENCLOSING.get(opening, ()) and END.match(inside)
    if closed and find_wrapping(text, source) and not _QUOTES.search(source):
        return "quotation marks", inside.strip()
    return None
