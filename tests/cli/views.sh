# Every view of models that others have not: of a single draw, whose posteriors have no spread; of topics for each class; without responses;
# with groups, lists of covariates, words, counts, levels, names and unions of topics.  For each view: its exit status; of a table, rows and
# columns, of JSON its lines, each an object, of a text its lines, of a failure its message.  None says nan or inf.
awk 'BEGIN {
    split("ash birch cedar elm fir oak pine rowan teak yew", word)
    split("a b c", class)
    for (d = 0; d < 60; d++) {
        printf "{\"id\":\"d%d\",\"text\":\"", d
        for (i = 0; i < 9; i++)
            printf "%s%s", (i > 0 ? " " : ""), word[1 + (d % 3 * 3 + i * i * (d + 1) % 4) % 10]
        printf "\",\"kind\":\"%s\",\"tags\":[\"%s\"%s],", class[1 + d % 3], class[1 + d * 7 % 3], (d % 4 == 0 ? ",\"z; 1\"" : "")
        printf "\"stars\":%g,\"seen\":%d,\"time\":%g,", 1 + d % 3 + d % 7 * 0.1, d % 5 + 3 * (d % 3), 1 + d % 2 * 0.5
        printf "\"age\":%g,\"town\":\"%s\",\"actors\":[\"%s\"],\"year\":%d}\n", 20 + d * 7.5, (d % 5 == 0 ? "south" : "north"), \
            (d % 2 ? "x\",\"y" : "y"), 2000 + d % 4
    }
}' >docs.jsonl
head -n 3 docs.jsonl | sed 's/"kind":"[a-c]"/"kind":null/; s/"stars":[0-9.]*/"stars":null/; s/ash/newash/' >some.jsonl
sed -n '4,40s/"id":"d/"id":"o/p' docs.jsonl | sed 's/birch/elm/' >others.jsonl
printf '{"id":"e","text":""}\n' >empty.jsonl
printf 'topic,name\n1,"Trees, =old"\n3,"two"\n' >names.csv

view() {
    printf '%s: ' "$*"
    status=0
    gibbous "$@" -q >out 2>message || status=$?
    if [ $status -ne 0 ]; then
        printf '[%d] ' $status
        head -n 1 message
    elif grep -qiE '(^|[^a-z])-?(nan|inf)([^a-z]|$)' out; then
        echo "says nan"
    else
        case " $* " in
        *" tsv "*) awk -F '\t' 'NR == 1 { n = NF } NF != n { odd++ } END { print NR - 1 " rows of " n (odd > 0 ? ", " odd " are not" : "") }' out ;;
        *" --json "* | *" jsonl "*) awk '!/^{.*}$/ { odd++ } END { print NR " objects" (odd > 0 ? ", " odd " are not" : "") }' out ;;
        *" info "*) echo "some lines" ;; # one for each option that there is
        *) awk 'END { print NR " lines" }' out ;;
        esac
    fi
}
views() {
    printf '== %s\n' "$*"
    impute=
    case " $* " in
    *covariates*) impute='--impute mean' ;;
    esac
    gibbous train docs.jsonl -k 3 --seed 1 -q --threads 1 --growth 0 --force -m m.gibbous --sweeps 4 --burn-in ${burn_in-2} "$@" || return
    for format in --json -v; do
        view info m.gibbous $format
    done
    view diagnose m.gibbous
    view diagnose m.gibbous --json
    view diagnose m.gibbous --table tsv
    for options in "" "--by lift" "--by frex" "--correlations --documents-in docs.jsonl" \
        "--reference docs.jsonl"; do
        view topics m.gibbous --table tsv $options
    done
    for options in "--merge 1+2" "--drop 2" "--merge 1+3 --names names.csv"; do
        rm -f edited.gibbous
        view edit -m m.gibbous $options -o edited.gibbous
        [ ! -e edited.gibbous ] || view topics edited.gibbous --table tsv
    done
    for options in "" "--kind coefficients" "--kind groups" "--contrast 1,2" "--contrast town=north,town=south" "--contrast actors=x" \
        "--trend all" "--per-fold" "others.jsonl --infer-sweeps 3 --seed 1"; do
        view effects -m m.gibbous --table tsv $options
    done
    for options in "" "--of all" "--of a" "--without 2 --table-of words" "--table-of nearest --nearest-in docs.jsonl --nearest 2"; do
        view explain some.jsonl -m m.gibbous $impute --table tsv $options
    done
    for options in "" --scores --topics-alone; do
        view predict some.jsonl -m m.gibbous --table tsv $options
    done
    for verb in diagnose topics effects; do
        view $verb -m m.gibbous --table jsonl
    done
    for verb in explain predict infer; do
        view $verb some.jsonl -m m.gibbous $impute --table jsonl
        view $verb empty.jsonl -m m.gibbous $impute --table tsv
    done
    for options in "" "--by relevance" "--words 3" "--documents-in docs.jsonl --documents-shown 2" "--correlations --documents-in docs.jsonl"; do
        view topics m.gibbous $options
    done
    for options in "" "--rows 1 --words 2" "--contrast 1,2" "--contrast 2000,2003" "--contrast north,2000;south,2001" "--trend 1,3" \
        "--prior-predictive 2004" "--kind groups" "others.jsonl --infer-sweeps 3 --seed 1" "docs.jsonl"; do
        view effects -m m.gibbous $options
    done
    for options in "" "--of all --without 1" "--rows 2 --nearest-in docs.jsonl"; do
        view explain some.jsonl -m m.gibbous $options
    done
    view evaluate docs.jsonl -m m.gibbous
    view evaluate docs.jsonl -m m.gibbous --json
    view evaluate docs.jsonl -m m.gibbous --held-out empirical --held-out-samples 2
    view report docs.jsonl -m m.gibbous -o page.html --force
    view report some.jsonl -m m.gibbous $impute -o page.html --force
    view report -m m.gibbous -o page.html --force
    view export docs.jsonl -m m.gibbous --to ldavis -o export.json --force
    view export docs.jsonl -m m.gibbous --to mallet-state -o export.gz --force
}

burn_in=3
views --label kind --target stars --response kind=logistic --covariates age,town --min-level-count 20
burn_in=2
views --label kind --strategy one-vs-rest --covariates actors:list,age --no-standardise --chains 2 --snapshots 1
views --labels tags --group year --prior graph --graph chain --word-effects tfidf --chains 2 --coefficient-prior horseshoe
views --prior logistic-normal --covariance full
views --target seen --response negative-binomial --exposure time --covariates actors:list --cross-fit 2 --two-stage
views --label kind --response ordinal --levels c,a,b --group town,year --prior graph --graph grid --seeds '{"wood":["oak","elm"]}'
