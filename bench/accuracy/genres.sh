#!/usr/bin/env bash
# First genre of 4,772 films, from the plot in a few lines and from director and companies as covariates; five folds.
. "$(dirname "$0")/common.sh"

prepare genres
baseline genres "$work"
for fold in 1 2 3 4 5; do
    for covariates in "" director:factor,companies:list; do
        inputs=(--label first_genre ${covariates:+--covariates "$covariates"})
        "$gibbous" import "$work/$fold-train.jsonl" "${inputs[@]}" --stopwords en --min-df 2 -o "$work/train.gbc" -q --force
        measure "gibbous, text${covariates:+ and covariates}, fold $fold" "$work/train.gbc" \
            "$work/$fold-test.jsonl ${inputs[*]} ${covariates:+--unknown-level reference}" \
            --response logistic -k 50 --alpha 0.1 --cost 16 --coefficient-variance 10 \
            ${covariates:+--covariates "$covariates" --min-level-count 2} --sweeps 60 --burn-in 20 --thin 5
    done
done
