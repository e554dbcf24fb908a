"""Texts matched with sources by their rare words, with sets of words, line by line."""

from collections import Counter, defaultdict
from itertools import groupby

SWITCH_COST, MIN_GAP = 2.5, 0.2


def match(sources, column):
    """Stretches of lines that match other sources, and lines exchanged; all given as sets."""
    having, first = defaultdict(set), [sources.index(words) for words in sources]
    for i, words in enumerate(sources):
        for word in words:
            having[word].add(first[i])
    rare = {word: lines for word, lines in having.items() if len(lines) <= 4}
    shared = [Counter(j for word in words & {*rare} for j in rare[word]) for words in column]
    near = [Counter({j: own[f] for j, f in enumerate(first) if own[f]}) for own in shared]
    elsewhere = [(i, lines) for i, lines in enumerate(near) if i not in lines]
    runs = [[line for line, _ in run] for _, run in groupby(enumerate(first), lambda x: x[1])]
    voted = [
        [j - i for j in run]
        for i, lines in elsewhere
        for f in {first[j] for j in lines}
        for run in next_runs([run for run in runs if first[run[0]] == f], i)
    ]
    votes = Counter(offset for own in voted for offset in own)
    ends = {min(own, key=abs) for own in voted}
    best = sorted(ends, key=lambda offset: (-votes[offset], abs(offset), offset))[:8]
    offsets = [offset for offset in best if votes[offset] >= 3]
    stretches = [
        (start, stop, prefer_near(near, start, stop, offset, offsets))
        for start, stop, offset in (follow(near, [0, *offsets]) if offsets else ())
        if sum(i + offset in near[i] for i in range(start, stop))
        >= 0.4 * sum(map(bool, near[start:stop]))
    ]
    return stretches, find_exchanged(sources, column, near)


def next_runs(runs, i):
    """The last run of lines before line i, and the first behind it."""
    before, after = [run for run in runs if run[0] < i], [run for run in runs if run[0] > i]
    return before[-1:] + after[:1]


def prefer_near(near, start, stop, offset, offsets):
    """The offset, or one of less than 8 lines that as many lines support, but for the cost."""

    def gain(shift):
        return sum(
            near[i][i + shift] / max(near[i].values(), default=1) for i in range(start, stop)
        )

    if abs(offset) < 8:
        return offset
    others = [x for x in offsets if abs(x) < 8 and gain(x) >= gain(offset) - SWITCH_COST]
    return min(others, key=abs, default=offset)


def follow(near, offsets):
    """The stretches of the best path through the offsets, whose changes cost."""
    scores = [0.0, *(-SWITCH_COST for _ in offsets[1:])]
    came = []
    for i, lines in enumerate(near):
        best = max(range(len(offsets)), key=scores.__getitem__)
        floor = scores[best] - SWITCH_COST
        came.append([k if score >= floor else best for k, score in enumerate(scores)])
        most = max(lines.values(), default=1)
        gained = [lines[i + offset] / most for offset in offsets]
        scores = [max(score, floor) + more for score, more in zip(scores, gained, strict=True)]
    state = max(range(len(offsets)), key=scores.__getitem__)
    path = []
    for steps in reversed(came):
        path.append(state)
        state = steps[state]
    stretches, start = [], 0
    for state, run in groupby(reversed(path)):
        stop = start + len([*run])
        if offsets[state]:
            stretches.append((start, stop, offsets[state]))
        start = stop
    return stretches


def find_exchanged(sources, column, near):
    """Lines that are nearer to another source, whose line is nearer to another, too."""

    def overlap(words, i):
        return 2 * len(words & sources[i]) / (len(words) + len(sources[i]))

    away = {}
    for i, lines in enumerate(near):
        most = max(lines.values(), default=0)
        j = min((j for j, number in lines.items() if number == most), default=i)
        if sources[j] != sources[i] and overlap(column[i], j) - overlap(column[i], i) > MIN_GAP:
            away[i] = j
    first = [sources.index(words) for words in sources]
    left, times, claims = {first[i] for i in away}, Counter(first), Counter(away.values())
    return [i for i, j in away.items() if j in left and claims[j] <= times[j]]
