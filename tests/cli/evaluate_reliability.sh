# The reliability table and its error are those of the probabilities that predict gives; the hinge has none.
. "$TESTS/data_helpers"
make_data
# "PROBABILITY HAPPENED" lines to lines "low high n mean share" of the bins that have any, then the error.
bins() {
    awk '{ b = int($1 * 10); if (b > 9) b = 9; n[b]++; p[b] += $1; happened[b] += $2 }
        END { for (b = 0; b < 10; b++) if (n[b] > 0) {
                  printf "%.1f %.1f %d %.6f %.6f\n", b / 10, (b + 1) / 10, n[b], p[b] / n[b], happened[b] / n[b]
                  d = happened[b] - p[b]; error += d < 0 ? -d : d }
              printf "%.6f\n", error / NR }'
}
# The same of the JSON object that evaluate prints.
printed() {
    grep -o '"low":[^}]*' "$1" | sed 's/[^0-9.]/ /g' |
        awk '$3 > 0 { printf "%.1f %.1f %d %.6f %.6f\n", $1, $2, $3, $4, $5 }'
    sed 's/.*"ece":\([0-9.]*\).*/\1/' "$1" | awk '{ printf "%.6f\n", $1 }'
}
# Lines of numbers that agree up to rounding: near TOLERANCE FILE1 FILE2
near() {
    paste -d ' ' "$2" "$3" | awk -v tolerance="$1" '{
        for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (d * d > tolerance * tolerance) wrong = 1 }
        if (NF % 2 || wrong) { print "differs: " $0; exit } }
        END { if (NR == 0) print "nothing to compare" }'
}

gibbous train train.jsonl --label label --response logistic --cost 1 -k 5 --sweeps 20 --seed 1 -q -m one.gibbous
gibbous evaluate test.jsonl -m one.gibbous --json >scores.json
sed 's/.*"label":"c\([^"]*\)".*/\1/' test.jsonl >truth
gibbous predict test.jsonl -m one.gibbous -q | tail -n +2 | sed 's/,c/,/' | paste -d, truth - |
    awk -F, '{ print $(3 + $3), $1 == $3 }' | bins >expected
printed scores.json >found
near 2e-6 expected found
wc -l <expected | awk '$1 < 4 { print "too few bins to tell: " $1 - 1 }'
grep -o '"low":' scores.json | wc -l
gibbous evaluate test.jsonl -m one.gibbous | sed -n '/: probability/,/^$/p' >table
head -n 2 table
sed '1,2d; $d' table | awk '$3 > 0 { print $1, $2, $3, $4, $5 }' >rows
sed '$d' expected >bins
near 1e-4 bins rows

gibbous train train.jsonl --labels label --response logistic --cost 1 -k 5 --sweeps 20 --seed 1 -q -m several.gibbous
gibbous evaluate test.jsonl -m several.gibbous --json >scores.json
gibbous predict test.jsonl -m several.gibbous -q | tail -n +2 | paste -d, truth - |
    awk -F, '{ for (c = 1; c <= 3; c++) print $(3 + c), $1 == c }' | bins >expected
printed scores.json >found
near 2e-6 expected found
gibbous evaluate test.jsonl -m several.gibbous | grep ': probability'

gibbous train train.jsonl --label label --calibrate 0 -k 5 --sweeps 20 --seed 1 -q -m hinge.gibbous
gibbous evaluate test.jsonl -m hinge.gibbous --json | grep -c '"ece"\|"reliability"'
gibbous evaluate test.jsonl -m hinge.gibbous | grep -c 'ece\|probability'
true
