#!/usr/bin/env bash
# The results of full runs: each row says what it is of, with which settings, seed, version and processor, and no cell stands twice.
#
#   results.sh SOURCE_FOLDER
#
# Exit status 77, "skipped", without Python 3.9.
set -eu
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "skipped: needs python3, 3.9 or later"
    exit 77
fi
PYTHONDONTWRITEBYTECODE=1 python3 - "$1/experiments" <<'END'
import collections
import csv
import json
import math
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(folder))
import frame

wrong = []
papers = sorted(folder.glob("*/paper.py"))
for paper in papers:
    path = paper.parent / "results.csv"
    with open(path, newline="", encoding="utf-8") as lines:
        header, *rows = csv.reader(lines)
    if header != frame.COLUMNS or not rows:
        wrong.append(f"{path}: columns {header}, {len(rows)} rows")
        continue
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            wrong.append(f"{path}:{number}: {len(row)} fields")
            continue
        field = dict(zip(header, row))
        result = json.loads(field["result"])
        numbers = [value for value in result.values() if isinstance(value, float)]
        is_right = (all(field.values()) and result and all(map(math.isfinite, numbers)) and int(field["seed"]) > 0
                    and float(field["cpu_s"]) >= 0 and re.fullmatch(r"\d+\.\d+\.\d+-[0-9a-f]{10}\+?", field["version"]))
        if not is_right:
            wrong.append(f"{path}:{number}: {row}")
    cells = collections.Counter(tuple(row[:3]) for row in rows)
    wrong += [f"{path}: {cell} has {n} rows" for cell, n in cells.items() if n > 1]
    print(f"{path.parent.name}: {len(rows)} rows")
print(*wrong, sep="\n")
sys.exit(bool(wrong) or not papers)
END
