#!/usr/bin/env bash
# The benchmark program on a tiny corpus: that it runs, and that its own log joint is that of the library.
#
#   smoke.sh GIBBOUS_BENCH GIBBOUS
set -eu
bench=$1 gibbous=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
model=(--response none --topics 8 --alpha 0.5 --blocks 3)

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# field NAME [NUMBER]: value of the NUMBERth (the last) field of that name in a line of JSON.
field() {
    grep -o "\"$1\":[^,}]*" | cut -d: -f2 | if [ -n "${2-}" ]; then sed -n "$2p"; else tail -n 1; fi
}

# about A B: equal to seven digits.
about() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != 0 && (a - b) ^ 2 <= (1e-7 * a) ^ 2) }'
}

"$bench" --documents 60 --length 40 --vocabulary-size 300 --classes 3 --true-topics 10 --output "$work/tiny.gbc"

# The library's own log joint after six sweeps, which the program counts anew from assignments.
"$gibbous" train "$work/tiny.gbc" "${model[@]}" --seed 1 --threads 1 --sweeps 6 --burn-in 5 --thin 1 \
    --draws "$work/draws" -m "$work/model.gibbous" -q
"$bench" "$work/tiny.gbc" "${model[@]}" --sweeps 6 --trace 3 >"$work/library"
tokens=$(field tokens <"$work/library")
about "$(field log_joint 1 <"$work/draws")" "$(field log_joint <"$work/library" | awk -v n="$tokens" '{ printf "%.9f", $1 * n }')" ||
    fail "log joint of the library and of the program differ"

# The textbook's sampler goes on from where the library was after three sweeps, and goes up.
"$bench" "$work/tiny.gbc" "${model[@]}" --engine textbook --warm 3 --sweeps 30 --trace 30 >"$work/textbook"
about "$(field log_joint 1 <"$work/textbook")" "$(field log_joint 2 <"$work/library")" ||
    fail "the textbook's sampler does not begin where the library was"
awk -v from="$(field log_joint 1 <"$work/textbook")" -v to="$(field log_joint <"$work/textbook")" \
    'BEGIN { exit !(to > from) }' || fail "the textbook's sampler does not get better"

# With three classes both have three outputs, and the textbook's sampler again begins where the library was.
"$bench" "$work/tiny.gbc" --topics 8 --alpha 0.5 --sweeps 3 --trace 3 >"$work/hinge"
[ "$(field outputs <"$work/hinge")" = 3 ] || fail "three classes are three outputs"
"$bench" "$work/tiny.gbc" --topics 8 --alpha 0.5 --engine textbook --warm 3 --sweeps 5 --trace 5 >"$work/labels"
about "$(field log_joint 1 <"$work/labels")" "$(field log_joint <"$work/hinge")" ||
    fail "the textbook's sampler with labels does not begin where the library was"
if "$bench" "$work/tiny.gbc" --topics 8 --alpha 0.5 --engine textbook --intercept yes 2>"$work/message"; then
    fail "the textbook's sampler took an intercept"
fi
grep -q "one response, shared topics and nothing besides" "$work/message" || fail "the refusal does not say what it is"

# An assignment that is written and read again has the same log joint; one with a word changed is refused.
"$bench" "$work/tiny.gbc" "${model[@]}" --sweeps 2 --trace 2 --dump "$work/pairs" >"$work/dumped"
"$bench" "$work/tiny.gbc" "${model[@]}" --assignments "$work/pairs" >"$work/judged"
about "$(field log_joint <"$work/judged")" "$(field log_joint <"$work/dumped")" ||
    fail "an assignment changes on its way through a file"
awk 'NR == 2 { split($1, pair, ":"); $1 = (pair[1] + 1) % 300 ":" pair[2] } { print }' "$work/pairs" >"$work/changed"
if "$bench" "$work/tiny.gbc" "${model[@]}" --assignments "$work/changed" 2>"$work/message"; then
    fail "took an assignment of other words"
fi
grep -q "changed:2: " "$work/message" || fail "the refusal does not name the line"

# Training with a test set: one score per kept sweep, and well above chance on the documents it was trained on.
"$bench" "$work/tiny.gbc" --topics 8 --alpha 0.5 --sweeps 30 --burn-in 20 --thin 5 --test "$work/tiny.gbc" >"$work/training"
[ "$(grep -o '"accuracy"' "$work/training" | wc -l)" = 2 ] || fail "two kept sweeps are two scores"
awk -v a="$(field accuracy <"$work/training")" 'BEGIN { exit !(a > 0.6 && a <= 1) }' || fail "accuracy out of range"
