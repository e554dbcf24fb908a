"""Holm's adjusted p-values, as his procedure of 1979 defines them: step by step."""


def adjusted(p_values):
    """The smallest level at which the procedure rejects each hypothesis.

    The hypotheses are ordered by p-value. The first is rejected if p <= level / m, the next if
    moreover p <= level / (m - 1), and so on; where one isn't rejected, none of those after it is.
    """
    m = len(p_values)
    order = sorted(range(m), key=lambda i: p_values[i])
    found = [0.0] * m
    for place, i in enumerate(order):
        needed = [(m - before) * p_values[order[before]] for before in range(place + 1)]
        found[i] = min(1.0, max(needed))
    return found
