#!/usr/bin/env bash
# All tables of docs/measured/trust.md, and the check of docs/measured/defaults.md, by one program: it is copied first, so that a build in between does
# not change it.  One file for each table; tables that are there are not measured again.
#   GIBBOUS_DATA=/path/to/data bench/trust/tables.sh FOLDER [TABLE...]
# GIBBOUS and MIXING name other programs than those in build/release; PYTHON one that has ArviZ, for the table `arviz`.
# Two calls with different TABLEs may share a FOLDER.  CPU time with one thread is about three hours; `null`, `defaults` and `probabilities`
# take half an hour together.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "${1:?a folder for the tables}" && cd "$1" && pwd)
shift
release=$here/../../build/release
[ -e "$folder/gibbous" ] || cp "${GIBBOUS:-$release/gibbous}" "$folder/gibbous"
export GIBBOUS=$folder/gibbous MIXING=${MIXING:-$release/bench/gibbous_bench_mixing} RESULTS=$folder/defaults.jsonl
TIMEFORMAT='CPU seconds: %U'
if [ $# -eq 0 ]; then
    set -- null defaults probabilities cut-offs coverage verdict arviz numbers counts folds starts single cross-fit linear mixing
fi

# table NAME COMMAND...
table() {
    local name=$1
    shift
    if [ -e "$folder/$name.txt" ]; then
        return
    fi
    echo "$name" >&2
    {
        echo "$ ${*/#"$here"/bench\/trust}"
        time "$@"
    } >"$folder/$name.part" 2>&1 || { tail -3 "$folder/$name.part" >&2; return 1; }
    mv "$folder/$name.part" "$folder/$name.txt"
}

for name; do
    case $name in
    null) table null "$here/null.py" --documents 1000 ;;
    defaults) table defaults "$here/../defaults/run.py" check ;;
    probabilities)
        table probabilities "$here/calibration.py" hotels5 class3 genre1 genres newsgroups party bibtex reuters imdb ;;
    cut-offs)
        table cut-offs-none "$here/calibration.py" genres reuters --options '--cut-off none'
        table cut-offs-half "$here/calibration.py" genres reuters --options '--cut-off accuracy' ;;
    coverage) table coverage "$here/coverage.py" --ways use-labels ;;
    verdict) table verdict "$here/rhat.py" --plain ;;
    arviz)
        table arviz "${PYTHON:-python3}" -W ignore "$here/rhat.py" --plain --arviz --most 80 ;;
    numbers)
        table numbers "$here/calibration.py" reviews hotels votes runtime --seeds 3
        table years "$here/calibration.py" year --documents 3000 --seeds 2 ;;
    counts)
        table counts "$here/calibration.py" popular keywords words places --seeds 2
        table counts-model "$here/calibration.py" popular keywords words places --seeds 2 --options '--calibrate 0' ;;
    folds) table folds "$here/calibration.py" hotels5 class3 --folds 5 ;;
    starts) table starts "$here/starts.py" ;;
    single) table single "$here/starts.py" --single 10200 ;;
    cross-fit)
        table cross-fit "$here/cross_fit.py" --corpora hotels --documents 1000 --topics 10 --shuffles 6 --redraws 10 ;;
    linear) table linear "$here/linear.py" ;;
    mixing) table mixing "$here/mixing.sh" ;;
    *)
        echo "no table $name" >&2
        exit 2 ;;
    esac
done
