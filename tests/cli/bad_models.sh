# Files that are no models, or damaged ones, or models that do not suit the verb.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
gibbous import train.jsonl --label label -q -o train.gbc
gibbous train train.jsonl -k 3 --sweeps 4 -q -m plain.gibbous
head -c 100 model.gibbous >cut.gibbous
head -c 5000 model.gibbous >half.gibbous
{ head -c -100 model.gibbous && printf 'xxxxxxxx' && tail -c 92 model.gibbous; } >flipped.gibbous # in the arrays, not in the header
: >empty.gibbous
for file in cut half flipped empty missing; do
    try gibbous topics $file.gibbous 2>&1 | sed 's/truncated: .*/truncated: .../'
done
try gibbous predict test.jsonl -m test.jsonl
try gibbous predict test.jsonl -m train.gbc
try gibbous predict test.jsonl -m .
try gibbous train model.gibbous -m x.gibbous
try gibbous simulate -m train.gbc -o x.jsonl
try gibbous predict test.jsonl -m plain.gibbous -o x.csv
try gibbous evaluate test.jsonl -m plain.gibbous --held-out none
gibbous topics plain.gibbous --words 2 --table csv -q | head -n 1
ls -A
