"""Artefacts: what pipelines and language models leave in texts, as data.

Ordinary prose has none of them, except those marked ``prose``. A match counts only if the source
has none.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from textsimp.text.languages import FUNCTION_WORDS

TEXT = r"(?:text|sentence|version|paragraph|passage|document|output|article|summary|rewrite)s?"
SIMPLER = (
    r"(?:(?:simplif\w+|semplific\w+|vereinfach\w+|re(?:written|phrased|worded)|paraphrased)"
    rf"|(?:simpler?|easier|plain(?:er)?)(?: \w+)?? {TEXT}"
    r"(?= (?:of|for|in|is|would|could)\b|[^\w\s]))"
)
_START = r"(?:^|[\n.!?:\"”’')\]*])\s{0,4}[*_#>\"“(\[]{0,4}"  # of a text, line or sentence
_LINE = r"(?:^|\n|\\n)[ \t]{0,8}"
THOUGHT = r"(?:think(?:ing)?|thoughts?|reason(?:ing)?|analysis|reflection|scratchpad)"
SURE = (
    r"(?:okay|ok|sure(?: thing)?|certainly|of course|absolutely|all ?right|great|got it|understood)"
)
_CANNOT = r"I(?: can(?:no|['’])t| can not| won['’]t|(?: am|['’]m) (?:unable|not able) to)"
_ENTITY = (
    r"(?:person|name|number|num|location|loc|place|city|country|organi[sz]ation|org|misc|date|time"
    r"|duration|money|percent|ordinal|entity|ent|event|product|url|email|phone)"
)
_WRITTEN = re.compile(r"[^\W_]")  # without which a text is empty


@dataclass(frozen=True)
class Artefact:
    """Something that a pipeline or language model leaves in texts."""

    what: str  # its name in sentences
    rule: str | Callable[[str, str], str]  # a pattern, or what `find` is
    share: float = 0.01  # of outputs, above which it is a problem; 0: one makes its row worthless
    prose: bool = False  # whether prose may have it, so that references tell how often
    needs: str = ""  # in lower case, separated by |: a text that has it has one of these
    cased: bool = False  # whether case matters to the pattern

    @functools.cached_property
    def find(self) -> Callable[[str, str], str]:
        """From a text and its source to the first in the text if the source has none, or ""."""
        if callable(self.rule):
            return self.rule
        # Patterns are compiled when first needed, which few are.
        search = re.compile(self.rule, 0 if self.cased else re.IGNORECASE).search

        def find(text: str, source: str) -> str:
            match = search(text)
            if match is None or search(source):
                return ""
            return "" if match[0].strip().lower() in source.lower() else match[0]

        return find


# Faults that no pattern tells --------------------------------------------------------------------

ENCLOSING = {'"': '"', "“": "”", "”": "”", "„": "“”", "«": "»", "»": "«", "‹": "›", "›": "‹"}
ENCLOSING |= {"'": "'", "‘": "’", "‚": "‘’", "`": "`", "「": "」", "『": "』"}
"""Opening quotation mark → those that may close it."""
_CLOSERS = {*"".join(ENCLOSING.values())}
_ELISION = r"(?:\d|(?:tis|twas|em|til|cause|n)\b)"
_APOSTROPHE = re.compile(rf"(?<=\w)['’](?=\w)|(?<!\S)['’](?={_ELISION})", re.IGNORECASE)
_NO_QUOTE = re.compile(r"\d\s?['\"]$|\w\s['’]$")  # inches, or a tokenised genitive


def find_wrapping(text: str, source: str) -> str:
    """Return a text in quotation marks, or with an unpaired one at either end, otherwise ""."""
    text = text.strip()
    if text[:1] not in ENCLOSING and text[-1:] not in _CLOSERS:
        return ""
    bare = re.sub(_APOSTROPHE, "", text)
    first, last, closing = bare[:1], bare[-1:], ENCLOSING.get(bare[:1], "")
    opening = {mark for mark, others in ENCLOSING.items() if last and last in others}
    around = first in opening and not {first, last} & {*bare[1:-1]}
    unclosed = closing and not {first, *closing} & {*bare[1:]}
    unopened = opening and not {last, *opening} & {*bare[:-1]} and not _NO_QUOTE.search(bare)
    alone = around or unclosed or unopened
    return text if alone and not (source and find_wrapping(source, "")) else ""


_CONTENT = re.compile(r"\d+|[A-Z]{2,}|[^\W\d_]{4,}")
_STEM, _FEW_WORDS = 5, 4  # letters; words
_MIN_SENTENCES = 10  # words of a source that is no title


def find_unrelated(text: str, source: str) -> str:
    """Return a text that shares no content word with its source, otherwise ""."""
    lower_source, word = source.lower(), ""
    for match in _CONTENT.finditer(text):
        word = match[0].lower()
        if word[:_STEM] in lower_source and word not in FUNCTION_WORDS["en"]:
            return ""
    few = not word or len(text.split()) < _FEW_WORDS or not _CONTENT.search(source)
    return "" if few else text


def find_answer(text: str, source: str) -> str:
    """Return an output of up to three words for a source that is a sentence, otherwise ""."""
    if len(text.split(maxsplit=_FEW_WORDS)) >= _FEW_WORDS or len(source.split()) < _MIN_SENTENCES:
        return ""
    return "" if re.search(r"\w\W+\w.*[.!?…。]\s*$", text) else text


_AFTER_SENTENCE = ".!? \n\"”’')"
_SENTENCE_ENDS = re.compile(r"[.!?]+[\s\"”’')]*")


def find_repeated(text: str, source: str) -> str:
    """Return a sentence that a text repeats and its source doesn't, otherwise ""."""
    rest = text.rstrip(_AFTER_SENTENCE)
    if not ("." in rest or "!" in rest or "?" in rest):
        return ""
    seen: set[str] = set()
    for sentence in _SENTENCE_ENDS.split(text):
        if sentence in seen and source.count(sentence) < 2:
            return sentence
        if len(sentence.split()) >= _FEW_WORDS:
            seen.add(sentence)
    return ""


# What ends a sentence, looked for from the end of the text backwards.
_ENDS = {*".!?…。！？।॥؟۔\"”’'`)]}»」』*|"}
END = re.compile(rf"(?s:.*)(?:[{re.escape(''.join(sorted(_ENDS)))}]|-R[RSC]B-)\s*$", re.IGNORECASE)


def find_open_end(text: str, source: str) -> str:
    """Return the end of a text that lacks its source's final punctuation, otherwise ""."""
    if text.rstrip()[-1:] in _ENDS:
        return ""
    cut = END.match(source) and not END.match(text) and not find_answer(text, source)
    return text.strip()[-30:] if cut else ""


_MIN_SOURCE, _MIN_REST = 20, 15  # characters
_MIN_OVERLAP = 0.4  # share of the words beside the source that the source has, too


def find_with_source(text: str, source: str) -> str:
    """Return what a text adds to its whole source if that repeats the source, otherwise ""."""
    single = source.isprintable() and "  " not in source  # spaces, which are then kept
    if not source or (single and text.isascii() and len(text) < len(source) + _MIN_REST - 3):
        return ""
    whole, part = (" ".join(side.lower().split()) for side in (text, source))
    if len(part) < _MIN_SOURCE or part not in whole or not END.match(source):
        return ""
    rest = whole.replace(part, " ", 1).strip()
    words, source_words = {*re.findall(r"\w+", rest)}, {*re.findall(r"\w+", part)}
    repeated = len(words & source_words) >= _MIN_OVERLAP * len(words)
    return rest if repeated and len(rest) >= _MIN_REST else ""


ARTEFACTS: Mapping[str, Artefact] = {
    "entities": Artefact("HTML entities", r"&(?:[a-z]{2,8}|#\d{2,6}|#x[\da-f]{2,6});", needs="&"),
    "mojibake": Artefact(
        "characters read in a wrong encoding",
        "[ÂÃ][\u0080-\u00bf]|â[€\u0080]|[ÐÑ][\u0080-\u00bf][ÐÑ]|\ufffd",
        cased=True,
        needs="â|ã|ð|ñ|\ufffd",
    ),
    "unknown": Artefact(
        "placeholders of unknown words",
        r"<unk>|\[UNK\]|⁇|(?<!\S)UNK(?!\S)|^\s*(?:N/A|NaN|None|null)\s*$",
        cased=True,
        needs="unk|⁇|n/a|nan|none|null",
    ),
    "pieces": Artefact(
        "pieces of words",
        r"\S@@(?=\s|$)|(?<!\S)@@\S|(?<!\S)@[-–/.,:'\"]@(?!\S)|[▁￭￨]|(?<!\S)##\w|(?<!\S)Ġ\w",
        cased=True,
        needs="@|▁|￭|￨|#|ġ",
    ),
    "separators": Artefact("marks between sentences", r"\|\|+|<:+>"),
    "anonymised": Artefact(
        "placeholders of names or numbers",
        rf"\b{_ENTITY}@\d+\b(?!\.\w)|\b(?-i:{_ENTITY.upper()})_\d+\b|@(?:entity|ent)\d+\b"
        rf"|@(?:placeholder|card|ord)\b|\[(?-i:{_ENTITY.upper()})(?:[_ ]?\d+)?\]"
        r"|\[\*\*.*?\*\*\]",
        needs="@|_|[",
    ),
    "special": Artefact(
        "a model's special tokens",
        r"\[(?:CLS|SEP|PAD|MASK|BOS|EOS)\]|</?s>|<(?:pad|bos|eos|mask|sep)>"
        r"|<\|\w{1,30}\|>|<extra_id_\d+>|\[/?INST\]|<</?SYS>>",
        needs="<|[",
    ),
    "tags": Artefact("control tags", r"<[A-Z][A-Z_]{2,40}_\d(?:[.,]\d+)?>", cased=True, needs="<"),
    "reasoning": Artefact("a model's reasoning", rf"</?{THOUGHT}>|◁/?think▷", share=0, needs="<|◁"),
    "refusals": Artefact(
        "refusals or questions to the user",
        r"^\W{0,3}(?:I(?:['’]m| am)(?: \w+)? sorry\b(?! (?:for|about|to hear)\b)"
        r"|sorry, (?:but )?I\b|I apologi[sz]e\b|my apologies\b|I['’]d be (?:happy|glad) to\b"
        r"|I (?:do not|don['’]t) (?:have|see) (?:a|any|the|enough) "
        rf"(?:information|context|{TEXT})\b"
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
        rf"|\b{TEXT} is already (?:\w+ )?(?:simple|plain|easy|clear|in (?:simple|plain))\b"
        r"|\bno simplification (?:\w+ )?(?:needed|required|necessary)\b",
        share=0,
        needs="sorry|apolog|i'd |i’d |i do|i can|i won|i am|i'm|i’m|no change|tut mir leid"
        "|lo siento|je suis désol|mi dispiace|desculpe|het spijt me|抱歉|对不起|申し訳|as an ai"
        "|as a ai|artificial intelligence|language model|please|is already|no simplification",
    ),
    "prompts": Artefact(
        "words of a prompt or a chat",
        rf"^\W{{0,4}}(?:{SURE} here(?:['’]s| is| are)\b|{SURE}[,.!:…]\W{{0,2}}(?:here\b"
        r"|below\b"
        r"|(?:I(?:['’]ll| will| can)|let(?:['’]s| me)) (?:simpl|rewrit|rephras|help|break))"
        rf"|here(?:['’]s| is| are)\b[^.:\n]{{0,80}}\b(?:{TEXT}|{SIMPLER}|attempt)\b"
        r"[^.:\n]{0,60}:|here (?:you go|it is)\W{0,2}:"
        rf"|[^:\n.]{{0,60}}\b{SIMPLER}[^:.\n]{{0,40}}:"
        rf"|(?:the )?(?:simple|output|revised)(?: {TEXT}){{0,2}}\W{{0,2}}:"
        rf"|(?:answer|response|input|complex|original|source|normal)(?: {TEXT})?\W{{0,2}}:"
        r"|(?:(?:claro|por supuesto|natürlich|gerne|bien sûr|certo)\W{1,3})?"
        r"(?:hier ist|voici|aquí (?:está|tienes)|aqui está|ecco)\b[^.:\n]{0,80}:)",
        share=0,
        needs=":|here|below|i'll |i’ll |i will|i can|let's |let’s |let me",
    ),
    "echo": Artefact(
        "a prompt or another example",
        rf"(?:{_START}|\bplease )(?:simplify|rewrite|rephrase|paraphrase|reword)"
        rf" (?:the |this )(?:following|given|above|below|(?:\w+ )?{TEXT})\b"
        rf"|{_START}(?:complex|original|source|input|normal|sentence|text)(?: {TEXT})?"
        r"\W{0,3}:[\s\S]{0,3000}\b(?:simpl(?:e|er|ified|ification)|output|target|answer)"
        rf"(?: {TEXT})?\W{{0,3}}:|{_START}(?:complex|input|(?:original|source|complex|input"
        rf"|next) {TEXT})\W{{0,3}}:"
        r"|(?:^|\n)\W{0,4}(?:user|assistant|human|system|instructions?|prompt|response|q|a)"
        rf"\W{{0,3}}:|{_START}(?:sentence|example|text) \d{{1,3}}\W{{0,2}}:"
        r"|\n\W{0,4}(?:complex|original|source|input|simplified|simple|output)"
        rf"(?: {TEXT})?\W{{0,2}}:",
        share=0,
        needs=":|simplify|rewrite|rephrase|paraphrase|reword",
    ),
    "candidates": Artefact(
        "several candidates",
        rf"{_START}(?:or(?:,? (?:alternatively|even simpler|more simply|simply|just))?"
        r"|alternatively|another (?:option|version|way|possibility)"
        r"|(?:option|version|candidate|alternative|variant|simplification|attempt) ?"
        r"(?:\d|[A-C]|one|two)|alternative(?: version| simplification)?)\s?[*_\"”]{0,2}:"
        r"|\n\s{0,4}or\s{0,4}\n|(?-i:[.!?][\"”]? OR [\"“A-Z])",
        share=0,
        needs=":|\n| or ",
    ),
    "notes": Artefact(
        "notes on the simplification",
        rf"{_START}(?:note|explanation|rationale|justification|(?:key |main )?changes"
        r"(?: made)?)\W{0,3}:[^\n]{0,80}?\b(?:I|simplif\w+|original|sentences?|words?|replaced"
        r"|changed|removed)\b"
        r"|\bI(?:['’]ve| have)? (?:simplified|rephrased|reworded|paraphrased|rewrote)\b"
        r"|\bI(?:['’]ve| have)? (?:replaced|changed|removed|split|broke|shortened)\b"
        r"[^.!?]{0,60}\b(?:words?|sentences?|phrases?|terms?|language|text)\b"
        r"|\bnote that I (?:simplif|replac|chang|remov|split|kept)"
        r"|[(\[]\s?note(?: that I\b|\W{0,3}:)",
        share=0,
        needs=":|i simpl|i re|i para|i chang|i split|i broke|i short|i've |i’ve |i have |note",
    ),
    "offers": Artefact(
        "offers of a chat",
        r"(?:\blet me know\b|\bhope (?:this|that) helps\b"
        r"|\bfeel free to (?:ask (?:me|if|for|any)|reach out|let me)\b"
        r"|\b(?:would you like|do you want) me to\b|\bis there anything else I\b"
        r"|\bif you(?:['’]d| would)? (?:like|want|need|prefer)\b[^.!?]{0,60}"
        r"\b(?:I can|I['’]ll|let me|just ask)\b)[\s\S]{0,150}$",
        share=0,
        needs="let me|hope th|feel free|would you|do you|is there any|if you",
    ),
    "fences": Artefact("code fences", r"```|~~~", share=0, needs="```|~~~"),
    "markup": Artefact(
        "tags or keys of markup",
        rf"</?(?!(?:unk|s|pad|bos|eos|mask|sep|extra_id_\d+|{THOUGHT})\b)"
        r"[a-z][a-z0-9_-]{0,30}"
        r"(?:\s[^<>]{0,60})?/?>|\[/[a-z]\w+\]"
        r"|\[(?:simpl\w+|output|answer|response|target)\]|\\boxed\{"
        r"|^\s{0,4}[{\[]\s{0,4}\"\w[^\"]{0,40}\"\s?:",
        share=0,
        needs="<|[|{|\\",
    ),
    "escapes": Artefact(
        r"escapes such as \n",
        r"(?<!\\)\\n(?!(?:u|e|eq|abla|ot|ewline|i|mid|earrow)\b)|\\t(?=\s|[A-Z])"
        r"|\\r(?=\\n|\s|$)|\\u[0-9a-f]{4}|\\\"|_x[0-9a-f]{4}_",
        needs="\\|_x",
    ),
    "bold": Artefact(
        "Markdown's bold",
        r"\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*|(?<![\w_])__[^\s_](?:[^_\n]*[^\s_])?__(?![\w_])",
        needs="**|__",
    ),
    "headings": Artefact(
        "Markdown's headings",
        rf"{_LINE}#{{1,6}}\s+\S|(?<!\S)##+\s+(?-i:[A-Z])|(?<!\S)###+(?!\S)",
        needs="#",
    ),
    "bullets": Artefact(
        "bullets",
        rf"{_LINE}(?:[*+–—-]\s|[•‣◦▪●])\s*\S|[.!?:]\s+[•‣◦▪●]"
        r"|[.!?:]\s+[*-]\s+(?-i:[A-Z*]).{0,3000}[.!?:]\s+[*-]\s+(?-i:[A-Z*])",
        prose=True,
        needs="*|+|–|—|-|•|‣|◦|▪|●",
    ),
    "numbering": Artefact(
        "numbers before the text",
        rf"{_LINE}(?:\d{{1,4}}[.)]|\(\d{{1,3}}\))\s+\S+",
        prose=True,
        needs="0|1|2|3|4|5|6|7|8|9",
    ),
    "doubled": Artefact("the whole source beside the output", find_with_source),
    "unrelated": Artefact("texts about something else than the source", find_unrelated, prose=True),
    "answers": Artefact("answers of up to three words", find_answer, prose=True),
    "repeated": Artefact("a sentence twice", find_repeated),
    "glued": Artefact(
        "sentences glued together",
        r"[a-z]{2}[.!?][A-Z][a-z]",
        cased=True,
        needs="|".join(stop + letter for stop in ".!?" for letter in ascii_lowercase),
    ),
    "wrapped": Artefact(
        "quotation marks around the text, or one without the other", find_wrapping, prose=True
    ),
    "cut": Artefact(
        "no final punctuation, though the source has some, as if cut off", find_open_end, prose=True
    ),
}
"""Kind → artefact."""


def find(
    texts: Sequence[str],
    sources: Sequence[str],
    rows_with: Callable[[Iterable[str]], Sequence[int]],
    kinds: Iterable[str] = ARTEFACTS,
) -> dict[str, dict[int, str]]:
    """Return kind → row → the first artefact of this kind; rows without one are left out.

    ``rows_with`` returns the rows whose texts, in lower case, have one of some parts.
    """
    findings: dict[str, dict[int, str]] = {}
    for kind in kinds:
        artefact = ARTEFACTS[kind]
        needs = artefact.needs and artefact.needs.split("|")
        rows = rows_with(needs) if needs else range(len(texts))
        findings[kind] = {
            i: hit
            for i in rows
            if (hit := artefact.find(texts[i], sources[i])) and _WRITTEN.search(texts[i])
        }
    return findings
