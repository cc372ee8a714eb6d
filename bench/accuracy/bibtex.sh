#!/usr/bin/env bash
# Bibtex tags: 4,880 and 2,515 entries, 1,836 words that are present or absent, 159 tags.
. "$(dirname "$0")/common.sh"

prepare bibtex
"$gibbous" import "$work/train.jsonl" --labels labels --token-pattern '\S+' -o "$work/train.gbc" -q
options=(--response logistic -k 150 --alpha 0.03 --beta 0.1 --cost 64 --variance 10
    --no-intercept --sweeps 40 --burn-in 20 --thin 5)
test="$work/test.jsonl --labels labels"
linear "$work/train.gbc" "$test"
measure "gibbous, 1 chain" "$work/train.gbc" "$test" "${options[@]}"
measure "gibbous, 4 chains" "$work/train.gbc" "$test" "${options[@]}" --chains 4
