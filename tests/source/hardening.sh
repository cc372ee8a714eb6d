#!/usr/bin/env bash
# What is built has the protections of cmake/hardening.cmake: the linker's in the headers of each file, the compiler's in what it calls.
#
#   hardening.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
build=$2
status=0

# has FILE WHAT PATTERN: in its headers or among the names that it looks for.
has() {
    { readelf -dlW "$1"; nm -D --undefined-only "$1"; } | grep -qE "$3" || {
        echo "$1: no $2"
        status=1
    }
}

files=("$build/gibbous" "$build/libgibbous.so")
if [ -e "$build/libgibbous-mpi.so" ]; then
    files+=("$build/libgibbous-mpi.so")
fi
for file in "${files[@]}"; do
    has "$file" "stack that cannot be run" 'GNU_STACK.* RW +0x'
    has "$file" "tables that become read-only" GNU_RELRO
    has "$file" "names that are looked up at the start" 'Flags:.*\<NOW\>'
    has "$file" "canaries on the stack" __stack_chk_fail
done
has "$build/gibbous" "addresses that change" 'Flags:.*\<PIE\>'
if ! grep -q 'CMAKE_BUILD_TYPE:STRING=Debug' "$build/CMakeCache.txt"; then
    has "$build/gibbous" "checked copies" __memcpy_chk
    has "$build/libgibbous.so" "checked copies" __memcpy_chk
fi
exit $status
