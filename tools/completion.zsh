#compdef gibbous
# Completion of gibbous for zsh.  It asks the program itself, so it always knows the program's own options.

_gibbous() {
    local -a found
    if ((CURRENT == 2)); then
        found=(${(f)"$(gibbous --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  *\(.*\)/\1:\2/p')"})
        _describe verb found
    elif [[ $words[CURRENT] == -* ]]; then
        found=(${(f)"$(gibbous $words[2] --help-all 2>/dev/null |
            sed -n 's/^  \(-., \|    \)\{0,1\}--\(\[no-\]\)\{0,1\}\([a-z-]*\).*/--\3/p')"})
        compadd -a found
    else
        found=(${(f)"$(gibbous --dump-options 2>/dev/null | awk -v name="\"${words[CURRENT - 1]#--}\"" '
            /^   "name"/ { found = index($0, name) > 0 }
            found && /^   \]/ { exit }
            found && choices { gsub(/[ ",]/, ""); print }
            found && /^   "choices": \[$/ { choices = 1 }')"})
        if (($#found > 0)); then compadd -a found; else _files; fi
    fi
}

_gibbous "$@"
