# What effects shows of groups: shares, trends, contrasts, predictions, as text and as tables; exact messages.
. "$TESTS/helpers"
# Years 1990 to 1996 without 1993; later years have more of "war"; the label follows the documents.
awk 'BEGIN {
    srand(5)
    print "text,year,l,stars,pair"
    for (i = 0; i < 240; i++) {
        year = 1990 + i % 7
        if (year == 1993) continue
        t = 0.15 + 0.1 * (year - 1990) + 0.1 * rand()
        text = ""
        for (j = 0; j < 20; j++)
            text = text (rand() < t ? "war" : "tax") (rand() < 0.5 ? "A" : "B") " "
        printf "%s,%d,%s,%.2f,\"p, %d\"\n", text, year, rand() < t ? "yes" : "no", 5 * t, i % 2
    }
}' >d.csv
fit() {
    gibbous train d.csv -k 2 --prior graph --level-precision 1 --observation-precision 2 --sweeps 60 --burn-in 20 --thin 1 --seed 1 \
        -q --force -m m.gibbous "$@"
}
# numbers are those of the chain, topics are numbered by chance
shape() {
    sed 's/[-+]\{0,1\}[0-9][0-9]*\.[0-9]*\(e[-+][0-9]*\)\{0,1\}/N/g; s/^topic [12]: .*/topic K/; s/ [12] *N/ K N/
        s/\(war\|tax\)[ab]/WORD/; s/  */ /g; s/,[12],N/,K,N/; s/|[-o ]*$/BAR/; s/\<[01] *WORD/WORD/'
}

fit --group year --graph chain
gibbous effects m.gibbous --words 1 | shape
gibbous effects m.gibbous --words 1 --rows 1 -q | wc -l
gibbous effects m.gibbous --trend 1 --words 1 | shape
gibbous effects m.gibbous --contrast 1996,1990 --contrast 1993,1990 --words 1 | shape
gibbous effects m.gibbous --prior-predictive 1993 --words 1 | shape

# Tables agree with each other, and with what they mean.
gibbous effects m.gibbous --table tsv --words 1 >all.tsv
gibbous effects m.gibbous --table tsv --words 1 --trend 2 >two.tsv
{ head -n 1 all.tsv; for topic in 1 2; do awk -F '\t' -v topic=$topic '$3 == topic' all.tsv; done; } >by_topic.tsv
gibbous effects m.gibbous --table tsv --words 1 --trend 1 --trend 2 | cmp - by_topic.tsv
gibbous effects m.gibbous --table tsv --words 1 --trend 2,1 | cmp - by_topic.tsv
gibbous effects m.gibbous --table tsv --words 1 --trend all --threads 3 | cmp - by_topic.tsv
awk -F '\t' 'NR == 1 || $3 == 2' all.tsv | cmp - two.tsv
head -n 1 all.tsv
cut -f 1-3 all.tsv | sed 1d | paste -s -d ' '
gibbous effects m.gibbous --contrast 1996,1990 --words 1 --table csv >c.csv
head -n 1 c.csv
gibbous effects m.gibbous --prior-predictive 1993 --words 4 --table tsv >p.tsv
head -n 1 p.tsv
cut -f 2 p.tsv | sort | uniq -c | sed 's/  */ /g'
awk -F '\t' '
    FILENAME == "all.tsv" && FNR > 1 {
        mean[$1, $3] = $4; sd[$1] += $5; sum[$1] += $4
        if ($9 ~ /^war/) war = $3
        if (!($6 <= $7 && $7 <= $8)) print "quantiles in disorder:", $0
    }
    FILENAME == "p.tsv" && $2 == "topic" && (mean["1993", $4] - $5) ^ 2 > 1e-12 { print "another mean of topic", $4 }
    FILENAME == "p.tsv" && $2 == "word" { words += $5 }
    END {
        for (g in sum) if ((sum[g] - 1) ^ 2 > 1e-12) print "shares of", g, "add up to", sum[g]
        if ((words - 1) ^ 2 > 1e-12) print "words add up to", words
        print (mean["1996", war] > mean["1990", war] + 0.2 ? "war grows" : "war does not grow")
        print (sd["1993"] > sd["1992"] && sd["1993"] > sd["1994"] ? "1993 is less sure" : "1993 is as sure")
    }' all.tsv p.tsv
gibbous effects m.gibbous --contrast 1990,1996 --words 1 --table csv | awk -F , '
    FNR == 1 { next }
    NR == FNR { mean[$3] = $4; p[$3] = $9; next }
    (mean[$3] + $4) ^ 2 > 1e-12 || (p[$3] + $9 - 1) ^ 2 > 1e-12 { print "not the opposite:", $0 }' - c.csv
gibbous effects m.gibbous --prior-predictive 1993 --words 1 --table jsonl | sed -n 3p | shape

# With a response both are shown, or one of them.
fit --group year --graph chain --label l --target stars --response l=logistic,stars=gaussian
gibbous effects m.gibbous --words 1 -q | grep -c .
gibbous effects m.gibbous --words 1 -q --kind coefficients >c
gibbous effects m.gibbous --words 1 -q --kind groups >g
{ cat c; echo; cat g; } >both
gibbous effects m.gibbous --words 1 -q | cmp - both
gibbous effects m.gibbous --kind groups --table csv | head -n 1
gibbous effects m.gibbous --kind coefficients --table csv | head -n 1
gibbous effects m.gibbous --prior-predictive 1993 --words 1 | tail -n 4 | shape
try gibbous effects m.gibbous --table csv
try gibbous effects m.gibbous --kind coefficients --trend all

# Full covariance, several chains, few draws, groups with commas, a file.
gibbous train d.csv -k 2 --prior graph --group pair --sweeps 8 --seed 1 -q --force -m m.gibbous
gibbous effects m.gibbous --contrast 'p, 1,p, 0' --words 1 -q | shape
try gibbous effects m.gibbous --contrast 'p, 1,p, 2'
try gibbous effects m.gibbous --contrast 'p, 2,p, 0'
gibbous train d.csv -k 2 --prior graph --group year --covariance full --chains 2 --sweeps 8 --seed 1 -q --force -m m.gibbous
try gibbous effects m.gibbous --trend all -o t.txt
try gibbous effects m.gibbous --trend all -o t.txt

# Topics that count as one: their shares are sums within draws, so that of two topics nothing is unknown; one that is left out appears nowhere.
fit --group year --graph chain
gibbous edit -m m.gibbous --merge 1+2 -o whole.gibbous -q >/dev/null
gibbous effects whole.gibbous --table tsv | awk -F '\t' 'NR > 1 { print $3, ($4 - 1) ^ 2 < 1e-20, $5 < 1e-12 }' | uniq -c | sed 's/  */ /g'
gibbous effects whole.gibbous --contrast 1996,1990 --table tsv | awk -F '\t' 'NR > 1 { print $3, $4 ^ 2 < 1e-20 }'
gibbous effects whole.gibbous --prior-predictive 1993 --table tsv -q | awk -F '\t' '$2 == "topic" { print $4, ($5 - 1) ^ 2 < 1e-20, $6 < 1e-12 }'
gibbous edit -m m.gibbous --drop 2 -o part.gibbous -q >/dev/null
awk -F '\t' '$3 != 2' all.tsv >one.tsv
gibbous effects part.gibbous --table tsv --words 1 -q | cmp - one.tsv
try gibbous effects part.gibbous --contrast 1996,1990 --rows 0 | grep -c '^  [12] '
try gibbous effects part.gibbous --trend 2

# Wrong use.
gibbous train d.csv -k 2 --prior graph --group year --covariance full --chains 2 --sweeps 8 --seed 1 -q --force -m m.gibbous
try gibbous effects m.gibbous --trend 3
try gibbous effects m.gibbous --trend 1,
try gibbous effects m.gibbous --trend 1 --rows 2
try gibbous effects m.gibbous --trend 1 --contrast 1990,1991
try gibbous effects m.gibbous --contrast 1990
try gibbous effects m.gibbous --contrast 1990,1989
try gibbous effects m.gibbous --contrast 1989,1990
try gibbous effects m.gibbous --prior-predictive 1993
try gibbous effects m.gibbous --kind documents
gibbous train d.csv -k 2 --label l --sweeps 4 --seed 1 -q --force -m m.gibbous
try gibbous effects m.gibbous --trend 1
try gibbous effects m.gibbous --kind groups
gibbous train d.csv -k 2 --sweeps 4 --seed 1 -q --force -m m.gibbous
try gibbous effects m.gibbous
try gibbous effects m.gibbous --kind coefficients
# Groups that no document is of are known by the prior alone: they come last, and nobody compares them unasked; on a chain they keep their place.
compared() {
    gibbous ask group-contrasts -m m.gibbous --table tsv -q |
        awk -F '\t' -v empty="$1" 'NR > 1 { n++ } $1 == empty || $2 == empty { bad++ } END { print (n > 0), bad + 0 }'
    gibbous effects m.gibbous --table tsv -q 2>/dev/null | awk -F '\t' 'NR > 1 { print $1 }' | uniq | paste -sd' '
}
fit --group year --graph chain
compared 1993
printf 'from,to\n1989,1990\n1990,1991\n1991,1992\n1992,1994\n1994,1995\n1996,1995\n' >edges.csv
fit --group year --graph edges.csv
compared 1989
# Effects on scores take documents as independent, those too that the model knows to belong together.
head -n 101 d.csv >half.csv
{ head -n 1 d.csv; tail -n +102 d.csv; } >other.csv
for more in --no-intercept '--cluster pair'; do
    gibbous train half.csv --label l -k 2 --prior graph --group year --graph chain $more --sweeps 8 --seed 1 -q --force -m m.gibbous
    gibbous effects other.csv -m m.gibbous 2>&1 | grep 'documents are taken'
done
