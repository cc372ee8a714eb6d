#!/usr/bin/env python3
"""Share of the coefficients of a fitted model that are close to 0.

    sparsity.py DRAWS    DRAWS: written with --draws-include eta, of a model with an intercept, which is left out

Topics of different chains do not correspond, so means are taken over the draws of one chain.  A coefficient is close
to 0 if its posterior mean is below 5 % of the largest of its class.
"""
import collections
import json
import sys

if len(sys.argv) != 2:
    sys.exit(__doc__)
chains = collections.defaultdict(list)
with open(sys.argv[1], encoding="utf-8") as lines:
    for draw in map(json.loads, lines):
        chains[draw["chain"]].append(draw["eta"])
for chain, draws in sorted(chains.items()):
    shares = []
    for outputs in zip(*draws):
        means = [sum(column) / len(draws) for column in zip(*outputs)][:-1]
        largest = max(map(abs, means))
        shares.append(sum(abs(m) < 0.05 * largest for m in means) / len(means))
    print(f"chain {chain}: {sum(shares) / len(shares):.3f} of the coefficients below 5 % of the largest of their class"
          f" (classes: {min(shares):.3f} to {max(shares):.3f})")
