#!/usr/bin/env bash
# The linear model of evaluate --baseline-on, on the word counts of 20 Newsgroups (GIBBOUS_DATA/20news).
#
#   linear.sh GIBBOUS LEAST MOST
#
#   LEAST, MOST  the range for the accuracy on the test part.  LinearSVC of scikit-learn has 0.830 with C = 0.3 and 0.827 with
#                C = 1 on the same vectors; which C is taken depends on a random fifth of the training part
# Exit status 77, "skipped", without the data.
set -eu
gibbous=$1 least=$2 most=$3
data=${GIBBOUS_DATA-}/20news
if [ ! -d "$data" ]; then
    echo "skipped: GIBBOUS_DATA names no folder with 20news/bow"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for part in train test; do
    zcat "$data/bow/$part.data.gz" >"$work/$part.data"
    zcat "$data/bow/$part.label.gz" >"$work/$part.label"
done
words=(--format uci --vocabulary "$data/bow/vocabulary.txt.gz" --label '#1')
"$gibbous" import "$work/train.data" "${words[@]}" --metadata "$work/train.label" \
    --stopwords "$data/stopwords_en.txt" -o "$work/train.gbc" -q
"$gibbous" train "$work/train.gbc" -m "$work/model.gibbous" -k 2 --sweeps 1 --seed 1 -q
"$gibbous" evaluate "$work/test.data" "${words[@]}" --metadata "$work/test.label" -m "$work/model.gibbous" \
    --baseline-on "$work/train.gbc" --threads 1 -q --json | sed 's/.*"linear":.*"accuracy": *\([0-9.]*\).*/\1/' |
    awk -v least="$least" -v most="$most" '
        { printf "accuracy %.4f, expected from %s to %s\n", $1, least, most; exit !($1 >= least && $1 <= most) }'
