#!/usr/bin/env bash
# A signal to one rank stops all, and each ends with the status of that signal, whatever they are about to do.
. "$(dirname "$0")/helpers"
. "$(dirname "$0")/documents"

make_documents
"$gibbous" train "$work/docs.jsonl" --label label --prior uniform $options --sweeps 6 --blocks 4 -q -m "$work/model.gibbous"
# In place of the command: what it ends with goes to a file.
cat >"$work/each" <<EACH
#!/bin/sh
status=0
"$gibbous" "\$@" || status=\$?
echo \$status >>"$work/statuses"
exit \$status
EACH
chmod +x "$work/each"

# Whether a process has a handler for SIGTERM, where the system tells.
is_ready() {
    local caught
    [ -r /proc/self/status ] || return 0
    caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
    [ -n "$caught" ] && [ $((0x$caught >> 14 & 1)) -eq 1 ]
}

all_are_ready() {
    local pid n=0
    for pid in $(pgrep -f "^$gibbous $1 $work/docs.jsonl"); do
        is_ready "$pid" && n=$((n + 1))
    done
    [ $n -eq 3 ]
}

# stop_one SECONDS VERB OPTION...: one of three ranks gets SIGTERM after that time.
stop_one() {
    local after=$1 pid
    shift
    rm -f "$work/statuses"
    command="$*"
    timeout -k 5 60 "$mpirun" -n 3 "$work/each" "$@" >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    while ! all_are_ready "$1" && kill -0 $pid 2>/dev/null; do
        sleep 0.02
    done
    sleep "$after"
    pgrep -f "^$gibbous $1 $work/docs.jsonl" | tail -n 1 | xargs -r kill -TERM
    wait $pid || true
    [ "$(cat "$work/statuses")" = "$(printf '143\n143\n143')" ] || wrong "$command: statuses $(tr '\n' ' ' <"$work/statuses")"
    [ "$(grep -c '^gibbous: stopped' "$work/stderr")" -eq 1 ] || wrong "$command: says it once"
}

stop_one 0.3 predict "$work/docs.jsonl" -m "$work/model.gibbous" --infer-sweeps 20000 -o "$work/predicted"
[ ! -e "$work/predicted" ] || wrong "$command: has written"
stop_one 1 train "$work/docs.jsonl" --label label $options --sweeps 1000000 --blocks 4 -q -m "$work/x"
stop_one 1 train "$work/docs.jsonl" --label label $options --sweeps 1000000 --blocks 4 --chains 2 -q --force -m "$work/x"
exit $failed
