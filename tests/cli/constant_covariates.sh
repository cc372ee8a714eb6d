# What does not vary in a training has no coefficient there, and what nothing can be learnt from is said before the first training.
. "$TESTS/helpers"
awk 'BEGIN {
    split("apple pear plum fig lemon grape melon peach cherry quince date", word)
    for (d = 1; d <= 60; d++) {
        text = ""
        for (i = 0; i < 20; i++)
            text = text " " word[1 + (d * 7 + i * i * (1 + d % 3)) % 11]
        printf "{\"id\":\"%d\",\"text\":\"%s\",\"y\":%d,\"z\":%d,\"same\":5,\"who\":\"%s\",\"places\":[\"all\"%s]}\n", d, text, d % 7, d == 11, d == 8 ? "rare" : d % 2 ? "a" : "b", d == 10 ? ",\"odd\"" : ""
    }
}' >all.jsonl
covariates="--covariates z:number,same:number,who:factor,places:list"
options="--target y $covariates -k 2 --sweeps 10 --seed 1"
notes() {
    grep 'same in all\|alike\|without z\|without same' "$1" | sed 's/.*; \(without same[^;]*\);.*/\1/'
}
gibbous train all.jsonl $options -m model.gibbous 2>said
notes said
gibbous effects -m model.gibbous --table csv 2>said | cut -d, -f3,4 | grep covariate
notes said
head -n 9 all.jsonl | sed 's/"same":5/"same":7/; s/"all"/"other"/' >new.jsonl
gibbous predict new.jsonl -m model.gibbous --unknown-level reference -q | wc -l | tr -d ' '
gibbous evaluate all.jsonl $options --folds 3 2>said | head -n 3 | tr -s ' '
notes said
gibbous select all.jsonl ${options% -k*} -k 2,3 --sweeps 10 --seed 1 --folds 3 2>said >/dev/null
notes said
gibbous train all.jsonl $options --cross-fit 3 -m fitted.gibbous -q
gibbous effects -m fitted.gibbous --table csv 2>said | cut -d, -f3,4,15 | grep covariate
notes said
gibbous train all.jsonl $options --estimate-on 0.5 -m half.gibbous -q
gibbous effects all.jsonl -m half.gibbous --table csv 2>said | cut -d, -f3,4 | grep covariate
notes said
try gibbous evaluate all.jsonl $options --folds 3 --unknown-level error -q
# Nothing to learn in a part: no training begins.
for what in "evaluate all.jsonl -k 2 --folds 3" "select all.jsonl -k 2,3 --folds 3" "train all.jsonl -k 2 --cross-fit 3 -m x.gibbous" \
    "train all.jsonl -k 2 --estimate-on 0.9 -m x.gibbous" "train all.jsonl -k 2 --estimate-on 0.1 -m x.gibbous"; do
    gibbous $what --target z --sweeps 10 --seed 1 2>said || grep '^gibbous:' said
    grep -c '^sweep' said || true
done
