# Signals, checkpoints and time limits: exit statuses, what is said, and what is left.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
begin() {
    : >messages
    env --default-signal=INT gibbous train train.jsonl --label label -k 5 --sweeps 200000 --seed 1 --threads 1 "$@" 2>messages &
    pid=$!
}
# A line of progress: the first sweep is done.
wait_for_sweep() {
    wait_for_message 'sweep '
}
end() {
    wait $pid
    echo "$1: $?"
    tail -n 1 messages | sed 's/[0-9][0-9]*/N/g; s/N draw kept/N draws kept/'
}
begin --burn-in 199999 -m a.gibbous
wait_for_sweep
kill -INT $pid
end 'SIGINT'
begin --burn-in 0 --thin 1 --snapshots 2 -m b.gibbous
wait_for_sweep
kill -TERM $pid
end 'SIGTERM with draws'
gibbous info b.gibbous >/dev/null && echo the model is readable
begin --burn-in 199999 -m c.gibbous --checkpoint c.gbk
wait_for_sweep
kill -USR1 $pid
wait_until test -e c.gbk
wait_for_message 'checkpoint written'
kill -TERM $pid
end 'SIGUSR1, then SIGTERM with a checkpoint'
begin --burn-in 0 --thin 1 -m d.gibbous --checkpoint d.gbk
wait_for_sweep
kill -INT $pid
end 'SIGINT with a checkpoint and draws'
begin --burn-in 199999 -m e.gibbous
wait_for_sweep
kill -USR1 $pid
wait_for_message '^SIGUSR1'
grep '^SIGUSR1' messages
kill -TERM $pid
end 'SIGUSR1 without a checkpoint goes on'
begin --burn-in 0 --thin 1 --time-limit 3s -m f.gibbous
end 'time limit'
begin --burn-in 0 --thin 1 --time-limit 3s -m g.gibbous --checkpoint g.gbk
end 'time limit with a checkpoint'
begin --burn-in 0 --thin 1 --time-limit 0.000000001s --init-from f.gibbous -m h.gibbous --checkpoint h.gbk
end 'time limit before the first checkpoint'
ls -A | grep -v messages
