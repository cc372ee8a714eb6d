# Options that are mistyped, belong to another verb, or lack or have a value.
. "$TESTS/helpers"
try gibbous train x --topisc 5
try gibbous train x --topisc=5
try gibbous train x --topic 5
try gibbous train x --zzzzzzzz
try gibbous train x --no-force
try gibbous train x --no-lowercas
try gibbous train x --scores
try gibbous train x -o y
try gibbous train x --classes 3
try gibbous info x --no-intercept
try gibbous train x -Z
try gibbous train x -qZ
try gibbous train x "$(printf -- '-\377')"
try gibbous train x -k
try gibbous train x --topics
try gibbous train x -qk
try gibbous train x --force=yes
try gibbous train x --lowercase=no
try gibbous train x --no-lowercase=yes
try gibbous train x --dump-options
# A second value would win silently; lists take several.
try gibbous train x -k 5 --topics 6 -m y
try gibbous train x --intercept --no-intercept -m y
try gibbous train x -q -q -m y
try gibbous train x --label a --label b -m y --topics 1
# auto where the program decides, and only there
try gibbous train x --burn-in -2
try gibbous train x --topics auto
