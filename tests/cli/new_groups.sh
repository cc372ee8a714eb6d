# Documents of groups that the graph does not have: refused, or placed by --new-groups.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_data
# years 2001 to 2005 and two venues, in turn; new documents are of 2007, of venue C, and of a year that is there
awk '{ sub(/^{/, "{\"year\":" 2001 + NR % 5 ",\"venue\":\"" (NR % 2 ? "A" : "B") "\","); print }' train.jsonl >train
awk '{ sub(/^{/, "{\"year\":" (NR % 3 ? 2007 : 2003) ",\"venue\":\"" (NR % 4 ? "A" : "C") "\","); print }' test.jsonl >new
options='--format jsonl --label label --prior graph -k 5 --sweeps 40 --seed 1 -q'
gibbous train train $options --group year --graph chain -m chain.gibbous
gibbous train train $options --group venue,year --graph grid -m grid.gibbous
gibbous train train $options --group venue -m alone.gibbous
sed 's/"venue":"C"/"venue":"A"/; s/2007/2003/' new >old
for model in chain grid; do
    for how in extend level; do
        for threads in 1 3; do
            gibbous predict new --format jsonl -m $model.gibbous --new-groups $how --threads $threads -q >$model.$how.$threads
        done
        cmp $model.$how.1 $model.$how.3 && gibbous evaluate new --format jsonl -m $model.gibbous --new-groups $how -q --held-out empirical |
            awk '$1 == "n" || $1 == "n_tokens" { print $1, $2 }' | sed -n '1d; 2,3p'
    done
    # documents of groups that are there (rows 3, 6, 9, 15, ...) do not see the others
    gibbous predict old --format jsonl -m $model.gibbous -q | awk 'NR % 3 == 1 && NR % 4 != 1' >known
    awk 'NR % 3 == 1 && NR % 4 != 1' $model.extend.1 | cmp - known && wc -l <known
done
gibbous infer new --format jsonl -m alone.gibbous --new-groups level -q | wc -l
try gibbous predict new --format jsonl -m chain.gibbous
try gibbous infer new --format jsonl -m grid.gibbous --new-groups error
try gibbous predict new --format jsonl -m alone.gibbous --new-groups extend
try gibbous predict new --format jsonl -m chain.gibbous --new-groups skip
sed 's/2007/soon/; s/:soon/:"soon"/' new >soon
try gibbous predict soon --format jsonl -m chain.gibbous --new-groups extend
