#!/usr/bin/env bash
# What objects of the library ask for: nothing that prints or ends the process, and each library beside the C library in one place, which a
# build without it leaves out (cmake/dependencies.cmake).
#
#   symbols.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# "output.c.o: stdout"
nm -A -u "$build/libgibbous_internal.a" | sed 's/^[^:]*://; s/: *U /: /; s/@.*//' >"$work/asked"
[ -s "$work/asked" ]
status=0

# only PATTERN FILES: a name like that, anywhere but in these objects.
only() {
    if grep -E ": ($1)$" "$work/asked" | grep -vE "^($2): "; then
        echo "no object but those of $2 asks for these"
        status=1
    fi
}
only '(abort|exit|_exit|_Exit|quick_exit|s?rand|s?random|drand48|stderr|(__)?v?s?printf(_chk)?|puts|putchar|perror)' 'none'
if grep -q '^CMAKE_BUILD_TYPE:.*=Release$' "$build/CMakeCache.txt"; then # elsewhere assertions are on
    only __assert_fail 'none'
fi
only stdout 'output.c.o'
only 'archive_.*' 'archive.c.o'
only 'pcre2_.*' 'pattern.c.o'
only 'sb_stemmer_.*' 'stem.c.o'
only '(ubrk|utext|u)_.*' 'breaks.c.o'
only '(de|in)flate.*|crc32' '(de|in)flate.c.o'
only 'dl(open|sym|error|addr)' 'system_posix.c.o'
exit $status
