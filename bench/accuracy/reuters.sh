#!/usr/bin/env bash
# Reuters-21578, ModApte split, the 90 topics with an example in both parts: 7,770 and 3,019 stories.
. "$(dirname "$0")/common.sh"

prepare reuters
"$gibbous" import "$work/train.jsonl" --labels labels --stopwords en --min-df 2 -o "$work/train.gbc" -q
options=(--response logistic -k 200 --alpha 0.02 --beta 0.1 --cost 64 --variance 10
    --no-intercept --sweeps 40 --burn-in 20 --thin 5)
test="$work/test.jsonl --labels labels"
linear "$work/train.gbc" "$test"
measure "gibbous, 1 chain" "$work/train.gbc" "$test" "${options[@]}"
measure "gibbous, 4 chains" "$work/train.gbc" "$test" "${options[@]}" --chains 4
