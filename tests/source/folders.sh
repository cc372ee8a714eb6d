#!/usr/bin/env bash
# The table of folders in docs/development.md has every folder, and only folders and files that exist.
#
#   folders.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
cd "$1"

# "src/base src/corpus/data ... tests/python.sh"
named=$(sed -n '/^| folder/,/^$/p' docs/development.md | grep -o '^|[^|]*' | grep -o '`[^`]*`' | tr -d '`' | sed 's|/$||')
status=0
for path in $named; do
    [ -e "$path" ] || {
        echo "docs/development.md: $path is not there"
        status=1
    }
done
# Of folders beside src/ and tests/, those that git knows and that are not hidden.  A folder is also named by a row for what it has inside.
for folder in $(git ls-files 2>/dev/null | sed -n 's|^\([^.][^/]*\)/.*|\1|p' | sort -u) src/*/ src/corpus/*/ tests/*/; do
    folder=${folder%/}
    grep -q "^$folder\(/\|$\)" <<<"$named" || {
        echo "docs/development.md: $folder is not in the table of folders"
        status=1
    }
done
exit $status
