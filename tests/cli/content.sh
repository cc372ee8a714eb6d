# Groups that word topics differently, and topics whose words change: trainings, what they say, and documents that are new to them.
. "$TESTS/helpers"
awk 'BEGIN {
    srand(7)
    for (d = 1; d <= 160; d++) {
        party = d % 2 ? "Whig" : "Tory"; year = 1900 + d % 8 * 5; text = ""
        for (i = 0; i < 20; i++) {
            first = rand() < (d % 3 ? .9 : .1)
            word = substr(first ? "apebeecatdogelk" : "oakfiryewelmash", 1 + 3 * int(rand() * 5), 3)
            if (word == "ape" && party == "Whig") word = "ant"
            if (word == "oak" && rand() < (year - 1900) / 35) word = "box"
            text = text " " word
        }
        printf "{\"text\":\"%s\",\"party\":\"%s\",\"year\":%d}\n", text, party, year
    }
}' >docs.jsonl
options='-k 2 --sweeps 120 --chains 1 --seed 1 --min-df 1 -q -f'
gibbous train docs.jsonl $options --content party -m party.gibbous
gibbous train docs.jsonl $options --evolve year -m year.gibbous
echo "== words that differ, signs"
gibbous ask content -m party.gibbous --table csv -q 2>notes | awk -F, 'NR == 1 { print } NR > 1 && $10 > .99 && $7 > 1 { print $3, $4 }' | sort
cat notes
gibbous ask evolution -m year.gibbous --table csv -q | awk -F, 'NR > 1 && ($8 > 1 || $8 < -1) && $5 + $6 > .05 { print $3, $4 }' | sort
gibbous ask wordings -m party.gibbous --words 2 --table csv -q | cut -d, -f3,4 | sort
gibbous effects party.gibbous -q >a && gibbous ask content -m party.gibbous -q | cmp - a
gibbous effects year.gibbous -q >a && gibbous ask evolution -m year.gibbous -q | cmp - a
echo "== the same on two threads, and after a stop"
for what in "--content party" "--evolve year"; do
    gibbous train docs.jsonl $options $what -m one.gibbous
    gibbous train docs.jsonl $options $what --threads 2 -m two.gibbous
    cmp one.gibbous two.gibbous
    gibbous train docs.jsonl $options $what --checkpoint c.gbk --checkpoint-every 1 -m x.gibbous 2>messages &
    pid=$!
    wait_until test -e c.gbk
    kill -TERM $pid
    wait $pid
    rm -f x.gibbous
    gibbous train docs.jsonl --resume c.gbk -q -f -m x.gibbous
    cmp one.gibbous x.gibbous
    rm -f c.gbk
done
echo "== new documents have the words of their own group"
printf '{"text":"ant ant","party":"Whig"}\n{"text":"ant ant","party":"Tory"}\n' >new.jsonl
gibbous evaluate new.jsonl -m party.gibbous --held-out left-to-right -q >/dev/null && echo evaluated
gibbous infer new.jsonl -m party.gibbous -q | wc -l
printf '{"text":"ant bee","party":"Other"}\n' >other.jsonl
try gibbous infer other.jsonl -m party.gibbous
gibbous infer other.jsonl -m party.gibbous --unknown-level reference -q | wc -l
printf '{"text":"ant bee"}\n' >lacks.jsonl
try gibbous infer lacks.jsonl -m party.gibbous
printf '{"text":"ant bee"}\n{"text":"ant bee","party":"Whig"}\n' >lacks.jsonl
try gibbous infer lacks.jsonl -m party.gibbous
gibbous infer lacks.jsonl -m party.gibbous --impute mean -q | wc -l
printf '{"text":"oak elm","year":1922}\n{"text":"oak elm","year":1800}\n{"text":"oak elm","year":2000}\n' >years.jsonl
gibbous infer years.jsonl -m year.gibbous -q | wc -l
echo "== with shares by metadata beside"
gibbous train docs.jsonl $options --content party --prior logistic-normal --prevalence "party + s(year, df=5)" -m both.gibbous
gibbous effects both.gibbous --kind groups -q | grep -c 'log ratio'
echo "== what is wrong"
try gibbous train docs.jsonl $options --content party --evolve year -m x.gibbous
try gibbous train docs.jsonl $options --content partei -m x.gibbous
try gibbous train docs.jsonl $options --evolve party -m x.gibbous
try gibbous train docs.jsonl $options --content party --label party -m x.gibbous
try gibbous train docs.jsonl $options --content party --sampler mh -m x.gibbous
try gibbous train docs.jsonl $options --content party --topic-treatment blocks -m x.gibbous
try gibbous train docs.jsonl $options --content party --beta sample -m x.gibbous
try gibbous train docs.jsonl $options --content party --wording-concentration 0 -m x.gibbous
try gibbous train docs.jsonl $options --wording-concentration 5 -m x.gibbous
try gibbous train lacks.jsonl $options --content party -m x.gibbous
try gibbous simulate --model party.gibbous -o x.jsonl
try gibbous ask evolution -m party.gibbous
