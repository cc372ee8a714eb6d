#!/usr/bin/env bash
# First genre of 4,772 films with a probit response: plot alone; plot, director and companies with a normal prior; the
# same with a horseshoe, and the share of its coefficients that are close to 0.  Five folds.
. "$(dirname "$0")/common.sh"

prepare genres
baseline "$work"
covariates=director:factor,companies:list
text=(--label first_genre)
both=("${text[@]}" --covariates "$covariates")
probit=(--response probit -k 50 --alpha 0.1 --beta 0.1 --intercept --sweeps 100 --burn-in 40 --thin 6 --chains 3)
levels=(--covariates "$covariates" --impute mean --min-level-count 5)

corpus() {
    "$gibbous" import "$work/$fold-train.jsonl" "$@" --stopwords en --min-df 2 -o "$work/train.gbc" -q --force
}

for fold in 1 2 3 4 5; do
    test=$work/$fold-test.jsonl
    corpus "${text[@]}"
    measure "text, normal, fold $fold" "$work/train.gbc" "$test ${text[*]}" "${probit[@]}" --variance 10
    corpus "${both[@]}"
    test="$test ${both[*]} --impute mean --unknown-level reference"
    measure "text and covariates, normal, fold $fold" "$work/train.gbc" "$test" "${probit[@]}" "${levels[@]}" \
        --variance topics=10,covariates=0.1
    measure "text and covariates, horseshoe, fold $fold" "$work/train.gbc" "$test" "${probit[@]}" "${levels[@]}" \
        --coefficient-prior horseshoe --draws "$work/draws" --draws-include eta --force
    python3 "$here/sparsity.py" "$work/draws"
done
