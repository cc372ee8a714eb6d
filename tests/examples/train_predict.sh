#!/bin/sh
# The program of the manual predicts what the command predicts.
#
#   train_predict.sh PROGRAM GIBBOUS
set -eu
program=$1 gibbous=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$gibbous" simulate --documents 150 --length 30 -k 5 --classes 3 --seed 1 -q -o all.jsonl
head -n 100 all.jsonl >train.jsonl
tail -n +101 all.jsonl | sed 's/,"label":"[^"]*"//' >new.jsonl
"$program" train.jsonl label new.jsonl >by_program 2>log || { cat log; exit 1; }
"$gibbous" train train.jsonl --label label -k 10 --sweeps 40 --seed 1 -q -m model.gibbous
"$gibbous" predict new.jsonl -m model.gibbous -q | sed 1d | cut -d , -f 2 >by_command
[ "$(wc -l <by_program)" -eq 50 ]
diff by_command by_program
