# Files that cannot be written are found out before any work, and nothing is left behind.
. "$TESTS/helpers"
echo old >old.jsonl
cp old.jsonl old.gbc
cp old.jsonl old.gibbous
try gibbous simulate -o old.jsonl
try gibbous simulate -o old.gbc
try gibbous simulate -o nowhere/new.jsonl
try gibbous simulate -o nowhere/new.gbc
try gibbous import missing -o old.gbc
try gibbous import missing -o new.gbc
try gibbous train missing -m old.gibbous
try gibbous train missing -m nowhere/new.gibbous
try gibbous train missing -m new.gibbous
try gibbous predict missing -m missing.gibbous -o new.csv
gibbous simulate --documents 100 -q >/dev/full 2>message || echo "$? $(cat message)"
gibbous --help >/dev/full 2>message || echo "$? $(cat message)"
gibbous --dump-options >/dev/full 2>message || echo "$? $(cat message)"
ls -A
cat old.*
try gibbous simulate -o old.jsonl --force --documents 1 --seed 1 --length 3 --vocabulary-size 10
cat old.jsonl
gibbous simulate -k 3 --documents 100 --classes 2 --response hinge --seed 1 -q -o new.jsonl
gibbous train new.jsonl --label label -k 2 --sweeps 4 --seed 1 -q -m m.gibbous
printf '1: Name\n' >names
try gibbous edit -m m.gibbous --names names -o old.jsonl
try gibbous edit -m m.gibbous --names names -o nowhere/x
try gibbous edit -m m.gibbous --names names -o -
ls
