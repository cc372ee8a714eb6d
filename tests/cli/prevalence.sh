# Topic shares by metadata: trainings with a formula, what they say, and documents that are new to them.
. "$TESTS/helpers"
awk 'BEGIN {
    srand(7)
    for (d = 1; d <= 120; d++) {
        party = rand() < .5 ? "Whig" : "Tory"; year = 1900 + int(rand() * 50); text = ""
        for (i = 0; i < 14; i++) {
            first = rand() < (party == "Whig" ? .75 : .25)
            text = text " " substr(first ? "apebeecatdogelk" : "oakfiryewelmash", 1 + 3 * int(rand() * 5), 3)
        }
        printf "{\"text\":\"%s\",\"party\":\"%s\",\"year\":%d,\"author\":\"a%d\"}\n", text, party, year, d % 9
    }
}' >docs.jsonl
options='--prior logistic-normal --chains 1 --burn-in 60 --seed 1 --min-df 1 -q -f'
formula='party + s(year, df=5) + (1|author)'
gibbous train docs.jsonl $options -k 2 --sweeps 260 --prevalence "$formula" -m m.gibbous
echo "== what it says: signs, and which columns there are"
gibbous effects m.gibbous --table csv 2>notes | awk -F, 'NR == 1 || $1 == "party" { print $1, $2, $3, NR == 1 ? $5 : ($5 > 0 ? "+" : "-"), NR == 1 ? $7 : ($7 > 0 ? "+" : "-") }' | sort -u
cat notes
gibbous effects m.gibbous --at year=1910,1940 --at party=Tory,Whig --table csv -q | cut -d, -f1-4 | uniq
gibbous train docs.jsonl $options -k 2 --sweeps 80 --prevalence 'party * year + s(year)' -m product.gibbous
gibbous ask prevalence -m product.gibbous --table csv -q | cut -d, -f1,3-5 | uniq -c
echo "== effects of a change add up to 0"
gibbous effects m.gibbous --contrast party=Tory,Whig --table csv -q | awk -F, 'NR > 1 { sum += $5 } END { print (sum < 1e-9 && sum > -1e-9) ? "yes" : sum }'
gibbous effects m.gibbous --contrast party=Tory,party=Whig --table csv -q >a
gibbous effects m.gibbous --contrast party=Tory,Whig --table csv -q | cmp - a
echo "== the same on two threads, and after a stop"
gibbous train docs.jsonl $options -k 2 --sweeps 260 --prevalence "$formula" --threads 2 -m two.gibbous
cmp m.gibbous two.gibbous
gibbous train docs.jsonl $options -k 2 --sweeps 260 --prevalence "$formula" --checkpoint c.gbk --checkpoint-every 1 -m x.gibbous 2>messages &
pid=$!
wait_until test -e c.gbk
kill -TERM $pid
wait $pid
rm -f x.gibbous
gibbous train docs.jsonl --resume c.gbk -q -f -m x.gibbous
cmp m.gibbous x.gibbous
echo "== correlated topics, and a response beside"
gibbous train docs.jsonl $options -k 3 --sweeps 100 --covariance full --prevalence '(1|author) + year:party' -m full.gibbous
gibbous effects full.gibbous --table csv -q | cut -d, -f1-3 | uniq
gibbous train docs.jsonl $options -k 2 --sweeps 100 --label party --prevalence year -m labelled.gibbous
gibbous evaluate docs.jsonl -m labelled.gibbous -q | grep -c accuracy
echo "== new documents are read with their metadata, and those with new levels, too"
printf '{"text":"ape","party":"Whig","year":1920,"author":"a1"}\n{"text":"","party":"Whig","year":1920,"author":"new"}\n{"text":"","party":"Tory","year":1920,"author":"new"}\n' >new.jsonl
gibbous infer new.jsonl -m m.gibbous -q | wc -l
printf '{"text":"ape","year":1920,"author":"a1"}\n' >lacks.jsonl
try gibbous infer lacks.jsonl -m m.gibbous
gibbous infer lacks.jsonl -m m.gibbous --impute mean -q | wc -l
printf '{"text":"ape","party":"Other","year":1920,"author":"a1"}\n' >other.jsonl
try gibbous infer other.jsonl -m m.gibbous
gibbous infer other.jsonl -m m.gibbous --unknown-level reference -q | wc -l
echo "== what is wrong"
try gibbous effects m.gibbous --contrast party=Tory
try gibbous effects m.gibbous --contrast party=Tory,Wig
try gibbous effects m.gibbous --at author=a1,b
try gibbous effects m.gibbous --at year=1910,x
try gibbous effects m.gibbous --at year=1910 --at year=1920
try gibbous effects m.gibbous --at place=Rome
try gibbous simulate --model m.gibbous -o x.jsonl
try gibbous train docs.jsonl -k 2 --prior logistic-normal --psi-mean 0 --prevalence party -m x.gibbous
gibbous train docs.jsonl -k 2 --sweeps 20 --seed 1 --min-df 1 -q -f -m plain.gibbous
try gibbous ask prevalence -m plain.gibbous
echo "== a number with two values is compared at these, any other around its mean"
awk '{ sub(/^\{/, "{\"treated\":" (/Whig/ ? 1 : 0) ","); print }' docs.jsonl >treated.jsonl
gibbous train treated.jsonl $options -k 2 --sweeps 80 --prevalence 'treated + year' -m treated.gibbous
gibbous ask prevalence-contrasts -m treated.gibbous -q | grep minus
gibbous ask prevalence -m treated.gibbous --table csv -q | awk -F, '$1 == "treated" { print $3, $4, $5 }' | uniq | head -n 2
echo "== the horseshoe: among fields of which one matters, the others are near 0"
awk '{ for (i = 1; i <= 8; i++) sub(/^\{/, "{\"n" i "\":" sin(i * 37 * NR) ","); print }' docs.jsonl >noise.jsonl
noise='n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8'
for prior in normal horseshoe; do
    gibbous train noise.jsonl $options -k 2 --sweeps 460 --prevalence "party + $noise" --prevalence-prior $prior -m $prior.gibbous
    gibbous ask prevalence-contrasts -m $prior.gibbous --table csv -q |
        awk -F, -v prior=$prior 'NR > 1 && $4 == 1 { x = $5 < 0 ? -$5 : $5; if ($1 == "party") party = x; else noise += x / 8 } END { print prior, (party > 0.35 ? "party matters" : "party: " party); print noise >prior }'
done
awk '{ x[FILENAME] = $1 } END { print (x["horseshoe"] < 0.7 * x["normal"] ? "less noise" : "noise: " x["horseshoe"] " and " x["normal"]) }' normal horseshoe
gibbous train noise.jsonl $options -k 2 --sweeps 160 --prevalence 'party + n1' --prevalence-prior horseshoe --threads 2 -m a.gibbous
gibbous train noise.jsonl $options -k 2 --sweeps 160 --prevalence 'party + n1' --prevalence-prior horseshoe --threads 1 -m b.gibbous
cmp a.gibbous b.gibbous && gibbous infer noise.jsonl -m a.gibbous -q | wc -l
try gibbous train docs.jsonl $options -k 2 --prevalence-prior horseshoe -m x.gibbous
