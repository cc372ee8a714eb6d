# A standard stream that is closed is nobody's file: nothing is printed into an output, and what cannot be printed is an error.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
fit() {
    gibbous train train.jsonl --label label -k 3 --sweeps 20 --seed 1 --threads 1 --force -m model.gibbous --draws draws "$@"
}
fit -q
mkdir whole
cp model.gibbous draws whole
fit 2>&-
echo "without standard error: $?"
cmp draws whole/draws
cmp model.gibbous whole/model.gibbous
fit 0<&- 1>&- 2>&-
echo "without any: $?"
cmp draws whole/draws
gibbous predict test.jsonl -m model.gibbous -q >whole/scores
gibbous predict test.jsonl -m model.gibbous -q -o scores 1>&-
echo "into a file: $?"
cmp scores whole/scores
try gibbous predict - --format jsonl -m model.gibbous -q 0<&-
status=0
gibbous predict test.jsonl -m model.gibbous -q 2>message >&- || status=$?
sed 's/: [^:]*$/: .../' message
echo "without standard output: $status"
