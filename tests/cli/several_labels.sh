# Any number of classes per document, from training to scores.
. "$TESTS/helpers"
i=0
while [ $i -lt 60 ]; do
    echo '{"text":"apple pear plum apple","tags":["fruit"]}'
    echo '{"text":"wolf bear lynx wolf","tags":["beast"]}'
    echo '{"text":"apple wolf plum lynx","tags":["beast","fruit"]}'
    echo '{"text":"stone sand clay stone","tags":[]}'
    i=$((i + 1))
done >tags.jsonl
gibbous train tags.jsonl --labels tags -k 6 --sweeps 60 --seed 1 -q -m tags.gibbous
gibbous info tags.gibbous | head -n 5
gibbous predict tags.jsonl -m tags.gibbous -q | head -n 5 | cut -d, -f1,2
gibbous predict tags.jsonl -m tags.gibbous -q --table jsonl | head -n 4 | grep -o '"predicted":[^]]*]'
gibbous evaluate tags.jsonl -m tags.gibbous | awk 'NR > 2 { sub(/0[.].*/, "X", $2); print $1, $2 }' | head -n 8
