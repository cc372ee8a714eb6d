# Cut-offs of several labels are chosen in training, printed by info, and used by predict and evaluate alike.
. "$TESTS/helpers"
gibbous simulate -k 6 --documents 600 --length 40 --vocabulary-size 300 --classes 4 --alpha 0.2 --variance 40 \
    --seed 4 -q -o one.jsonl
# a third of the documents has a second label
awk '{ match($0, /"label":"c[0-9]*"/); class = substr($0, RSTART + 8, RLENGTH - 8)
       sub(/"label":"c[0-9]*"/, "&,\"tags\":[" class (NR % 3 == 0 ? ",\"often\"" : "") "]"); print }' one.jsonl >tags.jsonl
head -n 400 tags.jsonl >train.jsonl
tail -n 200 tags.jsonl >test.jsonl
run='--labels tags -k 6 --sweeps 80 --seed 1 -q'
gibbous train train.jsonl $run -m f1.gibbous
gibbous train train.jsonl $run --cut-off accuracy -m half.gibbous
gibbous train train.jsonl $run --cut-off none -m none.gibbous
for m in f1 half none; do
    echo $m
    gibbous info $m.gibbous | sed -n '/probabilities/,/^topics/p' | grep -v topics | sed 's/ 0\.[0-4][0-9]*$/ below a half/'
    gibbous predict test.jsonl -m $m.gibbous -q --scores --table tsv >$m.tsv
    # the set that is predicted is that of the probabilities above the cut-offs; without them, of the scores above 0
    gibbous info $m.gibbous --json | grep -o '"cut_offs":{[^}]*}' | grep -o '[0-9]\.[0-9]*' >cut_offs
    awk -F '\t' 'BEGIN { while ((getline line <"cut_offs") > 0) cut[++n] = line }
        NR == 1 { for (i = 3; i <= NF; i++) if ($i ~ /^p_/) { p[++k] = i; name[k] = substr($i, 3) } else if ($i ~ /^score_/) s[++l] = i; next }
        { set = ""
          for (i = 1; i <= k; i++) if (n ? $p[i] > cut[i] : $s[i] > 0) set = set (set == "" ? "" : ";") name[i]
          if (set != $2) wrong++; rows++ }
        END { print rows, "rows,", wrong + 0, "wrong" }' $m.tsv
done
# evaluate counts the same sets: documents without any class
for m in f1 half none; do
    a=$(gibbous evaluate test.jsonl -m $m.gibbous --json | grep -o '"n_no_class":[0-9]*' | cut -d: -f2)
    b=$(awk -F '\t' 'NR > 1 && $2 == ""' $m.tsv | wc -l)
    [ "$a" -eq "$b" ] && echo same
    cut -f 2 $m.tsv | tr ';' '\n' | grep -c . >>predicted
done
awk '{ n[NR] = $1 } END { if (n[1] <= n[2]) print "cut-offs below a half predict no more classes" }' predicted
# a model that cannot have probabilities has no cut-offs
gibbous train train.jsonl $run --calibrate 0 -m plain.gibbous
gibbous info plain.gibbous | grep -c 'cut_offs'
gibbous predict test.jsonl -m plain.gibbous -q | head -n 1
try gibbous train train.jsonl --label label -k 6 --cut-off f1 -m x.gibbous
