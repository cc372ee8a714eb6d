# No verb takes more than --memory-limit and room for the program: a long line, many words, many classes, many documents.
. "$TESTS/helpers"
limit=16M most=90000 # kB at the peak: 16 MiB, and 16 MiB + 13 for the program + 18 for two threads, with what shared libraries have
peak() { # what a command says, its status, and its peak if that is too much
    python3 -c '
import os, subprocess, sys
child = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
print(sys.argv[3], "ends with", child.returncode)
if used.ru_maxrss > int(sys.argv[1]):
    print("peak", used.ru_maxrss, "kB")' $most gibbous "$@" --threads 2 --memory-limit $limit 2>&1 |
        sed 's/[0-9][0-9]* bytes for .*/N bytes/; s/about [0-9.]* .iB/about N/; s/first [0-9]* documents/first N documents/'
}
printf '{"text":"moon bread moon tide","label":"a"}\n{"text":"bread tide","label":"b"}\n' >small.jsonl
gibbous train small.jsonl --label label -k 2 --min-df 1 --sweeps 4 --seed 1 -q -m small.gibbous

echo "a long line"
{
    printf '{"label":"a","text":"' && yes 'moon bread tide ' | head -c 30000000 | tr '\n' ' ' && printf '"}\n'
    cat small.jsonl
} >line.jsonl
peak import line.jsonl --label label -f -o x.gbc
peak convert line.jsonl -f -o x.csv
peak train line.jsonl --label label -f -m x.gibbous
peak select line.jsonl --label label --grid topics=2,3
peak evaluate line.jsonl --label label --folds 2
for verb in predict infer evaluate explain; do
    peak $verb line.jsonl -m small.gibbous
done
peak report line.jsonl -m small.gibbous -f -o x.html
peak effects line.jsonl -m small.gibbous

echo "many words"
awk 'BEGIN { for (i = 0; i < 20000; i++) { printf "{\"text\":\""; for (j = 0; j < 50; j++) printf "w%c%c%c%c%c ", 97 + j % 26, 97 + j / 26, 97 + i % 26, 97 + i / 26 % 26, 97 + i / 676 % 26
    print "\",\"label\":\"" i % 2 "\"}" } }' >words.jsonl
peak import words.jsonl --label label --min-df 1 -f -o x.gbc
peak train words.jsonl --label label --min-df 1 -f -m x.gibbous

echo "many classes of many documents"
awk 'BEGIN { for (i = 0; i < 4000; i++) printf "{\"text\":\"moon bread\",\"label\":\"c%d\"}\n", i % 4000 }' >classes.jsonl
peak train classes.jsonl --label label -k 2 --min-df 1 --sweeps 4 -q -f -m x.gibbous
peak evaluate classes.jsonl --label label -k 2 --min-df 1 --sweeps 4 --folds 2 -q
gibbous train classes.jsonl --label label -k 2 --min-df 1 --sweeps 4 --chains 1 --calibrate 0 --seed 1 -q -f -m classes.gibbous
peak predict classes.jsonl -m classes.gibbous -q
peak evaluate classes.jsonl -m classes.gibbous -q

echo "a drawn vocabulary"
peak simulate --documents 10 --vocabulary-size 5000000 -q -f -o x.jsonl
