#!/usr/bin/env bash
# Both libraries give away the functions that the public headers declare, and nothing else.
#
#   exports.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
root=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# GB_API type name(...): the name stands before the first parenthesis.
sed -n 's/^GB_API [^(]*[ *]\(gb_[a-z0-9_]*\)(.*/\1/p' "$root"/include/gibbous/*.h | sort >"$work/declared"
nm -D --defined-only "$build/libgibbous.so" | awk '{ print $3 }' | sort >"$work/shared"
nm -g --defined-only "$build/libgibbous.a" | awk 'NF == 3 { print $3 }' | sort >"$work/static"
for kind in shared static; do
    diff "$work/declared" "$work/$kind" >"$work/difference" || {
        echo "the $kind library and the headers differ (<: declared only, >: in the library only):"
        cat "$work/difference"
        status=1
    }
done
[ "$(grep -c . "$work/declared")" -eq "$(cat "$root"/include/gibbous/*.h | grep -c "^GB_API ")" ] || { echo "not every declaration was understood"; status=1; }
exit $status
