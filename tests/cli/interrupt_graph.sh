# A signal ends a training within seconds also where the draws of a graph's precisions take minutes.
. "$TESTS/helpers"
awk 'BEGIN {
    n = 2000
    for (i = 0; i < n; i++) print "{\"text\":\"moon tide bread\",\"label\":\"" i % 2 "\",\"group\":\"g" i "\"}" >"docs.jsonl"
    print "from,to,type" >"edges.csv"
    for (i = 0; i < n; i++) print "g" i ",g" (i + 1) % n ",ring" >"edges.csv"
    x = 1
    for (e = 0; e < 3 * n; e++) {
        a = (x = x * 16807 % 2147483647) % n; b = (x = x * 16807 % 2147483647) % n
        if (a < b - 1 && !((a, b) in seen)) { seen[a, b]; print "g" a ",g" b ",chord" e % 2 >"edges.csv" }
    }
}'
fit="gibbous train docs.jsonl --label label --group group --prior graph --graph edges.csv -k 5 --sweeps 20 --min-df 1 --chains 1 --seed 1 -q"
for seconds in 2 4; do
    status=0
    timeout --kill-after=8 $seconds $fit -f -m model.gibbous 2>message || status=$?
    echo "$status $(grep -c 'stopped' message)" # 124: ended by the first signal, 137: killed
done
