# --init-from: a chain begins with the topics of a model, on documents and words that may be new.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
gibbous train train.jsonl --response none -k 5 --sweeps 60 --seed 1 -q -m old.gibbous
sed 's/"text":"/"text":"brandnew /' test.jsonl >new.jsonl
gibbous train new.jsonl --response none -k 5 --sweeps 2 --burn-in 1 --seed 2 -q --init-from old.gibbous -m a.gibbous --threads 1 && echo trained
gibbous train new.jsonl --response none -k 5 --sweeps 2 --burn-in 1 --seed 2 -q --init-from old.gibbous -m b.gibbous --threads 3
cmp a.gibbous b.gibbous && echo same model on any number of threads
try gibbous train new.jsonl --response none -k 6 --sweeps 2 --seed 2 -q --init-from old.gibbous -m c.gibbous
try gibbous train new.jsonl --response none -k 5 --sweeps 2 --seed 2 -q --init-from missing.gibbous -m c.gibbous
