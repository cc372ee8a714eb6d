# The same value has the same name in every format and every option: 1 and 1.0, True and true, composed letters, blanks.
. "$TESTS/helpers"
texts() {
    i=0
    while [ $i -lt 24 ]; do
        printf '%s\n' "goal team match" "bank stock price"
        i=$((i + 1))
    done
}
table() { # the label, group and flag of both kinds of documents
    texts | awk -v a="$1" -v b="$2" -v g="$3" -v h="$4" -v t="$5" -v f="$6" \
        'BEGIN { print "id,text,label,year,flag" }
        { print "d" NR "," $0 "," (NR % 2 ? a : b) "," (NR % 2 ? g : h) "," (NR % 2 ? t : f) }'
}
table 1 2 2001 2002 true false >whole.csv
table 1.0 ' 2.0 ' 2001.0 2002.00 True FALSE >point.csv
sed 's/,/	/g' point.csv >point.tsv
texts | awk '{ odd = NR % 2
    printf "{\"id\":\"d%d\",\"text\":\"%s\",\"label\":%s,\"year\":%s,\"flag\":%s}\n", NR, $0, odd ? "1" : "2.0",
        odd ? "2001.0" : "\"2002 \"", odd ? "true" : "\"False\"" }' >whole.jsonl
for file in whole.csv point.csv point.tsv whole.jsonl; do
    gibbous import $file --label label --group year --covariates flag:factor -q -o $file.gbc
    gibbous info $file.gbc | sed -n '/^labels/,/^preparation/p' >$file.labels
    cmp whole.csv.labels $file.labels
done
cat whole.csv.labels
quick="-k 2 --sweeps 40 --chains 1 --seed 1 -q"
gibbous train whole.csv --label label --covariates flag:factor --group year --prior graph --graph chain $quick -m whole.gibbous
gibbous train point.csv --label label --covariates flag:factor --group year --prior graph --graph chain $quick -m point.gibbous
for file in whole.csv point.csv point.tsv whole.jsonl; do
    gibbous evaluate $file -m whole.gibbous -q --json | sed 's/.*\("accuracy":[0-9.]*\).*/\1/'
done
gibbous predict whole.csv -m whole.gibbous -q >a.csv
gibbous predict point.csv -m point.gibbous -q >b.csv
cmp a.csv b.csv && head -n 3 a.csv | cut -d, -f 1,2

# options that name classes, levels and groups
printf '1.0,2\n2,1\n' >weights.csv
try gibbous train whole.csv --label label --class-weight weights.csv --positive 2.0 $quick -m w.gibbous
try gibbous train whole.csv --label label --response ordinal --levels ' 2.0,1' $quick -m o.gibbous
try gibbous train whole.csv --response none --group year --prior graph --graph '[["2001.0","2002.0"]]' $quick -m g.gibbous
gibbous evaluate whole.csv --label label --hold-out-group year=2001.0 -k 2 --sweeps 40 --chains 1 --seed 1 -q |
    sed -n '1,2p'

gibbous effects -m whole.gibbous --contrast 'flag=TRUE,flag= False' -q 2>/dev/null | sed -n '/flag/p' | cut -c 1-24

# accents of one code point and of two; blanks of any kind
printf 'text,label\nab,\303\241\nab,a\314\201\nab,\302\240b\nab,b\n' >accents.csv
gibbous import accents.csv --label label -q -o accents.gbc
gibbous info accents.gbc | sed -n '/classes/,/^preparation/p'

# ids: blanks around them are no part of them, so that formats agree; rows of metadata join by the same rule
printf '{"id":" lead","text":"aa bb"}\n{"id":"trail ","text":"bb"}\n{"id":3.0,"text":"aa"}\n' >ids.jsonl
gibbous import ids.jsonl -q -o ids.gbc
gibbous convert ids.gbc --to csv -q -o ids.csv && cat ids.csv
printf 'id,stars\nlead,1\n trail,2\n3,4\n' >stars.csv
try gibbous import ids.jsonl --metadata stars.csv --target stars -o joined.gbc
# other ids: both sides are counted
printf 'id,text\n007,aa\n008,bb\n' >zeros.csv
printf 'id,stars\n7,1\n008,2\n' >other.csv
try gibbous import zeros.csv --metadata other.csv --target stars -o part.gbc

# what programs write for a missing value
printf 'text,label,y\nab,a,1\nab,NaN,2\nab,None,3\nab,null,N/A\nab,#N/A,<NA>\nab,n/a,nan\nab,NA,?\nab,,\nab,none,4\nab,-,5\n' >missing.csv
try gibbous import missing.csv --label label --target y -o missing.gbc
gibbous info missing.gbc | sed -n '/^labels/,/^preparation/p'
