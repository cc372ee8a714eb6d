# Seed words: topics keep their place, with the words and documents that they are to have; the same model on any number of threads.
. "$TESTS/helpers"
awk 'BEGIN { for (i = 0; i < 60; i++) print "{\"text\":\"red red green fire\",\"l\":\"warm\"}\n{\"text\":\"ice ice snow frost\",\"l\":\"cold\"}\n{\"text\":\"tree leaf leaf root\",\"l\":\"wood\"}" }' >docs.jsonl
printf '# two of three\ncold: ICE\nwarm: red, sun\n' >seeds.txt
fit() {
    gibbous train docs.jsonl --response none -k 3 --alpha 0.1 --sweeps 60 --chains 1 -m m.gibbous -f --seed "$@"
}
for seed in 1 2 3; do
    fit $seed --seeds seeds.txt 2>&1 | grep -o '3 topics, .* prior'
    gibbous topics -m m.gibbous --words 3 --table csv -q | cut -d, -f1,2,3,7,9 | sed 's/\(0\.3[34]\)[0-9]*/\1/g; s/\(0\.[45]\)[0-9]*/\1/g'
done
echo 'the same from JSON, with more threads, and by another sampler the same topics'
fit 1 --seeds '{"cold": ["ice"], "warm": ["red"]}' -q --threads 1
mv m.gibbous json.gibbous
fit 1 --seeds seeds.txt -q --threads 3
gibbous topics -m json.gibbous -q >a.txt && gibbous topics -m m.gibbous -q >b.txt && cmp a.txt b.txt && echo same
for sampler in sparse mh; do
    fit 1 --seeds seeds.txt --sampler $sampler -q
    gibbous topics -m m.gibbous --words 1 --table csv -q | sed 1d | cut -d, -f9 | tr '\n' ' '
    echo
done
echo 'trials of the cost see a part of the documents, which may lack a seed word'
gibbous simulate -k 3 --documents 400 --length 20 --vocabulary-size 60 --response gaussian --seed 1 -q -o drawn.jsonl
echo '{"text":"unique","target":0}' >>drawn.jsonl
gibbous train drawn.jsonl --target target -k 3 --sweeps 40 --chains 1 --seed 1 --seeds '{"alone": ["unique"]}' -m drawn.gibbous 2>&1 | grep -c '^trials of the cost'
gibbous topics -m drawn.gibbous --words 1 -q --table csv | cut -d, -f2 | sed -n 2p
echo 'seed words as tokens, all or some of them'
fit 1 --seeds seeds.txt --seed-strength 2 -q
gibbous topics -m m.gibbous --words 2 --table csv -q | cut -d, -f2,9
fit 1 --seeds '{"cold": {"ice": 2}, "warm": ["red"]}' -q
gibbous topics -m m.gibbous --words 2 --table csv -q | cut -d, -f2,9
echo 'frequent seed words in a few hundred documents with words in common: each theme stays with its name'
awk 'BEGIN { srand(3)
    split("goal team match win score coach league player season defence", sport)
    split("bank stock market price fund profit tax trade shares investor", money)
    split("virus drug nurse doctor health clinic patient disease vaccine hospital", health)
    split("said year new time people city group today report work", common)
    for (d = 0; d < 300; d++) {
        printf "{\"text\":\""
        for (n = 0; n < 30; n++) {
            i = int(rand() * 10) + 1
            printf "%s ", rand() < 0.4 ? common[i] : d % 3 == 0 ? sport[i] : d % 3 == 1 ? money[i] : health[i]
        }
        print "\"}"
    } }' >themes.jsonl
for seed in 1 2 3; do
    gibbous train themes.jsonl --response none -k 5 --chains 1 --seed $seed --seeds '{"sport": ["goal", "team"], "money": ["bank"]}' -q -f -m themes.gibbous
    gibbous topics -m themes.gibbous --table csv -q --words 5 | awk -F, 'NR > 1 && $2 != "" { print $2, ($3 > 0.05 ? "is there" : $3), ($2 == "sport" ? $9 ~ /goal|team|match|win|score|coach|league|player|season|defence/ : $9 ~ /bank|stock|market|price|fund|profit|tax|trade|shares|investor/) }'
done
echo 'a named topic that is nearly empty'
awk 'BEGIN { for (i = 0; i < 400; i++) print "{\"text\":\"red red green fire ice snow\"}"; print "{\"text\":\"leaf\"}" }' >few.jsonl
gibbous train few.jsonl --response none -k 2 --alpha 0.1 --sweeps 60 --chains 1 --seed 1 --seeds '{"wood": ["leaf"]}' --seed-strength 50 -m few.gibbous 2>&1 |
    grep 'nearly empty' | sed 's/has [^ ]* of/has N of/'
gibbous topics -m few.gibbous 2>&1 | grep 'nearly empty' | sed 's/has [^ ]* of/has N of/'
echo refused
try fit 1 --seeds '{"all": ["red", "green", "fire", "ice", "snow", "frost", "tree", "leaf", "root"]}'
try fit 1 --seeds none.txt
printf 'cold: ice\nfruit: apple\n' >bad.txt
try fit 1 --seeds bad.txt
try fit 1 --seeds '{"cold": ["ice"], "cold": ["red"]}'
try fit 1 --seed-strength 2
try fit 1 --seeds seeds.txt --seed-strength 0
