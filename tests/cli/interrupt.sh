# The first signal stops training after the sweep: a message, the status of that signal, and no model.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
for signal in TERM INT; do
    : >messages
    env --default-signal=INT gibbous train train.jsonl --label label -k 5 --sweeps 100000000 --seed 1 -m other.gibbous 2>messages &
    pid=$!
    wait_for_message '^sweep'
    kill -$signal $pid
    wait $pid
    echo $?
    tail -n 1 messages | sed 's/[0-9][0-9]*/N/g'
done
# The same for verbs that apply a model.  The program opens its input once signals are caught, so the pipe tells when.
mkfifo pipe
apply() {
    env --default-signal=INT "$@" 2>messages >rows &
    pid=$!
    exec 3>pipe
    kill -$signal $pid
    cat test.jsonl >&3
    exec 3>&-
    wait $pid
    echo "$1 $2 $?"
    sed 's/[0-9][0-9]*/N/g' messages
}
for signal in TERM INT; do
    apply gibbous predict pipe --format jsonl -m model.gibbous -o out.csv
    apply gibbous infer pipe --format jsonl -m model.gibbous
    apply gibbous evaluate pipe --format jsonl -m model.gibbous
    apply gibbous evaluate pipe --format jsonl -m model.gibbous --held-out left-to-right -o out.csv
done
cat rows
ls -A
