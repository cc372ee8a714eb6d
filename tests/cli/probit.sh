# The probit response: no cost, probabilities that add up to 1, and all that other responses can do.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
try gibbous train train.jsonl --label label --response probit --cost 2 -m x.gibbous
try gibbous simulate --response probit -c 1 -o x.jsonl
run="--response probit -k 5 --sweeps 30 --variance 10 --seed 1 -m model.gibbous --force"
gibbous train train.jsonl --label label $run 2>&1 | grep -o 'multiclass), probit[^,;]*'
gibbous evaluate test.jsonl -m model.gibbous --json >scores.json
sed 's/.*"accuracy":\([0-9.]*\).*/\1/' scores.json | awk '$1 < 0.8 { print "poor accuracy: " $1 }'
grep -o '"log_loss":\|"brier":' scores.json
gibbous predict test.jsonl -m model.gibbous -q | tail -n +2 |
    awk -F, '{ if (($3 + $4 + $5 - 1) ^ 2 > 1e-12) print "probabilities of " $1 " do not add up"
               best = $3 > $4 ? ($3 > $5 ? 1 : 3) : ($4 > $5 ? 2 : 3)
               if ($2 != "c" best) print $1 ": " $2 " is not the most probable class" }'
gibbous simulate -m model.gibbous --documents 3 --length 4 --seed 2 -q | wc -l
gibbous simulate --response probit --documents 200 --classes 2 --seed 1 -q -o two.jsonl
gibbous train two.jsonl --label label $run -q
gibbous predict two.jsonl -m model.gibbous --scores -q | head -n 1
gibbous train train.jsonl --labels label $run -q
gibbous evaluate test.jsonl -m model.gibbous --json | grep -o '"hamming_loss":'
