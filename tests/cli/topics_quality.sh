# Coherence, exclusivity and diversity: of topics that share no word they follow from the documents.
. "$TESTS/helpers"
awk 'BEGIN { for (i = 0; i < 40; i++) print "{\"text\":\"red red green\"}\n{\"text\":\"ice ice snow\"}" }' >two.jsonl
gibbous train two.jsonl -k 2 --alpha 0.1 --beta 0.01 --sweeps 40 --seed 1 -q -m m.gibbous
# together in all of their 40 of 80 documents: umass log(41/40), npmi 1
gibbous topics m.gibbous --reference two.jsonl --coherence-words 2 | sed 's/^ *[12] /K /' | sort
# in windows of two words: red red, red green: npmi log((1/4) / (1/2 * 1/4)) / log 4 = 1/2
gibbous topics m.gibbous --reference two.jsonl --coherence-words 2 --coherence-window 2 --words 1 --table csv -q |
    sed 's/^[12],/K,/' | sort
# other documents, in another layout; a word that they lack leaves pairs out
printf 'body\nred ice\nred\n' >other.csv
gibbous topics m.gibbous --reference other.csv --text body --coherence-words 2 --words 1 2>&1 | sed 's/^ *[12] /K /' | sort
# threads change nothing
gibbous topics m.gibbous --reference two.jsonl --threads 1 >one
gibbous topics m.gibbous --reference two.jsonl --threads 3 | cmp - one
# all four words of each topic: more than the documents have would be asked for with 10
gibbous topics m.gibbous | tail -n 1
printf '{"text":"red"}\n{"text":"red red"}\n' >word.jsonl
gibbous train word.jsonl -k 2 --sweeps 4 --seed 1 -q -m word.gibbous
gibbous topics word.gibbous --reference word.jsonl --table csv -q | sed 's/^\([12]\),[0-9.]*,/\1,X,/'
gibbous topics word.gibbous --reference word.jsonl | tail -n 1
printf '{"text":"blue"}\n{"text":""}\n' >unknown.jsonl
try gibbous topics m.gibbous --reference unknown.jsonl
try gibbous topics m.gibbous --reference missing.jsonl
try gibbous topics m.gibbous --coherence-window 5
try gibbous topics m.gibbous --text body
try gibbous topics m.gibbous --coherence-words 1
