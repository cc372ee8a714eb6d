#!/usr/bin/env bash
# Accuracy on 20 Newsgroups, the word counts of the "bydate" version (GIBBOUS_DATA/20news).
#
#   newsgroups.sh GIBBOUS TASK RESPONSE LEAST [TRAIN OPTION]...
#
#   TASK   binary (alt.atheism against talk.religion.misc, 856 and 569 documents) or all (20 classes)
#   LEAST  what the mean test accuracy must reach, over 5 seeds (binary) or 1 (all; 3 with GIBBOUS_LONG_TESTS=1)
# Exit status 77, "skipped", without the data.
set -eu
gibbous=$1 task=$2 response=$3 least=$4
shift 4
seeds=5
if [ "$task" = all ]; then
    seeds=${GIBBOUS_LONG_TESTS:+3}
fi
data=${GIBBOUS_DATA-}/20news
if [ ! -d "$data" ]; then
    echo "skipped: GIBBOUS_DATA names no folder with 20news/bow"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Documents of the wanted classes, numbered anew, as "document word count" lines and one label per line.
select_part() {
    zcat "$data/bow/$1.label.gz" >"$work/labels"
    zcat "$data/bow/$1.data.gz" | awk -v task="$task" -v out="$work/$1.label" '
        NR == FNR { label[NR] = $1
                    if (task == "all" || $1 == 1 || $1 == 20) { number[NR] = ++n; print $1 >out }
                    next }
        $1 in number { print number[$1], $2, $3 }' "$work/labels" - >"$work/$1.data"
}

select_part train
select_part test
words=(--format uci --vocabulary "$data/bow/vocabulary.txt.gz" --label '#1')
"$gibbous" import "$work/train.data" "${words[@]}" --metadata "$work/train.label" \
    --stopwords "$data/stopwords_en.txt" -o "$work/train.gbc" -q
for seed in $(seq "${seeds:-1}"); do
    "$gibbous" train "$work/train.gbc" -m "$work/model.gibbous" --response "$response" --seed "$seed" --threads 1 -q --force "$@"
    "$gibbous" evaluate "$work/test.data" "${words[@]}" --metadata "$work/test.label" -m "$work/model.gibbous" \
        --threads 1 -q --json >"$work/scores"
    sed 's/.*"accuracy": *\([0-9.]*\).*/\1/' "$work/scores" | head -n 1
done | awk -v least="$least" '
    { print "seed " NR ": test accuracy " $1; sum += $1 }
    END { printf "mean %.4f, expected at least %s\n", sum / NR, least; exit !(sum / NR >= least) }'
