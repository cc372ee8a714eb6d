# --snapshots: topics of a few draws, parameters of all; the draws themselves do not depend on it.
. "$TESTS/helpers"
printf '{"text":"red green red","l":"x"}\n{"text":"blue green","l":"y"}\n{"text":"","l":"x"}\n{"text":"red"}\n' >d.jsonl
run() {
    gibbous train d.jsonl --label l -k 2 --seed 1 --sweeps 60 --burn-in 20 --thin 1 --chains 2 --force "$@" 2>&1 | grep wrote
}
run -m ten.gibbous
run -m three.gibbous --snapshots 3
run -m all.gibbous --snapshots 1000
for model in ten three all; do
    gibbous info $model.gibbous | grep -E '^(draws|snapshots)|  snapshots'
    gibbous effects -m $model.gibbous --table csv -q | cut -d, -f1-11 >$model.csv
    gibbous predict d.jsonl -m $model.gibbous -q | wc -l
done
cmp ten.csv three.csv
cmp ten.csv all.csv
gibbous train d.jsonl --label l -k 2 --seed 1 --sweeps 60 --burn-in 20 --thin 1 --chains 2 --threads 1 -q -m one.gibbous
cmp ten.gibbous one.gibbous
try gibbous train d.jsonl --label l -k 2 -m new.gibbous --snapshots 0 -q
ls -A
