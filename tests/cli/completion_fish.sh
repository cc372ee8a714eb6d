# The same offers in fish.
cat >ask <<'END'
source $argv[1]
for line in "gibbous tr" "gibbous train --topi" "gibbous train --prior " "gibbous predict --see" "gibbous train --task m"
    echo "$line:"
    complete -C "$line"
end
END
fish ask "$TESTS/../../tools/completion.fish"
