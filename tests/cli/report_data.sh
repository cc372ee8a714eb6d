# What a page of `report` holds beside its programs: the numbers that other verbs show.
. "$TESTS/helpers"
awk 'function random() { # Park and Miller 1988, so that every awk makes the same documents
    state = state * 16807 % 2147483647
    return state / 2147483647
}
BEGIN {
    state = 11
    for (d = 0; d < 240; d++) {
        class = substr("abc", 1 + d % 3, 1)
        text = ""
        for (i = 0; i < 12; i++)
            text = text (random() < 0.4 ? class "word" : random() < 0.15 + 0.06 * (d % 12) ? "new" : "old") " "
        printf "{\"id\":\"d%d\",\"text\":\"%s\",\"label\":%s,\"both\":[\"%s\"%s],\"stars\":%s,\"visits\":%d,\"year\":\"%d\",\"third\":\"%d\",\"size\":%d}\n",
            d, text, d == 3 ? "\"\"" : "\"" class "\"", class, d % 2 ? ",\"odd\"" : "", d == 4 ? "null" : d % 3 + d % 7 / 10,
            d % 3 * 3, 2000 + d % 12, d % 3, d % 5
    }
}' >d.jsonl
head -n 60 d.jsonl >t.jsonl
run="-k 4 --sweeps 30 --seed 1 -q --force -m m.gibbous"
gibbous train d.jsonl --response none $run
gibbous report -m m.gibbous -q -o r.html 2>&1 | grep -q "without the page" && exec cat "$TESTS/report_data.stdout" # nothing to look at
# The page's data, a line for each object that follows another.
page() {
    gibbous report "$@" -m m.gibbous -q --force -o r.html &&
        sed -n 's/.*id="data">//; s/<\/script>.*//; /^{"made"/p' r.html >data && sed 's/},{/},\n{/g' data >lines
}

# The values of the first columns of an answer, once each.
levels() {
    sed "s/.*\"$1\":{\"columns\"//; s/\"weights\".*//" data | grep -o '"levels":\[[^]]*\]' | head -n "$2"
}

echo "== groups: of more than eight, the last and first, and those that differ most"
gibbous train d.jsonl --label label --target stars --covariates size --group year --prior graph --graph chain $run
page
levels groups 1
levels group-contrasts 2 | sed 's/\("[0-9]*"\).*/\1/'
levels group-contrasts 1 | grep -o '"[0-9]*"' | awk 'END { print(NR >= 1 && NR <= 5 ? "pairs" : "pairs: " NR) }'

echo "== documents: all of them, with what is missing left out of the scores"
page t.jsonl
grep -o '"id":"d[0-9]*"' data | sort -u | wc -l
grep -o '"n":60,"docs"' data
sed 's/.*"confusion":{"columns":[^]]*\],"cells":\[{[^}]*},{[^}]*},{[^}]*},\[\([^]]*\)\].*/\1/' data | tr , '\n' |
    awk '{ n += $1 } END { print n " with a class" }'
sed 's/.*"evaluation":{"columns":[^]]*\],"cells":\[{[^}]*},{[^}]*},\[\([^]]*\)\].*/\1/' data | tr , '\n' | grep -c '^59.0$'
gibbous evaluate t.jsonl -m m.gibbous -q --json | grep -o '"n": *[0-9]*' | sort | uniq -c | awk '{ print $1, $2, $3 }'

echo "== three groups: all pairs"
gibbous train d.jsonl --labels both --target visits --response both=logistic,visits=negative-binomial --group third --prior graph \
    --graph chain $run
page t.jsonl
levels group-contrasts 2
grep -oE '\["(binary|multiclass|multilabel|regression|ordinal)"\]' data | sort -u

echo "== no response, no groups"
gibbous train d.jsonl --response none $run
page t.jsonl
grep -o '\["responses"\]\|"groups":{"columns' data
grep -o '"id":"d[0-9]*"' data | sort -u | wc -l

echo "== several chains, levels in order"
gibbous train d.jsonl --label label --response ordinal --levels a,b,c --chains 2 $run
page t.jsonl
sed 's/.*"traces":{"columns":[^]]*\],"cells":\[{[^}]*},\[\([^]]*\)\].*/\1/' data # their chains
grep -oE '\["(binary|multiclass|multilabel|regression|ordinal)"\]' data | sort -u

echo "== names of topics, and words with coefficients of their own"
gibbous train d.jsonl --label label --word-effects counts $run
printf 'topic,name\n1,first of all\n' >names.csv
gibbous edit -m m.gibbous --names names.csv -q -o named.gibbous >/dev/null
mv named.gibbous m.gibbous
page t.jsonl
grep -o '"levels":\["first of all"[^]]*\]' data
grep -o '\["words","",[^]]*' data | grep -c -v ',0.0$' | awk '{ print($1 > 0 ? "words count" : "no words") }'
