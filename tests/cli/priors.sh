# Document priors with log weights: what training, prediction, simulation and draws make of them, and what they refuse.
. "$TESTS/helpers"
awk 'BEGIN { print "id,text,venue,year,label"
    for (i = 0; i < 120; i++) {
        year = 2001 + i % 8; if (year == 2004) continue
        venue = i % 3 ? "A" : "B"; text = ""
        for (j = 0; j < 12; j++) text = text " " ((i + j) % 4 < (year - 2001) / 2 ? "new" : "old") substr("abcdefgh", (i * 7 + j * j) % 8 + 1, 1)
        print "d" i "," text "," venue "," year "," (year > 2004 ? "late" : "early")
    } }' >train.csv
head -n 4 train.csv >few.csv
common="-k 3 --sweeps 20 --seed 1 --label label -q -f -m m"
try gibbous train train.csv $common --prior logistic-normal --draws d --draws-include prior
head -n 1 d | grep -o '"group_mean":\|"observation_precision":\|"psi":\|"evolution_precision":' | sort
try gibbous predict few.csv -m m -o p1
try gibbous train train.csv $common --prior logistic-normal --covariance full --psi-mean 0.5,-1
try gibbous predict few.csv -m m -o p2
try gibbous simulate -m m --documents 3 --seed 1 -q -o s.jsonl
printf '2,0.5\n0.5,1\n' >sigma.csv
try gibbous train train.csv $common --prior logistic-normal --covariance full --psi-covariance sigma.csv --psi-update interval
gibbous infer few.csv -m m -q -o i1
gibbous train train.csv $common --prior logistic-normal --covariance full --psi-covariance '[[2, 0.5], [0.5, 1]]' --psi-update interval
gibbous infer few.csv -m m -q -o i2
cmp i1 i2
try gibbous train train.csv $common --prior logistic-normal --covariance full --psi-covariance '[[2, 0.5]]'
# a graph: 2004 has no documents, but neighbours
try gibbous train train.csv $common --prior graph --group year --graph chain --draws d --draws-include prior
head -n 1 d | grep -o '"group_mean":\|"observation_precision":\|"psi":\|"evolution_precision":' | sort
sed 's/,2001,/,2004,/' few.csv >gap.csv
try gibbous infer gap.csv -m m -o p3
try gibbous infer gap.csv -m m --group year -o p4
cmp p3 p4
printf 'id,text,year\nempty,,2001\n' >empty.csv
try gibbous infer empty.csv -m m -o p5 -q
gibbous simulate -m m --documents 200 --seed 1 -q -o s.gbc
gibbous info s.gbc --json | grep -o '"groups":{"year":{"present":200'
gibbous info m --json | grep -o '"prior":"graph"\|"graph":"chain"'
try gibbous train train.csv $common --prior graph --group venue,year --graph grid --covariance full
printf 'from,to,weight,type\nA,B,2,near\nB,C,1,far\n' >edges.csv
try gibbous train train.csv $common --prior graph --group venue --graph edges.csv --evolution-precision 2 --observation-precision gamma:2,1
sed 's/,[AB],/,C,/' few.csv | gibbous infer - --format csv -m m -o p6 -q && echo a group of the graph alone
# what does not fit
sed 's/,2001,/,2020,/; s/,[AB],/,D,/' few.csv >other.csv
printf 'from,to\nA,A\n' >loop.csv
printf 'from,to,weight\nA,B,-1\n' >negative.csv
printf 'from,to\nA,C\n' >without.csv
printf '1,2\n3,1\n' >skew.csv
printf '1,2\n' >short.csv
try gibbous infer other.csv -m m
cut -d, -f1,2,5 few.csv >bare.csv
try gibbous infer bare.csv -m m
common="-k 3 --seed 1 --label label -q -m n"
try gibbous train train.csv $common --prior graph
try gibbous train train.csv $common --prior graph --group venue --graph chain
try gibbous train train.csv $common --prior graph --group venue --graph loop.csv
try gibbous train train.csv $common --prior graph --group venue --graph negative.csv
try gibbous train train.csv $common --prior graph --group venue --graph without.csv
try gibbous train train.csv $common --prior graph --group venue --graph chain --evolution-precision gamma:1
try gibbous train train.csv $common --prior graph --group venue --observation-precision 0
try gibbous train train.csv $common --prior graph --group venue --psi-covariance 1
try gibbous train train.csv $common --prior graph --group venue --covariance full --observation-precision 1
try gibbous train train.csv $common --prior graph --group venue --psi-mean 0
try gibbous train train.csv $common --prior logistic-normal --alpha 1
try gibbous train train.csv $common --alpha 1e300
try gibbous train train.csv $common --alpha 1e-7
try gibbous train train.csv $common --prior logistic-normal --psi-mean 1,2,3
try gibbous train train.csv $common --prior logistic-normal --psi-mean high
try gibbous train train.csv $common --prior logistic-normal --psi-covariance sigma.csv
try gibbous train train.csv $common --prior logistic-normal --psi-covariance 0
try gibbous train train.csv $common --prior logistic-normal --covariance full --psi-covariance skew.csv
try gibbous train train.csv $common --prior logistic-normal --covariance full --psi-covariance short.csv
try gibbous train train.csv $common --graph chain
try gibbous train train.csv $common --prior uniform --psi-update interval
try gibbous simulate --prior graph -o x.jsonl
