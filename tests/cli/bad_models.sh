# Files that are no models, or damaged ones, or models that do not suit the verb.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
gibbous import train.jsonl --label label -q -o train.gbc
gibbous train train.jsonl -k 3 --sweeps 4 -q -m plain.gbm
head -c 100 model.gbm >cut.gbm
head -c 20000 model.gbm >half.gbm
{ head -c 20000 model.gbm && printf 'xxxxxxxx' && tail -c +20009 model.gbm; } >flipped.gbm
: >empty.gbm
for file in cut half flipped empty missing; do
    try gibbous topics $file.gbm 2>&1 | sed 's/truncated: .*/truncated: .../'
done
try gibbous predict test.jsonl -m test.jsonl
try gibbous predict test.jsonl -m train.gbc
try gibbous predict test.jsonl -m .
try gibbous train model.gbm -m x.gbm
try gibbous simulate -m train.gbc -o x.jsonl
try gibbous predict test.jsonl -m plain.gbm -o x.csv
try gibbous evaluate test.jsonl -m plain.gbm
gibbous topics plain.gbm --words 2 --table csv | head -n 1
ls -A
