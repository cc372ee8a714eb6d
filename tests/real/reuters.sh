#!/usr/bin/env bash
# Several classes per document: Reuters-21578, ModApte split (GIBBOUS_DATA/reuters21578), the 90 topics with an example
# in both parts and the 7,770 and 3,019 stories with at least one of them.
#
#   reuters.sh GIBBOUS LEAST MOST [TRAIN OPTION]...
#
#   LEAST, MOST  the range for the mean micro F1 on the test part, over 1 seed (3 with GIBBOUS_LONG_TESTS=1)
# Exit status 77, "skipped", without the data.
set -eu
gibbous=$1 least=$2 most=$3
shift 3
seeds=1
if [ -n "${GIBBOUS_LONG_TESTS-}" ]; then
    seeds=3
fi
data=${GIBBOUS_DATA-}/reuters21578
if [ ! -d "$data" ]; then
    echo "skipped: GIBBOUS_DATA names no folder with reuters21578"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The topics that occur in a part, each in its quotes.
topics_of() {
    zcat "$data/reuters_modapte_$1.jsonl.gz" | grep -o '"labels": \[[^]]*\]' | grep -o '"[^"]*"' |
        grep -vx '"labels"' | LC_ALL=C sort -u
}

# The stories of a part with at least one of the topics, and no other topics.
select_part() {
    zcat "$data/reuters_modapte_$1.jsonl.gz" | awk '
        NR == FNR { wanted[$0]; next }
        match($0, /"labels": \[[^]]*\]/) {
            n = split(substr($0, RSTART + 11, RLENGTH - 12), topic, ", ")
            list = ""
            for (i = 1; i <= n; i++)
                if (topic[i] in wanted)
                    list = list (list == "" ? "" : ", ") topic[i]
            if (list != "")
                print substr($0, 1, RSTART + 10) list substr($0, RSTART + RLENGTH - 1)
        }' "$work/topics" - >"$work/$1.jsonl"
}

topics_of train >"$work/train_topics"
topics_of test >"$work/test_topics"
LC_ALL=C comm -12 "$work/train_topics" "$work/test_topics" >"$work/topics"
select_part train
select_part test
if [ "$(wc -l <"$work/topics") $(wc -l <"$work/train.jsonl") $(wc -l <"$work/test.jsonl")" != "90 7770 3019" ]; then
    echo "not the ModApte split: expected 90 topics, 7770 and 3019 stories with one of them"
    exit 1
fi
"$gibbous" import "$work/train.jsonl" --labels labels --stopwords en --min-df 2 -o "$work/train.gbc" -q
for seed in $(seq "$seeds"); do
    "$gibbous" train "$work/train.gbc" -m "$work/model.gibbous" --seed "$seed" --threads 1 -q --force "$@"
    "$gibbous" evaluate "$work/test.jsonl" --labels labels -m "$work/model.gibbous" --threads 1 -q --json >"$work/scores"
    sed -n 's/.*"micro_f1": *\([0-9.]*\).*/\1/p' "$work/scores" | head -n 1
done | awk -v least="$least" -v most="$most" '
    { print "seed " NR ": micro F1 " $1; sum += $1 }
    END { if (!NR) exit 1
          printf "mean %.4f, expected from %s to %s\n", sum / NR, least, most
          exit !(sum / NR >= least && sum / NR <= most) }'
