# Folds and groups held out: their scores are those of a training on the rest, made by hand.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
head -n 120 all.jsonl | awk '{ sub(/}$/, ",\"venue\":\"v" NR % 3 "\"}"); print }' >some.jsonl
options="-k 4 --sweeps 20 --seed 3"
# A group: train without it, evaluate on it.
grep -v '"venue":"v1"' some.jsonl >rest.jsonl
grep '"venue":"v1"' some.jsonl >part.jsonl
gibbous train rest.jsonl $options --label label -q -m rest.gibbous
gibbous evaluate part.jsonl -m rest.gibbous --held-out left-to-right --json | grep -o '"accuracy":[^,]*\|"held_out":{[^}]*}' >expected
gibbous evaluate some.jsonl --hold-out-group venue=v1 $options --label label --held-out left-to-right -q --json |
    sed 's/.*"parts"//' | grep -o '"accuracy":[^,]*\|"held_out":{[^}]*}' | cmp - expected
# Each group in turn; threads change nothing; a row per document.
gibbous evaluate some.jsonl --hold-out-group venue $options -q --threads 1 -o rows.csv >one
gibbous evaluate some.jsonl --hold-out-group venue $options -q --threads 4 | cmp - one
awk '$1 == "n_rough" { $2 = "N" } { print $1, $2 ~ /[.]/ ? "N" : $2, $3 ~ /[.]/ ? "N" : $3 }' one
cut -d, -f 1 rows.csv | sort | uniq -c | awk '{ print $1, $2 }'
# Folds: every document is held out once, and the accuracy is that of all documents.
gibbous evaluate some.jsonl --folds 5 $options --label label --held-out completion -q --json -o folds.csv >folds.json
cut -d, -f 2 folds.csv | tail -n +2 | sort -n | uniq | wc -l | tr -d ' '
sed 's/.*"parts"//; s/"n":/\n&/g' folds.json | sed -n 's/^"n":\([0-9]*\),.*"accuracy":\([0-9.]*\),.*/\1 \2/p' |
    awk '{ n += $1; right += $1 * $2 } END { printf "%.6f\n", right / n }' >expected
sed 's/^{"label":.*"accuracy":{"value":\([0-9.]*\),.*"parts".*/\1/' folds.json | awk '{ printf "%.6f\n", $1 }' | cmp - expected
# From a corpus file, whose fields are there already.
gibbous import some.jsonl --group venue -q -o some.gbc
gibbous evaluate some.gbc --hold-out-group venue=v0 --hold-out-group venue=v1 $options -q | tail -n 1
# A field that the training does not name is read from it too, and kept from the models.
gibbous import some.jsonl --group venue --label label -q -o both.gbc
gibbous evaluate some.jsonl --hold-out-group venue=v1 $options --label label -q --json >expected
gibbous evaluate both.gbc --hold-out-group venue=v1 $options --label label -q --json | cmp - expected
awk '{ sub(/}$/, ",\"year\":" 2000 + NR % 5 "}"); print }' some.jsonl >years.jsonl
gibbous evaluate years.jsonl --hold-out-group venue=v1 --prior graph --group year --graph chain $options -q | tail -n 1
# A group that no document of the training has is in the graph all the same; rows hold up with each way to estimate.
for method in empirical left-to-right completion; do
    gibbous evaluate some.jsonl --hold-out-group venue=v1 --prior graph --group venue --graph complete $options -q \
        --held-out $method --json >graph.json
    sed 's/.*"log_likelihood":{"value":\([-0-9.]*\).*/\1/' graph.json | awk '$1 > -2 || $1 < -4 { print "improbable: " $1 }'
done
# Numbers and covariates.
gibbous simulate -k 3 --documents 60 --length 20 --vocabulary-size 100 --response gaussian --seed 2 -q -o numbers.jsonl
awk '{ sub(/}$/, ",\"x\":" NR % 4 "}"); print }' numbers.jsonl >covariates.jsonl
gibbous evaluate covariates.jsonl --folds 3 --target target --covariates x:factor $options -q | awk '{ print $1, $2 ~ /[.]/ ? "N" : $2, $3 ~ /[.]/ ? "N" : $3 }'
try gibbous evaluate some.jsonl --folds 1
try gibbous evaluate some.jsonl --folds 121
try gibbous evaluate some.jsonl --folds 5 --hold-out-group venue
try gibbous evaluate some.jsonl --fold-by random
try gibbous evaluate some.jsonl --folds 5 -m rest.gibbous
try gibbous evaluate some.jsonl --hold-out-group nowhere
try gibbous evaluate some.jsonl --hold-out-group venue=v9
try gibbous evaluate some.jsonl --hold-out-group =v1
try gibbous evaluate part.jsonl --hold-out-group venue
printf '{"text":"aa"}\n{"text":"bb"}\n{"text":""}\n' >alone.jsonl
try gibbous evaluate alone.jsonl --folds 3 -k 2 --sweeps 4 -q
try gibbous evaluate some.jsonl --folds 5 --held-out none -q
try gibbous evaluate some.jsonl --folds 5 --label nowhere -q
ls
