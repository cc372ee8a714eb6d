# The ordinal response: ordered levels, their order by number or by --levels, and options that do not go with it.
. "$TESTS/helpers"
cat >make.awk <<'END'
BEGIN {
    srand(1)
    print "id,text,stars,grade,other"
    split("poor,fair,good,best", name, ",")
    for (i = 1; i <= 300; i++) {
        n = int(13 * rand())
        text = ""
        for (j = 0; j < 12; j++)
            text = text (j < n ? "good" : "bad") " word" substr("abcdefgh", 1 + int(8 * rand()), 1) " "
        level = n < 3 ? 1 : n < 6 ? 2 : n < 10 ? 3 : 4
        stars = i % 20 == 0 ? "NA" : i % 17 == 0 ? "10" : level
        printf "%d,%s,%s,%s,%s\n", i, text, stars, name[level], i % 2 ? "a" : "b"
    }
}
END
awk -f make.awk >all.csv
head -n 251 all.csv >train.csv
{ head -n 1 all.csv && tail -n 50 all.csv; } >test.csv
run="-k 3 --sweeps 60 --alpha 1 --seed 1 -f -q"

# levels that are numbers are in the order of the numbers: 10 is the last
gibbous train train.csv --label stars --response ordinal -k 3 --sweeps 2 --seed 1 -m a.gibbous 2>&1 | grep -o '[0-9]* levels[^;]*'
gibbous train train.csv --label stars --response ordinal $run -m a.gibbous --draws draws.jsonl --draws-include prior
gibbous predict test.csv -m a.gibbous --scores -q | head -n 1
gibbous predict test.csv -m a.gibbous -q | tail -n +2 |
    awk -F, '{ if (($3 + $4 + $5 + $6 + $7 - 1) ^ 2 > 1e-12) print "probabilities of " $1 " do not add up" }'
tail -n 1 draws.jsonl | sed 's/.*"cut_points_1":\[\([^]]*\)\].*/\1/' |
    awk -F, '{ print(NF == 4 && $1 < $2 && $2 < $3 && $3 < $4 ? "ascending cut points" : $0) }'

# other labels need an order
try gibbous train train.csv --label grade --response ordinal $run -m b.gibbous
try gibbous train train.csv --label grade --response ordinal --levels poor,fair,best $run -m b.gibbous
try gibbous train train.csv --label grade --response ordinal --levels poor,poor,best $run -m b.gibbous
try gibbous train train.csv --label grade --response ordinal --levels poor,,best $run -m b.gibbous
try gibbous train train.csv --label grade --response ordinal --levels poor $run -m b.gibbous
try gibbous train train.csv --label grade --response ordinal --levels color=red,blue $run -m b.gibbous
gibbous train train.csv --label grade --response ordinal --levels poor,fair,good,best,perfect --beta 0.01 $run -m b.gibbous
gibbous predict test.csv -m b.gibbous -q | head -n 1
gibbous evaluate test.csv -m b.gibbous --json >scores.json
sed 's/.*"mae":\([0-9.]*\).*/\1/' scores.json | awk '{ print($1 < 0.4 ? "levels are close" : "levels are far: " $1) }'
sed 's/.*"kappa":\([0-9.]*\).*/\1/' scores.json | awk '{ print($1 > 0.7 ? "they agree" : "they do not agree: " $1) }'
gibbous effects -m b.gibbous --rows 1 -q | sed -n 3p
gibbous topics -m b.gibbous -q | grep -c '^ *grade [+-]'
gibbous info b.gibbous --json | grep -o '"task":"ordinal"' | head -n 1
gibbous simulate -m b.gibbous --documents 40 --length 20 --seed 2 -q | grep -o '"grade":"[a-z]*"' | sort | uniq -c | awk '{ print $2 }'

# beside other responses; what it does not go with
gibbous train train.csv --label grade --label other --response logistic,grade=ordinal --levels grade=poor,fair,good,best \
    --cost other=4 $run -m c.gibbous
gibbous predict test.csv -m c.gibbous -q | head -n 1
try gibbous train train.csv --label stars --response ordinal --cost 2 $run -m x.gibbous
try gibbous train train.csv --label stars --response ordinal --class-weight balanced $run -m x.gibbous
try gibbous train train.csv --labels stars --response ordinal $run -m x.gibbous
try gibbous train train.csv --target stars --response stars=ordinal $run -m x.gibbous
try gibbous train train.csv --label stars --response ordinal --task multiclass $run -m x.gibbous
try gibbous train train.csv --label stars --response logistic --task ordinal $run -m x.gibbous
try gibbous train train.csv --label grade --levels poor,fair,good,best $run -m x.gibbous
gibbous train train.csv --label stars --task ordinal $run -m x.gibbous && echo "an ordinal task takes the ordinal response"
gibbous simulate --response ordinal --classes 12 --documents 200 --seed 3 -q -o sim.jsonl
gibbous train sim.jsonl --label label --response ordinal -k 3 --sweeps 4 --seed 1 -m y.gibbous -q && echo trained

# the same bits on any number of threads
gibbous train train.csv --label stars --response ordinal $run -m t1.gibbous --threads 1
gibbous train train.csv --label stars --response ordinal $run -m t3.gibbous --threads 3
cmp t1.gibbous t3.gibbous && echo same

# cut points stand below the coefficients
gibbous effects -m b.gibbous --rows 1 -q | awk '$1 == "parameter" { print $2, $3, $4 }'
gibbous effects -m b.gibbous --table csv -q | grep -c ',parameter,[a-z]* | [a-z]*,'
