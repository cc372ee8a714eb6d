# Tables have the digits that they need: numbers near 1e12 that differ by ones, and effects of a covariate that is tiny.
awk 'BEGIN {
    srand(1)
    print "id,text,y,tiny"
    for (i = 0; i < 120; i++) {
        team = i % 2
        printf "d%d,%s,%.3f,%de-200\n", i, team ? "goal team match win goal" : "bank stock price fund bank", 1e12 + 8 * team + rand(), rand() * 100
    }
}' >far.csv
awk -F, 'NR == 1 { print } NR > 1 { printf "%s,%s,%.3f,%s\n", $1, $2, $3 - 1e12, $4 }' far.csv >near.csv
for file in far near; do
    gibbous train $file.csv --target y -k 3 --sweeps 60 --chains 1 --seed 1 -q -m $file.gibbous
    gibbous predict $file.csv -m $file.gibbous -q >$file.predicted
    gibbous effects -m $file.gibbous -q --table csv >$file.effects
    gibbous info $file.csv --target y --json | sed 's/.*"mean":\([0-9.e+]*\).*/\1/' >$file.mean
done
# the same numbers but for the distance: predictions (mean and quantiles), the intercept, the mean of the data
compare() {
    paste -d, far.$1 near.$1 | awk -F, -v a="$2" -v b="$3" 'function off(x, y) { x = x - 1e12 - y; return x < 0 ? -x : x }
        NR > 1 || a == 1 { n++; if ($a ~ /e/ || off($a, $b) > 0.01) bad++ }
        END { print n " numbers, " bad + 0 " wrong" }'
}
compare predicted 3 12
compare predicted 5 14
compare predicted 6 15
compare mean 1 2
column() { # a column of the row of a kind
    awk -F, -v name="$2" -v kind="$3" 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == name) c = i; if ($i == "kind") k = i } }
        $k == kind { print $c }' "$1"
}
column far.effects mean intercept | awk '{ print ($1 - 1e12 > 0 && $1 - 1e12 < 9 && !/e/) ? "intercept seen" : $1 }'
gibbous effects -m far.gibbous -q 2>rest | awk '/intercept/ { print ($2 - 1e12 > 0 && $2 - 1e12 < 9) ? "intercept seen" : $2 }'
gibbous predict far.csv -m far.gibbous -q --table jsonl | sed -n '1s/.*"mean":\([0-9]*\).*/\1/p'

gibbous train near.csv --target y --covariates tiny -k 3 --sweeps 60 --chains 1 --seed 1 -q -m tiny.gibbous
gibbous effects -m tiny.gibbous -q --table csv >tiny.effects
column tiny.effects sd covariate | awk '{ print (/e\+19[0-9]$/) ? "finite" : "sd " $1 }'
