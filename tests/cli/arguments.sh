# Positional arguments, and what a verb needs besides.
. "$TESTS/helpers"
try gibbous train
try gibbous train a b -m c
try gibbous train a -- --topics
try gibbous train a
try gibbous train a -m -
try gibbous import a
try gibbous import a -o -
# backquotes of the user stay, dashes are for options
try gibbous import 'a`b`c' -o d
try gibbous import '`cost`.csv' -o d
try gibbous import 'my/`cost`' -o d
try gibbous train a -m b --topics '`topics'
try gibbous info
try gibbous predict
try gibbous predict a
try gibbous infer a
try gibbous evaluate a
try gibbous topics
try gibbous topics a -m b
try gibbous topics a b
try gibbous simulate a
try gibbous simulate -o a.csv
# a value may begin with a dash, and options may come in any order
try gibbous train -m - --positive -1 --prior graph --level-mean -1 a
(export POSIXLY_CORRECT=1 && try gibbous train a -m b)
try gibbous simulate -qk3 --documents 1 --length=1 --prior=uniform --no-intercept --response none -o -- a
# options in a message have dashes; what the user has put in backquotes stays as it is
printf '{"text":"one two","the `label`":"x"}\n{"text":"two three","the `label`":"say \\"no\\" to `cost`"}\n' >some.jsonl
try gibbous train some.jsonl --label 'the `label`' -m m --positive '`seed` "a" `cost`'
try gibbous train some.jsonl --label 'the `label`' -m m --task regression
try gibbous train some.jsonl --label 'the `label`' -m m --cost 'the `cost`=1'
try gibbous train some.jsonl --label 'the `label`' -m m --sweeps 5 --burn-in 5
