# Input that cannot be read names file and line, exits with 3 and leaves nothing behind.
. "$TESTS/helpers"
printf '{"text":"one two","label":"x"}\n{"text":"three","label":\n' >cut.jsonl
printf '{"text":"one \377 two"}\n' >bytes.jsonl
printf 'id,body,stars\n1,"one two",5\n2,"three\n' >quote.csv
printf 'id,body,stars\n1,one two,5\n2,three\n' >short.csv
printf '1 1:2 2:1\n-1 1:-2\n' >negative.svm
printf '1 1:2 2:1\n-1 1:1.5\n' >part.svm
printf '3\n4\n2\n1 2 1\n1 9 1\n' >docword.txt
: >empty.jsonl
try gibbous import cut.jsonl --label label -o x.gbc
try gibbous import bytes.jsonl -o x.gbc
try gibbous import quote.csv --text body --label stars -o x.gbc
try gibbous import short.csv --text body --label stars -o x.gbc
try gibbous import short.csv -o x.gbc
try gibbous import short.csv --text body --label star -o x.gbc
try gibbous import negative.svm --format svmlight -o x.gbc
try gibbous import part.svm --format svmlight -o x.gbc
try gibbous import docword.txt --format uci -o x.gbc
try gibbous import empty.jsonl -o x.gbc
try gibbous train empty.jsonl -m x.gibbous
try gibbous info empty.jsonl
try gibbous info missing.csv
printf '{"text":"one two","label":"x"}\n{"text":"two three","label":"y"}\n' >two.jsonl
try gibbous train two.jsonl --label label -k 2 --sweeps 4 --min-df 1 --seed 1 -q -m two.gibbous
try gibbous evaluate empty.jsonl -m two.gibbous
try gibbous evaluate - --format jsonl -m two.gibbous <empty.jsonl
try gibbous info - --format jsonl <empty.jsonl
try gibbous import - --format jsonl -o x.gbc <empty.jsonl
try gibbous export - --format jsonl -m two.gibbous -o x <empty.jsonl
try gibbous effects - --format jsonl -m two.gibbous <empty.jsonl
try gibbous train cut.jsonl -m x.gibbous
ls -A
