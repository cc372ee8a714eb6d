# Scores of each value of a field: the same as of a file with those documents alone, from a model and from folds.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
awk '{ sub(/^\{/, "{\"party\":\"" (NR % 3 == 0 ? "green" : NR % 3 == 1 ? "red" : "") "\",\"size\":" NR ","); print }' test.jsonl >parties.jsonl
gibbous ask subgroups parties.jsonl -m model.gibbous --subgroups party --subgroups label -q
for party in green red; do
    grep "\"$party\"" parties.jsonl >one.jsonl
    gibbous evaluate one.jsonl -m model.gibbous -q --json | jq -c '[.n, .accuracy, .log_loss, .brier]'
done

# labels of one party are wrong: its scores are worse, and no others
awk '{ sub(/^\{/, "{\"party\":\"p" NR % 5 "\","); if (NR % 5 == 0) { sub(/"label":"c1"/, "\"label\":\"x\""); sub(/"label":"c2"/, "\"label\":\"c1\""); sub(/"label":"x"/, "\"label\":\"c2\"") } print }' all.jsonl >wrong.jsonl
gibbous ask subgroups wrong.jsonl -m model.gibbous --subgroups party -q | grep -v '^ *$'

# folds; JSON; nothing unless it is asked for
gibbous evaluate parties.jsonl --folds 2 -k 3 --sweeps 10 --label label --seed 1 --subgroups party -q --json | jq -c '.subgroups | map(.subgroup) | unique'
gibbous evaluate parties.jsonl --label label -m model.gibbous -q --json | jq -c 'has("subgroups")'

# what cannot be told apart
try gibbous evaluate parties.jsonl -m model.gibbous --subgroups state -q
try gibbous evaluate parties.jsonl -m model.gibbous --subgroups '' -q
awk '{ sub(/^\{/, "{\"party\":\"p" NR "\","); for (i = 0; i < 5; i++) { sub(/"party":"[^"]*"/, "\"party\":\"p" NR "-" i "\""); print } }' all.jsonl >many.jsonl
try gibbous evaluate many.jsonl -m model.gibbous --subgroups party -q
