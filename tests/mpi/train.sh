#!/usr/bin/env bash
# Training gives the same model, the same draws and the same predictions on 1 to 4 ranks with 1 or 2 threads each.  Without
# GIBBOUS_FULL_TESTS=1 on 3 ranks with 2 threads only, without GIBBOUS_LONG_TESTS=1 not in every combination.
. "$(dirname "$0")/helpers"
. "$(dirname "$0")/documents"

# train_on RANKS THREADS NAME OPTION...
train_on() {
    local n=$1 threads=$2 name=$3 launch=()
    shift 3
    [ "$n" -eq 1 ] || launch=("$mpirun" -n "$n")
    run "${launch[@]}" "$gibbous" train "$work/docs.jsonl" --label label $options --sweeps 9 --thin 2 "$@" --threads "$threads" \
        --draws "$work/$name.draws" --draws-include eta,scores,assignments,prior -m "$work/$name.gibbous" -q -f
    [ "$status" -eq 0 ] && [ ! -s "$work/stderr" ] || wrong "$command: status $status"
}

# predict NAME
predict() {
    "$gibbous" predict "$work/docs.jsonl" -m "$work/$1.gibbous" --seed 1 -q -f -o "$work/$1.csv" 2>"$work/stderr" ||
        wrong "predict by the model $1"
}

# same NAME: as alone, in all files
same() {
    local file
    for file in gibbous draws; do
        cmp "$work/alone.$file" "$work/$1.$file" || wrong "$command: another $file"
    done
}

# row OPTION...
row() {
    train_on 1 1 alone "$@"
    predict alone
    train_on 1 2 other "$@"
    same other
    for shape in $shapes; do
        rm -f "$work"/other.*
        train_on ${shape%x*} ${shape#*x} other "$@"
        same other
    done
    predict other
    cmp "$work/alone.csv" "$work/other.csv" || wrong "other predictions: $*"
}

shapes=3x2
[ ! "${GIBBOUS_FULL_TESTS-}" ] || shapes="2x2 3x2 4x1"
[ ! "${GIBBOUS_LONG_TESTS-}" ] || shapes="2x1 2x2 3x1 3x2 4x1 4x2"
make_documents
row --blocks 4
row --blocks 4 --sampler mh
row --blocks 4 --prior logistic-normal
row --blocks 4 --prior graph --group year --graph chain
row --blocks 4 --response logistic --calibrate 2
row --topic-treatment sampled --chains 2

# Rank 0 says how many they are, and what all have sent.
run "$mpirun" -n 2 "$gibbous" train "$work/docs.jsonl" --label label $options --sweeps 9 --blocks 4 -m "$work/other.gibbous" -f -v
[ "$status" -eq 0 ] || wrong "$command: status $status"
[ "$(grep -c '^2 ranks: [0-9.]* MB sent per sweep, at most [0-9.]* MB by one$' "$work/stderr")" -eq 1 ] || wrong "$command: no traffic"
[ "$(grep -c ', 2 ranks, ' "$work/stderr")" -eq 1 ] || wrong "$command: does not say that there are 2 ranks"
exit $failed
