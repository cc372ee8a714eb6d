"""The page about a model: what ``gibbous report`` writes.

The page is assembled by the command, which has the code of the page in it.  So this module writes
the model, and documents that are in memory, to a folder of its own, and runs the command there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gibbous._library import library, library_path, text
from gibbous.corpus import Corpus, corpus_of
from gibbous.errors import ArgumentError, FormatError, GibbousError, ReadWriteError
from gibbous.new_documents import labelled
from gibbous.options import Settings, arguments_of, options
from gibbous.results import Documents

if TYPE_CHECKING:
    from gibbous.model import Model

__all__ = ["command_path", "report"]

_CHOOSE_WORDS = ("min_df", "max_df", "max_vocabulary")  # which the model has done
_ERRORS: dict[int, type[GibbousError]] = {1: ReadWriteError, 2: ArgumentError, 3: FormatError}


def command_path() -> Path:
    """Find the command that belongs to the library.

    It is where GIBBOUS_COMMAND says; else in the package, beside the library, in the ``bin`` of
    its prefix, or on the PATH.

    Raises
    ------
    GibbousError
        It is nowhere, or of another version than the library.
    """
    named = os.environ.get("GIBBOUS_COMMAND", "")
    beside = library_path().resolve().parent
    prefixes = [Path(__file__).parent, *list(beside.parents)[:2]]
    places = [beside, *(prefix / "bin" for prefix in prefixes)]
    found = named or next(
        (str(place / "gibbous") for place in places if (place / "gibbous").is_file()),
        shutil.which("gibbous"),
    )
    if not found:
        raise GibbousError(
            "the command gibbous, which makes reports, is not there: install it, or set "
            "GIBBOUS_COMMAND to its path"
        )
    version, wanted = _run([found, "--version"]).split()[1], text(library.gb_version())
    if version != wanted:
        raise GibbousError(f"{found} is gibbous {version}, but the library is {wanted}")
    return Path(found)


def report(
    model: Model,
    path: str | os.PathLike[str],
    data: Any = None,
    *,
    name: str = "model.gibbous",
    force: bool = True,
    baseline_on: Any = None,
    **given: Any,
) -> Path:
    """Write one page about a model, which any browser shows, without network.

    Parameters
    ----------
    path : str or path
        The page, such as ``"report.html"``.
    data : str or path, Corpus, or documents in memory, optional
        Documents that the model has not seen: the page shows what is predicted of each and why,
        and how good predictions are, if the documents have what the model predicts.
    name : str
        What the page calls the model.
    force : bool
        Replace an existing file; False: raise ArgumentError if there is one.
    baseline_on : str or path, Corpus, or documents in memory, optional
        The training documents: a linear model of their words is scored beside this one.
    **given
        Options of ``gibbous report``: `infer_sweeps`, `seed`, `threads`, `unknown_label`, ...; with
        documents in a file how to read it, with documents in memory arguments of
        :func:`gibbous.inputs.collect`.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    GibbousError
        The command is not there, or was built without the page (Node.js is needed for that).
    ArgumentError, FormatError, ReadWriteError
        As in :meth:`Model.predict` and :meth:`Model.write`.

    Notes
    -----
    The model and documents in memory are written to a temporary folder, for the command reads
    files.
    """
    program = command_path()
    if Path(name).name != name or name in ("", ".", ".."):
        raise ArgumentError(f"a name without folders is needed, not {name!r}")
    with tempfile.TemporaryDirectory(prefix="gibbous-") as made:
        folder = Path(made)
        (folder / "model").mkdir()
        model.write(folder / "model" / name)
        arguments = [f"--model={folder / 'model' / name}", f"--output={Path(path).absolute()}"]
        if force:
            arguments.append("--force")
        if baseline_on is not None:
            training, _ = _file_of(model, baseline_on, {}, folder / "training.gbc")
            arguments.append(f"--baseline-on={training}")
        if data is not None:
            documents, given = _file_of(model, data, given, folder / "documents.gbc")
            arguments.append(str(documents))
        _run([str(program), "report", "--quiet", *_texts(given), *arguments])
    return Path(path)


def _file_of(
    model: Model, data: Any, given: dict[str, Any], path: Path
) -> tuple[Path, dict[str, Any]]:
    """The file of documents, made if they are in memory, and the options of the command."""
    if isinstance(data, (str, os.PathLike)):
        return Path(data).absolute(), given
    if isinstance(data, Documents):
        raise ArgumentError(
            "Documents lack the words that the model does not know: give what they were made of"
        )
    if isinstance(data, Corpus):
        data.write(path)
        return path, given
    inputs, left = labelled(model, data, given, "report")
    words = {
        one.name: model.settings[one.long_name]
        for one in options().values()
        if one.group == "Words" and one.is_kept and one.name not in _CHOOSE_WORDS
    }
    fields = {name: value for name, value in left.items() if _is_of_data(name)}
    corpus_of(
        inputs, Settings({**words, **fields, "keep_text": True}, ("import",), "report")
    ).write(path)
    return path, {name: value for name, value in left.items() if not _is_of_data(name)}


def _is_of_data(name: str) -> bool:
    return name in options() and options()[name].group == "Data"


def _texts(given: dict[str, Any]) -> list[str]:
    """Options as arguments of the command."""
    Settings(given, ("report",), "report")
    return [
        argument
        for name, value in given.items()
        if value is not None
        for argument in arguments_of(options()[name], value)
    ]


def _run(arguments: list[str]) -> str:
    """What a program prints; what it complains of is raised."""
    done = subprocess.run(
        arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace"
    )
    if done.returncode != 0:
        message = done.stderr.strip().removeprefix("gibbous: ")
        kind = _ERRORS.get(done.returncode, GibbousError)
        raise kind(message or f"{arguments[0]} ended with status {done.returncode}")
    return done.stdout
