# Signals that nobody sends to stop a run: none leaves a temporary file or is lost, and what the program was started to ignore stays ignored.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
ulimit -c 0
make_model
mkfifo documents
# Start the command, and wait until it reads its pipe, which has nothing to read: then its handlers are set.  A shell has what it starts in the
# background ignore SIGINT and SIGQUIT.
begin() {
    : >messages
    env --default-signal gibbous "$@" 2>messages >/dev/null 3>&- &
    pid=$!
    wait_until reads
}
reads() { # and catches SIGBUS, which no shell does
    grep -q '^SigCgt:.*[4567cdef].$' /proc/$pid/status && find /proc/$pid/fd -lname '*/documents' 2>/dev/null | grep -q .
}
has_temporary() {
    find . -name '.gibbous-*' | grep -q .
}
end() {
    status=0
    wait $pid 2>/dev/null || status=$?
    echo "$1: status $status"
    cat messages
    if has_temporary; then echo a temporary file is left; fi
}
exec 3<>documents
for signal in USR1 USR2 QUIT XCPU; do
    begin predict documents --format jsonl -m model.gibbous -q -o scores.csv
    wait_until has_temporary
    kill -$signal $pid
    end $signal
done
# ignored: by a script, and of Ctrl-C by a shell that starts the program in the background
: >messages
(
    trap '' INT TERM HUP USR1
    exec gibbous predict documents --format jsonl -m model.gibbous -q 2>messages >scores.csv 3>&-
) &
pid=$!
wait_until reads
for signal in INT TERM HUP USR1; do
    kill -$signal $pid
done
cat test.jsonl >&3
exec 3>&-
end ignored
gibbous predict test.jsonl --format jsonl -m model.gibbous -q | cmp - scores.csv
# a checkpoint that is wanted before there is a chain
exec 3<>documents
run='--format jsonl --label label -k 5 --sweeps 200 --seed 1 --threads 1'
begin train documents $run -m early.gibbous --checkpoint early.gbk
kill -USR1 $pid
cat train.jsonl >&3
exec 3>&-
status=0
wait $pid || status=$?
echo "SIGUSR1 while documents are read: status $status"
grep SIGUSR1 messages
# the limit of processor time: once more every second
: >messages
gibbous train train.jsonl --label label -k 5 --sweeps 100000000 --burn-in 0 --thin 1000 --seed 1 --threads 1 -m limited.gibbous \
    --checkpoint limited.gbk 2>messages &
pid=$!
wait_for_message 'sweep '
kill -STOP $pid
kill -XCPU $pid
kill -CONT $pid
wait_for_message 'stopping'
kill -XCPU $pid 2>/dev/null
status=0
wait $pid || status=$?
echo "SIGXCPU, twice: status $status"
# an alarm of somebody else, before any other signal
mkfifo nobody
: >messages
gibbous import nobody --format jsonl -q -o never.gbc 2>messages &
pid=$!
wait_until grep -q '^SigCgt:.*[2367abef]...$' /proc/$pid/status
for i in $(seq 10); do
    kill -ALRM $pid 2>/dev/null
done
end SIGALRM
