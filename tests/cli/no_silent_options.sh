# Every option of the model that train takes without an error changes the model; what would be ignored is an error of wrong use.
. "$TESTS/helpers"
awk 'BEGIN {
    srand(1)
    split("ash birch cedar elm fir oak pine rowan teak yew ant bee cat dog eel fox gnu hen ibis jay", word)
    split("a b c", class)
    for (d = 0; d < 60; d++) {
        printf "{\"id\":\"d%d\",\"text\":\"", d
        for (i = 0; i < 12; i++)
            printf "%s ", word[1 + d % 3 * 6 + int(8 * rand())]
        printf "\",\"kind\":\"%s\",\"two\":\"%s\",\"stars\":%.3f,\"x\":%.3f,", class[1 + d % 3], d % 2 ? "x" : "y", d % 3 + rand(), rand()
        printf "\"town\":\"%s\",\"year\":%d,\"w\":%d}\n", d % 3 ? "n" : "s", 2000 + d % 4, 1 + d % 3
    }
}' >d.jsonl
# the arrays of a model: what stands behind its description
arrays() {
    tail -c +$((9 + $(od -An -t u8 -N 8 "$1"))) "$1" | cksum
}
fit() {
    gibbous train d.jsonl -k 4 --sweeps 12 --seed 1 --threads 1 -q --force -m "$@"
}
# a level that is joined is another name; imputation is for missing values
for base in '--response none' '' '--label kind' '--label two --response logistic' '--target stars' \
    '--label kind --response probit' '--response none --prior graph --group year' '--label kind --covariates x,town'; do
    echo "== ${base:-no field}"
    fit base.gibbous $base
    arrays base.gibbous >expected
    for option in '--group year' '--covariates x,town' '--document-weight w' '--min-level-count 25' '--impute mean' '--alpha 0.3' \
        '--covariance full' '--psi-mean 0' '--graph chain' '--evolution-precision 2' '--level-precision 0.5' '--beta 0.2' \
        '--seed-strength 3' '--task regression' '--positive x' '--cost 2.5' '--margin 2' '--epsilon 0.3' \
        '--noise-variance 1' '--dispersion 2' '--levels c,b,a' '--class-weight {"a":3,"x":3}' '--strategy one-vs-rest' \
        '--two-stage' '--coefficient-prior horseshoe' '--variance 0.7' '--variance words=1' '--word-effects presence' '--idf-power 2' \
        '--word-effects-after 3' '--psi-update interval' '--mh-steps 3' '--coefficient-sampler coordinate' '--coefficient-steps 3' \
        '--estimate-on 0.3' '--snapshots 3' '--draws-include eta' '--checkpoint-every 3' '--phrase-score 3'; do
        case " $base " in
        *" ${option%% *} "*) continue ;;
        esac
        if fit with.gibbous $base $option 2>message; then
            case "$base $option" in
            *x,town*level-count* | *x,town*impute* | *stars*'task regression') continue ;;
            esac
            arrays with.gibbous | cmp -s - expected && echo "$option is ignored"
        elif [ $? -ne 2 ]; then
            echo "$option: $(cat message)"
        fi
    done
done
echo 'what is said of them'
try gibbous train d.jsonl --covariates x -m m.gibbous
try gibbous train d.jsonl --response none --covariates x -m m.gibbous
try gibbous train d.jsonl --label kind --group year -m m.gibbous
try gibbous train d.jsonl --label kind --impute mean -m m.gibbous
try gibbous train d.jsonl --target stars --class-weight balanced -m m.gibbous
try gibbous train d.jsonl --target stars --task multiclass -m m.gibbous
try gibbous train d.jsonl --cost 3 -m m.gibbous
try gibbous simulate -m base.gibbous -k 3
try gibbous simulate --response gaussian --classes 3
