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
