"""Arguments of a call as documents in memory, and these as arrays of the library."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gibbous.arrays import Arrays

from ._frames import ROLES, Inputs, collect

_ARGUMENTS = ("vocabulary", "text", "id", *ROLES, "embeddings")


def split(data: Any, given: Mapping[str, Any]) -> tuple[Inputs, dict[str, Any]]:
    """Documents in memory, and the options that are left, which name the fields."""
    arguments, left = take(given)
    inputs = data if isinstance(data, Inputs) else collect(data, **call_arguments(arguments))
    return inputs, {**left, **inputs.options}


def take(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Arguments of `collect` among the options of a call, and the options that are left."""
    arguments = {name: value for name, value in given.items() if name in _ARGUMENTS}
    return arguments, {name: value for name, value in given.items() if name not in _ARGUMENTS}


def call_arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of `collect` that were given; a vocabulary may be a file."""
    found = {name: value for name, value in given.items() if value is not None}
    words = found.get("vocabulary")
    if isinstance(words, (str, os.PathLike)):  # a file, as for the command
        found["vocabulary"] = Path(words).read_text(encoding="utf-8").splitlines()
    return found


def arrays_of(inputs: Inputs) -> Arrays:
    """What the library makes a corpus of."""
    documents, arrays = inputs.documents, Arrays()
    if documents.texts is not None:
        n_docs = arrays.texts(documents.texts)
    else:
        n_docs = arrays.counts(documents.start, documents.word, documents.count)
    names = documents.vocabulary
    if names is None and documents.texts is None:
        names = [str(column) for column in range(documents.n_words)]
    if names is not None:
        arrays.vocabulary(names)
    if inputs.ids is not None:
        arrays.ids(inputs.ids, n_docs)
    for field in inputs.fields:
        arrays.field(field, n_docs)
    if inputs.embeddings is not None:
        arrays.embeddings(inputs.embeddings, n_docs)
    return arrays
