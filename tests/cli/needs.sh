# Options that do not go together: for every option, every verb that has it and every condition of its column `needs` the call
# that violates the condition ends with status 2 and the message that the table makes.  Of facts only the verb is known before documents are read.
gibbous --dump-options | awk -F '"' '
    # one line for each verb "verb NAME ARGUMENTS", one for each option
    /^ "verbs"/ { part = "verbs" }
    /^ "options"/ { part = "options" }
    /^   "[a-z]*": / { key = $2; value[key] = $4; if ($0 ~ /\[$/) value[key] = "" }
    /^    "/ && part != "" { value[key] = value[key] (value[key] == "" ? "" : key == "choices" ? "|" : " ") $2 }
    /^  }/ && part == "verbs" { print "verb\t" value["name"] "\t" value["arguments"] }
    /^  }/ && part == "options" {
        print "option\t" value["name"] "\t" value["kind"] "\t" value["default"] "\t" value["low"] "\t" value["choices"] "\t" \
            value["argument"] "\t" value["verbs"] "\t" value["needs"]
    }' >table
awk -F '\t' '
    # The option with a value; other than v, if that is given.
    function given(name, v, list, i, n) {
        if (kind[name] == "flag") return "--" name
        if (kind[name] == "switch") return "--no-" name
        if (kind[name] == "int" || kind[name] == "real")
            return "--" name "=" (low[name] != "" && low[name] != "0" && low[name] != preset[name] && low[name] > 0 ? low[name] : kind[name] == "int" ? 2 : 0.5)
        return "--" name "=" other_than(name, v)
    }
    # A value of an option that is none of a|b.
    function other_than(name, values, list, i, n) {
        if (kind[name] != "choice") return name ~ /^(beta|variance)$/ ? "0.5" : "other"
        n = split(choices[name], list, "|")
        for (i = 1; i <= n; i++)
            if (list[i] != "auto" && list[i] != "none" && list[i] != preset[name] && index("|" values "|", "|" list[i] "|") == 0)
                return list[i]
        for (i = 1; i <= n; i++)
            if (list[i] != "auto" && index("|" values "|", "|" list[i] "|") == 0) return list[i]
    }
    function as_list(values, list, i, n, text) {
        n = split(values, list, "|")
        for (i = 1; i <= n; i++) text = text (i == 1 ? "" : i == n ? " or " : ", ") list[i]
        return text
    }
    # A condition as messages have it.
    function shown(condition, part, n, short) {
        n = split(condition, part, " ")
        if (condition ~ /^[A-Z]+$/) return "the argument " condition
        if (part[1] == "the-verb") return "the verb " as_list(part[2])
        if (n > 1) return "--" part[1] " " as_list(part[2])
        short = argument[condition]
        sub(/\|.*/, "", short)
        return "--" condition (short == "" ? "" : " " short)
    }
    # The arguments that fulfil a condition.
    function fulfilled(condition, part, list) {
        sub(/ or .*/, "", condition)
        split(condition, part, " ")
        split(part[2], list, "|")
        return part[2] == "" ? given(part[1]) : "--" part[1] "=" list[1]
    }
    # The arguments that fulfil what an option needs itself.
    function prerequisites(name, verb, call, rule, condition, i, j, n, m, text, all) {
        n = split(needs[name], rule, "; ")
        for (i = 1; i <= n; i++) {
            text = rule[i]
            if (text ~ /^(for|unless) / || (text ~ /^in / && text !~ ("[ ,]" verb "[:,]"))) continue
            sub(/^in [^:]*: /, "", text)
            m = split(text, condition, ", ")
            for (j = 1; j <= m; j++)
                if (condition[j] !~ /^not / && word_of(condition[j]) in kind && condition[j] !~ /^[A-Z]/ && has(verbs[word_of(condition[j])], verb) &&
                    index(call, "--" word_of(condition[j]) "=") == 0)
                    all = all " " fulfilled(condition[j])
        }
        return all
    }
    function word_of(text) { sub(/ .*/, "", text); return text }
    function has(list, word) { return index(" " list " ", " " word " ") > 0 }
    # One violated condition: the call, and the message.
    function violate(name, verb, value, before, condition, subject, call, part, alternative, i, n, text) {
        call = "gibbous " verb (arguments[verb] ~ /^[A-Z]/ ? " x" : "") " " before " "
        has_parts = argument[name] ~ /PART=/
        call = call (value == "" ? given(name) : "--" name "=" value (has_parts ? "=1" : ""))
        subject = "gibbous: --" name (value == "" ? "" : (has_parts ? " of " : " ") value)
        if (condition == "embeddings") call = call " --embeddings=none" # else the documents may have them
        if (condition ~ /^covariates( or |$)/) return # likewise, and no value says that they have not
        split(condition, part, " ")
        if (part[1] == "the-verb") {
            if (!has(part[2], verb)) print call " => " subject " needs " shown(condition) ", not " verb
            return
        }
        if (condition !~ /^not / && part[1] ~ /^[a-z]/ && !(part[1] in kind)) return # a fact
        if (condition ~ /^not /) {
            n = split(substr(condition, 5), part, " ")
            if (part[1] ~ /^[A-Z]+$/) call = call " x" (part[1] == "DOCUMENTS" ? " --model=m" : "")
            else if (!has(verbs[part[1]], verb)) return
            sub(/\|.*/, "", part[2])
            if (part[1] !~ /^[A-Z]+$/) call = call " " (n > 1 ? "--" part[1] "=" part[2] : given(part[1])) prerequisites(part[1], verb, call)
            print call " => " subject " does not go with " (part[1] ~ /^[A-Z]/ ? "the argument " part[1] : "--" part[1]) (n > 1 ? " " part[2] : "")
            return
        }
        n = split(condition, alternative, " or ")
        for (i = 1; i <= n; i++) {
            split(alternative[i], part, " ")
            if (part[1] ~ /^[A-Z]+$/ || has(verbs[part[1]], verb)) found = 1
            else if (n == 1) return # not an option of this verb
            text = text (i == 1 ? "" : i == n ? " or " : ", ") shown(alternative[i])
        }
        split(condition, part, " ")
        if (n == 1 && part[2] != "") {
            call = call " --" part[1] "=" other_than(part[1], part[2])
            text = text ", not " other_than(part[1], part[2])
        }
        print call " => " subject " needs " text
    }
    $1 == "verb" { arguments[$2] = $3; next }
    { names[++n_options] = $2; kind[$2] = $3; preset[$2] = $4; low[$2] = $5; choices[$2] = $6; argument[$2] = $7; verbs[$2] = $8; needs[$2] = $9 }
    END {
        for (o = 1; o <= n_options; o++) {
            n_verbs = split(verbs[names[o]], verb, " ")
            for (v = 1; v <= n_verbs; v++) {
                n_rules = split(needs[names[o]], rule, "; ")
                common = ""
                for (r = 1; r <= n_rules; r++) {
                    scope = value = ""
                    text = rule[r]
                    if (text ~ /^in /) { scope = substr(text, 4); sub(/: .*/, "", scope); gsub(/,/, "", scope) }
                    if (text ~ /^unless /) {
                        value = substr(text, 8)
                        sub(/:.*/, "", value)
                        gsub(/, /, "|", value)
                        value = kind[names[o]] == "choice" ? other_than(names[o], value) : "2"
                    }
                    if (text ~ /^for /) { value = substr(text, 5); sub(/[:,].*/, "", value) }
                    sub(/^(in|for|unless) [^:]*: /, "", text)
                    if (scope != "" && !has(scope, verb[v])) continue
                    n_conditions = split(text, condition, ", ")
                    before = common
                    for (c = 1; c <= n_conditions; c++) {
                        violate(names[o], verb[v], value, before, condition[c])
                        if (condition[c] !~ /^not / && condition[c] !~ /^[A-Z]/ && has(verbs[word_of(condition[c])], verb[v])) before = before " " fulfilled(condition[c])
                    }
                    if (value == "") common = before
                }
            }
        }
    }' table >cases
while read -r line; do
    call=${line%% => *} message=${line#* => }
    # shellcheck disable=SC2086 # words
    said=$($call 2>&1 >/dev/null)
    status=$?
    # of a simulation from a model the first of several options that it has is named
    case "$message" in *" does not go with --model") said=$(echo "$said" | sed "s/gibbous: --[a-z-]* does not go with --model\$/$message/") ;; esac
    [ $status = 2 ] && [ "$said" = "$message" ] || printf '%s\n  expected: %s\n  said (%s): %s\n' "$call" "$message" $status "$said"
done <cases
wc -l <cases | awk '$1 > 200 { print "more than 200 calls are refused" }'
