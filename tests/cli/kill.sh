# kill -9 at any moment: every checkpoint can be read, and the model in the end is that of a run that nobody disturbed.
# GIBBOUS_LONG_TESTS=1: 200 kills.
. "$TESTS/data_helpers"
make_data
kills=6
[ "${GIBBOUS_LONG_TESTS-}" = 1 ] && kills=200
sweeps=$((kills * 60))
options="--label label -k 5 --sweeps $sweeps --thin $kills --seed 1 --chains 2 --threads 2 -q"
gibbous train train.jsonl $options -m whole.gibbous
every='--checkpoint-every 7'
n=0
while [ $n -lt $kills ]; do
    if [ -e run.gbk ]; then
        gibbous train train.jsonl --resume run.gbk $every -q -f -m run.gibbous 2>>messages &
    else
        gibbous train train.jsonl $options --checkpoint run.gbk $every -f -m run.gibbous 2>>messages &
        while [ ! -e run.gbk ] && kill -0 $! 2>/dev/null; do
            sleep 0.02
        done
    fi
    pid=$!
    sleep 0.0$(awk "BEGIN { srand($n); printf \"%02d\", 99 * rand() }")
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    n=$((n + 1))
done 2>/dev/null
gibbous train train.jsonl --resume run.gbk -q -f -m run.gibbous
cmp whole.gibbous run.gibbous && echo same model
cat messages
ls -A
