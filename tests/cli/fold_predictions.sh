# Predictions of folds: a row for each document, in the order of the input, by the model that has not seen it.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
gibbous evaluate train.jsonl --label label --folds 3 -k 3 --sweeps 20 --chains 1 --seed 1 -q --json -o rows.csv >scores.json
head -n 1 rows.csv
grep -o '"accuracy":{"value":[0-9.]*' scores.json | head -n 1 | sed 's/.*://' >accuracy
awk -F, 'NR > 1 { n++; right += $3 == $4 } END { printf "%.6f\n", right / n }' rows.csv >counted
awk '{ printf "%.6f\n", $1 }' accuracy | cmp - counted
sed 1d rows.csv | cut -d, -f 2 | sort | uniq -c | wc -l
wc -l <train.jsonl
sed 1d rows.csv | wc -l
gibbous predict train.jsonl -m model.gibbous -q | cut -d, -f 1 >order
cut -d, -f 1 rows.csv | cmp - order
# likelihoods, where they are asked for, as before
gibbous evaluate train.jsonl --label label --folds 2 -k 3 --sweeps 10 --chains 1 --seed 1 -q --held-out empirical -o likely.csv >scores
head -n 1 likely.csv
# a long name of a class is whole
name=$(printf 'x%.0s' $(seq 500))
sed "s/\"c1\"/\"$name\"/" train.jsonl >long.jsonl
gibbous evaluate long.jsonl --label label --folds 2 -k 3 --sweeps 5 --chains 1 --seed 1 -q -o long.csv >scores
head -n 1 long.csv | tr , '\n' | grep -c "score_$name\$"
