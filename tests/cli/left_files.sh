# No end of a run leaves a temporary file for good: not a signal, not a limit of the size of files, and what a kill leaves goes with the next run
# that writes into the folder.  A model that cannot have its name is written beside it.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
start() {
    : >messages
    gibbous train train.jsonl --label label -k 5 --sweeps 100000000 --burn-in 0 --thin 1000 --seed 1 --threads 1 -m model.gibbous \
        --draws draws.jsonl 2>messages &
    pid=$!
    wait_for_message 'sweep '
}
left() {
    ls -A | grep -c '^\.'
}
start
kill -KILL $pid
wait $pid 2>/dev/null
echo "killed: $?, files left: $(left)"
gibbous import test.jsonl -o test.gbc -q
echo "after the next run: $(left)"
start
kill -STOP $pid
kill -HUP $pid
kill -TERM $pid
kill -CONT $pid
wait $pid
echo "hung up, and a second signal: $?, files left: $(left)"
mkfifo pipe
gibbous import pipe --format jsonl -o piped.gbc -q 2>/dev/null &
pid=$!
exec 3>pipe
kill -HUP $pid
cat test.jsonl >&3
exec 3>&-
wait $pid
echo "an import, hung up: $?, files left: $(left)"
(
    ulimit -f 1
    try gibbous simulate -k 3 --documents 1000 --seed 1 -q -o drawn.jsonl
    export TMPDIR=.
    fit='--label label -k 5 --sweeps 200 --thin 1 --seed 1 --threads 1 -q'
    try gibbous train train.jsonl $fit -m new.gibbous --draws new.draws
    try gibbous select train.jsonl $fit --grid cost=1,2 --folds 2
) | cat
echo "files left: $(left)"
# nothing beside a device
ln -s /dev/full device
try gibbous train train.jsonl --label label -k 2 --sweeps 4 --seed 1 -q -f -m device
echo device*
: >messages
env --default-signal=INT gibbous train train.jsonl --label label -k 5 --sweeps 1000000 --burn-in 0 --thin 500 --seed 1 --threads 1 -m mine.gibbous 2>messages &
pid=$!
wait_for_message 'sweep *[0-9]*[5-9][0-9][0-9]\|sweep *[0-9]*[0-9][0-9][0-9][0-9]'
echo theirs >mine.gibbous
kill -INT $pid
wait $pid
echo "the name is taken: $?"
tail -n 1 messages
cat mine.gibbous
gibbous info mine.gibbous.1 | head -n 1
mkdir folder
: >messages
env --default-signal=INT gibbous train train.jsonl --label label -k 5 --sweeps 1000000 --burn-in 0 --thin 500 --seed 1 --threads 1 -m folder/mine.gibbous 2>messages &
pid=$!
wait_for_message 'sweep *[0-9]*[5-9][0-9][0-9]\|sweep *[0-9]*[0-9][0-9][0-9][0-9]'
mv folder elsewhere
kill -INT $pid
wait $pid
echo "the folder is gone: $?"
tail -n 1 messages
gibbous info mine.gibbous.2 | head -n 1
