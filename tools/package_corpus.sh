#!/bin/sh
# Make a corpus out of this machine's package index: one document per package description, class = section.
#
#   tools/package_corpus.sh FOLDER
#
# Writes FOLDER/train.jsonl and FOLDER/test.jsonl (about 80 and 20 percent, by a hash of the package's name).  The
# English descriptions are fetched by apt into FOLDER/apt; nothing of the system's own apt is touched, and root is not
# needed.  Exit status 1: no apt, or no network.
set -eu

[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
command -v apt-get >/dev/null || { echo "$0: this machine has no apt" >&2; exit 1; }
mkdir -p "$1/apt/lists/partial" "$1/apt/cache/archives/partial"
folder=$(cd "$1" && pwd)
export LC_ALL=C

# The machine's own sources, but private folders, English descriptions, its main architecture, and no other indexes.
cat >"$folder/apt/apt.conf" <<CONF
#clear Acquire::Languages;
Acquire::Languages { "en"; };
#clear APT::Architectures;
APT::Architectures { "$(dpkg --print-architecture)"; };
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Sandbox::User "root";
Dir::State::Lists "$folder/apt/lists";
Dir::Cache "$folder/apt/cache";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::IndexTargets::deb::DEP-11-icons::DefaultEnabled "false";
Acquire::IndexTargets::deb::DEP-11-icons-small::DefaultEnabled "false";
Acquire::IndexTargets::deb::DEP-11-icons-hidpi::DefaultEnabled "false";
Acquire::IndexTargets::deb::CNF::DefaultEnabled "false";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
Acquire::Retries "1";
CONF
apt-get -qq -c "$folder/apt/apt.conf" update >"$folder/apt/update.log" 2>&1 || true

# All index files of one kind, unpacked, of the distribution itself (not of other sources that may be configured).
index() {
    apt-get -c "$folder/apt/apt.conf" indextargets --format '$(IDENTIFIER) $(ORIGIN) $(FILENAME)' |
        while read -r kind origin file; do
            case $kind:$origin in
                "$1":Debian | "$1":Ubuntu | "$1":Raspbian) ;;
                *) continue ;;
            esac
            [ -f "$file" ] && /usr/lib/apt/apt-helper cat-file "$file" && echo
        done
}

index Translations >"$folder/apt/translations"
if [ ! -s "$folder/apt/translations" ]; then
    echo "$0: apt could not fetch the package descriptions:" >&2
    grep -E '^[EW]:' "$folder/apt/update.log" | head -n 3 >&2 || true
    exit 1
fi

index Packages | awk -v translations="$folder/apt/translations" -v folder="$folder" '
    # Text as a JSON string.
    function json(text) {
        gsub(/["\\]/, "\\\\&", text)
        gsub(/[\001-\037\177]/, " ", text)
        return "\"" text "\""
    }
    # The same number between 0 and 99 for the same name, everywhere.
    function hash(name,    h, i) {
        h = 7
        for (i = 1; i <= length(name); i++)
            h = (h * 131 + code[substr(name, i, 1)]) % 1000003
        return h % 100
    }
    function forget() { name = section = md5 = tags = size = folded = "" }
    # At the end of a paragraph of the Packages index.
    function package(    n, i, part, class, tag, list, file) {
        if (name != "" && section != "" && (md5 in description) && !(description[md5] in seen)) {
            seen[description[md5]] = 1
            n = split(section, part, "/") # contrib/net, universe/net: the area is no part of the class
            class = part[n]
            gsub(/[ \t]/, "", tags)
            n = split(tags, tag, ",")
            for (i = 1; i <= n; i++)
                list = list (i > 1 ? "," : "") json(tag[i])
            file = folder (hash(name) < 80 ? "/train.jsonl" : "/test.jsonl")
            printf "{\"id\":%s,\"text\":%s,\"label\":%s,\"tags\":[%s],\"log_size\":%.3f}\n", json(name),
                json(description[md5]), json(class), list, log(1 + size) >file
        }
        forget()
    }
    BEGIN {
        for (n = 1; n < 256; n++)
            code[sprintf("%c", n)] = n
        printf "" >(folder "/train.jsonl")
        printf "" >(folder "/test.jsonl")
        # Paragraphs of the translations: Description-md5, then Description-en with lines that begin with a space.
        while ((getline line <translations) > 0) {
            if (line ~ /^Description-md5: /)
                md5 = substr(line, 18)
            else if (line ~ /^Description-en: /)
                description[md5] = substr(line, 17)
            else if (line == "")
                md5 = ""
            else if (line ~ /^ / && md5 != "" && line != " .") {
                sub(/^ +/, "", line)
                description[md5] = description[md5] " " line
            }
        }
        forget()
    }
    /^ / { if (folded) tags = tags $0; next }
    { folded = 0 }
    /^Package: / { name = substr($0, 10) }
    /^Section: / { section = substr($0, 10) }
    /^Description-md5: / { md5 = substr($0, 18) }
    /^Installed-Size: / { size = substr($0, 17) }
    /^Tag:/ { tags = substr($0, 5); folded = 1 }
    /^$/ { package() }
    END { package() }
'
rm -f "$folder/apt/translations"
