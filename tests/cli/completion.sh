# Completion offers the verbs, the options of a verb, the values of a choice, and otherwise file names.
cat >ask <<'END'
complete() { :; }
. "$TESTS/../../tools/completion.bash"
COMP_WORDS=(gibbous "$@") COMP_CWORD=$#
_gibbous
printf '%s:' "$*"
printf ' %s' "${COMPREPLY[@]}"
echo
END
bash ask ''
bash ask tr
bash ask train --in
bash ask train --no-
bash ask predict --s
bash ask topics -
bash ask train --prior ''
bash ask train --task m
bash ask train --topics ''
bash ask train ''
