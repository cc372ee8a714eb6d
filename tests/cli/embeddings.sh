# Embeddings beside topics: from a file and from a corpus file, prediction that needs them too, and what does not go together.
. "$TESTS/helpers"
awk 'function random() { # Park and Miller 1988, so that every awk makes the same documents
    state = state * 16807 % 2147483647
    return state / 2147483647
}
# 1 or -1 in single precision, as escapes of printf
function number(positive) {
    return positive ? "\\000\\000\\200\\077" : "\\000\\000\\200\\277"
}
BEGIN {
    state = 5
    for (d = 0; d < 600; d++) {
        text = ""
        for (i = 0; i < 20; i++)
            text = text sprintf(" w%c", 97 + int(random() * 26))
        for (j = 0; j < 3; j++)
            x[j] = random() < 0.5
        printf "%s%s%s\n", number(x[0]), number(x[1]), number(x[2]) >"escapes"
        good = random() < 0.9 ? x[1] : !x[1]
        printf "{\"id\":\"d%d\",\"text\":\"%s\",\"l\":\"%s\",\"y\":%d}\n", d, text, good ? "good" : "bad", 2 * x[0] - x[2] + d % 2
    }
}' >d.jsonl
array() { # rows of three numbers
    printf "\\223NUMPY\\001\\000\\066\\000{'descr':'<f4','fortran_order':False,'shape':(%03d,3)}\\n" "$1"
    cat
}
printf "$(tr -d '\n' <escapes)" 2>/dev/null | array 600 >e.npy
run() {
    gibbous train "$@" --seed 1 -k 2 --sweeps 60 --burn-in 30 -q --force -m m.gibbous
}
clearest() {
    gibbous effects -m m.gibbous -q 2>/dev/null | awk '
        $1 == "embedding" { mean[$2] = $3; most = $3 * $3 > most ? $3 * $3 : most }
        END { for (i in mean) if (mean[i] * mean[i] > most / 25) print i, (mean[i] > 0 ? "+" : "-") }' | sort
}
for response in logistic hinge probit; do
    echo $response
    run d.jsonl --label l --response $response --embeddings e.npy
    clearest
done
for sampler in block mixed coordinate; do
    echo $sampler
    run d.jsonl --target y --embeddings e.npy --coefficient-sampler $sampler
    clearest
done
run d.jsonl --target y --embeddings e.npy --coefficient-prior horseshoe --word-effects tfidf
clearest
gibbous effects -m m.gibbous --table csv -q | cut -d, -f3 | sort | uniq -c | sed 's/^ *//'
# the same from a corpus file, in shards or not, and by id
run d.jsonl --label l --embeddings e.npy --draws one.jsonl --draws-include eta,prior --threads 1
gibbous predict d.jsonl -m m.gibbous --embeddings e.npy -q >one.csv
gibbous import d.jsonl --label l --embeddings e.npy -o c.gbc -q
run c.gbc --draws two.jsonl --draws-include eta,prior --threads 2
cmp one.jsonl two.jsonl
gibbous predict c.gbc -m m.gibbous -q >two.csv
gibbous info c.gbc | grep embedding
gibbous info m.gibbous | grep embedding_
cmp one.csv two.csv
gibbous import d.jsonl --label l --embeddings e.npy -o s.gbc --shards 2 -q
run s.gbc --draws two.jsonl --draws-include eta,prior
cmp one.jsonl two.jsonl
awk 'BEGIN { for (d = 0; d < 600; d++) print "d" d }' >e.npy.ids
run d.jsonl --label l --embeddings e.npy --draws two.jsonl --draws-include eta,prior
cmp one.jsonl two.jsonl
tail -n 50 d.jsonl >last.jsonl # by id, a few documents will do
gibbous predict last.jsonl -m m.gibbous --embeddings e.npy -q | cut -d, -f1,2 | tail -n 50 >some.csv
tail -n 50 one.csv | cut -d, -f1,2 | cmp - some.csv
gibbous evaluate c.gbc -m m.gibbous -q | awk '$1 == "accuracy" { print ($2 > 0.8) }'
gibbous evaluate c.gbc --folds 2 --seed 1 -k 2 --sweeps 40 -q | awk '$1 == "accuracy" { print ($2 > 0.8) }'
gibbous infer last.jsonl -m m.gibbous --embeddings e.npy -q | head -n 1
# what is missing, and what does not go together
try gibbous predict last.jsonl -m m.gibbous -q
rm e.npy.ids
try gibbous predict last.jsonl -m m.gibbous --embeddings e.npy -q -o new.csv
head -n 10 escapes | tr -d '\n' >ten
printf "$(cat ten)" | array 10 >few.npy
try gibbous train d.jsonl --label l --embeddings few.npy -q -m new.gibbous
printf "$(cat ten)" | array 11 >short.npy
try gibbous train d.jsonl --label l --embeddings short.npy -q -m new.gibbous
awk 'BEGIN { for (d = 0; d < 10; d++) print "d" d }' >few.npy.ids
try gibbous train d.jsonl --label l --embeddings few.npy -q -m new.gibbous
run d.jsonl --label l --embeddings few.npy --impute mean && echo imputed
try gibbous train d.jsonl --embeddings e.npy -q -m new.gibbous
try gibbous train d.jsonl --label l --variance embeddings=1 -q -m new.gibbous
try gibbous train d.jsonl --label l --embeddings e.npy --variance embeddings=much -q -m new.gibbous
try gibbous train d.jsonl --label l --response logistic --embeddings e.npy --cross-fit 2 -q -m new.gibbous
try gibbous train c.gbc --embeddings none --variance embeddings=1 -q -m new.gibbous
run c.gbc --variance embeddings=1 && echo "those of a corpus have a variance, too"
try gibbous import d.jsonl last.jsonl --label l --embeddings e.npy -q -o new.gbc
try gibbous simulate -m m.gibbous -o new.gbc
