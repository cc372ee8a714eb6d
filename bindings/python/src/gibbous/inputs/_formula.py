"""The fields that a formula names, as the library reads it."""

from __future__ import annotations

import json
from typing import Any, cast

from gibbous._library import check, encoded, ffi, library, take_text

from ._fields import Kind


def fields_of(formula: str) -> dict[str, Kind | None]:
    """Names of the fields with their kinds; None where values decide."""
    settings, out = ffi.new("gb_settings **"), ffi.new("char **")
    check(library.gb_settings_create, settings)
    try:
        value = encoded(formula, "the option prevalence")
        check(library.gb_settings_set, settings[0], b"prevalence", value)
        check(library.gb_settings_fields, settings[0], out)
    finally:
        library.gb_settings_free(settings[0])
    found: list[dict[str, str]] = json.loads(take_text(out[0]))
    return {
        field["name"]: None if field["kind"] == "auto" else cast(Kind, field["kind"])
        for field in found
    }


def of_fields(kinds: dict[str, Kind]) -> str:
    """A formula that names these fields."""
    return " + ".join(f"{kind}(`{name}`)" for name, kind in kinds.items())


def split_formula(given: Any) -> tuple[str, Any]:
    """A formula, and the values of its fields where they come with it: (formula, values)."""
    formula, values = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    if not isinstance(formula, str):
        raise TypeError(
            'prevalence: expected a formula such as "party * s(year)", or a pair of a formula and'
            f" the values of its fields, got {formula!r}"
        )
    return formula, values
