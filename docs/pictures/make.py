#!/usr/bin/env python3
"""Draw the pictures of the pages from their tables: docs/pictures/make.py

They are read from the tables beside them, so that a number stands in one place.  The documentation's build calls this: a picture
changes when its table does.
"""

from __future__ import annotations

import math
import re
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
DOCS = HERE.parent
WIDTH = 720

STYLE = """
text { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1b1f24 }
.title { font-weight: 600 } .muted { fill: #57606a } .page { fill: #ffffff }
.grid { stroke: #d4d9df } .line { fill: none; stroke-width: 1.8 }
.a { fill: #1f6f8b; stroke: #1f6f8b } .b { fill: #c4551c; stroke: #c4551c } .c { fill: #5b4fa8; stroke: #5b4fa8 }
.line.a { fill: none } .band { fill: #1f6f8b; fill-opacity: .22; stroke: none }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e9ed } .muted { fill: #9fa8b3 } .page { fill: #12161b } .grid { stroke: #3a424c }
  .a { fill: #5bb5d1; stroke: #5bb5d1 } .b { fill: #f0935a; stroke: #f0935a } .c { fill: #a99cf0; stroke: #a99cf0 }
  .band { fill: #5bb5d1 }
}
"""


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """A text; its baseline is at y."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "grid") -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def mark(x: float, y: float, kind: str) -> str:
    """A circle, square or triangle: series differ by more than their colour."""
    if kind == "a":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" class="a"/>'
    if kind == "b":
        return f'<rect x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9" class="b"/>'
    return f'<path d="M{x:.1f} {y - 5.5:.1f}l5.5 10h-11z" class="c"/>'


def picture(name: str, height: float, title: str, parts: list[str]) -> None:
    """Write a file, if it is not there already as it should be."""
    whole = "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="page" width="{WIDTH}" height="{height:.0f}" rx="6"/>',
            *parts,
            "</svg>\n",
        ]
    )
    path = HERE / name
    if not path.exists() or path.read_text() != whole:
        path.write_text(whole)


def table_rows(page: str) -> list[list[str]]:
    """The cells of all rows of a page's tables."""
    lines = (DOCS / page).read_text().splitlines()
    return [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in lines if row.startswith("|")]


def number(cell: str) -> float | None:
    """The first number of a cell."""
    found = re.search(r"-?\d[\d,]*\.?\d*", cell)
    return float(found.group().replace(",", "")) if found else None


# ---- dots on a line, for accuracy and speed ----


def dots(name, title, rows, series, low, high, ticks, unit="", log=False) -> None:
    """Rows of marks: (label, {series: value})."""
    if len(rows) < 3 or not all(len(values) > 1 for _, values in rows):
        print(f"docs/pictures/make.py: the table of {name} is not as it was, so the picture stays as it is")
        return
    left, right, top, step = 250, WIDTH - 40, 62, 30
    bottom = top + step * len(rows)

    def at(value: float) -> float:
        share = (math.log(value / low) / math.log(high / low)) if log else (value - low) / (high - low)
        return left + share * (right - left)

    parts = [text(16, 24, title, "title")]
    x = 16.0
    for kind, words in series.items():
        parts += [mark(x + 5, 42, kind), text(x + 16, 46.5, words)]
        x += 34 + 7.4 * len(words)
    for tick in ticks:
        parts += [line(at(tick), top, at(tick), bottom), text(at(tick), bottom + 18, f"{tick:,g}{unit}", "muted", "middle")]
    for i, (label, values) in enumerate(rows):
        y = top + step * (i + 0.5)
        parts.append(text(left - 14, y + 4.5, label, "", "end"))
        inside = [at(v) for v in values.values()]
        parts.append(line(min(inside), y, max(inside), y, "grid"))
        parts += [mark(at(v), y, kind) for kind, v in values.items()]
    picture(name, bottom + 30, title, parts)


def accuracy() -> None:
    """The table of words beside topics in measured/accuracy.md."""
    wanted = {
        "hotel ratings, R2, 5 folds": "hotel ratings, R²",
        "film ratings, R2, 5 folds": "film ratings, R²",
        "20 Newsgroups, accuracy": "20 Newsgroups, accuracy",
        "Reuters, micro F1": "Reuters, micro F1",
    }
    rows = []
    for cells in table_rows("measured/accuracy.md"):
        label = next((short for long, short in wanted.items() if cells[0].startswith(long)), None)
        if label is not None and len(cells) >= 4 and label not in [r[0] for r in rows]:
            found = {kind: number(cell) for kind, cell in zip("bca", cells[1:4], strict=False)}
            rows.append((label, {kind: value for kind, value in found.items() if value is not None}))
    series = {"b": "linear model", "c": "topics alone", "a": "topics and words"}
    title = "Scores on documents that were not seen: right is better"
    dots("accuracy.svg", title, rows, series, 0.5, 0.95, [0.5, 0.6, 0.7, 0.8, 0.9])


def speed() -> None:
    """Topics alone and with classes in measured/performance.md: nanoseconds for each token."""
    groups: dict[str, dict[str, float]] = {}
    label, number_of = "", re.compile(r"^K = ([\d,]+) \(")
    for cells in table_rows("measured/performance.md"):
        if len(cells) < 4:
            continue
        if cells[0].startswith("**"):
            label = "20 classes, 100 topics" if cells[0].startswith("**20 classes, hinge") else ""
            continue
        found = number_of.match(cells[0])
        if found:
            label = f"{found.group(1)} topics"
        elif not (label and cells[0] in ("per token, all of a sweep, after 30 sweeps", "the same")):
            continue
        other = re.match(r"(textbook|`mh`)[^:]*: ([\d,.]+) ns", cells[2])
        mine = re.match(r"([\d,.]+) ns", cells[1])
        if other and mine:
            kind = "b" if other.group(1) == "textbook" else "c"
            of = groups.setdefault(label, {})
            of[kind], of["a"] = number(other.group(2)), number(mine.group(1))
    series = {"a": "gibbous", "c": "Metropolis-Hastings, 6 steps", "b": "textbook"}
    title = "Time for a token, one thread: left is faster, each line is ten times the one before"
    dots("speed.svg", title, list(groups.items()), series, 10, 10000, [10, 100, 1000, 10000], " ns", log=True)


# ---- trends ----


def trends() -> None:
    """The table of tenth years in measured/groups.md; its cells are like "1.0 (0.4 to 2.2)", in percent."""
    rows = table_rows("measured/groups.md")
    first_row = next(i for i, cells in enumerate(rows) if cells[0] == "year")
    panels: dict[str, list[tuple[float, ...]]] = {f"topic {name}": [] for name in rows[first_row][1:]}
    for cells in rows[first_row + 2 :]:
        if len(cells) != len(panels) + 1 or not cells[0].isdigit():
            break
        for points, cell in zip(panels.values(), cells[1:], strict=True):
            points.append((float(cells[0]), *(float(v) / 100 for v in re.findall(r"[\d.]+", cell))))
    left, right, high, gap = 56, WIDTH - 24, 74, 40
    years = [p[0] for panel in panels.values() for p in panel]
    first, last = min(years), max(years)
    parts = []
    top = 14.0
    for title, points in panels.items():
        most = max(p[3] for p in points)
        step = next(s for s in (0.02, 0.05, 0.1, 0.2, 0.5) if most / s <= 3)
        base = top + 20 + high

        def x(year: float) -> float:
            return left + (year - first) / (last - first) * (right - left)

        def y(share: float, base: float = base, most: float = most) -> float:
            return base - share / most * high

        parts.append(text(16, top + 8, title, "title"))
        ticks = [i * step for i in range(int(most / step) + 1)]
        for tick in ticks:
            parts += [line(left, y(tick), right, y(tick)), text(left - 8, y(tick) + 4.5, f"{100 * tick:.0f} %", "muted", "end")]
        upper = [f"{x(p[0]):.1f} {y(p[3]):.1f}" for p in points]
        lower = [f"{x(p[0]):.1f} {y(p[2]):.1f}" for p in reversed(points)]
        parts.append(f'<path class="band" d="M{"L".join(upper + lower)}Z"/>')
        parts.append(f'<path class="line a" d="M{"L".join(f"{x(p[0]):.1f} {y(p[1]):.1f}" for p in points)}"/>')
        parts += [f'<circle cx="{x(p[0]):.1f}" cy="{y(p[1]):.1f}" r="2.4" class="a"/>' for p in points]
        top = base + gap - 20
    for year in range(1800, int(last) + 1, 40):
        parts.append(text(x(year), top + 2, str(year), "muted", "middle"))
    picture("trends.svg", top + 14, "Shares of five topics in the State of the Union addresses, each tenth year from 1790", parts)


if __name__ == "__main__":
    accuracy()
    speed()
    trends()
