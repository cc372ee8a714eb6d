#!/usr/bin/env python3
"""Draws and what ArviZ says of them, as a C table for tests/unit/test_mixing.c.

    python3 -m venv venv && venv/bin/pip install arviz==0.23.4
    venv/bin/python bench/trust/mixing_cases.py > tests/unit/mixing_cases.h

The draws have at most six digits, so that the file holds exactly what ArviZ was given.  ArviZ has no R-hat for a single
chain; the expected one is that of its two halves by the same functions.
"""
import sys
import warnings

warnings.filterwarnings("ignore")
import arviz
import numpy as np
from arviz.stats import diagnostics as d


def ar(rng, chains, n, phi):
    x = np.empty((chains, n))
    x[:, 0] = rng.normal(size=chains)
    for i in range(1, n):
        x[:, i] = phi * x[:, i - 1] + np.sqrt(1 - phi * phi) * rng.normal(size=chains)
    return x


def cases():
    rng = np.random.default_rng(20261122)
    yield "independent normal numbers", rng.normal(size=(4, 50))
    yield "normal numbers with memory", 1000 + 3 * ar(rng, 4, 100, 0.7)
    yield "a long memory", ar(rng, 2, 150, 0.97)
    yield "neighbours that differ", ar(rng, 2, 60, -0.6)
    yield "a random walk", np.cumsum(rng.normal(size=(2, 60)), axis=1)
    yield "Cauchy numbers", rng.standard_cauchy(size=(4, 60))
    yield "one chain", ar(rng, 1, 120, 0.5)
    yield "one chain that rises", (np.arange(80) / 20 + rng.normal(size=80))[None, :]
    yield "an odd number of draws", ar(rng, 3, 51, 0.4)
    yield "chains in different places", ar(rng, 3, 40, 0.3) + np.array([[0], [0], [2]])
    yield "chains of different spread", ar(rng, 3, 40, 0.3) * np.array([[1], [1], [6]])
    yield "whole numbers with ties", rng.poisson(3, size=(4, 40))
    yield "two values", rng.integers(0, 2, size=(2, 30))
    yield "mostly zero", rng.normal(size=(2, 40)) * (rng.random(size=(2, 40)) < 0.03)
    for n in (4, 5, 6, 7, 9):
        yield f"{n} draws of two chains", rng.normal(size=(2, n))
    yield "tiny numbers", 1e-9 * rng.normal(size=(2, 30))
    yield "large numbers close together", 1e6 + 1e-3 * np.round(100 * rng.normal(size=(2, 30)))


def r_hat(x):
    halves = d._split_chains(x)
    folded = np.abs(halves - np.median(halves))
    return max(d._rhat(d._z_scale(halves)), d._rhat(d._z_scale(folded)))


def r_hat_within(x):
    """Of two halves of each chain: no function of ArviZ, but made of its ranks."""
    m = x.shape[0]
    halves = d._split_chains(x)  # all first halves, then all second ones
    aligned = halves - np.tile(np.median(np.hstack([halves[:m], halves[m:]]), axis=1), 2)[:, None]
    ratios = []
    for scores in (d._z_scale(aligned), d._z_scale(np.abs(aligned - np.median(aligned)))):
        n = scores.shape[1]
        apart = scores[:m].mean(axis=1) - scores[m:].mean(axis=1)
        ratios.append(np.sqrt((apart**2 / 2).mean() / scores.var(axis=1, ddof=1).mean() + (n - 1) / n))
    return max(ratios)


def number(x):
    return "NAN" if np.isnan(x) else repr(float(x))


def main():
    shown = list(cases())
    print("/* mixing_cases.h - draws, and what ArviZ %s says of them.  Written by bench/trust/mixing_cases.py. */" % arviz.__version__)
    print("/* clang-format off */")
    rows = []
    for i, (name, x) in enumerate(shown):
        x = np.vectorize(lambda v: float("%.9g" % v if abs(v) > 1e5 else "%.6g" % v))(np.asarray(x, dtype=float))
        text = ", ".join("%.9g" % v for v in x.ravel())
        print(f"static const double draws_{i}[] = {{")
        line = ""
        for part in text.split(", "):
            if len(line) + len(part) > 116:
                print("    " + line.rstrip())
                line = ""
            line += part + ", "
        print("    " + line.rstrip(", "))
        print("};")
        r = r_hat(x)
        if x.shape[0] > 1:
            assert r == arviz.rhat(x) or (np.isnan(r) and np.isnan(arviz.rhat(x)))
        w = r if x.shape[0] == 1 else r_hat_within(x)  # the same but for ties that rounding breaks
        row = [np.mean(x), np.std(x, ddof=1), r, w, arviz.ess(x, method="bulk"), arviz.ess(x, method="tail"),
               arviz.mcse(x, method="mean")]
        rows.append(f'    {{"{name}", {x.shape[0]}, {x.shape[1]}, draws_{i}, {{{", ".join(number(v) for v in row)}}}}},')
    print("\n/* Mean, standard deviation, R-hat, within chains, bulk and tail effective sample size, error of the mean. */")
    print("static const struct {\n    const char *name;\n    uint64_t n_chains, n_draws;\n    const double *draws;\n"
          "    double expected[7];\n} cases[] = {")
    print("\n".join(rows))
    print("};")


if __name__ == "__main__":
    sys.exit(main())
