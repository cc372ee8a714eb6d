# Sourced by the scripts of this folder: the program, a folder for files, and one line per measurement.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
gibbous=${GIBBOUS:-$here/../../build/release/gibbous}
data=${GIBBOUS_DATA:?names the folder with the data sets}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
TIMEFORMAT='%U'

prepare() {
    python3 "$here/prepare.py" "$1" "$data" "$work"
}

# linear CORPUS "TEST AND ITS OPTIONS": the linear model of the words that evaluate shows beside a model, here one of next to no topics.
linear() {
    local -a test
    local evaluate
    [ "${BASELINES-yes}" = no ] && return
    read -r -a test <<<"$2"
    "$gibbous" train "$1" -m "$work/model.gibbous" --force --threads 1 --seed 1 -k 2 --sweeps 1 --growth 0 -q
    evaluate=$(seconds "$gibbous" evaluate "${test[@]}" -m "$work/model.gibbous" --baseline-on "$1" --threads 1 -q --json)
    echo "linear model: $(python3 "$here/scores.py" linear <"$work/out")  ($evaluate s of CPU)"
}

# Linear models with covariates, with scikit-learn in an environment of this run unless PYTHON has it.
baseline() {
    [ "${BASELINES-yes}" = no ] && return
    if [ -z "${PYTHON-}" ]; then
        python3 -m venv "$work/venv"
        "$work/venv/bin/pip" install --quiet scikit-learn
        PYTHON=$work/venv/bin/python
    fi
    "$PYTHON" "$here/baseline.py" "$@"
}

# User CPU seconds of a command, whose output goes to $work/out.
seconds() {
    { time "$@" >"$work/out" 2>"$work/messages"; } 2>&1 || { cat "$work/messages" >&2; return 1; }
}

# measure NAME CORPUS "TEST AND ITS OPTIONS" TRAIN OPTION...: train and evaluate once per seed.  The fractions that
# evaluate prints are shown.
measure() {
    local name=$1 corpus=$2 seed train evaluate
    local -a test
    read -r -a test <<<"$3"
    shift 3
    for seed in ${SEEDS:-1}; do
        train=$(seconds "$gibbous" train "$corpus" -m "$work/model.gibbous" --force --threads 1 --seed "$seed" -q "$@")
        evaluate=$(seconds "$gibbous" evaluate "${test[@]}" -m "$work/model.gibbous" --threads 1 -q --json)
        echo "$name, seed $seed: $(python3 "$here/scores.py" <"$work/out")  ($train + $evaluate s of CPU)"
    done
}
