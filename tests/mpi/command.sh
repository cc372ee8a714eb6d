#!/usr/bin/env bash
# The command joins the other ranks before it does anything else, and refuses what it cannot do with them.
. "$(dirname "$0")/helpers"

run "$mpirun" -n 2 "$gibbous" --version
[ "$status" -eq 0 ] && [ "$(grep -c ^gibbous "$work/stdout")" -eq 1 ] || wrong "$command: rank 0 alone prints"

# The version says whether ranks can be joined, and by which library, before any are started.
run "$gibbous" --version
grep -q '^several ranks: by .*[0-9]\.[0-9]' "$work/stdout" || wrong "$command: no MPI library"
GIBBOUS_MPI_MODULE=/nowhere/module.so run "$gibbous" --version
grep -q '^several ranks: no; the module for MPI cannot be opened: .*/nowhere/module.so' "$work/stdout" || wrong "$command: no reason"
[ "$status" -eq 0 ] || wrong "$command: status $status"

for verb in 'import x -o y' 'effects x -m y' 'topics -m y'; do
    # shellcheck disable=SC2086 # words
    run "$mpirun" -n 2 "$gibbous" $verb
    [ "$status" -eq 2 ] || wrong "$command: status $status"
    says "gibbous: ${verb%% *} runs on one process; start it without mpirun or srun" 1
done

run "$mpirun" -n 2 "$gibbous" predict - -m y
[ "$status" -eq 2 ] || wrong "$command: status $status"
says 'gibbous: only one of several processes has a standard input; name a file that all can read' 1

run "$mpirun" -n 2 "$gibbous" trian
[ "$status" -eq 2 ] || wrong "$command: status $status"
says 'gibbous: no verb "trian"; did you mean train?' 1

# Each on its own.
GIBBOUS_MPI_MODULE=none run "$mpirun" -n 2 "$gibbous" --version
[ "$status" -eq 0 ] && [ "$(grep -c ^gibbous "$work/stdout")" -eq 2 ] || wrong "$command: each process prints"

# An installed program finds its module, wherever it was installed.
cmake --install "$folder" --prefix "$work/prefix" >"$work/log"
GIBBOUS_MPI_MODULE='' run "$mpirun" -n 2 "$work/prefix/bin/gibbous" --version
[ "$status" -eq 0 ] && [ "$(grep -c ^gibbous "$work/stdout")" -eq 1 ] || wrong "$command: rank 0 alone prints"

# No module; one of another version; a launcher that the MPI library does not know.
GIBBOUS_MPI_MODULE=/nowhere/module.so run "$mpirun" -n 3 "$gibbous" --version
[ "$status" -ne 0 ] && [ ! -s "$work/stdout" ] || wrong "$command: status $status"
[ "$(grep -c '^gibbous: 3 ranks were started ([A-Z_]*), but the module for MPI cannot be opened: .*/nowhere/module.so.* installed?; ' \
    "$work/stderr")" -eq 1 ] || wrong "$command: one refusal"

GIBBOUS_MPI_MODULE=$folder/tests/mpi/libother_version.so run "$mpirun" -n 2 "$gibbous" --version
[ "$(grep -c '^gibbous: 2 ranks were started ([A-Z_]*), but .*/libother_version.so is of another gibbous than ' "$work/stderr")" -eq 1 ] ||
    wrong "$command: one refusal"

SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 run "$gibbous" --version
[ "$status" -eq 1 ] || wrong "$command: status $status"
grep -q '^gibbous: 4 ranks were started (SLURM_STEP_NUM_TASKS), but .* sees only one: ' "$work/stderr" || wrong "$command: a refusal"
exit $failed
