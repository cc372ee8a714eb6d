/* corpus/data/field.h - the fields of a document beside its words, as the options name them.
 *
 * A reader fills every field with text, whatever it is for (raw_document.h); text becomes classes and numbers here, on
 * its way into a corpus. */
#ifndef GB_CORPUS_DATA_FIELD_H
#define GB_CORPUS_DATA_FIELD_H

#include "corpus/data/corpus.h"
#include "corpus/data/view.h"
#include "options/settings.h"

/** A field that was asked for. */
typedef struct gb_field {
    char *name;
    gb_field_kind kind;
    gb_role role;
    bool seen;        /* the input has this field, at least in one document */
    bool is_optional; /* nobody asked for it: if no document has a value, it is not there */
} gb_field;

/** The fields that the options name: --label, --labels, --target, --covariates, --exposure, --document-weight, --group, --cluster, in
 * this order, and then those of --prevalence, --content, --evolve and --subgroups that no other option names, in the role PREVALENCE.  Free with gb_fields_free(). */
gb_status gb_fields_from_settings(gb_field **fields, size_t *n_fields, const gb_settings *settings, gb_error *err);
void gb_fields_free(gb_field *fields, size_t n_fields);
/** Add one to the end.  A name that is there already is GB_EARGUMENT. */
gb_status gb_fields_add(gb_field **fields, size_t *n_fields, const gb_field *field, gb_error *err);
/** The field of that name, or NULL. */
const gb_field *gb_fields_find(const gb_field *fields, size_t n_fields, const char *name);
/** True when one of them has that role. */
bool gb_fields_have(const gb_field *fields, size_t n_fields, gb_role role);

/** "factor", "list" or "number", as --covariates takes it; not of GB_KIND_AUTO. */
const char *gb_field_kind_name(gb_field_kind kind);
/** "label", "target", "covariate" (of scores, or of topics alone), "exposure", "document weight", "group" or "cluster". */
const char *gb_role_name(gb_role role, bool is_number);
/** "response", "covariate", "exposure", "weight", "group", "cluster" or "prevalence"; NULL behind the last. */
const char *gb_role_word(size_t role);

/** How lists are asked for, or why they cannot be: the end of a message "the field "x" is a list; ...". */
const char *gb_field_on_list(const gb_field *field);

/** The number that a cell says for a field of numbers: NaN when it is missing.  GB_EFORMAT names field and value. */
gb_status gb_field_number(const gb_field *field, gb_view cell, double *value, gb_error *err);

/** Declare the fields to a builder.  `decide`: let the values decide what a covariate of kind AUTO is; else that is
 * GB_EARGUMENT, since the batches of a stream must agree. */
gb_status gb_fields_declare(const gb_field *fields, size_t n_fields, bool decide, gb_corpus_builder *b,
                            gb_error *err);

#endif
