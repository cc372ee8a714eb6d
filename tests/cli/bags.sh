# Bags of words: title and body with words of their own, in files of JSON and of CSV, in training, for new documents and in tables; what does not go with them.
. "$TESTS/helpers"
awk 'BEGIN { srand(5)
    split("war army peace battle", t1); split("goal match league score", t2)
    split("troops general front weapon war", b1); split("player season coach club goal", b2)
    for (d = 0; d < 90; d++) {
        k = d % 2; title = ""; body = ""
        for (n = 0; n < d % 4; n++) title = title " " (k ? t1[1 + int(rand() * 4)] : t2[1 + int(rand() * 4)])
        for (n = 0; n < 12; n++) body = body " " ((rand() < 0.8) == k ? b1[1 + int(rand() * 5)] : b2[1 + int(rand() * 5)])
        printf "{\"Title\":\"%s\",\"body\":\"%s the\",\"label\":\"%s\"}\n", title, body, k ? "war" : "sport" >(d < 60 ? "train.jsonl" : "new.jsonl")
        if (d == 0) print "Title,body,label" >"train.csv"
        if (d < 60) printf "%s,%s the,%s\n", title, body, k ? "war" : "sport" >"train.csv"
    } }'
gibbous import train.jsonl --text Title,body=body --label label --stopwords en -o train.gbc -q
gibbous info train.gbc | grep -E '^words|^tokens|bags|tokens_read'
gibbous import train.csv --text Title=Title,body=body --label label --stopwords en -o table.gbc -q
fit() {
    corpus=$1
    shift
    gibbous train "$corpus" --response hinge -k 2 --sweeps 40 --chains 1 --seed 2 -m m.gibbous -f -q "$@"
}
fit table.gbc
gibbous topics -m m.gibbous -q >table.txt
fit train.gbc --threads 3
gibbous topics -m m.gibbous -q >m.txt
cmp table.txt m.txt && echo 'the same from a table, and on three threads'
gibbous topics -m m.gibbous --words 3 -q --table csv | cut -d, -f1,7
gibbous predict new.jsonl --text title=Title,body=body -m m.gibbous -q | head -4 | cut -d, -f1,2,5,6
gibbous evaluate new.jsonl --text title=Title,body=body -m m.gibbous -q | grep ' accuracy'
gibbous evaluate new.jsonl --text body=body -m m.gibbous -q | grep '  n  '
gibbous explain new.jsonl --text title=Title,body=body -m m.gibbous -q | grep -c 'body:'
echo 'parts of one bag; one bag alone is as none'
gibbous import train.jsonl --text all=Title,all=body --label label --stopwords en -o one.gbc -q
gibbous import train.jsonl --text Title,body --label label --stopwords en -o none.gbc -q
fit one.gbc && gibbous predict new.jsonl --text all=Title,all=body -m m.gibbous -q >one.csv
fit none.gbc && gibbous predict new.jsonl --text Title,body -m m.gibbous -q >none.csv
cmp one.csv none.csv && echo same
echo 'other samplers, priors, starts and seed words'
for options in '--sampler mh' '--topic-treatment sampled' '--prior logistic-normal' '--start nmf' '--beta sample' '--pool 5'; do
    # shellcheck disable=SC2086
    fit train.gbc $options && gibbous evaluate new.jsonl --text title=Title,body=body -m m.gibbous -q | grep ' accuracy' | cut -c1-22
done
cp m.gibbous first.gibbous
fit train.gbc --init-from first.gibbous && echo begun
for seeds in '{"war": {"title:war": 1, "body:troops": 1}}' '{"war": ["title:war", "body:troops"]}'; do
    fit train.gbc --seeds "$seeds" && gibbous topics -m m.gibbous --words 2 -q --table csv | sed -n 2p | cut -d, -f2,9
done
echo 'a model that was trained on the texts themselves knows its fields'
gibbous train train.jsonl --text Title,body=body --label label --stopwords en -k 2 --sweeps 40 --chains 1 --seed 2 -m whole.gibbous -f -q
fit train.gbc && gibbous topics -m m.gibbous -q >m.txt && gibbous topics -m whole.gibbous -q >whole.txt && cmp m.txt whole.txt && echo same
gibbous predict new.jsonl -m whole.gibbous -q | sed -n 2p | cut -d, -f1,2,5
echo 'refused'
must_fail() {
    "$@" 2>&1 | cut -c1-150
}
must_fail gibbous import train.jsonl --text Title,body=body --stem english -o x.gbc
must_fail gibbous import train.jsonl --text Title,body=body --ngrams 2 -o x.gbc
must_fail gibbous import train.jsonl --text 'a b=body' -o x.gbc
must_fail gibbous import train.jsonl --text '=body' -o x.gbc
must_fail gibbous import train.jsonl --text 'a=title' -o x.gbc
must_fail gibbous predict new.jsonl --text body -m whole.gibbous
must_fail gibbous predict new.jsonl --text head=Title -m whole.gibbous
must_fail gibbous train train.gbc --response none --content label -m x.gibbous
must_fail gibbous simulate --model whole.gibbous -o x.jsonl
fit none.gbc
must_fail gibbous predict new.jsonl --text title=Title,body=body -m m.gibbous
