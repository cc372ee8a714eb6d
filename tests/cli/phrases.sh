# Phrases, stems and word breaks at import, and the same words again for new text.
. "$TESTS/helpers"
# 300 documents about two things, with three phrases; a generator of our own, so that the file never changes.
awk 'BEGIN {
    x = 7
    n = split("river boat water fish stone bridge tree cloud", one); split("market price trade bank share profit tax money", two)
    for (d = 1; d <= 300; d++) {
        text = ""
        for (i = 0; i < 12; i++) {
            x = (x * 1103515245 + 12345) % 2147483648; k = int(x / 65536) % 8 + 1
            word = d % 2 ? one[k] : two[k]
            if (word == "bank") word = "central bank"
            if (word == "tax" && d % 3 == 0) word = "Taxes,"
            if (word == "stone" && d % 3 == 0) word = "stepping-stone bridge"
            text = text (i ? " " : "") word
        }
        printf "{\"id\": \"d%d\", \"label\": \"%s\", \"text\": \"%s\"}\n", d, d % 2 ? "nature" : "trade", text
    }
}' >all.jsonl
try gibbous import all.jsonl --label label --ngrams 3 -o all.gbc
gibbous info all.gbc --json | sed 's/.*"phrases":\(\[[^]]*\]\).*/\1/'
echo "# from two files, and in shards"
head -n 120 all.jsonl >a.jsonl
tail -n +121 all.jsonl >b.jsonl
gibbous import a.jsonl b.jsonl --label label --ngrams 3 --shards 1 -o ab.gbc -q
for name in all ab; do
    gibbous train $name.gbc -k 4 --sweeps 10 --seed 1 -m $name.gibbous -q
done
cmp all.gibbous ab.gibbous
echo "# the text gives the words of the corpus"
gibbous train all.jsonl --label label --ngrams 3 -k 4 --sweeps 10 --seed 1 -m text.gibbous -q
for name in all.gbc all.jsonl; do
    gibbous predict $name -m all.gibbous -o $name.csv -q
    gibbous infer $name -m text.gibbous -o $name.shares -q
    gibbous evaluate $name -m all.gibbous >$name.scores
    gibbous explain $name -m all.gibbous --rows 2 >$name.why
done
for table in csv shares scores why; do
    cmp all.gbc.$table all.jsonl.$table
done
gibbous explain all.jsonl -m all.gibbous | grep -c central_bank
echo '{"text": "The central bank, and central-bank money; central (bank)"}' |
    gibbous predict - --format jsonl -m all.gibbous -q | cut -d , -f 1,5,6
echo "# no texts, or words that are made"
try gibbous import all.gbc --ngrams 2 -o x.gbc
try gibbous import all.gbc --ngrams 2 -o x.gbc
printf '1 1:2 4:1\n' >counts.svm
for option in "--ngrams 2" "--stem en" "--word-breaks icu"; do
    # what was not built in is said first
    try gibbous import counts.svm --format svmlight $option -o x.gbc | sed 's/^gibbous: --\([a-z-]*\) [^:]*: this gibbous was built without.*/gibbous: --\1: counts.svm: counts of words, expected texts/'
done
try gibbous import all.jsonl --ngrams 6 -o x.gbc
try gibbous import all.jsonl --ngrams 2 --phrase-min-df x -o x.gbc
echo "# stems and word breaks, where they were built in"
for option in "--stem english" "--word-breaks icu" "--stem english --word-breaks icu --ngrams 2"; do
    if gibbous import all.jsonl --label label $option -o s.gbc -q -f 2>messages; then
        gibbous import a.jsonl b.jsonl --label label $option -o s2.gbc -q -f
        gibbous train s.gbc -k 4 --sweeps 10 --seed 1 -m s.gibbous -q -f
        gibbous train s2.gbc -k 4 --sweeps 10 --seed 1 -m s2.gibbous -q -f
        cmp s.gibbous s2.gibbous
        gibbous predict s.gbc -m s.gibbous -o s.csv -q -f
        gibbous predict all.jsonl -m s.gibbous -o s2.csv -q -f
        cmp s.csv s2.csv
    else
        grep -q "this gibbous was built without" messages
    fi
done
