# A training has its corpus in memory: what happens to the file meanwhile does no harm.
. "$TESTS/helpers"
gibbous simulate -k 5 --documents 300 --length 60 --vocabulary-size 500 --classes 2 --seed 1 -q -o docs.jsonl
gibbous import docs.jsonl --label label -q -o docs.gbc
gibbous import docs.jsonl --label label --shards 2 -q -o parts.gbc
for corpus in docs parts; do
    : >messages
    gibbous train $corpus.gbc -k 20 --sweeps 400 --seed 1 -m $corpus.gibbous 2>messages &
    pid=$!
    wait_for_message 'sweep'
    for file in $corpus*.gbc; do
        echo 'not a corpus' >"$file" # as cp does: the same file, shorter
    done
    wait $pid && echo "$corpus: trained"
    gibbous predict docs.jsonl -m $corpus.gibbous -q | wc -l
done
cmp docs.gibbous parts.gibbous
