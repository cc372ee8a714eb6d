# Topics that count as one: their rows have the union's share and effect with an interval, predictions stay the same, and dropped topics are only left out of lists.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
words() {
    sed 's/[0-9]\.[0-9][0-9]*/N/g; s/  [a-z]* [a-z]*$/  WORDS/'
}
try gibbous edit -m model.gibbous --merge 3+5 --drop 4 --words 2 -o united.gibbous | words
gibbous topics united.gibbous --words 2 --table csv -q | cut -d , -f 1,3 | words
gibbous topics united.gibbous --words 2 --table csv -q | head -n 1
# the share is the sum, the effect the contrast, draw by draw
sum=$(gibbous topics model.gibbous --table tsv -q | awk '$1 == 3 || $1 == 5 { s += $2 } END { printf "%.6f", s }')
gibbous topics united.gibbous --table tsv -q | awk -v s="$sum" '$1 == "3+5" { print ($2 - s < 1e-6 && s - $2 < 1e-6 && $4 <= $3 && $3 <= $5) }'
gibbous effects model.gibbous --contrast 3+5 --table csv -q | cut -d , -f 7-12 | tail -n +2 >contrast
gibbous effects united.gibbous --table csv -q | grep ',3+5,' | cut -d , -f 5-10 | cmp - contrast
# a topic of it stands for all of it
gibbous effects united.gibbous --contrast 5 --table csv -q | cut -d , -f 7-12 | tail -n +2 | cmp - contrast
try gibbous effects united.gibbous --contrast 5,4
gibbous effects united.gibbous --table csv -q | awk -F , '$2 == "c1" { print $3, $4 }'
gibbous effects united.gibbous -q --rows 2 | grep -c ' topic  *3+5 '
# what is predicted stays
gibbous predict test.jsonl -m model.gibbous -q >a
gibbous predict test.jsonl -m united.gibbous -q | cmp - a
# infer and explain have the union's part, which is the sum of its topics'
gibbous infer test.jsonl -m model.gibbous -q --table tsv >a
gibbous infer test.jsonl -m united.gibbous -q --table tsv >b
head -n 1 b | tr '\t' ' '
paste a b | awk 'NR > 1 { d = $4 + $6 - $(NF - 2); bad += d > 1e-6 || d < -1e-6 || $2 != $(NF - 4) } END { print (NR > 5), bad + 0 }'
gibbous explain test.jsonl -m model.gibbous -q --table tsv >a
gibbous explain test.jsonl -m united.gibbous -q --table tsv >b
awk -F '\t' '$6 == "topic" { print $7 }' b | sort -u | tr '\n' ' '
echo
of() {
    awk -F '\t' -v names="$1" '($6 == "topic" && index(" " names " ", " " $7 " ")) || $6 == names { share[$1 $3] += $8; part[$1 $3] += $9 }
        END { for (i in share) printf "%s %.4f %.4f\n", i, share[i], part[i] }' "$2" | sort
}
of '3 5' a >sums
of 3+5 b | awk '{ getline other <"sums"; split(other, o); d = $2 - o[2]; e = $3 - o[3]; bad += $1 != o[1] || d * d > 1e-7 || e * e > 1e-7 } END { print (NR > 5), bad + 0 }'
of 4 a >dropped
of left-out-topics b | cmp - dropped
gibbous explain test.jsonl -m united.gibbous -q --table tsv --table-of words | cut -f 8 | sort -u | grep -c '^3+5$'
gibbous explain test.jsonl -m united.gibbous -q | grep -c '^  topic  *3+5 '
# documents of the union, and names
gibbous topics united.gibbous --documents-in train.jsonl --documents-shown 2 --table csv -q | awk -F , '$(NF - 1) ~ /^[0-9]+;[0-9]+$/' | wc -l
printf 'topic,group\n1,<b>Sport\n2,<b>Sport\n3,\n' >groups.csv
gibbous edit -m united.gibbous --topic-groups groups.csv -o grouped.gibbous -q >/dev/null
gibbous topics grouped.gibbous -q --table csv | cut -d , -f 1,2
gibbous edit -m grouped.gibbous --merge 4 --drop 5,3 -o x.gibbous -q >/dev/null
gibbous topics x.gibbous -q --table csv | cut -d , -f 1,2
printf 'topic,name\n1,\n2,\n' >names.csv
gibbous edit -m grouped.gibbous --topic-groups groups.csv --names names.csv -o x.gibbous -q --force >/dev/null
gibbous topics x.gibbous -q --table csv | cut -d , -f 1
# alone again, the model is the one from before
printf 'topic,group\n1,\n2,\n3,\n4,\n5,\n' >alone.csv
gibbous edit -m grouped.gibbous --topic-groups alone.csv --names names.csv -o plain.gibbous -q >/dev/null
cmp plain.gibbous model.gibbous
# what cannot be
try gibbous edit -m model.gibbous --merge 3+9 -o y.gibbous
try gibbous edit -m model.gibbous --merge 3+ -o y.gibbous
try gibbous edit -m model.gibbous --drop x -o y.gibbous
try gibbous edit -m model.gibbous --drop 1,2,3,4,5 -o y.gibbous
printf 'topic,group\n1,a\n1,b\n' >twice.csv
try gibbous edit -m model.gibbous --topic-groups twice.csv -o y.gibbous
printf 'topic,group\n9,a\n' >nine.csv
try gibbous edit -m model.gibbous --topic-groups nine.csv -o y.gibbous
gibbous train train.jsonl --label label -k 3 --strategy one-vs-rest --sweeps 6 --seed 1 -q -m own.gibbous
try gibbous edit -m own.gibbous --merge 1+2 -o y.gibbous
