#!/usr/bin/env bash
# What the library never does: print, exit, keep what a C function shares between threads; and no file that holds two ideas.
#
#   forbidden.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
cd "$1"
status=0

# The code of a file with its comments and texts blanked, as "file:line:code".  Comments here never hold a quotation mark that
# opens a text.
code_of() {
    awk '
        FNR == 1 { inside = 0 }
        {
            line = $0
            gsub(/\\./, "", line)
            gsub(/"[^"]*"/, "\"\"", line)
            out = ""
            while (line != "") {
                if (inside) {
                    at = index(line, "*/")
                    if (at == 0) break
                    line = substr(line, at + 2)
                    inside = 0
                } else {
                    at = index(line, "/*")
                    if (at == 0) { out = out line; break }
                    out = out substr(line, 1, at - 1)
                    line = substr(line, at + 2)
                    inside = 1
                }
            }
            print FILENAME ":" FNR ":" out
        }' "$@"
}

# lgamma writes signgam; the others keep a state of their own, take the locale of the program, or end the process.
never='lgamma|lgammaf|strtok|rand|srand|random|drand48|localtime|gmtime|ctime|asctime|strerror_l|setlocale|setenv|putenv|readdir64|getpwnam|getpwuid|tmpnam|mktemp|gets|sprintf|vsprintf|printf|vprintf|puts|putchar|perror|exit|_exit|quick_exit|abort|system|popen|signal|sigaction|alarm'
mapfile -t files < <(find src -name '*.c' -o -name '*.h' | sort)
code_of "${files[@]}" | grep -E "(^|[^A-Za-z0-9_.>])($never)\(" && {
    echo "the library does not call these"
    status=1
}
code_of "${files[@]}" | grep -v '^src/base/output.c:' | grep -E '\bstd(out|err)\b' && { # there "-" is an output file
    echo "the library does not print"
    status=1
}

# Each C library rounds these in its own way, and chains depend on the last bit.
rounded='erf|erfc|tgamma|lgamma_r|hypot|exp2|exp10|cbrt|sinh|cosh|tanh|asinh|acosh|atanh|fma'
code_of "${files[@]}" | grep -E "(^|[^A-Za-z0-9_.>])($rounded)f?\(" && {
    echo "math/special.h has some of these with the same bits everywhere"
    status=1
}

# When memory runs out, Jansson's parser loses characters, calls a good text invalid, or aborts.
code_of "${files[@]}" cli/*.c | grep -v '^src/store/json_text.c:\|^cli/json.c:' | grep -E '\bjson_load[a-z]*\(' && {
    echo "JSON is parsed by gb_json_parse() or cli_json_parse()"
    status=1
}

# What a model is made of gets rows, numbers and notes; files are read in corpus/, JSON is written from plan/ on.
grep -rnE '\b(json_[a-z]|gb_table_|gb_input_)' src/counts src/response src/coefficient src/prior src/token && {
    echo "these read no files"
    status=1
}

while read -r lines file; do
    if [ "$file" != total ] && [ "$lines" -gt 1000 ]; then
        echo "$file has $lines lines: it holds two ideas"
        status=1
    fi
done < <(find src cli include -name '*.[ch]' -exec wc -l {} +)

# A title such as /* ---- name ---- */ stands on one line.
grep -rnE '/\* -{3,} ([^*-]|-[^-])*$' --include='*.[ch]' src include cli tests && {
    echo "a title of a section is one line"
    status=1
}
exit $status
