# Words beside topics: training, what effects shows, prediction from the model alone, and what does not go together.
. "$TESTS/helpers"
make() { # first state of the generator
    awk -v state="$1" 'function random() { # Park and Miller 1988, so that every awk makes the same documents
    state = state * 16807 % 2147483647
    return state / 2147483647
}
BEGIN {
    for (d = 0; d < 300; d++) {
        text = ""
        for (i = 0; i < 20; i++)
            text = text sprintf(" w%c", 97 + int(random() * 26))
        good = random() < 0.5
        if (random() < 0.9)
            text = text (good ? " fine" : " awful")
        printf "{\"text\":\"%s\",\"l\":\"%s\",\"y\":%d}\n", text, good ? "good" : "bad", 2 * good + d % 3
    }
}'
}
make 5 >d.jsonl
make 6 >others.jsonl
run() {
    gibbous train d.jsonl --seed 1 -k 2 --sweeps 60 --burn-in 30 -q --force -m m.gibbous "$@"
}
# the words that decide are the clearest effects
clearest() {
    gibbous effects -m m.gibbous --rows 2 -q | awk '$1 == "word" { print $2, ($3 > 0 ? "+" : "-") }' | sort
}
for values in tfidf presence counts shares; do
    run --label l --response logistic --word-effects $values
    echo "$values"
    clearest
done
run --target y --word-effects tfidf
clearest
run --target y --word-effects tfidf --coefficient-prior horseshoe
clearest
run --label l --response logistic --word-effects tfidf --coefficient-sampler conjugate
clearest
run --label l --response probit --word-effects tfidf --variance words=0.5 --coefficient-sampler block
clearest
# a table has them as a kind of their own
gibbous effects -m m.gibbous --table csv | cut -d, -f3 | sort | uniq -c | sed 's/^ *//'
# weights come from the model; a word that is new changes nothing
printf '{"text":"wa fine wb"}\n{"text":"wa fine wb unheard"}\n{"text":"wa awful wb"}\n' >new.jsonl
gibbous predict new.jsonl -m m.gibbous -q | cut -d, -f2
printf '{"text":"wa fine wb","l":"good"}\n{"text":"wa wb","l":"bad"}\n' >more.jsonl
# one draw of everything, on which nothing but the words acts: predictions are of the words' expected coefficients, not of those drawn
printf '{"text":"wa fine wb"}\n{"text":"wa awful wb"}\n{"text":"wc wd we"}\n' >some.jsonl
for seed in 1 2 3; do
    gibbous train d.jsonl --seed $seed -k 2 -q --force -m m.gibbous --target y --sweeps 3 --burn-in 2 --noise-variance 1 --cost 1 \
        --word-effects tfidf --variance topics=1e-12,words=0.5 --no-intercept
    gibbous predict some.jsonl -m m.gibbous -q | awk -F, 'NR > 1 { print $3 }' >by_seed$seed
done
paste by_seed1 by_seed2 by_seed3 |
    awk '{ print ($1 - $2) ^ 2 < 0.01 && ($1 - $3) ^ 2 < 0.01 ? "seeds agree" : "seeds differ: " $0 }'
# with other threads the same bits
run --label l --word-effects tfidf --variance words=sample --draws one.jsonl --draws-include eta,prior --threads 1
run --label l --word-effects tfidf --variance words=sample --draws two.jsonl --draws-include eta,prior --threads 2
cmp one.jsonl two.jsonl && head -n 1 one.jsonl | grep -o '"scales":\[\[' # the words' scale is among the draws
# words that wait
try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous --word-effects tfidf --sweeps 60 --word-effects-after 16
try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous --word-effects-after 5
try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous --word-effects tfidf --two-stage --sweeps 60 --word-effects-after 5
try gibbous train d.jsonl -k 2 -q -m new.gibbous --word-effects tfidf
try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous --variance words=1
try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous --word-effects tfidf --variance words=much
try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous --word-effects presence --idf-power 2
try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous --word-effects tfidf --variance words=1 --coefficient-prior horseshoe
try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous --word-effects all
# effects on documents that the training did not see are of words, too, in the words' own weights; and so are those of folds
for values in tfidf presence; do
    run --label l --response logistic --word-effects $values
    gibbous effects others.jsonl -m m.gibbous --rows 2 -q | awk '$1 == "word" { print $2, ($3 > 0 ? "+" : "-") }' | sort
done
run --label l --word-effects tfidf --variance words=1 --cross-fit 2
clearest
gibbous effects -m m.gibbous --table csv --per-fold -q | awk -F, '$3 == "word"' | wc -l
# the words are what tells the labels, and topics alone do not; a table of predictions can do without words, too
run --label l --response logistic --word-effects tfidf --variance words=1 --cost 4
gibbous effects -m m.gibbous --rows 1 -q | head -n 1
gibbous evaluate d.jsonl --label l -m m.gibbous -q | awk '$1 == "accuracy" { print "all", ($2 > 0.8 ? "well" : "badly"); print "alone", ($3 > 0.8 ? "well" : "badly") }'
gibbous evaluate d.jsonl --label l -m m.gibbous -q --json | grep -o '"topics_alone":{"n":300'
gibbous predict d.jsonl -m m.gibbous -q >whole
gibbous predict d.jsonl -m m.gibbous -q --topics-alone >part
for table in whole part; do # no probability by topics alone: the curves are for whole scores
    head -n 1 $table | tr ',' '\n' | grep -c '^p_'
    cut -d, -f 2 $table >$table.classes
done
cmp -s whole.classes part.classes || echo differ
# documents that are simulated have labels by their words
run --label l --response logistic --word-effects tfidf --variance words=1 --cost 4
gibbous simulate -m m.gibbous -o s.gbc --documents 2000 --length 20 --seed 4 -q
gibbous evaluate s.gbc --label l -m m.gibbous -q --json | awk -F'[:,]' '
    { for (i = 1; i < NF; i++) if ($i ~ /"accuracy"/) { print "simulated labels are told", ($(i + 1) > 0.65 ? "well" : "badly"); exit } }'
