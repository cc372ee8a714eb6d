# effects DOCUMENTS: on documents that the training did not see, held out by hand or by --estimate-on.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
head -n 120 train.jsonl >half.jsonl
tail -n 130 train.jsonl >other.jsonl
shape() {
    sed 's/[-+]\{0,1\}[0-9][0-9]*\.[0-9]*\(e[-+][0-9]*\)\{0,1\}/N/g; s/\([+-]\)[0-9][0-9]*\( \|$\)/N\2/g; s/topic  *[1-5]/topic K/
        s/  */ /g; s/ N [0-9][0-9]* / N N /g; s/ N b[a-z ]*$/ N words/; s/ b[aeiou][a-z ]*$/ words/'
}
gibbous train half.jsonl --label label -k 5 --sweeps 40 --seed 1 -q -m half.gibbous
echo 'the first line of effects of the training'
gibbous effects -m half.gibbous -q | head -n 1
gibbous effects -m half.gibbous --table csv -o table.csv 2>&1 | head -n 4
echo 'on other documents'
try gibbous effects other.jsonl -m half.gibbous --words 1 --rows 2 | shape
gibbous effects other.jsonl -m half.gibbous -q --table csv --words 2 >a.csv
head -n 1 a.csv
cut -d, -f1-4 a.csv | sed 1d
awk -F, 'NR > 1 && $3 == "topic" && !($14 > 0.5 && $14 <= 1) || NR > 1 && $3 != "topic" && $14 != ""' a.csv
gibbous effects other.jsonl -m half.gibbous -q --table csv --words 2 --threads 3 | cmp a.csv -
echo 'with shares from the words alone: a note for classes, none for numbers'
awk '{ sub(/}$/, ""); printf "%s,\"stars\":%d}\n", $0, NR % 5 }' other.jsonl >stars.jsonl
gibbous effects other.jsonl -m half.gibbous -q --table csv --words 2 --no-use-labels >alone.csv
gibbous effects other.jsonl -m half.gibbous -q --table csv --words 2 --no-use-labels --threads 3 | cmp alone.csv -
gibbous effects other.jsonl -m half.gibbous --table csv --no-use-labels 2>&1 >other.csv | sed -n '/from words alone/p'
gibbous effects stars.jsonl -m half.gibbous --target stars --table csv --no-use-labels 2>&1 >other.csv | sed -n '/from words alone/p'
cmp -s a.csv alone.csv || echo 'other intervals, the same reliability'
cut -d, -f1-4,14 alone.csv >left.csv
cut -d, -f1-4,14 a.csv | cmp left.csv -
echo 'a contrast shows the words of the topics as the training found them'
gibbous effects -m half.gibbous -q --contrast 1,2 | grep ' minus ' >words
wc -l <words
gibbous effects other.jsonl -m half.gibbous -q --contrast 1,2 | grep ' minus ' | cmp words -
echo 'held out by the training'
gibbous train train.jsonl --label label -k 5 --sweeps 40 --seed 1 --estimate-on 0.4 -m held.gibbous 2>&1 | sed -n 1p
gibbous effects train.jsonl -m held.gibbous --words 1 --table csv 2>&1 >held.csv | sed -n '/left out/p; /documents whose labels/p'
wc -l <held.csv
gibbous effects test.jsonl -m held.gibbous -q --table csv | wc -l
echo 'fields of the documents that the model does not have'
gibbous effects stars.jsonl -m half.gibbous --target stars -q --table csv --words 1 | cut -d, -f1-4
head -n 60 stars.jsonl >a.jsonl
tail -n 70 stars.jsonl >b.jsonl
gibbous train a.jsonl --target stars -k 3 --sweeps 20 --seed 1 -q -m stars.gibbous
echo 'a field that is taken for another kind is not called a loss'
gibbous effects b.jsonl -m stars.gibbous --label stars 2>&1 >table.txt | cut -d, -f1
sed -n 1p table.txt
gibbous train half.jsonl --response none -k 5 --sweeps 40 --seed 1 -q -m plain.gibbous
gibbous effects other.jsonl -m plain.gibbous --label label -q --contrast 1,2 | shape | head -n 3
echo 'a run that is resumed holds the same documents out'
gibbous train train.jsonl --label label -k 5 --sweeps 20 --seed 1 --estimate-on 0.4 -q -m part.gibbous --checkpoint run.gbk
gibbous train train.jsonl --resume run.gbk --sweeps 40 -q -m more.gibbous && gibbous effects train.jsonl -m more.gibbous -q --table csv | wc -l
echo 'a share of nothing holds nothing out'
try gibbous train half.jsonl --label label -k 5 --sweeps 4 --seed 1 --estimate-on -0.0 -q -m all.gibbous
echo refused
try gibbous effects half.jsonl -m half.gibbous
try gibbous effects other.jsonl -m plain.gibbous
try gibbous effects -m half.gibbous --label label
try gibbous effects -m half.gibbous --no-use-labels
try gibbous effects other.jsonl -m half.gibbous --memory-limit 1M | sed 's/about [0-9]* MiB/about N MiB/'
try gibbous effects missing.jsonl -m half.gibbous
gibbous train half.jsonl --label label --strategy one-vs-rest -k 5 --sweeps 40 --seed 1 -q -m each.gibbous
try gibbous effects other.jsonl -m each.gibbous
try gibbous train train.jsonl --label label --estimate-on 0.0001 -q -m x.gibbous
try gibbous train train.jsonl --label label --estimate-on 1 -q -m x.gibbous
