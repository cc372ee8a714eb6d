# Standard input is read from where it stands, once, and is not replaced by an output of the same call.
. "$TESTS/helpers"
for i in $(seq 12); do
    echo "{\"id\":\"$i\",\"text\":\"apple pear plum\"}"
done >kept.jsonl
cp kept.jsonl in.jsonl
# another program has read the first line
(read -r line && gibbous convert - --format jsonl --to csv -q) <in.jsonl | head -n 2
tail -n +2 in.jsonl | gibbous convert - --format jsonl --to csv -q >piped.csv
(read -r line && gibbous convert - --format jsonl --to csv -q) <in.jsonl | cmp - piped.csv
# an archive, from which libarchive reads its end first
mkdir docs
echo apple pear >docs/1.txt
tar cf docs.tar docs
(echo one line && cat docs.tar) >behind.tar
(read -r line && gibbous convert - --format dir --to csv -q) <behind.tar
try gibbous convert - - --format jsonl --to csv <in.jsonl
try gibbous convert - --metadata - --format jsonl --to csv <in.jsonl
# however the output is spelt
ln in.jsonl other.jsonl
try gibbous convert - --format jsonl --to csv -o in.jsonl --force <in.jsonl
try gibbous convert - --format jsonl --to csv -o other.jsonl --force <in.jsonl
try gibbous convert kept.jsonl --metadata - --to csv -o in.jsonl --force <in.jsonl
try gibbous convert - --format jsonl --to csv -q -o /dev/null --force </dev/null
cmp in.jsonl kept.jsonl
# a file named - is an input like any other
echo '{"text":"plum"}' >./-
gibbous convert ./- --format jsonl --to csv -q
