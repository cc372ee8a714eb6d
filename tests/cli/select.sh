# Choosing between settings: scores are those of a cross-validation, threads change nothing, and what is done is not done again.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
head -n 120 all.jsonl | awk '{ sub(/}$/, ",\"venue\":\"v" NR % 7 "\",\"year\":" 2000 + NR % 9 "}"); print }' >some.jsonl
options="--label label --sweeps 20 --seed 3"
# The columns after stability are seconds.
without_time() {
    sed -E 's/ +seconds +se$//; s/ +[0-9.]+ +[0-9.]+( +[a-z1][a-z0-9/:, ]*)?$/\1/'
}

gibbous select some.jsonl $options -k 4,8 --folds 3 --fold-by random --json -q | sed 's/,"accuracy_se.*//; s/.*accuracy"://' >one
gibbous evaluate some.jsonl $options -k 4 --folds 3 --json -q | sed 's/.*"accuracy":{"value":\([^,]*\),.*/\1/' | cmp - one
# Threads change nothing, nor does the end of the run before.
gibbous select some.jsonl $options -k 4,8 --cost 1,4 --folds 3 --threads 1 -q | without_time >expected
gibbous select some.jsonl $options -k 4,8 --cost 1,4 --folds 3 --threads 4 --results tried.jsonl -q | without_time | cmp - expected
wc -l <tried.jsonl | tr -d ' '
head -n 5 tried.jsonl >torn.jsonl
sed -n 6p tried.jsonl | cut -c 1-100 | tr -d '\n' >>torn.jsonl
gibbous select some.jsonl $options -k 4,8 --cost 1,4 --folds 3 --results torn.jsonl 2>notes | without_time | cmp - expected
sed -n 's/ of [0-9.e-]* s each took .*//p; / from /p' notes
sed 's/.*"settings"/"settings"/; s/"seconds.*//' tried.jsonl | sort >expected_fits
sed 's/.*"settings"/"settings"/; s/"seconds.*//' torn.jsonl | sort | cmp - expected_fits
# The seed comes from the file; another grid takes what it can use.
gibbous select some.jsonl --label label --sweeps 20 --cost 1 -k 4,8,12 --folds 3 --results tried.jsonl 2>&1 >/dev/null |
    sed 's/ of [0-9.e-]* s each took .*//; / of [0-9]* fits  /d' # progress, where a fit takes long
# Another sweep, another seed, another fold: other fits.
for other in "--sweeps 21 --seed 3" "--sweeps 20 --seed 4" "--sweeps 20 --seed 3 --fold-by random"; do
    cp tried.jsonl other.jsonl
    gibbous select some.jsonl --label label $other -k 4,8 --cost 1,4 --folds 3 --results other.jsonl 2>&1 >/dev/null | sed -n 's/ from .*/ known/p'
done
# A line of advice; the table as a file; lists in a configuration file and in --grid.
gibbous select some.jsonl $options -k 4,8 --folds 3 -q -o table.csv | tail -n 1 | sed 's/[0-9]\.[0-9]*/N/g'
head -n 1 table.csv
cut -d, -f 3,4 table.csv | tail -n +2 | sort -u | grep -c .
printf 'topics = 4,8\nfolds = 3\n' >c.conf
gibbous select some.jsonl $options --config c.conf -q | without_time >expected
gibbous select some.jsonl $options --grid topics=4,8 --folds 3 -q | without_time | cmp - expected
gibbous select some.jsonl $options --grid two-stage=no,yes --alpha '0.1;0.2,0.2,0.2' -k 3 --folds 2 -q | awk '{ print $1, $2 }'
# Halving: the table says who went on.
gibbous simulate -k 3 --documents 1500 --length 8 --vocabulary-size 30 --seed 1 -q -o many.jsonl
gibbous select many.jsonl --label label --sweeps 4 --seed 3 -k 2,3,4,5,6,7 --folds 2 --halving documents --results third.jsonl -q >/dev/null
grep -o '"divisor":.,"n_training":[0-9]*' third.jsonl | sort -u
gibbous select some.jsonl $options -k 4,5,6 --folds 2 --halving documents --results few.jsonl -q >/dev/null
grep -o '"divisor":.' few.jsonl | sort -u
gibbous select some.jsonl $options -k 3,4,5 --folds 2 --halving sweeps --results halves.jsonl -q | grep -c dropped
grep -o '"divisor":.' halves.jsonl | sort | uniq -c | awk '{ print $1, $2 }'
# Folds: each group in one, and only the past for training; groups by name.
gibbous select some.jsonl $options -k 4,8 --folds 3 --fold-by group:venue --json -q | grep -o '"score":"n","value":[0-9]*' | head -n 1
gibbous select some.jsonl $options -k 4,8 --folds 3 --fold-by time:year --results years.jsonl -q >/dev/null
sed -n 's/.*"settings":{"topics":"4"},"fold":"\(.\)".*"n_training":\([0-9]*\),"n_held_out":\([0-9]*\).*/\1 \2 \3/p' years.jsonl | sort
gibbous select some.jsonl $options -k 4,8 --hold-out-group venue=v1 --hold-out-group venue=v2 --json -q | grep -o '"fold":"[^"]*"' | sort -u
gibbous evaluate some.jsonl $options -k 4 --folds 3 --fold-by time:year -q | tail -n 1
# Several responses, numbers and none.
gibbous select some.jsonl --label label --target year --sweeps 20 --seed 3 -k 4,8 --folds 2 -q | head -n 1 | tr -s ' '
gibbous select some.jsonl --target year --sweeps 20 --seed 3 -k 4,8 --folds 2 -q | head -n 1 | tr -s ' '
gibbous select some.jsonl --response none --sweeps 20 --seed 3 -k 4,8 --folds 2 -q | head -n 1 | tr -s ' '
# Errors say what was expected.
try gibbous select some.jsonl -k 4
try gibbous select some.jsonl -k 4,4
try gibbous select some.jsonl -k 4,x
try gibbous select some.jsonl -k 4,1
try gibbous select some.jsonl --grid lowercase=yes,no
try gibbous select some.jsonl --grid topics
try gibbous select some.jsonl -k 4,8 --grid topics=2,3
try gibbous select some.jsonl -k 4,8 --criterion f1
try gibbous select some.jsonl -k 4,8 $options --criterion r2 -q
try gibbous select some.jsonl -k 4,8 --fold-by time
try gibbous select some.jsonl -k 4,8 --fold-by group:nowhere
try gibbous select some.jsonl -k 4,8 --fold-by group:venue --folds 8
try gibbous select some.jsonl -k 4,8 --fold-by time:year --folds 9 --label label
try gibbous select some.jsonl -k 4,8 --halving sweeps
try gibbous select some.jsonl -k 4,8 --results some.jsonl
try gibbous select some.jsonl -k 4,8 --results all.jsonl
try gibbous select some.jsonl -k 4,8 --results c.conf
try gibbous select some.jsonl -k 4,8 --results nowhere/x.jsonl $options -q
try gibbous select some.jsonl -k 4,8 --time-limit 1s
try gibbous select some.jsonl --prior logistic-normal,graph $options -k 4 -q
cat c.conf
# A stop keeps what is done.
env --default-signal=INT gibbous select some.jsonl --label label -k 4,5 --cost 1,2 --sweeps 1000000 --threads 2 --seed 3 --results stopped.jsonl -q 2>messages &
pid=$!
wait_until test -e stopped.jsonl
kill -INT $pid
status=0
wait $pid || status=$?
echo "$status $(cat messages)"
echo 'a class that is never predicted is named'
awk 'BEGIN { for (i = 0; i < 60; i++) print "{\"text\":\"moon tide sea\",\"label\":\"" (i % 10 ? "many" : "few") "\"}" }' >rare.jsonl
gibbous select rare.jsonl --label label --min-df 1 -k 2 --grid two-stage=no,yes --sweeps 10 --folds 2 --seed 1 2>&1 >/dev/null | grep 'never'
