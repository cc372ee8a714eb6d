#!/usr/bin/env bash
# Ranks that die: the others end, the last checkpoint is good, and a run on two ranks that continues from it gives the model of a run that
# nobody has disturbed.  GIBBOUS_FULL_TESTS=1: five times; GIBBOUS_LONG_TESTS=1: many.  Signals that ask for an end or for a checkpoint do the same as without ranks.
. "$(dirname "$0")/helpers"
. "$(dirname "$0")/documents"
make_documents
checkpoint=$work/run.gbk model=$work/run.gibbous

# The processes of the training, which its checkpoint names.
ranks() {
    pgrep -f -- "^$gibbous train .*$checkpoint"
}

# start RANKS OPTION...: a training in the background.
start() {
    local n=$1
    shift
    timeout -k 5 100 "$mpirun" -n "$n" "$gibbous" train "$@" -m "$model" -f >"$work/stdout" 2>"$work/stderr" &
    launched=$!
}

# new SWEEPS OPTION...: the arguments of a new training.
new() {
    local sweeps=$1
    shift
    arguments=("$work/docs.jsonl" --label label --blocks 4 $options --sweeps "$sweeps" --thin 20 --checkpoint "$checkpoint" "$@")
}

wait_for_checkpoint() {
    while [ ! -e "$checkpoint" ] && kill -0 "$launched" 2>/dev/null; do
        sleep 0.02
    done
}

# await SECONDS: the launcher ends within them; its status to $status.
await() {
    local since=$SECONDS
    status=0
    wait "$launched" 2>/dev/null || status=$?
    seconds=$((SECONDS - since))
    command="training $1"
}

# ---- killed ----

kills=2
[ ! "${GIBBOUS_FULL_TESTS-}" ] || kills=5
[ "${GIBBOUS_LONG_TESTS-}" != 1 ] || kills=100
sweeps=$((kills * 400))
RANDOM=1 n_killed=0
"$gibbous" train "$work/docs.jsonl" --label label --blocks 4 $options --sweeps $sweeps --thin 20 -m "$work/whole.gibbous" -q
new $sweeps --checkpoint-every 5
for ((n = 0; n < kills; n++)); do
    start $((2 + (n + 1) % 2)) "${arguments[@]}"
    wait_for_checkpoint
    sleep 0.$((RANDOM % 9))
    victim=$(ranks | shuf -n 1)
    if [ -n "$victim" ] && kill -KILL "$victim" 2>/dev/null; then
        n_killed=$((n_killed + 1))
        await "of which rank process $victim was killed"
        fails_within 10
    else
        await "that was at its end"
    fi
    run "$gibbous" diagnose --checkpoint "$checkpoint"
    [ "$status" -lt 3 ] || wrong "$command after kill $n: status $status"
    arguments=("$work/docs.jsonl" --resume "$checkpoint" --checkpoint-every 5)
done
run "$mpirun" -n 2 "$gibbous" train "${arguments[@]}" -m "$model" -q -f
[ "$status" -eq 0 ] || wrong "$command: status $status"
cmp "$work/whole.gibbous" "$model" || wrong "the model of a run that was killed $n_killed times"
[ "$n_killed" -gt 0 ] || wrong "all runs were at their end before they were killed"

# ---- asked ----

# ask SIGNAL WHO: of a training on three ranks, the launcher or the rank of that number gets the signal.
ask() {
    if [ "$2" = launcher ]; then
        kill -"$1" "$(pgrep -P $launched)"
    else
        kill -"$1" "$(ranks | sed -n $(($2 + 1))p)"
    fi
}

# What other launchers do with a signal is theirs.
everybody='0 2'
case $("$mpirun" --version 2>&1) in
*HYDRA* | *Hydra*) everybody="launcher $everybody" ;;
esac

# 75 is what every rank ends with; under load MPICH 4.0's launcher sometimes makes 0 of it.
ended_as_stopped() {
    [ "$status" -eq 75 ] || [ "$status" -eq 0 ] || wrong "$command: status $status"
}

# Launchers make one status of all.  MPICH ors them; 75 is what a training with a checkpoint that is stopped ends with.
for signal in TERM INT; do
    for who in $everybody; do
        rm -f "$checkpoint"*
        new 1000000 --checkpoint-every 5
        start 3 "${arguments[@]}"
        wait_for_checkpoint
        ask $signal $who
        await "of which $who got SIG$signal"
        ended_as_stopped
        [ "$(grep -c '^gibbous: stopped after sweep' "$work/stderr")" -eq 1 ] || wrong "$command: says it once"
        run "$gibbous" diagnose --checkpoint "$checkpoint"
        [ "$status" -lt 3 ] || wrong "$command: status $status"
    done
done
for who in $everybody; do
    rm -f "$checkpoint"*
    new 1000000 --checkpoint-every 5
    start 3 "${arguments[@]}"
    wait_for_checkpoint
    ask TERM $who
    await "that is to begin"
    # The first checkpoint of this run comes when it is asked for.
    touch -d '2000-01-01' "$checkpoint"
    start 3 "$work/docs.jsonl" --resume "$checkpoint" --checkpoint-every 1h
    while ! grep -q '^sweep' "$work/stderr" && kill -0 "$launched" 2>/dev/null; do
        sleep 0.02
    done
    ask USR1 $who
    while [ "$checkpoint" -ot "$work/docs.jsonl" ] && kill -0 "$launched" 2>/dev/null; do
        sleep 0.02
    done
    ask TERM 0
    await "of which $who was asked for a checkpoint"
    ended_as_stopped
done

# Time that is up is no failure.
run "$mpirun" -n 3 "$gibbous" train "$work/docs.jsonl" --label label --blocks 4 $options --sweeps 1000000 --time-limit 1s \
    -m "$model" -q -f
[ "$status" -eq 0 ] || wrong "$command: status $status"
exit $failed
