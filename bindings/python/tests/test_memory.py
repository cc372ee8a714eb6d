"""A fit from a sparse matrix takes the memory and the time of the command, not more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = '''
import os, subprocess, sys
import numpy as np, scipy.sparse
import gibbous

command, folder = sys.argv[1:]
rng = np.random.default_rng(1)
n, n_words, per = 30000, 10000, 100
word = np.sort((n_words * rng.random((n, per)) ** 3).astype(np.int32), axis=1).ravel()
counts = scipy.sparse.csr_matrix(
    (np.ones(n * per, np.int32), word, np.arange(0, n * per + 1, per, dtype=np.int32)), (n, n_words)
)
counts.sum_duplicates()
label = [f"c{k}" for k in rng.integers(0, 2, n)]
vocabulary = [f"w{i}" for i in range(n_words)]
del word
options = {"topics": 10, "sweeps": 6, "chains": 1, "seed": 1, "threads": 1, "calibrate": 0}
# libraries are loaded
gibbous.train(counts[:500], label=label[:500], vocabulary=vocabulary, **options)


def status(name):
    lines = open("/proc/self/status").read().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1])


with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak begins anew
before, begin = status("VmRSS"), os.times()
model = gibbous.train(counts, label=label, vocabulary=vocabulary, **options)
end, peak = os.times(), status("VmHWM") - before
seconds = end.user + end.system - begin.user - begin.system
corpus = gibbous.Corpus.from_arrays(
    counts.indptr, counts.indices, counts.data, vocabulary,
    [gibbous.Field("label", "response", "one", class_name=["c0", "c1"],
                   class_of=np.array([l == "c1" for l in label]).astype(np.uint32))],
)
corpus.write(folder + "/c")
flags = [f"--{name}={value}" for name, value in options.items()]
# A small process starts the command: a child begins with the memory of its parent.
start = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_maxrss, used.ru_utime + used.ru_stime)
"""
train = [command, "train", folder + "/c", "-m", folder + "/m", "-q", "--label=label", *flags]
run = subprocess.run(
    [sys.executable, "-c", start, *train], capture_output=True, text=True, check=True
)
assert model.to_bytes() == open(folder + "/m", "rb").read()
csr = (counts.data.nbytes + counts.indices.nbytes) / 1024
peak_of_command, seconds_of_command = run.stdout.split()
print(peak, peak_of_command, csr, seconds, seconds_of_command)
'''


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="needs /proc of Linux")
def test_there_is_no_second_copy_of_the_counts(command: Path, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, command, tmp_path], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    peak, of_command, csr, seconds, seconds_of_command = map(float, run.stdout.split())
    print(f"{peak:.0f} kB, the command {of_command:.0f} kB; the matrix {csr:.0f} kB")
    print(f"{seconds:.2f} s of processor time, the command {seconds_of_command:.2f} s")
    # The command's peak is all of its process, the package's is what was added to Python's.
    assert peak < of_command + csr / 4
