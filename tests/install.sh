#!/usr/bin/env bash
# Install into an empty folder, then build a program against it, once through pkg-config and once through CMake.
#
#   install.sh BUILD_FOLDER
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
lib=$(dirname "$(find "$work/prefix" -name gibbous.pc)")/..

cat >"$work/version.c" <<'C'
#include <gibbous/gibbous.h>
#include <stdio.h>

int main(void)
{
    return puts(gb_version()) < 0;
}
C
export PKG_CONFIG_PATH=$lib/pkgconfig LD_LIBRARY_PATH=$lib
# shellcheck disable=SC2046 # flags are words
cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$work/version.c" -o "$work/version" \
    $(pkg-config --cflags --libs --define-variable=prefix="$work/prefix" gibbous)
"$work/version"
# The static library; names of the library do not meet those of the program.
cat >"$work/static.c" <<'C'
#include <gibbous/gibbous.h>
#include <stdio.h>

void gb_alloc(void);
void gb_alloc(void) /* a private name of the library */
{
    puts("mine");
}

int main(void)
{
    gb_settings *settings = NULL;
    gb_status st = gb_settings_create(&settings, NULL);
    gb_settings_free(settings);
    gb_alloc();
    return st != GB_OK || GB_VERSION < 100 || GB_VERSION_MAJOR > 99;
}
C
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$work/static.c" -o "$work/static" "$lib/libgibbous.a" \
    $(pkg-config --cflags --define-variable=prefix="$work/prefix" gibbous) \
    $(pkg-config --libs $(pkg-config --print-requires-private gibbous)) $(sed -n 's/^Libs.private: //p' "$lib/pkgconfig/gibbous.pc")
"$work/static" >"$work/log" && [ "$(cat "$work/log")" = mine ]

if command -v c++ >/dev/null; then # the header serves C++ too
    c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -x c++ -fsyntax-only "$work/version.c" -I"$work/prefix/include"
fi

cat >"$work/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(gibbous 0.1 REQUIRED)
add_executable(user version.c)
target_link_libraries(user PRIVATE gibbous::gibbous)
CMAKE
cmake -G Ninja -S "$work" -B "$work/user" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" &&
    cmake --build "$work/user" >>"$work/log" || { cat "$work/log"; exit 1; }
"$work/user/user"
# Licences are there: ours, and that of what the page of reports contains, if it could be made.
licences=$(dirname "$(find "$work/prefix" -name gibbous.txt)")
grep -q "Apache License" "$licences/gibbous.txt"
if [ -e "$build/report_notices.txt" ]; then
    grep -q "^d3-" "$licences/report_notices.txt"
fi
"$work/prefix/bin/gibbous" --version
