# A signal stops reading, also while a pipe has nothing to read: a message, and no file.
printf '{"text":"apple pear","label":"a","group":"g"}\n{"text":"plum pear","label":"b","group":"h"}\n' >t.jsonl
gibbous train t.jsonl --label label -k 2 --sweeps 4 --min-df 1 --seed 1 -q -m m.gibbous
mkfifo documents nobody
exec 3<>documents # open and silent as long as this case runs
pid=
trap 'test -z "$pid" || kill -KILL $pid' EXIT
give_up() {
    echo "$*"
    cat messages
    exit 1
}
# The command has set its handlers, and waits for its pipe; it has one that nobody opens never open.  SIGALRM is among them, but not
# where results are read: there the first signal ends it.
waits() {
    case "$*" in
    *--results*) caught='[4567cdef]...' ;; # SIGTERM
    *) caught='[2367abef]...' ;;
    esac
    grep -q "^SigCgt:.*$caught\$" /proc/$pid/status || return 1
    case $pipe in
    documents) find /proc/$pid/fd -lname '*/documents' | grep -q . ;;
    nobody) grep -q '^State:.S' /proc/$pid/status ;;
    esac 2>/dev/null
}
ends() {
    ! kill -0 $pid
}
# The bound is for a program that never does it: no load makes two minutes of it.
await() {
    for i in $(seq 1200); do
        "$@" 2>/dev/null && return
        sleep 0.1
    done
    give_up "never $*"
}
# One signal ends the command.  $1: the signal, or "late": a TERM after which the process does not run for a while.
stop() {
    signal=$1
    shift
    case "$*" in
    *documents*) pipe=documents ;;
    *) pipe=nobody ;;
    esac
    env --default-signal=INT gibbous "$@" 2>messages >/dev/null 3>&- &
    pid=$!
    await waits "$@"
    if [ $signal = late ]; then
        kill -TERM $pid
        kill -STOP $pid
        sleep 1.5
        kill -CONT $pid
    else
        kill -$signal $pid
    fi
    await ends "$@"
    status=0
    wait $pid 2>/dev/null || status=$?
    pid=
    echo "status $status: $*"
    # a busy machine may have had it read something else when the signal came
    [ $pipe = documents ] || sed -i '/^gibbous: stopped after [0-9]* documents*$/d' messages
    cat messages
}
stop TERM import documents --format jsonl -q -o written.gbc
stop late import documents --format jsonl -q -o written.gbc
stop TERM train documents --format jsonl -q -m written.gibbous --seed 1 -k 2
stop INT predict documents --format jsonl -q -m m.gibbous
# files beside the documents, from a pipe that is open and silent
run="train t.jsonl --label label --min-df 1 --seed 1 -q -m written.gibbous -k 2"
for option in --stopwords --metadata --seeds --class-weight; do
    stop TERM $run $option documents
done
stop INT $run --prior graph --group group --graph documents
stop TERM select t.jsonl --label label -k 2,3 --min-df 1 -q --results documents
# and from one that nobody opens
stop TERM import nobody --format jsonl -q -o written.gbc
stop INT predict nobody --format jsonl -m m.gibbous -q
stop TERM $run --vocabulary nobody
stop TERM $run --embeddings nobody
stop TERM topics -m m.gibbous --reference nobody -q
stop TERM select t.jsonl --label label -k 2,3 --min-df 1 -q --results nobody
ls -A
