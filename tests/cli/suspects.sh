# What looks wrong in documents: each thing once, in one line.
. "$TESTS/helpers"
i=0
while [ $i -lt 60 ]; do
    printf '%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\n' $i "$([ $((i % 2)) = 0 ] && echo 'goal team match' || echo 'bank stock price')" \
        "$([ $((i % 3)) = 0 ] && echo Drama || { [ $((i % 3)) = 1 ] && echo drama || echo 'dra ma'; })" \
        "$([ $((i % 5)) = 0 ] && echo - || echo yes)" "$((i * 7 % 59)).$((i % 10))" "20$((10 + i / 12))-0$((i % 9 + 1))-1$((i % 7))" \
        "$([ $((i % 3)) = 0 ] && echo 'crime|love' || { [ $((i % 3)) = 1 ] && echo 'drama|love' || echo 'crime|drama'; })" \
        "$([ $((i % 2)) = 0 ] && echo "['a', 'b']" || echo "['b']")" $((i % 7))
    i=$((i + 1))
done | { printf 'id\ttext\tcase\tgap\tprice\tday\tgenres\ttags\tsize\n' && cat; } >films.tsv
printf "don't\nGoal\n" >stop.txt
printf 'xyzzy\nplugh\n' >other.txt
look() {
    try gibbous ask suspects films.tsv "$@" -q
}
look --label case
look --label gap
look --label gap --missing -,?
look --label price
look --label id
look --label genres
look --label tags
look --labels tags
look --label case --covariates day,id:factor,genres:list
look --label case --covariates day:date --stopwords stop.txt
look --label gap --covariates size --missing - --stopwords other.txt
try gibbous import films.tsv --label gap --missing - -q -o films.gbc
gibbous info films.gbc | sed -n '/^labels/,/yes/p'

# ids that are written in another way
printf 'id,text\n007,goal team\n008,bank stock\n009,bank price\n' >zeros.csv
printf 'id,stars\n7,1\n8,2\n009,3\n' >stars.csv
try gibbous import zeros.csv --metadata stars.csv --target stars -o zeros.gbc

# markup of pages, and the pattern that leaves it out
awk 'BEGIN { for (i = 0; i < 30; i++) print "{\"text\":\"Good<br />food &quot;here&quot; <a href=\\\"x\\\">now</a>\"}" }' >page.jsonl
gibbous import page.jsonl --stopwords en -q -o page.gbc
gibbous ask suspects page.jsonl -q 2>/dev/null | grep markup
pattern=$(gibbous ask suspects page.jsonl -q 2>/dev/null | tr '\n' ' ' | sed "s/.*'\(.*\)'.*/\1/; s/  */ /g")
gibbous import page.jsonl --token-pattern "$pattern" -q -o page.gbc -f && gibbous convert page.gbc --to jsonl -q -o page-words.jsonl >/dev/null 2>&1 && head -n 1 page-words.jsonl
# text without spaces
i=0
while [ $i -lt 20 ]; do
    printf '{"text":"今天股票上涨冠军语言球队%d他们学习上海病人医生经济上涨"}\n' $i
    i=$((i + 1))
done >chinese.jsonl
try gibbous import chinese.jsonl -o chinese.gbc

# dates are numbers, also of new documents; numbers far from those of the training; training documents
try gibbous train films.tsv --label case --covariates day:date,size -k 2 --sweeps 10 --chains 1 --seed 1 -q -m films.gibbous
sed 's/^3	\(.*\)2010-04-13\(.*\)3$/3	\12310-04-13\2999/' films.tsv >far.tsv
gibbous predict far.tsv -m films.gibbous >far.csv
gibbous effects -m films.gibbous --table csv -q | cut -d, -f 1-3 | grep day
gibbous evaluate films.tsv -m films.gibbous >scores

# stop words and words that occur once are kept unless somebody asks: that is said
i=0
while [ $i -lt 250 ]; do
    printf '{"text":"the price of a house w%s is in the paper"}\n' "$(printf '%03d' $i | tr 0123456789 abcdefghij)"
    i=$((i + 1))
done >kept.jsonl
try gibbous ask suspects kept.jsonl
try gibbous ask suspects kept.jsonl --stopwords en
try gibbous ask suspects kept.jsonl --min-df 1
echo 'words of a vocabulary that no text has, since they are divided'
printf 'goal\nteam\nfoo-bar\nnew_york\n' >words.txt
printf '{"text":"goal team foo-bar new_york"}\n' >known.jsonl
gibbous info known.jsonl --vocabulary words.txt >x
gibbous info known.jsonl --vocabulary words.txt --ngrams 2 >x
