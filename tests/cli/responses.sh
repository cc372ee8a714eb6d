# Numbers, counts, weights, covariates, and options that do not go together.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
cat >make.awk <<'END'
BEGIN {
    srand(1)
    print "id,text,score,visits,days,w,maker,size,kinds,label"
    for (i = 1; i <= 300; i++) {
        n = int(10 * rand())
        text = ""
        for (j = 0; j < 10; j++) {
            mood = j < n ? "good" : "bad"
            text = text mood " word" substr("abcdefgh", 1 + int(8 * rand()), 1) " "
        }
        maker = i % 4 == 0 ? "x" : i % 4 == 1 ? "y" : "z"
        days = 1 + i % 3
        size = rand() * 50
        score = 5 + 2 * n + (maker == "x" ? 6 : 0) + 0.1 * size + rand()
        if (i % 20 == 0) score = "NA"
        visits = int(days * exp(n / 4) * 2 * rand())
        printf "%d,%s,%s,%d,%d,%s,%s,%.2f,\"%s,k%d\",%s\n", i, text, score, visits, days, i % 2 ? "1" : "0.5", maker, size, maker, i % 3, (n > 4 ? "much" : "little")
    }
}
END
awk -f make.awk >all.csv
head -n 251 all.csv >train.csv
{ head -n 1 all.csv && tail -n 50 all.csv; } >test.csv
run="-k 3 --sweeps 60 --alpha 1 --seed 1 -f -q"
at_least() { awk -v low="$1" '$1 == "r2" { print($2 >= low ? "r2 is good" : "r2 is poor: " $2) }'; }

# numbers
for response in gaussian insensitive; do
    gibbous train train.csv --target score --response $response -c 4 $run -m a.gibbous
    gibbous evaluate test.csv -m a.gibbous -q | at_least 0.6
done
gibbous predict test.csv -m a.gibbous -q | head -n 1
gibbous predict test.csv -m a.gibbous -q | awk -F, 'NR > 1 && !($5 < $3 && $3 < $6 && $4 > 0) { print "no interval: " $0 }'
gibbous train train.csv --target score --no-standardise --noise-variance 1 $run -m a.gibbous
gibbous evaluate test.csv -m a.gibbous -q | at_least 0.5

# covariates help (over 160 seeds R2 is 0.96 on average and at least 0.85 with them); their options
gibbous train train.csv --target score --covariates maker,size,kinds:list $run -m b.gibbous
gibbous evaluate test.csv -m b.gibbous -q | at_least 0.84
sed '2s/,[xyz],/,new,/; 3s/,[xyz],/,,/' test.csv >odd.csv
try gibbous predict odd.csv -m b.gibbous --impute mean -q -o x.csv
try gibbous predict odd.csv -m b.gibbous --unknown-level reference -q -o x.csv
gibbous predict odd.csv -m b.gibbous --unknown-level reference --impute mean -q | wc -l
try gibbous train odd.csv --target score --covariates maker $run -m x.gibbous
gibbous train train.csv --target score --covariates maker,kinds:list --coefficient-prior horseshoe --min-level-count 60 \
    --coefficient-sampler mixed $run -m b.gibbous && echo trained

# counts, whose intervals come from held-out counts or are not to be relied on
intervals() { gibbous info "$1" --json | grep -o '"intervals": *"[^"]*"'; }
gibbous train train.csv --target visits --exposure days --response negative-binomial $run --calibrate 0 -m c.gibbous
intervals c.gibbous
gibbous predict test.csv -m c.gibbous 2>&1 >x.csv | grep intervals
gibbous train train.csv --target visits --exposure days --response negative-binomial $run -m c.gibbous
intervals c.gibbous
gibbous predict test.csv -m c.gibbous 2>&1 >x.csv | grep intervals
intervals b.gibbous
gibbous evaluate test.csv -m c.gibbous --json | grep -o '"mae":[0-9]' | head -n 1
try gibbous train train.csv --target score --response negative-binomial $run -m x.gibbous
try gibbous train train.csv --target visits --response negative-binomial -c 2 $run -m x.gibbous
try gibbous train train.csv --target score --cost 1,5 $run -m x.gibbous
try gibbous train train.csv --target score --cost score=2,1,score=3 $run -m x.gibbous
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "visits") at = i } NR == 3 { $at = 2000000000 } 1' train.csv >large.csv
try gibbous train large.csv --target visits --response negative-binomial $run -m x.gibbous
awk -v OFS=, '{ print $0, NR == 1 ? "nothing" : 0 }' train.csv >weightless.csv
try gibbous train weightless.csv --label label --document-weight nothing $run -m x.gibbous
try gibbous train train.csv --target score --exposure days $run -m x.gibbous

# several fields, weights, strategies
gibbous train train.csv --target score --label label --cost score=auto,label=2 $run -m x.gibbous &&
    gibbous info x.gibbous --json | grep -o '"cost": *"[^"]*"'
try gibbous train train.csv --target score --noise-variance auto $run -m x.gibbous
gibbous train train.csv --target score --label label --response logistic,score=insensitive -c label=16 \
    --document-weight w $run -m d.gibbous
gibbous predict test.csv -m d.gibbous -q | head -n 1
gibbous evaluate test.csv -m d.gibbous --json | grep -o '"[a-z]*":{"n"'
printf 'much,2\nlittle,0.5\n' >weights.csv
printf 'much,2\nmuch,1\n' >twice.csv
printf 'some,2\n' >stranger.csv
printf 'much,heavy\n' >words.csv
gibbous train train.csv --label label --class-weight weights.csv $run -m e.gibbous && echo weighted
gibbous train train.csv --label label --class-weight '{"much":2,"little":0.5}' $run -m x.gibbous
for m in e x; do gibbous predict test.csv -m $m.gibbous -q >weighted-$m.csv; done
cmp weighted-e.csv weighted-x.csv && echo the same by JSON
for json in '{"some":2}' '{"much":"heavy"}' '{"much":2,"much":1}'; do
    try gibbous train train.csv --label label --class-weight "$json" $run -m x.gibbous
done
for file in twice stranger words; do try gibbous train train.csv --label label --class-weight $file.csv $run -m x.gibbous; done
try gibbous train train.csv --label label --class-weight balanced --response probit $run -m x.gibbous
gibbous train train.csv --label maker --strategy one-vs-rest --class-weight balanced $run -m f.gibbous
gibbous evaluate test.csv -m f.gibbous --json | grep -o '"accuracy"'
try gibbous train train.csv --label label --strategy one-vs-rest $run -m x.gibbous
gibbous train train.csv --label label --two-stage $run -m g.gibbous && echo two stages
gibbous train train.csv --label label --calibrate 3 $run -m h.gibbous
gibbous evaluate test.csv -m h.gibbous --json | grep -o '"log_loss"'
try gibbous train train.csv --label label --response logistic --cost 1 --calibrate 3 $run -m x.gibbous
try gibbous train train.csv --label label --cut-off f1 $run -m x.gibbous

# wrong use
try gibbous train train.csv --label label --response softmax $run -m x.gibbous
try gibbous train train.csv --label label --response gaussian $run -m x.gibbous
try gibbous train train.csv --label label --response score=logistic $run -m x.gibbous
try gibbous train train.csv --label label -c 1,5x $run -m x.gibbous
try gibbous train train.csv --label label -c 0 $run -m x.gibbous
try gibbous train train.csv --label label --target score --response label=probit,score=gaussian -c label=2 $run -m x.gibbous
try gibbous train train.csv --label label --epsilon 0.1 $run -m x.gibbous
try gibbous train train.csv --target label $run -m x.gibbous
try gibbous train train.csv --target score --variance many $run -m x.gibbous
try gibbous train train.csv --label label --task regression $run -m x.gibbous
