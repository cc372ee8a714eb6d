#!/usr/bin/env bash
# Of a corpus in shards a rank reads the manifest and the shards with its own documents: each rank has a folder of its own here, without the
# others' shards.
. "$(dirname "$0")/helpers"
. "$(dirname "$0")/documents"

make_documents
"$gibbous" import "$work/docs.jsonl" --label label --covariates year --shards 4 -o "$work/all.gbc" -q
for rank in 0 1; do
    mkdir "$work/$rank"
    cp "$work/all.gbc" "$work/$rank/"
    cp "$work/all-$((2 * rank + 1))-of-4.gbc" "$work/all-$((2 * rank + 2))-of-4.gbc" "$work/$rank/"
done

# row OPTION...: one process with all shards, then two ranks with their own.
row() {
    local common=($options --sweeps 9 --thin 2 --draws-include eta,scores,assignments,prior -q -f "$@")
    "$gibbous" train "$work/all.gbc" "${common[@]}" --draws "$work/alone.draws" -m "$work/alone.gibbous"
    local two=("${common[@]}" --draws "$work/two.draws" -m "$work/two.gibbous")
    run "$mpirun" -n 1 "$gibbous" train "$work/0/all.gbc" "${two[@]}" : -n 1 "$gibbous" train "$work/1/all.gbc" "${two[@]}"
    [ "$status" -eq 0 ] && [ ! -s "$work/stderr" ] || wrong "$command: status $status"
    for file in gibbous draws; do
        cmp "$work/alone.$file" "$work/two.$file" || wrong "$command: another $file"
    done
}

row --blocks 4
row --blocks 4 --response logistic --calibrate 2 --chains 2
[ ! "${GIBBOUS_FULL_TESTS-}" ] || {
    row --blocks 4 --sampler mh --strategy one-vs-rest
    row --blocks 4 --prior logistic-normal
    row --blocks 4 --calibrate 0
    row --topic-treatment sampled
}

# As many ranks as shards: each has one.
launch=()
"$gibbous" train "$work/all.gbc" $options --blocks 4 --sweeps 9 -m "$work/alone.gibbous" -q -f
for rank in 0 1 2 3; do
    mkdir "$work/own$rank"
    cp "$work/all.gbc" "$work/all-$((rank + 1))-of-4.gbc" "$work/own$rank/"
    launch+=(: -n 1 "$gibbous" train "$work/own$rank/all.gbc" $options --blocks 4 --sweeps 9 -m "$work/four.gibbous" -q)
done
run "$mpirun" "${launch[@]:1}"
[ "$status" -eq 0 ] || wrong "$command: status $status"
cmp "$work/alone.gibbous" "$work/four.gibbous" || wrong "$command: another model"

# On another number of ranks a rank needs other shards, and says which it has not.
run "$mpirun" -n 1 "$gibbous" train "$work/0/all.gbc" $options --blocks 4 -m "$work/x" -q : \
    -n 3 "$gibbous" train "$work/1/all.gbc" $options --blocks 4 -m "$work/x" -q
fails_within 30
says "gibbous: rank 1: $work/1/all.gbc: shard 2 of 4: $work/1/all-2-of-4.gbc: cannot open: No such file or directory" 1
[ ! -e "$work/x" ] || wrong "$command: has written a model"
exit $failed
