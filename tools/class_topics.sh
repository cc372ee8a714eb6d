#!/bin/sh
# For each class the topic that speaks most for it: "class<TAB>words", by falling coefficient.
#
#   class_topics.sh TABLE
#
# TABLE is what `gibbous topics --table tsv` writes.  Columns are found by their names.
set -eu
rows=$(awk -F '\t' '
    NR == 1 {
        for (i = 1; i <= NF; i++)
            column[$i] = i
        if (!("words" in column) || !("classes" in column)) {
            print FILENAME ": no columns named words and classes" >"/dev/stderr"
            failed = 1
            exit 1
        }
        next
    }
    {
        # "games +4.1;sound +2.0": a name may have blanks, the coefficient is behind the last one.
        n = split($column["classes"], effect, ";")
        for (i = 1; i <= n; i++) {
            blank = match(effect[i], / [^ ]*$/)
            class = substr(effect[i], 1, blank - 1)
            coefficient = substr(effect[i], blank + 1) + 0
            if (coefficient > best[class]) {
                best[class] = coefficient
                words[class] = $column["words"]
            }
        }
    }
    END {
        if (!failed)
            for (class in words)
                printf "%s\t%s\t%s\n", best[class], class, words[class]
    }' "$1")
[ -z "$rows" ] || printf '%s\n' "$rows" | LC_ALL=C sort -t "$(printf '\t')" -k 1,1gr -k 2,2 | cut -f 2-
