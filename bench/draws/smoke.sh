#!/usr/bin/env bash
# Run the bench of draws on a tiny corpus: smoke.sh BENCH GIBBOUS
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$2" simulate -o "$folder/corpus.gbc" --documents 50 --topics 4 --classes 3 --seed 1 -q
"$1" "$folder/corpus.gbc" 2 20 5 "$folder/model.gibbous" | grep -q '^scores 3  topics 5  draws 40  snapshots 20 '
