# A quantity that is not finite: the message names the chain where there are several, and the class that it is for.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
awk '{ sub(/}$/, ",\"w\":1e305}"); print }' train.jsonl >heavy.jsonl
train() {
    try gibbous train heavy.jsonl --label label --document-weight w --cost 1e12 -k 3 --sweeps 4 --seed 1 -q -m m "$@"
}
train
train --chains 2
train --strategy one-vs-rest
train --strategy one-vs-rest --chains 2 --threads 3
# numbers whose coefficients would be larger than a model may have, before the trials of the cost
sed 's/1e305/1e200/; 1s/1e200/1e199/' heavy.jsonl >wide.jsonl
try gibbous train wide.jsonl --target w -k 3 --seed 1 -q -m m
try gibbous evaluate heavy.jsonl --folds 2 --label label --document-weight w --cost 1e12 -k 3 --sweeps 4 --seed 1 -q
# numbers that overflow in new documents
awk '{ sub(/}$/, ",\"x\":" NR % 5 ",\"n\":" NR % 7 "}"); print }' train.jsonl >usual.jsonl
awk 'NR < 4 { sub(/}$/, ",\"x\":" (NR == 2 ? "1e308" : 1) ",\"n\":1}"); print }' test.jsonl >odd.jsonl
gibbous train usual.jsonl --target n --covariates x --response negative-binomial -k 3 --sweeps 4 --calibrate 0 --seed 1 -q -m n.gibbous
try gibbous predict odd.jsonl -m n.gibbous -q
try gibbous evaluate odd.jsonl --target n -m n.gibbous -q
# weights that differ by so much that rounding takes the matrix of the coefficients its factor, or conjugate gradients their end
awk 'NR % 3 == 0 { sub(/}$/, ",\"w\":1e9}") } NR % 3 != 0 { sub(/}$/, ",\"w\":1}") } { sub(/}$/, ",\"n\":" NR % 7 "}"); print }' train.jsonl >uneven.jsonl
for sampler in block mixed conjugate coordinate; do
    gibbous train uneven.jsonl --target n --document-weight w --word-effects counts --variance 100 --coefficient-sampler $sampler -k 3 --sweeps 30 --seed 1 \
        -q --force -m u.gibbous && gibbous effects -m u.gibbous --table tsv -q | grep -ci 'nan\|inf' | sed "s/^/$sampler: not finite: /"
done
rm -f u.gibbous
ls
