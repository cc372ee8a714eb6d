# Scores as sums: parts add up to what predict gives, as tables and as text; other classes, words without which, nearest documents.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
gibbous predict test.jsonl -m model.gibbous -q --scores --table tsv | awk -F '\t' 'NR > 1 { for (c = 6; c <= 8; c++) print $1, $c }' |
    sort >scores
sums() { # parts of each score add up to it
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { sum[$1 " " $3] += $at["part"]; score[$1 " " $3] = $4 }
        END { for (i in sum) { n++; d = sum[i] - score[i]; bad += d > 1e-6 || d < -1e-6 }; print n, "sums,", bad + 0, "wrong" }'
}
gibbous explain test.jsonl -m model.gibbous -q --table tsv --of all >parts.tsv
head -n 1 parts.tsv
sums <parts.tsv
awk -F '\t' '$6 == "average" { print $1, $4 }' parts.tsv | sort | diff - scores
# by default the class that is predicted; the same bytes from one thread
gibbous explain test.jsonl -m model.gibbous -q --table csv -o a.csv
gibbous explain test.jsonl -m model.gibbous -q --table csv --threads 1 | cmp - a.csv
gibbous predict test.jsonl -m model.gibbous -q | awk -F , 'NR > 1 { print $1, $2 }' | sort >predicted
awk -F , '$6 == "average" { print $1, $3 }' a.csv | sort | diff - predicted
# words, with a score without them for two of each document
gibbous explain test.jsonl -m model.gibbous -q --table tsv --table-of words --without 2 >words.tsv
head -n 1 words.tsv
awk -F '\t' 'NR > 1 && $NF != "" { n[$1]++ } END { for (i in n) { docs++; if (n[i] != 2) print i, n[i] }; print docs, "documents" }' words.tsv
gibbous explain test.jsonl -m model.gibbous -q --table tsv --table-of topic-words | head -n 1
# words, covariates and a number in units of its field
awk 'BEGIN { srand(3); for (i = 1; i <= 80; i++) { k = i % 2; s = "";
    for (j = 0; j < 12; j++) s = s " " substr(k ? "good great fine warm" : "bad poor dull cold", 1 + 5 * int(4 * rand()), 4);
    printf "{\"id\":\"d%d\",\"text\":\"%s\",\"y\":%.3f,\"year\":%d,\"who\":\"%s\"}\n", i, s, 10 * k + rand(), 2000 + i % 7, i % 3 ? "a" : "b" } }' >rated.jsonl
gibbous train rated.jsonl --target y --covariates year,who -k 3 --word-effects tfidf --sweeps 60 --burn-in 20 --chains 2 --seed 1 -q -m rated.gibbous
gibbous explain rated.jsonl -m rated.gibbous -q --table tsv >parts.tsv
cut -f 6 parts.tsv | sort -u
sums <parts.tsv
gibbous predict rated.jsonl -m rated.gibbous -q | awk -F , 'NR > 1 { print $1, $2 }' >predicted
awk -F '\t' '$6 == "average" { printf "%s %.5f\n", $1, $4 }' parts.tsv >explained
awk '{ printf "%s %.5f\n", $1, $2 }' predicted | diff - explained | head -n 3
# nearest documents: not the document itself
gibbous explain rated.jsonl -m rated.gibbous -q --nearest-in rated.jsonl --nearest 2 --table csv --table-of nearest >near.csv
head -n 1 near.csv
awk -F , 'NR > 1 { n++; same += $1 == $3; odd += (substr($1, 2) + substr($3, 2)) % 2 } END { print n, same, odd }' near.csv
# some parts and words, and the rest together
gibbous explain rated.jsonl -m rated.gibbous -q --table tsv --rows 2 >few.tsv
sums <few.tsv
cut -f 1 few.tsv | sort | uniq -c | awk '{ print $1 }' | sort -n | tail -n 1
gibbous explain rated.jsonl -m rated.gibbous -q --table tsv --rows 2 --table-of words | cut -f 1 | sort | uniq -c | awk '$2 != "id" { print $1 }' | sort -u
# text: the shape of a document's lines
gibbous explain rated.jsonl -m rated.gibbous -q --words 1 --without 1 --nearest-in rated.jsonl >text
awk '/^d2:/ { exit } { print }' text | sed 's/[+-][0-9.]\{1,\}/V/g; s/[0-9.]\{1,\}/N/g; s/dN/ID/g; s/\b\(good\|great\|grea\|fine\|fin\|warm\|war\|bad\|poor\|dull\|cold\|oor\|ull\|old\)\b */WORD /g; s/  */ /g; s/\(WORD \)\{2,\}/WORDS /; s/ $//' | sort | uniq -c
# what cannot be
try gibbous explain rated.jsonl -m rated.gibbous --of good
try gibbous explain rated.jsonl -m rated.gibbous --table-of words
try gibbous explain rated.jsonl -m rated.gibbous --table csv --table-of nearest
try gibbous explain rated.jsonl -m rated.gibbous --nearest 2
gibbous train rated.jsonl -k 2 --response none --sweeps 5 --burn-in 2 --seed 1 -q -m none.gibbous
try gibbous explain rated.jsonl -m none.gibbous
