# Pipes as outputs: one that nobody reads any more, and one that nobody reads yet.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
# Run a command with a standard output that nobody reads: the other end is closed before it begins.
unread() {
    {
        until test -e closed; do sleep 0.05; done
        status=0
        "$@" 2>said || status=$?
        echo $status >status
    } | {
        exec <&-
        : >closed
    }
    until test -e status; do sleep 0.05; done
    echo "status $(cat status)"
    cat said
    rm status said closed
}
# what is found was for the pipe alone
unread gibbous topics -m model.gibbous
unread gibbous predict test.jsonl -m model.gibbous -q
unread gibbous select train.jsonl --label label -k 2,3 --folds 2 --sweeps 4 --seed 1 -q --results fits
gibbous select train.jsonl --label label -k 2,3 --folds 2 --sweeps 4 --seed 1 --results fits 2>&1 >/dev/null | grep -c '^4 fits from fits'
# unless a signal for that is ignored: then it is a failure like others
ignoring() (
    trap '' PIPE
    exec "$@"
)
unread ignoring gibbous topics -m model.gibbous
# messages that nobody reads stop nothing
silent() {
    "$@" 2>&1
}
fit='--label label -k 5 --sweeps 40 --seed 1'
unread silent gibbous train train.jsonl $fit -m unread.gibbous --checkpoint unread.gbk
cmp model.gibbous unread.gibbous
unread silent gibbous predict test.jsonl -m model.gibbous --verbose -o scores.csv
gibbous predict test.jsonl -m model.gibbous -q | cmp - scores.csv
# an output, to its end
mkfifo pipe
cat pipe >through &
gibbous train train.jsonl $fit -q -m pipe
wait $!
cmp model.gibbous through
cat pipe >through &
gibbous convert test.jsonl --to csv -q -o pipe
wait $!
wc -l <through
# that nobody reads: the first signal is enough
waits() { # after its last sweep it does nothing else
    grep -q 'sweep 40/40' messages && grep -q '^State:.S' /proc/$pid/status
}
: >messages
gibbous train train.jsonl $fit --threads 1 -m pipe 2>messages &
pid=$!
wait_until waits
kill -TERM $pid
status=0
wait $pid 2>/dev/null || status=$?
echo "status $status"
ls -A
# whoever writes a line and waits for the answer gets it
mkfifo questions answers
gibbous predict - --format jsonl -m model.gibbous -q --top 2 <questions >answers &
pid=$!
exec 3>questions 4<answers
i=0
while [ $i -lt 3 ]; do
    sed -n "$((i + 1))p" test.jsonl >&3
    [ $i -gt 0 ] || read -r header <&4
    read -r row <&4
    printf '%s\n' "$row"
    i=$((i + 1))
done | cut -d, -f 2,3 >spoken
exec 3>&-
wait $pid
cat <&4 | wc -c
exec 4<&-
head -n 3 test.jsonl >three.jsonl
gibbous predict three.jsonl -m model.gibbous -q --top 2 | sed 1d | cut -d, -f 2,3 | cmp - spoken
