# A corpus with several label fields: train takes those that --label names, or all.
. "$TESTS/helpers"
printf '{"text":"red green","a":"x","b":"1"}\n{"text":"blue green","a":"y","b":"2"}\n' >two.jsonl
gibbous import two.jsonl --label a --label b -o two.gbc -q
gibbous train two.gbc -m ab.gibbous -k 2 --sweeps 2 --seed 1 -q && gibbous info ab.gibbous --json | sed 's/.*"responses":\(.*\),"topics":[0-9].*/\1/'
gibbous predict two.jsonl -m ab.gibbous -q | head -n 1
gibbous evaluate two.jsonl -m ab.gibbous --json | grep -o '"[ab]":{"n":[0-9]*'
gibbous evaluate two.jsonl -m ab.gibbous --label b --json | grep -o '{"n":[0-9]*'
try gibbous evaluate two.jsonl -m ab.gibbous --label id
try gibbous train two.gbc --label c -m x.gibbous
gibbous train two.gbc --label b -m b.gibbous -k 2 --sweeps 2 --seed 1 -q && gibbous info b.gibbous --json | sed 's/.*"responses":\(.*\),"topics":[0-9].*/\1/'
