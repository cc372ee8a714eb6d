#!/usr/bin/env python3
"""The scores in the JSON object that "gibbous evaluate --json" prints, on one line.

    scores.py [MEMBER]    of the whole object, or of a member such as "linear"
"""
import json
import sys

scores = json.load(sys.stdin)
for member in sys.argv[1:]:
    scores = scores[member]
print("  ".join(f"{name} {value:.4f}" for name, value in scores.items() if isinstance(value, float)))
