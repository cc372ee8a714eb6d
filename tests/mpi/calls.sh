#!/usr/bin/env bash
# Every call brings what it promises on 2, 3 and 4 ranks, whatever the sizes of messages and of their pieces.
. "$(dirname "$0")/helpers"
for n in 2 3 4; do
    for sizes in '64 300' '1000 5000' '0 3000000'; do
        # shellcheck disable=SC2086 # two words
        run "$mpirun" -n $n "$ops" calls $sizes
        [ "$status" -eq 0 ] || wrong "$command: status $status"
    done
done
# More than an int can count, where there is room for it: two ranks with a list and three transfers each way.
if [ "${GIBBOUS_FULL_TESTS-}" ] && [ "$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -ge 48 ]; then
    run "$mpirun" -n 2 "$ops" calls 0 2500000000
    [ "$status" -eq 0 ] || wrong "$command: status $status"
fi
exit $failed
