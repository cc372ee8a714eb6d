# Every response, prior and strategy: models and predictions have the same bits on 1 and 3 threads.
. "$TESTS/helpers"
for response in "hinge --classes 3" "logistic --classes 3" "probit --classes 3" gaussian insensitive negative-binomial; do
    gibbous simulate -k 4 --documents 700 --length 30 --vocabulary-size 300 --response $response --alpha 0.2 --variance 5 --seed 3 -q -o "${response% --*}.jsonl"
done
check() {
    name=$1 file=$2
    shift 2
    rm -f [13].gibbous [13].csv
    for threads in 1 3; do
        gibbous train $file.jsonl -k 6 --sweeps 8 --seed 1 --intercept "$@" --threads $threads -q -f -m $threads.gibbous
        gibbous predict $file.jsonl -m 1.gibbous --threads $threads -q >$threads.csv
    done
    cmp 1.gibbous 3.gibbous && cmp 1.csv 3.csv && echo "$name: same bits"
}
check "hinge, three chains" hinge --label label --chains 3
check "logistic" logistic --label label
check "probit, horseshoe" probit --label label --coefficient-prior horseshoe
check "gaussian, sampled variances" gaussian --target target --variance sample
check "insensitive, coordinates" insensitive --target target --coefficient-sampler coordinate
check "negative binomial" negative-binomial --target target
check "one against the rest" probit --label label --strategy one-vs-rest --calibrate 2
check "two stages" logistic --label label --two-stage
check "covariates" hinge --label label --covariates id:number
check "a factor one by one" hinge --label label --covariates id:factor --coefficient-sampler mixed
gibbous train hinge.jsonl --label label -k 6 --chains 2 --sweeps 8 --seed 1 --threads 1 -q -m a.gibbous --draws 1.jsonl
gibbous train hinge.jsonl --label label -k 6 --chains 2 --sweeps 8 --seed 1 --threads 2 -q -m b.gibbous --draws 2.jsonl
cmp 1.jsonl 2.jsonl && cmp a.gibbous b.gibbous && echo "draws: same bits"
