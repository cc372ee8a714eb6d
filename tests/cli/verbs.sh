# A missing, mistyped or unknown verb.
. "$TESTS/helpers"
try gibbous
try gibbous trian
try gibbous frobnicate
try gibbous "$(printf 'tra\nin')"
try gibbous ''
try gibbous --topics 5 train
try gibbous -k 5
try gibbous help trian
try gibbous help train extra >/dev/null
