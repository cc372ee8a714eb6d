# A device or a pipe without an end is refused, before it fills the memory.
. "$TESTS/helpers"
printf '{"text":"apple pear","label":"a"}\n{"text":"plum pear","label":"b"}\n' >t.jsonl
gibbous train t.jsonl --label label -k 2 --sweeps 4 --min-df 1 --seed 1 -q -m m.gibbous
mkfifo endless
# Words without a line feed.
endless() {
    yes 'apple pear ' 2>/dev/null | tr -d '\n' >endless 2>/dev/null &
    try "$@"
    kill $! 2>/dev/null # if it ended without opening the pipe, tr waits for a reader
    wait
}
try gibbous train t.jsonl -k 2 --config /dev/zero -m x.gibbous
endless gibbous train t.jsonl -k 2 --config endless -m x.gibbous
try gibbous select t.jsonl --label label -k 2,3 --results /dev/zero
try gibbous select t.jsonl --label label -k 2,3 --results /dev/full
endless gibbous select t.jsonl --label label -k 2,3 --min-df 1 --folds 2 --results endless
try gibbous report -m m.gibbous --selection /dev/zero -o x.html
endless gibbous report -m m.gibbous --selection endless -o x.html
head -c 16777300 /dev/zero | tr '\0' ' ' >long # 16 MiB and 84 bytes
try gibbous report -m m.gibbous --selection long -o x.html
rm long
for option in --stopwords --vocabulary --seeds --metadata --class-weight; do
    try gibbous train t.jsonl --label label -k 2 $option /dev/zero -m x.gibbous -q
done
try gibbous predict t.jsonl -m /dev/zero
try gibbous info /dev/zero
try gibbous import /dev/zero --format jsonl -o x.gbc
ls
