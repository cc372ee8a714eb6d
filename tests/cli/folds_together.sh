# Scores over folds are those of all documents together: folds without a class, and folds of one document, change nothing.
awk 'BEGIN {
    split("apple pear plum fig lemon grape melon peach cherry quince date olive", word)
    for (d = 0; d < 60; d++) {
        class = d % 10 < 5 ? 0 : d % 10 < 8 ? 1 : 2
        text = ""
        for (i = 0; i < 20; i++)
            text = text " " word[1 + 4 * class + (d + i * i) % 4]
        printf "{\"text\":\"%s\",\"label\":\"%s\",\"y\":%d,\"who\":\"w%d\"}\n", text, word[1 + class], 100 * class + d % 3, int(d / 10)
    }
}' >all.jsonl
run="-k 6 --sweeps 100 --alpha 0.1 --seed 1 -q"
for n in 3 20 60; do
    gibbous evaluate all.jsonl --label label --folds $n $run | awk '$1 == "accuracy" || $1 == "macro_f1" { print $1, $2, $3 }'
    gibbous evaluate all.jsonl --target y --folds $n $run | awk '$1 == "r2" { print $1, ($2 > 0.9 ? "above .9" : $2) }'
done
# A training answers its largest class; without a group of documents that is another one than in the group.
head -n 5 all.jsonl | sed 's/"w."/"odd"/; s/"label":"[a-z]*"/"label":"plum"/' >odd.jsonl
cat all.jsonl odd.jsonl >more.jsonl
gibbous evaluate more.jsonl --label label --hold-out-group who=odd $run | awk '$1 == "baseline" { print $1, $2 }'
# Errors are by groups where these are held out together: six groups that are all alike have one.
gibbous evaluate all.jsonl --label label --folds 3 --fold-by group:who $run | awk '$1 == "baseline" { print $1, ($3 < 1e-9 ? "no error" : $3) }'
gibbous evaluate all.jsonl --label label --folds 3 $run | awk '$1 == "baseline" { print $1, ($3 > 0.02 ? "some error" : $3) }'
# Threads and what is in a file of results change nothing.
gibbous select all.jsonl --label label -k 2,3 --folds 5 --sweeps 20 --seed 1 --results r.jsonl --json -q --threads 1 | sed 's/"seconds.*//' >one
gibbous select all.jsonl --label label -k 2,3 --folds 5 --sweeps 20 --seed 1 --results r.jsonl --json -q --threads 2 | sed 's/"seconds.*//' | cmp - one
sed 's/"documents": *{"responses": *\[{/&"x":1,/; s/"n_classes": *3/"n_classes":1/' r.jsonl >damaged.jsonl
gibbous select all.jsonl --label label -k 2,3 --folds 5 --sweeps 20 --seed 1 --results damaged.jsonl -q 2>&1
true
