# Labels that do not suit: one class only, none, unknown or missing ones.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
printf '{"text":"one two","label":"x"}\n{"text":"three","label":"x"}\n' >same.jsonl
printf '{"id":"a","text":"baba","label":"c1"}\n{"id":"b","text":"baba","label":"c9"}\n' >unknown.jsonl
printf '{"id":"a","text":"baba"}\n' >none.jsonl
{ cat test.jsonl && cat none.jsonl; } >some.jsonl
printf '{"id":"a","text":"baba","label":["c1","c2"]}\n' >several.jsonl
try gibbous train same.jsonl --label label -m x.gibbous
try gibbous train same.jsonl --response logistic -m x.gibbous
try gibbous train train.jsonl --label label --task binary -m x.gibbous
try gibbous train train.jsonl --label label --positive c1 -m x.gibbous
try gibbous train train.jsonl --label label --label label -m x.gibbous
try gibbous evaluate unknown.jsonl -m model.gibbous
try gibbous evaluate none.jsonl -m model.gibbous
try gibbous evaluate several.jsonl -m model.gibbous --labels label
try gibbous evaluate test.jsonl -m model.gibbous --label label --label id
gibbous evaluate some.jsonl -m model.gibbous --json | sed 's/,"accuracy.*//'
# labels that the model does not know: wrong, or left out; both are counted
for how in wrong skip; do
    try gibbous evaluate unknown.jsonl -m model.gibbous --unknown-label $how
    gibbous evaluate unknown.jsonl -m model.gibbous --unknown-label $how --json -q | sed 's/,"macro.*//'
done
tail -n 1 unknown.jsonl >foreign.jsonl
try gibbous evaluate foreign.jsonl -m model.gibbous --unknown-label skip
ls -A
