#!/usr/bin/env bash
# Ranks on three hosts, over TCP: every call works; a rank that is killed ends the others; a link that is cut for some seconds delays
# them or ends them, but leaves nobody waiting for ever.
. "$(dirname "$0")/helpers"
if [ ! "${GIBBOUS_FULL_TESTS-}" ]; then
    echo "skipped: with GIBBOUS_FULL_TESTS=1 only"
    exit 77
fi
case $("$mpirun" --version 2>&1) in
*HYDRA* | *Hydra*) ;;
*)
    echo "skipped: needs the launcher of MPICH"
    exit 77
    ;;
esac
. "$(dirname "$0")/hosts"
make_hosts 3

# Bytes that host 1 has sent to the others.
sent_bytes() {
    ip -n "$mark-1" -s -o link show net0 | sed 's/.*TX:[^\\]*\\ *\([0-9]*\).*/\1/'
}

before=$(sent_bytes)
on_hosts "$ops" calls 0 1000000
run "${launch[@]}"
[ "$status" -eq 0 ] || wrong "$command: status $status"
[ $(($(sent_bytes) - before)) -gt 5000000 ] || wrong "$command: $(($(sent_bytes) - before)) bytes went over the network"

on_hosts "$ops" kill 1
run "${launch[@]}"
fails_within 10

on_hosts "$ops" abort 2
run "${launch[@]}"
fails_within 10
says "gibbous: rank 2: the test says so" 1

# Ranks that go round for some seconds.
on_hosts "$ops" rounds 8
(
    sleep 3
    cut_link 2
    sleep 5
    mend_link 2
) &
run "${launch[@]}"
wait
echo "a link cut for 5 s: status $status after $seconds s"
[ "$seconds" -le 60 ] || wrong "$command takes $seconds s"
exit $failed
