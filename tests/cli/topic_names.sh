# Names of topics: they stay in a copy of the model, are shown beside topics and effects and in explanations, and whatever they are made of stays
# text: on a terminal without escapes and marks of direction, in tables as it is.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
rlo=$(printf '\342\200\256')
long=$(printf '%10000s' '' | tr ' ' x)
printf 'topic,name\n2,<script>alert("1")</script>\n3,%sgninnur\n4,%s\n1,"=cmd, ""quoted"""\n' "$rlo" "$long" | sed '2s/.*/2,"<script>alert(""1"")<\/script>"/' >names.csv
try gibbous edit -m model.gibbous --names names.csv -o named.gibbous --words 2 >text
sed 's/[0-9]\.[0-9]*/N/g; s/  \([a-z]* [a-z]*\)$/  WORDS/; s/: [a-z]* [a-z]*$/: WORDS/' text | head -n 13
gibbous topics named.gibbous --words 2 >shown
sed '1,2d; /^\[0\]$/d' text | cmp - shown
# in tables every character of them, and back again
gibbous topics named.gibbous --table csv -q >topics.csv
sed -n '1p; /script/p; /quoted/p' topics.csv | sed 's/,0\.[0-9]*.*/,.../'
grep -c "^3,${rlo}gninnur," topics.csv
awk 'length($0) > 10000' topics.csv | wc -l
gibbous edit -m model.gibbous --names topics.csv -o again.gibbous -q >/dev/null
cmp named.gibbous again.gibbous
gibbous topics named.gibbous --table csv --safe-cells -q | grep -c "^1,\"'=cmd"
gibbous topics named.gibbous --table jsonl -q | sed -n 's/.*"name":"\(.script.*script>\)".*/\1/p'
# predictions are the same; effects and explanations have the names
gibbous predict test.jsonl -m model.gibbous -q >a
gibbous predict test.jsonl -m named.gibbous -q | cmp - a
gibbous effects -m named.gibbous -q | grep -c 'script>'
gibbous effects -m named.gibbous -q --table csv | head -n 1
gibbous effects -m named.gibbous -q --table tsv | awk -F '\t' '$4 == 2 && $14 ~ /^.script/' | wc -l
gibbous explain test.jsonl -m named.gibbous -q | grep -c '^  topic  *2 .* .script>alert("1")</script>  '
gibbous explain test.jsonl -m named.gibbous -q | grep -c "$rlo"
gibbous explain test.jsonl -m named.gibbous -q --table csv | head -n 1
# what cannot be
try gibbous edit -m model.gibbous -o x.gibbous
try gibbous edit -m model.gibbous --names names.csv
try gibbous edit --names names.csv -o x.gibbous
try gibbous edit -m model.gibbous --names names.csv -o named.gibbous
try gibbous edit -m model.gibbous --names names.csv -o model.gibbous --force
try gibbous topics model.gibbous --names names.csv
printf 'topic,name\n9,a\n' >bad.csv
try gibbous edit -m model.gibbous --names bad.csv -o x.gibbous
try gibbous edit -m model.gibbous --names none.csv -o x.gibbous
# documents that topics are about
gibbous topics model.gibbous --documents-in train.jsonl --documents-shown 1 --words 2 | sed -n '1,3p; /^topic 1/,/^$/p' | sed 's/[0-9.]\{2,\}/N/g; s/[a-z][a-z]*[a-z]/w/g'
gibbous topics model.gibbous --documents-in train.jsonl --documents-shown 2 --table csv -q | head -n 1
gibbous topics model.gibbous --documents-in train.jsonl --documents-shown 2 --table csv -q | awk -F , 'NR > 1 && $(NF - 1) ~ /^[0-9]+;[0-9]+$/' | wc -l
try gibbous topics model.gibbous --documents-in none.jsonl
