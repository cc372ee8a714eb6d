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
# what is printed for people has none of the marks that a terminal obeys or that turn text round; tables and JSON have them as they are
export LC_ALL=C
iso=$(printf '\342\201\246')
csi=$(printf '\302\233')
nel=$(printf '\302\205')
separator=$(printf '\342\200\250')
for i in 1 2 3 4 5 6; do
    printf '{"id":"i%s%s","text":"apple%s pear apple pear","ki%snd":"%sx","size":%d,"g%sroup":"%sg%s"}\n' "$iso" $i "$rlo" "$csi" "$iso" $i "$iso" "$separator" "$csi"
    printf '{"id":"j%s%s","text":"dog cat dog cat","ki%snd":"y%s%s","size":%d,"g%sroup":"h"}\n' "$nel" $i "$csi" "$csi" "$separator" $((9 - i)) "$iso"
    printf '{"id":"k%s","text":"fig plum fig plum","ki%snd":"z","size":%d,"g%sroup":"h"}\n' $i "$csi" $((4 + i)) "$iso"
done >c.jsonl
kind="ki${csi}nd"
group="g${iso}roup"
gibbous train c.jsonl --label "$kind" --covariates size --group "$group" --prior graph --graph complete -k 2 --sweeps 20 --burn-in 10 --seed 1 -q \
    --min-df 1 --token-pattern '[^ ]+' --chains 2 -m c.gibbous
gibbous import c.jsonl --label "$kind" --group "$group" --min-df 1 -q -o c.gbc
has_marks() {
    grep -c "$rlo\|$iso\|$csi\|$nel\|$separator" "$1"
}
while read -r call; do
    gibbous $call -q >printed 2>messages
    status=$?
    tr -d '\n' <printed | LC_ALL=C grep -q '[[:cntrl:]]' && echo "a control character"
    echo "$call: $status, $(cat printed messages >both && has_marks both) lines with marks, $(grep -c '?' printed | sed 's/^[1-9].*/some/') with ?"
done <<'END'
info c.gibbous
info c.gbc
topics -m c.gibbous
effects -m c.gibbous
evaluate c.jsonl -m c.gibbous
explain c.jsonl -m c.gibbous
diagnose -m c.gibbous
END
gibbous train c.jsonl --label "$kind" -k 2 --sweeps 4 --burn-in 2 --seed 1 --min-df 1 --token-pattern '[^ ]+' --words 5 -m d.gibbous 2>messages
echo "train: $(has_marks messages) lines with marks, $(grep -c 'apple?' messages | sed 's/^[1-9].*/some/') with words"
gibbous predict c.jsonl -m c.gibbous -q >printed
has_marks printed
gibbous info c.gibbous --json >printed
has_marks printed
gibbous effects -m c.gibbous --table csv --kind coefficients -q >printed
has_marks printed
