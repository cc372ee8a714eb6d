# What fails before its first row leaves nothing on standard output, and no file; a table without rows has its header.
. "$TESTS/data_helpers"
make_model
printf 'id,body\n1,aa\n' >other.csv
printf '{"text":"aa"}\n{"text":\n' >broken.jsonl
: >empty.jsonl
for verb in predict infer; do
    for input in missing.jsonl other.csv broken.jsonl; do
        gibbous $verb $input -m model.gibbous 2>messages
        echo "$verb $? $(cat messages)"
        gibbous $verb $input -m model.gibbous -o out.csv 2>messages
        echo "$verb $?"
    done
    gibbous $verb empty.jsonl -m model.gibbous -q
done
ls -A
# a table that is longer than a stream holds back
gibbous simulate -k 2 --documents 240 --length 5 --vocabulary-size 20 --seed 2 -q -o plain.jsonl
awk '{ sub(/"label":"c[0-9]*"/, "\"label\":\"class" NR % 120 "\""); print }' plain.jsonl >many.jsonl
gibbous train many.jsonl --label label -k 2 --sweeps 4 --min-df 1 --seed 1 -q -m many.gibbous
# what cannot be printed is an error of every verb that prints, and the message says why the first write failed
while read -r call; do
    for output in full closed; do
        status=0
        if [ $output = full ]; then
            reason='No space left on device'
            gibbous $call >/dev/full 2>messages || status=$?
        else
            reason='Bad file descriptor'
            gibbous $call >&- 2>messages || status=$?
        fi
        sed "s|this gibbous was built without.*|standard output: cannot write: $reason|
            s|^|$call, $output: $status |" messages
    done
done <<END
help
train --help
import --help
info train.jsonl
info model.gibbous --json
convert train.jsonl --to jsonl -q
convert train.jsonl --to csv -q
predict test.jsonl -m model.gibbous -q
predict test.jsonl -m model.gibbous -q --table jsonl
infer test.jsonl -m model.gibbous -q
evaluate test.jsonl -m model.gibbous -q
evaluate test.jsonl -m model.gibbous -q --json
evaluate many.jsonl -m many.gibbous -q
select train.jsonl --label label --grid topics=2,3 --folds 2 --sweeps 4 --seed 1 -q
topics -m model.gibbous
topics -m model.gibbous --table csv
effects -m model.gibbous
effects -m model.gibbous --table jsonl
explain test.jsonl -m model.gibbous -q
explain test.jsonl -m model.gibbous -q --table csv
diagnose -m model.gibbous
diagnose -m model.gibbous --json
report -m model.gibbous -q
export train.jsonl -m model.gibbous --to ldavis -q
export train.jsonl -m model.gibbous --to mallet-state -q
simulate -k 2 --documents 50 --seed 1 -q
END
