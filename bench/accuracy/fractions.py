#!/usr/bin/env python3
"""The scores in the JSON object that "gibbous evaluate --json" prints, on one line."""
import json
import sys

print("  ".join(f"{name} {value:.4f}" for name, value in json.load(sys.stdin).items() if isinstance(value, float)))
