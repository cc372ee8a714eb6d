# What is drawn depends on the settings and the seed only, and more documents only add to it.
. "$TESTS/helpers"
gibbous simulate -k 3 --documents 4 --length 6 --vocabulary-size 20 --classes 3 --seed 7 -q |
    sed 's/"\(ba[bcd][aeiou] \{0,1\}\)*"/"WORDS"/; s/"c[123]"/"CLASS"/'
gibbous simulate --documents 20 --seed 7 -q -o a.jsonl
gibbous simulate --documents 20 --seed 7 -q -o b.jsonl --threads 1
cmp a.jsonl b.jsonl
head -n 10 a.jsonl >b.jsonl
gibbous simulate --documents 10 --seed 7 -q | cmp - b.jsonl
gibbous simulate --documents 20 --seed 8 -q | cmp -s - a.jsonl || echo another seed, other documents
gibbous simulate --documents 20 --seed 7 -q -o a.gbc
gibbous simulate --documents 20 --seed 7 -q -o b.gbc
cmp a.gbc b.gbc
gibbous simulate --prior uniform --response none -k 2 --documents 1 --length 9 --vocabulary-size 5 --seed 1 -q |
    sed 's/"\(bab[aeiou] \{0,1\}\)*"/"WORDS"/'
try gibbous simulate --prior uniform --alpha 1
try gibbous simulate --alpha optimise
try gibbous simulate --alpha 1,2 -k 3
gibbous simulate --documents 1 2>&1 >/dev/null | sed 's/seed [0-9]*/seed N/; s/[0-9]* tokens/N tokens/'
