"""Learn and score the English syllable rule; write the table of its exceptions, and the dictionary.

    pip install wordfreq pyphen
    python tools/build_syllables.py cmudict.dict

``cmudict.dict`` is the CMU Pronouncing Dictionary (BSD-style licence, kept beside the table),
https://github.com/cmusphinx/cmudict. The result does not depend on the order of its lines.

A count is right when it equals that of any of the word's pronunciations. One word in ten, by a
checksum of its letters, is held out: the rule never sees it, and is scored on it.
"""

from __future__ import annotations

import argparse
import lzma
import re
import textwrap
import zlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import numpy as np
from wordfreq import top_n_list

from textsimp.text import syllables

TABLE = Path(syllables.__file__).with_name("syllables_en.txt")
SMALLEST_GAIN = 5  # training words that a pattern must set right, less those it sets wrong
HEADER = """\
# Syllables of English words, for syllables.py; written by tools/build_syllables.py.
# Derived from the CMU Pronouncing Dictionary: see LICENSE-cmudict.txt.
# Lines with a sign: letter patterns (^ and $ are the word's ends) and what each adds to the
# number of vowel groups. Lines without: words on which that rule is wrong, and their syllables.
"""

Counts = dict[str, list[int]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cmudict", type=Path, help="the dictionary's data file, cmudict.dict")
    parser.add_argument("--score", action="store_true", help="score the table there is")
    arguments = parser.parse_args()

    dictionary = read_dictionary(arguments.cmudict)
    words = {word: counts for word, counts in dictionary.items() if word.isalpha()}
    with_apostrophe = {word: dictionary[word] for word in dictionary if word not in words}
    if not arguments.score:
        write_dictionary(arguments.cmudict)
        weights = learn({word: words[word] for word in words if not held_out(word)})
        write(weights, {})
        exceptions = wrong(words)
        write(weights, exceptions)
        write(weights, exceptions | wrong(with_apostrophe))  # "priest's" may follow from "priest"
    report(words, with_apostrophe)


def read_dictionary(path: Path, pattern: str = "[a-z]+('[a-z]+)*") -> Counts:
    """Words that match a pattern -> syllables of each pronunciation, in order."""
    counts = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        entry, *sounds = line.partition("#")[0].split()
        word = re.sub(r"\(\d+\)$", "", entry)
        if re.fullmatch(pattern, word):
            counts[word].append(sum(sound[-1].isdigit() for sound in sounds))  # stressed: a vowel
    return dict(sorted(counts.items()))


def write_dictionary(path: Path) -> None:
    """Write all words without hyphens and periods by the syllables of their first pronunciation."""
    words = defaultdict(list)
    for word, counts in read_dictionary(path, r"[\w']+").items():
        words[counts[0]].append(word)
    text = "".join(f"{count} {' '.join(words[count])}\n" for count in sorted(words))
    packed = lzma.compress(text.encode("utf-8"), preset=lzma.PRESET_EXTREME | 9)
    syllables.CMUDICT.write_bytes(packed)


def held_out(word: str) -> bool:
    return zlib.crc32(word.encode()) % 10 == 0


def learn(words: Counts) -> dict[str, int]:
    """Choose patterns one at a time, each the one that brings most words nearer to their count."""
    words = {word: counts for word, counts in words.items() if re.search("[aeiouy]", word)}
    low = np.array([min(counts) for counts in words.values()])
    high = np.array([max(counts) for counts in words.values()])
    names, starts, rows = index_patterns(words)
    guess = np.array([len(re.findall("[aeiouy]+", word)) for word in words])

    def error(guess: np.ndarray) -> np.ndarray:
        guess = np.maximum(guess, 1)
        return np.maximum(low - guess, 0) + np.maximum(guess - high, 0)

    weights: dict[str, int] = defaultdict(int)
    while True:
        now = error(guess)
        gains = {
            step: np.add.reduceat((now - error(guess + step))[rows], starts[:-1])
            for step in (1, -1)
        }
        step = max(gains, key=lambda step: gains[step].max())
        best = int(gains[step].argmax())
        if gains[step][best] < SMALLEST_GAIN:
            return {name: weight for name, weight in weights.items() if weight}
        weights[names[best]] += step
        guess[rows[starts[best] : starts[best + 1]]] += step


def index_patterns(words: Iterable[str]) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Frequent patterns, and the words that have each: ``rows[starts[i] : starts[i + 1]]``."""
    where = defaultdict(list)
    for row, word in enumerate(words):
        for pattern in syllables.patterns(word):
            where[pattern].append(row)
    names = sorted(pattern for pattern in where if len(where[pattern]) >= SMALLEST_GAIN)
    starts = np.cumsum([0] + [len(where[name]) for name in names])
    return names, starts, np.concatenate([where[name] for name in names])


def write(weights: dict[str, int], exceptions: dict[str, int]) -> None:
    entries = defaultdict(list)
    for pattern, weight in weights.items():
        entries[f"{weight:+d}"].append(pattern)
    for word, count in exceptions.items():
        entries[str(count)].append(word)
    lines = []
    for number in sorted(entries, key=lambda number: (number[0] not in "+-", int(number))):
        text = " ".join(sorted(entries[number]))
        lines += [f"{number} {line}" for line in textwrap.wrap(text, 95, break_on_hyphens=False)]
    TABLE.write_text(HEADER + "\n".join(lines) + "\n", "utf-8")
    syllables._english.cache_clear()
    syllables.count.cache_clear()


def wrong(words: Counts) -> dict[str, int]:
    """The words on which the counter is wrong, with the syllables of the first pronunciation."""
    # The dictionary gives no vowel to "hmm": a word has a syllable all the same.
    return {
        word: max(1, counts[0])
        for word, counts in words.items()
        if syllables.count(word) not in {max(1, count) for count in counts}
    }


def report(words: Counts, with_apostrophe: Counts) -> None:
    frequent = [word for word in top_n_list("en", 20_000) if word in words]
    samples = {
        "frequent, held out": [word for word in frequent if held_out(word)],
        "all, held out": [word for word in words if held_out(word)],
        "frequent": frequent,
        "all": list(words),
    }
    counters = {
        "rule alone": syllables.rule,
        "rule and table": syllables.count,
        "readability_scripts": syllables.counter("readability_scripts"),
        "easse": syllables.counter("easse"),
        "pyphen": syllables.counter("pyphen-en_US"),
    }
    weights, exceptions = syllables._english()
    print(f"{len(weights)} patterns, {len(exceptions):,} exceptions", end=", ")
    print(f"{TABLE.stat().st_size:,} bytes, rule and table with apostrophes:", end=" ")
    print(f"{share_right(syllables.count, with_apostrophe, with_apostrophe):.2%}\n")
    print("| words | number | " + " | ".join(counters) + " |")
    print("|---" * (2 + len(counters)) + "|")
    for name, sample in samples.items():
        shares = [f"{share_right(counter, sample, words):.2%}" for counter in counters.values()]
        print(f"| {name} | {len(sample):,} | " + " | ".join(shares) + " |")


def share_right(counter: Callable[[str], int], sample: Collection[str], words: Counts) -> float:
    return sum(counter(word) in words[word] for word in sample) / len(sample)


if __name__ == "__main__":
    main()
