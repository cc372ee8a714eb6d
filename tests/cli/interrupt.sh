# The first signal stops training after the sweep: a message, status 1, and no model.
. "$TESTS/data_helpers"
make_data
: >messages
gibbous train train.jsonl --label label -k 5 --sweeps 100000000 --seed 1 -m model.gibbous 2>messages &
pid=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    grep -q '^sweep' messages && break
    sleep 0.5
done
kill -TERM $pid
wait $pid
echo $?
tail -n 1 messages | sed 's/[0-9][0-9]*/N/g'
ls -A
