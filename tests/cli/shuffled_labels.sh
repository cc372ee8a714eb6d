# Labels and numbers that are shuffled over the documents: no answer calls more than 12 % of the effects of topics
# clear, which means that an interval from 5 % to 95 % has not 0 in it.  In the training the labels shape the topics, on new documents
# they do not.
if [ "${GIBBOUS_DATA-}" ] && [ -r "$GIBBOUS_DATA/hotel_reviews/tripadvisor_2000.jsonl.gz" ]; then
    gzip -dc "$GIBBOUS_DATA/hotel_reviews/tripadvisor_2000.jsonl.gz" | sed 's/.*"text": *"\(\([^"\\]\|\\.\)*\)".*/\1/' | head -n 720 >texts
else
    gibbous simulate --documents 720 --length 60 --vocabulary-size 600 -k 12 --alpha 0.2 --seed 3 --response none -q | sed 's/.*"text":"\([^"]*\)".*/\1/' >texts
fi
awk 'BEGIN { srand(5); split("one two three four", class) }
    { k = int(2 * rand()); sum = 0; for (i = 0; i < 12; i++) sum += rand()
      printf "{\"id\":\"%d\",\"text\":\"%s\",\"two\":\"%s\",\"four\":\"%s\",\"number\":%.4f}\n", NR, $0, k ? "yes" : "no", class[1 + int(4 * rand())], sum - 6 }' texts >all.jsonl
head -n 480 all.jsonl >train.jsonl
tail -n 240 all.jsonl >new.jsonl

# From CSV: rows about topics, rows with an interval, and those with an interval that has not 0 in it.
clear() {
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        !("kind" in at) || $at["kind"] == "topic" {
            n++
            if ($at["q05"] != "") { known++; clear += $at["q05"] > 0 || $at["q95"] < 0 }
            if ($at["p_positive"] != "" && $at["q05"] == "") print "a probability without an interval"
        }
        END { printf "%d %d %d\n", n, known, clear }'
}
total_known=0 total_clear=0
judge() {
    read -r n known clear
    [ "$n" -gt 0 ] || echo "$1: no rows"
    case $1 in
    *training*) [ "$known" = 0 ] || echo "$1: $known intervals" ;;
    *) [ "$known" -gt 0 ] || echo "$1: no intervals" ;;
    esac
    total_known=$((total_known + known)) total_clear=$((total_clear + clear))
}
for fields in '--label two' '--label two --response logistic' '--label four' '--label four --response probit' '--target number' \
    '--target number --response insensitive --cost 1'; do
    echo "$fields"
    gibbous train train.jsonl $fields -k 12 --min-df 2 --seed 1 --chains 1 --sweeps 120 -q --force -m m.gibbous
    gibbous effects -m m.gibbous -q --table csv | clear >found
    judge "$fields, training" <found
    gibbous effects -m m.gibbous -q --contrast 1,2 --table csv | clear >found
    judge "$fields, contrasts of the training" <found
    gibbous effects new.jsonl -m m.gibbous -q --table csv | clear >found
    judge "$fields, new documents" <found
    # the page says which effects it has
    for documents in train.jsonl new.jsonl; do
        gibbous report $documents -m m.gibbous -q --force -o page.html 2>said || { grep -q 'without the page' said && continue; cat said; }
        grep -c 'cannot be told from chance, and have no intervals' page.html
    done | paste -s -d ' ' | sed 's/^1 0$//; /^$/d'
done
gibbous train train.jsonl --label four -k 4 --min-df 2 --seed 1 --chains 1 --sweeps 120 --cross-fit 4 -q --force -m m.gibbous
gibbous effects -m m.gibbous -q --table csv | clear >found
judge 'cross-fitted' <found
gibbous topics -m m.gibbous -q --table jsonl | sed 's/.*"classes":\[\([^]]*\)\].*/\1/' | awk -F '",' '$0 != "" { n += NF } END { if (n > 2) print n, "classes of 16 are listed with cross-fitted topics" }'
[ $((100 * total_clear)) -le $((12 * total_known)) ] && echo "at most 12 % of what has an interval is clear" || echo "$total_clear of $total_known are clear"
