# Topics as text and as tables: the same words, shares that add up to 1, and the class that each topic speaks for.
. "$TESTS/helpers"
# two classes without a common word: one topic each
awk 'BEGIN { for (i = 0; i < 40; i++) print "{\"text\":\"red red green\",\"l\":\"warm\"}\n{\"text\":\"ice ice snow\",\"l\":\"cold\"}" }' >two.jsonl
sed 's/warm/hot, "very"/' two.jsonl | sed 's/"hot, "very""/"hot, \\"very\\""/' >odd.jsonl
sed 's/"l":"\([a-z]*\)"/"l":["\1"]/' two.jsonl >several.jsonl
fit() {
    gibbous train "$@" -k 2 --alpha 0.1 --sweeps 40 --seed 1 -q --force -m m.gibbous
}
numbers() {
    sed 's/[0-9]\.[0-9]*/N/g; s/^ *[12]  /K  /; s/ diversity.*//; s/^[12]\([,\t]\)/K\1/; s/"topic":[12]/"topic":K/' | sort
}
fit two.jsonl --label l
try gibbous topics m.gibbous --words 2 | numbers
try gibbous topics -m m.gibbous --words 1 --table tsv -q | numbers
fit odd.jsonl --label l
gibbous topics m.gibbous --words 1 --table csv -q | numbers
gibbous topics m.gibbous --words 1 --table jsonl -q | numbers
gibbous topics m.gibbous --table tsv -q | awk 'NR > 1 { sum += $2 } END { printf "%.3f\n", sum }'
fit several.jsonl --labels l
gibbous topics m.gibbous --words 1 | numbers
fit two.jsonl
gibbous topics m.gibbous --words 1 --table jsonl -q | numbers
# more words than there are: all of them
gibbous topics m.gibbous --words 1000 | awk 'NR == 2 || NR == 3 { print NF - 3 }'
gibbous train two.jsonl -k 2 --alpha 0.1 --sweeps 40 --seed 1 --words 1 --force -m m.gibbous 2>&1 | grep '^[12 ] \|^topic' | numbers
try gibbous topics m.gibbous -o t.txt
gibbous topics m.gibbous | cmp - t.txt
try gibbous topics m.gibbous -o t.txt
# orders of words; what a weight does not belong to is refused
try gibbous topics m.gibbous --by frex --by-weight 0.7 --words 2 | numbers
try gibbous topics m.gibbous --by relevance --words 2 --table tsv -q | numbers
try gibbous topics m.gibbous --by lift --by-weight 0.7
try gibbous topics m.gibbous --by salience
. "$TESTS/data_helpers"
make_data
# Topics of several chains are not the same: those of the best chain are shown, or of the one that is asked for, and `edit` keeps that.
gibbous train train.jsonl --label label -k 5 --chains 3 --sweeps 40 --seed 1 -q --force -m three.gibbous
best=$(gibbous info three.gibbous --json | grep -o '"topics_of_chain": *[0-9]*' | grep -o '[0-9]*$')
gibbous topics -m three.gibbous --table tsv -q >best.tsv
gibbous topics -m three.gibbous --table tsv -q --chain $best | cmp - best.tsv && echo the best one leads
gibbous topics -m three.gibbous --table tsv -q --chain $((best % 3 + 1)) >other.tsv
cmp -s best.tsv other.tsv || echo another has other topics
gibbous topics -m three.gibbous --chain $((best % 3 + 1)) 2>&1 | grep -o 'do not have the highest mean log joint'
gibbous edit -m three.gibbous --chain $((best % 3 + 1)) -q -o kept.gibbous >/dev/null && gibbous topics -m kept.gibbous --table tsv -q | cmp - other.tsv && echo kept
try gibbous topics -m three.gibbous --chain 4
