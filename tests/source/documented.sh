#!/usr/bin/env bash
# Every function of the public headers has a comment of its own right before it, and every header a first line that says
# what it is about.
#
#   documented.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
cd "$1/include/gibbous"
awk '
    FNR == 1 && $0 !~ "^/\\* gibbous/" FILENAME " - .*[a-z]" {
        print FILENAME ": begins with /* gibbous/" FILENAME " - what it is about"
        failed = 1
    }
    /^GB_API / && before !~ /\*\/$/ {
        print FILENAME ":" FNR ": no comment right before: " $0
        failed = 1
    }
    { before = $0 }
    END { exit failed }' *.h
