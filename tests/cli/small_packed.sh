# A small packed file cannot fill the memory: it is refused by how much it unpacks to, or by the limit.
. "$TESTS/helpers"
for i in $(seq 100); do printf '{"text":"apple%1000000spear"}\n' ''; done | gzip >bomb.jsonl.gz # 100 MB in 100 kB
try gibbous import bomb.jsonl.gz -o a.gbc -q
try gibbous import - --format jsonl -o a.gbc -q <bomb.jsonl.gz
try gibbous info bomb.jsonl.gz -q
try gibbous import bomb.jsonl.gz --unpack-factor 2000 -o a.gbc -q
yes '{"text":"apple pear plum"}' | head -n 100000 | gzip >many.jsonl.gz
try gibbous import many.jsonl.gz --memory-limit 1M -o b.gbc -q 2>&1 | sed 's/first [0-9]* documents/first N documents/'
try gibbous info many.jsonl.gz --memory-limit 1M -q 2>&1 | sed 's/first [0-9]* documents/first N documents/'
try gibbous import many.jsonl.gz --memory-limit 100M -o b.gbc -q
ls
