# Values that are not of the option's kind or outside its range.
. "$TESTS/helpers"
try gibbous train x --topics 0
try gibbous train x --topics=65536
try gibbous train x -k abc
try gibbous train x -k5x
try gibbous train x --topics=
try gibbous train x --topics ''
try gibbous train x --topics 99999999999999999999
try gibbous train x --cost abc
try gibbous train x --cost nan
try gibbous train x --cost 1e999
try gibbous train x --cost 1,5
try gibbous train x --prior x
try gibbous train x --response softmax
try gibbous train x --label ''
try gibbous train x --label "$(printf 'a\377')"
try gibbous train x --topics "$(printf '1\n2')"
try gibbous topics --words 0
