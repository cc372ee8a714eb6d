# Held-out likelihood: three ways, tables and JSON, documents without known words, and wrong use.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
gibbous train train.jsonl -k 5 --sweeps 20 --seed 1 -q -m plain.gibbous
digits() {
    awk '{ if ($1 == "n_rough" || $2 ~ /[.]/) $2 = "N"; print $1, $2 }'
}
for method in empirical left-to-right completion; do
    gibbous evaluate test.jsonl -m plain.gibbous --held-out $method | digits
    # threads change nothing, nor do rows in a table
    gibbous evaluate test.jsonl -m plain.gibbous --held-out $method --json --threads 1 >one.json
    gibbous evaluate test.jsonl -m plain.gibbous --held-out $method --json --threads 3 -o $method.csv | cmp - one.json
    # documents add up to what is printed
    sed 's/.*"log_likelihood":\([-0-9.]*\).*/\1/' one.json >printed
    awk -F, 'NR > 1 { n += $2; l += $4 } END { printf "%.6f\n", l / n }' $method.csv >summed
    paste printed summed | awk '{ d = $1 - $2; if (d * d > 1e-10) print "differs: " $0 }'
done
head -n 1 empirical.csv
# auto is completion here; the three ways agree about what is probable
gibbous evaluate test.jsonl -m plain.gibbous --json | cmp - one.json
paste -d, empirical.csv left-to-right.csv | awk -F, 'NR > 1 && ($4 > $9 + 3 || $4 < $9 - 8) { print "far apart: " $0 }'
# known words only are scored; empty documents and unknown words are counted
printf '{"text":""}\n{"text":"xyz zyx"}\n{"text":"%s xyz"}\n' "$(sed 's/.*"text":"\([a-z]*\) .*/\1/' test.jsonl | head -n 1)" >odd.jsonl
gibbous evaluate odd.jsonl -m plain.gibbous --held-out left-to-right --held-out-samples 1 -o odd.csv --table tsv | digits
cut -f 1-3 odd.csv
awk '{ print NF }' FS='\t' odd.csv
head -n 2 odd.jsonl >none.jsonl
try gibbous evaluate none.jsonl -m plain.gibbous
# beside the scores of labels
gibbous train train.jsonl --label label -k 5 --sweeps 20 --seed 1 -q -m model.gibbous
gibbous evaluate test.jsonl -m model.gibbous --held-out completion | digits | sed -n '1,4p;/^held_out/,/^ /p'
gibbous evaluate test.jsonl -m model.gibbous --held-out completion --json | grep -o '"macro_f1":\|"held_out":{"method":"[a-z]*"'
gibbous evaluate test.jsonl -m model.gibbous | grep held_out
try gibbous evaluate test.jsonl -m model.gibbous -o x.csv
try gibbous evaluate test.jsonl -m plain.gibbous --table csv
try gibbous evaluate test.jsonl -m plain.gibbous --held-out perplexity
try gibbous evaluate test.jsonl -m plain.gibbous --held-out-samples x
try gibbous evaluate test.jsonl -m plain.gibbous --label label
try gibbous evaluate test.jsonl -m plain.gibbous --sweeps 5
try gibbous evaluate test.jsonl -m plain.gibbous -o odd.csv
