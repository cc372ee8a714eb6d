# diagnose: what it shows of one chain and of several, of a run that goes on, for scripts; what train says at its end.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
# Numbers come from sampling: only the shape is compared, and of the verdict what it is about.
shape() {
    sed '1,/^$/ { 1s/.*/a conclusion/; s/:.*/: .../ }' | sed 's/[-+]\{0,1\}[0-9][0-9.]*\(e[-+][0-9]*\)\{0,1\}/N/g; s/  *-/ N/g; s/  */ /g
        s/[_.~=+*#-]\{20,\}.*/TRACE/; s/ \(yes\|no\)$/ yes or no/'
}
gibbous train train.jsonl --label label -k 5 --alpha 2 --beta 0.01 --cost 32 --variance 0.01 --sweeps 100 --burn-in 20 --thin 2 --chains 2 --seed 1 -m two.gibbous 2>messages
grep '^predictions\|^topics\|^effects\|^log joint' messages | sed 's/:.*//'
gibbous diagnose -m two.gibbous | shape
echo one chain, several fields
awk '{ sub(/^{/, "{\"stars\": " NR % 5 ", \"year\": " 1990 + NR % 7 ", "); print }' train.jsonl >stars.jsonl
gibbous train stars.jsonl --label label --target stars --covariates year:number -k 3 --sweeps 40 --seed 1 -q -m fields.gibbous
gibbous diagnose fields.gibbous -q | shape
echo as a table
gibbous diagnose -m two.gibbous --table csv | cut -d , -f 1-4
echo as JSON
gibbous diagnose -m two.gibbous --json | grep -o '"[a-z]*": *[[{]' | sort | uniq -c | sed 's/^ *//'
echo a run with a checkpoint
gibbous train train.jsonl --label label -k 5 --alpha 2 --beta 0.01 --cost 32 --variance 0.01 --sweeps 60 --seed 1 -q -m run.gibbous --checkpoint run.gbk
cp run.gbk.draws before
gibbous diagnose --checkpoint run.gbk -q | shape
cmp before run.gbk.draws && echo the draws are as they were
echo advice to go on, only where that is possible
for sweeps in 10 auto; do
    gibbous train train.jsonl --label label -k 5 --sweeps $sweeps --seed 1 -m long.gibbous --checkpoint long.gbk --force 2>messages
    gibbous diagnose --checkpoint long.gbk >report
    echo $sweeps: $(grep -l 'continue with --resume long.gbk --sweeps' messages report)
done
echo strict
gibbous train train.jsonl --label label -k 5 --alpha 2 --beta 0.01 --cost 32 --variance 0.01 --sweeps 10 --seed 1 -q -m short.gibbous
gibbous diagnose -m short.gibbous >/dev/null; echo $?
gibbous diagnose -m short.gibbous --strict >/dev/null; echo $?
gibbous diagnose -m short.gibbous | sed '/^$/,$d'
echo twice as many sweeps are a first step
gibbous simulate -o moving.gbc --documents 300 --topics 8 --classes 3 --seed 1 -q
gibbous train moving.gbc -k 20 --chains 2 --sweeps 120 --burn-in 60 --seed 1 -q -m moving.gibbous
gibbous diagnose -m moving.gibbous | grep '^next'
echo Unicode
LC_ALL=C.UTF-8 gibbous diagnose -m two.gibbous | grep -c '▁.*█\|█.*▁'
echo wrong use
try gibbous diagnose
try gibbous diagnose -m two.gibbous --checkpoint run.gbk
try gibbous diagnose -m two.gibbous -o out
try gibbous diagnose -m two.gibbous --json --table csv
try gibbous diagnose --checkpoint two.gibbous
try gibbous diagnose --checkpoint missing
mv run.gbk.draws elsewhere
try gibbous diagnose --checkpoint run.gbk
head -c 100 elsewhere >run.gbk.draws
try gibbous diagnose --checkpoint run.gbk
echo what does not vary has no R-hat
printf 'text\ngoal team\n' >one.csv
for chains in 1 3; do
    gibbous train one.csv --response none -k 10 --chains $chains --seed 1 -q --force -m one.gibbous 2>&1 | grep -i 'r-hat'
    gibbous diagnose -m one.gibbous -q --table tsv | awk -F '\t' '$1 == "log joint" { print "[" $8 "] [" $9 "] [" $16 "]" }'
    gibbous diagnose -m one.gibbous -q | grep 'inf\|nan' | wc -l
done
