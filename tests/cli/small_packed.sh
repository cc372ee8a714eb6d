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
{
    printf '1'
    printf ' %s:16000000' $(seq 100) # 1.6 billion words in 1.2 kB
    printf '\n2 1:1\n'
} >counts.svm
try gibbous import counts.svm --format svmlight -o c.gbc -q
{
    printf '{"text":"apple pear","rare":0.%0101d,"x":[1' 1
    yes ',{"":1}' | head -n 3000000 | tr -d '\n' # values of a list that is asked for take memory
    printf ']}\n'
} | gzip >values.jsonl.gz
try gibbous import values.jsonl.gz --labels x -o v.gbc -q
{
    printf '1 |a'
    yes ' b' | head -n 4000000 | tr -d '\n' # a word of two bytes takes 24
    printf '\n'
} | gzip >long.vw.gz
try gibbous info long.vw.gz --memory-limit 60M -q
{
    printf 'text\n"'
    yes 'apple pear' | head -n 3000000 # the quote is never closed
} | gzip >open.csv.gz
try gibbous info open.csv.gz --memory-limit 40M -q
{
    printf '{"text":"apple","x":['
    yes '1,' | head -n 3000000 # neither is the list
} | gzip >open.json.gz
try gibbous info open.json.gz --memory-limit 20M -q
printf '1 1:1 2:2\n2 1:2 2:1\n' >few.svm
gibbous train few.svm --format svmlight --min-df 1 --label label -k 2 --sweeps 4 --seed 1 -m few.gibbous -q
try gibbous predict counts.svm --format svmlight -m few.gibbous -q
printf '1 1:16777216 2:250\n1 3:1\n' >large.svm
try gibbous import large.svm --format svmlight --min-df 1 -o large.gbc -q
ls
