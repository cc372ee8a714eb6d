#!/usr/bin/env bash
# The tests of the Python package, with the library of this build.
#
#   python.sh SOURCE_FOLDER BUILD_FOLDER [SANITIZER_LIBRARY]
#
# Needs python3 with venv, and the network once: the packages go into a virtual environment in the build folder.  With
# GIBBOUS_FULL_TESTS also what is optional, and the linters.  Exit status 77 if there is no Python or no network: the test is skipped.
set -eu
source=$1 build=$2 sanitizer=${3-}
package=$source/bindings/python
venv=$build/python-venv

skip() {
    echo "not done: $1"
    exit 77
}

python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
    skip "needs python3 3.10 with venv (Debian: python3-venv)"

wanted='numpy scipy cffi narwhals pytest scikit-learn pandas tqdm'
if [ "${GIBBOUS_FULL_TESTS-}" ]; then
    wanted+=' hypothesis polars pyarrow networkx matplotlib xarray arviz netcdf4 joblib ruff mypy'
fi
if [ "$(cat "$venv/wanted" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    # shellcheck disable=SC2086
    "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: --retries 1 --timeout 15 $wanted ||
        skip "pip cannot get the packages"
    echo "$wanted" >"$venv/wanted"
fi

export GIBBOUS_LIBRARY=$build/libgibbous.so GIBBOUS_COMMAND=$build/gibbous PYTHONPATH=$package/src
export PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1
cd "$package"
if [ "${GIBBOUS_FULL_TESTS-}" ]; then
    "$venv/bin/ruff" --version
    "$venv/bin/ruff" check --no-cache .
    "$venv/bin/ruff" format --no-cache --check .
    "$venv/bin/mypy" --cache-dir "$build/python-mypy"
fi
run=("$venv/bin/python" -m pytest -q -p no:cacheprovider --basetemp "$build/python-tests")
if [ -z "${GIBBOUS_FULL_TESTS-}" ]; then
    run+=(-m 'not slow')
fi
if [ "$sanitizer" ]; then
    # Python itself leaks on purpose, and has its own pools of memory.
    export LD_PRELOAD=$sanitizer ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc
fi
exec "${run[@]}"
