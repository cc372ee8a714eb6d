#!/usr/bin/env bash
# Includes and calls go down the layers.  Prints each that does not, and exits with status 1 if there is one.
#
#   check_layers.sh [ROOT [BUILD]]
#
# With the folder of a build, its objects are looked at, too: a function may use one of a later layer that a public header declares.
#
# The layers are the rows src/... of the table of folders in docs/development.md.  A file of src/ may include its own layer and those
# above it, and the public headers.  Of the public headers, base/ may include only gibbous/status.h and gibbous/output.h: what the
# lowest layer sees, everything sees.
# A file of cli/ may include public headers and its own only; but cli/verbs.c reads its column of the list of options, which is no header.
set -eu
root=${1-$(dirname "$0")/..}

layers=$(sed -n 's|^. `src/\(.*\)/` .*|\1|p' "$(dirname "$0")/../docs/development.md")

build=${2:+$(cd "$2" && pwd)}
status=0

cd "$root"
find src cli include -name '*.[ch]' | LC_ALL=C sort | xargs grep -n '^ *# *include *["<]' /dev/null |
    awk -v layers="$layers" '
    BEGIN {
        n = split(layers, name, /[ \n]+/)
        for (i = 1; i <= n; i++)
            rank[name[i]] = i
    }
    # The layer of a path below src/, or "".
    function layer_of(path, part) {
        split(path, part, "/")
        return part[1] == "corpus" ? part[1] "/" part[2] : part[1]
    }
    function wrong(why) {
        print where ": " target ": " why
        failed = 1
    }
    {
        colon = index($0, ":")
        file = substr($0, 1, colon - 1)
        rest = substr($0, colon + 1)
        where = file ":" substr(rest, 1, index(rest, ":") - 1)
        target = $0
        sub(/^[^"<]*["<]/, "", target)
        sub(/[">].*$/, "", target)
        is_public = target ~ /^gibbous\//
    }
    file ~ /^include\// {
        if ($0 ~ /include *"/ && !is_public)
            wrong("a public header includes public headers only")
        next
    }
    file ~ /^cli\// {
        if (target ~ /\// && !is_public && $0 ~ /include *"/ && !(file == "cli/verbs.c" && target == "options/options.def"))
            wrong("the command lives on the public headers")
        next
    }
    $0 ~ /include *</ && !is_public { next } # the system, other libraries
    is_public {
        if (file ~ /^src\/base\// && target !~ /^gibbous\/(status|output)\.h$/)
            wrong("base/ sees only gibbous/status.h and gibbous/output.h")
        next
    }
    {
        own = layer_of(substr(file, 5))
        other = layer_of(target)
        if (!(own in rank))
            wrong(own " is not among the layers")
        else if (target !~ /\//)
            wrong("the path begins at src/")
        else if (!(other in rank))
            wrong(other " is not among the layers")
        else if (rank[other] > rank[own])
            wrong(own " comes before " other)
    }
    END { exit failed }' || status=1

# "src/chain/chain.c.o: ... U gb_alloc" is a use, with another letter it is the definition.  Objects whose source is gone are left.
cd "${build:-/nonexistent}/CMakeFiles/gibbous_objects.dir" 2>/dev/null || exit $status
(cd "$OLDPWD" && find src -name '*.c') | sed 's/$/.o/' | xargs nm -A -g |
    awk -v layers="$layers" '
    BEGIN {
        n = split(layers, name, /[ \n]+/)
        for (i = 1; i <= n; i++)
            rank[name[i]] = i
    }
    {
        file = substr($1, 1, index($1, ".o:") - 1)
        split(file, part, "/")
        layer = part[2] == "corpus" ? part[2] "/" part[3] : part[2]
        if ($(NF - 1) == "U")
            use[file ": " $NF] = layer
        else
            definition[$NF] = layer
    }
    END {
        for (i in use) {
            symbol = i
            sub(/.* /, "", symbol)
            if (symbol in definition && rank[definition[symbol]] > rank[use[i]]) {
                print i ": " use[i] " comes before " definition[symbol]
                failed = 1
            }
        }
        exit failed
    }' || status=1
exit $status
