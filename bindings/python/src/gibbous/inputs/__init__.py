"""What users have, as arrays that the library takes: documents, fields, data frames and graphs."""

from ._corpora import corpus_of, is_in_memory, labelled, new_documents, split, take
from ._documents import Documents, documents
from ._fields import field, fields
from ._frames import ROLES, Inputs, collect
from ._tables import graph, square, words
from ._values import name_of

__all__ = [
    "ROLES",
    "Documents",
    "Inputs",
    "collect",
    "corpus_of",
    "documents",
    "field",
    "fields",
    "graph",
    "is_in_memory",
    "labelled",
    "name_of",
    "new_documents",
    "split",
    "square",
    "take",
    "words",
]
