"""How the package is built: by scikit-build-core, with a source archive that builds alone.

Wheels are built in place, in the project or in a source archive.  A source archive is laid out
first: `core/` has what CMake builds of, `vendor/` in it the libraries of tools/vendor, and
`report/made/` the page of reports, which takes Node.js to make.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

from scikit_build_core import build as _build
from scikit_build_core.build import (  # noqa: F401
    build_editable,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

HERE = pathlib.Path(__file__).parent.parent
CORE = [
    "CMakeLists.txt",
    "LICENSE",
    "cmake",
    "include",
    "src",
    "cli",
    "report",
    "tools/completion.bash",
    "tools/completion.fish",
    "tools/completion.zsh",
]
PACKAGE = ["README.md", "pyproject.toml", "src", "tests", "tools"]
LEFT_OUT = shutil.ignore_patterns("node_modules", "__pycache__", "*.pyc", "*.so", ".pytest_cache")


def copy(name, source, to):
    """A file or a folder, under the same name."""
    (to / name).parent.mkdir(parents=True, exist_ok=True)
    if (source / name).is_dir():
        shutil.copytree(source / name, to / name, ignore=LEFT_OUT)
    else:
        shutil.copy(source / name, to / name)


def make_page(project, core):
    """Bundle the page of reports, and leave it out if that cannot be done here."""
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        page = folder / "report_page.c"
        settings = {
            "NODE": shutil.which("node") or "",
            "NPM": shutil.which("npm") or "",
            "SOURCE": project / "report",
            "FOLDER": folder / "report",
            "OUTPUT": page,
        }
        command = ["cmake", *(f"-D{name}={value}" for name, value in settings.items())]
        subprocess.run([*command, "-P", project / "cmake" / "make_report.cmake"], check=True)
        notices = folder / "report_notices.txt"
        if not notices.exists():
            raise SystemExit("a source archive needs the page of reports: " + page.read_text())
        made = core / "report" / "made"
        made.mkdir(parents=True)
        for file in (page, notices):
            shutil.copy(file, made / file.name)


def lay_out(to):
    """What is in the source archive."""
    project = HERE.parent.parent
    core = to / "core"
    for name in CORE:
        if (project / name).exists():
            copy(name, project, core)
    for name in PACKAGE:
        copy(name, HERE, to)
    shutil.copy(project / "LICENSE", to / "LICENSE")
    if (project / "vendor").exists():
        copy("vendor", project, core)
    else:
        subprocess.run([project / "tools" / "vendor", core / "vendor"], check=True)
    make_page(project, core)
    settings = (to / "pyproject.toml").read_text()
    settings = settings.replace('"../.."', '"core"').replace('"../../include', '"core/include')
    (to / "pyproject.toml").write_text(settings)


def build_sdist(sdist_directory, config_settings=None):
    """The source archive; of a source archive, what is in it."""
    out = pathlib.Path(sdist_directory).resolve()
    if (HERE / "core").exists():
        return _build.build_sdist(str(out), config_settings)
    with tempfile.TemporaryDirectory() as work:
        lay_out(pathlib.Path(work))
        before = pathlib.Path.cwd()
        os.chdir(work)
        try:
            return _build.build_sdist(str(out), config_settings)
        finally:
            os.chdir(before)
