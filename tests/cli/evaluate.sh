# The scores that evaluate prints are those that the rows of predict give.
. "$TESTS/data_helpers"
make_model
gibbous predict test.jsonl -m model.gibbous -q | tail -n +2 | cut -d, -f2 >predicted
sed 's/.*"label":"\([^"]*\)".*/\1/' test.jsonl >truth
paste truth predicted | awk '$1 == $2 { right++ } END { printf "%.9g\n", right / NR }' >accuracy
gibbous evaluate test.jsonl -m model.gibbous --json >scores.json
sed 's/.*"accuracy":\([0-9.]*\).*/\1/' scores.json | cmp - accuracy
awk '$1 < 0.8 { print "poor accuracy: " $1 }' accuracy
sed 's/"[^"]*":/&\n/g; s/[0-9]*\.[0-9]*/X/g' scores.json | grep -o '"[^"]*":' | tr -d '\n'
echo
gibbous train train.jsonl --label label --response logistic -k 5 --sweeps 20 --seed 1 -q -m logistic.gibbous
gibbous evaluate test.jsonl -m logistic.gibbous --json | grep -o '"log_loss":\|"brier":'
gibbous simulate --classes 2 --documents 100 --seed 1 -q -o two.jsonl
gibbous train two.jsonl --label label -k 5 --sweeps 20 --seed 1 -q -m two.gibbous
gibbous evaluate two.jsonl -m two.gibbous | sed 's/  *[0-9.]\{1,\}  / X  /' | head -n 10
gibbous predict two.jsonl -m two.gibbous --scores -q | head -n 1
# the baseline answers the largest class of the training, which is the smaller one here
awk 'BEGIN { for (i = 0; i < 90; i++) print "{\"text\":\"" (i % 3 ? "moon tide sea" : "bread cake oven") "\",\"label\":\"" (i % 3 ? "sky" : "food") "\"}" }' >two.jsonl
gibbous train two.jsonl --label label -k 2 --min-df 1 --sweeps 20 --chains 1 --seed 1 -q -f -m two.gibbous
printf '{"text":"bread cake","label":"food"}\n{"text":"cake oven","label":"food"}\n{"text":"oven","label":"food"}\n{"text":"moon","label":"sky"}\n' >other.jsonl
gibbous evaluate other.jsonl -m two.gibbous -q | grep '^ *baseline'
