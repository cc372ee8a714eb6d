#!/usr/bin/env bash
# The scripts for clusters say what they should to srun, scontrol and mpirun, of which there are only shadows here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../examples/several-machines
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/data"
cd "$work/data"
failed=0

for name in srun scontrol mpirun; do
    cat >"$work/bin/$name" <<SHADOW
#!/bin/sh
printf '$name' >>"$work/said"
printf ' %s' "\$@" >>"$work/said"
echo >>"$work/said"
[ $name = scontrol ] || exit \${SHADOW_STATUS:-0}
SHADOW
    chmod +x "$work/bin/$name"
done
PATH=$work/bin:$PATH
export SLURM_JOB_ID=17 SLURM_CPUS_PER_TASK=8

# expect STATUS LINES COMMAND...
expect() {
    local wanted_status=$1 wanted=$2 status=0
    shift 2
    : >"$work/said"
    "$@" >"$work/log" 2>&1 || status=$?
    if [ "$status" -ne "$wanted_status" ] || [ "$(cat "$work/said")" != "$wanted" ]; then
        echo "$*: status $status, said:"
        cat "$work/said" "$work/log"
        failed=1
    fi
}

slurm=$examples/slurm.sh
bash -n "$slurm"
first='srun --mpi=pmix --kill-on-bad-exit=1 gibbous train a.gbc -m a.gibbous --topics 9 --threads 8 --checkpoint a.gibbous.gbk'
again='srun --mpi=pmix --kill-on-bad-exit=1 gibbous train a.gbc -m a.gibbous --threads 8 --resume a.gibbous.gbk'
expect 0 "$first" "$slurm" a.gbc a.gibbous --topics 9
SHADOW_STATUS=1 expect 1 "$first" "$slurm" a.gbc a.gibbous --topics 9
SHADOW_STATUS=75 expect 75 "$first
scontrol requeue 17" "$slurm" a.gbc a.gibbous --topics 9
touch a.gibbous.gbk
expect 0 "$again" "$slurm" a.gbc a.gibbous --topics 9
GIBBOUS_SRUN_MPI=pmi2 expect 0 "${again/pmix/pmi2}" "$slurm" a.gbc a.gibbous --topics 9

# The launcher's script inside the manifest, and the manifest as a whole where there is something that reads it.
sed -n '/^ *- |$/,/^ *exec mpirun/p' "$examples/mpijob.yaml" | sed 1d >"$work/launch"
[ -s "$work/launch" ] || { echo "mpijob.yaml: no script"; failed=1; }
expect 0 'mpirun -n 4 gibbous train reviews.gbc -m reviews.gibbous --threads 16 --topics 200 --sweeps 1000 --checkpoint reviews.gbk' \
    sh -eu "$work/launch"
touch reviews.gbk
expect 0 'mpirun -n 4 gibbous train reviews.gbc -m reviews.gibbous --threads 16 --resume reviews.gbk' sh -eu "$work/launch"
if python3 -c 'import yaml' 2>/dev/null; then
    python3 - "$examples/mpijob.yaml" <<'PYTHON' || failed=1
import sys, yaml
job = yaml.safe_load(open(sys.argv[1]))
specs = job["spec"]["mpiReplicaSpecs"]
assert job["kind"] == "MPIJob" and job["apiVersion"] == "kubeflow.org/v2beta1"
for spec in specs.values():
    pod = spec["template"]["spec"]
    named = {v["name"] for v in pod["volumes"]}
    for container in pod["containers"]:
        assert all(isinstance(a, str) for a in container["args"])
        assert {m["name"] for m in container["volumeMounts"]} <= named
n_ranks = specs["Worker"]["replicas"] * job["spec"]["slotsPerWorker"]
assert f"mpirun -n {n_ranks} " in specs["Launcher"]["template"]["spec"]["containers"][0]["args"][2]
PYTHON
fi
exit $failed
