# Completion of gibbous for fish.  It asks the program itself, so it always knows the program's own options.

function __gibbous_verb
    set -l words (commandline -opc)
    test (count $words) -gt 1 && echo $words[2]
end

# "verb<tab>what it does"
function __gibbous_verbs
    gibbous --help 2>/dev/null | string replace -rf '^  ([a-z]+)  +(.*)$' '$1\t$2'
end

# "--option<tab>what it does", of the verb that is there
function __gibbous_options
    gibbous (__gibbous_verb) --help-all 2>/dev/null | string replace -rf -- '^  (?:-., |    )?--(?:\[no-\])?([a-z-]+)(?: [^ ]+)? *(.*)$' '--$1\t$2'
end

# What the option before the cursor may be.
function __gibbous_values
    set -l name (string replace -- -- '' (commandline -opc)[-1])
    gibbous --dump-options 2>/dev/null | awk -v name="\"$name\"" '
        /^   "name"/ { found = index($0, name) > 0 }
        found && /^   \]/ { exit }
        found && choices { gsub(/[ ",]/, ""); print }
        found && /^   "choices": \[$/ { choices = 1 }'
end

complete -c gibbous -n 'test -z (__gibbous_verb)' -f -a '(__gibbous_verbs)'
complete -c gibbous -n 'test -n (__gibbous_verb); and string match -q -- "-*" (commandline -ct)' -f -a '(__gibbous_options)'
complete -c gibbous -n 'string match -q -- "--*" (commandline -opc)[-1]; and count (__gibbous_values) >/dev/null' -f -a '(__gibbous_values)'
