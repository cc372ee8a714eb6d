#!/usr/bin/env bash
# Chains on teams of ranks: the model of one process, also after a checkpoint that other teams go on from.
. "$(dirname "$0")/helpers"
. "$(dirname "$0")/documents"

make_documents
"$gibbous" import "$work/docs.jsonl" --label label --shards 2 -o "$work/all.gbc" -q
common=($options --blocks 4 --thin 2 -q)

# row CHAINS OPTION...: some sweeps on four ranks, and the others on three.
row() {
    local files=(--checkpoint "$work/run.gbk" --force)
    "$gibbous" train "$work/all.gbc" "${common[@]}" --sweeps 12 "$@" -f -m "$work/one.gibbous"
    run "$mpirun" -n 4 "$gibbous" train "$work/all.gbc" "${common[@]}" --sweeps 8 "$@" "${files[@]}" -m "$work/some.gibbous"
    [ "$status" -eq 0 ] && [ ! -s "$work/stderr" ] || wrong "$command: status $status"
    run "$mpirun" -n 3 "$gibbous" train "$work/all.gbc" --resume "$work/run.gbk" --sweeps 12 "$@" -q -f -m "$work/all.gibbous"
    [ "$status" -eq 0 ] && [ ! -s "$work/stderr" ] || wrong "$command: status $status"
    cmp "$work/one.gibbous" "$work/all.gibbous" || wrong "$command: another model"
}

row --chains 2 --teams 2
row --chains 4 --teams 4 --sampler mh
row --strategy one-vs-rest --calibrate 2 --teams 4
exit $failed
