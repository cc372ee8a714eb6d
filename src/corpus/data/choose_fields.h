/* corpus/data/choose_fields.h - of the fields that a corpus file has, those that the options name. */
#ifndef GB_CORPUS_DATA_CHOOSE_FIELDS_H
#define GB_CORPUS_DATA_CHOOSE_FIELDS_H

#include "corpus/data/field.h"

/**
 * Of each role, keep the fields named, in the order named; of a role without a named field, keep all as they are.
 *
 * A field that a formula names is taken in the role that it has there if that role keeps it, else, or if it is a covariate, in the role
 * PREVALENCE.  Any other field must have the role and the kind under which it was stored, except that a label of one class may be asked for as
 * one of several, and a field of prevalence as a covariate.
 *
 * @param path  for messages
 * @return GB_OK, GB_EFORMAT (no such field), GB_EARGUMENT (another role or kind) or GB_ENOMEM
 */
gb_status gb_corpus_choose_fields(gb_corpus *c, const char *path, const gb_field *fields, size_t n_fields,
                                  gb_error *err);

#endif
