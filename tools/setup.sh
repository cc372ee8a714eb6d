# setup.sh - what ./demo and ./check share; read by them with ".", needs bash.

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Sets `missing` to the packages of those groups of tools/packages.txt that are not installed.
find_missing() {
    local choice who name chosen optional
    missing=()
    while read -r choice who; do
        case " $* " in *" $who "*) ;; *) continue ;; esac
        optional=
        case $choice in *'?') optional=yes choice=${choice%'?'} ;; esac
        chosen=
        for name in ${choice//|/ }; do
            if is_installed "$name"; then
                continue 2
            fi
            if [ -z "$chosen" ] && apt-cache show "$name" >/dev/null 2>&1; then
                chosen=$name
            fi
        done
        if [ -n "$chosen" ]; then
            missing+=("$chosen")
        elif [ -z "$optional" ]; then
            missing+=("${choice%%|*}") # apt will say what is wrong with it
        fi
    done < <(grep -v -e '^#' -e '^$' tools/packages.txt)
}

# Install what is missing of the groups named; says what it does.  Root is asked for only if something is missing.
install_packages() {
    if ! command -v apt-get >/dev/null; then
        echo "No apt here.  The packages that are needed, by their Debian names, are in tools/packages.txt."
        return 0
    fi
    find_missing "$@"
    if [ ${#missing[@]} -eq 0 ]; then
        echo "Packages: all there."
        return 0
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "Please install these packages as root, then start again:" >&2
            echo "  apt-get install ${missing[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    mkdir -p build
    echo "Installing with apt (log: build/packages.log):"
    "${as_root[@]}" apt-get -q update >build/packages.log 2>&1 || true
    find_missing "$@" # alternatives can be told apart only now
    fold -s -w 100 <<<"${missing[*]}" | sed 's/^/    /'
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install \
        "${missing[@]}" >>build/packages.log 2>&1; then
        grep -E '^(E|W):' build/packages.log >&2 || tail -n 5 build/packages.log >&2
        echo "The packages could not be installed (build/packages.log)." >&2
        return 1
    fi
}
