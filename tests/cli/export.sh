# A model with documents for LDAvis and as a MALLET state: a row for each token, the same bytes on any number of threads, and what is refused.
. "$TESTS/helpers"
cat >docs.jsonl <<'END'
{"id": "a 1", "text": "moon tide moon sea", "label": "x"}
{"id": "b", "text": "unknownword", "label": "y"}
{"id": "c", "text": "bread yeast \"oven\" moon", "label": "y"}
END
gibbous train docs.jsonl -k 2 --label label --alpha 0.1 --sweeps 100 --seed 1 -q -m m.gibbous
cat >new.jsonl <<'END'
{"id": "a 1", "text": "moon tide strange moon"}
{"id": "b", "text": "never seen"}
{"id": "c", "text": "bread"}
END
try gibbous export new.jsonl -m m.gibbous -o state.gz
gzip -dc state.gz | sed 's/ [01]$/ K/; s/\(#alpha :\).*/\1/'
gibbous export new.jsonl -m m.gibbous --to mallet-state --threads 3 -q | cmp - state.gz
try gibbous export new.jsonl -m m.gibbous -o v.json
sed 's/[0-9]\.[0-9e.-]*/P/g' v.json
gibbous export new.jsonl -m m.gibbous --threads 3 --to ldavis -q | cmp - v.json
try gibbous export new.jsonl -m m.gibbous -o v.json
try gibbous export new.jsonl -m m.gibbous -o v.csv
try gibbous export new.jsonl -m m.gibbous --to csv -o v.csv
try gibbous export new.jsonl -m m.gibbous
try gibbous convert new.jsonl --to ldavis -o w.json
try gibbous export missing.jsonl -m m.gibbous -o w.json
echo "{\"text\": \"moon\", \"label\": \"z\"}" >>docs.jsonl
gibbous train docs.jsonl -k 2 --label label --alpha 0.1 --sweeps 20 --seed 1 --strategy one-vs-rest -q -m o.gibbous
try gibbous export new.jsonl -m o.gibbous -o w.json
ls
