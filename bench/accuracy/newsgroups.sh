#!/usr/bin/env bash
# 20 Newsgroups, word counts of the "bydate" version: 11,269 and 7,505 posts, 20 classes.
. "$(dirname "$0")/common.sh"

prepare newsgroups
vocabulary=$data/20news/bow/vocabulary.txt.gz stopwords=$data/20news/stopwords_en.txt
"$gibbous" import "$work/train.data" --format uci --vocabulary "$vocabulary" --stopwords "$stopwords" \
    --label '#1' --metadata "$work/train.label" -o "$work/train.gbc" -q
test="$work/test.data --format uci --vocabulary $vocabulary --label #1 --metadata $work/test.label"
options=(-k 100 --alpha 0.6 --beta 0.01 --variance 0.01 --no-intercept
    --sweeps 60 --burn-in 10 --thin 5)
linear "$work/train.gbc" "$test"
measure "gibbous, hinge, 1 chain" "$work/train.gbc" "$test" "${options[@]}" --cost 16
measure "gibbous, hinge, 4 chains" "$work/train.gbc" "$test" "${options[@]}" --cost 24 --chains 4
measure "gibbous, probit, 1 chain" "$work/train.gbc" "$test" --response probit -k 100 --alpha 0.1 --beta 0.1 --no-intercept \
    --variance 100 --sweeps 60 --burn-in 20 --thin 4
