#!/usr/bin/env bash
# A rank that fails, ends all or is killed ends the job with a status that is not 0, and the user learns of it once.
. "$(dirname "$0")/helpers"
for rank in 0 1; do
    run "$mpirun" -n 3 "$ops" abort $rank
    fails_within 10
    says "gibbous: rank $rank: the test says so" 1

    run "$mpirun" -n 3 "$ops" leave $rank # the others wait for it
    fails_within 20
    says "gibbous: rank $rank: the test fails" 1

    run "$mpirun" -n 3 "$ops" kill $rank
    fails_within 10
done
run "$mpirun" -n 3 "$ops" leave all
fails_within 10
says "rank 0 tells: the test fails" 1
[ "$(grep -c 'the test fails' "$work/stderr")" -eq 1 ] || wrong "$command tells it more than once"
exit $failed
