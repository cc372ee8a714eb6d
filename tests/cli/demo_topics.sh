# What the demo shows of classes: each has the topic that speaks most for it, found by names of columns.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
tool=$TESTS/../../tools/class_topics.sh
make_model
gibbous topics -m model.gibbous --words 4 --table tsv -o topics.tsv -q
"$tool" topics.tsv | cut -f 1 | sort
# by hand: the classes of topics in falling order of their coefficients
gibbous topics -m model.gibbous --words 4 --table tsv -q | awk -F '\t' '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { n = split($at["classes"], part, ";"); for (i = 1; i <= n; i++) { split(part[i], x, " "); print x[2] + 0 "\t" x[1] "\t" $at["words"] } }' |
    sort -gr | awk -F '\t' '!seen[$2]++ { print $2 "\t" $3 }' >expected
"$tool" topics.tsv | cmp - expected
# columns may come in any order, and names of classes may have blanks
printf 'words\tshare\tclasses\ttopic\nsun moon\t0.1\tnight sky +1.5;sea +0.5\t1\nfish boat\t0.2\tsea +2;night sky +0.5\t2\nnone\t0.1\t\t3\n' >table
"$tool" table
printf 'topic\tshare\n1\t0.5\n' >table
try "$tool" table 2>&1 | sed 's/[^ ]*class_topics/class_topics/'
