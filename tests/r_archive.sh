#!/usr/bin/env bash
# The archive of the R package: made, and checked as CRAN checks it, without an error or a warning.  It contains all that it needs.
#
#   r_archive.sh SOURCE_FOLDER BUILD_FOLDER
#
# Exit status 77 if R, a package that checks need, or vendor/ (tools/vendor) is not there: the test is skipped.
set -euo pipefail
source=$1 build=$2

skip() {
    echo "not done: $1"
    exit 77
}

command -v R >/dev/null || skip "needs R (Debian: r-base-core)"
command -v qpdf >/dev/null || skip "needs qpdf"
for package in Matrix generics testthat posterior tm knitr rmarkdown; do
    Rscript -e "quit(status = !requireNamespace('$package', quietly = TRUE))" >/dev/null 2>&1 ||
        skip "needs the R package $package (Debian: r-cran-${package,,})"
done
[ -d "$source/vendor/jansson" ] || skip "needs the sources of jansson, utf8proc, xxhash and uthash in vendor/ (tools/vendor)"

folder=$build/r-archive
rm -rf "$folder"
mkdir -p "$folder/tmp"
export TMPDIR=$folder/tmp MAKEFLAGS=-j2 _R_CHECK_CRAN_INCOMING_REMOTE_=false
if [ "${CMAKE_C_COMPILER_LAUNCHER-}" ]; then # twice the same files
    printf 'CC = %s gcc\n' "$CMAKE_C_COMPILER_LAUNCHER" >"$folder/makevars"
    export R_MAKEVARS_USER=$folder/makevars
fi
archive=$("$source/tools/r-package" "$folder" | tail -n 1)
size=$(stat -c %s "$archive")
echo "$archive has $size bytes"
[ "$size" -lt 5000000 ]
cd "$folder"
GIBBOUS_COMMAND=$build/gibbous R CMD check --as-cran --no-manual "$archive" | tee check.log
! grep -E '(ERROR|WARNING)$' check.log
