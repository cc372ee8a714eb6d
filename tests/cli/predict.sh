# One row out per row in, in order, in every layout; the same bytes however the batches and threads fall.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
gibbous predict test.jsonl -m model.gibbous -q -o a.csv
gibbous predict test.jsonl -m model.gibbous -q --threads 1 >b.csv
cmp a.csv b.csv
head -n 1 a.csv
wc -l <a.csv
gibbous predict test.jsonl -m model.gibbous -q --scores --table tsv | head -n 1
gibbous infer test.jsonl -m model.gibbous -q | head -n 1
gibbous infer test.jsonl -m model.gibbous -q --table jsonl | wc -l
# each row alone gets the row number it has alone, so only the first is the same
head -n 1 test.jsonl | gibbous predict - -m model.gibbous -q --format jsonl | tail -n 1 >first
sed -n 2p a.csv | cmp - first
# ids that need care; a document without a known word is answered by the prior and says so
printf '{"id":"a,\\"b\\"","text":""}\n{"id":"c;d","text":"zzz"}\n{"text":"baba"}\n' >odd.jsonl
for layout in csv tsv jsonl; do
    gibbous predict odd.jsonl -m model.gibbous -q --table $layout |
        sed 's/-\{0,1\}[0-9]\{1,\}\.[0-9]*/S/g; s/c[123]\([,\t"]\)/CLASS\1/g; s/score_CLASS/score/g'
done
gibbous predict odd.jsonl -m model.gibbous >/dev/null
try gibbous predict test.jsonl -m model.gibbous -o a.csv
try gibbous predict test.jsonl -m model.gibbous -o new.csv
try gibbous predict test.jsonl -m model.gibbous -o new.csv --force -q
# options of draws are not taken in silence where nothing is drawn
try gibbous predict test.jsonl -m model.gibbous -o new.csv --force --infer-sweeps 4
try gibbous infer test.jsonl -m model.gibbous -o new.csv --force --seed 4
# many classes: the most probable ones, in order
gibbous predict test.jsonl -m model.gibbous -q --top 2 | head -n 1
gibbous predict test.jsonl -m model.gibbous -q --top 2 | awk -F, 'NR > 1 && ($2 != $3 || $4 < $6) { n++ } END { print n + 0, "rows out of order" }'
try gibbous predict test.jsonl -m model.gibbous --top 2 --scores
# the question of the same name has the same rows
for options in '' '--scores' '--top 2'; do
    gibbous predict test.jsonl -m model.gibbous -q --seed 1 $options >told
    gibbous ask predictions test.jsonl -m model.gibbous -q --seed 1 --table csv $options | cmp - told
done
try gibbous ask predictions -m model.gibbous
gibbous predict test.jsonl -m model.gibbous >/dev/full
