# A model from before coefficients of words were kept apart is read as before: it was made from tiny.jsonl by the options
# -k 2 --sweeps 14 --burn-in 8 --snapshots 2 --calibrate 0 --label l --response logistic --coefficient-prior horseshoe --word-effects tfidf
. "$TESTS/helpers"
printf '{"text":"awful wa wa wb"}\n{"text":"fine wc wa wb"}\n{"text":"wa wb"}\n' >tiny.jsonl
gibbous predict tiny.jsonl -m "$TESTS/words_old.gibbous" -q | awk -F, 'NR > 1 { printf "%s %.3f\n", $2, $3 }'
gibbous effects -m "$TESTS/words_old.gibbous" -q
