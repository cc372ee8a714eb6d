# A training says how much memory it needs, and is refused when that is above the limit.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
train() {
    gibbous train train.jsonl --label label -k 5 --sweeps 4 --seed 1 --force -m limited.gibbous "$@"
}
train 2>&1 | grep -o 'about [0-9]* MiB of memory' | sed 's/[0-9][0-9]*/N/'
rm -f limited.gibbous
try train --memory-limit 1M -q 2>&1 | sed 's/about [0-9]* MiB/about N MiB/'
try test -e limited.gibbous
try train --memory-limit 1G -q
try train --memory-limit much -q
# a model that no disk has room for is refused before the first sweep
try gibbous train train.jsonl --label label -k 200 --sweeps 1000000000 --thin 1 --snapshots 1000000000 -m model.gibbous -q 2>&1 |
    sed 's/about [0-9.]* .iB/about N/; s/has [0-9.]* .iB/has N/'
# several inputs count together, with what phrases need
documents() {
    awk -v id="$1" 'BEGIN { split("ape bee cat dog elk", w)
        for (i = 0; i < 20000; i++)
            printf "{\"id\":\"%s%d\",\"text\":\"%s %s %s\"}\n", id, i, w[1 + i % 5], w[1 + (i * 7 + 3) % 5], w[1 + (i * 3) % 5] }'
}
documents a >a.jsonl
documents b >b.jsonl
try gibbous import a.jsonl --memory-limit 1M -q -f -o limited.gbc
try gibbous import a.jsonl b.jsonl --memory-limit 1M -q -f -o limited.gbc
try gibbous import a.jsonl b.jsonl --memory-limit 8M -q -f -o limited.gbc
try gibbous import a.jsonl b.jsonl --memory-limit 8M --ngrams 2 -q -f -o limited.gbc
try gibbous import a.jsonl b.jsonl --memory-limit 80M --ngrams 2 -q -f -o limited.gbc
