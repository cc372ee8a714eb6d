#!/usr/bin/env bash
# The library names an option as gb_settings_set() takes it, in backquotes, and never with dashes: those are for the command.
# The check of that finds planted faults.
#
#   option_names.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
root=$1
status=0

# faults FOLDER: the faults of the texts in its src/, with their places.  The table of options is the command's help.
faults() {
    sed -n 's/^GB_OPTION([a-z_]*, "\([a-z-]*\)".*/\1/p' "$root/src/options/options.def" >"$work/names"
    (cd "$1" && find src -name '*.[ch]' -print0 | sort -z | xargs -0 awk '
        FILENAME == ARGV[1] { is_option[$0] = 1; next }
        {
            line = $0
            sub(/^ *\/?\*.*/, "", line) # comments
            while (match(line, /"([^"\\]|\\.)*"/)) {
                text = substr(line, RSTART + 1, RLENGTH - 2)
                line = substr(line, RSTART + RLENGTH)
                if (text ~ /--[a-z%]/)
                    print FILENAME ":" FNR ": an option with dashes: " text
                n = split(text, part, "`")
                if (n > 0 && n % 2 == 0)
                    print FILENAME ":" FNR ": a backquote too many: " text
                for (i = 2; i < n; i += 2)
                    if (part[i] !~ /^%(s|\.\*s)$/ && !(part[i] in is_option))
                        print FILENAME ":" FNR ": no such option: " part[i]
            }
        }' "$work/names")
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found=$(faults "$root")
[ -z "$found" ] || {
    echo "$found"
    status=1
}

mkdir -p "$work/src"
printf '%s\n' '    fail("give --sweeps"); /* not --sweeps */' '/* "--sweeps" */' '    fail("give `sweeps` or `%s`", "`sweep`");' \
    '    fail("a \" --%s", "`");' >"$work/src/a.c"
expected='src/a.c:1: an option with dashes: give --sweeps
src/a.c:3: no such option: sweep
src/a.c:4: an option with dashes: a \" --%s
src/a.c:4: a backquote too many: `'
[ "$(faults "$work")" = "$expected" ] || {
    echo "faults that were planted were not found as expected:"
    faults "$work"
    status=1
}
exit $status
