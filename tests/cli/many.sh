# Very many of one thing: refused early, or done in time that does not grow with the square of their number.
. "$TESTS/helpers"
gibbous() {
    timeout 60 gibbous "$@" # a square would take hours
}
n=200000
printf '{"text":"apple pear","label":"a","group":"g"}\n{"text":"plum pear","label":"b","group":"h"}\n' >small.jsonl
fit="gibbous train small.jsonl --label label -k 2 --sweeps 4 --min-df 1 --seed 1 -q"

echo "marks on one letter, which are sorted"
{
    printf 'text,label\napple e'
    for i in $(seq 1000); do printf '\314\201\314\243%.0s' $(seq 1000); done
    printf ',a\npear,b\n'
} >marks.csv
try gibbous import marks.csv --label label --min-df 1 -q -o marks.gbc 2>&1 | sed 's/ [0-9]* documents/ N documents/'

echo "types of edges"
{ echo from,to,type && seq 400000 | sed "s/.*/g,h,type&/"; } >types.csv
try $fit --prior graph --group group --graph types.csv -m types.gibbous

echo "every two of many groups"
{ echo text,label,year && seq 30000 | sed 's/.*/apple pear,a,&/'; } >years.csv
(
    ulimit -v 1000000 # edges would take 20 GB
    try gibbous train years.csv --label label -k 2 --sweeps 4 -q -m years.gibbous --prior graph --group year --graph complete
)

echo "groups and edges within a limit of memory"
{ echo from,to && seq $n | sed 's/.*/a&,b&/'; } >edges.csv
try $fit --prior graph --group group --graph edges.csv --memory-limit 20M -m edges.gibbous 2>&1 | sed 's/with [0-9]* edges/with N edges/'

echo "groups whose few edges make a large factor, which is counted before it is made"
awk 'BEGIN {
    print "from,to\ng,\nh,"
    for (x = 1; n < 30000; n += a < b) {
        a = (x = x * 16807 % 2147483647) % 3000
        b = (x = x * 16807 % 2147483647) % 3000
        if (a < b) printf "a%d,a%d\n", a, b
    }
}' >random.csv
try $fit --prior graph --group group --graph random.csv --memory-limit 20M -m random.gibbous

echo "named topics, and seed words that no document has"
{ printf 'fruit: apple\nother: pear ' && seq -s ' ' $n; } >seeds.txt
$fit --seeds seeds.txt -m seeds.gibbous
gibbous train small.jsonl --label label -k 2 --sweeps 4 --min-df 1 --seed 1 --seeds seeds.txt -m seeds.gibbous --force 2>&1 |
    grep -o 'not in the vocabulary.*more)'
gibbous topics -m seeds.gibbous -q | wc -l

echo "levels of a factor: names take more memory than a small file may ask for"
{ echo text,label,person && seq 300000 | sed "s/.*[02468]$/apple pear,a,p&/; s/^[0-9]*[13579]$/plum pear,b,p&/"; } >people.csv
try gibbous train people.csv --label label --covariates person -k 2 --sweeps 4 --min-df 1 --seed 1 -q -m people.gibbous
gibbous info people.gibbous | head -n 1
gibbous diagnose -m people.gibbous | grep -o '^[0-9]* covariates'
echo "snapshots of few words: what is known of each takes more memory than a small file may ask for"
gibbous train small.jsonl -k 2 --sweeps 70000 --burn-in 1 --thin 1 --chains 1 --snapshots 70000 --min-df 1 --seed 1 -q -m snapshots.gibbous
gibbous info snapshots.gibbous | head -n 1
echo "topics and words in a small file: a table of all of them would take 1.6 GB, of all pairs of topics 0.8 GB"
{ printf 'text,label\n' && seq 20000 | tr 0-9 a-j | tr '\n' ' ' && printf ',a\nba ca,b\n'; } >words.csv
gibbous train words.csv --label label -k 10000 --sweeps 2 --min-df 1 --seed 1 -q -m words.gibbous
refuse() {
    try gibbous "$@" 2>&1 | sed 's/ [0-9][0-9]* / N /; s/of [0-9]*$/of N/'
}
gibbous topics -m words.gibbous -q | wc -l
refuse topics -m words.gibbous --by frex -q
refuse simulate -m words.gibbous --documents 2 -q -o words.jsonl
refuse export words.csv -m words.gibbous -q -o words.json
refuse report -m words.gibbous -q -o words.html
echo "topics of groups in a small file: their documents would take 1.3 GB, all pairs of topics 5 GB"
gibbous train small.jsonl -k 8000 --sweeps 2 --min-df 1 --seed 1 -q --prior graph --group group --graph complete -m groups.gibbous
refuse effects -m groups.gibbous --prior-predictive g -q
try gibbous topics -m groups.gibbous --correlations -q
(
    ulimit -v 2000000 # the result would take 10 GB
    refuse topics -m words.gibbous --correlations --documents-in words.csv -q
)
echo "topics of which some are left out"
gibbous train small.jsonl -k 60000 --sweeps 2 --min-df 1 --seed 1 -q -m topics.gibbous
gibbous edit -m topics.gibbous --drop 3 -o some.gibbous -q | wc -l
ls
