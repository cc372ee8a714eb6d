# Effects as text and as tables: the statistics of the draws, in the units of the fields.
. "$TESTS/helpers"
# Ratings follow the good share of a text, the year and the director; the label follows the texts.
awk 'BEGIN {
    srand(3)
    split("Ann Bob Cy", director)
    for (i = 0; i < 300; i++) {
        t = rand()
        text = ""
        for (j = 0; j < 20; j++)
            text = text (rand() < t ? "good" : "bad") (rand() < 0.5 ? "A" : "B") " "
        year = 1990 + int(20 * rand())
        d = director[1 + int(3 * rand())]
        printf "{\"text\":\"%s\",\"year\":%d,\"director\":\"%s\",", text, year, d
        printf "\"rating\":%.3f,", 500 + 300 * t + 10 * (year - 2000) + 150 * (d == "Bob") + 20 * rand()
        printf "\"l\":\"%s\"}\n", t < 0.3 ? "low" : t < 0.7 ? "middle" : "very, very high"
    }
}' >d.jsonl
fit() {
    gibbous train d.jsonl -k 2 --alpha 0.5 --sweeps "${sweeps-60}" --thin "${thin-1}" --seed 1 -q --force -m m.gibbous "$@"
}
# topics are numbered by chance
shape() {
    sed 's/[-+]\{0,1\}[0-9][0-9]*\.[0-9]*\(e[-+][0-9]*\)\{0,1\}/N/g; s/\([+-]\)[0-9][0-9]*\( \|$\)/N\2/g; s/\(good\|bad\)[ab]/\1/
        s/[-+]\{0,1\}\<[0-9]\{3,\}\>/N/g; s/^  topic  *[12]/  topic K/; s/  */ /g; s/,topic,[12],/,topic,K,/' | sort
}

# Classes: in the training, where labels shape topics, there are means only.
fit --label l --response logistic --intercept
gibbous effects -m m.gibbous -q --words 1 | shape
gibbous effects -m m.gibbous -q --table tsv --words 3 --by probability >effects.tsv
head -n 1 effects.tsv
cut -f 1-4 effects.tsv | sed 1d
awk -F '\t' 'NR > 1 && $3 == "topic" && ($11 != "" || split($13, w, " ") != 3) { print "wrong end of", $0 }' effects.tsv
gibbous effects -m m.gibbous -q --contrast 1,2 --words 1 | shape
# Where labels have no part in the topics, a contrast has the statistics of the differences of the coefficients that --draws writes.
fit --label l --response logistic --cost 1 --two-stage --intercept --draws draws.jsonl --draws-include eta
gibbous effects -m m.gibbous -q --words 1 | shape
gibbous effects -m m.gibbous -q --contrast 1,2 --words 1 | shape
gibbous effects -m m.gibbous -q --contrast 1,2 --table tsv >contrast.tsv
head -n 1 contrast.tsv
cut -f 1-3,5,7- contrast.tsv >numbers.tsv
cut -f 1-4 numbers.tsv | sed 1d
sed 's/.*"eta":\[\[//; s/\]\].*//; s/\],\[/,/g' draws.jsonl | awk -F , '
    NR == FNR { for (i = 1; i <= 3; i++) { x[i, NR] = $(3 * i - 2) - $(3 * i - 1); n = NR } next }
    FNR == 1 { FS = "\t"; next }
    { split($0, cell, "\t"); i = FNR - 1
      sum = squares = positive = 0
      for (j = 1; j <= n; j++) { sum += x[i, j]; positive += x[i, j] > 0 }
      for (j = 1; j <= n; j++) squares += (x[i, j] - sum / n) ^ 2
      for (j = 2; j <= n; j++)
          for (k = j; k > 1 && x[i, k] < x[i, k - 1]; k--) { t = x[i, k]; x[i, k] = x[i, k - 1]; x[i, k - 1] = t }
      differ(cell[5], sum / n); differ(cell[6], sqrt(squares / (n - 1))); differ(cell[8], (x[i, n / 2] + x[i, n / 2 + 1]) / 2)
      differ(cell[10], positive / n); rows++ }
    function differ(a, b) { if ((a - b) ^ 2 > 1e-12 * (1 + b ^ 2)) print "row", i, "has", a, "and not", b }
    END { print rows, "rows of", n, "draws" }' - numbers.tsv
gibbous effects m.gibbous -q --table csv --words 1 | shape | head -n 3

# A number with covariates under the horseshoe: 10 per year, Bob 150 above the others, 300 between the topics.
sweeps=200 fit --target rating --covariates year:number,director:factor --coefficient-prior horseshoe --intercept
gibbous effects m.gibbous -q --words 1 | shape
gibbous effects m.gibbous -q --table tsv >effects.tsv
awk -F '\t' '
    $3 == "topic" { topic[$13 ~ /^good/] = $5 }
    $3 != "topic" { mean[$4] = $5 }
    $4 == "year" && !($11 < 0.1) { print "what the data say so clearly is not left alone:", $0 }
    $3 != "intercept" && $3 != "parameter" && $3 != "variance" && NR > 1 && !($11 >= 0 && $11 <= 1) { print "no share of shrinkage:", $0 }
    function near(what, a, b, e) { print what, (a - b) ^ 2 < e ^ 2 ? "is right" : "is " a " and not " b }
    END {
        near("year", mean["year"], 10, 0.5)
        near("Bob", mean["director=Bob"] - (mean["director=Ann"] + mean["director=Cy"]) / 2, 150, 10)
        if (!(topic[1] - topic[0] > 200)) print "topics differ by", topic[1] - topic[0]
        near("average", mean[""], '"$(awk '{ sub(/.*"rating":/, ""); sum += $1 } END { print sum / NR }' d.jsonl)"', 3)
    }' effects.tsv
# levels too, joined or not; what cannot be compared
gibbous effects m.gibbous -q --contrast director=Bob,director=Ann+director=Cy --table tsv | awk -F '\t' '
    NR > 1 { print $1, $2, $3, $5, ($7 - 150) ^ 2 < 100 ? "is right" : "is " $7 }'
gibbous effects m.gibbous -q --contrast director=Bob --contrast 1 | shape
try gibbous effects m.gibbous --contrast director=Bob,1
try gibbous effects m.gibbous --contrast year
try gibbous effects m.gibbous --contrast 1,3
try gibbous effects m.gibbous --contrast director=Bob+director=Eve,director=Cy
try gibbous effects m.gibbous --contrast 1, --kind coefficients
try gibbous effects m.gibbous --contrast 1,2 --kind groups
try gibbous effects m.gibbous --contrast 1,2 --trend 1
# without an intercept the average document has the same value
fit --target rating --no-intercept
gibbous effects m.gibbous -q --table jsonl | tail -n 2 | sed 's/[0-9]*\.[0-9]*/N/g'
gibbous effects m.gibbous -q --table tsv | awk -F '\t' '$3 == "intercept" { print ($5 - 707.93) ^ 2 < 25 ? "right" : $5 }'

# One document in a hundred has a label: the log odds of the average document are those of the base rate, -4.6, and no topic matters.
awk '{ sub(/,"l":"[^"]*"}$/, ""); printf "%s,\"l\":\"%s\"}\n", $0, NR % 100 == 7 ? "rare" : "not" }' d.jsonl >base.jsonl
for intercept in yes no; do
    printf 'intercept = %s\n' $intercept >intercept.conf
    gibbous train base.jsonl --label l --positive rare --response logistic --cost 1 --variance 0.01 -k 4 --sweeps 600 --seed 1 -q -f -m b.gibbous \
        --config intercept.conf
    gibbous effects b.gibbous -q --table tsv | awk -F '\t' -v intercept=$intercept '
        $3 == "intercept" { print "intercept", intercept ":", (($5 < -3.6 && $5 > -6) ? "the base rate" : "not the base rate") }
        $3 == "topic" && ($7 > 0 || $9 < 0) { n++ }
        END { if (intercept == "yes") print n > 1 ? n " topics seem to matter" : "topics do not matter" }'
done
# Several chains; one set of topics per class; few draws; nothing to show; wrong use.
fit --label l --chains 2
try gibbous effects m.gibbous -o effects.txt
try gibbous effects m.gibbous -o effects.txt
gibbous effects m.gibbous -q | cmp - effects.txt
thin=auto fit --label l --strategy one-vs-rest
try gibbous effects m.gibbous --rows 1 --words 1 | shape
fit
try gibbous effects m.gibbous
try gibbous effects m.gibbous --contrast 1,2
try gibbous effects m.gibbous --table csv --rows 3
try gibbous effects m.gibbous -m m.gibbous
try gibbous effects
