"""What users see of results: keys in their order, signatures and numbers, on the example corpora.

    python -m tests.pinned            writes those that changed to tests/goldens/METRIC/pinned.json
    python -m tests.pinned NAME …     the same for some metrics only

``test_pinned.py`` compares. Versions in signatures are written as ``*``. A long list is written as
its length and two sums. NLTK's version is kept, since others split some texts into other sentences.

Any other file ``tests/goldens/METRIC/*.json`` is written by hand. It has ``from``, which says where
its numbers come from, and ``cases``, each with a ``call`` and its ``result``. The columns of a call
may be the texts themselves. A result may lack keys, and its numbers count as they are rounded.
"""

import json
import math
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

from tests.given import columns as texts_of
from tests.given import lines, names_of_text_metrics
from tests.project import EXAMPLES

GOLDENS = Path(__file__).parent / "goldens"
SYSTEMS = {
    "sentences": ("systems/splitter.txt", "systems/substituter.txt"),
    "documents": ("systems/rewriter.txt", "systems/shortener.txt"),
}
OPTIONS = {
    "sari": [
        {"per_order": True},
        {"lowercase": False},
        {"tokenizer": "intl"},
        {"tokenizer": "moses"},
        {"tokenizer": "penn"},
        {"variant": "xu", "tokenizer": "13a", "zero_division": 1},
        {"weight": 2, "delete": "precision"},
        {"multi_reference": "best"},
    ],
    "d_sari": [
        {"penalties": True},
        {"variant": "corrected", "penalties": True},
        {"splitter": "simple-token", "lowercase": False},
        {"splitter": "pysbd"},
    ],
    "fkgl_components": [
        {"tokenizer": "intl", "words": "tokens"},
        {"syllables": "easse", "rounding": "one_decimal"},
        {"sentences": 60},
        {"variant": "textstat", "aggregation": "mean"},
        {"variant": "textstat_0_7_13", "aggregation": "joined"},
    ],
    "readability": [
        {"dale_chall": True},
        {"language": "sv", "splitter": "simple-token"},
        {"variant": "textstat_0_7_13", "aggregation": "joined"},
    ],
    "edit_ops": [
        {"tokenizer": "13a"},
        {"lowercase": False},
        {"moves": "one_to_one"},
        {"moves": "paper", "path": "shortest"},
    ],
    "word_transformations": [
        {"parts": "none"},
        {"aggregate": "mean", "absent": "left_out"},
        {"variant": "easse", "gap": 5},
    ],
    "simplification_stats": [
        {"lowercase": False},
        {"tokenizer": "none"},
        {"lexical_complexity": True},
        {"lexical_complexity": True, "language": "es"},
    ],
    "word_difficulty": [{"cefr": True}, {"content_words": True}, {"language": "es"}],
    "bleu": [{"lowercase": False}, {"tokenizer": "intl", "sentence_smoothing": "exp"}],
}
"""Metric → options that are pinned beside its variants."""

PER_EXAMPLE = {"per_example": True}
SAMPLES = {"confidence": 0.9, "resamples": 50}
FILES = "-s source.txt -r references -p systems/splitter.txt -p systems/substituter.txt"
COMMANDS = (
    f"score -m sari,edit_ops {FILES} --resamples 50 --json",
    f"score -m bleu,fkgl_components {FILES} --resamples 50 --per-example --json",
    f"compare -m sari,bleu {FILES} --resamples 50 --json",
)


def calls():
    """What is pinned: every metric and variant of the installed textsimp, and some options."""
    from textsimp.metrics.catalogue import METRICS, metric_class

    chosen = {
        name: [*({"variant": v} for v in metric_class(name).presets), *OPTIONS.get(name, [])]
        for name in names_of_text_metrics()
    }
    found = [
        {"score": name, "options": options | SAMPLES, "corpus": corpus, "columns": "all"}
        for name, several in chosen.items()
        for options in several
        for corpus in SYSTEMS
        if corpus == metric_class(name).reads or options == several[0]
    ]
    found += [
        {"score": name, "options": PER_EXAMPLE, "corpus": metric_class(name).reads, "columns": kind}
        for name in chosen
        for kind in ("all", "required")
    ]
    found += [
        {"compute": name, "options": options, "corpus": metric_class(name).reads}
        for name in METRICS
        if name in chosen
        for options in (PER_EXAMPLE | SAMPLES, {"signature": False, "lists": False})
    ]
    found += [{"compare": name, "corpus": metric_class(name).reads} for name in chosen]
    found += [{"compare": ["sari", "bleu"], "corpus": "sentences"}]
    found += [{"train": [name]} for name in chosen] + [{"train": [*chosen]}]
    return found + [{"command": command} for command in COMMANDS]


def result(call):
    """What a call returns, as it is pinned."""
    import textsimp
    from textsimp.metrics.catalogue import metric_class

    if "command" in call:
        done = subprocess.run(
            [sys.executable, "-m", "textsimp", *call["command"].split()],
            cwd=EXAMPLES,
            capture_output=True,
            text=True,
            check=True,
        )
        report = json.loads(done.stdout)
        report["provenance"] = [*report["provenance"]]  # its values are this machine's
        return brief(report)
    if isinstance(call.get("columns"), dict):
        configured, options = metric_class(call["score"]).configure(call["options"])
        return brief(configured.score(**call["columns"], **options))
    given = columns(call.get("corpus", "sentences"))
    systems = given.pop("systems")
    first = next(iter(systems.values()))
    if "train" in call:
        return brief(trained(call["train"], given, first))
    if isinstance(call.get("compare"), list):
        return brief(textsimp.compare(systems, **given, metric=call["compare"], **SAMPLES))
    metric = metric_class(next(iter(call.values())))
    required = call.get("columns") == "required"
    names = [column.name for column in metric.columns if column.required or not required]
    given = {name: column for name, column in given.items() if name in names}
    if "compare" in call:
        found = textsimp.compare(systems, **given, metric=metric.name, **SAMPLES)
        return brief(found[metric.name])
    given["predictions"] = first
    if "compute" in call:
        return brief(textsimp.load(metric.name).compute(**given, **call["options"]))
    configured, options = metric.configure(call["options"])
    return brief(configured.score(**given, **options))


def columns(corpus):
    """An example corpus, and its systems."""
    folder = "" if corpus == "sentences" else corpus
    systems = {Path(path).stem: lines(Path(folder, path)) for path in SYSTEMS[corpus]}
    return {**texts_of(folder), "systems": systems}


class Lines:
    """A tokenizer whose ids are numbers of texts, for what the trainer hands over."""

    pad_token_id = 0
    eos_token_id = 1

    def __init__(self):
        self.texts = ["", ""]

    def ids(self, texts):
        import numpy as np

        self.texts += texts
        return np.arange(len(self.texts) - len(texts), len(self.texts))[:, None]

    def batch_decode(self, ids, skip_special_tokens):
        return [self.texts[row[0]] for row in ids]


def trained(metrics, given, predictions):
    """What the Trainer logs, with all references."""
    from textsimp.trainer import make_compute_metrics

    tokenizer = Lines()
    compute = make_compute_metrics(tokenizer, metrics, **given)
    ids = [
        tokenizer.ids(texts)
        for texts in (predictions, [row[0] for row in given["references"]], given["sources"])
    ]
    evaluated = SimpleNamespace(predictions=ids[0], label_ids=ids[1], inputs=ids[2])
    return {**compute(evaluated), "signatures": compute.signatures}


VERSION = re.compile(r"(?<=[|]v:)\d+\.\d+[.\w]*|(?<=version:)\d+\.\d+[.\w]*|(?<=-)\d+\.\d+[.\w]*")


def brief(found):
    """Plain data with ``*`` for versions, and long lists in brief."""
    if isinstance(found, str):
        return VERSION.sub("*", found)
    if isinstance(found, (list, tuple)):
        return in_brief(list(found)) if len(found) > 10 else [brief(item) for item in found]
    if hasattr(found, "keys"):
        return {key: brief(found[key]) for key in found}
    assert found is None or isinstance(found, (bool, int, float)), found
    return found


def in_brief(rows):
    """The length of a list, and two sums of its numbers, of texts those of their characters.

    The second sum tells an order from another.
    """
    numbers = [float(number) for row in rows for number in flat(row)]
    ordered = [(place % 7 + 1) * number for place, number in enumerate(numbers)]
    kinds = sorted({type(value).__name__ for value in rows})
    return [f"{len(rows)} {' '.join(kinds)}", math.fsum(numbers), math.fsum(ordered)]


def flat(value):
    if isinstance(value, str):
        return [ord(char) for char in value] + [len(value)]
    if isinstance(value, (list, tuple)):
        return [number for item in value for number in flat(item)]
    return [-1 if math.isnan(value) else value]


def differences(result, expected, where="", *, numbers=True):
    """Where two results differ, and how; without ``numbers`` only in keys, kinds and texts."""
    if type(result) is not type(expected):
        yield f"{where}: {expected!r} became {result!r}"
    elif isinstance(expected, dict):
        if list(result) != list(expected):
            yield f"{where}: keys {list(expected)} became {list(result)}"
        for key in expected.keys() & result.keys():
            yield from differences(result[key], expected[key], f"{where}.{key}", numbers=numbers)
    elif isinstance(expected, list):
        if len(result) != len(expected):
            yield f"{where}: {len(expected)} items became {len(result)}"
        for place, pair in enumerate(zip(result, expected, strict=False)):
            yield from differences(*pair, f"{where}[{place}]", numbers=numbers)
    elif isinstance(expected, (int, float)):
        if numbers and not math.isclose(result, expected, rel_tol=1e-12, abs_tol=1e-12):
            yield f"{where}: {expected!r} became {result!r}"
    elif result != expected:
        yield f"{where}: {expected!r} became {result!r}"


def rounded(number, shown):
    """A number, or numbers, with the decimals of those that a golden shows."""
    if isinstance(shown, list):
        return [rounded(*pair) for pair in zip(number, shown, strict=True)]
    if not isinstance(shown, float):
        return number
    return round(number, len(repr(shown).partition(".")[2]))


def named(call):
    """A call in a line, for the names of tests."""
    return " ".join(str(value) for value in call.values() if not isinstance(value, dict))


def updated(result, old):
    """A new result, with the old one's values where they differ in their last digits only."""
    if isinstance(result, dict) and isinstance(old, dict):
        return {key: updated(value, old.get(key)) for key, value in result.items()}
    return result if list(differences(result, old)) else old


def folder(call):
    """The metric that a call is of, or ``several``."""
    names = next(iter(call.values()))
    names = [names] if isinstance(names, str) and "command" not in call else names
    return names[0] if isinstance(names, list) and len(names) == 1 else "several"


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def main(names):
    """Compute what is pinned of all metrics, or of some and of several, and write what changed."""
    by_folder = {}
    for call in calls():
        by_folder.setdefault(folder(call), []).append(call)
    for home, own in by_folder.items():
        if names and home not in (*names, "several"):
            continue
        path = GOLDENS / home / "pinned.json"
        before = read(path)["cases"] if path.exists() else []
        old = {json.dumps(case["call"]): case["result"] for case in before}
        logged = [case["result"] for case in before if "train" in case["call"]]
        lines = []
        for call in own:
            key = json.dumps(call)
            last = logged[0] if logged and "train" in call else old.get(key)
            found = updated(result(call), last)
            lines.append(f'{{"call": {key},\n "result": {json.dumps(found)}}}')
        entries = ",\n".join(lines)
        nltk = version("nltk")
        text = f'{{"from": "tests/pinned.py", "nltk": "{nltk}", "cases": [\n{entries}\n]}}\n'
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(GOLDENS.parents[1]).as_posix()}")


if __name__ == "__main__":
    main(sys.argv[1:])
