# Which topics go together: over documents, or by the covariance that the prior has learnt; the source is said, and what cannot be asked is refused.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
numbers() {
    sed 's/[-+]\{0,1\}[0-9]\.[0-9]*/N/g; s/^[0-9]  *[0-9]  */A B  /; s/  [a-z]* [a-z ]*$/  WORDS/; s/  */ /g'
}
try gibbous topics model.gibbous --correlations --documents-in train.jsonl --rows 2 | numbers
try gibbous topics model.gibbous --correlations --documents-in train.jsonl --rows 2 --words 1 -o text
# the largest first, each within its interval
gibbous topics model.gibbous --correlations --documents-in train.jsonl --rows 0 |
    awk '/^[0-9]/ { m = $3 < 0 ? -$3 : $3; if (n > 0 && m > last + 1e-9) print "not sorted"; last = m; if ($5 > $6 || $6 > $7) print "no interval"; n++ } END { print n, "pairs" }'
gibbous topics model.gibbous --correlations --documents-in train.jsonl --threads 1 >one
gibbous topics model.gibbous --correlations --documents-in train.jsonl --threads 3 | cmp - one
gibbous topics model.gibbous --correlations --documents-in train.jsonl --table csv -q | awk -F , 'NR == 1; NR > 1 { n++; source[$10]++ } END { print n, source["documents"] }'
# a full covariance
gibbous train train.jsonl --label label -k 5 --prior logistic-normal --covariance full --sweeps 40 --seed 1 -q -m ctm.gibbous
try gibbous topics ctm.gibbous --correlations --rows 1 | numbers
gibbous topics ctm.gibbous --correlations --documents-in train.jsonl --rows 1 | grep '^correlations'
printf 'topic,name\n2,<b>two\n' >names.csv
gibbous edit -m ctm.gibbous --names names.csv -o named.gibbous -q >/dev/null
gibbous topics named.gibbous --correlations --table tsv -q | awk -F '\t' 'NR == 1; $2 == 2 { print $10, $12 }'
gibbous topics named.gibbous --correlations --rows 0 | grep -c '<b>two'
# two topics share what there is
gibbous train train.jsonl -k 2 --sweeps 10 --seed 1 -q -m two.gibbous
gibbous topics two.gibbous --correlations --documents-in train.jsonl --table csv -q | awk -F , 'NR > 1 { printf "%d %d %.6f %.6f %s\n", $1, $2, $3, $4, $9 }'
# what cannot be
try gibbous topics model.gibbous --correlations
try gibbous topics model.gibbous --correlations --documents-in none.jsonl
try gibbous topics model.gibbous --rows 3
try gibbous topics ctm.gibbous --correlations --rows 3 --table csv
try gibbous topics ctm.gibbous --correlations --by frex
