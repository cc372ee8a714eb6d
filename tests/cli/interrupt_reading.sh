# A signal stops reading, also while a pipe has nothing to read: a message, and no file.
printf '{"text":"apple pear","label":"a","group":"g"}\n{"text":"plum pear","label":"b","group":"h"}\n' >t.jsonl
gibbous train t.jsonl --label label -k 2 --sweeps 4 --min-df 1 --seed 1 -q -m m.gibbous
mkfifo documents nobody
sleep 60 >documents &
writer=$!
# Until it waits for that pipe; it has one that nobody opens never open.
waits() {
    ls -l /proc/$pid/fd 2>/dev/null | grep -q ' .*/documents$' || ! kill -0 $pid 2>/dev/null
}
# One signal ends the command, within some seconds.  $1: the signal.
stop() {
    signal=$1
    shift
    gibbous "$@" 2>messages >/dev/null &
    pid=$!
    case "$*" in
    *documents*) until waits; do sleep 0.1; done ;;
    *) sleep 0.3 ;;
    esac
    kill -$signal $pid
    for i in $(seq 300); do
        kill -0 $pid 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL $pid 2>/dev/null && echo "not ended by SIG$signal"
    status=0
    wait $pid 2>/dev/null || status=$?
    echo "status $status: $*"
    cat messages
}
stop TERM import documents --format jsonl -q -o written.gbc
stop TERM train documents --format jsonl -q -m written.gibbous --seed 1 -k 2
stop INT predict documents --format jsonl -q -m m.gibbous
# files beside the documents, from a pipe that is open and silent
run="train t.jsonl --label label --min-df 1 --seed 1 -q -m written.gibbous -k 2"
stop INT import documents --format npz -q -o written.gbc
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
kill $writer
ls -A
