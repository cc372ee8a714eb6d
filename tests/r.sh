#!/usr/bin/env bash
# The tests of the R package, with the library and the command of this build.
#
#   r.sh SOURCE_FOLDER BUILD_FOLDER
#
# Exit status 77 if R or a package is not there (Debian: r-base-core r-cran-matrix r-cran-generics r-cran-testthat): the tests are skipped.
set -eu
source=$1 build=$2

command -v Rscript >/dev/null || {
    echo "not done: needs R (Debian: r-base-core)"
    exit 77
}
for package in Matrix generics testthat; do
    Rscript -e "quit(status = !requireNamespace('$package', quietly = TRUE))" >/dev/null 2>&1 || {
        echo "not done: needs the R package $package (Debian: r-cran-${package,,})"
        exit 77
    }
done

folder=$build/r-tests
rm -rf "$folder"
mkdir -p "$folder/library" "$folder/tmp"
cp -r "$source/bindings/r" "$folder/gibbous"
export R_LIBS=$folder/library TMPDIR=$folder/tmp MAKEFLAGS=-j2 NOT_CRAN=true
export PKG_CPPFLAGS=-I$source/include PKG_LIBS="-L$build -Wl,-rpath,$build -lgibbous"
export GIBBOUS_COMMAND=$build/gibbous
R CMD INSTALL --no-docs --no-test-load --library="$folder/library" "$folder/gibbous"
cd "$folder/gibbous/tests"
Rscript testthat.R
