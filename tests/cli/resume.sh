# --resume goes on to the model of a run that was never stopped, and refuses what does not belong to the run.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
options='--label label -k 5 --sweeps 60 --burn-in 20 --thin 4 --seed 1 -q'
gibbous train train.jsonl $options -m whole.gibbous
stop() { # checkpoint, options: stopped after a sweep, or on a busy machine not before the last one
    file=$1
    shift
    gibbous train train.jsonl "$@" -f --checkpoint "$file" --checkpoint-every 1 -m part.gibbous 2>messages &
    pid=$!
    wait_until test -e "$file"
    kill -TERM $pid
    wait $pid
    rm -f part.gibbous
}
stop one.gbk $options
gibbous train train.jsonl --resume one.gbk -q -f -m resumed.gibbous --threads 3 && cmp whole.gibbous resumed.gibbous && echo same model
for more in '--chains 3 --threads 2' '--sampler mh' '--prior logistic-normal' '--topic-treatment sampled' '--calibrate 3' \
    '--strategy one-vs-rest --threads 2' '--response probit --coefficient-prior horseshoe' '--response probit --coefficient-prior horseshoe --word-effects tfidf'; do
    rm -f ./*.gbk*
    gibbous train train.jsonl $options $more -f -m whole.gibbous
    stop one.gbk $options $more
    gibbous train train.jsonl --resume one.gbk -q -f -m resumed.gibbous --threads 1 && cmp whole.gibbous resumed.gibbous && echo "same model: $more"
done
echo a finished run is extended
rm -f ./*.gbk*
gibbous train train.jsonl $options -m a.gibbous --checkpoint one.gbk
gibbous train train.jsonl --resume one.gbk --sweeps 100 -q -m b.gibbous
gibbous train train.jsonl --label label -k 5 --sweeps 100 --burn-in 20 --thin 4 --snapshots 20 --seed 1 -q -m c.gibbous
gibbous info b.gibbous --json | tr ',' '\n' | grep -E '"(draws|sweeps)"'
echo what a checkpoint says
gibbous info one.gbk
echo an existing model is replaced only by its own run
try gibbous train train.jsonl --resume one.gbk --sweeps 120 -q -m b.gibbous
gibbous train train.jsonl $options --cost 3 -m other.gibbous
try gibbous train train.jsonl --resume one.gbk --sweeps 140 -q -m other.gibbous
gibbous train train.jsonl $options --min-df 2 -f -m other.gibbous
try gibbous train train.jsonl --resume one.gbk --sweeps 140 -q -m other.gibbous
rm other.gibbous
echo refused
try gibbous train test.jsonl --label label --resume one.gbk -q -m d.gibbous
try gibbous train train.jsonl -k 7 --resume one.gbk -q -m d.gibbous
try gibbous train train.jsonl --response logistic --resume one.gbk -q -m d.gibbous
try gibbous train train.jsonl --sweeps 30 --resume one.gbk -q -m d.gibbous
try gibbous train train.jsonl --resume a.gibbous -q -m d.gibbous
try gibbous train train.jsonl --resume missing.gbk -q -m d.gibbous
head -c 3000 one.gbk >cut.gbk
try gibbous train train.jsonl --resume cut.gbk -q -m d.gibbous
try gibbous train train.jsonl $options --checkpoint one.gbk -m d.gibbous
try gibbous train train.jsonl $options --checkpoint-every 0 --checkpoint two.gbk -m d.gibbous
try gibbous train train.jsonl $options --checkpoint nowhere/two.gbk -m d.gibbous
try gibbous train train.jsonl $options --time-limit 10 -m d.gibbous
try gibbous train train.jsonl --draws d.jsonl --resume one.gbk -q -m d.gibbous
echo "draws of another run, which have the same shapes"
gibbous train train.jsonl $(echo "$options" | sed 's/seed 1/seed 2/; s/sweeps 60/sweeps 160/') -m other.gibbous --checkpoint two.gbk
mv one.gbk.draws own
cp two.gbk.draws one.gbk.draws
try gibbous train train.jsonl --resume one.gbk --sweeps 160 -q -m d.gibbous
mv own one.gbk.draws
echo "draws whose checkpoint is elsewhere"
mv one.gbk kept.gbk
try gibbous train train.jsonl $options --checkpoint one.gbk -m d.gibbous
mv kept.gbk one.gbk
rm two.gbk* other.gibbous
rm one.gbk.draws
try gibbous train train.jsonl --resume one.gbk -q -m d.gibbous
ls -A | grep -v messages
