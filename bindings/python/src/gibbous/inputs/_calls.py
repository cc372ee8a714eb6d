"""Arguments of a call as documents in memory, and these as arrays of the library."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from gibbous.arrays import NO_CLASS, Arrays, Field

from ._formula import fields_of, of_fields, split_formula
from ._frames import ROLES, Inputs, collect

_ARGUMENTS = ("vocabulary", "text", "id", *ROLES, "embeddings")


def split(data: Any, given: Mapping[str, Any]) -> tuple[Inputs, dict[str, Any]]:
    """Documents in memory, and the options that are left, which name the fields."""
    arguments, left = take(given)
    if left.get("prevalence") is not None:  # an option, too
        arguments["prevalence"] = left["prevalence"]
        left["prevalence"] = split_formula(left["prevalence"])[0]
    for name in ("content", "evolve"):
        if left.get(name) is not None:
            left[name] = _add_groups(left[name], arguments)
    add_subgroups(arguments, left)
    inputs = data if isinstance(data, Inputs) else collect(data, **call_arguments(arguments))
    left |= inputs.options
    return inputs, {**left, **_orders(inputs.fields, left)}


def add_subgroups(arguments: dict[str, Any], left: dict[str, Any]) -> None:
    """Fields whose values are scored by themselves, read as those of a formula."""
    given = left.get("subgroups")
    if given is not None:
        several = given if isinstance(given, list) else [given]
        left["subgroups"] = [_add_groups(one, arguments) for one in several]


def _is_of(name: str, given: Any) -> bool:
    return name in given if isinstance(given, list) else isinstance(given, str) and name == given


def _add_groups(given: Any, arguments: dict[str, Any]) -> str:
    """The name of a field of groups, which is read as those of a formula are."""
    name, values = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    if not isinstance(name, str):
        raise TypeError(
            "content, evolve, subgroups: expected the name of a column, or a pair of a name and its"
            f" values, got {given!r}"
        )
    if any(_is_of(name, arguments.get(role)) for role in ROLES):
        return name
    formula, others = split_formula(arguments.get("prevalence", ""))
    if not formula or name not in fields_of(formula):
        added = of_fields({name: "factor"})
        formula = f"{formula} + {added}" if formula else added
    if values is not None:
        others = {**(others or {}), name: values}
    arguments["prevalence"] = formula if others is None else (formula, others)
    return name


def _orders(fields: list[Field], given: Mapping[str, Any]) -> dict[str, Any]:
    """Options that say what ordered categories say: of an ordinal response, and of a chain."""
    options: dict[str, Any] = {}
    levels = {
        field.name: field.levels
        for field in fields
        if field.role == "response" and field.levels and _is_ordinal(field, given.get("response"))
    }
    if levels and not given.get("levels"):
        options["levels"] = levels
    groups = [field for field in fields if field.role == "group"]
    is_chain = isinstance(given.get("graph"), str) and given["graph"] == "chain"
    if is_chain and len(groups) == 1 and groups[0].levels:
        present = _present(groups[0])
        names = [name for name in groups[0].levels if name in present]
        options["graph"] = list(pairwise(names)) or "chain"
    return options


def _is_ordinal(field: Field, response: Any) -> bool:
    if isinstance(response, Mapping):
        return response.get(field.name) == "ordinal"
    return response == "ordinal" or f"{field.name}=ordinal" in str(response).split(",")


def _present(field: Field) -> set[str]:
    """The classes that documents have."""
    assert field.class_of is not None
    assert field.class_name is not None
    codes = np.unique(field.class_of)
    return {field.class_name[code] for code in codes.tolist() if code != NO_CLASS}


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
