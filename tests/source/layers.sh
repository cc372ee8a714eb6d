#!/usr/bin/env bash
# Includes and calls go down the layers, and the check of that finds planted faults.
#
#   layers.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
root=$1
status=0
"$root/tools/check_layers.sh" "$root" "$2" || status=1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/src/base "$work"/src/corpus/data "$work"/cli "$work"/include/gibbous
printf '#include "run/draws.h"\n#include "gibbous/gibbous.h"\n#include "gibbous/status.h"\n' >"$work/src/base/a.c"
printf '#include "corpus/readers/table.h"\n#include "corpus/data/view.h"\n#include <stdio.h>\n' >"$work/src/corpus/data/b.c"
printf '#include "gibbous/gibbous.h"\n#include "own.h"\n#include "model/model.h"\n' >"$work/cli/c.c"
printf '#include "base/memory.h"\n#include <stdint.h>\n' >"$work/include/gibbous/d.h"
found=$("$root/tools/check_layers.sh" "$work") && status=1
expected='cli/c.c:3: model/model.h: the command lives on the public headers
include/gibbous/d.h:1: base/memory.h: a public header includes public headers only
src/base/a.c:1: run/draws.h: base comes before run
src/base/a.c:2: gibbous/gibbous.h: base/ sees only gibbous/status.h and gibbous/output.h
src/corpus/data/b.c:1: corpus/readers/table.h: corpus/data comes before corpus/readers'
if [ "$found" != "$expected" ]; then
    echo "the planted faults are not what is found:"
    echo "$found"
    status=1
fi
exit $status
