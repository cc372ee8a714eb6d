# Linear models beside: evaluate --baseline with documents held out, --baseline-on with a model.
. "$TESTS/helpers"
# A word for the colour, another for the size; every seventh document has neither label nor number.
awk 'BEGIN {
    for (d = 0; d < 90; d++) {
        colour = d % 3 == 0 ? "red" : d % 3 == 1 ? "green" : "blue"
        size = int(d / 3) % 2 == 0 ? "big" : "small"
        printf "{\"text\":\"the %s %s thing of %s number%d\",\"venue\":\"v%d\"", colour, size, colour, d % 10, d % 4
        if (d % 7)
            printf ",\"colour\":\"%s\",\"grade\":%d,\"size\":%d,\"tags\":[\"%s\",\"%s\"]", colour, d % 3 + 1, size == "big" ? 100 : 10,
                   colour, size
        print "}"
    }
}' >all.jsonl
options="-k 2 --sweeps 4 --seed 1 -q"
# What the words tell, the linear model finds: no error, and none of the rows that need probabilities.
gibbous evaluate all.jsonl --label colour $options --folds 3 --baseline --json >folds.json
grep -o '"linear":{[^}]*}[^}]*}[^}]*}[^}]*}' folds.json | head -n 1
gibbous evaluate all.jsonl --label colour $options --folds 3 --baseline | awk '$1 == "value" { print } /^ *(n|n_unlabelled|n_missed|accuracy|log_loss) / { print $1, $4 }'
# Without it nothing changes.
gibbous evaluate all.jsonl --label colour $options --folds 3 --json >plain.json
sed 's/,"linear":{[^}]*}[^}]*}[^}]*}[^}]*}}//; s/,"linear":{[^}]*}//g' folds.json | cmp - plain.json
# Several labels, a number, levels, and all at once; threads change nothing.
gibbous evaluate all.jsonl --labels tags --target size $options --folds 3 --baseline --threads 1 >one
gibbous evaluate all.jsonl --labels tags --target size $options --folds 3 --baseline --threads 4 | cmp - one
awk '/^[a-z]/ || $1 == "" { print } /^ *(n|n_no_class|accuracy|exact_match|hamming_loss|r2|coverage_90) / { print $1, $4 == "-" ? "model alone" : "both" }' one
# The cut-offs of the model's probabilities are not those of the linear scores.
for cut in f1 accuracy none; do
    gibbous evaluate all.jsonl --labels tags $options --folds 3 --baseline --calibrate 2 --cut-off $cut | awk '$1 == "micro_f1" { print $4 }'
done
gibbous evaluate all.jsonl --label grade --response ordinal $options --folds 3 --baseline | awk '$1 == "mae" || $1 == "kappa" { print $1, $4 }'
# By hand: a training without a group, and its documents again.
grep -v '"v1"' all.jsonl >rest.jsonl
grep '"v1"' all.jsonl >part.jsonl
gibbous train rest.jsonl --label colour $options -m rest.gibbous
gibbous evaluate part.jsonl -m rest.gibbous --baseline-on rest.jsonl --json -q | grep -o '"linear":{[^}]*}' >expected
gibbous evaluate all.jsonl --hold-out-group venue=v1 --label colour $options --baseline --json |
    sed 's/.*"parts"//' | grep -o '"linear":{[^}]*}' | cmp - expected
# From a corpus file, whatever the other documents are read with; in a table.
gibbous import rest.jsonl --label colour -q -o rest.gbc
printf 'text,id,colour\nthe red thing,1,red\nthe blue one,2,blue\n,3,\n' >some.csv
gibbous evaluate some.csv --format csv --id id -m rest.gibbous --baseline-on rest.gbc -q | sed -n '/ n_missed/d; 1,/^$/p' | awk '{ print $1, $2 ~ /[.]/ ? "N" : $2, $3 ~ /[.]/ ? "N" : $3 }'
# A class in two documents held out that training has, one that no training document has.
printf '{"text":"the red thing","colour":"red"}\n{"text":"odd","colour":"odd"}\n' >odd.jsonl
gibbous evaluate odd.jsonl -m rest.gibbous --baseline-on rest.jsonl --unknown-label wrong -q | awk '$1 == "n_unknown" || $1 == "accuracy" { print $1, $3 }'
try gibbous evaluate all.jsonl -m rest.gibbous --baseline
try gibbous evaluate all.jsonl --folds 3 --baseline-on rest.jsonl
try gibbous evaluate all.jsonl --folds 3 $options --baseline
try gibbous evaluate all.jsonl --folds 3 --label colour $options --baseline --memory-limit 60K
try gibbous evaluate part.jsonl -m rest.gibbous --baseline-on nothing.jsonl
try gibbous evaluate part.jsonl -m rest.gibbous --label tags --baseline-on rest.jsonl
gibbous train rest.jsonl $options -m plain.gibbous
try gibbous evaluate part.jsonl -m plain.gibbous --baseline-on rest.jsonl -q
ls
