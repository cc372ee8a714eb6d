# A corpus with several label fields: train takes the one that --label names.
. "$TESTS/helpers"
printf '{"text":"red green","a":"x","b":"1"}\n{"text":"blue green","a":"y","b":"2"}\n' >two.jsonl
gibbous import two.jsonl --label a --label b -o two.gbc -q
try gibbous train two.gbc -m x.gibbous
try gibbous train two.gbc --label c -m x.gibbous
gibbous train two.gbc --label b -m b.gibbous -k 2 --sweeps 2 --seed 1 -q && gibbous info b.gibbous | grep -E '^(label|classes)'
gibbous info b.gibbous --json | grep -o '"classes":[^]]*]'
