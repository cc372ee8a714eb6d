# Completion of gibbous for bash.  It asks the program itself, so it always knows the program's own options.

_gibbous() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]} words
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p') help --help --version"
    elif [[ $word == -* ]]; then
        words=$("$program" "${COMP_WORDS[1]}" --help-all 2>/dev/null |
            sed -n 's/^  \(-., \|    \)\{0,1\}--\(\[no-\]\)\{0,1\}\([a-z-]*\).*/\2\3/p' |
            sed 's/^\[no-\]\(.*\)/--\1\n--no-\1/; t; s/^/--/')
    elif [[ $before == --* ]]; then
        words=$("$program" --dump-options 2>/dev/null | awk -v name="\"${before#--}\"" '
            /^   "name"/ { found = index($0, name) > 0 }
            found && /^   \]/ { exit }
            found && choices { gsub(/[ ",]/, ""); print }
            found && /^   "choices": \[$/ { choices = 1 }')
    fi
    # shellcheck disable=SC2207 # words have no blanks
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}

complete -o bashdefault -o default -F _gibbous gibbous
