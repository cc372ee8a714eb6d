"""The functions of the C interface in the documentation, from include/gibbous/: the one place where they are described.

  {gibbous-functions}    every declaration with the comment before it, by header, in reading order

A function without a comment fails the test source/documented.  A function that a page names and no header declares is a warning (an
error under -W); pages about the sources may name others."""

import pathlib
import re

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.util import logging

logger = logging.getLogger(__name__)
ABOUT_SOURCES = ("adding-a-", "development", "measured/")
FOLDER = pathlib.Path(__file__).parents[2] / "include" / "gibbous"


def headers():
    """Paths in reading order, as the umbrella header includes them."""
    text = (FOLDER / "gibbous.h").read_text()
    return [FOLDER / name for name in re.findall(r'^#include "gibbous/(\w+\.h)"', text, flags=re.M)]


def read_header(path):
    """What the header is about, and its declarations: a comment and the lines of C after it."""
    text = path.read_text()
    about = re.match(r"/\* gibbous/\w+\.h - (.*?)\s*\*/", text, flags=re.S)[1]
    about = " ".join(line.strip(" *") for line in about.splitlines())
    blocks = re.findall(r"^/\*\*(.*?)\*/\n(.*?)(?=\n\n|\n/\*\*|\n/\* ----|\Z)", text, flags=re.M | re.S)
    return about, [(clean(comment), code.strip()) for comment, code in blocks]


def clean(comment):
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in comment.splitlines()]
    return "\n".join(lines).strip()


class Functions(Directive):
    def run(self):
        result = []
        for path in headers():
            self.state.document.settings.env.note_dependency(str(path))
            about, declarations = read_header(path)
            result.append(nodes.rubric("", f"gibbous/{path.name}: {about.rstrip('.')}"))
            for comment, code in declarations:
                block = nodes.literal_block("", code)
                block["language"] = "c"
                text = nodes.literal_block("", comment) if re.search(r"^@", comment, flags=re.M) else nodes.paragraph(
                    text=" ".join(comment.split()))
                if isinstance(text, nodes.literal_block):
                    text["language"] = "none"
                result += [block, nodes.block_quote("", text)]
        return result


def check_names(app, doctree, page):
    """Functions that the page names are declared."""
    if page.startswith(ABOUT_SOURCES):
        return
    declared = set(re.findall(r"\b(gb_\w+)\(", "\n".join(path.read_text() for path in headers())))
    for literal in doctree.findall(nodes.literal):
        found = re.fullmatch(r"(gb_\w+)\(.*\)", literal.astext())
        if found and found[1] not in declared:
            logger.warning("no header declares %s()", found[1], location=literal)


def setup(app):
    app.add_directive("gibbous-functions", Functions)
    app.connect("doctree-resolved", check_names)
    return {"parallel_read_safe": True}
