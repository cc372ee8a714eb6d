#!/usr/bin/env bash
# The Python package declares what the public header declares.  If not: bindings/python/tools/declarations.py makes it so.
#
#   python_declarations.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
if ! command -v python3 >/dev/null; then
    echo "not done: no python3"
    exit 0
fi
exec python3 "$1/bindings/python/tools/declarations.py" --check
