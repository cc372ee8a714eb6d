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


if __name__ == "__main__":
    conditional_mean()
    class_probabilities()
    global_scale()
    log_likelihood()
