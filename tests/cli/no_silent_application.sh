# What a model cannot use is no option of a call that applies it: an error of wrong use, or a note where a command line of the training does no harm.
. "$TESTS/helpers"
make() {
    awk -v seed="$1" 'BEGIN {
        srand(seed)
        split("ash birch cedar elm fir oak pine rowan teak yew ant bee cat dog eel fox gnu hen ibis jay", word)
        split("a b c", class)
        for (d = 0; d < 60; d++) {
            printf "{\"id\":\"d%d\",\"text\":\"", d
            for (i = 0; i < 12; i++)
                printf "%s ", word[1 + d % 3 * 6 + int(8 * rand())]
            printf "\",\"kind\":\"%s\",\"stars\":%.3f,\"x\":%.3f,", class[1 + d % 3], d % 3 + rand(), rand()
            printf "\"town\":\"%s\",\"year\":%d,\"w\":%d,\"tags\":[\"%s\"]}\n", d % 3 ? "n" : "s", 2000 + d % 4, 1 + d % 3, class[1 + d % 2]
        }
    }'
}
make 1 >d.jsonl
make 7 >new.jsonl
fit() {
    gibbous train d.jsonl -k 4 --sweeps 12 --burn-in 4 --seed 1 --threads 1 -q --force -m "$@"
}
fit none.gibbous --response none
fit kind.gibbous --label kind
fit stars.gibbous --target stars
fit town.gibbous --label kind --covariates town,x
fit x.gibbous --target stars --covariates x
fit year.gibbous --label kind --prior graph --group year --graph chain
fit words.gibbous --label kind --word-effects presence
fit weighed.gibbous --target stars --document-weight w

# Each option in each call: it is refused, or is known to have an effect, or a note says that it has none.
for model in none kind stars town x year words weighed; do
    for verb in predict infer explain evaluate report effects; do
        case "$verb $model" in
        'predict none' | 'explain none' | 'report none' | 'effects none') continue ;;
        esac
        output=
        [ $verb = report ] && output='-o out.html --force'
        for option in '--covariates x' '--covariates town,x,w' '--exposure w' '--document-weight w' '--group year' '--group year,town' \
            '--impute mean' '--new-groups level' '--unknown-level reference' '--unknown-label skip' '--topics-alone' '--held-out-samples 3' \
            '--label kind' '--target stars'; do
            # which verbs have which options is a matter of the table of options, and labels are read by three
            case "$verb $option" in
            effects*impute* | effects*unknown* | effects*label* | effects*target* | effects*covariates* | effects*weight* | effects*exposure*) continue ;;
            [pie][rnx]*unknown-label* | effects*unknown-label* | report*samples* | [ip][nr][ef]*samples* | ex*samples* | effects*samples*) continue ;;
            evaluate*label* | evaluate*target* | report*label* | report*target* | *topics-alone*) [ "$verb" = predict ] || continue ;;
            report*weight*) [ $model = weighed ] && continue ;;
            esac
            gibbous $verb new.jsonl -m $model.gibbous $option $output >out 2>message && status=0 || status=$?
            case "$status $(cat message)" in
            2*' needs '* | 2*'has no option'* | 2*'no such'* | 2*'does not go'*) continue ;;
            0*'not looked at'*) continue ;;
            esac
            # what is left
            echo "$verb $model $option: $status"
        done
    done
done | sort | sed 's/: 0$//'

echo 'what is said of them'
try gibbous predict new.jsonl -m kind.gibbous --covariates x -o p.csv
try gibbous predict new.jsonl -m town.gibbous --covariates town,x,w -o p.csv
try gibbous predict new.jsonl -m kind.gibbous --group year -o p.csv
try gibbous infer new.jsonl -m year.gibbous --group year,town -o p.csv
try gibbous predict new.jsonl -m kind.gibbous --exposure w -o p.csv
try gibbous predict new.jsonl -m kind.gibbous --document-weight w -o p.csv
try gibbous predict new.jsonl -m kind.gibbous --impute mean -o p.csv
try gibbous explain new.jsonl -m kind.gibbous --new-groups level
try gibbous predict new.jsonl -m x.gibbous --unknown-level reference -o p.csv
try gibbous predict new.jsonl -m kind.gibbous --topics-alone -o p.csv
try gibbous predict new.jsonl -m kind.gibbous --embeddings none.npy -o p.csv
try gibbous evaluate new.jsonl -m kind.gibbous --held-out-samples 3
try gibbous evaluate new.jsonl -k 4 --folds 2 --label kind --held-out-samples 3
try gibbous evaluate new.jsonl -m stars.gibbous --unknown-label skip
try gibbous evaluate new.jsonl --folds 2 --target stars --unknown-label skip
try gibbous effects new.jsonl -m kind.gibbous --group year
try gibbous effects new.jsonl -m stars.gibbous --covariates x
try gibbous effects new.jsonl -m stars.gibbous --unknown-level reference
try gibbous report -m kind.gibbous --label kind -o p.html
try gibbous train d.jsonl --label kind --label-separator ';' -m m.gibbous
try gibbous predict new.jsonl -m kind.gibbous --label kind -o p.csv
gibbous evaluate new.jsonl -m weighed.gibbous --document-weight w 2>&1 >out | head -n 1
try gibbous infer new.jsonl -m weighed.gibbous --target stars --document-weight w -o i.csv

# a config file is for all verbs
printf 'label = kind\n' >config
gibbous predict new.jsonl -m kind.gibbous --config config -o q.csv
cmp p.csv q.csv

# covariates of an estimate need not be those of the model
gibbous effects new.jsonl -m stars.gibbous --covariates x:number,town:factor -q --table csv | cut -d , -f 3,4 | grep covariate
# with numbers or lists the same options are fine
for fields in '--target stars --standardise' '--label kind --covariates x --no-standardise' "--labels tags --label-separator ;"; do
    gibbous train d.jsonl $fields -k 4 --sweeps 4 --seed 1 -q --force -m m.gibbous || echo "$fields"
done
gibbous effects new.jsonl -m m.gibbous -q >/dev/null || echo "effects after $fields"
gibbous train d.jsonl --target stars --no-standardise -k 4 --sweeps 4 --seed 1 -q --force -m m.gibbous
gibbous effects new.jsonl -m m.gibbous --label kind -q >/dev/null || echo "effects on a class, of a model of a number"
# the topics alone, which are evaluated beside a model with words, have no likelihood
gibbous evaluate new.jsonl -m words.gibbous --held-out empirical --held-out-samples 2 -q >/dev/null || echo "samples for a model with words"
