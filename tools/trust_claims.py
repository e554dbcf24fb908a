"""What is said of scores and people's judgement, from the tables in docs/trust.md and its details.

`tools/trust.py` writes it, and measures the tables.
"""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping

import figures
from figures import prose

from textsimp.core.metric import Metric
from textsimp.metrics import catalogue

WORD = "trust"  # of the marks in pages

# Names in the tables ------------------------------------------------------------------------------

PAST, NEW, WIKIDA, DOCUMENTS = "SimpEval past", "SimpEval 2022", "WikiDA", "D-Wikipedia"
ERRORS = {
    "deletion": "deletion",
    "repetition": "repetition",
    "coherence": "coherence",
    "outdomain": "hallucination",
}
EASSE, PRECISION, HUB = "`sari` easse", "`sari` easse, delete=precision", "`sari` huggingface"
XU, BLEU, EDITS = "`sari` xu", "`bleu` sacrebleu", "`edit_ops` paper"
PUBLISHED = (EASSE, PRECISION, XU, HUB, BLEU)
"""What papers report, and is looked at more closely."""
BEST = "`sari` easse, multi_reference=best"
ALIGNED = "`sari` easse, level=aligned"
ALIGNED_PRECISION = f"{ALIGNED}, delete=precision"
DELETE, D_SARI, F1 = "`sari`: delete", "`d_sari` sun", "`f1_token`"
LENGTH = "`simplification_stats`: compression_ratio"
FIRST = {
    "`easse`": EASSE,
    "best reference": BEST,
    "aligned": ALIGNED,
    "BLEU": BLEU,
    "length": LENGTH,
}
"""Columns of the first page's table."""
SIMPDA, LLMS, QUESTIONS = "SimpDA 2022", "LLMs", "questions on documents"
CEILING = "ceiling"
ALPHA = "agreement of raters, α"
SYSTEM = "within a system, r"


def ranks(label: str) -> bool:
    return catalogue.metric_class(label.split("`")[1]).scores[0].better != ""


def number(value: float) -> str:
    """Two decimals, as correlations are written.

    >>> number(-0.047), number(0.999), number(-0.001)
    ('−.05', '1.00', '.00')
    """
    text = f"{abs(round(value, 9)):.2f}".removeprefix("0")
    return f"−{text}" if value < 0 and text != ".00" else text


def read_number(cell: str) -> float:
    """The first number of a cell."""
    return float(cell.split()[0].strip("*;,").replace("−", "-"))


# Claims -------------------------------------------------------------------------------------------

Tables = Mapping[str, Mapping[str, Mapping[str, str]]]  # table → row → column → cell
CLAIMS: dict[str, Callable[[Tables], str]] = {}


def claim(function: Callable[[Tables], str]) -> Callable[[Tables], str]:
    """Give a function its name in the pages."""
    CLAIMS[function.__name__.replace("_", "-")] = function
    return function


def read_tables(text: str) -> Tables:
    """The tables of the page."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for mark in figures.marked(WORD).finditer(text):
        lines = [line[2:-2].split(" | ") for line in mark[3].splitlines() if line.startswith("| ")]
        if lines:
            header, *rows = lines
            found[mark[2]] = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    return found


def read_scores(text: str) -> Tables:
    """The tables of docs/trust.csv, which have all scores: ``all-SET``."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        cell = "–"
        if row["value"]:
            cell = number(float(row["value"]))
        if row["low"]:
            cell += f" [{number(float(row['low']))}, {number(float(row['high']))}]"
        cell += "".join(f"; {part}" for part in row["note"].split("; ") if part)
        found.setdefault(f"all-{row['set']}", {}).setdefault(row["score"], {})[
            row["coefficient"]
        ] = cell
    return found


def write_scores(tables: Tables) -> str:
    """The same as CSV: a line per set, score and coefficient."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["set", "score", "coefficient", "value", "low", "high", "note"])
    for name, rows in tables.items():
        for label, cells in rows.items():
            for head, cell in cells.items():
                value, _, note = cell.partition("; ")
                numbers = [part for part in re.split(r"[ \[\],]+", value) if part not in ("", "–")]
                numbers = [f"{read_number(part):.2f}" for part in numbers]
                padding = [""] * (3 - len(numbers))
                row = [name.removeprefix("all-"), label, head, *numbers, *padding, note]
                writer.writerow(row)
    return file.getvalue()


def column(table: Mapping[str, Mapping[str, str]], name: str) -> dict[str, str]:
    """Row → cell."""
    return {label: of[name] for label, of in table.items()}


def people(name: str, tables: Tables) -> str:
    """What is known of a metric's agreement with people, in a line: its `Metric.people`."""
    cls = catalogue.metric_class(name)
    outputs = tables["outputs"]
    label = next((label for label in outputs if label.startswith(f"`{name}`")), None)
    if label is None:
        return Metric.people
    of = outputs[label]
    if not cls.scores[0].better:
        values = {read_number(cell): cell for cell in list(of.values())[1:]}
        which = f" of its {label.partition(': ')[2]}" if ":" in label else ""
        return (
            "it describes, and must not rank systems: by single outputs the correlation"
            f"{which} with people's ratings runs from {values[min(values)]} on one set to "
            f"{values[max(values)]} on another"
        )
    who = f"the variant {next(iter(cls.presets))}" if len(cls.presets) > 1 else "it"
    if cls.reads == "documents":
        return (
            f"over single documents {who} has a correlation of {of[f'{DOCUMENTS}, simplicity']} "
            f"with people's ratings of simplicity and {of[f'{DOCUMENTS}, meaning']} with those of "
            "meaning"
        )
    return (
        f"{who} has a rank correlation of {tables['systems'][label]['ρ']} with people's ratings of "
        f"22 older systems; over single outputs its correlation is {of[PAST]} on these and "
        f"{of[NEW]} on newer ones"
    )


def card(name: str) -> Callable[[Tables], str]:
    """The same for a card."""

    def text(tables: Tables) -> str:
        return prose(
            f"""**What people say**: {people(name, tables)} (95 % intervals over sources). See
            `docs/trust-details.md`, which has all metrics and variants."""
        )

    return text


CLAIMS |= {f"people-{name}": card(name) for name in catalogue.METRICS}


@claim
def readme(tables: Tables) -> str:
    rho, new = column(tables["systems"], "ρ"), column(tables["outputs"], NEW)
    place = column(tables["copying"], "copying")
    assert tables["sets"][PAST]["systems"] == "22", "README says so, and so does the page"
    assert (place[HUB], place[EASSE]) == ("1", "24")
    assert tables["copying"][EASSE]["scrambled words"] == "23"
    assert all(read_number(p) > 0.05 for p in p_of_systems(tables))
    return prose(
        f"""Neither is right. People put copying {place["people"]}th of 24 systems. The Hub's SARI
        puts it first, EASSE's last, below scrambled words. Both order 22 older systems much as
        people do: Spearman's ρ is {rho[HUB]} and {rho[EASSE]}, BLEU's {rho[BLEU]}. On outputs of
        newer systems, with one reference, r is {new[HUB]} for the Hub's, {new[EASSE]} for EASSE's
        and {new[BLEU]} for BLEU. No score here judges a single output.
        **[Which score to report](docs/trust.md)** rests on thirteen public sets of ratings."""
    )


def differences(tables: Tables) -> dict[str, Mapping[str, str]]:
    """Of what papers report."""
    return {label: tables["differences"][label] for label in PUBLISHED if label != EASSE}


def p_of_systems(tables: Tables) -> list[str]:
    return [cells["p of ρ"].replace("< ", "") for cells in differences(tables).values()]


def low(cell: str) -> float:
    """The lower bound of an interval."""
    bound = re.search(r"\[(\S+),", cell)
    return read_number(bound[1]) if bound else float("-inf")


def sentences(tables: Tables) -> list[Mapping[str, Mapping[str, str]]]:
    """All scores on the three sets of sentences."""
    names = ("all-simpeval-past", "all-simpeval-2022", "all-wikida-simplicity")
    return [tables[name] for name in names]


def steady(tables: Tables) -> list[str]:
    """Scores that may rank whose intervals by outputs lie above 0 on all sets of sentences."""
    sets = sentences(tables)
    return [
        label
        for label in sets[0]
        if ranks(label) and all(low(of[label]["outputs, r"]) > 0 for of in sets)
    ]


def bullets(*texts: str) -> str:
    return "\n".join(textwrap.indent(prose(text), "  ").replace("  ", "- ", 1) for text in texts)


@claim
def short(tables: Tables) -> str:
    systems, outputs = tables["systems"], tables["outputs"]
    within, one = sentences(tables), tables["choices"]["one reference, mean of the ten"]
    for of in (within[0], within[2]):
        assert min(PUBLISHED, key=lambda label: read_number(of[label][SYSTEM])) == EASSE
    positive = [
        label
        for label in PUBLISHED
        if all(low(outputs[label][of]) > 0 for of in (PAST, NEW, f"{WIKIDA}, simplicity"))
        and all(read_number(systems[label][of]) > 0.5 for of in list(systems[label])[3:])
    ]
    assert positive == [EASSE], "the page says that it is the only one of these"
    largest = max(read_number(of[name]) for of in outputs.values() for name in (PAST, NEW))
    place = column(tables["copying"], "copying")
    assert {HUB, BLEU} < {label for label, of in place.items() if of == "1"}
    assert place[EASSE] == "24"
    return bullets(
        """**`easse` is the only score that papers report which points the right way on these three
        sets of sentences**, by output and by system. The others are SARI with deletions by
        precision, `xu`, the Hub's, and BLEU. By system it isn't so on [sets that came
        later](#sets-that-came-later).""",
        f"""Others order the 22 older systems as well. ρ is {systems[EASSE]["ρ"]} for `easse`,
        {systems[PRECISION]["ρ"]} with deletions by precision and {systems[HUB]["ρ"]} for the Hub's.
        `xu` has {systems[XU]["ρ"]}, BLEU {systems[BLEU]["ρ"]}. Of so few systems none
        differs significantly from `easse`.""",
        f"""**By single outputs all are weak.** On SimpEval's two halves no r in the table
        below is above {number(largest)}; `easse` has {outputs[EASSE][PAST]} and
        {outputs[EASSE][NEW]}. Raters' agreement (Krippendorff's α) is {tables["sets"][PAST][ALPHA]}
        and {tables["sets"][NEW][ALPHA]}: on the newer half people themselves agree little.""",
        f"""**Signs flip** between these halves. BLEU has r {outputs[BLEU][PAST]} over older systems
        and {outputs[BLEU][NEW]} over newer ones. The share of words changed (`edit_ops`) has
        {outputs[EDITS][PAST]} and {outputs[EDITS][NEW]}. Among outputs of the same source its τ is
        {within[0][EDITS]["within a source, τ"]} and {within[1][EDITS]["within a source, τ"]}. Not
        only the systems differ: the newer half has one reference and not ten. With one, BLEU has
        {second(one[BLEU])} over the older systems, and `easse` {second(one[EASSE])}.""",
        f"""**Among outputs of one system `easse` is the weakest of these five** on the older half
        and on WikiDA. Its r is {within[0][EASSE][SYSTEM]} and {within[2][EASSE][SYSTEM]}, that of
        BLEU {within[0][BLEU][SYSTEM]} and {within[2][BLEU][SYSTEM]}.""",
        f"""People put copying the source {place["people"]}th of 24 systems. The Hub's
        SARI and BLEU put it first, `easse` puts it last.""",
    )


def simple(tables: Tables) -> dict[str, dict[str, float]]:
    """Of the first page's table: set → column → r with simplicity of sentences, or of all."""
    return {
        name: {of: read_number(cells[of]) for of in FIRST}
        for name, cells in tables["first"].items()
        if not name.endswith(("meaning", "structure")) and name != QUESTIONS
    }


@claim
def first_say(tables: Tables) -> str:
    found, rows = simple(tables), tables["first"]
    with_references = [of for of in FIRST if of != "length"]
    positive = {of: sum(values[of] > 0 for values in found.values()) for of in with_references}
    all_ways = [of for of, many in positive.items() if many == len(found)]
    assert all_ways[0] == "`easse`"
    against = [name for name, values in found.items() if values["BLEU"] < 0]
    assert positive["BLEU"] == len(found) - len(against) < len(found)
    of_sentences = {
        name: of for name, of in found.items() if DOCUMENTS not in name and "Turk" not in name
    }
    shorter = [
        name
        for name, of in of_sentences.items()
        if -of["length"] > max(abs(of[score]) for score in with_references)
    ]
    named = figures.enumerate_names(
        [f"{name.removesuffix(', simplicity')} ({rows[name]['length']})" for name in shorter]
    )
    meaning = [of for name, of in rows.items() if name.endswith("meaning")]
    longer = sum(read_number(of["length"]) > 0 for of in meaning)
    asset, turk = rows[f"{LLMS}, simplicity"], rows["structural, simplicity"]
    assert read_number(asset["BLEU"]) > 0.1 > -0.1 > read_number(turk["BLEU"])
    assert read_number(rows[NEW]["BLEU"]) < 0 < read_number(rows[PAST]["BLEU"])
    answers, long = rows[QUESTIONS], rows[f"{DOCUMENTS}, simplicity"]
    gain = tables["documents-minus"][QUESTIONS]["aligned − `easse`"]
    more = tables["documents"]
    return bullets(
        f"""**For simplicity {figures.enumerate_names(all_ways)} are positive on {len(found)} of
        {len(found)} sets**, `easse` from {span(found_cells(found))}. BLEU goes from
        {span(found_cells(found), "BLEU")}, and is positive on {positive["BLEU"]}; against it are
        {figures.enumerate_names([name.removesuffix(", simplicity") for name in against])}. For the
        structure alone `easse` has {rows["structural, structure"]["`easse`"]}. All are weak.""",
        f"""**Length alone tells more than any of these scores** on {len(shorter)} of
        {len(of_sentences)} sets of sentences, {named}: the shorter, the simpler. For meaning it
        goes the other way on {longer} of {len(meaning)} sets ({span(meaning, "length")}). Among
        LLMs a rise of `delete` or D-SARI is in good part
        [shortening](trust-details.md#length).""",
        f"""BLEU's sign isn't about how new systems are: it is {asset["BLEU"]} on LLMs with ASSET's
        references and {turk["BLEU"]} on 25 older systems with TurkCorpus's.""",
        f"""**Documents**: `aligned` is ahead of the whole's `easse` for simplicity
        ({long["aligned"]}, {long["`easse`"]}) and for questions answered (by {gain}). There
        likeness to the reference (`f1_token`, {first(more[F1][QUESTIONS])}) and length
        ({answers["length"]}) are ahead of both, and D-SARI as published has
        {first(more[D_SARI][QUESTIONS])}. For meaning, `easse` points the wrong way on
        {DOCUMENTS}.""",
    )


@claim
def by_system(tables: Tables) -> str:
    systems, places = tables["systems"], column(tables["copying"], "copying")
    of, llms = (tables[f"all-{name}-simplicity"][EASSE] for name in ("structural", "llms"))
    rho, pairs = "systems, ρ", "pairs of systems"
    assert max(read_number(of[rho]), read_number(llms[rho])) < 0
    assert {HUB, BLEU} < {label for label, place in places.items() if place == "1"}
    assert all(read_number(p) > 0.05 for p in p_of_systems(tables))
    return prose(
        f"""Over 22 older systems Spearman's ρ is {systems[EASSE]["ρ"]} for `easse` and
        {systems[BEST]["ρ"]} with the best reference. It is {systems[HUB]["ρ"]} for the Hub's and
        {systems[BLEU]["ρ"]} for BLEU. No published variant differs significantly from `easse`.
        **On other systems `easse` can be negative**: {of[rho]} on 25 systems of the structural set,
        and {llms[rho]} on four LLMs, which are few. On the structural set it puts {of[pairs]} of
        pairs in people's order, where chance is .50. People put copying {places["people"]}th of 24
        systems; the Hub's SARI and BLEU put it first, `easse` puts it last."""
    )


@claim
def later_say(tables: Tables) -> str:
    titles = {"questeval": "QuestEval", "structural": "structural"}
    titles |= {"simpda-2022": SIMPDA, "llms": LLMS}
    said = []
    for name, title in titles.items():
        of = tables[f"all-{name}-simplicity"]
        easse, best, bleu = (of[label]["outputs, r"] for label in (EASSE, BEST, BLEU))
        said.append(f"On {title} `easse` has {easse}, best reference {best}, BLEU {bleu}.")
    turk = column(tables["all-llms-turkcorpus-simplicity"], "outputs, r")
    return prose(
        f"""By output, for simplicity: {" ".join(said)} For LLMs with TurkCorpus's
        references `easse` has {turk[EASSE]}, BLEU {turk[BLEU]}."""
    )


@claim
def reliability_say(tables: Tables) -> str:
    fluency = column(tables["reliability"], "fluency")
    return prose(
        f"""Reliability of an output's mean rating, by α and the number of raters; its root is the
        ceiling on the first page. **Fluency can hardly be measured on newer outputs**:
        {SIMPDA} has {fluency[SIMPDA]}, {LLMS} {fluency[LLMS]}. A low correlation with such ratings
        says nothing of a score."""
    )


@claim
def shortening_say(tables: Tables) -> str:
    found = tables["shortening"]
    people, length, left = list(next(iter(found.values())))[1:]
    of, d_sari = (found[f"{LLMS}, {label}"] for label in (DELETE, D_SARI))
    other = found[f"{SIMPDA}, {DELETE}"]
    assert read_number(other[left]) > 0.5 * read_number(other[people])
    assert all(read_number(cells[length]) < -0.2 for cells in found.values())
    assert all(read_number(c[left]) < 0.5 * read_number(c[people]) for c in (of, d_sari))
    return prose(
        f"""Both rise where outputs are short. On LLMs `delete` has r {of[people]} with people, and
        {of[left]} among outputs of the same length; D-SARI {d_sari[people]} and {d_sari[left]}. So
        a rise of either among LLMs is in good part shortening: show length beside it. On {SIMPDA}
        more of `delete` is left: {other[left]} of {other[people]}."""
    )


@claim
def precision_say(tables: Tables) -> str:
    found, minus = tables["documents"], tables["documents-minus"]
    of = {name: column(minus, name) for name in next(iter(minus.values())) if name != "minus"}
    gain = of["aligned, precision − F1"]
    simple, meaning = f"{DOCUMENTS}, simplicity", f"{DOCUMENTS}, meaning"
    f1, precision = ({**found[label]} for label in (ALIGNED, ALIGNED_PRECISION))
    assert low(gain[meaning]) > 0 >= low(gain[simple])
    assert abs(read_number(gain[simple])) < 0.02
    injected = {
        name: read_number(precision[name]) - read_number(f1[name])
        for name in f1
        if name not in ("score", simple, meaning, QUESTIONS)
    }
    changes = figures.enumerate_names(
        [f"{name} ({f1[name]}, {precision[name]})" for name, value in injected.items() if value]
    )
    corrected = found["`d_sari` corrected"][QUESTIONS]
    assert read_number(found[D_SARI][QUESTIONS]) <= 0
    assert read_number(corrected) <= read_number(f1[QUESTIONS])
    edits = max(read_number(found[label][QUESTIONS]) for label in (EASSE, ALIGNED_PRECISION))
    assert edits < min(read_number(found[label][QUESTIONS]) for label in (F1, LENGTH))
    return prose(
        f"""Aligned minus the whole's `easse`: {of["aligned − `easse`"][simple]} for simplicity,
        {of["aligned − `easse`"][meaning]} for meaning, {of["aligned − `easse`"][QUESTIONS]} for
        questions answered. **With deletions by precision aligned goes further with meaning, and
        with simplicity no less far**. r changes by {gain[meaning]} for meaning, {gain[simple]} for
        simplicity and {gain[QUESTIONS]} for questions answered. Of pairs with errors put in it
        finds others: {changes}. It isn't the default: on sentences of newer systems
        precision is the worse choice. For questions answered plain likeness (`f1_token`) and length
        are ahead of all scores of edits. D-SARI as published is not above 0 there, and `corrected`
        not ahead of aligned."""
    )


@claim
def learned_say(tables: Tables) -> str:
    rows = tables["learned"]
    new_old, old_new = rows[f"fitted on {NEW}"][PAST], rows[f"fitted on {PAST}"][NEW]
    assert read_number(new_old) < read_number(rows[ALIGNED][PAST])
    assert read_number(old_new) < read_number(rows[ALIGNED][NEW])
    alike = rows[f"fitted on {PAST}"][WIKIDA]
    pairs = {
        (fitted, tried): read_number(value) > read_number(rows[ALIGNED][tried])
        for fitted, cells in rows.items()
        for tried, value in cells.items()
        if fitted.startswith("fitted on ") and tried in (PAST, NEW, WIKIDA) and value != "–"
    }
    ahead = [pair for pair, more in pairs.items() if more]
    assert ahead == [(f"fitted on {PAST}", WIKIDA), (f"fitted on {WIKIDA}", PAST)]
    return prose(
        f"""A ridge regression (penalty 100) of ratings on all scores here, standardised, was fitted
        on one set and tried on another. It is ahead of aligned in {len(ahead)} of {len(pairs)} such
        pairs. From new systems to old ones it has r {new_old}, where aligned has
        {rows[ALIGNED][PAST]}; from old to new {old_new}, where aligned has {rows[ALIGNED][NEW]}. It
        learns which way each score points on its own set, and these signs flip. The
        {len(ahead)} pairs are those of the two sets of older systems ({alike}, aligned
        {rows[ALIGNED][WIKIDA]}), which share systems and sources."""
    )


def found_cells(found: Mapping[str, Mapping[str, float]]) -> list[dict[str, str]]:
    return [{of: number(value) for of, value in values.items()} for values in found.values()]


@claim
def differences_say(tables: Tables) -> str:
    found = differences(tables)
    best = tables["differences"][BEST]
    assert all(low(cells["systems, ρ"]) < 0 for cells in found.values())
    assert all(read_number(p) > 0.05 for p in p_of_systems(tables))
    small = [label for label, cells in found.items() if cells["p of r"] in (".001", "< .001")]
    wide = [label for label in small if low(found[label]["outputs, r"]) < 0]
    within = [label for label, cells in found.items() if low(cells[SYSTEM]) > 0]
    assert all(read_number(cells["p within"]) < 0.01 for cells in found.values())
    return prose(
        f"""Minus `easse`, with intervals over sources *and* systems, and p-values of permutations.
        By system no difference is significant. By output {len(small)} of the {len(found)} have
        p ≈ .001, and the intervals of {len(wide)} of these hold 0: other systems may not confirm
        what is significant over 2,200 outputs of these. Look at both. Within a system all are
        ahead of `easse` by p ≈ .001, and the intervals of {" and ".join(within)} are above 0.
        Against the best reference `easse` gains {best["systems, ρ"]} by system
        (p {best["p of ρ"]}), {best["outputs, r"]} by output and {best[SYSTEM]} within a system."""
    )


GAINS = ("`easse`", "delete=precision", "`xu`", "the Hub's")


TURK = "TurkCorpus's references"


def gains(tables: Tables) -> tuple[dict[str, Mapping[str, str]], ...]:
    """Of simplicity with ASSET's references, with TurkCorpus's, and of meaning."""
    found = tables["best"]
    meaning = {name: cells for name, cells in found.items() if name.endswith("meaning")}
    simple = {name: cells for name, cells in found.items() if name not in meaning}
    turk = {name: cells for name, cells in simple.items() if TURK in name}
    asset = {name: cells for name, cells in simple.items() if name not in turk}
    assert all(read_number(cells[way]) > 0 for cells in asset.values() for way in GAINS)
    return asset, turk, meaning


def span(cells: Iterable[Mapping[str, str]], name: str = "`easse`") -> str:
    values = [read_number(of[name]) for of in cells]
    return f"{number(min(values))} to {number(max(values))}"


def levels(tables: Tables) -> dict[str, dict[str, str]]:
    """Row → number of references → score."""
    return {
        way: {n: score for n, score in row.items() if n.isdigit()}
        for way, row in tables["levels"].items()
    }


@claim
def best_say(tables: Tables) -> str:
    systems = tables["systems"]
    asset, turk, meaning = gains(tables)
    above = sum(low(cells["`easse`"]) > 0 for cells in asset.values())
    assert low(turk[f"structural, {TURK}, simplicity"]["`easse`"]) > 0
    assert read_number(turk[f"{PAST}, {TURK}"]["`easse`"]) < 0
    assert tables["copying"][BEST]["copying"] == "24"
    level = {way: " / ".join(row.values()) for way, row in levels(tables).items()}
    numbers = ", ".join(levels(tables)["`best`, corpus"])
    return "\n\n".join(
        [
            prose(
                f"""With `multi_reference="best"` SARI compares each output with the one reference
                that it does best by. With ASSET's ten references it agrees better with people's
                ratings of simplicity on all {len(asset)} sets: by {span(asset.values())} for
                `easse`, and with the other variants, too. Of its intervals {above} of {len(asset)}
                lie above 0. **With TurkCorpus's, which stay close to the source, it doesn't
                always**: {span(turk.values())}, up on the structural ratings, down on SimpEval's
                older systems. By 22 systems ρ is {systems[BEST]["ρ"]}, pooled
                {systems[EASSE]["ρ"]}; of few systems it goes either way. With meaning it is mixed,
                {span(meaning.values())}. BLEU mostly loses: {span(asset.values(), "BLEU")} with
                ASSET's references. Copying stays last of 24."""
            ),
            prose(
                f"""It was found on some of these sets, when we looked for what makes level
                `aligned` good at sentences; most of that is this maximum. So it is confirmed by its
                sign over sets, and not by one test. **Its level grows with the number of
                references**. With {numbers} of ASSET's the outputs of 22 systems have
                {level["`best`, mean of outputs"]} on average, and {level["`best`, corpus"]} by the
                corpus. Pooled they have {level["`pooled`, mean of outputs"]}. Compare such scores
                with the same number only. The default stays `pooled`, as published scores are;
                report `best` beside it."""
            ),
        ]
    )


@claim
def best_card(tables: Tables) -> str:
    outputs = tables["outputs"]
    rho = {label: tables["systems"][label]["ρ"] for label in (BEST, EASSE)}
    past, wikida = ({w: outputs[w][of] for w in rho} for of in (PAST, f"{WIKIDA}, simplicity"))
    asset, turk, meaning = gains(tables)
    level = levels(tables)["`best`, mean of outputs"]
    return bullets(
        f"""**With ASSET's ten references it goes further with people's ratings of simplicity** on
        all {len(asset)} sets: by outputs r is {past[BEST]} instead of {past[EASSE]} on SimpEval's
        older systems, {wikida[BEST]} instead of {wikida[EASSE]} on WikiDA; by 22 systems ρ is
        {rho[BEST]} instead of {rho[EASSE]}. With TurkCorpus's, which are close to the source, r
        changes by {span(turk.values())}.""",
        """It was found while looking for why level `aligned` does well on sentences, on ratings
        that had been seen. **It is confirmed by its sign over sets, not by one test.**""",
        f"""**The level grows with the number of references**: {" / ".join(level.values())} with
        {" / ".join(level)} of ASSET's (mean of the outputs of 22 systems). Compare scores only
        with the same number, which the signature names.""",
        f"""**Copying stays last**, where people don't put it. With meaning the agreement is mixed:
        r changes by {span(meaning.values())}.""",
        f"""It is for SARI: BLEU against the best reference mostly loses
        ({span(asset.values(), "BLEU")}), and isn't offered.""",
    )


@claim
def for_and_against(tables: Tables) -> str:
    systems, outputs = tables["systems"], tables["outputs"]
    others = [label for label in steady(tables) if label != EASSE]
    part = {name: f"`sari`: {name}" for name in ("add", "keep", "delete")}
    assert part["add"] in others, "the page calls it the steadiest part"
    assert not {part["keep"], part["delete"]} & {*others}
    simplicity, pairs = f"{WIKIDA}, simplicity", f"pairs, {WIKIDA}"
    past, new, wikida = sentences(tables)
    assert min(PUBLISHED, key=lambda label: read_number(systems[label][pairs])) == EASSE
    assert read_number(new[EASSE][SYSTEM]) < 0.6 * read_number(new[EASSE]["outputs, r"])
    keep, delete = outputs[part["keep"]], outputs[part["delete"]]
    assert low(keep[PAST]) > 0 > read_number(keep[NEW])
    assert low(delete[NEW]) > 0 > read_number(delete[simplicity])
    most = max(outputs, key=lambda label: read_number(outputs[label][simplicity]))
    assert most == BLEU, "the page says that it goes best with people there"
    return "\n\n".join(
        [
            prose(
                f"""**For `easse`**: r lies above 0 on each of the first three sets of sentences,
                and ρ does over systems resampled ({systems[EASSE]["ρ, systems resampled"]}). Of the
                five that papers report it is the least moved by which references there are
                ([below](#references-and-other-choices)). Intervals by output lie above 0 on these
                sets for {len(others)} other scores that rank, too; `trust.csv` has them."""
            ),
            prose(
                f"""**Against it**: r is nowhere above {outputs[EASSE][PAST]} on these. On WikiDA
                it has {outputs[EASSE][f"{WIKIDA}, simplicity"]} for simplicity and
                {outputs[EASSE][f"{WIKIDA}, meaning"]} for meaning. With deletions by precision it
                has {outputs[PRECISION][f"{WIKIDA}, simplicity"]} and
                {outputs[PRECISION][f"{WIKIDA}, meaning"]} there, and BLEU has
                {outputs[BLEU][f"{WIKIDA}, simplicity"]} and
                {outputs[BLEU][f"{WIKIDA}, meaning"]}. It orders {systems[EASSE][pairs]} of the
                pairs of systems there as people do, BLEU {systems[BLEU][pairs]}. Among outputs of
                one system it is the weakest of the five on the older systems
                ({past[EASSE][SYSTEM]}, by precision {past[PRECISION][SYSTEM]}). So it is on WikiDA
                ({wikida[EASSE][SYSTEM]}, {wikida[PRECISION][SYSTEM]}). Among those of newer ones
                it has {new[EASSE][SYSTEM]}, so that much of its r there is of systems.
                For the meaning of documents it points the wrong way
                ({outputs[EASSE][f"{DOCUMENTS}, meaning"]})."""
            ),
            prose(
                f"""**Its parts disagree.** *Add* alone has a higher ρ on the older systems than the
                whole ({systems[part["add"]]["ρ"]}) and is above 0 by output on all three
                sets. The others aren't. By output keep has {keep[PAST]} over older systems,
                {keep[NEW]} over newer ones and {keep[simplicity]} on WikiDA. Delete has
                {delete[PAST]}, {delete[NEW]} and {delete[simplicity]}."""
            ),
        ]
    )


@claim
def copying_say(tables: Tables) -> str:
    places = column(tables["copying"], "copying")
    by_people = places.pop("people")
    nearest = min(abs(int(place) - int(by_people)) for place in places.values())
    at_first = [label for label, place in places.items() if place == "1"]
    last = [label for label, place in places.items() if place == "24"]
    scrambled = column(tables["copying"], "scrambled words")
    worst = min(places, key=lambda label: int(scrambled[label]))
    return prose(
        f"""People put copying {by_people}th, scrambled words last. No score comes within
        {nearest - 1} places of people's for copying. {len(at_first)} scores put it first, and
        {len(last)} last, below scrambled words. {worst} puts scrambled words at place
        {scrambled[worst]}. Don't judge a system that mostly copies by any of them."""
    )


@claim
def choices_say(tables: Tables) -> str:
    found = tables["choices"]
    ten, turk, one, spread, often = (
        found[name]
        for name in (
            "22 systems, ten references, as above",
            "TurkCorpus's eight references",
            "one reference, mean of the ten",
            "one reference, least and most ρ",
            "one reference, how often ρ > .80",
        )
    )
    least = {label: read_number(spread[label]) for label in PUBLISHED}
    assert max(least, key=least.__getitem__) == EASSE, "the page calls it the least moved"
    assert max(PUBLISHED, key=lambda label: read_number(turk[label])) == EASSE
    names = ("`easse`", "by precision", "`xu`", "the Hub's", "BLEU")
    titles = dict(zip(PUBLISHED, names, strict=True))
    fewer = ", ".join(
        f"{t} {first(ten[label])} → {first(one[label])}" for label, t in titles.items()
    )
    other = ", ".join(f"{t} {first(turk[label])}" for label, t in titles.items())
    return prose(
        f"""This is ρ with ASSET's ten references, and its mean with one of them: {fewer}. `easse`
        doesn't lose, and is above .80 with {often[EASSE]}. TurkCorpus's references mostly keep the
        structure of the source. With them ρ is: {other}. So it depends on the references which
        variants order systems as people do, and least so for `easse`. By output all fall with one
        reference, `easse` from {second(ten[EASSE])} to {second(one[EASSE])}."""
    )


def first(cell: str) -> str:
    return cell.partition("; ")[0]


def second(cell: str) -> str:
    return cell.partition("; ")[2]


@claim
def documents_say(tables: Tables) -> str:
    outputs, pairs = tables["outputs"], tables["injected"]
    simple, meaning = f"{DOCUMENTS}, simplicity", f"{DOCUMENTS}, meaning"
    similar = "`simplification_stats`: levenshtein_similarity"
    bare = tables["all-d-wikipedia"]["`d_sari`: sari"]
    for label in (EASSE, "`d_sari` sun"):
        assert read_number(outputs[label][meaning]) < 0 < low(outputs[label][simple])
    found = ", ".join(
        f"{title} {share(pairs[EASSE][title])}" for title in ERRORS.values() if title != "coherence"
    )
    return prose(
        f"""For simplicity of documents SARI's `easse` has r {outputs[EASSE][simple]}. D-SARI as its
        authors compute it has {outputs["`d_sari` sun"][simple]}, BLEU {outputs[BLEU][simple]}. For
        meaning they have {outputs[EASSE][meaning]}, {outputs["`d_sari` sun"][meaning]} and
        {outputs[BLEU][meaning]}. Plain likeness to the source has {outputs[similar][meaning]}
        there. Without its penalties
        D-SARI has {bare["simplicity-overall"]} and {bare["meaning"]}.
        Of pairs with errors put in, `easse` prefers the better text in: {found}.
        Deletion makes texts shorter and the others make them longer. So length alone finds most
        of the better texts, and there is little to learn from them about quality."""
    )


def share(cell: str) -> str:
    return cell.partition(";")[0]


@claim
def sari_card(tables: Tables) -> str:
    rho, new = column(tables["systems"], "ρ"), column(tables["outputs"], NEW)
    place = column(tables["copying"], "copying")
    turk = tables["choices"]["TurkCorpus's eight references"]
    return prose(
        f"""People put copying {place["people"]}th of 24 systems, `easse` {place[EASSE]}th, the
        Hub's {place[HUB]}st: both are as far off. For the order of 22 older systems that do change
        something, Spearman's ρ is {rho[HUB]} by the Hub's and {rho[EASSE]} by `easse`, with ASSET's
        ten references. With TurkCorpus's it is {first(turk[HUB])} and {first(turk[EASSE])}. Over
        outputs of newer systems its correlation is {new[HUB]}, and that of `easse` {new[EASSE]}.
        All variants on all public ratings: `docs/trust-details.md`."""
    )


@claim
def sari_outputs(tables: Tables) -> str:
    outputs = tables["outputs"][EASSE]
    return prose(
        f"""Per-example SARI is for looking at outputs (sorting them, finding odd ones), not for
        judging them: its correlation with people's ratings of single outputs is {outputs[PAST]} on
        older systems and {outputs[NEW]} on newer ones."""
    )


@claim
def rewards(tables: Tables) -> str:
    past, new, wikida = (of[EASSE] for of in sentences(tables))
    within = "within a source, τ"
    assert max(read_number(of[within]) for of in (past, new, wikida)) < 0.4
    return prose(
        f"""**A score of one output says little.** Among outputs of the same source, which is what a
        trainer compares, SARI (`easse`) and people's ratings have a rank correlation (τ) of
        {past[within]} on older systems, {new[within]} on newer ones and {wikida[within]} on a third
        set; among outputs of one system, which is what a policy writes, r is {past[SYSTEM]},
        {new[SYSTEM]} and {wikida[SYSTEM]}. [trust.csv](trust.csv) has all scores."""
    )


def claims(text: str, scores: str) -> dict[str, str]:
    """Name → claim, from the tables of the page and of docs/trust.csv."""
    tables = {**read_tables(text), **read_scores(scores)}
    return {name: function(tables) for name, function in CLAIMS.items()}
