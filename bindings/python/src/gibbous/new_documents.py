"""Documents in memory as those of a model: its words, and the fields that training had."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from gibbous._library import check, ffi, library, text
from gibbous.errors import NoEffectWarning, depth_of_package, in_python
from gibbous.inputs import Documents, Inputs, arrays_of, collect, take
from gibbous.inputs._calls import add_subgroups, call_arguments
from gibbous.inputs._fields import Kind
from gibbous.inputs._formula import of_fields
from gibbous.inputs._frames import bags_of
from gibbous.inputs._values import as_frame, opened, records
from gibbous.options import Settings

__all__ = ["check_options", "fields_of_formula", "labelled", "new_documents"]

_KINDS: dict[int, Kind] = {0: "factor", 1: "list", 2: "number"}  # gb_field_kind
_NEEDED = {1: "covariates", 2: "exposure", 4: "group", 6: "prevalence"}  # gb_role


_USES = {
    "evaluate": library.GB_USE_EVALUATE,
    "report": library.GB_USE_EVALUATE,
    "effects": library.GB_USE_ESTIMATE,
}


def check_options(model: Any, settings: Settings, verb: str) -> None:
    """Complain of options that a model cannot use, and warn of what a call does not look at."""
    note = ffi.new("char const **")
    use = _USES.get(verb, library.GB_USE_PREDICT)
    # A seed that is given with every call does no harm, but who asks for passes expects them.
    if verb in ("predict", "infer") and any(
        map(settings.is_set, ("infer-sweeps", "infer-burn-in"))
    ):
        use = library.GB_USE_SCORE
    check(library.gb_model_check_settings, model._pointer, settings.pointer, use, note)
    if text(note[0]) and verb != "report":  # whose effects are weighed
        warnings.warn(in_python(text(note[0])), NoEffectWarning, stacklevel=depth_of_package())


def _check_fields(model: Any, inputs: Inputs, given: Mapping[str, Any], verb: str) -> None:
    """The same of fields in memory; the library splits names at commas and colons."""
    settings = Settings({}, (), verb)
    for field in inputs.fields:
        names = _OPTIONS_OF[field.role]
        if set(names) & given.keys() and not set(",:") & set(field.name):
            settings.set(names[0].replace("_", "-"), field.name)
    if "embeddings" in given:
        settings.set("embeddings", "given")
    check_options(model, settings, verb)


_OPTIONS_OF: dict[str, tuple[str, ...]] = {
    "response": ("label", "labels", "target"),
    "covariate": ("covariates",),
    "exposure": ("exposure",),
    "weight": ("document_weight",),
    "group": ("group",),
    "cluster": (),  # of trainings alone
    "prevalence": (),
}


def new_documents(model: Any, data: Any, given: Mapping[str, Any], verb: str) -> tuple[Any, Any]:
    """Documents for a model, and their numbers of unknown words, as pointers to be freed."""
    inputs = data
    if not isinstance(data, Inputs):
        arguments = call_arguments(given)
        inputs = _collect_for(model, data, dict(arguments))
        _check_fields(model, inputs, arguments, verb)
    _check_columns(model, inputs.documents)
    arrays = arrays_of(inputs)
    corpus, n_unknown = ffi.new("gb_corpus **"), ffi.new("uint64_t **")
    check(library.gb_documents_from_arrays, model._pointer, arrays.pointer, corpus, n_unknown)
    return corpus[0], n_unknown[0]


def _check_columns(model: Any, documents: Documents) -> None:
    """Complain of a matrix whose columns cannot be the words of the model."""
    names = documents.vocabulary
    if not documents.is_matrix:
        return
    if names is None and model._has_numbered_words:
        _check_number(model, documents.n_words)
        return
    if names is None:
        raise ValueError(
            "the words of the model have names, but the columns of X have none: give the names of"
            " the columns, as in training: vocabulary=..."
        )
    columns = set(names)
    if not any(word in columns for word in model._words()):
        raise ValueError(
            f"no column of X is a word of the model: the columns are {_some(names)},"
            f" the words {_some(model.vocabulary)}"
        )


def _check_number(model: Any, n_columns: int) -> None:
    n_trained = model._given.n_columns
    if n_trained not in (None, n_columns):
        raise ValueError(f"X has {n_columns} columns, but the model was trained on {n_trained}")
    last = max(int(word) for word in model._words())
    if last >= n_columns:
        raise ValueError(f"X has {n_columns} columns, but column {last} is a word of the model")


def _some(names: list[str]) -> str:
    shown = ", ".join(f'"{name}"' for name in names[:5])
    return f"{shown}, ..." if len(names) > 5 else shown


def _needed(model: Any) -> list[tuple[str, str, Kind]]:
    """Name, role and kind of the fields that new documents need."""
    name, role, kind = ffi.new("char const **"), ffi.new("gb_role *"), ffi.new("gb_field_kind *")
    found: list[tuple[str, str, Kind]] = []
    while library.gb_model_needed_field(model._pointer, len(found), name, role, kind):
        found.append((text(name[0]), _NEEDED[int(role[0])], _KINDS[int(kind[0])]))
    return found


def fields_of_formula(model: Any) -> str:
    """The fields of a model's formula with their kinds, as a formula; "" without one."""
    found = {name: kind for name, role, kind in _needed(model) if role == "prevalence"}
    return of_fields(found) if found else ""


def _collect_for(model: Any, data: Any, arguments: dict[str, Any]) -> Inputs:
    """As `collect`, with the columns of a data frame that training used."""
    needed = _needed(model)
    kinds = {name: kind for name, role, kind in needed if role == "covariates"}
    data = opened(records(data))
    frame = as_frame(data)
    if frame is not None:
        for role in ("covariates", "exposure", "group"):
            names = _columns(
                [name for name, of_role, _ in needed if of_role == role], frame.columns
            )
            if names and role not in arguments:
                arguments[role] = names[0] if role == "exposure" else names
        if formula := fields_of_formula(model):
            arguments["prevalence"] = (
                f"{formula} + {arguments['prevalence']}" if "prevalence" in arguments else formula
            )
        for name in ("text", "id"):
            given = model.settings[name]
            if given in frame.columns or ("=" in given and _has_bags(given, frame.columns)):
                arguments.setdefault(name, given)
        data = frame.drop([name for name in _not_words(model, arguments) if name in frame.columns])
    return collect(data, **arguments, kinds=kinds)


def _has_bags(text: str, columns: list[str]) -> bool:
    return all(name in columns for _, name in bags_of(text))


def _columns(names: list[str], columns: list[str]) -> list[str]:
    """Names of columns; the fields x_0, x_1 and so on of an embedding are in the column x."""
    found = [name if name in columns else name.rpartition("_")[0] for name in names]
    known = [base if base in columns else name for name, base in zip(names, found, strict=True)]
    return list(dict.fromkeys(known))


def _not_words(model: Any, arguments: Mapping[str, Any]) -> list[str]:
    """Columns that were fields in training and are not asked for: no words, if all are numbers."""
    settings = model.settings
    names = [
        *settings["label"],
        *settings["labels"],
        *settings["target"],
        settings["document-weight"],
    ]
    asked: set[Any] = set()
    for value in arguments.values():
        if isinstance(value, (str, list)):
            asked.update([value] if isinstance(value, str) else filter(_is_name, value))
    return [name for name in names if name != "" and name not in asked]


def _is_name(value: Any) -> bool:
    return isinstance(value, str)


_ROLE_OF_TASK = {"multilabel": "labels", "regression": "target"}


def labelled(
    model: Any, data: Any, given: Mapping[str, Any], verb: str
) -> tuple[Inputs, dict[str, Any]]:
    """New documents with the fields that a model predicts, and the options that are left."""
    if isinstance(data, Inputs):
        return data, {**given, **data.options}
    arguments, left = take(given)
    asked = call_arguments(arguments)
    data = opened(data)
    frame = as_frame(data)
    if frame is not None and not set(arguments) & {"label", "labels", "target"}:
        for response in model.responses:
            if response.field in frame.columns:
                role = _ROLE_OF_TASK.get(response.task, "label")
                arguments.setdefault(role, []).append(response.field)
    add_subgroups(arguments, left)
    inputs = _collect_for(model, data, call_arguments(arguments))
    _check_fields(model, inputs, asked, verb)
    return inputs, {**left, **inputs.options}
