# Whether topics depend on a field more than on a shuffled one: among documents, whole authors, and within strata.
. "$TESTS/helpers"
awk 'BEGIN {
    srand(7)
    for (d = 1; d <= 160; d++) {
        a = d % 16; party = a % 2 ? "Whig" : "Tory"; text = ""; first = rand() < .5
        for (i = 0; i < 12; i++)
            text = text " " substr(rand() < (party == "Whig" ? .7 : .3) ? "apebeecatdogelk" : "oakfiryewelmash", 1 + 3 * int(rand() * 5), 3)
        printf "{\"text\":\"%s\",\"party\":\"%s\",\"coin\":\"%s\",\"author\":\"a%d\",\"age\":%d,\"year\":%d}\n", text, party, first ? "heads" : "tails", a, 20 + a, 1990 + d % 3
    }
}' >docs.jsonl
options='--chains 1 --sweeps 120 --burn-in 60 --seed 1 --min-df 1 -q -f'
gibbous train docs.jsonl $options -k 2 --prior logistic-normal --prevalence 'party + (1|author)' -m formula.gibbous
gibbous train docs.jsonl $options -k 2 -m plain.gibbous
# Only which p are small.
small() {
    gibbous ask prevalence-permutations docs.jsonl --table csv "$@" 2>notes | awk -F, 'NR == 1 || $4 < 0.05 { n += NR > 1; if (NR == 1) print } END { print n + 0 }'
    cat notes
}
for model in formula plain; do
    echo "== $model: a field that matters, and a coin"
    small -m $model.gibbous --permute party
    small -m $model.gibbous --permute coin
    echo "== whole authors, and within authors"
    small -m $model.gibbous --permute party --whole author
    small -m $model.gibbous --permute coin --within author
    echo "== numbers"
    small -m $model.gibbous --permute age --whole author
done
echo "== the same on two threads"
gibbous ask prevalence-permutations docs.jsonl -m plain.gibbous --permute party --table csv -q >a
gibbous ask prevalence-permutations docs.jsonl -m plain.gibbous --permute party --table csv -q --threads 2 | cmp - a
echo "== what is wrong"
try gibbous ask prevalence-permutations docs.jsonl -m plain.gibbous
try gibbous ask prevalence-permutations docs.jsonl -m plain.gibbous --permute coin --whole author
try gibbous ask prevalence-permutations docs.jsonl -m plain.gibbous --permute party --within coin --whole author
try gibbous ask prevalence-permutations docs.jsonl -m plain.gibbous --permute nothing
try gibbous ask prevalence-permutations docs.jsonl -m plain.gibbous --within coin
