# Sphinx configuration: HTML pages and manual pages from the same Markdown.
#   sphinx-build -W docs build/docs/html        sphinx-build -W -b man docs build/docs/man
import os
import pathlib
import re
import runpy
import shutil
import sys

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here / "_ext"))

project = "gibbous"
author = "the gibbous authors"
copyright = author
header = (here.parent / "include" / "gibbous" / "status.h").read_text()
release = ".".join(re.findall(r"^#define GB_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, flags=re.M))
version = release

extensions = ["myst_parser", "gibbous_columns", "gibbous_functions", "gibbous_options"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
highlight_language = "none"
exclude_patterns = ["_ext"]
smartquotes = False

html_title = f"gibbous {release}"
html_static_path = ["_static"]
html_css_files = ["gibbous.css"]
try:
    import furo  # noqa: F401

    html_theme = "furo"
    # The colours of the report's page.  All that differ in the dark are named: the furo of Debian has them for its button alone.
    html_theme_options = {
        "light_css_variables": {"color-brand-primary": "#1f6f8b", "color-brand-content": "#1f6f8b"},
        "dark_css_variables": {
            "color-brand-primary": "#5bb5d1",
            "color-brand-content": "#5bb5d1",
            "color-problematic": "#ff8a80",
            "color-foreground-primary": "#e6e9ed",
            "color-foreground-secondary": "#b4bcc6",
            "color-foreground-muted": "#9fa8b3",
            "color-foreground-border": "#666e78",
            "color-background-primary": "#12161b",
            "color-background-secondary": "#181d23",
            "color-background-hover": "#232a32",
            "color-background-hover--transparent": "#232a3200",
            "color-background-border": "#3a424c",
            "color-background-item": "#3a424c",
            "color-card-background": "#181d23",
            "color-card-marginals-background": "#1c2128",
            "color-inline-code-background": "#1c2128",
            "color-highlighted-background": "#0b4a5c",
            "color-guilabel-background": "#08374680",
            "color-guilabel-border": "#13395d80",
            "color-admonition-background": "#181d23",
            "color-api-background": "#181d23",
            "color-api-keyword": "#9fa8b3",
            "color-highlight-on-target": "#333300",
        },
    }
except ImportError:
    print("docs: the theme furo is not there (Debian: furo; pip install furo); the pages get alabaster's looks")
    html_theme = "alabaster"
    html_theme_options = {"description": "Supervised topic models, exact and reproducible", "page_width": "60em"}
html_show_copyright = False
html_copy_source = False

# Pictures of tables follow the tables.
try:
    runpy.run_path(str(here / "pictures" / "make.py"), run_name="__main__")
except PermissionError:
    print("docs: the pictures stay as they are, for docs/pictures cannot be written")

# The worked examples of the Python package run where the package, matplotlib and sphinx-gallery are there; else a page says that
# they did not.
sys.path.insert(0, str(here.parent / "bindings" / "python" / "src"))
build_library = here.parent / "build" / "release" / "libgibbous.so"
if build_library.exists():
    os.environ.setdefault("GIBBOUS_LIBRARY", str(build_library))
examples = here / "python" / "examples"
stub = examples / "index.md"
exclude_patterns += ["python/gallery", "python/examples/*.ipynb", "python/examples/sg_execution_times.rst"]
try:
    import gibbous  # noqa: F401
    import matplotlib
    import pandas  # noqa: F401
    import sphinx_gallery  # noqa: F401
except ImportError as missing:
    shutil.rmtree(examples, ignore_errors=True)
    examples.mkdir()
    pages = sorted((here / "python" / "gallery").glob("plot_*.py"))
    stub.write_text(
        f"# Worked examples\n\nThese pages were built without running them ({missing}): here is what they do.\n"
        + "".join(f"\n```{{literalinclude}} ../gallery/{page.name}\n:language: python\n```\n" for page in pages)
    )
else:
    matplotlib.use("Agg")
    stub.unlink(missing_ok=True)
    extensions.append("sphinx_gallery.gen_gallery")
    sphinx_gallery_conf = {
        "examples_dirs": str(here / "python" / "gallery"),
        "gallery_dirs": str(examples),
        "download_all_examples": False,
        "show_memory": False,
        "write_computation_times": False,
        "within_subsection_order": "FileNameSortKey",
        "abort_on_example_error": True,
        "capture_repr": ("_repr_html_", "__repr__"),
    }

# The manual pages: docs/man/NAME.md becomes NAME(1); the first paragraph there is the line of whatis.
man_pages = []
for page in sorted((here / "man").glob("gibbous*.md")):
    summary = next(line[2:] for line in page.read_text().splitlines() if line.startswith("% "))
    man_pages.append((f"man/{page.stem}", page.stem, summary, "", 1))
