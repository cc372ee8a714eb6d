# Sphinx configuration: HTML pages and manual pages from the same Markdown.
#   sphinx-build -W docs build/docs/html        sphinx-build -W -b man docs build/docs/man
import pathlib
import re
import sys

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here / "_ext"))

project = "gibbous"
author = "the gibbous authors"
copyright = author
header = (here.parent / "include" / "gibbous" / "status.h").read_text()
release = ".".join(re.findall(r"^#define GB_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, flags=re.M))
version = release

extensions = ["myst_parser", "gibbous_options", "gibbous_functions"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
highlight_language = "none"
exclude_patterns = ["_ext"]
smartquotes = False

html_theme = "alabaster"
html_theme_options = {"description": "Supervised topic models, exact and reproducible", "page_width": "60em"}
html_show_copyright = False
html_copy_source = False

# The manual pages: docs/man/NAME.md becomes NAME(1); the first paragraph there is the line of whatis.
man_pages = []
for page in sorted((here / "man").glob("gibbous*.md")):
    summary = next(line[2:] for line in page.read_text().splitlines() if line.startswith("% "))
    man_pages.append((f"man/{page.stem}", page.stem, summary, "", 1))
