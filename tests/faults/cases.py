"""What the tests of faults run: small trainings, predictions and tables over documents made here."""
import gzip
import io
import os
import pathlib
import struct
import subprocess
import tarfile
import tempfile
import zipfile

WORDS = {"a": "apple pear plum fig lemon", "b": "dog cat cow hen horse", "c": "iron gold tin lead zinc"}


def documents(n, skip=0):
    """JSON Lines with a label, a number, a group and a covariate."""
    lines = []
    for i in range(skip, skip + n):
        label = "abc"[i % 3]
        words = WORDS[label].split()
        text = " ".join(words[(i * 7 + j * j) % 5] for j in range(6)) + " and the " + "abc"[(i + i // 5) % 3]
        stars = "abc".index(label) + 0.1 * (i % 7)
        lines.append(f'{{"id":"d{i}","text":"{text}","label":"{label}","stars":{stars:.1f},"year":"{2000 + i % 4}","size":{i % 5}}}\n')
    return "".join(lines)


FIT = ["-k", "3", "--sweeps", "6", "--burn-in", "3", "--thin", "1", "--threads", "1", "--seed", "1", "-q", "--min-df", "1"]
SELECT = ["select", "train.jsonl", "--label", "label", "--grid", "cost=1,2", "--folds", "2", *FIT, "--results", "fits.jsonl"]
# name: arguments, files that it writes
CASES = {
    "help": (["train", "--help"], []),
    "import-shards": (["import", "many.jsonl", "--label", "label", "--min-df", "1", "--shards", "2", "-q", "-o", "out.gbc"],
                      ["out.gbc", "out-1-of-2.gbc", "out-2-of-2.gbc"]),
    "train-shards": (["train", "shards.gbc", *FIT, "-m", "out.gib"], ["out.gib"]),
    "resume": (["train", "train.jsonl", "--resume", "run.gbk", "--checkpoint-every", "2", "--sweeps", "8", "--threads", "1", "-q", "-m",
                "out.gib"], ["out.gib"]),
    "predict-sandbox": (["predict", "test.jsonl", "-m", "model.gib", "--threads", "1", "--sandbox", "-q", "-o", "out.csv"], ["out.csv"]),
    "explain": (["explain", "test.jsonl", "-m", "model.gib", "--threads", "1", "-q"], []),
    "explain-file": (["explain", "test.jsonl", "-m", "model.gib", "--threads", "1", "-q", "-o", "out.csv"], ["out.csv"]),
    "explain-nearest": (["explain", "test.jsonl", "-m", "model.gib", "--nearest-in", "docs.gbc", "--threads", "1", "-q"], []),
    "effects-jsonl": (["effects", "-m", "model.gib", "-q", "--table", "jsonl", "-o", "out.jsonl"], ["out.jsonl"]),
    "diagnose-file": (["diagnose", "-m", "model.gib", "-q", "--table", "csv", "-o", "out.csv"], ["out.csv"]),
    "import": (["import", "train.jsonl", "--label", "label", "--covariates", "size", "-q", "-o", "out.gbc"], ["out.gbc"]),
    "convert-npz": (["convert", "train.jsonl", "--label", "label", "--covariates", "size", "-q", "-o", "out.npz"],
                    ["out.npz", "out.vocabulary.txt", "out.ids.txt", "out.fields.tsv"]),
    "convert-csv": (["convert", "docs.gbc", "-q", "-o", "out.csv"], ["out.csv"]),
    "convert-jsonl": (["convert", "docs.mtx", "--vocabulary", "docs.vocabulary.txt", "--document-ids", "docs.ids.txt",
                       "--metadata", "docs.fields.tsv", "--label", "label", "-q", "-o", "out.jsonl"], ["out.jsonl"]),
    "convert-mallet": (["convert", "docs.gbc", "-q", "-o", "out.mallet"], ["out.mallet"]),
    "import-phrases": (["import", "train.jsonl", "test.jsonl", "--label", "label", "--ngrams", "3", "--phrase-min-df", "2", "--phrase-score",
                        "0", "-q", "-o", "out.gbc"], ["out.gbc"]),
    "import-gzip": (["import", "train.jsonl.gz", "--label", "label", "-q", "-o", "out.gbc"], ["out.gbc"]),
    "import-tar": (["import", "docs.tar.gz", "--format", "dir", "--min-df", "1", "-q", "-o", "out.gbc"], ["out.gbc"]),
    "import-zip": (["import", "docs.zip", "--format", "dir", "--min-df", "1", "-q", "-o", "out.gbc"], ["out.gbc"]),
    "import-npz": (["import", "packed.npz", "--vocabulary", "packed.vocabulary.txt", "-q", "-o", "out.gbc"], ["out.gbc"]),
    "import-embeddings": (["import", "test.jsonl", "--embeddings", "embeddings.npz", "-q", "-o", "out.gbc"], ["out.gbc"]),
    "info": (["info", "train.jsonl", "--label", "label"], []),
    "train": (["train", "train.jsonl", "--label", "label", *FIT, "-m", "out.gib"], ["out.gib"]),
    "train-number": (["train", "train.jsonl", "--target", "stars", "--covariates", "size", "--group", "year", "--prior",
                      "graph", "--graph", "chain", *FIT, "--draws", "out.draws", "-m", "out.gib"], ["out.gib", "out.draws"]),
    "train-side-by-side": (["train", "train.jsonl", "--label", "label", *("2" if i > 0 and FIT[i - 1] == "--threads" else a for i, a in enumerate(FIT)),
                            "--chains", "2", "--draws", "out.draws", "-m", "out.gib"], ["out.gib", "out.draws"]),
    "train-content": (["train", "train.jsonl", "--content", "label", *FIT, "-m", "out.gib"], ["out.gib"]),
    "train-checkpoint": (["train", "train.jsonl", "--label", "label", *FIT, "--checkpoint", "out.ckpt",
                          "--checkpoint-every", "2", "-m", "out.gib"], ["out.gib"]),
    "train-corpus": (["train", "docs.gbc", *FIT, "-m", "out.gib"], ["out.gib"]),
    "predict-corpus": (["predict", "docs.gbc", "-m", "model.gib", "--threads", "1", "-q", "-o", "out.csv"], ["out.csv"]),
    "predict": (["predict", "test.jsonl", "-m", "model.gib", "--threads", "1", "-q", "-o", "out.csv"], ["out.csv"]),
    "predict-jsonl": (["predict", "test.jsonl", "-m", "model.gib", "--threads", "1", "-q", "--table", "jsonl", "-o",
                       "out.jsonl"], ["out.jsonl"]),
    "infer": (["infer", "test.jsonl", "-m", "model.gib", "--threads", "1", "-q"], []),
    "infer-file": (["infer", "test.jsonl", "-m", "model.gib", "--threads", "1", "-q", "-o", "out.csv"], ["out.csv"]),
    "evaluate": (["evaluate", "test.jsonl", "--label", "label", "-m", "model.gib", "--threads", "1", "-q"], []),
    "evaluate-json": (["evaluate", "test.jsonl", "--label", "label", "-m", "model.gib", "--threads", "1", "-q", "--json"], []),
    "evaluate-folds": (["evaluate", "train.jsonl", "--label", "label", "--folds", "2", *FIT], []),
    "select": (SELECT, []),  # all fits are in the file: what they took differs from run to run
    "topics": (["topics", "-m", "model.gib", "-q"], []),
    "topics-jsonl": (["topics", "-m", "model.gib", "-q", "--table", "jsonl"], []),
    "topics-odd-name": (["topics", "-m", "odd\x1b[2J\u202ename.gib", "-q"], []),
    "topics-file": (["topics", "-m", "model.gib", "-q", "-o", "out.csv"], ["out.csv"]),
    "edit": (["edit", "-m", "model.gib", "--drop", "1", "-q", "-o", "out.gib"], ["out.gib"]),
    "effects-file": (["effects", "-m", "model.gib", "-q", "-o", "out.csv"], ["out.csv"]),
    "effects": (["effects", "-m", "model.gib", "-q"], []),
    "diagnose": (["diagnose", "-m", "model.gib"], []),
    "diagnose-json": (["diagnose", "-m", "model.gib", "--json"], []),
    "report": (["report", "-m", "model.gib", "-q", "-o", "out.html"], ["out.html"]),
    "report-documents": (["report", "test.jsonl", "-m", "model.gib", "--threads", "1", "-q", "-o", "out.html"], ["out.html"]),
    "export-ldavis": (["export", "test.jsonl", "-m", "model.gib", "--threads", "1", "-q", "-o", "out.json"], ["out.json"]),
    "export-state": (["export", "test.jsonl", "-m", "model.gib", "--threads", "1", "-q", "-o", "out.gz"], ["out.gz"]),
    "simulate": (["simulate", "--documents", "20", "-k", "3", "--vocabulary-size", "30", "--seed", "1", "-q", "-o",
                  "out.jsonl"], ["out.jsonl"]),
}


# files that a case changes, and is given a copy of
CHANGED = {"run.gbk", "run.gbk.draws"}


def packed(folder):
    """Documents in a gzip file, and one in a file each in a tar and a zip archive; numbers of documents in a zip archive of arrays."""
    (folder / "train.jsonl.gz").write_bytes(gzip.compress((folder / "train.jsonl").read_bytes(), mtime=0))
    with tarfile.open(folder / "docs.tar.gz", "w:gz") as tar, zipfile.ZipFile(folder / "docs.zip", "w", zipfile.ZIP_DEFLATED) as z:
        for i in range(4):
            text = " ".join(WORDS["ab"[i % 2]].split()[: 3 + i]).encode()
            member = tarfile.TarInfo(f"{'ab'[i % 2]}/{i}.txt")
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text))
            z.writestr(member.name, text)
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (9, 2), }".ljust(117) + b"\n"
    numbers = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<18f", *range(18))
    with zipfile.ZipFile(folder / "embeddings.npz", "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("embeddings.npy", numbers)


def prepare(program):
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "train.jsonl").write_text(documents(40))
    (folder / "test.jsonl").write_text(documents(9, 40))
    (folder / "many.jsonl").write_text(documents(300))
    packed(folder)
    run = [program, "train", "train.jsonl", "--label", "label", *FIT, "--checkpoint", "run.gbk", "-m", "stopped.gib"]
    subprocess.run(run, cwd=folder, check=True)
    subprocess.run([program, "import", "many.jsonl", "--label", "label", "--min-df", "1", "--shards", "2", "-q", "-o", "shards.gbc"],
                   cwd=folder, check=True)
    sandboxed = subprocess.run([program, "info", "train.jsonl", "--sandbox"], cwd=folder, capture_output=True, check=False)
    if sandboxed.returncode != 0:
        print("the system has no sandbox")
        del CASES["predict-sandbox"]
    subprocess.run([program, "train", "train.jsonl", "--label", "label", *FIT, "-m", "model.gib"], cwd=folder, check=True)
    subprocess.run([program, "import", "train.jsonl", "--label", "label", "-q", "-o", "docs.gbc"], cwd=folder, check=True)
    subprocess.run([program, "convert", "docs.gbc", "-q", "-o", "docs.mtx"], cwd=folder, check=True)
    subprocess.run([program, "convert", "docs.gbc", "-q", "-o", "packed.npz"], cwd=folder, check=True)
    (folder / "odd\x1b[2J\u202ename.gib").write_bytes((folder / "model.gib").read_bytes())
    subprocess.run([program, *SELECT], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    page = subprocess.run([program, "report", "-m", "model.gib", "-q"], cwd=folder, capture_output=True, check=False)
    if b"built without the page" in page.stderr:
        del CASES["report"], CASES["report-documents"]
    return folder


def usual_step(short, full):
    """How many points lie between two that are tried: fewer in ./check --full, all in ./check --all."""
    return 1 if "GIBBOUS_LONG_TESTS" in os.environ else full if "GIBBOUS_FULL_TESTS" in os.environ else short
