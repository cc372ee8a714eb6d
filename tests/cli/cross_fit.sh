# train --cross-fit: effects that use every document once, kept in the model.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
shape() {
    sed 's/[-+]\{0,1\}[0-9][0-9]*\.[0-9]*\(e[-+][0-9]*\)\{0,1\}/N/g; s/\([+-]\)[0-9][0-9]*\( \|$\)/N\2/g; s/topic  *[1-5]/topic K/
        s/  */ /g; s/ N [0-9][0-9]* / N N /g; s/ b[aeiou][a-z ]*$/ words/; s/ b[aeiou][a-z ]* (/ words (/'
}
awk '{ sub(/}$/, ""); printf "%s,\"size\":%d,\"stars\":%d,\"rare\":\"%s\"}\n", $0, NR % 7, NR % 5, NR == 8 ? "yes" : "no" }' train.jsonl >all.jsonl
train="gibbous train all.jsonl -k 5 --sweeps 40 --seed 1"
fit="$train --cross-fit 5"
echo 'what is said while it runs'
$fit --label label -m a.gibbous 2>&1 | grep -v '^sweep\|^gibbous\|^first topics\|^the run\|^predictions\|^log joint\|^next:'
$fit --label label -q -m b.gibbous --threads 3 && cmp a.gibbous b.gibbous
echo 'effects'
try gibbous effects -m a.gibbous --words 1 --rows 0 | shape
gibbous effects -m a.gibbous -q --table csv --words 2 >a.csv
head -n 1 a.csv
cut -d, -f1-4 a.csv | sed 1d
awk -F, 'NR > 1 && ($15 > 5 || $12 % $15 != 0)' a.csv
echo 'in each fold'
gibbous effects -m a.gibbous -q --table csv --words 1 --per-fold >folds.csv
head -n 1 folds.csv
wc -l <folds.csv
awk -F, 'NR > 1 && $17 != "" && $3 != "topic"' folds.csv | cut -d, -f1-4,15,17 | sed -n 1,6p
gibbous effects -m a.gibbous -q --table jsonl | sed -n 1p | sed 's/[-+]\{0,1\}[0-9][0-9]*\.[0-9]*/N/g; s/"n_draws":[0-9]*,"words":.*"reliability"/"n_draws":N,"words":W,"reliability"/'
echo 'a number with covariates, and a class that one fold has'
$fit --target stars --cost 1 --covariates size:number -q -m n.gibbous && gibbous effects -m n.gibbous -q --table csv | cut -d, -f1-4,15 | sed -n '1p;7,$p'
$fit --label rare -q -m r.gibbous && gibbous effects -m r.gibbous -q --table csv | cut -d, -f1-4 | tail -n 1
echo 'the model predicts as any other, and its effects on other documents are as any others'
gibbous predict test.jsonl -m a.gibbous -q | wc -l
gibbous effects test.jsonl -m a.gibbous -q --table csv | head -n 1
gibbous info a.gibbous | grep cross-fit
echo 'a stop while folds are at work leaves the model without effects'
: >messages
env --default-signal=INT gibbous train all.jsonl --label label -k 5 --sweeps 4000 --seed 1 --threads 1 --cross-fit 5 -m stopped.gibbous 2>messages &
pid=$!
wait_for_message '^fold 1 of 5'
kill -INT $pid
wait $pid || echo "[$?]"
tail -n 1 messages | sed 's/fold [1-5] of/fold N of/'
gibbous effects -m stopped.gibbous -q | head -n 1 | cut -c 1-36
echo 'a kill leaves it too'
: >messages
gibbous train all.jsonl --label label -k 5 --sweeps 4000 --seed 1 --threads 1 --cross-fit 5 -m killed.gibbous 2>messages &
pid=$!
wait_for_message '^fold 1 of 5'
kill -KILL $pid
wait $pid 2>/dev/null || echo "[$?]"
gibbous predict test.jsonl -m killed.gibbous -q | wc -l
echo 'a run that is stopped at a checkpoint goes on to the same model and effects'
(
    : >messages
    $fit --label label -m resumed.gibbous --checkpoint run.gbk --checkpoint-every 5 2>messages &
    pid=$!
    wait_for_message '^fold 1 of'
    kill -KILL $pid
    wait $pid 2>/dev/null
) || echo "[$?]"
gibbous train all.jsonl --resume run.gbk -m resumed.gibbous -q
$fit --label label -m whole.gibbous -q
cmp whole.gibbous resumed.gibbous
echo refused
try $fit --label label -q -m x.gibbous --memory-limit 12M 2>&1 | sed 's/about [0-9]* MiB/about N MiB/'
try $train --label label -q -m x.gibbous --cross-fit 1
try $train --label label -q -m x.gibbous --cross-fit 251
try $fit --label label -q -m x.gibbous --estimate-on 0.5
try $fit --label label -q -m x.gibbous --strategy one-vs-rest
try $fit --response none -q -m x.gibbous
try gibbous effects -m a.gibbous --contrast 1,2
try gibbous effects -m a.gibbous --per-fold
gibbous train train.jsonl --label label -k 5 --sweeps 40 --seed 1 -q -m plain.gibbous
try gibbous effects -m plain.gibbous --per-fold --table csv
test ! -e x.gibbous
