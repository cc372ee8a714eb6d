# The same offers in zsh, whose own functions only print here what they are given.
cat >ask <<'END'
compadd() { eval "print -l -- \"\${(@M)${2}:#${words[CURRENT]}*}\"" }
_describe() { eval "print -l -- \"\${(@M)${2}:#${words[CURRENT]}*}\"" }
_files() { print files }
file=$1
shift
words=(gibbous "$@") CURRENT=$(($# + 1))
print -- "$*:"
source $file
END
for line in "tr" "train --topi" "train --prior " "predict --see" "train --task m" "train --topics "; do
    if [ "${line% }" = "$line" ]; then
        zsh -f ask "$TESTS/../../tools/completion.zsh" $line
    else
        zsh -f ask "$TESTS/../../tools/completion.zsh" $line ''
    fi
done
