#!/usr/bin/env bash
# A quick run of a paper's experiments works, and a second run finds nothing left to do.
#
#   quick.sh SOURCE_FOLDER GIBBOUS simulated|real PAPER
#
# Exit status 77, "skipped", without Python 3.9 or the data.
set -eu
source=$1 documents=$3 paper=$4
export GIBBOUS=$2 PYTHONDONTWRITEBYTECODE=1
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "skipped: needs python3, 3.9 or later"
    exit 77
fi
if [ "$documents" = simulated ]; then
    unset GIBBOUS_DATA
elif [ -z "${GIBBOUS_LONG_TESTS-}" ]; then
    echo "skipped: for ./check --all only"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$source/experiments/run" "$paper" --quick --output "$work"
cp "$work/results.csv" "$work/first.csv"
python3 "$source/experiments/run" "$paper" --quick --output "$work"
cmp "$work/first.csv" "$work/results.csv"
n_rows=$(wc -l <"$work/results.csv")
echo "$paper: $((n_rows - 1)) cells"
[ "$n_rows" -gt 1 ]
