# Names and classes that come from others: messages stay one line that a terminal shows as it is, cells can be taken apart again, and none is a
# formula where that is asked for.
. "$TESTS/helpers"
esc=$(printf '\033')
rlo=$(printf '\342\200\256')
printf '{"text":"apple pear","year\\u001b[2J":1}\n' >a.jsonl
gibbous import a.jsonl --label "no${rlo}name" -o a.gbc -q 2>&1
gibbous import a.jsonl --label "no${esc}[2Jname" -o a.gbc -q 2>&1
gibbous import "no${esc}such${rlo}file
at all" -o a.gbc -q 2>&1
for i in 1 2 3 4 5 6; do
    printf '{"id":"=1+%s","text":"apple pear apple pear","tags":["a;b","-c\\\\d"]}\n' $i
    printf '{"id":"@%s","text":"dog cat dog cat","tags":["+x"]}\n' $i
done >b.jsonl
gibbous train b.jsonl --labels tags -k 2 --sweeps 20 --burn-in 10 --seed 1 -q -m b.gibbous --cut-off none
for option in '' --safe-cells '--table tsv --safe-cells' '--table jsonl --safe-cells'; do
    # shellcheck disable=SC2086
    gibbous predict b.jsonl -m b.gibbous -q $option | head -n 3 | sed 's/\([^,	]*[,	][^,	]*\).*/\1/'
done
