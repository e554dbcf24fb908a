"""The rating of a judge, after Liu et al. (2023), section 3.1, equation 1, slowly."""

import math


def weighted_rating(scale, likeliest):
    """The sum of p(s) · s over a scale's digits s, over that of p(s), from (token, logprob)."""
    probability = dict.fromkeys(scale, 0.0)
    for token, logprob in likeliest:
        for digit in scale:
            if token.strip(' \n":,}') == str(digit):
                probability[digit] += math.exp(logprob)
    return sum(p * digit for digit, p in probability.items()) / sum(probability.values())
