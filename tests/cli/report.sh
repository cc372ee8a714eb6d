# report: what it refuses before any work.  tests/browser looks at the pages.
printf '{"text":"one two"}\n{"text":"two three"}\n' >d.jsonl
gibbous train d.jsonl -k 2 --sweeps 20 --seed 1 -q -m m.gibbous
try() {
    "$@" || echo "status $?"
}
exec 2>&1
try gibbous report
try gibbous report -m none.gibbous -o r.html
try gibbous report d.jsonl -m d.jsonl -o r.html
try gibbous report -m m.gibbous -o m.gibbous --force
try gibbous report d.jsonl -m m.gibbous -o d.jsonl --force
try gibbous report a b -m m.gibbous
echo kept >there.html
try gibbous report -m m.gibbous -o there.html
cat there.html
ls
