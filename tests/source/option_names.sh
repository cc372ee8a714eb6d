#!/usr/bin/env bash
# The library names an option as gb_settings_set() takes it, in backquotes, and never with dashes: those are for the command.
# What goes with what is in the table alone.  It asks for values of options that exist, by the function for their kind.  The checks of that find planted faults.
#
#   option_names.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
root=$1
status=0

# faults FOLDER: the faults of the texts in its src/, with their places.  The table of options is the command's help.
faults() {
    sed -n 's/^GB_OPTION("\([a-z-]*\)".*/\1/p' "$root/src/options/options.def" >"$work/names"
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
                if (text ~ /` (does not go with|needs) `/)
                    print FILENAME ":" FNR ": a rule beside the table: " text
                n = split(text, part, "`")
                if (n > 0 && n % 2 == 0)
                    print FILENAME ":" FNR ": a backquote too many: " text
                for (i = 2; i < n; i += 2)
                    if (part[i] !~ /^%(s|\.\*s)$/ && !(part[i] in is_option))
                        print FILENAME ":" FNR ": no such option: " part[i]
            }
        }' "$work/names")
}

# wrong_values FOLDER: calls in its src/, cli/ and tests/ that ask for the value of no such option, or for a value of another kind.
wrong_values() {
    sed -n 's/^GB_OPTION("\([a-z-]*\)", [^,]*, \([A-Z]*\),.*/\1 \2/p' "$root/src/options/options.def" >"$work/kinds"
    (cd "$1" && find src cli tests -name '*.[ch]' -print0 2>/dev/null | sort -z | xargs -0 awk '
        BEGIN {
            kinds["int"] = kinds["int_or"] = kinds["set_int"] = "INT"
            kinds["real"] = kinds["real_or"] = "REAL"
            kinds["yes"] = "FLAG SWITCH"
            kinds["has"] = "TEXT"
            kinds["list"] = "LIST"
            kinds["text"] = kinds["are"] = "INT REAL TEXT FLAG SWITCH CHOICE"
        }
        FILENAME == ARGV[1] { kind[$1] = $2; next }
        FNR == 1 { text = "" }
        {
            text = text $0 # a call may go over two lines
            while (match(text, /gb_settings_[a-z_]+\([^(),"]*, *"[^"]*"/)) {
                call = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART + RLENGTH)
                split(call, part, "\"")
                sub(/^gb_settings_/, "", call)
                sub(/\(.*/, "", call)
                if (call in kinds && (!(part[2] in kind) || index(" " kinds[call] " ", " " kind[part[2]] " ") == 0))
                    print FILENAME ":" FNR ": gb_settings_" call "() of " part[2]
            }
            if (text !~ /gb_settings_[a-z_]+\([^(),"]*, *$/)
                text = ""
        }' "$work/kinds")
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found=$(faults "$root" && wrong_values "$root")
[ -z "$found" ] || {
    echo "$found"
    status=1
}

mkdir -p "$work/src"
printf '%s\n' '    fail("give --sweeps"); /* not --sweeps */' '/* "--sweeps" */' '    fail("give `sweeps` or `%s`", "`sweep`");' \
    '    fail("a \" --%s", "`");' '    fail("`sweeps` needs `%s`");' >"$work/src/a.c"
expected='src/a.c:1: an option with dashes: give --sweeps
src/a.c:3: no such option: sweep
src/a.c:4: an option with dashes: a \" --%s
src/a.c:4: a backquote too many: `
src/a.c:5: a rule beside the table: `sweeps` needs `%s`'
[ "$(faults "$work")" = "$expected" ] || {
    echo "faults that were planted were not found as expected:"
    faults "$work"
    status=1
}
printf '%s\n' 'f(gb_settings_int(s, "topics"), gb_settings_int(s, "topisc"));' 'g(gb_settings_real_or(s, "threads", 1));' \
    'h(gb_settings_are(call->settings,' '  "grid", "x"));' >"$work/src/a.c"
expected='src/a.c:1: gb_settings_int() of topisc
src/a.c:2: gb_settings_real_or() of threads
src/a.c:4: gb_settings_are() of grid'
[ "$(wrong_values "$work")" = "$expected" ] || {
    echo "calls that were planted were not found as expected:"
    wrong_values "$work"
    status=1
}
exit $status
