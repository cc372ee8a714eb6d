# Questions by their names: a list of them, and what changed between two models.
. "$TESTS/helpers"
gibbous simulate --topics 4 --documents 80 --length 30 --classes 2 --seed 1 -q -o d.jsonl
for seed in 1 2; do
    gibbous train d.jsonl --label label -k 4 --sweeps 40 --seed $seed -q -m m$seed.gibbous
done
gibbous ask | awk '{ print $1 }' | grep -xE 'effects|changes'
gibbous effects -m m1.gibbous --table csv -q >effects.csv
gibbous ask effects -m m1.gibbous --table csv -q | cmp - effects.csv && echo "the same rows"

echo "== nothing changed between a model and itself"
gibbous ask changes -m m1.gibbous --earlier m1.gibbous --table tsv -q >same.tsv
awk -F '\t' '
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["what"] == "topics" { topics += $at["agreement"] > 0.999999 }
    $at["feature"] != $at["earlier_feature"] || $at["difference"] != 0 || $at["words_gained"] != "" { print "changed:", $0 }
    END { print topics, "topics are themselves" }' same.tsv

echo "== topics in another order, two of them together, and one left out"
gibbous edit -m m1.gibbous --merge 1+2 --drop 3 -o u.gibbous -q >/dev/null
gibbous ask changes -m u.gibbous --earlier m1.gibbous --table tsv -q | awk -F '\t' '
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["what"] == "topics" { print $at["feature"] == "" ? "none" : $at["feature"] }' | sort
gibbous ask changes -m m2.gibbous --earlier m1.gibbous -q | sed -n '/^topics/,/^$/p' | awk 'NR == 2 { print $1, $2 }'

echo "== scores of both on the same documents: those of evaluate"
gibbous ask changes d.jsonl --label label -m m2.gibbous --earlier m1.gibbous --table tsv -q >changes.tsv
for seed in 1 2; do
    gibbous evaluate d.jsonl --label label -m m$seed.gibbous --json -q | sed 's/.*"accuracy":\([0-9.]*\).*/\1/'
done >accuracies
awk -F '\t' '
    NR == FNR { accuracy[NR] = $1; next }
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["what"] == "scores" && $at["feature"] == "accuracy" {
        print ($at["earlier_value"] - accuracy[1]) ^ 2 + ($at["value"] - accuracy[2]) ^ 2 < 1e-12 ? "the same accuracies" : $0
    }' accuracies changes.tsv

echo "== documents of topics need no labels"
sed 's/,"label":"[^"]*"//' d.jsonl >plain.jsonl
gibbous ask topic-documents plain.jsonl -m m1.gibbous --table tsv --seed 1 -q | head -n 1
gibbous ask topic-documents plain.jsonl -m m1.gibbous --table tsv --seed 1 -q | awk -F '\t' 'NR > 1 { topic[$1]++ } END { for (k in topic) n++; print n, "topics" }'

echo "== documents alone: a cross-validation, a selection, a corpus"
gibbous evaluate d.jsonl --label label --folds 2 -k 2 --sweeps 10 --seed 1 --held-out completion -q -o likelihood.csv >/dev/null
options="--label label --folds 2 --sweeps 10 --seed 1 --held-out completion -q --table csv"
gibbous ask likelihood d.jsonl -k 2 $options | cmp - likelihood.csv && echo "the likelihoods of evaluate"
gibbous ask parts d.jsonl -k 2 $options | awk -F , 'NR > 1 { part[$1]++ } END { for (p in part) n++; print n, "parts" }'
gibbous ask selection d.jsonl --grid topics=2,3 $options | cut -d , -f 1
gibbous ask description d.jsonl -q | sed -n 's/^documents  *//p'

echo "== what cannot be asked"
try gibbous ask chances -m m1.gibbous
try gibbous ask changes -m m1.gibbous
try gibbous ask changes --earlier m1.gibbous
gibbous train d.jsonl --response none -k 2 --sweeps 4 --seed 1 -q -m none.gibbous
try gibbous ask effects -m none.gibbous
try gibbous ask parts d.jsonl -m m1.gibbous --label label
try gibbous ask parts d.jsonl -m m1.gibbous -k 4
try gibbous ask selection d.jsonl --label label -q
