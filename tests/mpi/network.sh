#!/usr/bin/env bash
# Ranks on three hosts, over TCP: every call works, and a model is that of one rank, also when a rank was killed and two hosts go on
# from the checkpoint; a link that is cut for some seconds delays the ranks or ends them, but leaves nobody waiting for ever.
. "$(dirname "$0")/helpers"
if [ ! "${GIBBOUS_LONG_TESTS-}" ]; then
    echo "skipped: with GIBBOUS_LONG_TESTS=1 only"
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
. "$(dirname "$0")/documents"
. "$(dirname "$0")/training"
make_hosts 3

# Bytes that host 1 has sent to the others.
sent_bytes() {
    ip -n "$mark-1" -s -o link show net0 | sed 's/.*TX:[^\\]*\\ *\([0-9]*\).*/\1/'
}

before=$(sent_bytes)
on_hosts 3 "$ops" calls 0 1000000
run "${launch[@]}"
[ "$status" -eq 0 ] || wrong "$command: status $status"
[ $(($(sent_bytes) - before)) -gt 5000000 ] || wrong "$command: $(($(sent_bytes) - before)) bytes went over the network"

on_hosts 3 "$ops" kill 1
run "${launch[@]}"
fails_within 10

on_hosts 3 "$ops" abort 2
run "${launch[@]}"
fails_within 10
says "gibbous: rank 2: the test says so" 1

make_documents
train_alone
on_hosts 3
train_with "${launch[@]}" --
is_same

# Killed, and a link that is cut for 5 s in the middle.
length=(--sweeps 2000 --thin 100)
train_alone
with_checkpoint
begin_and_kill "${launch[@]}"
on_hosts 2
go_on_with "${launch[@]}"
is_same

on_hosts 3
rm -f "$work"/all.gbk*
(
    until [ -e "$work/all.gbk" ]; do sleep 0.1; done
    cut_link 2
    sleep 5
    mend_link 2
) &
train_with "${launch[@]}" --
wait
echo "a link cut for 5 s: status $status after $seconds s"
[ "$seconds" -le 90 ] || wrong "$command takes $seconds s"
if [ "$status" -ne 0 ]; then
    go_on_with "${launch[@]}"
fi
is_same
exit $failed
