#!/usr/bin/env python3
"""Formulas of the papers that cannot be meant as they are printed, each beside what is meant.  Needs nothing but Python.

    experiments/misprints.py
"""
import math
import random


def normal_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def conditional_mean():
    """Graph-based priors, equation 12: the mean of the groups given the documents is -Q_mm^-1 Q_mb beta.  One group of three
    documents with beta = 2, kappa = 1: Q_mm = 3, Q_mb = (-1, -1, -1)."""
    beta = [2.0, 2.0, 2.0]
    printed = sum(-1 * b for b in beta) / 3
    print(f"graph priors (12): three documents at 2; mean of their group as printed {printed:+.1f}, with the minus sign {-printed:+.1f}")


def class_probabilities(n_draws=400_000):
    """DOLDA, section 2.2 (3c): classes of the diagonal-orthant probit have the odds F(s) / (1 - F(s)), not F(s)."""
    scores = [1.0, -0.5, -1.5]
    rng = random.Random(1)
    count = [0, 0, 0]
    for _ in range(n_draws):
        positive = [rng.gauss(s, 1) > 0 for s in scores]
        if sum(positive) == 1:
            count[positive.index(True)] += 1

    def shares(values):
        return " ".join(f"{v / sum(values):.3f}" for v in values)

    odds = [normal_cdf(s) / normal_cdf(-s) for s in scores]
    print(f"DOLDA (3c): classes simulated {shares(count)}, by odds {shares(odds)}, as printed {shares([normal_cdf(s) for s in scores])}")


def global_scale(n_sweeps=400_000):
    """DOLDA, section 3.1 (3): the slice for the global scale needs 1 / tau squared, as step 4 has for the local ones.  Without data the
    two steps must leave the half-Cauchy law, whose median is 1."""
    for name, power in (("as printed", 1), ("with a square", 2)):
        rng = random.Random(1)
        gamma, taus = 1.0, []
        for _ in range(n_sweeps):
            u = rng.random() / (1 + gamma ** (power / 2))
            gamma = (1 - u) / u * rng.random() ** 2  # density gamma^(-1/2) below the bound
            taus.append(gamma ** -0.5)
        print(f"DOLDA step 3, {name}: median of tau {sorted(taus)[n_sweeps // 2]:.3f}, to be 1")


def log_likelihood():
    """DOLDA, section 3.3: the sum over s runs over all classes, so that the printed log likelihood of a label does not depend on the label."""
    scores = [1.0, -0.5, -1.5]
    terms = [normal_cdf(s) * math.prod(normal_cdf(-t) for j, t in enumerate(scores) if j != i) for i, s in enumerate(scores)]
    logs = " ".join(f"{math.log(t / sum(terms)):.3f}" for t in terms)
    print(f"DOLDA section 3.3: printed {math.log(sum(terms)):.3f} for every label; log probabilities of the three labels {logs}")


def polya_gamma():
    """gSLDA, definition 1: the sum over i needs (i - 1/2)^2, not (i - 1)^2 / 2.  The mean of PG(a, b) is a tanh(b / 2) / (2 b)."""
    a, b = 1.0, 2.0

    def mean(square):
        return a * sum(1 / (square(i) + b * b / (4 * math.pi**2)) for i in range(1, 200_000)) / (2 * math.pi**2)

    print(f"gSLDA definition 1: mean of PG(1, 2) as printed {mean(lambda i: (i - 1) ** 2 / 2):.4f}, "
          f"with (i - 1/2)^2 {mean(lambda i: (i - 0.5) ** 2):.4f}, to be {a * math.tanh(b / 2) / (2 * b):.4f}")


def time_shares():
    """gSLDA, table 1: seconds and per cent of two columns do not belong together."""
    table = {20: ((2841.67, 7.70, 1455.25), (65.80, 0.18, 34.02)), 30: ((2417.95, 10.34, 1888.78), (56.10, 0.24, 43.66)),
             40: ((2393.77, 14.66, 2476.82), (49.00, 0.30, 50.70)), 50: ((2161.09, 16.33, 2771.26), (43.67, 0.33, 56.00))}
    for k, (seconds, printed) in table.items():
        ours = " ".join(f"{100 * s / sum(seconds):.2f}" for s in seconds)
        print(f"gSLDA table 1, K = {k}: per cent of the printed seconds {ours}, printed {' '.join(f'{p:.2f}' for p in printed)}")


def document_proposal():
    """LightMedLDA, section 3.3: the probability of taking the topic of a random token is n / (n + sum of alpha), not n / (sum of
    alpha).  And a random token of the document may be the one whose topic is drawn; (19) as printed, with one set of counts for both
    directions, then has another stationary law.  One other token, at the first of two topics, alpha = 1/2, a word that is three
    times as probable in the second: both topics have the same probability."""
    alpha, other, word = 0.5, (1, 0), (1, 3)
    print(f"LightMedLDA 3.3: 100 tokens, alpha sum 6.4: probability of a token as printed {100 / 6.4:.2f}, meant {100 / 106.4:.2f}")

    def flow(start, end, own):
        """Probability of moving; own: the token itself may be picked."""
        counts = [n + (own and k == start) + alpha for k, n in enumerate(other)]
        target = (other[end] + alpha) * word[end] / (other[start] + alpha) / word[start]
        return counts[end] / sum(counts) * min(1, target * counts[start] / counts[end])

    for name, own in (("with the token itself among those picked", True), ("without it", False)):
        print(f"LightMedLDA (19), {name}: law {flow(1, 0, own) / (flow(1, 0, own) + flow(0, 1, own)):.3f}, to be 0.500")


if __name__ == "__main__":
    conditional_mean()
    class_probabilities()
    global_scale()
    log_likelihood()
    polya_gamma()
    time_shares()
    document_proposal()
