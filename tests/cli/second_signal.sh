# A second signal ends the program at once: its status, and no temporary file.  The program sleeps while both are sent, so it
# cannot end between them.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
: >messages
env --default-signal=INT gibbous train train.jsonl --label label -k 5 --sweeps 100000000 --burn-in 0 --thin 1000 --seed 1 --threads 1 -m model.gibbous \
    --draws draws.jsonl 2>messages &
pid=$!
wait_for_message 'sweep '
ls -A | grep -c '^\.gibbous-.*tmp$'
kill -STOP $pid
kill -INT $pid
kill -TERM $pid
kill -CONT $pid
wait $pid
echo "status $?"
tail -n 1 messages
ls -A | grep -v messages
