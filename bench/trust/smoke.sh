#!/usr/bin/env bash
# Run the bench of scales on a tiny corpus: smoke.sh BENCH GIBBOUS
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$2" simulate -o "$folder/corpus.gbc" --documents 50 --topics 4 --classes 3 --seed 1 -q
"$1" "$folder/corpus.gbc" 20 10 topics=4 seed=1 chains=2 prior=logistic-normal response=probit coefficient-prior=horseshoe \
    start=0.1,10 > "$folder/table.tsv"
for scale in 'observation precision' 'group means' tau lambda; do
    grep -q "^$scale" "$folder/table.tsv"
done
