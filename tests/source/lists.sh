#!/usr/bin/env bash
# Lists that pages repeat are those of the program: verbs, formats, responses and document priors.
#
#   lists.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
docs=$1/docs gibbous=$2/gibbous
status=0

# same WHAT EXPECTED FOUND
same() {
    [ "$2" = "$3" ] || {
        printf '%s: not those of the program:\n' "$1"
        diff <(echo "$2") <(echo "$3") || status=1
    }
}

# choices OPTION: the words that an option takes, but auto
choices() {
    "$gibbous" --dump-options | awk -v name="\"$1\"" '
        /^   "name"/ { found = index($0, name) > 0 }
        found && /^   \]/ { exit }
        found && choices { gsub(/[ ",]/, ""); if ($0 != "auto") print }
        found && /^   "choices": \[$/ { choices = 1 }'
}

# "import: turn texts, tables or counts into a corpus file"
verbs=$("$gibbous" --help | sed -n 's/^  \([a-z]*\)  *\([a-z].*\)/\1: \2/p')
[ "$(wc -l <<<"$verbs")" -gt 10 ]
same docs/man/gibbous.md "$verbs" "$(awk '/^gibbous-[a-z]*\(1\)$/ { split($0, part, /[-(]/); getline; print part[2] $0 }' "$docs/man/gibbous.md")"
same docs/man/index.md "$(sed 's/:.*//' <<<"$verbs")" "$(sed -n 's/^gibbous-//p' "$docs/man/index.md")"
same docs/man/ "$(sort <<<"$verbs")" "$(cd "$docs/man" && for page in gibbous-*.md; do
    verb=${page%.md}
    echo "${verb#gibbous-}: $(sed -n '1s/^% //p' "$page")"
done | sort)"
for verb in $(sed 's/:.*//' <<<"$verbs"); do
    same "docs/man/gibbous-$verb.md, synopsis" "$("$gibbous" "$verb" --help | sed -n 's/^Usage: *//p')" \
        "$(sed -n '/^## Synopsis/,/^## Desc/s/^    //p' "$docs/man/gibbous-$verb.md")"
done

same 'docs/formats.md, sections' "$(choices format | sort)" "$(grep -E '^(\| )?`--format ' "$docs/formats.md" | sed 's/^| //; s/[.|].*//' |
    grep -o 'format [a-z]*' | cut -d ' ' -f 2 | sort)"
same 'docs/formats.md, what is beside' "$(choices to | grep -vx 'ldavis\|mallet-state' | sort)" \
    "$(sed -n '/^| format |/,/^$/p' "$docs/formats.md" | cut -d '|' -f 2 | grep -o '`[a-z]*`' | tr -d '`' | sort)"
same docs/man/gibbous-export.md 'ldavis
mallet-state' "$(sed -n 's/^`\([a-z-]*\)` (.*/\1/p' "$docs/man/gibbous-export.md")"
same docs/responses.md "$(sed -n 's/^    ROW([a-z_]*, "\([a-z-]*\)".*/\1/p' "$1/src/options/responses.h")" \
    "$(sed -n 's/^| `\([a-z-]*\)` .*/\1/p' "$docs/responses.md")"
exit $status
