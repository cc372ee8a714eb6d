"""What users have, as arrays that the library takes: documents, fields, data frames and graphs."""

from ._calls import arrays_of, split, take
from ._documents import Documents, documents
from ._fields import field, fields
from ._files import loaded
from ._frames import ROLES, Inputs, collect
from ._tables import graph, square, words
from ._values import name_of

__all__ = [
    "ROLES",
    "Documents",
    "Inputs",
    "arrays_of",
    "collect",
    "documents",
    "field",
    "fields",
    "graph",
    "loaded",
    "name_of",
    "split",
    "square",
    "take",
    "words",
]
