#!/usr/bin/env bash
# predict, infer and evaluate on several ranks write what one process writes, byte for byte; rank 0 alone writes.
. "$(dirname "$0")/helpers"

"$gibbous" simulate -k 5 --documents 300 --length 40 --vocabulary-size 200 --classes 3 --alpha 0.2 \
    --variance 200 --seed 4 -q -o "$work/all.jsonl"
# a number, a group that the model does not have, and a document without words
head -n 240 "$work/all.jsonl" | awk '{ sub(/^{/, "{\"stars\":" NR % 7 ",\"year\":" 2001 + NR % 5 ","); print }' >"$work/train.jsonl"
tail -n 60 "$work/all.jsonl" | awk '{ sub(/^{/, "{\"stars\":" NR % 7 ",\"year\":" (NR % 9 ? 2003 : 2007) ","); print }
    END { print "{\"id\":\"none\",\"text\":\"\",\"label\":\"c1\",\"stars\":2,\"year\":2003}" }' >"$work/test.jsonl"
train() {
    "$gibbous" train "$work/train.jsonl" -k 5 --sweeps 20 --snapshots 3 --seed 1 -q "$@"
}
train --label label -m "$work/classes"
train --label label --response logistic --strategy one-vs-rest --prior logistic-normal -m "$work/logistic"
train --target stars --cost 1 -m "$work/number"
train --prior graph --group year --graph chain -m "$work/groups"

# on RANKS COMMAND...: one rank is a process alone.
on() {
    local n=$1
    shift
    if [ "$n" -eq 1 ]; then run "$gibbous" "$@"; else run "$mpirun" -n "$n" "$gibbous" "$@"; fi
    [ "$status" -eq 0 ] || wrong "$command: status $status"
}

# prints VERB OPTION...: standard output is that of one process.
prints() {
    for n in 1 2 3; do
        on $n "$@" -q
        [ -s "$work/stdout" ] || wrong "$command: nothing was written"
        [ "$n" -gt 1 ] || cp "$work/stdout" "$work/alone"
        cmp "$work/stdout" "$work/alone" || wrong "$command: not what one process prints"
    done
}

# writes VERB OPTION...: so is the file of --output, and standard output.
writes() {
    for n in 1 2 3; do
        rm -f "$work/table"
        on $n "$@" -q -o "$work/table"
        [ "$n" -gt 1 ] || cp "$work/table" "$work/alone.table"
        [ "$n" -gt 1 ] || cp "$work/stdout" "$work/alone"
        cmp "$work/stdout" "$work/alone" || wrong "$command: not what one process prints"
        cmp "$work/table" "$work/alone.table" || wrong "$command: not what one process writes"
    done
}

test=$work/test.jsonl
writes predict "$test" -m "$work/classes" --scores
prints predict "$test" -m "$work/classes" --table jsonl --threads 2
writes predict "$test" -m "$work/logistic"
prints predict "$test" -m "$work/number" --table tsv
writes infer "$test" -m "$work/groups" --new-groups extend
prints infer "$test" -m "$work/classes" --table jsonl
prints evaluate "$test" -m "$work/logistic" --json
prints evaluate "$test" -m "$work/number"
for method in empirical left-to-right completion; do
    writes evaluate "$test" -m "$work/groups" --new-groups level --held-out $method --held-out-samples 3 --json
done
prints evaluate "$test" -m "$work/classes" --baseline-on "$work/train.jsonl"
"$gibbous" simulate -k 5 --documents 900 --length 20 --vocabulary-size 200 --classes 3 --seed 5 -q -o "$work/many.jsonl"
writes evaluate "$work/many.jsonl" --label label --folds 3 -k 5 --sweeps 10 --parts 2 --seed 3 --held-out completion
prints evaluate "$work/train.jsonl" --hold-out-group year=2001 --hold-out-group year=2004 -k 5 --sweeps 20 \
    --seed 3 --json

# More ranks than documents; and standard output, which rank 0 alone has.
head -n 2 "$test" >"$work/two.jsonl"
run "$gibbous" infer "$work/two.jsonl" -m "$work/classes" -q
cp "$work/stdout" "$work/two"
run "$mpirun" -n 4 "$gibbous" infer "$work/two.jsonl" -m "$work/classes" -q
cmp "$work/stdout" "$work/two" || wrong "$command: four ranks, two documents"

# A failure of all, or of rank 0 at its file, is told once, and leaves no file.
run "$mpirun" -n 3 "$gibbous" predict "$test" -m "$work/classes" -o "$work/two"
[ "$status" -ne 0 ] && [ "$seconds" -le 20 ] || wrong "$command: a file that exists"
[ "$(grep -c '^gibbous: ' "$work/stderr")" -eq 1 ] || wrong "$command: one message"
run "$mpirun" -n 3 "$gibbous" infer "$test" -m "$work/groups" -o "$work/none" # a new group, without --new-groups
[ "$status" -eq 3 ] && [ ! -e "$work/none" ] || wrong "$command: status $status"
[ "$(grep -c '^gibbous: ' "$work/stderr")" -eq 1 ] || wrong "$command: one message"
exit $failed
