#!/usr/bin/env bash
# Numbers from texts: 5,006 film reviews rated from 0 to 1 and 2,000 hotel reviews rated from 1 to 5, five folds each.
. "$(dirname "$0")/common.sh"

prepare ratings
for set in movies hotel; do
    baseline ratings "$work/$set"
    for response in gaussian insensitive; do
        for fold in 1 2 3 4 5; do
            "$gibbous" import "$work/$set-$fold-train.jsonl" --target rating --stopwords en --min-df 5 \
                -o "$work/train.gbc" -q --force
            measure "$set, gibbous, $response, fold $fold" "$work/train.gbc" \
                "$work/$set-$fold-test.jsonl --target rating" --response "$response" -k 50 --alpha 0.1 \
                --sweeps 100 --burn-in 40 --thin 6
        done
    done
done
