#!/bin/bash
# Train on several machines under Slurm, and go on from the last checkpoint if there is one:
#
#   sbatch slurm.sh reviews.gbc reviews.gibbous --topics 200 --sweeps 1000
#
# What comes after the two files are options of the training.  When the time is up, Slurm asks the ranks to stop (SIGTERM): they
# write a checkpoint, and the job puts itself into the queue again.  The same bits come out on any number of nodes, ranks and threads.
#
#SBATCH --job-name=gibbous
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --time=12:00:00
#SBATCH --signal=TERM@300
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%j.log
set -eu
corpus=$1 model=$2
shift 2
checkpoint=$model.gbk

# On many clusters: module load openmpi
options=("$@" --threads "${SLURM_CPUS_PER_TASK:-1}" --checkpoint "$checkpoint")
if [ -e "$checkpoint" ]; then # it has the options of the run
    options=(--threads "${SLURM_CPUS_PER_TASK:-1}" --resume "$checkpoint")
fi

# PMIx for Open MPI, pmi2 for MPICH and Intel MPI: srun --mpi=list tells what there is.  A rank that fails ends the others.
status=0
srun --mpi="${GIBBOUS_SRUN_MPI:-pmix}" --kill-on-bad-exit=1 \
    gibbous train "$corpus" -m "$model" "${options[@]}" || status=$?
if [ "$status" -eq 75 ]; then # stopped, and a checkpoint is there
    scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
