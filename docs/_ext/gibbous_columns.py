"""The columns of an answer's table in the documentation, from src/answer/QUESTION.c: the one place where they are written.

  {gibbous-columns} QUESTION     a table of name, unit and meaning of each column, in the order of the table
  {gibbous-questions}            every question with its line of help, in the order of src/answer/questions.h
  {gibbous-scores} LIST          what the scores of evaluate say: `meanings` or `likelihood_meanings` of src/answer/evaluation.c"""

import pathlib
import re

from docutils import nodes
from docutils.parsers.rst import Directive

SOURCE = pathlib.Path(__file__).parents[2] / "src" / "answer"
STRING = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
COLUMN = re.compile(rf"\{{\s*({STRING}),\s*{STRING},\s*GB_CELL_\w+,\s*GB_PLACE_\w+,\s*[^{{}}]*?,?\s*({STRING}),\s*({STRING})\}}")


def joined(literals):
    """The text of adjacent string literals."""
    return "".join(re.sub(r"\\(.)", r"\1", s) for s in re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def macros():
    """The text of each macro GB_..._COLUMNS and its arguments' names."""
    found = {}
    for header in SOURCE.glob("*.h"):
        text = header.read_text().replace("\\\n", "\n")
        for name, arguments, body in re.findall(r"#define (GB_\w+_COLUMNS)\(([^)]*)\)\s(.*?)\n(?=enum|#|\n|/\*)", text, flags=re.S):
            found[name] = ([a.strip() for a in arguments.split(",")], body)
    return found


def expanded(text):
    """The initializers with their macros replaced."""
    for name, (parameters, body) in macros().items():
        for call in re.findall(rf"{name}\(((?:[^()\"]|\"(?:[^\"\\]|\\.)*\")*)\)", text):
            values = re.findall(r'\s*("(?:[^"\\]|\\.)*"|[^,"]+)\s*(?:,|$)', call)
            replaced = body
            for parameter, value in zip(parameters, values, strict=True):
                replaced = re.sub(rf"\b{parameter}\b(?=[^\"]*(?:\"[^\"]*\"[^\"]*)*$)", lambda _, v=value: v.strip(), replaced)
            text = text.replace(f"{name}({call})", replaced)
    return text


def read_columns(question):
    """Name, unit and help of each column of a question, in the order of its enumeration."""
    text = (SOURCE / f"{question}.c").read_text()
    order = re.findall(r"(?:^|,)\s*(\w+)", re.search(r"enum \{([^{}]*\bN_COLUMNS)\s*\}", text)[1])
    start = re.search(r"static const gb_column columns\[\w*\]\s*=\s*\{", text).end()
    body = expanded(re.sub(r"/\*.*?\*/", "", text[start : text.index("};", start)], flags=re.S))
    rows = []
    for entry in re.finditer(r"\[\s*(\w+)\s*(?:\+\s*(\d+)\s*)?\]\s*=\s*(\{[^{}]*\})", body):
        column = COLUMN.fullmatch(entry[3])
        if column is None:
            raise ValueError(f"src/answer/{question}.c: not a column: {entry[3]}")
        rows.append((order.index(entry[1]), int(entry[2] or 0), *map(joined, column.groups())))
    return [row[2:] for row in sorted(rows)]


def read_questions():
    """Name, and help of each question."""
    listed = (SOURCE / "questions.h").read_text().replace("\\\n", " ")
    names = re.findall(r"X\((\w+)\)", re.search(r"#define GB_QUESTIONS\(X\)(.*)", listed)[1])
    text = "\n".join(path.read_text() for path in sorted(SOURCE.glob("*.c")))
    found = [re.search(rf"gb_question_{name} = \{{\s*\{{({STRING}),\s*({STRING}),", text).groups() for name in names]
    return [tuple(map(joined, texts)) for texts in found]


def table_of(head, rows):
    """A table whose first column is literal."""
    table, group = nodes.table(), nodes.tgroup(cols=len(head))
    table += group
    group += [nodes.colspec(colwidth=60 if i + 1 == len(head) else 20) for i in range(len(head))]
    for part, lines in ((nodes.thead(), [head]), (nodes.tbody(), rows)):
        group += part
        for cells in lines:
            row = nodes.row()
            for i, text in enumerate(cells):
                cell = nodes.literal(text, text) if i == 0 and lines is rows else nodes.Text(text)
                row += nodes.entry("", nodes.paragraph("", "", cell))
            part += row
    return table


class Columns(Directive):
    required_arguments = 1

    def run(self):
        self.state.document.settings.env.note_dependency(str(SOURCE / f"{self.arguments[0]}.c"))
        return [table_of(("column", "unit", "content"), read_columns(self.arguments[0]))]


class Questions(Directive):
    def run(self):
        for path in SOURCE.glob("*.[ch]"):
            self.state.document.settings.env.note_dependency(str(path))
        return [table_of(("question", "what it answers"), read_questions())]


class Scores(Directive):
    required_arguments = 1

    def run(self):
        path = SOURCE / "evaluation.c"
        self.state.document.settings.env.note_dependency(str(path))
        rows = re.search(rf"\*const {self.arguments[0]}\[\]\[2\] = \{{(.*?)\}};", path.read_text(), flags=re.S)[1]
        pairs = [tuple(map(joined, pair)) for pair in re.findall(rf"\{{({STRING}),\s*({STRING})\}}", rows)]
        return [table_of(("score", "what it says"), pairs)]


def setup(app):
    app.add_directive("gibbous-scores", Scores)
    app.add_directive("gibbous-columns", Columns)
    app.add_directive("gibbous-questions", Questions)
    return {"parallel_read_safe": True}
