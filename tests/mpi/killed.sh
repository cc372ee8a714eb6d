#!/usr/bin/env bash
# Ranks that die: the others end, the last checkpoint is good, and a run on two ranks that continues from it gives the model of a run that
# nobody has disturbed.  GIBBOUS_LONG_TESTS=1: many times.  Signals that ask for an end or for a checkpoint do the same as without ranks.
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
    rm -f "$work/stderr" # what the training before has said
    env --default-signal=INT timeout -k 5 100 "$mpirun" -n "$n" "$gibbous" train "$@" -m "$model" -f >"$work/stdout" 2>"$work/stderr" &
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

# One of the processes, once there are some.
find_victim() {
    victim=
    while [ -z "$victim" ] && kill -0 "$launched" 2>/dev/null; do
        victim=$(ranks | shuf -n 1)
    done
}

kills=2
[ "${GIBBOUS_LONG_TESTS-}" != 1 ] || kills=100
sweeps=$((kills * 400))
RANDOM=1 n_killed=0 n_runs=0
new $sweeps --checkpoint-every 5
while [ "$n_killed" -lt "$kills" ] && [ "$n_runs" -lt $((kills + 20)) ]; do
    start $((2 + (n_killed + 1) % 2)) "${arguments[@]}"
    n_runs=$((n_runs + 1))
    wait_for_checkpoint
    sleep 0.$((RANDOM % 9))
    find_victim
    [ -z "$victim" ] || kill -KILL "$victim" 2>/dev/null || true
    await "of which rank process ${victim:-none} was killed"
    if [ "$status" -eq 0 ]; then # it was at its end before
        sweeps=$((2 * sweeps))
    else
        n_killed=$((n_killed + 1))
        fails_within 10
    fi
    run "$gibbous" diagnose --checkpoint "$checkpoint"
    [ "$status" -lt 3 ] || wrong "$command after kill $n_killed: status $status"
    arguments=("$work/docs.jsonl" --resume "$checkpoint" --sweeps $sweeps --checkpoint-every 5)
done
[ "$n_killed" -eq "$kills" ] || wrong "of $n_runs runs $n_killed ended by the death of a rank"
run "$mpirun" -n 2 "$gibbous" train "${arguments[@]}" -m "$model" -q -f
[ "$status" -eq 0 ] || wrong "$command: status $status"
"$gibbous" train "$work/docs.jsonl" --label label --blocks 4 $options --sweeps $sweeps --thin 20 -m "$work/whole.gibbous" -q
cmp "$work/whole.gibbous" "$model" || wrong "the model of a run that was killed $n_killed times"

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
    while ! grep -qs '^sweep' "$work/stderr" && kill -0 "$launched" 2>/dev/null; do
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
run "$mpirun" -n 3 "$gibbous" train "$work/docs.jsonl" --label label --blocks 4 $options --sweeps 200000 --thin 1 \
    --time-limit 2s -m "$model" -q -f
[ "$status" -eq 0 ] || wrong "$command: status $status"
exit $failed
