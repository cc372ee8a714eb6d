# A training that is only begun: it says what it would do, needs no model file, and writes nothing.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
ls >before
gibbous train train.jsonl --label label -k 5 --sweeps 30 --seed 1 --threads 1 --dry-run -q | sed 's/time: about [0-9]* seconds*, by the first [0-9]* seconds*/time: T/; s/about [0-9]* MiB/M/'
gibbous train train.jsonl --label label -k 5 --seed 1 --dry-run -q -m model.gibbous | grep -c "^time: "
ls | diff before - && echo "no file was written"
# faults are those of the training
try gibbous train train.jsonl --label none -k 5 --dry-run -q
try gibbous train train.jsonl --label label -k 5 --dry-run --checkpoint c -q
