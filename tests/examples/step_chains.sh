#!/bin/sh
# The program steps two chains that agree, and a chain that was saved and loaded goes on with the same bits.
#
#   step_chains.sh PROGRAM GIBBOUS
set -eu
program=$1 gibbous=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$gibbous" simulate --documents 200 --length 40 -k 5 --seed 1 -q -o all.jsonl
"$program" all.jsonl chain.gbk >printed
grep -Eq '^split R-hat of the log joint: [0-9]+\.[0-9][0-9]$' printed
grep -q '^the loaded chain goes on with the same bits$' printed
